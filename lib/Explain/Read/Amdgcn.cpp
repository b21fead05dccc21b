//===- Amdgcn.cpp - AMD listings: disassembly, compiler output, fragments -===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Read/AmdgcnLine.h"
#include "Explain/Read/AmdgcnModule.h"

#include <algorithm>
#include <cctype>
#include <deque>
#include <set>

using namespace wf::explain;
using namespace wf::explain::amdgcn;

namespace {

class Reader {
public:
  Reader(std::string_view name) : fileName(name) { newModule(); }
  void line(std::string_view text);
  Listing finish();
  bool anyKernel() const { return !kernels.empty(); }

private:
  struct Open {
    Kernel kernel;
    size_t module = 0;
    uint64_t start = 0;   ///< printed address of its first instruction
    bool based = false;   ///< `start` is known
    bool returns = false; ///< it ends as a function does
    std::vector<std::string> pending; ///< labels without an instruction yet
  };

  void newModule() {
    modules.emplace_back();
    modules.back().fileName = fileName;
  }
  Module &module() { return modules.back(); }
  bool header(std::string_view text);
  bool label(std::string_view text);
  static bool isOver(const Open &open);
  void comment(std::string_view text);
  void directive(std::string_view text);
  void section(std::string_view name);
  void sourcePlace(std::string_view text);
  void sourceFile(std::string_view text);
  void setSymbol(std::string_view text);
  void startKernel(std::string_view name, std::optional<uint64_t> address);
  void instruction(Line line);
  void finishOne(Open &open);

  std::string fileName;
  std::deque<Module> modules;
  std::deque<Open> kernels;
  Open *current = nullptr;
  Listing out;
  uint32_t number = 0;
  bool skipping = false, inMetadata = false;
  std::string described; ///< the kernel whose .amdhsa_ directives follow
  std::set<std::string, std::less<>> functions;
  std::map<int64_t, std::string> files;
  SourceLine place;
  std::string origin;
};

} // namespace

void Reader::startKernel(std::string_view name,
                         std::optional<uint64_t> address) {
  Open &open = kernels.emplace_back();
  open.kernel.name = name;
  open.kernel.isa = Isa::Amdgcn;
  open.kernel.line = number;
  open.module = modules.size() - 1;
  open.start = address.value_or(0);
  open.based = address.has_value();
  current = &open;
  place = {};
}

/// "0000000000005600 <reduce_sum>:" and the lines that name a file or section.
bool Reader::header(std::string_view text) {
  if (text.ends_with("file format elf64-amdgpu")) {
    if (!kernels.empty())
      newModule();
    module().fileName = text.substr(0, text.find(':'));
    if (chipIn(module().fileName).empty())
      module().fileName = fileName;
    origin = "llvm-objdump -d";
    current = nullptr;
    skipping = false;
    return true;
  }
  if (text.starts_with("Disassembly of section ")) {
    section(text.substr(23));
    return true;
  }
  std::string_view digits = hexPrefix(text);
  if (digits.size() < 8 || !text.ends_with(">:"))
    return false;
  std::string_view rest = trimmed(text.substr(digits.size()));
  if (!rest.starts_with('<'))
    return false;
  if (origin.empty())
    origin = "llvm-objdump -d";
  startKernel(rest.substr(1, rest.size() - 3), hexNumber(digits));
  return true;
}

void Reader::section(std::string_view name) {
  skipping = !name.starts_with(".text") && !name.starts_with("\".text");
  if (skipping)
    current = nullptr;
}

/// Names that compilers and disassemblers give to places within a function.
static bool isLocalLabel(std::string_view name) {
  auto numbered = [&](std::string_view prefix) {
    return name.size() > prefix.size() && name.starts_with(prefix) &&
           std::isxdigit(static_cast<unsigned char>(name[prefix.size()]));
  };
  return name.starts_with(".L") || numbered("L") || numbered("BB") ||
         numbered("label_") || numbered("_L") || name.starts_with("%bb");
}

/// Nothing but padding follows the last exit.
bool Reader::isOver(const Open &open) {
  const std::vector<Instruction> &code = open.kernel.code;
  for (size_t i = code.size(), n = 0; i-- > 0 && n < 64; ++n)
    if (code[i].mnemonic != "s_nop" && code[i].mnemonic != "s_code_end")
      return code[i].mnemonic == "s_endpgm";
  return false;
}

bool Reader::label(std::string_view text) {
  size_t comment = text.find(';');
  std::string_view note =
      comment == std::string_view::npos ? "" : text.substr(comment);
  std::string_view name = trimmed(text.substr(0, comment));
  if (!name.ends_with(':'))
    return false;
  name.remove_suffix(1);
  if (name.size() > 2 && name.starts_with('<') && name.ends_with('>'))
    name = name.substr(1, name.size() - 2);
  if (name.size() > 1 && name.starts_with('"') && name.ends_with('"'))
    name = name.substr(1, name.size() - 2);
  if (name.empty() || name.find_first_of(" \t,") != std::string_view::npos)
    return false;
  if (skipping)
    return true;
  if (name.starts_with(".Lfunc_end")) {
    current = nullptr;
    return true;
  }
  bool function =
      functions.contains(name) || note.find("; @") != std::string_view::npos;
  bool local = isLocalLabel(name) ||
               (current && !current->kernel.code.empty() && !isOver(*current));
  if (function || (!local && !name.starts_with('.')))
    startKernel(name, std::nullopt);
  else if (current)
    current->pending.emplace_back(name);
  return true;
}

/// "; NumVgprs: 4" of a kernel's footer, and "; file.cl:12" of objdump -l.
void Reader::comment(std::string_view text) {
  text =
      trimmed(text.substr(std::min(text.find_first_not_of(";/"), text.size())));
  size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0 || text.size() > 4096)
    return;
  std::string_view key = text.substr(0, colon);
  auto value = integer(trimmed(text.substr(colon + 1)));
  if (!value || *value < 0)
    return;
  bool file = key.find_first_of("/.") != std::string_view::npos &&
              key.find(' ') == std::string_view::npos;
  if (file && current && *value <= UINT32_MAX)
    place = {std::string(key), static_cast<uint32_t>(*value)};
  static constexpr std::pair<std::string_view, std::string_view> footers[] = {
      {"NumVgprs", ".num_vgpr"},
      {"NumSgprs", ".numbered_sgpr"},
      {"NumAgprs", ".num_agpr"}};
  if (!kernels.empty())
    for (auto [word, symbol] : footers)
      if (key == word)
        module().symbols.emplace(
            kernels.back().kernel.name + std::string(symbol), *value);
}

/// .file 1 "dir" "name"
void Reader::sourceFile(std::string_view text) {
  size_t blank = text.find(' ');
  if (blank == std::string_view::npos)
    return;
  auto index = integer(text.substr(0, blank));
  std::string joined;
  for (size_t at = text.find('"'); at != std::string_view::npos;) {
    size_t end = text.find('"', at + 1);
    if (end == std::string_view::npos)
      break;
    std::string_view part = text.substr(at + 1, end - at - 1);
    if (part.starts_with('/'))
      joined.clear();
    joined += (joined.empty() ? "" : "/") + std::string(part);
    at = text.find('"', end + 1);
  }
  if (index)
    files[*index] = joined;
}

/// .loc 1 23 5 …
void Reader::sourcePlace(std::string_view text) {
  size_t first = text.find(' ');
  if (first == std::string_view::npos)
    return;
  std::string_view rest = trimmed(text.substr(first));
  auto file = integer(text.substr(0, first));
  auto row = integer(rest.substr(0, rest.find_first_of(" \t")));
  if (!file || !row || *row < 0 || *row > UINT32_MAX)
    return;
  auto found = files.find(*file);
  place = {found == files.end() ? "" : found->second,
           static_cast<uint32_t>(*row)};
}

/// .set reduce_sum.num_vgpr, 4
void Reader::setSymbol(std::string_view text) {
  size_t comma = text.find(',');
  if (comma == std::string_view::npos)
    return;
  if (auto value = integer(trimmed(text.substr(comma + 1))))
    module().symbols[std::string(trimmed(text.substr(0, comma)))] = *value;
}

void Reader::directive(std::string_view text) {
  size_t end = std::min(text.find_first_of(" \t"), text.size());
  std::string_view name = text.substr(0, end);
  std::string_view rest = trimmed(text.substr(end));
  if (size_t note = rest.find(';'); note != std::string_view::npos)
    rest = trimmed(rest.substr(0, note));
  if (name == ".amdgcn_target") {
    if (!kernels.empty() && !module().target.empty())
      newModule();
    module().target = chipIn(rest);
    if (origin.empty())
      origin = "clang -S";
  } else if (name == ".text") {
    section(name);
  } else if (name == ".section") {
    section(rest);
  } else if (name == ".type") {
    if (rest.ends_with("@function"))
      functions.emplace(trimmed(rest.substr(0, rest.rfind(','))));
  } else if (name == ".amdhsa_kernel") {
    described = rest;
    module().descriptors[described];
  } else if (name == ".end_amdhsa_kernel") {
    described.clear();
  } else if (name.starts_with(".amdhsa_") && !described.empty()) {
    if (auto value = integer(rest))
      module().descriptors[described][std::string(name.substr(8))] = *value;
  } else if (name == ".amdgpu_metadata") {
    inMetadata = true;
  } else if (name == ".set") {
    setSymbol(rest);
  } else if (name == ".file") {
    sourceFile(rest);
  } else if (name == ".loc") {
    sourcePlace(rest);
  }
}

void Reader::instruction(Line line) {
  ++out.instructionLines;
  if (line.kind == Line::Kind::Unread) {
    ++out.unreadLines;
    if (out.remarks.size() < 1000)
      out.remarks.push_back(
          {number, "not understood: " + line.instruction.text.substr(0, 200)});
    return;
  }
  if (!current)
    startKernel("fragment", std::nullopt);
  Kernel &kernel = current->kernel;
  Instruction &i = line.instruction;
  if (!current->based && line.address) {
    current->start = *line.address;
    current->based = true;
  }
  if (line.address && *line.address >= current->start) {
    i.address = *line.address - current->start;
  } else {
    kernel.addressed = false;
    i.address = kernel.code.size() * 4;
  }
  if (!line.symbol.empty() && line.symbol == kernel.name)
    i.target = line.symbolOffset;
  for (std::string &label : current->pending) {
    if (i.label.empty())
      i.label = label;
    kernel.labels.emplace(std::move(label), kernel.code.size());
  }
  current->pending.clear();
  i.line = number;
  i.source = place;
  current->returns |= (i.mnemonic.starts_with("s_setpc_b64") ||
                       i.mnemonic.starts_with("s_set_pc_i64")) &&
                      !i.operands.empty() && i.operands[0] == "s[30:31]";
  kernel.code.push_back(std::move(i));
}

void Reader::line(std::string_view text) {
  ++number;
  std::string_view body = trimmed(text);
  if (inMetadata || body.starts_with("amdhsa.kernels:")) {
    inMetadata = body != "..." && body != ".end_amdgpu_metadata";
    return module().metadata.line(text);
  }
  if (body.empty())
    return;
  if (body[0] == ';' || body.starts_with("//"))
    return comment(body);
  if (header(body) || label(body))
    return;
  if (body[0] == '.' && !body.starts_with(".long"))
    return directive(body);
  if (skipping)
    return;
  Line parsed = parseLine(body);
  if (parsed.kind != Line::Kind::Other)
    instruction(std::move(parsed));
}

void Reader::finishOne(Open &open) {
  Kernel &kernel = open.kernel;
  const Module &module = modules[open.module];
  describe(kernel, module);
  inferTarget(kernel);
  kernel.origin = origin;
  kernel.entry = module.descriptors.empty()
                     ? !open.returns
                     : module.descriptors.contains(kernel.name);
}

Listing Reader::finish() {
  size_t unresolved = 0;
  for (Open &open : kernels) {
    if (open.kernel.code.empty())
      continue;
    finishOne(open);
    unresolved += open.kernel.target.empty();
    out.kernels.push_back(std::move(open.kernel));
  }
  if (unresolved)
    out.remarks.push_back(
        {0, "the listing names no chip, and its opcodes are of every one"});
  return std::move(out);
}

Result<Listing> wf::explain::readAmdgcn(std::string_view text,
                                        std::string_view name) {
  Reader reader(name);
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    reader.line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  Listing listing = reader.finish();
  if (listing.kernels.empty())
    return Fault{"'" + std::string(name) + "' holds no AMD instruction",
                 "give the output of llvm-objdump -d, or of the compiler "
                 "with -S"};
  return listing;
}
