//===- FoldDialect.cpp - The fold dialect and its attributes --------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Dialect/Fold.h"

#include "Error/Error.h"
#include "Plan/Plan.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace wf::fold;

#include "Dialect/FoldDialect.cpp.inc"
#include "Dialect/FoldEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "Dialect/FoldAttributes.cpp.inc"
#define GET_OP_CLASSES
#include "Dialect/FoldOps.cpp.inc"

void FoldDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "Dialect/FoldOps.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "Dialect/FoldAttributes.cpp.inc"
      >();
}

LogicalResult PlanAttr::verify(llvm::function_ref<InFlightDiagnostic()> emit,
                               llvm::StringRef text) {
  auto plan = wf::parsePlan(text);
  if (!plan)
    return emit() << "does not parse as a plan: "
                  << llvm::toString(plan.takeError());
  if (llvm::Error e = wf::checkPlan(*plan))
    return emit() << "cannot run: " << llvm::toString(std::move(e));
  return success();
}
