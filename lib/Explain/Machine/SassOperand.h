//===- SassOperand.h - SASS operands and constants --------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_MACHINE_SASSOPERAND_H
#define WARPFOLD_EXPLAIN_MACHINE_SASSOPERAND_H

#include "Explain/Machine/Effect.h"

namespace wf::explain {

struct SassOperand {
  enum class Kind {
    Other,     ///< 2D, gsb0, {3}: a flag, printed only
    Value,     ///< a general register, number or constant, in `source`
    Predicate, ///< P0, UP0, PT, in `source`
    Address,   ///< [R2.64+0x4], with its descriptor
    Special,   ///< SR_TID.X
    Symbol,    ///< `(.L_x_1)
    Barrier    ///< B0
  } kind = Kind::Other;
  Source source;
  bool hex = false;      ///< a number was printed as bits
  bool carryOut = false; ///< R2.CC of sm_61 and before
  std::string_view text; ///< as printed
  // Of an address.
  std::optional<Source> base, uniform, descriptor;
  int64_t offset = 0;
  bool paired = false;  ///< printed with .64
  bool unsized = false; ///< base printed with .U32: zero-extended

  bool isRegister() const {
    return source.kind == Source::Kind::Register &&
           (kind == Kind::Value || kind == Kind::Predicate);
  }
  /// RZ, URZ, 0.
  bool isZero() const;
};

/// Never fails: what it does not know is Kind::Other.
SassOperand parseSassOperand(std::string_view text, int sm);

/// What c[bank][offset] holds on an SM.
Source sassConstant(uint32_t bank, int64_t offset, int sm);

/// "threadIdx.x" of "SR_TID.X" in any case; the name itself, lower-case, where
/// there is no common word.
std::string sassSpecialName(std::string_view name);

/// The bits of a number as a half, rounded to nearest even.
uint16_t halfBits(double number);

/// The float whose bits are `bits`, by a type's width.
double floatOfBits(uint64_t bits, Type type);

} // namespace wf::explain

#endif // WARPFOLD_EXPLAIN_MACHINE_SASSOPERAND_H
