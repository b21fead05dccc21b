//===- LadderOps.td - Tier operations of form=ladder ---------*- tablegen -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The ladder's tiers (Plan/Named.h), from element to grid:
//
//   fold.lane_stride     a thread's own elements, a grid apart
//   fold.block_exchange  the threads of a block: halving, pairs, down, up
//   fold.grid_atomic     a state into the output
//   fold.last_block      the ticket
//   fold.lane_partials   a thread's own partial states
//
// In all of them a state that has no element is never combined: of a block's
// threads those with an element are the first `present`.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_DIALECT_LADDER_OPS
#define WARPFOLD_DIALECT_LADDER_OPS

include "FoldOps.td"
include "mlir/Dialect/LLVMIR/LLVMOpBase.td"

def Fold_Exchange : I32EnumAttr<"ExchangeKind", "how a block's threads meet",
    [I32EnumAttrCase<"Up", 0, "up">,
     I32EnumAttrCase<"Down", 1, "down">,
     I32EnumAttrCase<"Halving", 2, "halving">,
     I32EnumAttrCase<"Pairs", 3, "pairs">]> {
  let cppNamespace = "::wf::fold";
  let genSpecializedAttr = 0;
}
def Fold_ExchangeAttr : EnumAttr<Fold_Dialect, Fold_Exchange, "exchange">;

def Fold_LaneStrideOp : Fold_Op<"lane_stride", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "folds the elements of one thread, which lie a step apart";
  let description = [{
    Load i takes the `vector` elements from k = first + i * step on, as far as
    they are below `count`; at least element `first` is. The state is seeded by
    `map` and goes on by `update`, in increasing k. `flight` loads are under way
    before the first is folded. There are at most `loads` of them; 0: any
    number. `even`: count is a multiple of `vector`. `vectors`: a load's elements
    are read together, and lie aligned. Other operands as in `fold.lane_rows`.
  }];
  let arguments = (ins
    Variadic<LLVM_AnyPointer>:$inputs,
    Variadic<Index>:$offsets,
    Variadic<Index>:$sizes,
    Variadic<Index>:$strides,
    Index:$first, Index:$step, Index:$count,
    Variadic<AnyType>:$params,
    FlatSymbolRefAttr:$map,
    FlatSymbolRefAttr:$update,
    DenseI64ArrayAttr:$inner,
    I64Attr:$vector, I64Attr:$flight, I64Attr:$loads,
    UnitAttr:$even, UnitAttr:$vectors);
  let results = (outs Variadic<AnyType>:$states);
  let assemblyFormat = [{
    $inputs `offsets` `(` $offsets `)` `sizes` `(` $sizes `)`
    `strides` `(` $strides `)` `first` $first `step` $step `count` $count
    (`params` `(` $params^ `:` type($params) `)`)?
    `map` $map `update` $update `inner` $inner `vector` $vector
    `flight` $flight `loads` $loads (`even` $even^)? (`vectors` $vectors^)?
    attr-dict
    `:` type($inputs) `->` type($states)
  }];
  let hasVerifier = 1;
}

def Fold_LanePartialsOp : Fold_Op<"lane_partials", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "joins the partial states of one thread, which lie a step apart";
  let description = [{
    The states at elements first, first + step, … below `end` of `partials` (one
    pointer a member), by `combine` in that order. At least the first is there.
  }];
  let arguments = (ins
    Variadic<LLVM_AnyPointer>:$partials,
    Index:$first, Index:$step, Index:$end,
    Variadic<AnyType>:$params,
    FlatSymbolRefAttr:$combine);
  let results = (outs Variadic<AnyType>:$states);
  let assemblyFormat = [{
    $partials `first` $first `step` $step `end` $end
    (`params` `(` $params^ `:` type($params) `)`)? `combine` $combine attr-dict
    `:` type($partials) `->` type($states)
  }];
}

def Fold_BlockExchangeOp : Fold_Op<"block_exchange", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "joins the states of a block's threads";
  let description = [{
    Every thread gives one state, of which those of the first `present` threads
    (at least one) count. All threads of the block take part; the result is
    thread 0's. The lower thread is always the left operand.

    | tree    | rounds                             | barriers          |
    |---------|------------------------------------|-------------------|
    | halving | t < s takes t + s, s = T/2 … 1     | 1 + log2(threads) |
    | pairs   | t mod 2s = 0 takes t + s, s = 1 …  | 1 + log2(threads) |
    | down    | shuffles of strides 16 … 1, then   | 1 (one warp: 0)   |
    |         | the warps' states the same way     |                   |
    | up      | shuffles of strides 1 … 16, then   | 1 (one warp: 0)   |
    |         | the warps' states the same way     |                   |

    Two of them in one function share their memory, so that a barrier has to
    lie between them.
  }];
  let arguments = (ins
    Variadic<AnyType>:$from,
    Index:$thread, Index:$present,
    Variadic<AnyType>:$params,
    FlatSymbolRefAttr:$combine,
    Fold_ExchangeAttr:$tree,
    I64Attr:$warps);
  let results = (outs Variadic<AnyType>:$states);
  let assemblyFormat = [{
    $from `thread` $thread `present` $present
    (`params` `(` $params^ `:` type($params) `)`)? `combine` $combine
    `tree` $tree `warps` $warps attr-dict `:` type($from) `->` type($states)
  }];
  let hasVerifier = 1;
}

def Fold_GridAtomicOp : Fold_Op<"grid_atomic", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "joins a state of 4 or 8 bytes into memory, all at once";
  let description = [{
    memory = combine(memory, from), as one step that no other thread of the
    device sees half of. One machine atomic where combine is a single operation
    that has one; else compare-and-swap on the bits until nobody was faster.
  }];
  let arguments = (ins
    AnyType:$from,
    LLVM_AnyPointer:$memory,
    Index:$at,
    Variadic<AnyType>:$params,
    FlatSymbolRefAttr:$combine);
  let assemblyFormat = [{
    $from `into` $memory `at` $at (`params` `(` $params^ `:` type($params) `)`)?
    `combine` $combine attr-dict `:` type($from) `,` type($memory)
  }];
  let hasVerifier = 1;
}

def Fold_LastBlockOp : Fold_Op<"last_block", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "is this the last of the blocks that share an output?";
  let description = [{
    Thread 0 draws from `ticket`; the answer is the same in all threads of the
    block, all of which take part (one barrier). What thread 0 of any block wrote
    before is seen after it by the last one. The ticket is zero again afterwards.
  }];
  let arguments = (ins
    LLVM_AnyPointer:$tickets,
    Index:$thread, Index:$ticket, Index:$runs);
  let results = (outs I1:$last);
  let assemblyFormat = [{
    $tickets `thread` $thread `ticket` $ticket `of` $runs attr-dict
    `:` type($tickets)
  }];
}

#endif
