//===- AmdgcnOperand.cpp - Registers and literals of AMD ------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Machine/Amdgcn.h"

#include "Explain/Read/AmdgcnLine.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>

using namespace wf::explain;
using namespace wf::explain::amdgcn;

namespace {
struct NamedRegister {
  std::string_view name;
  RegClass cls;
  uint32_t index;
  uint8_t count;
};
/// Those past 1000 of the scalar ones are no general registers.
constexpr NamedRegister namedRegisters[] = {
    {"vcc", RegClass::Flag, flags::vcc, 2},
    {"vcc_lo", RegClass::Flag, flags::vcc, 1},
    {"vcc_hi", RegClass::Flag, flags::vccHi, 1},
    {"exec", RegClass::Flag, flags::exec, 2},
    {"exec_lo", RegClass::Flag, flags::exec, 1},
    {"exec_hi", RegClass::Flag, flags::execHi, 1},
    {"scc", RegClass::Flag, flags::scc, 1},
    {"src_scc", RegClass::Flag, flags::scc, 1},
    {"m0", RegClass::Flag, flags::m0, 1},
    {"flat_scratch", RegClass::Uniform, 1100, 2},
    {"flat_scratch_lo", RegClass::Uniform, 1100, 1},
    {"flat_scratch_hi", RegClass::Uniform, 1101, 1},
    {"xnack_mask", RegClass::Uniform, 1102, 2},
    {"xnack_mask_lo", RegClass::Uniform, 1102, 1},
    {"xnack_mask_hi", RegClass::Uniform, 1103, 1}};

struct NamedType {
  std::string_view name;
  Type type;
};
constexpr NamedType namedTypes[] = {
    {"f16", Type::F16},   {"f32", Type::F32},   {"f64", Type::F64},
    {"bf16", Type::BF16}, {"u8", Type::U8},     {"i8", Type::S8},
    {"u16", Type::U16},   {"i16", Type::S16},   {"u32", Type::U32},
    {"i32", Type::S32},   {"u64", Type::U64},   {"i64", Type::S64},
    {"b8", Type::B8},     {"b16", Type::B16},   {"b32", Type::B32},
    {"b64", Type::B64},   {"b96", Type::B96},   {"b128", Type::B128},
    {"b256", Type::B256}, {"b512", Type::B256}, {"u24", Type::U32},
    {"i24", Type::S32},   {"iu8", Type::S8},    {"iu4", Type::S8},
    {"u4", Type::U8},     {"i4", Type::S8}};

constexpr std::string_view encodings[] = {"_e32",  "_e64", "_dpp", "_dpp8",
                                          "_sdwa", "_vi",  "_gfx9"};
} // namespace

Type amdgcn::typeNamed(std::string_view word) {
  for (const NamedType &row : namedTypes)
    if (row.name == word)
      return row.type;
  return Type::None;
}

Name amdgcn::nameOf(std::string_view mnemonic) {
  Name name;
  for (bool found = true; found;) {
    found = false;
    for (std::string_view encoding : encodings)
      if (mnemonic.ends_with(encoding)) {
        mnemonic.remove_suffix(encoding.size());
        name.dpp |= encoding.starts_with("_dpp");
        name.sdwa |= encoding == "_sdwa";
        found = true;
      }
  }
  if (mnemonic.starts_with("s_") || mnemonic.starts_with("v_")) {
    name.prefix = mnemonic[0];
    mnemonic.remove_prefix(2);
  }
  if (mnemonic.starts_with("dual_"))
    mnemonic.remove_prefix(5);
  else if (name.prefix == 'v' && mnemonic.starts_with("s_"))
    mnemonic.remove_prefix(2); // gfx12's transcendentals on scalars
  while (true) {
    size_t bar = mnemonic.rfind('_');
    if (bar == std::string_view::npos)
      break;
    Type type = typeNamed(mnemonic.substr(bar + 1));
    if (type == Type::None)
      break;
    name.from = name.type;
    name.type = type;
    mnemonic = mnemonic.substr(0, bar);
  }
  name.stem = mnemonic;
  return name;
}

/// "[2:3]" or "2" after a register file's letter.
static bool readRange(std::string_view text, uint32_t &first, unsigned &count) {
  std::string_view last;
  if (text.starts_with('[')) {
    if (!text.ends_with(']'))
      return false;
    text = text.substr(1, text.size() - 2);
    if (size_t colon = text.find(':'); colon != std::string_view::npos) {
      last = text.substr(colon + 1);
      text = text.substr(0, colon);
    }
  }
  auto low = integer(text);
  if (!low || *low < 0 || *low > 4095)
    return false;
  first = static_cast<uint32_t>(*low);
  count = 1;
  if (last.empty())
    return true;
  auto high = integer(last);
  if (!high || *high < *low || *high - *low > 63)
    return false;
  count = static_cast<unsigned>(*high - *low + 1);
  return true;
}

std::optional<Reg> amdgcn::registerNamed(std::string_view text, unsigned &count,
                                         std::string_view &part) {
  for (const NamedRegister &row : namedRegisters)
    if (row.name == text) {
      count = row.count;
      return Reg{row.cls, row.index};
    }
  part = {};
  if (text.ends_with(".l") || text.ends_with(".h")) {
    part = text.back() == 'l' ? "h0" : "h1";
    text.remove_suffix(2);
  }
  struct File {
    std::string_view name;
    RegClass cls;
    uint32_t base;
  };
  static constexpr File files[] = {{"v", RegClass::Vector, 0},
                                   {"s", RegClass::Uniform, 0},
                                   {"ttmp", RegClass::Uniform, 1000},
                                   {"acc", RegClass::Accumulator, 0},
                                   {"a", RegClass::Accumulator, 0}};
  for (const File &file : files) {
    uint32_t first = 0;
    if (text.starts_with(file.name) &&
        readRange(text.substr(file.name.size()), first, count))
      return Reg{file.cls, file.base + first};
  }
  // "[v0, v1, v2]": the first one and how many.
  if (text.starts_with('[') && text.ends_with(']') && text.size() > 2) {
    unsigned listed =
        1 + static_cast<unsigned>(std::count(text.begin(), text.end(), ','));
    std::string_view first = text.substr(1, text.find_first_of(",]") - 1);
    if (first.starts_with('['))
      return std::nullopt;
    auto reg = registerNamed(trimmed(first), count, part);
    count = std::min(listed, 32u);
    return reg;
  }
  return std::nullopt;
}

Source amdgcn::immediate(int64_t value) {
  Source s;
  s.kind = Source::Kind::Immediate;
  s.imm = value;
  return s;
}

Source amdgcn::flagSource(uint32_t flag, unsigned count) {
  Source s;
  s.kind = Source::Kind::Register;
  s.reg = {RegClass::Flag, flag};
  s.count = static_cast<uint8_t>(count);
  return s;
}

Def amdgcn::flagDef(uint32_t flag, unsigned count) {
  return {{RegClass::Flag, flag}, static_cast<uint8_t>(count)};
}

static double halfValue(uint16_t half) {
  int exponent = half >> 10 & 31;
  double fraction = half & 1023;
  double value =
      exponent == 0 ? fraction / 16777216.0 : (1024 + fraction) / 1024.0;
  for (int e = 15; exponent != 0 && e < exponent; ++e)
    value *= 2;
  for (int e = exponent; exponent != 0 && e < 15; ++e)
    value /= 2;
  return half & 0x8000 ? -value : value;
}

/// The number whose bits a literal gives: the whole of a float, the upper half
/// of a double.
static std::optional<double> numberOfBits(int64_t bits, Type type) {
  auto word = static_cast<uint32_t>(bits);
  switch (type) {
  case Type::F32:
  case Type::F32x2:
    return std::bit_cast<float>(word);
  case Type::F64:
    return std::bit_cast<double>(static_cast<uint64_t>(word) << 32);
  case Type::BF16:
    return std::bit_cast<float>(word << 16);
  case Type::F16:
    if ((word >> 10 & 31) == 31)
      return std::nullopt;
    return halfValue(static_cast<uint16_t>(word));
  default:
    return std::nullopt;
  }
}

static Source literalOf(std::string_view text, Type type) {
  Source s;
  if (auto value = integer(text)) {
    s = immediate(*value);
    if (!isFloat(type))
      return s;
    // 0 is zero of every type; other decimal integers are bits too.
    if (auto number = numberOfBits(*value, type)) {
      s.kind = Source::Kind::Float;
      s.number = *number;
    }
    return s;
  }
  double number = 0;
  const char *end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, number);
  if (!text.empty() && error == std::errc() && rest == end) {
    s.kind = Source::Kind::Float;
    s.number = number;
    s.imm = std::bit_cast<uint32_t>(static_cast<float>(number));
    return s;
  }
  s.kind = Source::Kind::Symbol;
  s.name = text;
  return s;
}

/// Takes "name(" … ")" off.
static bool unwrap(std::string_view &text, std::string_view name) {
  if (!text.starts_with(name) || text.size() <= name.size() + 1 ||
      text[name.size()] != '(' || !text.ends_with(')'))
    return false;
  text = text.substr(name.size() + 1, text.size() - name.size() - 2);
  return true;
}

Source amdgcn::sourceOf(std::string_view text, Type type) {
  bool negate = false, absolute = false;
  if (unwrap(text, "neg"))
    negate = true;
  if (text.size() > 1 && text[0] == '-' &&
      !(text[1] >= '0' && text[1] <= '9')) {
    negate = true;
    text.remove_prefix(1);
  }
  if (text.size() > 2 && text[0] == '|' && text.back() == '|') {
    absolute = true;
    text = text.substr(1, text.size() - 2);
  }
  absolute |= unwrap(text, "abs");
  unwrap(text, "sext");
  unwrap(text, "lit64");
  unwrap(text, "lit");
  unsigned count = 1;
  std::string_view part;
  Source s;
  if (auto reg = registerNamed(text, count, part)) {
    s.kind = Source::Kind::Register;
    s.reg = *reg;
    s.count = static_cast<uint8_t>(std::min(count, 64u));
    s.part = part;
  } else if (text == "null" || text == "off" || text.empty()) {
    s = immediate(0);
  } else if (text.starts_with("src_")) {
    s.kind = Source::Kind::Special;
    s.name = text.substr(4);
  } else if (text == "vccz" || text == "execz" || text.find('(') != text.npos) {
    s.kind = Source::Kind::Special;
    s.name = text;
  } else {
    s = literalOf(text, type);
  }
  s.negate = negate;
  s.absolute = absolute;
  return s;
}

Source Context::source(size_t i, Type type) const {
  return sourceOf(text(i), type);
}

std::optional<Def> Context::def(size_t i) const {
  unsigned count = 1;
  std::string_view part;
  auto reg = registerNamed(text(i), count, part);
  if (!reg)
    return std::nullopt;
  return Def{*reg, static_cast<uint8_t>(std::min(count, 64u))};
}

bool Context::has(std::string_view modifier) const {
  return std::find(instruction.modifiers.begin(), instruction.modifiers.end(),
                   modifier) != instruction.modifiers.end();
}

std::string_view Context::value(std::string_view key) const {
  for (std::string_view modifier : instruction.modifiers)
    if (modifier.size() > key.size() && modifier.starts_with(key) &&
        modifier[key.size()] == ':')
      return modifier.substr(key.size() + 1);
  return {};
}

int64_t Context::number(std::string_view key, int64_t otherwise) const {
  return integer(value(key)).value_or(otherwise);
}

Effect &Context::add(Op op, Type type) {
  Effect &effect = out.effects.emplace_back();
  effect.op = op;
  effect.type = type;
  return effect;
}
