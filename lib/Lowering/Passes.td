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

def LowerLaneRows : Pass<"fold-lower-lane-rows", "::mlir::ModuleOp"> {
  let summary = "lowers fold.lane_rows and fold.lane_lift to a lane's loads";
}

def LowerLaneColumns : Pass<"fold-lower-lane-columns", "::mlir::ModuleOp"> {
  let summary = "lowers fold.lane_column and fold.lane_chain to a lane's loads";
}

def LowerLaneSlots : Pass<"fold-lower-lane-slots", "::mlir::ModuleOp"> {
  let summary = "lowers fold.lane_slots to exchanges between lanes";
}

def LowerBlocks : Pass<"fold-lower-blocks", "::mlir::ModuleOp"> {
  let summary = "lowers fold.block, fold.block_columns and fold.grid";
  let description = [{
    To shared memory, barriers, partial states in global memory and a ticket;
    what is left of a tree between lanes stays `fold.lane_slots`.
  }];
}

def LowerLadder : Pass<"fold-lower-ladder", "::mlir::ModuleOp"> {
  let summary = "lowers the tiers of form=ladder";
  let description = [{
    `fold.lane_stride`, `fold.block_exchange`, `fold.lane_partials`,
    `fold.last_block` and `fold.grid_atomic` to loads, shuffles, shared memory
    with barriers, and atomics. Exchanges that count up stay `fold.lane_slots`.

    Try: `warpfold compile --op sum --shape 4096 --dtype f32 --target sm_90
    --plan v2 --emit tiers | warpfold-opt --fold-lower-ladder`.
  }];
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
  let options = [Option<"indexBits", "index-bits", "unsigned", "64",
                        "bits of an index">];
}

#endif
