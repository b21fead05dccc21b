//===- SassContext.cpp - Handing out a SASS instruction's operands --------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Machine/Sass.h"

#include "Explain/Read/Lines.h"

#include <array>
#include <cmath>

using namespace wf::explain;

SassContext::SassContext(const Instruction &code, const SassOpcode &row, int sm,
                         Decoded &out)
    : code(code), row(row), sm(sm), out(out) {
  std::string_view rest = code.mnemonic;
  while (true) {
    const size_t dot = rest.find('.');
    if (dot == std::string_view::npos)
      break;
    rest.remove_prefix(dot + 1);
    suffixes.push_back(rest.substr(0, rest.find('.')));
  }
  operands.reserve(code.operands.size());
  for (const std::string &operand : code.operands)
    operands.push_back(parseSassOperand(operand, sm));
}

bool SassContext::suffix(std::string_view name) const {
  for (std::string_view suffix : suffixes)
    if (suffix == name)
      return true;
  return false;
}

Effect SassContext::effect(Op op, Type type) const {
  Effect effect;
  effect.op = op;
  effect.type = type;
  effect.detail = row.detail;
  effect.flushes = suffix("FTZ") || suffix("FMZ");
  effect.saturates = suffix("SAT");
  return effect;
}

std::optional<Def> SassContext::takeDef(unsigned words) {
  if (!more())
    return std::nullopt;
  const SassOperand &operand = operands[next++];
  if (!operand.isRegister())
    return std::nullopt;
  const bool predicate = operand.kind == SassOperand::Kind::Predicate;
  return Def{operand.source.reg, static_cast<uint8_t>(predicate ? 1 : words)};
}

Source SassContext::take(Type type) {
  if (!more())
    return immediate(0);
  const SassOperand &operand = operands[next++];
  Source source = operand.source;
  if (source.kind == Source::Kind::Register &&
      operand.kind == SassOperand::Kind::Value && source.part.empty())
    source.count =
        static_cast<uint8_t>(std::max<unsigned>(source.count, wordsOf(type)));
  else if (source.kind == Source::Kind::Parameter ||
           source.kind == Source::Kind::Constant)
    source.count = static_cast<uint8_t>(wordsOf(type));
  // "0x3f800000" shows bits, "1" and "-0" a number.
  if (operand.hex && isFloat(type))
    source.number = floatOfBits(static_cast<uint64_t>(source.imm), type);
  return typed(std::move(source), type);
}

Source SassContext::takePredicate() {
  if (!more())
    return trueSource();
  return operands[next++].source;
}

Source SassContext::takeHalves(Type type) {
  const auto isNumber = [&](const SassOperand *operand) {
    return operand && operand->kind == SassOperand::Kind::Value &&
           !operand->hex &&
           (operand->source.kind == Source::Kind::Immediate ||
            operand->source.kind == Source::Kind::Float);
  };
  const auto printed = [](const SassOperand *operand) {
    return operand->text.find('R') == std::string_view::npos; // not RZ
  };
  if (!isNumber(peek()) || !printed(peek()) || !isNumber(peek(1)) ||
      !printed(peek(1)))
    return take(type);
  const auto bits = [&](const Source &source) -> uint32_t {
    if (type != Type::BF16x2)
      return halfBits(source.number);
    uint32_t word = 0;
    const float value = static_cast<float>(source.number);
    static_assert(sizeof word == sizeof value);
    __builtin_memcpy(&word, &value, sizeof word);
    return word >> 16;
  };
  const uint32_t high = bits(operands[next].source);
  const uint32_t low = bits(operands[next + 1].source);
  next += 2;
  return immediate(static_cast<int64_t>(high << 16 | low));
}

Type SassContext::integerType(Type fallback) const {
  static constexpr std::pair<std::string_view, Type> names[] = {
      {"U32", Type::U32}, {"S32", Type::S32}, {"U64", Type::U64},
      {"S64", Type::S64}, {"U16", Type::U16}, {"S16", Type::S16},
      {"U8", Type::U8},   {"S8", Type::S8}};
  for (std::string_view suffix : suffixes) {
    for (const auto &[name, type] : names)
      if (name == suffix)
        return type;
    if (suffix == "64")
      return fallback == Type::U32 || fallback == Type::B32 ? Type::U64
                                                            : Type::S64;
  }
  return fallback;
}

Type SassContext::accessType() const {
  static constexpr std::pair<std::string_view, Type> names[] = {
      {"U8", Type::U8},     {"S8", Type::S8},    {"U16", Type::U16},
      {"S16", Type::S16},   {"32", Type::B32},   {"64", Type::B64},
      {"96", Type::B96},    {"128", Type::B128}, {"256", Type::B256},
      {"ENL2", Type::B256}, {"B64", Type::B64},  {"B128", Type::B128}};
  Type found = Type::B32;
  for (std::string_view suffix : suffixes)
    for (const auto &[name, type] : names)
      if (name == suffix)
        found = type;
  return found;
}

bool wf::explain::isZero(const Source &source) {
  return source.kind == Source::Kind::Immediate && source.imm == 0;
}

bool wf::explain::isTrue(const Source &source) {
  return source.kind == Source::Kind::True && !source.invert;
}

Source wf::explain::immediate(int64_t value) {
  Source source;
  source.kind = Source::Kind::Immediate;
  source.imm = value;
  source.number = static_cast<double>(value);
  return source;
}

Source wf::explain::trueSource(bool value) {
  Source source;
  source.kind = Source::Kind::True;
  source.invert = !value;
  return source;
}

Source wf::explain::typed(Source source, Type type) {
  if (!isFloat(type) || source.kind != Source::Kind::Immediate)
    return source;
  if (type == Type::F16x2 || type == Type::BF16x2 || type == Type::F32x2)
    return source;
  source.kind = Source::Kind::Float;
  return source;
}

SassCompare wf::explain::compareOf(const SassContext &context) {
  struct Row {
    std::string_view name;
    Cmp cmp;
    bool unordered;
  };
  static constexpr Row rows[] = {
      {"LT", Cmp::Lt, false},       {"EQ", Cmp::Eq, false},
      {"LE", Cmp::Le, false},       {"GT", Cmp::Gt, false},
      {"NE", Cmp::Ne, false},       {"GE", Cmp::Ge, false},
      {"LTU", Cmp::Lt, true},       {"EQU", Cmp::Eq, true},
      {"LEU", Cmp::Le, true},       {"GTU", Cmp::Gt, true},
      {"NEU", Cmp::Ne, true},       {"GEU", Cmp::Ge, true},
      {"LO", Cmp::Lt, false},       {"LS", Cmp::Le, false},
      {"HI", Cmp::Gt, false},       {"HS", Cmp::Ge, false},
      {"NUM", Cmp::Ordered, false}, {"NAN", Cmp::Unordered, true},
      {"T", Cmp::True, false},      {"F", Cmp::False, false}};
  for (std::string_view suffix : context.suffixes)
    for (const Row &row : rows)
      if (row.name == suffix)
        return {row.cmp, row.unordered};
  return {};
}

namespace {

struct LutRow {
  uint8_t lut;
  std::string_view text;
};
// The tables of short expressions; a is 0xf0, b is 0xcc, c is 0xaa.
constexpr LutRow luts[] = {{0x00, "0"},
                           {0xff, "-1"},
                           {0xf0, "a"},
                           {0xcc, "b"},
                           {0xaa, "c"},
                           {0x0f, "~a"},
                           {0x33, "~b"},
                           {0x55, "~c"},
                           {0xc0, "a & b"},
                           {0xa0, "a & c"},
                           {0x88, "b & c"},
                           {0xfc, "a | b"},
                           {0xfa, "a | c"},
                           {0xee, "b | c"},
                           {0x3c, "a ^ b"},
                           {0x5a, "a ^ c"},
                           {0x66, "b ^ c"},
                           {0x30, "a & ~b"},
                           {0x0c, "~a & b"},
                           {0x50, "a & ~c"},
                           {0x0a, "~a & c"},
                           {0x44, "b & ~c"},
                           {0x22, "~b & c"},
                           {0x3f, "~(a & b)"},
                           {0x03, "~(a | b)"},
                           {0xc3, "~(a ^ b)"},
                           {0xcf, "~a | b"},
                           {0xf3, "a | ~b"},
                           {0x80, "a & b & c"},
                           {0xfe, "a | b | c"},
                           {0x96, "a ^ b ^ c"},
                           {0xf8, "a | (b & c)"},
                           {0xea, "(a & b) | c"},
                           {0xec, "(a & c) | b"},
                           {0xa8, "(a | b) & c"},
                           {0xc8, "(a | c) & b"},
                           {0xe0, "a & (b | c)"},
                           {0xe8, "majority of a, b, c"},
                           {0xca, "a ? b : c"},
                           {0xac, "a ? c : b"},
                           {0xb8, "b ? c : a"},
                           {0xd8, "c ? b : a"},
                           {0xe2, "b ? a : c"},
                           {0xe4, "c ? a : b"},
                           {0x78, "a ^ (b & c)"},
                           {0x6a, "(a & b) ^ c"},
                           {0x6c, "(a & c) ^ b"},
                           {0x1e, "a ^ (b | c)"},
                           {0x28, "(a ^ b) & c"},
                           {0x48, "(a ^ c) & b"},
                           {0x60, "a & (b ^ c)"},
                           {0xbe, "(a ^ b) | c"},
                           {0xf6, "a | (b ^ c)"},
                           {0xde, "(a ^ c) | b"},
                           {0x01, "~(a | b | c)"},
                           {0x7f, "~(a & b & c)"},
                           {0x69, "~(a ^ b ^ c)"},
                           {0xf2, "a | (~b & c)"},
                           {0xf4, "a | (b & ~c)"},
                           {0x40, "a & b & ~c"},
                           {0x20, "a & ~b & c"},
                           {0x08, "~a & b & c"},
                           {0x10, "a & ~b & ~c"},
                           {0x04, "~a & b & ~c"},
                           {0x02, "~a & ~b & c"}};

} // namespace

std::string wf::explain::lutExpression(uint8_t lut) {
  for (const LutRow &row : luts)
    if (row.lut == lut)
      return std::string(row.text);
  std::string out; // as a sum of its cases
  for (int i = 7; i >= 0; --i) {
    if (!(lut >> i & 1))
      continue;
    out.append(out.empty() ? "(" : " | (")
        .append(i & 4 ? "a" : "~a")
        .append(i & 2 ? " & b" : " & ~b")
        .append(i & 1 ? " & c)" : " & ~c)");
  }
  return out;
}
