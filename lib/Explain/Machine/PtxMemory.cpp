//===- PtxMemory.cpp - PTX's loads, stores, atomics and copies ------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Machine/PtxDecode.h"

#include <algorithm>

namespace wf::explain::ptx {

static Space spaceNamed(std::string_view part) {
  struct Row {
    std::string_view name;
    Space space;
  };
  static constexpr Row rows[] = {
      {"global", Space::Global},        {"shared", Space::Shared},
      {"shared::cta", Space::Shared},   {"shared::cluster", Space::Cluster},
      {"local", Space::Local},          {"const", Space::Constant},
      {"param", Space::Parameter},      {"param::entry", Space::Parameter},
      {"param::func", Space::Parameter}};
  for (const Row &row : rows)
    if (row.name == part)
      return row.space;
  return Space::None;
}

/// The i-th space that the mnemonic names; generic where it names none.
static Space spaceOf(const Mnemonic &m, size_t i = 0) {
  for (std::string_view part : m.parts)
    if (Space s = spaceNamed(part); s != Space::None && i-- == 0)
      return s;
  return Space::Generic;
}

static std::string cacheOf(const Mnemonic &m) {
  std::string said;
  for (std::string_view part : m.parts) {
    bool op = part == "ca" || part == "cg" || part == "cs" || part == "lu" ||
              part == "cv" || part == "wb" || part == "wt";
    if (op || part.substr(0, 3) == "L1:" || part.substr(0, 3) == "L2:") {
      said += said.empty() ? "" : ".";
      said += part;
    }
  }
  return said;
}

static Memory access(const Context &c, Type type) {
  Memory memory;
  memory.space = spaceOf(c.m);
  memory.bytes = std::max(1u, bitsOf(type) / 8);
  memory.readOnly = c.m.has("nc");
  for (std::string_view strong :
       {"volatile", "relaxed", "acquire", "release", "acq_rel", "mmio"})
    memory.strong = memory.strong || c.m.has(strong);
  memory.scope = scopeOf(c.m);
  memory.cache = cacheOf(c.m);
  return memory;
}

/// A kernel's own parameter is a value, not a place in memory.
static bool loadParameter(Context &c, Memory &memory) {
  if (memory.space != Space::Parameter || !memory.base ||
      memory.base->kind != Source::Kind::Symbol)
    return false;
  auto parameter = c.names.parameter(memory.base->name);
  if (!parameter)
    return false;
  parameter->imm += memory.offset;
  for (const auto &def : c.names.defs(c.operand(0))) {
    Effect &e = c.add(Op::Move, c.m.type());
    e.def = def;
    e.in.push_back(*parameter);
    parameter->imm += memory.bytes;
  }
  return true;
}

static void load(Context &c) {
  Type type = c.m.type();
  Memory memory = access(c, type);
  c.names.address(c.operand(1), memory);
  if (loadParameter(c, memory))
    return;
  auto defs = c.names.defs(c.operand(0));
  memory.whole = memory.bytes * static_cast<uint32_t>(defs.size());
  for (const auto &def : defs) {
    Effect &e = c.add(Op::Load, type);
    e.def = def;
    e.memory = memory;
    memory.offset += memory.bytes;
  }
}

static void store(Context &c) {
  Type type = c.m.type();
  Memory memory = access(c, type);
  c.names.address(c.operand(0), memory);
  auto data = c.names.sources(c.operand(1));
  memory.whole = memory.bytes * static_cast<uint32_t>(data.size());
  for (Source &value : data) {
    Effect &e = c.add(Op::Store, type);
    memory.data = value;
    e.memory = memory;
    e.in.push_back(std::move(value));
    memory.offset += memory.bytes;
  }
}

static std::string_view atomicOf(const Mnemonic &m) {
  for (std::string_view op :
       {"add", "min", "max", "cas", "exch", "inc", "dec", "and", "or", "xor"})
    if (m.has(op))
      return op;
  return "";
}

/// atom.global.cas.b32 d, [a], compare, new; red has no d.
static void atomic(Context &c, bool returns) {
  Type type = c.m.type();
  Memory memory = access(c, type);
  memory.atomic = atomicOf(c.m);
  size_t at = returns ? 1 : 0;
  c.names.address(c.operand(at), memory);
  std::vector<std::optional<Def>> defs(1);
  if (returns)
    defs = c.names.defs(c.operand(0));
  bool swaps = memory.atomic == "cas";
  auto data = c.names.sources(c.operand(at + (swaps ? 2 : 1)));
  size_t count = std::max(defs.size(), data.size());
  memory.whole = memory.bytes * static_cast<uint32_t>(count);
  if (swaps)
    memory.compare = c.names.source(c.operand(at + 1));
  for (size_t i = 0; i < count; ++i) {
    Effect &e = c.add(Op::Atomic, type);
    e.def = i < defs.size() ? defs[i] : std::nullopt;
    memory.returns = e.def.has_value();
    if (i < data.size()) {
      memory.data = data[i];
      e.in.push_back(data[i]);
    }
    if (memory.compare)
      e.in.push_back(*memory.compare);
    e.memory = memory;
    e.flushes = !c.m.has("noftz") && type == Type::F32;
    memory.offset += memory.bytes;
  }
}

/// Fragments of matrices: every lane's words lie where the others' rows say.
static void matrixAccess(Context &c, bool loads) {
  Type type = c.m.root == "wmma" ? c.m.type() : Type::B32;
  Memory memory = access(c, type);
  if (memory.space == Space::Generic && c.m.root != "wmma")
    memory.space = Space::Shared;
  c.names.address(c.operand(loads ? 1 : 0), memory);
  auto data = c.names.sources(c.operand(loads ? 0 : 1));
  memory.whole = memory.bytes * static_cast<uint32_t>(data.size());
  for (const Source &value : data) {
    Effect &e = c.add(loads ? Op::Load : Op::Store, type);
    if (loads && value.kind == Source::Kind::Register)
      e.def = Def{value.reg, 1};
    e.memory = memory;
    if (!loads) {
      e.memory->data = value;
      e.in.push_back(value);
    }
    e.detail = "matrix fragment";
  }
}

/// d = a * b + c; each result depends on its own c and on all of a and b, of
/// which the first stand for the others.
static void matrix(Context &c) {
  auto defs = c.names.defs(c.operand(0));
  std::vector<std::vector<Source>> in;
  for (size_t i = 1; i < c.count(); ++i)
    in.push_back(c.names.sources(c.operand(i)));
  // wgmma accumulates in place: the results are sources, too.
  bool inPlace = c.m.root == "wgmma";
  for (size_t i = 0; i < defs.size(); ++i) {
    Effect &e = c.add(Op::Matrix, c.m.type());
    e.def = defs[i];
    e.detail = c.m.rest();
    for (const auto &sources : in)
      if (!sources.empty())
        e.in.push_back(sources[sources.size() == defs.size() ? i : 0]);
    if (inPlace && defs[i]) {
      Source self;
      self.kind = Source::Kind::Register;
      self.reg = defs[i]->reg;
      e.in.push_back(self);
    }
  }
}

static void texture(Context &c) {
  auto defs = c.names.defs(c.operand(0));
  bool stores = c.m.root == "sust" || c.m.root == "sured";
  if (stores)
    defs.assign(1, std::nullopt);
  for (const auto &def : defs) {
    Effect &e = c.add(Op::Texture, c.m.type());
    e.def = def;
    e.detail = c.instruction.mnemonic;
    Memory memory;
    memory.space = Space::Texture;
    memory.bytes = std::max(1u, bitsOf(c.m.type()) / 8);
    memory.whole = memory.bytes * static_cast<uint32_t>(defs.size());
    e.memory = memory;
    if (stores)
      e.in = c.names.sources(c.operand(1));
  }
}

bool decodeMemory(Context &c) {
  std::string_view root = c.m.root;
  if (root == "ld" || root == "ldu") {
    load(c);
  } else if (root == "st" && !c.m.has("async")) {
    store(c);
  } else if (root == "atom") {
    atomic(c, true);
  } else if (root == "red" && !c.m.has("async")) {
    atomic(c, false);
  } else if (root == "ldmatrix" || (root == "wmma" && c.m.has("load"))) {
    matrixAccess(c, true);
  } else if (root == "stmatrix" || (root == "wmma" && c.m.has("store"))) {
    matrixAccess(c, false);
  } else if (root == "wmma" || root == "mma" ||
             (root == "wgmma" && c.m.has("mma_async"))) {
    matrix(c);
  } else if (root == "tex" || root == "tld4" || root == "suld" ||
             root == "sust" || root == "sured" || root == "txq" ||
             root == "suq") {
    texture(c);
  } else if (root == "prefetch" || root == "prefetchu") {
    Effect &e = c.add(Op::Prefetch, Type::None);
    e.memory = access(c, Type::None);
    c.names.address(c.operand(0), *e.memory);
  } else if (root == "discard" || root == "applypriority" ||
             root == "createpolicy") {
    c.plain(Op::CacheControl, c.m.type()).detail = c.m.rest();
  } else {
    return false;
  }
  return true;
}

} // namespace wf::explain::ptx
