//===- Sass.cpp - What cuobjdump and nvdisasm print, and what is pasted ---===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// One reader for every form: both tools print instructions alike and differ in
// what stands around them. Listings are concatenated, cut and pasted, so that
// any line may follow any other.
//===----------------------------------------------------------------------===//
#include "Explain/Read/Lines.h"
#include "Explain/Read/SassKernel.h"
#include "Explain/Read/SassResources.h"

#include <algorithm>
#include <cstdio>

using namespace wf::explain;

namespace {

/// What follows `prefix` at the front of `text`.
std::optional<std::string_view> after(std::string_view text,
                                      std::string_view prefix) {
  if (text.substr(0, prefix.size()) != prefix)
    return std::nullopt;
  return trimmed(text.substr(prefix.size()));
}

/// Between the first pair of quotes.
std::string_view quoted(std::string_view text) {
  const size_t start = text.find('"');
  if (start == std::string_view::npos)
    return {};
  text.remove_prefix(start + 1);
  return text.substr(0, text.find('"'));
}

/// "EF_CUDA_SM86" among the header's flags. Other flags, and numbers that an
/// older tool could not name, say nothing.
std::string targetOfFlags(std::string_view flags) {
  constexpr std::string_view word = "EF_CUDA_SM";
  for (size_t at = flags.find(word); at != std::string_view::npos;
       at = flags.find(word, at + 1)) {
    std::string_view rest = flags.substr(at + word.size());
    if (auto number = takeNumber(rest, 10))
      return "sm_" + std::to_string(*number) +
             (has(flags, "EF_CUDA_ACCELERATORS") ? "a" : "");
  }
  return {};
}

class SassReader {
public:
  SassReader(std::string_view text, std::string_view name)
      : text(text), name(name) {
    const Format format = recognise(text);
    pasted = format != Format::CuobjdumpSass && format != Format::Nvdisasm;
  }

  Result<Listing> run();

private:
  std::string_view text, name;
  bool pasted = false;
  Listing listing;
  SassResources resources;
  std::optional<SassKernel> current;
  std::string target;      ///< of the image that is read
  std::string sectionName; ///< of the header before a section
  bool inImage = false;    ///< after "code for", before its first function
  bool inPtx = false;      ///< cuobjdump prints PTX too where asked
  bool chained = false;    ///< the last line named a place that was inlined
  uint32_t imageLine = 0, number = 0;
  std::string undecodable; ///< "SM120"
  /// Lines quoted again since the last new one: another kernel's start, where
  /// it turns out that another kernel began.
  std::vector<std::pair<SassLine, uint32_t>> quotedAgain;

  void remark(std::string words) {
    listing.remarks.push_back({number, std::move(words)});
  }
  void endKernel();
  void endImage();
  void beginKernel(std::string_view kernelName, std::string origin);
  bool header(std::string_view line);
  bool directive(std::string_view line);
  bool annotation(std::string_view line);
  void code(SassLine line);
  void quote(SassLine line);
  void other(std::string_view plain);
  bool hasAddresses() const;
  std::string nameOfPasted(std::vector<Parameter> &parameters) const;
  void remarkGaps(const Kernel &kernel);
  Result<Listing> finish();
};

void SassReader::endKernel() {
  if (current && !current->empty())
    listing.kernels.push_back(current->finish(target));
  else if (current && !current->kernel.name.empty())
    remark("kernel " + current->kernel.name + " has no instructions");
  current.reset();
  quotedAgain.clear();
}

void SassReader::endImage() {
  endKernel();
  if (inImage) {
    number = std::max(number, imageLine);
    listing.remarks.push_back(
        {imageLine, "no kernels in this image for " +
                        (target.empty() ? "an unknown SM" : target) +
                        ": a stub for device linking, or code that the tool "
                        "could not unpack"});
  }
  inImage = false;
}

void SassReader::beginKernel(std::string_view kernelName, std::string origin) {
  endKernel();
  inImage = inPtx = false;
  current.emplace(std::string(kernelName), number);
  current->kernel.origin = std::move(origin);
  current->kernel.target = target;
}

/// What stands between images and functions.
bool SassReader::header(std::string_view line) {
  if (after(line, "Fatbin elf code") || after(line, "Fatbin ptx code")) {
    endImage();
    inPtx = line.substr(7, 3) == "ptx";
    target.clear();
    return true;
  }
  if (auto arch = after(line, "arch = ")) {
    target = targetIn(*arch);
    return true;
  }
  if (auto arch = after(line, "code for ")) {
    endImage();
    target = targetIn(*arch);
    inImage = true;
    imageLine = number;
    return true;
  }
  if (auto function = after(line, "Function :")) {
    beginKernel(*function, "cuobjdump -sass");
    return true;
  }
  if (line.substr(0, 10) == "..........") {
    endKernel();
    return true;
  }
  if (line.substr(0, 14) == "//------------") {
    endKernel();
    line.remove_prefix(std::min(line.size(), line.find_first_not_of("/- ")));
    sectionName = trimmed(line.substr(0, line.find(" --")));
    return true;
  }
  const size_t cannot = line.find("Cannot decode architecture");
  if (cannot != std::string_view::npos) {
    undecodable = line.substr(cannot + 26);
    undecodable.erase(std::remove_if(undecodable.begin(), undecodable.end(),
                                     [](char c) { return !isWord(c); }),
                      undecodable.end());
    remark("the disassembler could not decode architecture " + undecodable);
    return true;
  }
  return false;
}

/// Assembler directives of nvdisasm, and of cuobjdump the first three.
bool SassReader::directive(std::string_view line) {
  if (line.empty() || line.front() != '.' || line.back() == ':')
    return false;
  if (auto arch = after(line, ".target")) {
    endKernel(); // it heads another image
    target = targetIn(*arch);
  } else if (auto flags = after(line, ".headerflags")) {
    const std::string found = targetOfFlags(*flags);
    // nvdisasm begins with this line, and no other names the SM; of cuobjdump
    // it follows the function's name, and "code for" names the SM more surely.
    const bool begins = !current || current->kernel.origin == "nvdisasm -c";
    if (begins) {
      endKernel();
      target.clear();
    }
    if (!found.empty() && (target.empty() || found == target + "a"))
      target = found;
    if (current)
      current->kernel.target = target;
  } else if (auto section = after(line, ".section");
             section && line.size() > 8 && isBlank(line[8])) {
    if (auto function = after(*section, ".text."))
      beginKernel(function->substr(0, function->find(",\"")), "nvdisasm -c");
    else
      endKernel();
    resources.section(*section);
  } else if (auto other = after(line, ".other"); other && current) {
    const bool own =
        other->substr(0, current->kernel.name.size()) == current->kernel.name;
    if (own && !has(*other, "STO_CUDA_ENTRY"))
      current->kernel.entry = false;
  } else if (current) {
    resources.directive(line, current->kernel.resources);
  }
  resources.data(line);
  return true;
}

/// "//## File "k.cu", line 23", perhaps "inlined at …".
bool SassReader::annotation(std::string_view line) {
  if (line.substr(0, 9) != "//## File")
    return false;
  if (!current)
    return true;
  const std::string_view file = quoted(line);
  const size_t at = line.find("line ");
  std::string_view digits =
      at == std::string_view::npos ? std::string_view() : line.substr(at + 5);
  const auto value = takeNumber(digits, 10);
  if (!value)
    return true;
  const auto place = static_cast<uint32_t>(std::min<uint64_t>(*value, ~0u));
  if (has(file, ".nv_debug_ptx_txt")) {
    current->ptxLine = place;
    return true;
  }
  // After "a.h, line 3 inlined at k.cu, line 9" comes k.cu's own line: the
  // innermost place is the instruction's.
  if (!chained)
    current->source = {std::string(file), place};
  chained = has(line, "inlined at");
  return true;
}

void SassReader::code(SassLine line) {
  chained = false;
  ++listing.instructionLines;
  if (line.kind == SassLine::Kind::Unreadable) {
    ++listing.unreadLines;
    remark("not an instruction: " + line.instruction.text);
  }
  if (pasted)
    return quote(std::move(line));
  if (!current) // a piece without its head
    beginKernel(sectionName.compare(0, 6, ".text.") == 0
                    ? std::string_view(sectionName).substr(6)
                    : std::string_view("unnamed"),
                "pasted");
  current->add(std::move(line), number);
}

void SassReader::quote(SassLine line) {
  if (!current)
    beginKernel("", "pasted");
  if (line.addressed && !current->empty() && quotedAgain.size() < 4096)
    quotedAgain.emplace_back(line, number);
  const size_t before = current->kernel.code.size();
  if (!current->addPasted(line, number)) {
    auto start = std::move(quotedAgain);
    beginKernel("", "pasted");
    for (auto &[again, place] : start)
      current->addPasted(again, place);
    quotedAgain.clear();
  } else if (current->kernel.code.size() != before) {
    quotedAgain.clear();
  }
}

/// Where some pasted lines have addresses, those without quote them again.
bool SassReader::hasAddresses() const {
  Lines lines(text);
  std::string_view line;
  while (lines.next(line))
    if (const SassLine read = readSassLine(line, true);
        read.addressed && read.kind == SassLine::Kind::Code)
      return true;
  return false;
}

/// A line without an instruction, that may be a label or a directive.
void SassReader::other(std::string_view plain) {
  // nvdisasm -plr draws the registers' lives after every line.
  for (std::string_view grid : {"// |", "// +"})
    plain = trimmed(plain.substr(0, plain.find(grid)));
  if (resources.note(plain) || directive(plain) || plain.size() < 2 ||
      plain.back() != ':' || plain.front() == '/')
    return;
  if (current && (!pasted || plain.substr(0, 2) == ".L"))
    current->addLabel(plain.substr(0, plain.size() - 1));
}

Result<Listing> SassReader::run() {
  const bool addressed = pasted && hasAddresses();
  Lines lines(text);
  std::string_view line;
  while (lines.next(line)) {
    number = lines.number();
    const std::string_view plain = trimmed(line);
    if (plain.empty() || annotation(plain) || header(plain) ||
        resources.usage(plain))
      continue;
    SassLine read = inPtx ? SassLine() : readSassLine(line, pasted);
    if (read.kind == SassLine::Kind::Encoding) {
      if (current)
        current->addWord(read.word);
    } else if (read.kind == SassLine::Kind::Other) {
      other(plain);
    } else if (read.addressed || !addressed) {
      code(std::move(read));
    }
  }
  endImage();
  return finish();
}

std::string SassReader::nameOfPasted(std::vector<Parameter> &parameters) const {
  // A note often quotes the source: its kernel's name is the best there is.
  const size_t at = text.find("__global__");
  if (at != std::string_view::npos) {
    std::string_view rest = text.substr(at, 4000);
    if (const size_t bounds = rest.find("__launch_bounds__");
        bounds != rest.npos && bounds < rest.find('('))
      rest.remove_prefix(std::min(rest.find(')', bounds), rest.size() - 1) + 1);
    const size_t open = std::min(rest.find('('), rest.size());
    const size_t close = rest.find(')', open);
    const std::string_view head = trimmed(rest.substr(0, open));
    size_t start = head.size();
    while (start > 0 && isWord(head[start - 1]))
      --start;
    if (start < head.size() && close != std::string_view::npos) {
      if (auto read = readParameters(rest.substr(open, close + 1 - open)))
        parameters = std::move(*read);
      return std::string(head.substr(start));
    }
  }
  const size_t slash = name.find_last_of("/\\");
  std::string_view stem =
      slash == std::string_view::npos ? name : name.substr(slash + 1);
  stem = stem.substr(0, stem.find('.'));
  return stem.empty() || stem == "-" ? "pasted" : std::string(stem);
}

/// Says what the addresses of a pasted kernel leave out.
void SassReader::remarkGaps(const Kernel &kernel) {
  const uint64_t step = smNumber(kernel.target) < 70 ? 8 : 16;
  uint64_t expected = 0;
  size_t missing = 0;
  std::string where;
  for (const Instruction &made : kernel.code) {
    if (step == 8 && expected % 32 == 0)
      expected += 8; // a control word's place
    if (made.address > expected) {
      missing += (made.address - expected) / step;
      char text[40];
      std::snprintf(text, sizeof text, "%s0x%04llx", where.empty() ? "" : ", ",
                    static_cast<unsigned long long>(expected));
      if (where.size() < 80)
        where += text;
    }
    expected = made.address + step;
  }
  if (missing == 0)
    return;
  listing.remarks.push_back(
      {kernel.line, "the pasted lines leave out " + std::to_string(missing) +
                        (missing == 1 ? " instruction" : " instructions") +
                        ", at " + where + "; what they write is not known"});
}

Result<Listing> SassReader::finish() {
  size_t unnamed = 0;
  for (Kernel &kernel : listing.kernels) {
    if (kernel.target.empty() || kernel.targetInferred) {
      const std::string_view hint = targetIn(name);
      if (!hint.empty()) {
        kernel.target = hint;
        kernel.targetInferred = false;
      }
    }
    if (!kernel.name.empty())
      continue;
    std::vector<Parameter> parameters;
    kernel.name = nameOfPasted(parameters);
    if (unnamed == 0)
      kernel.parameters = std::move(parameters);
    remarkGaps(kernel);
    if (unnamed++ > 0)
      kernel.name += "#" + std::to_string(unnamed);
  }
  resources.apply(listing.kernels);
  if (!listing.kernels.empty())
    return std::move(listing);
  const std::string file(name.empty() ? "the text" : name);
  if (!undecodable.empty())
    return Fault{file +
                     " holds only a message: the disassembler could not "
                     "decode architecture " +
                     undecodable,
                 "run cuobjdump or nvdisasm of a newer CUDA toolkit"};
  if (!listing.remarks.empty())
    return Fault{"no kernels in this image: " + listing.remarks.front().text,
                 "disassemble the linked program, or the object that holds "
                 "the kernel's own image"};
  return Fault{file + " has no SASS instructions",
               "print one with cuobjdump -sass or nvdisasm -c"};
}

} // namespace

Result<Listing> wf::explain::readSass(std::string_view text,
                                      std::string_view name) {
  return SassReader(text, name).run();
}
