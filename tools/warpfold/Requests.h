//===- Requests.h - From texts to the pipeline's requests -------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Interprets what `reduce` and `compile` share: the REDUCTION, the axes, the
// types, the params. Every error is the user's and names the option.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_TOOLS_REQUESTS_H
#define WARPFOLD_TOOLS_REQUESTS_H

#include "Arguments.h"
#include "Pipeline/Reduce.h"

#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wf::cli {

/// The reduction that REDUCTION names: from the catalogue, a .fold file, or
/// its parts. Exactly one of the three must be given.
llvm::Expected<ReductionAst> readReduction(const CommonArguments &args);

/// {"0,2", "-1"} is {0, 2, -1}. Whether they fit the rank is not looked at.
llvm::Expected<std::vector<int64_t>>
readAxes(const std::vector<std::string> &texts);

/// "f32" for the option called `option`.
llvm::Expected<ScalarType> readType(llvm::StringRef text,
                                    llvm::StringRef option);

/// `--acc`, absent where it was not given.
llvm::Expected<std::optional<ScalarType>> readAcc(const CommonArguments &args);

llvm::Expected<NanPolicy> readNanPolicy(const Text &text);

/// {"p:f32=0.5"} is {("p:f32", "0.5")}.
llvm::Expected<std::vector<std::pair<std::string, std::string>>>
readParams(const std::vector<std::string> &texts);

/// "?x4096" is {-1, 4096}.
llvm::Expected<std::vector<int64_t>> readShape(llvm::StringRef text);

/// An order by its name; `fixed` and `any` come with the GPU targets.
llvm::Error checkOrder(const Text &order);

/// A positive number of threads, 0 where none was given.
llvm::Expected<int> readThreads(const Text &text);

/// The requests' fields that both commands fill the same way.
template <typename Request>
llvm::Error fillCommon(const CommonArguments &args, Request &request) {
  auto reduction = readReduction(args);
  if (!reduction)
    return reduction.takeError();
  auto axes = readAxes(args.axes);
  if (!axes)
    return axes.takeError();
  auto acc = readAcc(args);
  if (!acc)
    return acc.takeError();
  auto nan = readNanPolicy(args.nan);
  if (!nan)
    return nan.takeError();
  auto params = readParams(args.params);
  if (!params)
    return params.takeError();
  if (llvm::Error error = checkOrder(args.order))
    return error;
  request.reduction = std::move(*reduction);
  request.axes = std::move(*axes);
  request.allAxes = args.axes.empty();
  request.keepDims = args.keepDims;
  request.acc = *acc;
  request.nan = *nan;
  request.params = std::move(*params);
  request.order = args.order;
  request.plan = args.plan;
  request.explainPlan = args.explainPlan;
  return llvm::Error::success();
}

} // namespace wf::cli

#endif // WARPFOLD_TOOLS_REQUESTS_H
