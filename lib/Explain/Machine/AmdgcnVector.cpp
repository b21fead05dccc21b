//===- AmdgcnVector.cpp - Vector operations that no table row fits --------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Machine/Amdgcn.h"

#include "Explain/Read/AmdgcnLine.h"

#include <algorithm>

using namespace wf::explain;
using namespace wf::explain::amdgcn;

/// d = condition ? b : a; half of a pair leaves vcc out.
static void decodeSelect(Context &c, Type type) {
  Effect &effect = c.add(Op::Select, type);
  effect.def = c.def(0);
  effect.in = {c.source(2, type), c.source(1, type),
               c.size() > 3 ? c.source(3)
                            : flagSource(flags::vcc, c.maskRegisters)};
}

/// v_cvt_*, s_cvt_*: of "f32_ubyte0" the first word is the result's type.
static void decodeConvert(Context &c, const Name &name) {
  std::string_view stem = name.stem;
  bool packs = stem.find("pk") != std::string_view::npos;
  Effect &effect = c.add(packs ? Op::Pack : Op::Convert, name.type);
  effect.from = name.from;
  effect.def = c.def(0);
  std::string_view part;
  if (stem.starts_with("cvt_f32_ubyte") && stem.size() == 14) {
    static constexpr std::string_view parts[] = {"b0", "b1", "b2", "b3"};
    effect.type = Type::F32;
    effect.from = Type::U8;
    part = parts[(stem[13] - '0') & 3];
  } else if (stem != "cvt") {
    effect.detail = stem.substr(stem.starts_with("cvt_") ? 4 : 3);
  }
  if (effect.type == Type::None)
    effect.type = Type::B32;
  Type from = effect.from == Type::None ? effect.type : effect.from;
  for (size_t i = 1; i < c.size(); ++i) {
    effect.in.push_back(c.source(i, i == 1 || packs ? from : Type::B32));
    if (i == 1 && !part.empty())
      effect.in[0].part = part;
  }
}

static void decodeBitOperation(Context &c, Type type) {
  Effect &effect = c.add(Op::Lop3, type);
  effect.def = c.def(0);
  effect.lut = static_cast<uint8_t>(c.number("bitop3"));
  for (size_t i = 1; i < c.size(); ++i)
    effect.in.push_back(c.source(i, type));
  while (effect.in.size() < 3)
    effect.in.push_back(immediate(0));
}

static void decodeDivisionScale(Context &c, Type type) {
  for (size_t out = 0; out < 2; ++out) {
    auto def = c.def(out);
    if (!def)
      continue;
    Effect &effect = c.add(Op::DivisionHelp, type);
    effect.def = def;
    effect.detail = out == 0 ? "div_scale" : "div_scale flag";
    for (size_t i = 2; i < c.size(); ++i)
      effect.in.push_back(c.source(i, type));
  }
}

static void decodeSwap(Context &c, Type type) {
  for (size_t out = 0; out < 2; ++out) {
    Effect &effect = c.add(Op::Move, type);
    effect.def = c.def(out);
    effect.in = {c.source(1 - out, type)};
  }
}

/// The words are high, low; a shift by bytes is one by eight times as many.
static void decodeAlign(Context &c, bool bytes) {
  Effect &effect = c.add(Op::FunnelShift, Type::U32);
  effect.def = c.def(0);
  effect.in = {c.source(2), c.source(1), c.source(3, Type::U32)};
  effect.detail = "right.lo";
  Source &by = effect.in[2];
  if (bytes && by.kind == Source::Kind::Immediate)
    by.imm = 8 * (by.imm & 3);
  else if (bytes)
    effect.detail = "right.lo bytes";
}

/// Products of matrices and of short vectors; the table of shapes is the name.
static bool decodeProducts(Context &c, const Name &name) {
  std::string_view stem = name.stem;
  bool matrix = stem.starts_with("mfma_") || stem.starts_with("wmma_") ||
                stem.starts_with("swmmac_") || stem.starts_with("smfmac_");
  bool dot = stem.starts_with("dot");
  if (!matrix && !dot)
    return false;
  Effect &effect = c.add(matrix ? Op::Matrix : Op::Dot,
                         name.type == Type::None ? Type::F32 : name.type);
  effect.from = name.from;
  effect.def = c.def(0);
  effect.detail = stem;
  for (size_t i = 1; i < c.size(); ++i)
    effect.in.push_back(c.source(i, effect.type));
  // The "c" forms add to the destination; so do sparse ones.
  if ((dot && stem.ends_with("c")) || stem.starts_with("s"))
    effect.in.push_back(c.source(0, effect.type));
  return true;
}

bool amdgcn::decodeVector(Context &c) {
  Name name = nameOf(c.mnemonic);
  std::string_view stem = name.stem;
  Type type = name.type == Type::None ? Type::B32 : name.type;
  if (name.prefix && (stem == "cvt" || stem.starts_with("cvt_"))) {
    decodeConvert(c, name);
    return true;
  }
  if (name.prefix != 'v')
    return false;
  if (stem == "cndmask") {
    decodeSelect(c, type);
    return true;
  }
  if (stem == "bitop3" || stem == "bitop2") {
    decodeBitOperation(c, type);
    return true;
  }
  if (stem == "bfe") {
    Effect &effect = c.add(Op::BitField, type);
    effect.def = c.def(0);
    for (size_t i = 1; i < c.size(); ++i)
      effect.in.push_back(c.source(i, i == 1 ? type : Type::U32));
    return true;
  }
  if (stem == "div_scale") {
    decodeDivisionScale(c, type);
    return true;
  }
  if (stem == "alignbit" || stem == "alignbyte") {
    decodeAlign(c, stem == "alignbyte");
    return true;
  }
  if (stem == "swap") {
    decodeSwap(c, type);
    return true;
  }
  return decodeProducts(c, name);
}
