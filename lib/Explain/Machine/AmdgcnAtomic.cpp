//===- AmdgcnAtomic.cpp - Atomic operations of AMD ------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Machine/Amdgcn.h"

#include "Explain/Read/AmdgcnLine.h"

#include <algorithm>

using namespace wf::explain;
using namespace wf::explain::amdgcn;

namespace {
/// The words of an atomic's name, without its type.
struct AtomicRow {
  std::string_view stem, kind;
  Type type; ///< where the name has none
};
constexpr AtomicRow rows[] = {
    {"add", "add", Type::U32},       {"add_noret", "add", Type::U32},
    {"sub", "sub", Type::U32},       {"rsub", "rsub", Type::U32},
    {"csub", "csub", Type::U32},     {"sub_clamp", "csub", Type::U32},
    {"cond_sub", "csub", Type::U32}, {"min", "min", Type::S32},
    {"max", "max", Type::S32},       {"smin", "min", Type::S32},
    {"smax", "max", Type::S32},      {"umin", "min", Type::U32},
    {"umax", "max", Type::U32},      {"fmin", "min", Type::F32},
    {"fmax", "max", Type::F32},      {"min_num", "min", Type::F32},
    {"max_num", "max", Type::F32},   {"and", "and", Type::B32},
    {"or", "or", Type::B32},         {"xor", "xor", Type::B32},
    {"mskor", "mskor", Type::B32},   {"inc", "inc", Type::U32},
    {"dec", "dec", Type::U32},       {"swap", "exch", Type::B32},
    {"wrxchg", "exch", Type::B32},   {"storexchg", "exch", Type::B32},
    {"cmpswap", "cas", Type::B32},   {"fcmpswap", "cas", Type::F32},
    {"cmpst", "cas", Type::B32},     {"cmpstore", "cas", Type::B32},
    {"pk_add", "add", Type::F16x2},  {"ordered_add", "add", Type::U64}};
} // namespace

static Type doubled(Type type) {
  switch (type) {
  case Type::U32:
    return Type::U64;
  case Type::S32:
    return Type::S64;
  case Type::F32:
    return Type::F64;
  default:
    return Type::B64;
  }
}

/// Splits "add_rtn_u32": the row, the type, and whether a result is named.
static const AtomicRow *rowOf(std::string_view name, Type &type, bool &rtn) {
  bool twice = name.ends_with("_x2");
  if (twice)
    name.remove_suffix(3);
  Type named = Type::None;
  if (size_t bar = name.rfind('_'); bar != std::string_view::npos) {
    named = typeNamed(name.substr(bar + 1));
    if (named != Type::None)
      name = name.substr(0, bar);
  }
  if (name.ends_with("_rtn")) {
    rtn = true;
    name.remove_suffix(4);
  }
  for (const AtomicRow &row : rows) {
    if (row.stem != name)
      continue;
    type = named != Type::None ? named : row.type;
    if (row.stem == "pk_add")
      type = type == Type::BF16 ? Type::BF16x2 : Type::F16x2;
    if (twice)
      type = doubled(type);
    return &row;
  }
  return nullptr;
}

/// A pair of registers that holds the new value, then the compared one.
static void splitPair(Memory &memory, unsigned words) {
  Source pair = *memory.data;
  if (pair.kind != Source::Kind::Register || pair.count < 2 * words)
    return;
  memory.data->count = static_cast<uint8_t>(words);
  Source compare = *memory.data;
  compare.reg.index += words;
  memory.compare = compare;
}

static void finish(Context &c, Effect &effect) {
  Memory &memory = *effect.memory;
  memory.bytes = bitsOf(effect.type) / 8;
  memory.strong = true;
  memory.cache = cacheOf(c);
  memory.returns = effect.def.has_value();
  if (memory.data)
    effect.in.push_back(*memory.data);
  if (memory.compare)
    effect.in.push_back(*memory.compare);
}

static bool decodeDs(Context &c, std::string_view name) {
  Type type = Type::None;
  bool returns = false;
  const AtomicRow *row = rowOf(name, type, returns);
  if (name == "append" || name == "consume") {
    Effect &effect = c.add(Op::Atomic, Type::U32);
    effect.def = c.def(0);
    Memory &memory = effect.memory.emplace();
    memory.space = Space::Shared;
    memory.atomic = name == "append" ? "add" : "sub";
    memory.base = flagSource(flags::m0);
    memory.offset = c.number("offset");
    memory.scope = "block";
    effect.detail = "active lanes";
    finish(c, effect);
    return true;
  }
  if (!row)
    return false;
  size_t first = returns ? 1 : 0;
  Effect &effect = c.add(Op::Atomic, type);
  if (returns)
    effect.def = c.def(0);
  Memory &memory = effect.memory.emplace();
  memory.space = c.has("gds") ? Space::Global : Space::Shared;
  memory.scope = "block";
  memory.atomic = row->kind;
  memory.base = c.source(first);
  memory.offset = c.number("offset");
  memory.data = c.source(first + 1, type);
  if (row->kind == "cas" || row->kind == "mskor") {
    memory.compare = c.source(first + 2, type);
    // Before gfx11 the compared value came first.
    if (row->stem == "cmpst")
      std::swap(*memory.data, *memory.compare);
  }
  finish(c, effect);
  return true;
}

static bool decodeBuffer(Context &c, std::string_view name) {
  Type type = Type::None;
  bool returns = c.has("glc") || c.has("sc0") ||
                 c.value("th").starts_with("TH_ATOMIC_RETURN");
  const AtomicRow *row = rowOf(name, type, returns);
  if (!row)
    return false;
  Effect &effect = c.add(Op::Atomic, type);
  Memory &memory = effect.memory.emplace();
  memory.space = Space::Global;
  memory.scope = scopeOf(c, true);
  memory.atomic = row->kind;
  memory.data = c.source(0, type);
  if (returns)
    effect.def = c.def(0);
  if (c.text(1) != "off")
    memory.base = c.source(1);
  memory.uniform = c.source(2, Type::U64);
  memory.offset = c.number("offset");
  if (row->kind == "cas") {
    splitPair(memory, std::max(1u, bitsOf(type) / 32));
    if (effect.def)
      effect.def->count = memory.data->count;
  }
  finish(c, effect);
  return true;
}

bool amdgcn::decodeAtomic(Context &c) {
  std::string_view m = c.mnemonic;
  if (m.starts_with("ds_"))
    return decodeDs(c, m.substr(3));
  if (m.starts_with("buffer_atomic_"))
    return decodeBuffer(c, m.substr(14));
  bool flat = m.starts_with("flat_atomic_");
  if (!flat && !m.starts_with("global_atomic_"))
    return false;
  Type type = Type::None;
  bool returns = false;
  const AtomicRow *row = rowOf(m.substr(flat ? 12 : 14), type, returns);
  if (!row)
    return false;
  // [vdst,] vaddr, vdata [, saddr]: global ones always have the last, flat ones
  // on gfx12 may.
  returns |= c.has("glc") || c.has("sc0") ||
             c.value("th").starts_with("TH_ATOMIC_RETURN");
  if (!flat)
    returns = c.size() > 3;
  size_t first = returns ? 1 : 0;
  Effect &effect = c.add(Op::Atomic, type);
  if (returns)
    effect.def = c.def(0);
  Memory &memory = effect.memory.emplace();
  memory.space = flat ? Space::Generic : Space::Global;
  memory.scope = scopeOf(c, true);
  memory.atomic = row->kind;
  memory.base = c.source(first);
  memory.data = c.source(first + 1, type);
  memory.offset = c.number("offset");
  std::string_view uniform = c.text(first + 2);
  if (!uniform.empty() && uniform != "off" && uniform != "null")
    memory.uniform = c.source(first + 2, Type::U64);
  if (row->kind == "cas")
    splitPair(memory, std::max(1u, bitsOf(type) / 32));
  finish(c, effect);
  return true;
}
