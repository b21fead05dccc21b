//===- Amdgcn.h - The parts of AMD's decoder --------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// A mnemonic is a prefix (s_, v_, ds_ …), a stem and types: v_add_f32_e32 is
// "add" of f32 in an encoding that changes nothing. Tables know stems.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_MACHINE_AMDGCN_H
#define WARPFOLD_EXPLAIN_MACHINE_AMDGCN_H

#include "Explain/Machine/Effect.h"

namespace wf::explain::amdgcn {

/// "v_mad_u64_u32_e64": vector, "mad", U64, U32.
struct Name {
  char prefix = 0;       ///< 's', 'v' or 0
  std::string_view stem; ///< without prefix, types and encoding
  Type type = Type::None, from = Type::None; ///< first and second of the types
  bool dpp = false, sdwa = false;
};
Name nameOf(std::string_view mnemonic);
/// "u32", "bf16" …; None where it is no type.
Type typeNamed(std::string_view word);

/// One instruction while it is decoded, or one half of a v_dual_ pair.
struct Context {
  const Kernel &kernel;
  const Instruction &instruction;
  std::string_view mnemonic;
  std::vector<std::string_view> operands;
  Decoded &out;
  int maskRegisters = 1; ///< that a mask of lanes takes: 2 in a wave of 64

  size_t size() const { return operands.size(); }
  std::string_view text(size_t i) const {
    return i < operands.size() ? operands[i] : std::string_view();
  }
  /// A source; a literal is read as `type` has it.
  Source source(size_t i, Type type = Type::B32) const;
  std::optional<Def> def(size_t i) const;
  bool has(std::string_view modifier) const;
  /// The value of "offset:16"; empty where it is not there.
  std::string_view value(std::string_view key) const;
  int64_t number(std::string_view key, int64_t otherwise = 0) const;
  Effect &add(Op op, Type type);
};

// Operands.
std::optional<Reg> registerNamed(std::string_view text, unsigned &count,
                                 std::string_view &part);
Source sourceOf(std::string_view text, Type type);
Source flagSource(uint32_t flag, unsigned count = 1);
Source immediate(int64_t value);
Def flagDef(uint32_t flag, unsigned count = 1);

// Families; each returns false where the mnemonic is not its own.
bool decodeFlow(Context &c);
bool decodeSync(Context &c);
bool decodeMemory(Context &c);
bool decodeAtomic(Context &c);
bool decodeLanes(Context &c);
bool decodeCompare(Context &c);
bool decodeCarry(Context &c);
bool decodeScalar(Context &c);
bool decodeVector(Context &c);
bool decodeTable(Context &c);

/// The exchange that a DPP, DPP8 or SDWA modifier makes of a source.
void applyLaneModifiers(Context &c);

/// "scope:SCOPE_DEV", sc1, glc …: "device"; "" where nothing says.
std::string scopeOf(const Context &c, bool atomic);
std::string cacheOf(const Context &c);

/// Registers that hold something when the kernel starts, and loads from the
/// kernel's arguments told from others.
void findEntry(Program &program);

} // namespace wf::explain::amdgcn

#endif // WARPFOLD_EXPLAIN_MACHINE_AMDGCN_H
