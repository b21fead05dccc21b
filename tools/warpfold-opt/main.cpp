//===- main.cpp - The passes of the fold dialect, one at a time -----------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// MLIR text comes in, the passes named on the command line run in that order,
// and what they leave goes out:
//
//   warpfold compile --op sum --shape 1000 --dtype f32 --emit tiers |
//     warpfold-opt --fold-lower-slots
//
// It knows the dialects, the passes over them and what these ask of a target,
// and nothing of plans' choice, code generators or the runtime.
//===----------------------------------------------------------------------===//
#include "Dialect/Import.h"
#include "Lowering/Passes.h"
#include "Target/Gpu.h"

#include "mlir/IR/BuiltinDialect.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

using namespace mlir;

int main(int argc, char **argv) {
  DialectRegistry registry;
  registry.insert<wf::fold::FoldDialect>();
  // A pass finds every dialect loaded, as in the pipeline, whether or not the
  // text names it.
  registry.addExtension(+[](MLIRContext *context, BuiltinDialect *) {
    wf::loadDialects(*context);
  });
  wf::registerFoldPasses();
  wf::registerGpuTargets();
  registerCanonicalizerPass();
  registerCSEPass();
  return asMainReturnCode(MlirOptMain(
      argc, argv, "The passes of the fold dialect, one at a time\n", registry));
}
