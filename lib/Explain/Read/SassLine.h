//===- SassLine.h - One line of SASS, split ---------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_READ_SASSLINE_H
#define WARPFOLD_EXPLAIN_READ_SASSLINE_H

#include "Explain/Read/Listing.h"

namespace wf::explain {

/// What a line holds, beside whatever else is printed on it.
struct SassLine {
  enum class Kind {
    Other,     ///< no instruction
    Encoding,  ///< only a word: a second half, or control words of three
    Code,      ///< an instruction, in `instruction`
    Unreadable ///< an address, and text that is no instruction
  } kind = Kind::Other;
  bool addressed = false;
  Instruction instruction;                     ///< its address as printed
  uint64_t word = 0;                           ///< of Kind::Encoding
  std::vector<std::string_view> branchTargets; ///< labels of an indirect branch
};

/// Reads a line. Without an address before it, a line is an instruction only
/// where nothing else is likely (`loose`: pasted text).
SassLine readSassLine(std::string_view line, bool loose);

/// Splits guard, mnemonic and operands of "@!P0 LDG.E R0, [R2.64]" into
/// `out`; false where it is none.
bool splitSass(std::string_view text, Instruction &out,
               std::vector<std::string_view> *branchTargets = nullptr);

/// Operands at commas and, where printers leave those out, between atoms.
/// False where brackets do not match.
bool splitSassOperands(std::string_view text, std::vector<std::string> &out);

/// Writes `text` of an instruction from its parts.
void composeText(Instruction &instruction);

/// A register, predicate, number, constant, address or symbol.
bool looksLikeSassOperand(std::string_view operand);

/// An opcode's first part that SASS has: "LDG" of "LDG.E".
bool isSassOpcode(std::string_view base);

/// Of a Volta or later instruction's upper word.
Control controlOfHigh(uint64_t high);
/// Of the 21 bits that sm_50 to sm_61 keep in their control words.
Control controlOfBits(uint32_t bits);

/// The SM number in "sm_86", "sm_90a"; 0 where there is none.
int smNumber(std::string_view target);

} // namespace wf::explain

#endif // WARPFOLD_EXPLAIN_READ_SASSLINE_H
