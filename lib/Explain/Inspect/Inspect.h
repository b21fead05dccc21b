//===- Inspect.h - A compiler's dumps of one kernel, read -------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Three checkpoints of a reduction on its way through a compiler: what is
// combined (Triton IR), where the data lies (TritonGPU IR), and what the
// hardware is told (LLVM IR, PTX, AMD assembly). Text alone is read: generic
// and pretty forms, whole modules, single operations, and blocks that an
// article printed on one line.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_INSPECT_INSPECT_H
#define WARPFOLD_EXPLAIN_INSPECT_INSPECT_H

#include "Explain/Read/Listing.h"

namespace wf::explain {

/// A file's name and contents.
struct NamedText {
  std::string name, text;
};

enum class Stage { TritonIr, TritonGpuIr, Mlir, LlvmIr, Ptx, Amdgcn };
std::string_view stageName(Stage stage);

/// Shape, element and layout of "tensor<32x64xf32, #blocked>".
struct TensorType {
  std::vector<int64_t> shape;    ///< -1: not known before the kernel runs
  std::string element;           ///< "f32", "ptr"
  std::string layout;            ///< "#blocked", or a whole attribute
  uint64_t bytes() const;        ///< 0 where the shape is not known
  std::string shapeText() const; ///< "32x64xf32"
};

/// Who holds which element.
struct Layout {
  std::string name; ///< "#blocked1"; "" where it is written out
  std::string kind; ///< "blocked", "slice", "linear", "nvidia_mma", …
  std::vector<int64_t> sizePerThread, threadsPerWarp, warpsPerCta, order;
  int64_t dim = -1;   ///< slice: the dimension that is gone
  std::string parent; ///< slice: of which layout, as written
  /// linear: how far each bit of register, lane and warp moves, by dimension.
  std::vector<std::vector<int64_t>> registerBases, laneBases, warpBases;
  std::string text; ///< as written
};

/// How many of an axis' elements lie in a thread's registers, lanes and warps.
struct Spread {
  int64_t registers = 1, lanes = 1, warps = 1;
};

/// Whether an operation's result depends on how operands are grouped.
enum class Law {
  Exact,    ///< no difference found, nor can rounding make one
  Rounding, ///< only by rounding
  Broken,   ///< a counter-example is at hand
  Unknown   ///< could not be evaluated
};

struct CounterExample {
  std::vector<std::string> states; ///< a, b, c, each "1" or "(1, 0, 1)"
  std::string left, right;         ///< (a∘b)∘c and a∘(b∘c), or a∘b and b∘a
};

/// One reduction with its region.
struct Reduction {
  uint32_t line = 0; ///< in the dump
  SourceLine source; ///< of the program
  std::string name;  ///< "tt.reduce", "tt.scan", "fold.reduce"
  int64_t axis = -1; ///< -1: the text does not say
  int64_t length = -1;
  std::vector<TensorType> operands;
  std::vector<std::string> region; ///< operations: "mulf", "addf"
  std::string combiner;            ///< where one operation does it all: "addf"
  bool swapped = false;            ///< that operation takes (b, a)
  Law associative = Law::Unknown, commutative = Law::Unknown;
  std::optional<CounterExample> grouping, swapping;
  std::optional<CounterExample> nanGrouping; ///< only NaN makes a difference
  std::string notEvaluated;                  ///< why a law is Unknown
  std::optional<Spread> spread;
  std::vector<std::string> warnings; ///< of the accumulator's type
};

struct Conversion {
  uint32_t line = 0;
  SourceLine source;
  std::string value, result;
  TensorType from, to;
  int follows = -1;   ///< the conversion whose result this one converts again
  int between = 0;    ///< operations on the way from that one
  std::string usedBy; ///< the first operation that takes the result
  std::string cause;
};

/// What crosses lanes and warps in LLVM IR, PTX or AMD assembly.
struct Traffic {
  uint64_t shuffles = 0, redux = 0, votes = 0;
  uint64_t dpp = 0, permutes = 0, readLanes = 0; ///< AMD
  uint64_t sharedLoads = 0, sharedStores = 0, barriers = 0;
  uint64_t globalLoads = 0, globalStores = 0, atomics = 0;
  uint64_t widestLoad = 0; ///< bytes a lane
  uint64_t localAccesses = 0;
};

/// One kernel in one file.
struct Dump {
  std::string file, kernel;
  Stage stage = Stage::Mlir;
  std::string detail; ///< which of our own stages: "fold", "tiers", "loops"
  std::string target; ///< "sm_90", "gfx942", "" where not said
  int warps = 0, lanes = 0, blocks = 0;
  std::optional<uint64_t> sharedBytes;
  std::vector<Layout> layouts;
  std::vector<Reduction> reductions;
  std::vector<Conversion> conversions;
  std::optional<Traffic> traffic;
  std::vector<std::string> warnings;
  std::map<std::string, int> tiers; ///< our fold.* operations, counted
};

/// The dumps of one kernel, in the order of the stages.
struct InspectedKernel {
  std::string name, target;
  std::vector<size_t> dumps;
  std::vector<std::string> warnings; ///< worst first
  std::string diagnosis;             ///< one paragraph
};

struct Inspection {
  std::vector<Dump> dumps;
  std::vector<InspectedKernel> kernels;
  std::vector<Remark> remarks;
};

/// Fails where no text holds a kernel of a known stage.
Result<Inspection> inspect(std::vector<NamedText> texts);
std::string inspectionText(const Inspection &inspection);
/// Ends with a newline.
std::string inspectionJson(const Inspection &inspection);

} // namespace wf::explain

#endif // WARPFOLD_EXPLAIN_INSPECT_INSPECT_H
