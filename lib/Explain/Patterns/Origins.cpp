//===- Origins.cpp - What each value rests on -----------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Patterns/Origins.h"

using namespace wf::explain;
using Kind = Value::Kind;

Space wf::explain::loadedFrom(const Analysis &a, const Value &v) {
  if (v.instruction < a.program.code.size())
    for (const Effect &e : a.program.code[v.instruction].effects)
      if (e.op == Op::Load && e.memory)
        return e.memory->space;
  return Space::None;
}

static uint16_t lanes(Op op) {
  switch (op) {
  case Op::LaneCount: // by mbcnt
  case Op::LaneMask:
    return Origins::thread;
  case Op::Shuffle:
  case Op::ReadLane:
  case Op::WarpReduce:
  case Op::Vote:
  case Op::Ballot:
  case Op::Match:
    return Origins::exchanged;
  default:
    return 0;
  }
}

static uint16_t leaf(const Analysis &a, const Value &v) {
  switch (v.kind) {
  case Kind::Symbol:
    if (v.name.starts_with("threadIdx") || v.name.starts_with("lane") ||
        v.name.starts_with("warp"))
      return Origins::thread;
    if (v.name.starts_with("blockIdx") || v.name.starts_with("cluster"))
      return Origins::block;
    return 0;
  case Kind::Load: {
    Space space = loadedFrom(a, v);
    return space == Space::Parameter || space == Space::Constant
               ? 0
               : Origins::loaded;
  }
  case Kind::Result:
    return Origins::result | lanes(v.op) |
           (v.op == Op::Atomic ? Origins::atomic : 0);
  case Kind::Undefined:
    return Origins::unknown;
  case Kind::Phi:
    return v.block < a.blocks.size() && a.blocks[v.block].loop >= 0 &&
                   size_t(a.blocks[v.block].loop) < a.loops.size() &&
                   a.loops[a.blocks[v.block].loop].header == v.block
               ? Origins::looped
               : 0;
  case Kind::Operation:
    return lanes(v.op) | (v.op == Op::Unknown ? Origins::unknown : 0);
  default:
    return 0;
  }
}

Origins::Origins(const Analysis &a) : bits(a.values.size()) {
  for (size_t i = 0; i < bits.size(); ++i)
    bits[i] = leaf(a, a.values[i]);
  // Values come after what they are made of, but for phis: a pass for each
  // nesting of loops settles them.
  bool changed = true;
  for (int pass = 0; changed && pass < 16; ++pass) {
    changed = false;
    for (size_t i = 0; i < bits.size(); ++i) {
      const Value &v = a.values[i];
      if (v.kind == Kind::Load)
        continue;
      // A shuffle hands on what an atomic gave a lane.
      uint16_t passed = v.kind == Kind::Result ? uint16_t(atomic) : 0xffff;
      uint16_t now = bits[i];
      for (ValueId arg : v.args)
        now |= passed & (arg < bits.size() ? bits[arg] : uint16_t(unknown));
      changed |= now != bits[i];
      bits[i] = now;
    }
  }
}
