//===- PtxDeclare.cpp - PTX's declarations --------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Read/PtxDeclare.h"

#include "Explain/Read/PtxScan.h"

#include <algorithm>
#include <charconv>

namespace wf::explain::ptx {

uint64_t number(std::string_view text) {
  uint64_t value = 0;
  int base = 10;
  if (text.substr(0, 2) == "0x") {
    text.remove_prefix(2);
    base = 16;
  }
  std::from_chars(text.data(), text.data() + text.size(), value, base);
  return value;
}

uint32_t bytesOfType(std::string_view type) {
  if (type == "pred")
    return 1;
  size_t digits = type.find_first_of("0123456789");
  if (digits == std::string_view::npos)
    return 0;
  uint64_t bits = number(type.substr(digits));
  return type.find("x2") != std::string_view::npos
             ? static_cast<uint32_t>(bits / 4)
             : static_cast<uint32_t>(bits / 8);
}

Declared declared(std::string_view statement) {
  Declared d;
  size_t at = 0;
  auto word = [&] {
    while (at < statement.size() && statement[at] == ' ')
      ++at;
    size_t start = at;
    while (at < statement.size() && isIdentifier(statement[at]))
      ++at;
    if (at == start && at < statement.size())
      ++at;
    return statement.substr(start, at - start);
  };
  while (at < statement.size()) {
    std::string_view w = word();
    if (w == ".align") {
      d.align = static_cast<uint32_t>(number(word()));
    } else if (w == ".ptr") {
      d.pointer = true;
    } else if (w == ".extern" || w == ".common") {
      d.external = true;
    } else if (w == ".attribute") {
      size_t close = statement.find(')', at);
      at = close == std::string_view::npos ? statement.size() : close + 1;
    } else if (!w.empty() && w[0] == '.') {
      w.remove_prefix(1);
      if (d.space.empty())
        d.space = w;
      else if (bytesOfType(w) != 0)
        d.type = w;
      else if (w.size() > 1 && w[0] == 'v' && bytesOfType(w) == 0)
        d.elements *= std::max<uint64_t>(1, number(w.substr(1)));
    } else if (w == "[") {
      while (at < statement.size() && statement[at] == ' ')
        ++at;
      d.elements *= number(statement.substr(at));
      size_t close = statement.find(']', at);
      at = close == std::string_view::npos ? statement.size() : close + 1;
    } else if (w == "<") {
      d.range = static_cast<uint32_t>(number(statement.substr(at)));
      break;
    } else if (w == "=") {
      break;
    } else if (!w.empty() && w != " " && d.name.empty()) {
      d.name = w;
    }
  }
  return d;
}

std::string cType(const Declared &d) {
  if (d.pointer)
    return "void *";
  if (d.elements != 1)
    return "struct";
  struct Name {
    std::string_view ptx, c;
  };
  static constexpr Name names[] = {
      {"u8", "unsigned char"},   {"s8", "signed char"}, {"b8", "char"},
      {"u16", "unsigned short"}, {"s16", "short"},      {"b16", "short"},
      {"u32", "unsigned"},       {"s32", "int"},        {"b32", "int"},
      {"u64", "unsigned long"},  {"s64", "long"},       {"b64", "long"},
      {"f16", "half"},           {"f32", "float"},      {"f64", "double"}};
  for (const Name &n : names)
    if (n.ptx == d.type)
      return std::string(n.c);
  return d.type;
}

} // namespace wf::explain::ptx
