//===- AmdgcnTables.h - Operations by a mnemonic's stem ---------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_MACHINE_AMDGCNTABLES_H
#define WARPFOLD_EXPLAIN_MACHINE_AMDGCNTABLES_H

#include "Explain/Machine/Effect.h"

namespace wf::explain::amdgcn {

/// Where the operands go: the first is the destination, the others are sources
/// in order, except that …
enum class Shape : uint8_t {
  Plain,
  Reversed,   ///< … two sources are swapped
  Accumulate, ///< … the destination is the last source too
  ReadModify, ///< … the destination is the first source too
  Packed      ///< … each source is two numbers in one register, or a pair
};

/// What a scalar operation on integers makes of scc.
enum class Scc : uint8_t { Keeps, NonZero, Carry, Borrow, Less, Greater };

struct AluRow {
  std::string_view stem;
  Op op;
  Shape shape = Shape::Plain;
  Scc scc = Scc::Keeps;
  Op then = Op::Nop;
  uint8_t lut = 0;
  std::string_view detail = {};
  int8_t inverted = -1; ///< the source that is read inverted
};

/// Null where there is none.
const AluRow *aluRow(std::string_view stem);

} // namespace wf::explain::amdgcn

#endif // WARPFOLD_EXPLAIN_MACHINE_AMDGCNTABLES_H
