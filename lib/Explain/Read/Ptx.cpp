//===- Ptx.cpp - Reads PTX ------------------------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Read/PtxDeclare.h"
#include "Explain/Read/PtxScan.h"

#include "Explain/Read/Listing.h"

#include <algorithm>
#include <set>

using namespace wf::explain;
using namespace wf::explain::ptx;

namespace {
struct Branch {
  size_t instruction;
  size_t scope;
};

class Reader {
public:
  Reader(std::string_view text, std::string_view name)
      : text(text), scanner(text), fileName(name) {}
  Result<Listing> read();

private:
  std::string_view text;
  Scanner scanner;
  std::string_view fileName;
  Listing listing;
  std::string target, origin;
  std::map<std::string, std::string> files; ///< .file's number → path
  std::vector<Declared> module;             ///< variables outside of functions
  size_t named = 0; ///< kernels before this one have their files' names

  // The function being read.
  Kernel kernel;
  SourceLine source;
  std::vector<size_t> parents; ///< scope → its parent
  size_t scope = 0;
  std::map<std::pair<size_t, std::string>, size_t> scoped;
  std::vector<Branch> branches;
  std::map<std::string, std::vector<std::string>> tables; ///< .branchtargets
  std::vector<std::pair<size_t, std::string>>
      pending; ///< labels, scoped, before the next instruction

  void remark(uint32_t line, std::string said);
  void nameFiles();
  void moduleStatement(const Statement &s);
  void directive(const Statement &s, bool inFunction);
  void function(const Statement &header);
  void nameParameters();
  void body();
  void declaration(const Statement &s);
  void instruction(const Statement &s);
  void finish();
  void resolveBranches();
  void sharedBytes();
};
} // namespace

void Reader::remark(uint32_t line, std::string said) {
  listing.remarks.push_back({line, std::move(said)});
}

void Reader::directive(const Statement &s, bool inFunction) {
  auto product = [&] {
    uint64_t threads = 1;
    for (const std::string &w : s.words)
      threads *= std::min<uint64_t>(number(w), 1u << 16);
    return static_cast<uint32_t>(threads);
  };
  if (s.text == ".target" && !s.words.empty()) {
    target = s.words[0];
  } else if (s.text == ".version") {
    nameFiles();
    module.clear();
  } else if (s.text == ".file" && s.words.size() >= 2) {
    files[s.words[0]] = s.words[1];
  } else if (s.text == ".loc" && s.words.size() >= 3) {
    source.file = s.words[0]; // LLVM prints the table of files at the end
    source.line = static_cast<uint32_t>(number(s.words[1]));
  } else if (inFunction && (s.text == ".maxntid" || s.text == ".reqntid")) {
    kernel.resources.maxThreads = product();
  }
}

/// Turns the module's file numbers into paths.
void Reader::nameFiles() {
  for (; named < listing.kernels.size(); ++named)
    for (Instruction &i : listing.kernels[named].code) {
      auto file = files.find(i.source.file);
      if (file != files.end())
        i.source.file = file->second;
      else if (!i.source.file.empty())
        i.source.file = "file " + i.source.file;
    }
  files.clear();
}

void Reader::moduleStatement(const Statement &s) {
  Declared d = declared(s.text);
  if (d.space == "shared" || d.space == "const" || d.space == "global")
    module.push_back(std::move(d));
}

/// Within the parentheses that start at text[open]; `close` is set behind it.
static std::string_view parenthesised(std::string_view text, size_t open,
                                      size_t &close) {
  int depth = 0;
  for (size_t i = open; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0) {
      close = i + 1;
      return text.substr(open + 1, i - open - 1);
    }
  }
  close = text.size();
  return text.substr(open + 1);
}

void Reader::function(const Statement &header) {
  kernel = Kernel();
  kernel.isa = Isa::Ptx;
  kernel.target = target;
  kernel.origin = origin;
  kernel.line = header.line;
  kernel.entry = header.text.find(".entry") != std::string::npos;
  std::string_view rest = header.text;
  size_t keyword = rest.find(kernel.entry ? ".entry" : ".func");
  size_t at = keyword + (kernel.entry ? 6 : 5);
  auto blanks = [&] {
    while (at < rest.size() && rest[at] == ' ')
      ++at;
  };
  blanks();
  if (at < rest.size() && rest[at] == '(') { // what a function returns
    size_t close = at;
    parenthesised(rest, at, close);
    at = close;
    blanks();
  }
  size_t start = at;
  while (at < rest.size() && isIdentifier(rest[at]))
    ++at;
  kernel.name = std::string(rest.substr(start, at - start));
  blanks();
  uint64_t offset = 0;
  if (at < rest.size() && rest[at] == '(') {
    size_t close = at;
    for (const std::string &p : splitOperands(parenthesised(rest, at, close))) {
      Declared d = declared(p);
      if (d.name.empty() || d.space != "param")
        continue;
      uint64_t size = std::min<uint64_t>(d.bytes(), 1u << 16);
      // A pointer's .align is that of what it points at.
      uint64_t align = std::max<uint64_t>(
          1, d.pointer || d.align == 0 ? bytesOfType(d.type) : d.align);
      offset = (offset + align - 1) / align * align;
      kernel.parameters.push_back({d.name, cType(d),
                                   static_cast<uint32_t>(offset),
                                   static_cast<uint32_t>(size)});
      offset += size;
    }
    at = close;
  }
  nameParameters();
  // A declaration has no body; so has a header that the text cuts.
  if (!header.complete || !header.words.empty())
    return;
  // Directives between a header and its body are part of its text.
  Scanner tail(rest.substr(std::min(at, rest.size())));
  for (Statement s = tail.next(false); s.kind != Statement::Kind::End;
       s = tail.next(false))
    if (s.kind == Statement::Kind::Directive)
      directive(s, true);
  scanner.next(true); // the brace
  body();
  finish();
}

/// "name_param_0" is the compiler's. As of machine code it is arg0 then, with
/// the types that a mangled name tells.
void Reader::nameParameters() {
  std::vector<Parameter> told = parametersOfName(kernel.name);
  bool fits = told.size() == kernel.parameters.size();
  for (size_t i = 0; fits && i < told.size(); ++i)
    fits = told[i].offset == kernel.parameters[i].offset &&
           told[i].bytes == kernel.parameters[i].bytes;
  for (size_t i = 0; i < kernel.parameters.size(); ++i) {
    Parameter &p = kernel.parameters[i];
    kernel.declarations.push_back({p.name, "argument", p.type, 0, p.offset});
    if (p.name == kernel.name + "_param_" + std::to_string(i))
      p.name = "arg" + std::to_string(i);
    if (fits)
      p.type = told[i].type;
  }
}

void Reader::body() {
  parents = {0};
  scope = 0;
  source = {};
  scoped.clear();
  branches.clear();
  tables.clear();
  pending.clear();
  while (true) {
    Statement s = scanner.next(true);
    switch (s.kind) {
    case Statement::Kind::End:
      remark(s.line, "the text ends within " + kernel.name);
      return;
    case Statement::Kind::Open:
      parents.push_back(scope);
      scope = parents.size() - 1;
      break;
    case Statement::Kind::Close:
      if (scope == 0)
        return;
      scope = parents[scope];
      break;
    case Statement::Kind::Label:
      pending.emplace_back(scope, s.text);
      break;
    case Statement::Kind::Directive:
      directive(s, true);
      break;
    case Statement::Kind::Header:
      remark(s.line, "a function within a function: a brace is missing");
      break;
    case Statement::Kind::Other:
      if (s.text.empty())
        break; // a comment, or a stray slash
      if (s.text[0] == '.')
        declaration(s);
      else
        instruction(s);
      break;
    }
  }
}

void Reader::declaration(const Statement &s) {
  if (s.text.rfind(".branchtargets", 0) == 0) {
    if (!pending.empty())
      tables[pending.back().second] = splitOperands(
          std::string_view(s.text).substr(sizeof(".branchtargets") - 1));
    return;
  }
  if (s.text.rfind(".callprototype", 0) == 0 || s.text.rfind(".pragma", 0) == 0)
    return;
  // One declaration may name several: ".reg .pred p, q".
  std::string first;
  for (const std::string &part : splitOperands(s.text)) {
    Declared d = declared(first.empty() ? part : first + " " + part);
    if (first.empty()) {
      size_t name = part.rfind(' ');
      first = part.substr(0, name == std::string::npos ? 0 : name);
    }
    if (d.space == "local" && kernel.entry)
      kernel.resources.stackBytes =
          kernel.resources.stackBytes.value_or(0) +
          static_cast<uint32_t>(std::min<uint64_t>(d.bytes(), 1u << 20));
    kernel.declarations.push_back(
        {d.name, d.space, d.type, d.range, d.space == "reg" ? 0 : d.bytes()});
  }
}

void Reader::instruction(const Statement &s) {
  ++listing.instructionLines;
  Instruction i;
  i.line = s.line;
  i.source = source;
  i.address = kernel.code.size();
  std::string_view rest = s.text;
  if (rest[0] == '@') {
    rest.remove_prefix(1);
    while (!rest.empty() && (rest[0] == ' ' || rest[0] == '!')) {
      i.guardNegated = i.guardNegated || rest[0] == '!';
      rest.remove_prefix(1);
    }
    size_t end = 0;
    while (end < rest.size() && isIdentifier(rest[end]))
      ++end;
    i.guard = std::string(rest.substr(0, end));
    rest.remove_prefix(end);
    while (!rest.empty() && rest[0] == ' ')
      rest.remove_prefix(1);
  }
  size_t end = 0;
  while (end < rest.size() && (isIdentifier(rest[end]) || rest[end] == ':'))
    ++end;
  i.mnemonic = std::string(rest.substr(0, end));
  bool named = end > 0 && i.mnemonic[0] >= 'a' && i.mnemonic[0] <= 'z';
  for (const std::string &operand : splitOperands(rest.substr(end)))
    i.operands.push_back(tightened(operand));
  if (!i.guard.empty())
    i.text = (i.guardNegated ? "@!" : "@") + i.guard + " ";
  i.text += i.mnemonic;
  for (size_t k = 0; k < i.operands.size(); ++k)
    i.text += (k ? ", " : " ") + i.operands[k];
  if (!named || !s.complete) {
    ++listing.unreadLines;
    remark(s.line, (s.complete ? "not an instruction of PTX: "
                               : "an instruction without its semicolon: ") +
                       s.text.substr(0, 80));
    if (!named)
      return;
  }
  for (auto &label : pending) {
    kernel.labels.emplace(label.second, kernel.code.size());
    i.label = label.second;
    scoped.emplace(std::move(label), kernel.code.size());
  }
  pending.clear();
  if (i.mnemonic.rfind("br", 0) == 0 && i.mnemonic != "brkpt" &&
      i.mnemonic.rfind("brev", 0) != 0)
    branches.push_back({kernel.code.size(), scope});
  kernel.code.push_back(std::move(i));
}

/// A label of an inner scope hides one of an outer scope.
void Reader::resolveBranches() {
  auto find = [&](size_t from,
                  const std::string &label) -> std::optional<uint64_t> {
    for (int depth = 0; depth < 64; ++depth) {
      auto found = scoped.find({from, label});
      if (found != scoped.end())
        return found->second;
      if (from == 0)
        break;
      from = parents[from];
    }
    return std::nullopt;
  };
  for (const Branch &b : branches) {
    Instruction &i = kernel.code[b.instruction];
    if (i.operands.empty())
      continue;
    if (i.mnemonic.rfind("brx", 0) == 0) {
      auto table = tables.find(i.operands.back());
      if (table != tables.end())
        for (const std::string &label : table->second)
          if (auto to = find(b.scope, label))
            i.targets.push_back(*to);
    } else {
      i.target = find(b.scope, i.operands[0]);
    }
  }
}

/// Adds what the code names of the module's shared variables.
void Reader::sharedBytes() {
  uint64_t bytes = 0;
  for (const Declaration &d : kernel.declarations)
    if (d.space == "shared")
      bytes += d.bytes;
  std::set<std::string, std::less<>> words;
  for (const Instruction &i : kernel.code)
    for (const std::string &operand : i.operands) {
      size_t at = 0;
      while (at < operand.size()) {
        size_t end = at;
        while (end < operand.size() && isIdentifier(operand[end]))
          ++end;
        if (end > at && operand[at] != '%' &&
            (operand[at] < '0' || operand[at] > '9'))
          words.emplace(operand.substr(at, end - at));
        at = end + 1;
      }
    }
  for (const Declared &d : module)
    if (words.count(d.name)) {
      bytes += d.space == "shared" ? d.bytes() : 0;
      kernel.declarations.push_back(
          {d.name, d.space, d.type, 0, d.external ? 0 : d.bytes()});
    }
  kernel.resources.sharedBytes =
      static_cast<uint32_t>(std::min<uint64_t>(bytes, UINT32_MAX));
}

void Reader::finish() {
  resolveBranches();
  sharedBytes();
  listing.kernels.push_back(std::move(kernel));
}

Result<Listing> Reader::read() {
  if (text.find("Generated by NVIDIA NVVM Compiler") != std::string_view::npos)
    origin = "nvcc -ptx";
  else if (text.find("Generated by LLVM NVPTX") != std::string_view::npos)
    origin = "LLVM's NVPTX backend";
  else
    origin = "PTX";
  for (Statement s = scanner.next(false); s.kind != Statement::Kind::End;
       s = scanner.next(false)) {
    if (s.kind == Statement::Kind::Header)
      function(s);
    else if (s.kind == Statement::Kind::Directive)
      directive(s, false);
    else if (s.kind == Statement::Kind::Other)
      moduleStatement(s);
  }
  nameFiles();
  if (listing.kernels.empty())
    return Fault{"no PTX kernel in " + std::string(fileName),
                 "PTX has a '.visible .entry name(…)' with a body in braces"};
  return std::move(listing);
}

Result<Listing> wf::explain::readPtx(std::string_view text,
                                     std::string_view name) {
  auto listing = Reader(text, name).read();
  if (listing)
    return listing;
  std::string kernel = fragmentAsKernel(text);
  if (kernel.empty())
    return listing;
  auto fragment = Reader(kernel, name).read();
  if (fragment)
    fragment->remarks.push_back(
        {1, "no .entry is around these instructions: they are read as one "
            "fragment, whose registers and parameters are not declared"});
  return fragment;
}
