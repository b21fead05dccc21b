//===- PtxDecode.h - Between the parts of PTX's decoder ---------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_MACHINE_PTXDECODE_H
#define WARPFOLD_EXPLAIN_MACHINE_PTXDECODE_H

#include "Explain/Machine/Effect.h"

#include <unordered_map>

namespace wf::explain::ptx {

/// "ld.global.nc.v4.b32" cut at its dots, with what is common understood.
struct Mnemonic {
  std::string_view root;
  std::vector<std::string_view> parts; ///< after the root
  std::vector<Type> types;             ///< in order; the result's first
  uint32_t vector = 1;

  bool has(std::string_view part) const;
  /// The parts that no field of an effect holds, joined: "approx", "l.wrap".
  std::string rest() const;
  Type type(size_t i = 0) const {
    return i < types.size() ? types[i] : Type::None;
  }
};
Mnemonic cutMnemonic(std::string_view text);
Type typeNamed(std::string_view part);

/// A kernel's register names, and what its operands' texts mean.
class Names {
public:
  explicit Names(Program &program);
  Reg reg(std::string_view name);
  Source source(std::string_view operand);
  /// "{%r1, %r2}" or a single operand.
  std::vector<Source> sources(std::string_view operand);
  /// Where a result goes; none for "_" and for what is no register.
  std::optional<Def> def(std::string_view operand);
  std::vector<std::optional<Def>> defs(std::string_view operand);
  /// The offset of a parameter of this kernel.
  std::optional<Source> parameter(std::string_view name) const;
  /// "[%rd1+4]" into base and offset.
  void address(std::string_view operand, Memory &memory);
  const Kernel &kernel() const { return program.kernel; }

private:
  Program &program;
  std::unordered_map<std::string, uint32_t> indices;
  std::unordered_map<std::string, bool> predicates; ///< by declared name
  std::unordered_map<std::string, uint32_t> parameters;

  bool isPredicate(std::string_view name) const;
};

/// One instruction under decoding.
struct Context {
  Names &names;
  const Instruction &instruction;
  const Mnemonic &m;
  Decoded &out;

  size_t count() const { return instruction.operands.size(); }
  std::string_view operand(size_t i) const {
    return i < count() ? std::string_view(instruction.operands[i])
                       : std::string_view();
  }
  Effect &add(Op op, Type type);
  /// Adds an effect with operand 0 as result and the others as sources.
  Effect &plain(Op op, Type type);
};

// Each says whether it knew the opcode.
bool decodeArithmetic(Context &c);
bool decodeMemory(Context &c);
bool decodeAsync(Context &c);
bool decodeLanes(Context &c);
bool decodeControl(Context &c);

/// "block", "device", "system", "cluster", or "".
std::string scopeOf(const Mnemonic &m);

} // namespace wf::explain::ptx

#endif // WARPFOLD_EXPLAIN_MACHINE_PTXDECODE_H
