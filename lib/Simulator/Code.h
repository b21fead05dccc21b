//===- Code.h - A kernel decoded for the simulator ---------------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// One LLVM function as an array of small instructions over lanes. Every scalar
// of an SSA value has a slot: an array of one element a lane, four bytes wide
// (integers up to 32 bits zero-extended, i1 as 0 or 1, float, half) or eight
// (i64, double, pointers). An operand is an offset: into the warp's frame, or,
// with its top bit set, into what all warps share (constants, arguments).
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_SIMULATOR_CODE_H
#define WARPFOLD_SIMULATOR_CODE_H

#include "Simulator/Machine.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instructions.h"

#include <vector>

namespace wf::sim {

class Warp;
struct Inst;
using Handler = void (*)(Warp &, const Inst &);
using Operand = int32_t;
constexpr Operand sharedOperand = Operand(1) << 30;

enum class Control : uint8_t {
  Plain, ///< lanes one by one or together, no difference
  Warp,  ///< looks across lanes: those of the warp that come here do it as one
  Barrier, ///< threads of the block wait for each other
  Branch,
  Switch,
  Return,
  Unreachable,
};

struct Inst {
  Handler run = nullptr;
  Operand d = 0, a = 0, b = 0, c = 0;
  int64_t imm = 0;     ///< a constant, or an index into a table of the kernel
  uint32_t source = 0; ///< index into Kernel::sources
  Control control = Control::Plain;
};

/// What a load, store or atomic does with memory.
struct Access {
  enum class Kind : uint8_t { Load, Store, Rmw, CompareExchange } kind;
  unsigned space = 0; ///< LLVM's address space
  uint8_t bytes = 4;  ///< of a component: 1, 2, 4 or 8
  bool atomic = false;
  bool acquire = false, release = false; ///< of the operation itself
  bool device = false;                   ///< its scope holds all blocks
  llvm::AtomicRMWInst::BinOp operation = llvm::AtomicRMWInst::Add;
  uint32_t alignment = 1;
  bool floating = false;       ///< of an RMW
  std::vector<Operand> values; ///< loaded into or stored from
  int64_t total() const { return int64_t(bytes) * int64_t(values.size()); }
};

/// What a branch copies into the phis of the block it goes to.
struct Copy {
  Operand to, from;
  bool wide; ///< eight bytes a lane
};

struct Edge {
  uint32_t block = 0;
  std::vector<Copy> copies;
};

struct Terminator {
  std::vector<Edge> edges;     ///< switch: the default first
  std::vector<uint64_t> cases; ///< value of edge i + 1
  bool wide = false;           ///< the switched value
};

/// Kinds of instructions that counters tell apart.
enum class InstKind : uint8_t {
  Alu,
  GlobalLoad,
  GlobalStore,
  SharedLoad,
  SharedStore,
  PrivateAccess,
  Atomic,
  Exchange,
  Barrier,
  Branch,
  Other
};
constexpr int instKinds = int(InstKind::Other) + 1;
const char *instKindName(InstKind kind);

struct BlockInfo {
  uint32_t first = 0;      ///< index of its first instruction
  int32_t reconverge = -1; ///< immediate post-dominator, or none
  std::string name;
  uint32_t instructions = 0; ///< as counted: an IR instruction a component
  uint32_t kinds[instKinds] = {};
};

/// One argument of a kernel as the launch packs it.
struct Argument {
  Operand slot;
  uint32_t bytes;   ///< 1, 2, 4 or 8
  uint32_t offset;  ///< in the packed buffer, naturally aligned
  std::string name; ///< for messages: "argument 2 (out)"
  bool pointer;
  bool written; ///< something may be stored through it
};

struct Kernel {
  const llvm::Function *function = nullptr;
  std::string name;
  std::vector<Inst> code;
  std::vector<BlockInfo> blocks;
  std::vector<Terminator> terminators;
  std::vector<Access> accesses;
  std::vector<const llvm::Instruction *> sources;
  std::vector<Argument> arguments;
  std::vector<std::vector<int64_t>> tables; ///< of wide intrinsics
  std::vector<std::vector<Operand>> lists;
  uint32_t argumentBytes = 0;
  int64_t frameBytes = 0;        ///< a warp's slots
  std::vector<char> sharedSlots; ///< constants; arguments are filled in
  int64_t privateBytes = 0;      ///< a lane's allocas
  int64_t sharedBytes = 0;       ///< static shared memory
  bool dynamicShared = false;    ///< has an array of size 0 at the end
  int64_t dynamicStart = 0;      ///< where that array begins
  unsigned smallestAccess = 4;   ///< bytes, of memory that is watched
  bool storesAnywhere = false;   ///< a store through an unknown pointer
  bool atomicGlobal = false;     ///< has atomics on global memory
  bool usesTicket = false;       ///< branches on what an atomic gave back
};

} // namespace wf::sim

#endif // WARPFOLD_SIMULATOR_CODE_H
