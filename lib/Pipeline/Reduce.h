//===- Reduce.h - One reduction from request to result -----------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The call behind `warpfold reduce`: arrays and a reduction come in, named
// arrays come out, with what a user wants to know about how they were made.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_PIPELINE_REDUCE_H
#define WARPFOLD_PIPELINE_REDUCE_H

#include "IO/Array.h"
#include "Language/Ast.h"
#include "llvm/Support/Error.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace wf {

enum class NanPolicy { Propagate, Ignore };

struct ReduceRequest {
  ReductionAst reduction;
  std::vector<Array> inputs;      ///< one to four; broadcast together here
  std::vector<int64_t> axes;      ///< as given, negative allowed
  bool allAxes = true;            ///< no --axis: `axes` is ignored
  bool keepDims = false;
  std::optional<ScalarType> acc;  ///< --acc
  NanPolicy nan = NanPolicy::Propagate;
  std::optional<std::string> order; ///< canonical, ordered, sequential, …
  std::string device = "cpu";
  std::optional<std::string> plan;  ///< --plan: auto, v0 … v5, a plan's text
  bool explainPlan = false;
  int threads = 0;                ///< 0: one per core
  /// --param name=value or name:type=value, as (name[:type], value text).
  std::vector<std::pair<std::string, std::string>> params;
  /// --together: the inputs are not broadcast but reduced as one sequence, in
  /// their order (k runs on from one array to the next). All axes only.
  bool together = false;
};

struct NamedResult {
  std::string name; ///< empty for a single unnamed result
  Array array;      ///< row-major, owned
};

struct ReduceResult {
  std::vector<NamedResult> results;
  std::vector<int64_t> shapeIn; ///< after broadcasting
  std::vector<int64_t> axes;    ///< normalised, increasing
  std::string plan;             ///< text form of the plan
  std::string explanation;      ///< lines, if explainPlan was asked for
  std::string order;            ///< with its version: "canonical/1"
  std::string device;           ///< "cpu (2 threads, avx512)"
  std::vector<std::string> notes; ///< warnings and remarks for stderr
  double compileMicros = 0, runMicros = 0, gigabytesPerSecond = 0;
  int64_t peakAnonBytes = 0;
  /// Phase name and microseconds, in order, for --time.
  std::vector<std::pair<std::string, double>> phases;
};

/// Runs one reduction. Errors are the user's (UserError), the machine's
/// (DeviceError) or ours.
llvm::Expected<ReduceResult> reduce(const ReduceRequest &request);

/// A request to compile only: shapes with unknown sizes.
struct CompileRequest {
  ReductionAst reduction;
  std::vector<ScalarType> inputTypes; ///< --dtype, one per input
  std::vector<int64_t> shape;         ///< -1 where the size is unknown (?)
  std::vector<int64_t> axes;
  bool allAxes = true;
  bool keepDims = false;
  std::optional<ScalarType> acc;
  NanPolicy nan = NanPolicy::Propagate;
  std::optional<std::string> order;
  std::optional<std::string> plan;
  bool explainPlan = false;
  std::string target = "cpu";
  std::vector<std::string> stages;    ///< ast fold plan tiers loops llvm asm obj
  std::vector<std::string> printAfter; ///< pass names, or "all"; to stderr
  bool locations = false; ///< print IR with the user's names, lines, columns
  std::vector<std::pair<std::string, std::string>> params;
};

struct CompileResult {
  /// Stage name and its text (obj: bytes), in the order asked for.
  std::vector<std::pair<std::string, std::string>> stages;
  std::vector<std::pair<std::string, double>> phases;
  std::vector<std::string> notes;
  std::string explanation; ///< lines, if explainPlan was asked for
};

llvm::Expected<CompileResult> compile(const CompileRequest &request);

} // namespace wf

#endif // WARPFOLD_PIPELINE_REDUCE_H
