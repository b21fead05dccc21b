//===- Analysis.h - Blocks, loops, values and lives of a kernel -*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// From effects to understanding: a graph of blocks, its dominators and loops,
// every register write as a value with its expression, and webs (a register's
// separate lives). A guarded write keeps the old value where the guard is
// false, so that it makes a Gamma of both; AMD's exec is such a guard.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_FLOW_ANALYSIS_H
#define WARPFOLD_EXPLAIN_FLOW_ANALYSIS_H

#include "Explain/Machine/Effect.h"

namespace wf::explain {

struct Block {
  size_t first = 0, last = 0; ///< instructions [first, last)
  std::vector<size_t> next, previous;
  bool reachable = true;           ///< from the kernel's entry; padding is not
  size_t dominator = 0;            ///< immediate; the entry's is itself
  size_t postDominator = SIZE_MAX; ///< immediate; SIZE_MAX: the exit
  int loop = -1;                   ///< innermost, an index into Analysis::loops
};

struct Loop {
  size_t header = 0;
  std::vector<size_t> blocks; ///< sorted, the header among them
  std::vector<size_t> latches;
  int parent = -1, depth = 1;
  bool rotated = false;      ///< the test is at the bottom
  int guardInstruction = -1; ///< the zero-trip test before it, where rotated
  int unrolled = 1;          ///< copies of the step within the body
  std::string condition;     ///< in the source's polarity: "stride != 0"
  std::string induction;     ///< "stride = stride >> 1"
};

using ValueId = uint32_t;
constexpr ValueId noValue = UINT32_MAX;

/// A node of the value graph. Pure nodes are unique: equal ones are one.
struct Value {
  enum class Kind : uint8_t {
    Constant,  ///< `imm`
    Float,     ///< `number`
    Symbol,    ///< `name`: "threadIdx.x", "kernarg", "stack"
    Parameter, ///< `imm`: offset; `type`'s width
    Operation, ///< `op` of `args`
    Load,      ///< `args[0]` is the address; unique per instruction
    Result,    ///< of anything else with a result (shuffle, atomic, unknown)
    Phi,       ///< at `block`; args as the block's `previous`
    Gamma,     ///< args: guard, where true, where false
    High,      ///< the upper 32 bits of args[0]
    Low,       ///< the lower 32 bits of args[0]
    Pair,      ///< args: low, high of unrelated values
    Undefined  ///< never written before
  };
  Kind kind = Kind::Undefined;
  Op op = Op::Unknown;
  Type type = Type::B32;
  Type from = Type::None; ///< of Convert: its argument's
  Cmp cmp = Cmp::None;    ///< of Compare, whose arguments are of `type`
  bool unordered = false, flushes = false;
  std::vector<ValueId> args;
  /// Of a Load or Result that is a part of what the instruction gives: where
  /// the part begins, in bytes. Of Lop3: its table.
  int64_t imm = 0;
  double number = 0;
  /// Of a Phi: what a reader would call it ("stride", "i"), where recognised;
  /// of an Operation: a variant ("RCP64H", "sat").
  std::string name;
  size_t instruction = SIZE_MAX; ///< of Load, Result; first maker of others
  size_t block = SIZE_MAX;       ///< of Phi
  Reg reg;                       ///< of Phi, Gamma: whose value it is
};

/// One effect with the values that flow through it.
struct EffectValues {
  std::vector<ValueId> in;   ///< as Effect::in
  ValueId result = noValue;  ///< before the guard's Gamma
  ValueId written = noValue; ///< what the register holds afterwards
  ValueId address = noValue; ///< of memory, in bytes, offset included
  ValueId data = noValue;    ///< stored
};

struct InstructionValues {
  ValueId guard = noValue; ///< noValue: always (exec's too, on AMD)
  std::vector<EffectValues> effects;
  ValueId condition = noValue; ///< of a branch, true where it is taken
};

/// One life of a register: definitions and uses that belong together.
struct Web {
  Reg reg;
  std::vector<size_t> defs, uses; ///< instructions, sorted; entry: defs empty
  std::vector<ValueId> values;    ///< that it holds, in order of definition
  std::string role;               ///< "x[i] or 0.0", "tid * 4", "stride"
  /// Why the register may be written again at the next life's first
  /// definition: the last use, and what proves that it was read.
  std::string reuse;
};

struct Analysis {
  Program program;
  std::vector<Block> blocks;
  std::vector<size_t> blockOf; ///< instruction → block
  std::vector<Loop> loops;     ///< outer ones first
  std::vector<Value> values;
  std::vector<InstructionValues> code;
  std::vector<Web> webs; ///< by register, then first definition
  bool irreducible = false;

  /// Undefined for noValue, which a listing cut short leaves behind.
  const Value &value(ValueId id) const {
    static const Value undefined;
    return id < values.size() ? values[id] : undefined;
  }
};

/// Never fails; what cannot be known is Undefined or a Result.
Analysis analyse(Program program);

/// How a value reads: "blockIdx.x * blockDim.x + threadIdx.x", "x[i]". Names
/// parameters by the kernel's, else "arg0"; names pointers' elements as arrays;
/// `depth` bounds the text.
std::string expression(const Analysis &a, ValueId id, int depth = 8);
/// A condition in the source's polarity: of a guard `@!P1` of "tid >= stride"
/// it is "threadIdx.x < stride".
std::string condition(const Analysis &a, ValueId id, bool negated = false);

/// An address split into what is known of it: base + Σ factor·term + offset.
struct Address {
  enum class Root : uint8_t {
    None,
    Parameter,
    Shared,
    Local,
    Unknown
  } root = Root::None;
  ValueId base = noValue; ///< the pointer: a Parameter, a Load of one, a symbol
  /// A 64-bit Phi or Gamma among them is a pointer that moves: it stands for
  /// what it has moved by, in steps of `factor` bytes (1: not a constant).
  std::vector<std::pair<ValueId, int64_t>> terms;
  int64_t offset = 0;
};
Address splitAddress(const Analysis &a, ValueId id, Space space);
/// A sum of terms and a constant, without a base.
Address splitSum(const Analysis &a, ValueId id);

} // namespace wf::explain

#endif // WARPFOLD_EXPLAIN_FLOW_ANALYSIS_H
