//===- Report.h - Everything that is said of a kernel -----------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The writers (text, Markdown, HTML, JSON), the patterns, the assertions and
// the comparison read this and nothing else. Each claim names the instructions
// that prove it, by index into the kernel's code.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_VERDICT_REPORT_H
#define WARPFOLD_EXPLAIN_VERDICT_REPORT_H

#include "Explain/Flow/Analysis.h"

#include <set>

namespace wf::explain {

/// What an instruction is there for. Writers colour by it.
enum class Role : uint8_t {
  Setup,     ///< stack pointer, descriptors
  Index,     ///< thread and block index, and what is computed from them
  Parameter, ///< a kernel argument or block size fetched
  Address,
  Constant,
  Initial,   ///< an accumulator's or guarded load's first value
  Condition, ///< a comparison or predicate
  Stride,    ///< loop counters and strides
  LoadGlobal,
  StoreGlobal,
  LoadShared,
  StoreShared,
  LoadLocal, ///< spill or array of the thread
  StoreLocal,
  LoadConstant,
  LoadGeneric,
  StoreGeneric,
  Atomic,
  Accumulate, ///< the step of an accumulation
  Compute,
  Convert,
  Exchange, ///< between lanes
  Barrier,
  Fence,
  Wait,
  LoopBranch,
  SkipBranch,
  Exit,
  Call,
  Mask, ///< exec saved, narrowed, restored; convergence barriers
  Matrix,
  Texture,
  Hint,
  Padding, ///< not reachable
  Never,   ///< @!PT
  Unknown
};
constexpr size_t roleCount = size_t(Role::Unknown) + 1;
std::string_view roleName(Role role);

struct InstructionRole {
  Role role = Role::Unknown;
  std::string says; ///< "R2 = blockIdx.x * blockDim.x + threadIdx.x"
};

/// One memory instruction.
struct Access {
  size_t instruction = 0;
  Space space = Space::None;
  bool load = false, store = false, atomic = false, async = false;
  uint32_t bytes = 4; ///< a lane's
  std::string what;   ///< "x[i]", "shared[threadIdx.x]"
  std::string array;  ///< "x", "shared+0x800": what it belongs to
  std::optional<int64_t> laneStride; ///< bytes between neighbour lanes
  int conflicts = 0;                 ///< shared: ways; 1 none; 0 not known
  int loopDepth = 0;
  bool uniform = false; ///< the same address in every lane
};

/// Where an accumulator lives between two steps.
enum class Through : uint8_t { Register, Lanes, Shared, Local, Global, Atomic };
constexpr size_t throughCount = 6;
std::string_view throughName(Through through);

/// A value combined with a later version of itself.
struct Accumulator {
  Op op = Op::Unknown;
  Type type = Type::F32;
  std::string operation;     ///< "add", "max", "fma"
  std::set<Through> through; ///< more than one: mixed
  bool loop = false;         ///< the step is a loop's body
  int loopIndex = -1;
  int copies = 1;   ///< steps written out: unrolled ×copies
  int barriers = 0; ///< a step's
  uint32_t bytesRead = 0, bytesWritten = 0; ///< a lane's and a step's, of the
                                            ///< memory it passes through
  int exchanges = 0;                        ///< a step's
  std::vector<size_t> step; ///< the instructions of one step, in order
  std::vector<size_t> all;  ///< of every step
  std::string source;       ///< "sdata[tid] += sdata[tid + stride]"
  std::string verdict;      ///< a sentence
  bool halving = false;     ///< the distance halves (a tree)
  bool gridStride = false;  ///< reads its elements a grid apart
  bool warpWide = false;    ///< a single instruction over a warp (redux)
  bool handedOver = false;  ///< passes shared memory once, between two levels
  bool rescaled = false;    ///< multiplied by a correction each step (online)
  bool matrix = false;
  bool ticket = false;    ///< an atomic whose old value says who comes last
  bool ascending = false; ///< lanes 1, 2, 4 … apart meet, in this order
};

struct BarrierFact {
  size_t instruction = 0;
  bool redundant = false; ///< nothing shared is touched between it and another
  std::string why;
};

struct Occupancy {
  std::string chip;
  uint32_t registers = 0, sharedBytes = 0;
  int blockThreads = 256;
  int blocks = 0, warps = 0, maxWarps = 0;
  std::string limit; ///< "registers", "shared memory", "threads", "blocks"
};

/// What the compiler did, and the flags that it betrays.
struct BuildFact {
  std::string name; ///< "ftz", "contraction", "unrolled", "fast exp" …
  std::string says;
  std::vector<size_t> proof;
};

struct PatternMatch {
  std::string name, title;
  std::vector<size_t> instructions;
  std::vector<std::string> evidence; ///< the conditions, with what was found
  std::string detail;                ///< "max", "unrolled ×8"
};

struct NearestPattern {
  std::string name;
  std::vector<std::string> failed; ///< conditions that do not hold
};

/// A remark that a reader of the code wants: warnings among them.
struct Finding {
  enum class Kind : uint8_t { Note, Warning } kind = Kind::Note;
  std::string name; ///< "missing-barrier", "bank-conflict", "spill" …
  std::string says;
  std::vector<size_t> proof;
};

/// A number that patterns and assertions ask for: "ldg.128", "barriers".
struct Fact {
  double value = 0;
  std::vector<size_t> proof;
};

struct Report {
  Analysis analysis;
  std::vector<InstructionRole> roles; ///< as the code
  std::vector<Access> accesses;
  std::vector<Accumulator> accumulators;
  std::vector<BarrierFact> barriers;
  std::vector<BuildFact> build;
  std::vector<Occupancy> occupancy;
  std::vector<Finding> findings;
  std::vector<std::string> memoryPath; ///< "global x[i]", "register R0" …
  std::vector<PatternMatch> patterns;
  std::optional<NearestPattern> nearest; ///< where none matches
  std::map<std::string, Fact> facts;
  std::string materialised; ///< "shared", "none", "shared + register (mixed)"
  std::string summary;      ///< one or two sentences

  const Kernel &kernel() const { return analysis.program.kernel; }
};

/// All verdicts but the patterns.
Report judge(Analysis analysis);

/// What the numbers mean: name and one line.
std::vector<std::pair<std::string, std::string>> factNames();

} // namespace wf::explain

#endif // WARPFOLD_EXPLAIN_VERDICT_REPORT_H
