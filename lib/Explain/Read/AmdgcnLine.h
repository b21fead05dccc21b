//===- AmdgcnLine.h - One line of an AMD listing ----------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_READ_AMDGCNLINE_H
#define WARPFOLD_EXPLAIN_READ_AMDGCNLINE_H

#include "Explain/Read/Listing.h"

namespace wf::explain::amdgcn {

/// An instruction's line. A pair `v_dual_a … :: v_dual_b …` is one instruction
/// with the first one's mnemonic; "::" and the second mnemonic stand among the
/// operands.
struct Line {
  enum class Kind { Other, Instruction, Unread } kind = Kind::Other;
  Instruction instruction;
  std::optional<uint64_t> address; ///< as printed
  std::string symbol;              ///< of <symbol+0x74>
  uint64_t symbolOffset = 0;
};

/// `text` has no line ending. Other: it does not begin as an instruction does.
Line parseLine(std::string_view text);

/// "s_", "v_", "ds_" … and lower-case letters, digits and underscores.
bool isMnemonic(std::string_view word);

std::string_view trimmed(std::string_view text);
/// Takes a prefix of hexadecimal digits; none: empty.
std::string_view hexPrefix(std::string_view text);
std::optional<uint64_t> hexNumber(std::string_view digits);
/// A decimal or 0x number, whole.
std::optional<int64_t> integer(std::string_view text);

} // namespace wf::explain::amdgcn

#endif // WARPFOLD_EXPLAIN_READ_AMDGCNLINE_H
