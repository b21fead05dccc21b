//===- Passes.td - From fold.reduce to loops -----------------*- tablegen -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_LOWERING_PASSES
#define WARPFOLD_LOWERING_PASSES

include "mlir/Pass/PassBase.td"

def ReduceToTiers : Pass<"fold-reduce-to-tiers", "::mlir::ModuleOp"> {
  let summary = "takes a planned fold.reduce apart into tier operations";
  let description = [{
    Rewrites the function around a `fold.reduce` that carries a plan: it becomes
    a loop over work items (an output, or a run of one output's chunks) whose
    body is tier operations, and a second function `<name>_join` joins the runs'
    partial states. Function arguments are appended for the launch: see
    Launch.h, which the runtime reads too. Afterwards no `fold.reduce` is left.

    Try: `warpfold-opt planned.mlir --fold-reduce-to-tiers`.
  }];
}

def LowerRows : Pass<"fold-lower-rows", "::mlir::ModuleOp"> {
  let summary = "lowers fold.rows and fold.lift to vector loads";
  let description = [{
    Slots are vector lanes: map and update are cloned onto vectors of the slots'
    width. Afterwards no `fold.rows` or `fold.lift` is left.
  }];
}

def LowerChain : Pass<"fold-lower-chain", "::mlir::ModuleOp"> {
  let summary = "lowers fold.chain to a loop over single elements";
}

def LowerSlots : Pass<"fold-lower-slots", "::mlir::ModuleOp"> {
  let summary = "lowers fold.slots to shuffles and vector combines";
  let description = [{
    One level at a time: even slots of two vectors go left, odd ones right, and
    the combine, cloned onto vectors, joins them in slot order.
  }];
}

def LowerChunks : Pass<"fold-lower-chunks", "::mlir::ModuleOp"> {
  let summary = "lowers fold.chunks to a binary counter of states";
}

def LowerTiles : Pass<"fold-lower-tiles", "::mlir::ModuleOp"> {
  let summary = "lowers the tier operations on tiles of outputs to loops";
  let description = [{
    Outputs are vector lanes: every slot holds a tile of neighbouring outputs in
    memory, and the slots and chunks of a fold join through one binary counter
    of tiles.
  }];
}

def LowerPanels : Pass<"fold-lower-panels", "::mlir::ModuleOp"> {
  let summary = "lowers fold.panel_rows to loops over rows of many outputs";
}

def InlineFunctions : Pass<"fold-inline-functions", "::mlir::ModuleOp"> {
  let summary = "inlines the user's functions, and drops what nobody calls";
}

def FoldToLLVM : Pass<"fold-to-llvm", "::mlir::ModuleOp"> {
  let summary = "converts scf, vector, arith, memref and func to LLVM at once";
  let description = [{
    One conversion instead of seven passes: compile time of a small kernel is
    mostly the walking of passes over it.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::cf::ControlFlowDialect"];
}

#endif
