//===- Effect.h - What an instruction does, of any vendor -------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// An instruction is a list of effects, each with at most one destination. All
// of an instruction's effects read before any writes. `IADD3 R0, P1, R2, R3,
// RZ` is an Add of R0 and a CarryOut of P1; `s_and_saveexec_b32 s3, vcc_lo` is
// a Move of s3 from exec and an And of exec; LDGSTS is a Load and a Store.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_MACHINE_EFFECT_H
#define WARPFOLD_EXPLAIN_MACHINE_EFFECT_H

#include "Explain/Read/Listing.h"

#include <compare>

namespace wf::explain {

enum class RegClass : uint8_t {
  Vector,           ///< R, v; every PTX register but predicates
  Uniform,          ///< UR, s, ttmp (from 1000 up)
  Predicate,        ///< P; PTX .pred
  UniformPredicate, ///< UP
  Accumulator,      ///< a (AMD)
  Barrier,          ///< B (convergence)
  Flag              ///< AMD: see `flags`
};

/// Indices of RegClass::Flag. vcc and exec are pairs in a wave of 64.
namespace flags {
constexpr uint32_t vcc = 0, vccHi = 1, exec = 2, execHi = 3, scc = 4, m0 = 5;
}

/// One 32-bit register (NVIDIA, AMD), or one virtual register of PTX, whatever
/// its width.
struct Reg {
  RegClass cls = RegClass::Vector;
  uint32_t index = 0;
  auto operator<=>(const Reg &) const = default;
};

enum class Type : uint8_t {
  None,
  Pred,
  B8,
  B16,
  B32,
  B64,
  B96,
  B128,
  B256,
  U8,
  S8,
  U16,
  S16,
  U32,
  S32,
  U64,
  S64,
  F16,
  F16x2,
  BF16,
  BF16x2,
  F32,
  F32x2,
  F64
};
unsigned bitsOf(Type type);
bool isFloat(Type type);
bool isSigned(Type type);

enum class Op : uint8_t {
  Unknown, ///< an opcode that no table has; `def` is a guess
  Nop,
  // values
  Move,
  Special,
  Select,
  Convert,
  Pack,
  Permute,
  LoadConstant,
  // integers
  Add,
  Sub,
  Mul,
  MulHi,
  Mad,
  CarryOut,
  BorrowOut,
  Shl,
  ShrLogical,
  ShrArith,
  FunnelShift,
  And,
  Or,
  Xor,
  Not,
  Lop3,
  BitField,
  BitInsert,
  Min,
  Max,
  Abs,
  Neg,
  PopCount,
  LeadingBit,
  TrailingBit,
  BitReverse,
  Dot,
  AbsDiff,
  LaneMask,
  LaneCount, ///< v_mbcnt: set bits below this lane
  // floats (Add … Abs serve both by `type`)
  Fma,
  Div,
  Rcp,
  Rsqrt,
  Sqrt,
  Exp2,
  Log2,
  Sin,
  Cos,
  Tanh,
  Floor,
  Ceil,
  Round,
  Trunc,
  Ldexp,
  DivisionHelp,
  // predicates
  Compare,
  PredicateLogic,
  ClassTest,
  // memory
  Load,
  Store,
  Atomic,
  AsyncCopyWait,
  AsyncCopyCommit,
  CacheControl,
  Prefetch,
  // lanes
  Shuffle,
  Vote,
  Ballot,
  Match,
  WarpReduce,
  ReadLane,
  ReadFirstLane,
  WriteLane,
  Elect,
  // order
  Barrier,
  BarrierArrive,
  BarrierWait,
  ClusterArrive,
  ClusterWait,
  WarpSync,
  Fence,
  WaitCounter,
  ClusterAddress,
  // flow
  Branch,
  Exit,
  Call,
  Return,
  Reconverge,
  ReconvergeSet,
  Trap,
  Sleep,
  // other
  Matrix,
  Texture,
  Hint,
  // PTX alone
  Rem ///< remainder
};
std::string_view opName(Op op);

enum class Cmp : uint8_t {
  None,
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  Ordered,
  Unordered,
  True,
  False
};
/// The comparison that holds where this does not (of integers; of floats the
/// unordered flag turns too).
Cmp inverse(Cmp cmp);

enum class Space : uint8_t {
  None,
  Global,
  Shared,
  Local,
  Constant,
  Generic,
  Parameter,
  Cluster,
  Texture
};
std::string_view spaceName(Space space);

/// One operand read.
struct Source {
  enum class Kind : uint8_t {
    Register,
    Immediate, ///< `imm`: the bits, sign-extended where the text was signed
    Float,     ///< `number`, printed as a decimal
    Parameter, ///< of the kernel: `imm` is its byte offset from the first
    Special,   ///< `name`: "threadIdx.x", "blockDim.x", "laneId", …
    Constant,  ///< c[bank][offset] of no known meaning: `bank`, `imm`
    Symbol,    ///< `name`
    True       ///< PT; with `invert`, false
  };
  Kind kind = Kind::Immediate;
  Reg reg;
  uint8_t count = 1; ///< registers read
  int64_t imm = 0;
  double number = 0;
  std::string name;
  uint32_t bank = 0;
  bool negate = false;   ///< arithmetic -
  bool absolute = false; ///< | |, before negate
  bool invert = false;   ///< ! of predicates, ~ of integers
  uint32_t scale = 1;    ///< .X4 within an address
  /// AMD's DPP: read from another lane, the one that Effect::shuffle says.
  bool otherLane = false;
  /// A part of the register: which bits it is ("" all, "h0", "h1", "b1" …; of
  /// a 64-bit register of PTX also "w0", "w1").
  std::string part;
};

/// A place written.
struct Def {
  Reg reg;
  uint8_t count = 1;
};

/// What a memory access touches.
struct Memory {
  Space space = Space::None;
  uint32_t bytes = 4; ///< a lane's, in all
  /// PTX: a vector access is one effect an element; this is what all of them
  /// move, the width of the access. 0: as `bytes`.
  uint32_t whole = 0;
  uint32_t pieces = 1; ///< ds_read2: 2 pieces, at `offset` and `offset2`
  int64_t offset = 0, offset2 = 0;
  std::optional<Source> base;    ///< with its scale; 1, or 2 registers (.64)
  std::optional<Source> uniform; ///< added: [R4+UR4], saddr
  std::optional<Source> data;    ///< stored; of an atomic: its operand
  std::optional<Source> compare; ///< of compare-and-swap
  bool readOnly = false; ///< LDG.E.CONSTANT, ld.global.nc: cached as unchanging
  bool strong = false;   ///< volatile or relaxed atomic: never forwarded
  bool async = false;
  std::string scope;    ///< "block", "device", "system", "cluster"
  std::string cache;    ///< cache operator as printed
  std::string atomic;   ///< "add", "min", "max", "cas", "exch", "inc", "or" …
  bool returns = false; ///< an atomic whose old value is used
};

enum class ShuffleKind : uint8_t {
  None,
  Index,
  Up,
  Down,
  Xor,
  RowShift,
  RowRotate,
  RowShare,
  RowXor,
  QuadPerm,
  RowMirror,
  RowHalfMirror,
  RowBroadcast,
  WaveShift,
  Permute,
  Swizzle,
  PermLane16,
  PermLaneX16,
  PermLane64,
  PermLaneSwap,
  RowNewBroadcast
};

struct Effect {
  Op op = Op::Unknown;
  Type type = Type::B32;  ///< of the result, or of the data moved
  Type from = Type::None; ///< Convert's source; Compare's operands are `type`
  Cmp cmp = Cmp::None;
  bool unordered = false; ///< a float comparison true for NaN
  std::optional<Def> def;
  std::vector<Source> in; ///< a, b, c in the operation's order
  std::optional<Memory> memory;
  // Modifiers that change or betray something.
  bool flushes = false; ///< .FTZ: subnormals become zero
  bool saturates = false;
  bool wide = false;    ///< 32 × 32 → 64
  bool carryIn = false; ///< the last source is a carry (a predicate)
  uint8_t lut = 0;      ///< Lop3, PredicateLogic
  /// A second operation, on the first one's result and the last source:
  /// v_add_lshl_u32 is Add, then Shl; scc of s_and_b32 is And, then Compare (by
  /// `cmp`) with 0; v_cmpx is Compare, then And with exec. Nop: none.
  Op then = Op::Nop;
  ShuffleKind shuffle = ShuffleKind::None;
  std::string detail; ///< "RCP64H", "row_shr:1", barrier number …
  /// AMD: written only for lanes in exec. The guard of NVIDIA and PTX is the
  /// instruction's.
  bool masked = false;
  bool guess = false; ///< of an unknown opcode
};

/// How control leaves an instruction.
struct Flow {
  enum class Kind : uint8_t { Next, Jump, Exit, Call, Return, Indirect, Trap };
  Kind kind = Kind::Next;
  std::vector<size_t> targets; ///< instruction indices
  bool conditional = false;    ///< may also go on to the next instruction
  /// What is true when the jump is taken; for NVIDIA and PTX the guard.
  std::optional<Source> condition;
  bool onZero = false; ///< s_cbranch_execz, vccz, scc0: taken where it is zero
  std::string callee;
};

/// One instruction, understood.
struct Decoded {
  std::vector<Effect> effects;
  Flow flow;
  std::optional<Source> guard; ///< a predicate; absent: always
  bool never = false;          ///< @!PT
  bool known = true;           ///< the opcode is in a table
  std::string meaning;         ///< "add and move on the FMA pipe": idioms named
};

/// A register's value when the kernel starts.
struct EntryValue {
  Reg reg;
  uint8_t count = 1;
  std::string name; ///< "threadIdx.x", "blockIdx.x", "kernarg", "laneId" …
};

/// A kernel with every instruction understood, or named as unknown.
struct Program {
  Kernel kernel;
  std::vector<Decoded> code; ///< as kernel.code
  std::vector<EntryValue> entry;
  std::vector<std::string> names; ///< of PTX registers, by index
  /// "R2", "UR4", "v1", "vcc_lo", "%f1".
  std::string registerName(Reg reg) const;
};

/// Decodes by `kernel.isa`. Never fails: what is unknown is marked so.
Program decode(Kernel kernel);
void decodeSass(Program &program);
void decodeAmdgcn(Program &program);
void decodePtx(Program &program);

} // namespace wf::explain

#endif // WARPFOLD_EXPLAIN_MACHINE_EFFECT_H
