//===- Words.cpp - Places, counts and lists as prose writes them ----------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Write/Words.h"

#include <algorithm>
#include <array>
#include <cctype>

using namespace wf::explain;

std::string words::hex(uint64_t value) {
  std::string digits;
  do {
    digits.insert(digits.begin(), "0123456789abcdef"[value & 15]);
    value >>= 4;
  } while (value);
  return "0x" + std::string(digits.size() < 4 ? 4 - digits.size() : 0, '0') +
         digits;
}

/// PTX and a compiler's .s have no addresses; their lines are their places.
static bool hasAddresses(const Kernel &k) {
  return k.isa != Isa::Ptx && k.addressed;
}

std::string words::at(const Report &r, size_t instruction) {
  const Kernel &k = r.kernel();
  if (instruction >= k.code.size())
    return "the end";
  const Instruction &i = k.code[instruction];
  return hasAddresses(k) ? hex(i.address) : "line " + std::to_string(i.line);
}

std::string words::at(const Report &r, const std::vector<size_t> &instructions,
                      size_t most) {
  std::vector<std::string> parts;
  size_t shown = std::min(instructions.size(), most);
  if (instructions.size() == most + 1)
    shown = most + 1; // "and one more" is longer than naming it
  for (size_t n = 0; n < shown; ++n)
    parts.push_back(at(r, instructions[n]));
  if (shown < instructions.size())
    parts.push_back(number(instructions.size() - shown) + " more");
  return listed(parts);
}

std::string words::line(const Report &r, size_t instruction) {
  const Kernel &k = r.kernel();
  if (instruction >= k.code.size())
    return "";
  const Instruction &i = k.code[instruction];
  if (k.isa == Isa::Sass) {
    std::string digits = hex(i.address).substr(2);
    return "/*" + digits + "*/ " + i.text + " ;";
  }
  if (!hasAddresses(k))
    return std::to_string(i.line) + ": " + i.text;
  return hex(i.address) + ": " + i.text;
}

std::string words::fenced(const std::vector<std::string> &lines,
                          std::string_view language) {
  // A fence longer than any run of backticks within.
  size_t longest = 0;
  for (const std::string &line : lines) {
    size_t run = 0;
    for (char c : line) {
      run = c == '`' ? run + 1 : 0;
      longest = std::max(longest, run);
    }
  }
  std::string fence(std::max<size_t>(3, longest + 1), '`');
  std::string out = fence + std::string(language) + "\n";
  for (const std::string &line : lines)
    out += line + "\n";
  return out + fence + "\n";
}

std::string words::fenced(const Report &r,
                          const std::vector<size_t> &instructions) {
  std::vector<std::string> lines;
  for (size_t i : instructions)
    lines.push_back(line(r, i));
  return fenced(lines);
}

std::string words::number(size_t n) {
  static const std::array<const char *, 13> names = {
      "no",    "one",   "two",  "three", "four",   "five",  "six",
      "seven", "eight", "nine", "ten",   "eleven", "twelve"};
  return n < names.size() ? names[n] : std::to_string(n);
}

std::string words::plural(std::string_view noun) {
  std::string text(noun);
  if (text.empty())
    return text;
  auto ends = [&](std::string_view end) { return text.ends_with(end); };
  if (ends("fe"))
    return text.substr(0, text.size() - 2) + "ves";
  if (ends("s") || ends("x") || ends("ch") || ends("sh"))
    return text + "es";
  if (ends("y") && text.size() > 1 &&
      std::string_view("aeiou").find(text[text.size() - 2]) ==
          std::string_view::npos)
    return text.substr(0, text.size() - 1) + "ies";
  return text + "s";
}

std::string words::counted(size_t n, std::string_view noun) {
  if (n == 1)
    return number(n) + " " + std::string(noun);
  // "load of a constant" → "loads of a constant".
  size_t head = noun.size();
  for (std::string_view after :
       {" of ", " that ", " whose ", " to ", " with ", " without ", ","})
    head = std::min(head, noun.find(after));
  return number(n) + " " + plural(noun.substr(0, head)) +
         std::string(noun.substr(head));
}

std::string words::listed(const std::vector<std::string> &parts,
                          std::string_view last) {
  std::string out;
  for (size_t n = 0; n < parts.size(); ++n) {
    if (n)
      out += n + 1 == parts.size() ? " " + std::string(last) + " " : ", ";
    out += parts[n];
  }
  return out;
}

std::string words::capital(std::string text) {
  // The name of a chip, a register or an array stays as it is.
  std::string_view word = std::string_view(text).substr(0, text.find(' '));
  if (word.find_first_of("_[(.0123456789=") != std::string_view::npos)
    return text;
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
    text[0] = char(text[0] - 'a' + 'A');
  return text;
}

std::string words::sentence(std::string text) {
  if (text.empty())
    return text;
  text = capital(std::move(text));
  char end = text.back();
  return end == '.' || end == '!' || end == '?' || end == ':' ? text
                                                              : text + ".";
}

std::string words::cell(std::string_view text) {
  std::string out;
  for (char c : text)
    if (c == '|')
      out += "\\|";
    else
      out += c == '\n' || c == '\r' ? ' ' : c;
  return out;
}

std::string words::marked(std::string_view text) {
  auto inName = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_' || c == '+' || c == '.';
  };
  std::string out;
  size_t name = 0; // where the word before `i` starts in `out`
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '`') // marked already
      return std::string(text);
    if (text[i] == '[' && name < out.size()) {
      size_t end = i;
      int depth = 0;
      for (; end < text.size(); ++end) {
        depth += text[end] == '[';
        depth -= text[end] == ']';
        if (depth == 0)
          break;
      }
      if (end < text.size()) {
        out = out.substr(0, name) + "`" + out.substr(name) +
              std::string(text.substr(i, end + 1 - i)) + "`";
        i = end;
        name = out.size();
        continue;
      }
    }
    out += text[i];
    if (!inName(text[i]))
      name = out.size();
  }
  return out;
}

std::string words::code(std::string_view text) {
  if (text.find('`') == std::string_view::npos)
    return "`" + std::string(text) + "`";
  return "`` " + std::string(text) + " ``";
}

std::string words::shortName(const Kernel &k) {
  std::string name = demangled(k.name);
  // "void f<float>(float const*)" → "f<float>"; of a name that is not a
  // function's nothing is cut.
  size_t depth = 0, end = name.size();
  for (size_t n = 0; n < name.size(); ++n) {
    depth += name[n] == '<';
    depth -= name[n] == '>' && depth > 0;
    if (name[n] == '(' && depth == 0 && n > 0) {
      end = n;
      break;
    }
  }
  name.resize(end);
  depth = 0;
  for (size_t n = name.size(); n-- > 0;) {
    depth += name[n] == '>';
    depth -= name[n] == '<' && depth > 0;
    if (name[n] == ' ' && depth == 0 && n + 1 < name.size())
      return name.substr(n + 1);
  }
  return name;
}

std::string words::opcode(const Kernel &k, size_t instruction) {
  const std::string &whole = k.code[instruction].mnemonic;
  if (k.isa != Isa::Sass)
    return whole;
  size_t dot = whole.find('.');
  if (dot == std::string::npos)
    return whole;
  std::string base = whole.substr(0, dot);
  if (base != "BAR" && base != "MUFU" && base != "SHFL" && base != "REDUX")
    return base;
  size_t second = whole.find('.', dot + 1);
  return whole.substr(0, second);
}

std::string_view words::isaName(Isa isa) {
  switch (isa) {
  case Isa::Sass:
    return "NVIDIA machine code (SASS)";
  case Isa::Amdgcn:
    return "AMD machine code (AMDGCN)";
  case Isa::Ptx:
    return "PTX";
  }
  return "";
}

std::string_view words::typeName(Type type) {
  switch (type) {
  case Type::None:
    return "";
  case Type::Pred:
    return "bool";
  case Type::U8:
    return "uint8_t";
  case Type::S8:
    return "int8_t";
  case Type::U16:
    return "uint16_t";
  case Type::S16:
    return "int16_t";
  case Type::B8:
    return "8 bits";
  case Type::B16:
    return "16 bits";
  case Type::B32:
    return "32 bits";
  case Type::B64:
    return "64 bits";
  case Type::B96:
    return "96 bits";
  case Type::B128:
    return "128 bits";
  case Type::B256:
    return "256 bits";
  case Type::U32:
    return "unsigned";
  case Type::S32:
    return "int";
  case Type::U64:
    return "uint64_t";
  case Type::S64:
    return "int64_t";
  case Type::F16:
    return "half";
  case Type::F16x2:
    return "half2";
  case Type::BF16:
    return "bfloat16";
  case Type::BF16x2:
    return "bfloat162";
  case Type::F32:
    return "float";
  case Type::F32x2:
    return "float2";
  case Type::F64:
    return "double";
  }
  return "";
}

std::string_view words::memoryName(Space space) {
  switch (space) {
  case Space::Global:
    return "global memory";
  case Space::Shared:
    return "shared memory";
  case Space::Local:
    return "local memory";
  case Space::Constant:
    return "constant memory";
  case Space::Generic:
    return "memory of a space not known";
  case Space::Parameter:
    return "the parameters";
  case Space::Cluster:
    return "another block's shared memory";
  case Space::Texture:
    return "a texture";
  case Space::None:
    break;
  }
  return "memory";
}

std::vector<size_t> words::sorted(std::vector<size_t> instructions) {
  std::sort(instructions.begin(), instructions.end());
  instructions.erase(std::unique(instructions.begin(), instructions.end()),
                     instructions.end());
  return instructions;
}

std::vector<size_t> words::living(const Report &r) {
  const Analysis &a = r.analysis;
  std::vector<size_t> out;
  for (size_t i = 0; i < a.program.code.size(); ++i) {
    bool reachable = i >= a.blockOf.size() || a.blockOf[i] >= a.blocks.size() ||
                     a.blocks[a.blockOf[i]].reachable;
    if (reachable && !a.program.code[i].never)
      out.push_back(i);
  }
  return out;
}
