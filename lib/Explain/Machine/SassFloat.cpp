//===- SassFloat.cpp - Floats, conversions, matrices of SASS --------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Machine/Sass.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>

using namespace wf::explain;

namespace {

/// .RM, .RP, .RZ: the rounding, where it is not to nearest.
std::string roundingOf(const SassContext &c) {
  for (std::string_view suffix : c.suffixes)
    if (suffix == "RM" || suffix == "RP" || suffix == "RZ")
      return std::string(suffix);
  return {};
}

bool isNegativeZero(const Source &source) {
  return source.kind == Source::Kind::Float && source.number == 0 &&
         std::signbit(source.number);
}

struct TypeRow {
  std::string_view name;
  Type type;
};
constexpr TypeRow floats[] = {{"F16", Type::F16},        {"F32", Type::F32},
                              {"F64", Type::F64},        {"BF16", Type::BF16},
                              {"BF16_V2", Type::BF16x2}, {"F16x2", Type::F16x2},
                              {"TF32", Type::F32}};
constexpr TypeRow integers[] = {{"U8", Type::U8},   {"S8", Type::S8},
                                {"U16", Type::U16}, {"S16", Type::S16},
                                {"U32", Type::U32}, {"S32", Type::S32},
                                {"U64", Type::U64}, {"S64", Type::S64}};

/// The `which`-th suffix that names a type of a table.
Type typeAmong(const SassContext &c, const TypeRow *rows, size_t count,
               Type fallback, int which = 0) {
  for (std::string_view suffix : c.suffixes)
    for (size_t i = 0; i < count; ++i)
      if (rows[i].name == suffix && which-- == 0)
        return rows[i].type;
  return fallback;
}

Type floatAmong(const SassContext &c, Type fallback, int which = 0) {
  return typeAmong(c, floats, std::size(floats), fallback, which);
}
Type integerAmong(const SassContext &c, Type fallback, int which = 0) {
  return typeAmong(c, integers, std::size(integers), fallback, which);
}

std::string constantInWords(int64_t bits) {
  char text[96];
  const auto value = std::bit_cast<float>(static_cast<uint32_t>(bits));
  std::snprintf(text, sizeof text,
                "constant 0x%x (%g as a float), made by the half pipe",
                static_cast<uint32_t>(bits), static_cast<double>(value));
  return text;
}

} // namespace

void sass::floating(SassContext &c) {
  const Type type = c.row.type;
  Effect effect = c.effect(c.row.op, type);
  effect.def = c.takeDef(wordsOf(type));
  while (c.more() && !c.peekPredicate())
    effect.in.push_back(c.take(type));
  if (effect.detail.empty())
    effect.detail = roundingOf(c);
  // x + -0 is x: a negation, an absolute value, or a flush.
  if (effect.op == Op::Add && effect.in.size() == 2) {
    const bool second = isNegativeZero(effect.in[1]);
    if (second || isNegativeZero(effect.in[0])) {
      effect.in = {effect.in[second ? 0 : 1]};
      effect.op = Op::Move;
      c.mean(effect.in[0].negate ? "negate, as an add of -0"
                                 : "move, as an add of -0");
    }
  }
  c.push(std::move(effect));
}

void sass::floatCheck(SassContext &c) {
  Effect effect = c.effect(Op::ClassTest, Type::F32);
  effect.def = c.takeDef();
  while (c.more())
    effect.in.push_back(c.take(Type::F32));
  effect.detail = "divide";
  c.push(std::move(effect));
}

void sass::mufu(SassContext &c) {
  struct Row {
    std::string_view suffix;
    Op op;
    std::string_view meaning;
  };
  static constexpr Row rows[] = {
      {"RCP", Op::Rcp, "reciprocal, approximate"},
      {"RSQ", Op::Rsqrt, "reciprocal square root, approximate"},
      {"SQRT", Op::Sqrt, "square root, approximate"},
      {"EX2", Op::Exp2, "2 to the power, approximate"},
      {"LG2", Op::Log2, "logarithm to base 2, approximate"},
      {"SIN", Op::Sin, "sine, approximate"},
      {"COS", Op::Cos, "cosine, approximate"},
      {"TANH", Op::Tanh, "hyperbolic tangent, approximate"},
      {"RCP64H", Op::Rcp, "reciprocal of a double, its upper word"},
      {"RSQ64H", Op::Rsqrt,
       "reciprocal square root of a double, its upper word"}};
  Effect effect = c.effect(Op::Unknown, Type::F32);
  for (const Row &row : rows)
    if (c.suffix(row.suffix)) {
      effect.op = row.op;
      if (row.suffix.size() > 5)
        effect.detail = row.suffix;
      c.mean(row.meaning);
    }
  if (c.suffix("F16"))
    effect.type = Type::F16;
  effect.def = c.takeDef();
  effect.in = {c.take(Type::F32)};
  c.push(std::move(effect));
}

/// HADD2, HMUL2, HFMA2. -RZ * RZ + (hi, lo) is the way to a constant; HADD2.F32
/// with -RZ turns a half into a float.
void sass::halves(SassContext &c) {
  const Type type =
      c.suffix("BF16_V2") || c.suffix("BF16") ? Type::BF16x2 : Type::F16x2;
  Effect effect = c.effect(c.row.op, type);
  effect.def = c.takeDef();
  while (c.more() && !c.peekPredicate())
    effect.in.push_back(c.takeHalves(type));
  const auto isPlainZero = [](const Source &source) { return isZero(source); };
  if (effect.op == Op::Fma && effect.in.size() == 3 &&
      isPlainZero(effect.in[0]) && isPlainZero(effect.in[1]) &&
      effect.in[2].kind == Source::Kind::Immediate) {
    effect.op = Op::Move;
    effect.type = Type::B32;
    effect.in = {immediate(effect.in[2].imm)};
    effect.flushes = false;
    c.mean(constantInWords(effect.in[0].imm));
  } else if (effect.op == Op::Add && effect.in.size() == 2 && c.suffix("F32")) {
    effect.op = Op::Convert;
    effect.from = type == Type::BF16x2 ? Type::BF16 : Type::F16;
    effect.type = Type::F32;
    if (isPlainZero(effect.in[0]))
      effect.in.erase(effect.in.begin());
    else if (isPlainZero(effect.in[1]))
      effect.in.pop_back();
    else
      effect.op = Op::Add;
    c.mean(effect.op == Op::Convert ? "half to float" : "add halves as floats");
  }
  c.push(std::move(effect));
}

void sass::convert(SassContext &c) {
  const std::string_view name = c.row.name;
  Effect effect = c.effect(Op::Convert, c.row.type);
  if (name == "F2F" || name == "FRND") {
    effect.type = floatAmong(c, Type::F32);
    effect.from = floatAmong(c, effect.type, 1);
  } else if (name == "F2I") {
    effect.type = integerAmong(c, Type::S32);
    effect.from = floatAmong(c, Type::F32);
  } else if (name == "I2I") {
    effect.type = integerAmong(c, Type::S32);
    effect.from = integerAmong(c, Type::S32, 1);
  } else {
    effect.type = floatAmong(c, Type::F32);
    effect.from = integerAmong(c, Type::S32);
  }
  effect.def = c.takeDef(wordsOf(effect.type));
  effect.in = {c.take(effect.from)};
  struct Row {
    std::string_view suffix;
    Op op;
    std::string_view meaning;
  };
  static constexpr Row rows[] = {{"FLOOR", Op::Floor, "round down"},
                                 {"CEIL", Op::Ceil, "round up"},
                                 {"TRUNC", Op::Trunc, "round towards zero"},
                                 {"ROUND", Op::Round, "round to nearest"}};
  for (const Row &row : rows)
    if (c.suffix(row.suffix)) {
      if (name == "FRND" || (name == "F2F" && effect.type == effect.from)) {
        effect.op = row.op;
        c.mean(row.meaning);
      } else {
        effect.detail = row.suffix;
      }
    }
  if (name == "FRND" && effect.op == Op::Convert)
    effect.op = Op::Round;
  if (const std::string rounding = roundingOf(c);
      !rounding.empty() && effect.detail.empty())
    effect.detail = rounding;
  c.push(std::move(effect));
}

/// F2FP.F16.F32.PACK_AB R, high, low; with a zero above it is one conversion.
void sass::pack(SassContext &c) {
  Effect effect = c.effect(Op::Pack, c.row.type);
  if (c.row.name == "F2FP") {
    const bool brain = c.suffix("BF16");
    effect.type = brain ? Type::BF16x2 : Type::F16x2;
    effect.from = Type::F32;
  }
  effect.def = c.takeDef();
  while (c.more() && !c.peekPredicate())
    effect.in.push_back(c.take());
  if (c.row.name == "F2FP" && effect.in.size() == 2 && isZero(effect.in[0])) {
    effect.op = Op::Convert;
    effect.type = effect.type == Type::BF16x2 ? Type::BF16 : Type::F16;
    effect.in.erase(effect.in.begin());
    c.mean(effect.type == Type::BF16 ? "float to bfloat16" : "float to half");
  }
  c.push(std::move(effect));
}

namespace {

/// Registers of a lane's fragments; `wide`: the accumulator's of 32 bits.
struct ShapeRow {
  std::string_view opcode, shape;
  uint8_t a, b, wide;
};
constexpr ShapeRow shapes[] = {
    {"HMMA", "884", 2, 2, 8},    {"HMMA", "1688", 2, 1, 4},
    {"HMMA", "16816", 4, 2, 4},  {"IMMA", "8816", 1, 1, 2},
    {"IMMA", "8832", 1, 1, 2},   {"IMMA", "16816", 2, 1, 4},
    {"IMMA", "16832", 4, 2, 4},  {"IMMA", "16864", 4, 2, 4},
    {"BMMA", "88128", 1, 1, 2},  {"BMMA", "168128", 2, 1, 4},
    {"BMMA", "168256", 4, 2, 4}, {"DMMA", "884", 2, 2, 4},
    {"DMMA", "1688", 4, 2, 8},   {"DMMA", "16816", 8, 4, 8},
    {"QMMA", "16832", 4, 2, 4},  {"OMMA", "16864", 4, 2, 4},
    {"QMMA", "16816", 2, 1, 4}};

/// The N of "64x8x16".
unsigned columnsOf(std::string_view shape) {
  const size_t x = shape.find('x');
  unsigned columns = 0;
  if (x == std::string_view::npos)
    return 0;
  for (size_t i = x + 1;
       i < shape.size() && shape[i] >= '0' && shape[i] <= '9' && columns < 1000;
       ++i)
    columns = columns * 10 + static_cast<unsigned>(shape[i] - '0');
  return columns;
}

} // namespace

void sass::matrix(SassContext &c) {
  const std::string_view name = c.row.name;
  const bool half = !c.suffix("F32") && c.row.type == Type::F16;
  Effect effect = c.effect(Op::Matrix, half ? Type::F16 : c.row.type);
  if (c.suffix("F32"))
    effect.type = Type::F32;
  unsigned a = 1, b = 1, wide = 1;
  for (std::string_view suffix : c.suffixes) {
    for (const ShapeRow &row : shapes)
      if (row.opcode == name && row.shape == suffix) {
        a = row.a;
        b = row.b;
        wide = half ? row.wide / 2u : row.wide;
        effect.detail = suffix;
      }
    // A warp group's 128 lanes share 64 rows of N.
    if (const unsigned columns = columnsOf(suffix); columns > 0) {
      wide = std::clamp(half ? columns / 4 : columns / 2, 1u, 255u);
      a = 4;
      effect.detail = suffix;
    }
  }
  effect.def = c.takeDef(wide);
  const bool group = name.size() == 5 && name.substr(1) == "GMMA";
  // A warp group's accumulator is named once, and read too.
  if (group && effect.def) {
    Source accumulator;
    accumulator.kind = Source::Kind::Register;
    accumulator.reg = effect.def->reg;
    accumulator.count = effect.def->count;
    effect.in.push_back(accumulator);
  }
  const unsigned counts[] = {a, b, wide};
  size_t place = 0;
  for (; c.more(); ++c.next) {
    const SassOperand &operand = c.operands[c.next];
    if (operand.descriptor)
      effect.in.push_back(*operand.descriptor);
    if (operand.kind != SassOperand::Kind::Value &&
        operand.kind != SassOperand::Kind::Predicate)
      continue;
    Source source = operand.source;
    if (operand.isRegister() && operand.kind == SassOperand::Kind::Value &&
        place < 3)
      source.count = static_cast<uint8_t>(counts[place]);
    ++place;
    effect.in.push_back(std::move(source));
  }
  c.push(std::move(effect));
}
