//===- SassOperand.cpp - SASS operands ------------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Machine/SassOperand.h"

#include "Explain/Read/Lines.h"

#include <charconv>
#include <limits>

using namespace wf::explain;

namespace {

using Kind = SassOperand::Kind;

struct RegisterFile {
  std::string_view prefix, zero; ///< "UR", "URZ"
  RegClass cls;
  Kind kind;
};

constexpr RegisterFile files[] = {
    {"UR", "URZ", RegClass::Uniform, Kind::Value},
    {"R", "RZ", RegClass::Vector, Kind::Value},
    {"UP", "UPT", RegClass::UniformPredicate, Kind::Predicate},
    {"P", "PT", RegClass::Predicate, Kind::Predicate},
    {"B", "", RegClass::Barrier, Kind::Barrier}};

bool startsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

/// Takes a register or its zero off the front of `text`.
bool takeRegister(std::string_view &text, SassOperand &out) {
  for (const RegisterFile &file : files) {
    if (!file.zero.empty() && startsWith(text, file.zero) &&
        (text.size() == file.zero.size() || !isWord(text[file.zero.size()]))) {
      text.remove_prefix(file.zero.size());
      out.kind = file.kind;
      out.source.kind = file.kind == Kind::Predicate ? Source::Kind::True
                                                     : Source::Kind::Immediate;
      return true;
    }
    if (!startsWith(text, file.prefix) || text.size() == file.prefix.size() ||
        !isDigit(text[file.prefix.size()]))
      continue;
    std::string_view rest = text.substr(file.prefix.size());
    const auto index = takeNumber(rest, 10);
    if (!index || *index > 1023 || (!rest.empty() && isWord(rest.front())))
      return false;
    text = rest;
    out.kind = file.kind;
    out.source.kind = Source::Kind::Register;
    out.source.reg = {file.cls, static_cast<uint32_t>(*index)};
    return true;
  }
  if (startsWith(text, "pt")) { // sm_20
    text.remove_prefix(2);
    out.kind = Kind::Predicate;
    out.source.kind = Source::Kind::True;
    return true;
  }
  return false;
}

/// ".reuse", ".H0_H0", ".64", ".X4", ".CC" after a register.
void takeSuffixes(std::string_view &text, SassOperand &out) {
  while (!text.empty() && text.front() == '.') {
    size_t end = 1;
    while (end < text.size() && isWord(text[end]))
      ++end;
    const std::string_view suffix = text.substr(1, end - 1);
    text.remove_prefix(end);
    if (suffix == "64") {
      out.paired = true;
      out.source.count = 2;
    } else if (suffix == "U32") {
      out.unsized = true;
    } else if (suffix == "CC") {
      out.carryOut = true;
    } else if (suffix == "H0_H0" || suffix == "H0") {
      out.source.part = "h0";
    } else if (suffix == "H1_H1" || suffix == "H1") {
      out.source.part = "h1";
    } else if (suffix.size() == 2 && suffix[0] == 'B' && isDigit(suffix[1])) {
      out.source.part = std::string("b") + suffix[1];
    } else if (suffix.size() > 1 && suffix[0] == 'X') {
      std::string_view digits = suffix.substr(1);
      if (const auto scale = takeNumber(digits, 10);
          scale && *scale > 0 && *scale <= 64)
        out.source.scale = static_cast<uint32_t>(*scale);
    }
  }
}

/// "0x1f", "3", "-0x30", "0.5", "+INF", "-QNAN".
bool number(std::string_view text, bool negative, SassOperand &out) {
  text = trimmed(text);
  if (text.empty())
    return false;
  out.kind = Kind::Value;
  Source &source = out.source;
  if (const auto whole = wholeNumber(text); whole && isDigit(text.front())) {
    out.hex = text.size() > 1 && (text[1] == 'x' || text[1] == 'X');
    source.kind = Source::Kind::Immediate;
    source.imm = negative ? static_cast<int64_t>(0 - uint64_t(*whole)) : *whole;
    // Printed as a decimal it may be a float without a fraction: -0 is one.
    source.number =
        negative ? -static_cast<double>(*whole) : static_cast<double>(*whole);
    return true;
  }
  double value = 0;
  if (text == "INF") {
    value = std::numeric_limits<double>::infinity();
  } else if (text == "QNAN" || text == "SNAN" || text == "NAN") {
    value = std::numeric_limits<double>::quiet_NaN();
  } else {
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc::result_out_of_range)
      value = 0; // a denormal that double has not, or a malformed huge one
    else if (error != std::errc() || end != text.data() + text.size() ||
             (!isDigit(text.front()) && text.front() != '.'))
      return false;
  }
  source.kind = Source::Kind::Float;
  source.number = negative ? -value : value;
  return true;
}

/// One part in brackets, taken off the front of `text`.
std::optional<std::string_view> takeBracket(std::string_view &text) {
  if (text.empty() || text.front() != '[')
    return std::nullopt;
  const size_t end = text.find(']');
  if (end == std::string_view::npos)
    return std::nullopt;
  const std::string_view inside = text.substr(1, end - 1);
  text.remove_prefix(end + 1);
  return inside;
}

/// The inside of an address: registers and numbers, added.
bool address(std::string_view inside, SassOperand &out) {
  out.kind = Kind::Address;
  while (!inside.empty()) {
    if (inside.front() == '+') {
      inside.remove_prefix(1);
      continue;
    }
    size_t end = 1;
    while (end < inside.size() && inside[end] != '+' &&
           !(inside[end] == '-' && inside[end - 1] != '+'))
      ++end;
    std::string_view part = inside.substr(0, end);
    inside.remove_prefix(end);
    SassOperand term;
    if (const auto value = wholeNumber(part)) {
      out.offset += *value;
      continue;
    }
    if (!takeRegister(part, term) || term.kind != Kind::Value)
      return false;
    takeSuffixes(part, term);
    if (term.source.kind != Source::Kind::Register)
      continue; // RZ
    const bool vector = term.source.reg.cls == RegClass::Vector;
    if (vector) {
      out.paired = term.paired;
      out.unsized = term.unsized;
    }
    (vector ? out.base : out.uniform) = term.source;
  }
  return true;
}

/// "c[0x0][0x160]", "c[0x2][R0]", "cx[UR4][0x8]", after the c.
bool constant(std::string_view text, int sm, SassOperand &out) {
  const bool indirect = text.front() == 'x';
  if (indirect)
    text.remove_prefix(1);
  const auto bank = takeBracket(text), offset = takeBracket(text);
  if (!bank || !offset)
    return false;
  if (!address(*offset, out))
    return false;
  out.kind = Kind::Value;
  const auto number = wholeNumber(*bank);
  if (!number || *number < 0 || *number > 63) {
    // The bank is behind a pointer in uniform registers.
    std::string_view name = *bank;
    SassOperand pointer;
    if (!takeRegister(name, pointer))
      return false;
    out.source.kind = Source::Kind::Constant;
    out.source.imm = out.offset;
    out.source.name = "c[" + std::string(*bank) + "]";
    pointer.source.count = 2;
    out.descriptor = pointer.source;
  } else if (out.base || out.uniform) {
    out.source.kind = Source::Kind::Constant;
    out.source.bank = static_cast<uint32_t>(*number);
    out.source.imm = out.offset;
  } else {
    out.source = sassConstant(static_cast<uint32_t>(*number), out.offset, sm);
  }
  takeSuffixes(text, out);
  return true;
}

/// Without signs and bars.
void bare(std::string_view text, bool negative, int sm, SassOperand &out) {
  if (startsWith(text, "SR")) {
    const bool zero = text == "SRZ";
    out.kind = zero ? Kind::Value : Kind::Special;
    if (!zero) {
      out.source.kind = Source::Kind::Special;
      out.source.name = sassSpecialName(text);
    }
    return;
  }
  if (text.front() == '`' || has(text, "@")) {
    out.kind = Kind::Symbol;
    out.source.kind = Source::Kind::Symbol;
    const size_t open = text.find('('), close = text.rfind(')');
    out.source.name = open != text.npos && close != text.npos && open < close
                          ? text.substr(open + 1, close - open - 1)
                          : text;
    return;
  }
  if (std::string_view rest = text; takeRegister(rest, out)) {
    takeSuffixes(rest, out);
    if (!rest.empty() && rest.front() == '|')
      takeSuffixes(rest = rest.substr(1), out);
    return;
  }
  if ((startsWith(text, "c[") || startsWith(text, "cx[")) &&
      constant(text.substr(1), sm, out))
    return;
  if (text.front() == '[') {
    if (auto inside = takeBracket(text); inside && address(*inside, out))
      return;
  } else if (const size_t bracket = text.find('[');
             bracket != text.npos && bracket > 0) {
    // desc[UR8][R2.64], gdesc[UR4], tmem[UR6+0x10]
    std::string_view rest = text.substr(bracket);
    const auto first = takeBracket(rest);
    SassOperand descriptor;
    if (first && address(*first, descriptor)) {
      const auto second = takeBracket(rest);
      out.kind = Kind::Address;
      if (second && !address(*second, out))
        out.kind = Kind::Other;
      out.descriptor =
          descriptor.uniform ? descriptor.uniform : descriptor.base;
      if (!second)
        out.offset = descriptor.offset;
      if (out.descriptor)
        out.descriptor->count = 2;
      return;
    }
  }
  out.source = {};
  if (!number(text, negative, out))
    out.kind = Kind::Other;
}

} // namespace

bool SassOperand::isZero() const {
  return kind == Kind::Value && source.kind == Source::Kind::Immediate &&
         source.imm == 0 && !source.invert;
}

SassOperand wf::explain::parseSassOperand(std::string_view text, int sm) {
  SassOperand out;
  out.text = text;
  bool negative = false, inverted = false, absolute = false;
  for (; !text.empty(); text.remove_prefix(1)) {
    const char c = text.front();
    if (c == '-')
      negative = !negative;
    else if (c == '!' || c == '~')
      inverted = !inverted;
    else if (c == '|')
      absolute = true;
    else if (c != '+')
      break;
  }
  std::string plain; // |R4|.reuse: the closing bar is inside
  if (absolute) {
    for (char c : text)
      if (c != '|')
        plain += c;
    text = plain;
  }
  if (text.empty())
    return out;
  bare(text, negative, sm, out);
  Source &source = out.source;
  source.invert = inverted;
  source.absolute = absolute;
  if (source.kind == Source::Kind::Float ||
      source.kind == Source::Kind::Immediate) {
    // Signs of numbers are folded; -RZ of a float keeps its sign.
    if (absolute) {
      source.number = source.number < 0 ? -source.number : source.number;
      source.absolute = false;
    }
    if (negative && source.kind == Source::Kind::Immediate && source.imm == 0)
      source.number = -0.0;
    if (inverted && out.kind == Kind::Value) {
      source.imm = ~source.imm;
      source.invert = false;
    }
  } else {
    source.negate = negative;
  }
  return out;
}
