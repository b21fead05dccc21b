//===- LaneOps.td - Tier operations as a GPU's threads see them -*- tablegen -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The lane form of the tiers: one program for all threads of a block, in which
// a value is this lane's own. Arrays are plain pointers with an element offset;
// `index` is as wide as the plan's `address`.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_DIALECT_LANE_OPS
#define WARPFOLD_DIALECT_LANE_OPS

include "FoldOps.td"
include "mlir/Dialect/LLVMIR/LLVMOpBase.td"

def Fold_LaneRowsOp : Fold_Op<"lane_rows", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "folds a chunk's elements into the slots of this lane";
  let description = [{
    Element j of a row of `32 * vector` belongs to lane j div vector, and there
    to slot j mod `accumulators`; a slot is seeded by `map` and goes on by
    `update`, in increasing k. The chunk is [first, first + count) of a fold
    whose element k = 0 lies at `offsets` (one an input, in elements). `strides`
    are, input by input, those of the reduced axes; `sizes` their lengths.
    `inner` says which innermost strides are known (0, 1, or -1).

    Without `tail` the chunk has exactly `rows` rows; the last may be short of
    elements with `rest`. With `tail` it has any count up to `rows` rows.
    `even`: count is a multiple of `vector`. `vectors`: a lane's elements of a
    row are read by one load, which is aligned. `flight` rows are under way
    before the first is folded.

    Results: every member's `accumulators` states, then with `counted` as many
    element counts (i64).
  }];
  let arguments = (ins
    Variadic<LLVM_AnyPointer>:$inputs,
    Variadic<Index>:$offsets,
    Variadic<Index>:$sizes,
    Variadic<Index>:$strides,
    Index:$lane,
    Index:$first,
    Index:$count,
    Index:$position,
    Variadic<AnyType>:$params,
    FlatSymbolRefAttr:$map,
    FlatSymbolRefAttr:$update,
    DenseI64ArrayAttr:$inner,
    I64Attr:$vector,
    I64Attr:$accumulators,
    I64Attr:$rows,
    I64Attr:$flight,
    UnitAttr:$rest,
    UnitAttr:$tail,
    UnitAttr:$even,
    UnitAttr:$vectors,
    UnitAttr:$counted);
  let results = (outs Variadic<AnyType>:$slots);
  let assemblyFormat = [{
    $inputs `offsets` `(` $offsets `)` `sizes` `(` $sizes `)`
    `strides` `(` $strides `)` `lane` $lane
    `first` $first `count` $count `position` $position
    (`params` `(` $params^ `:` type($params) `)`)?
    `map` $map `update` $update `inner` $inner
    `vector` $vector `accumulators` $accumulators `rows` $rows `flight` $flight
    (`rest` $rest^)? (`tail` $tail^)? (`even` $even^)? (`vectors` $vectors^)?
    (`counted` $counted^)? attr-dict `:` type($inputs) `->` type($slots)
  }];
  let hasVerifier = 1;
}

def Fold_LaneLiftOp : Fold_Op<"lane_lift", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "maps this lane's elements of a run of rows to a state each";
  let description = [{
    The leaves of `ordered`: result member m, row r, element j is `map` of
    element first + r * 32 * vector + lane * vector + j. Without `rest` all
    `rows` rows are there; with it only the first `count` elements are, and what
    stands for the others is undefined. Operands as in `fold.lane_rows`.
  }];
  let arguments = (ins
    Variadic<LLVM_AnyPointer>:$inputs,
    Variadic<Index>:$offsets,
    Variadic<Index>:$sizes,
    Variadic<Index>:$strides,
    Index:$lane, Index:$first, Index:$count, Index:$position,
    Variadic<AnyType>:$params,
    FlatSymbolRefAttr:$map,
    DenseI64ArrayAttr:$inner,
    I64Attr:$vector, I64Attr:$rows,
    UnitAttr:$rest, UnitAttr:$even, UnitAttr:$vectors);
  let results = (outs Variadic<AnyType>:$slots);
  let assemblyFormat = [{
    $inputs `offsets` `(` $offsets `)` `sizes` `(` $sizes `)`
    `strides` `(` $strides `)` `lane` $lane
    `first` $first `count` $count `position` $position
    (`params` `(` $params^ `:` type($params) `)`)?
    `map` $map `inner` $inner `vector` $vector `rows` $rows
    (`rest` $rest^)? (`even` $even^)? (`vectors` $vectors^)? attr-dict
    `:` type($inputs) `->` type($slots)
  }];
  let hasVerifier = 1;
}

def Fold_LaneSlotsOp : Fold_Op<"lane_slots", [
    AttrSizedOperandSegments, Pure,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "joins the slots of neighbouring lanes by the slot number";
  let description = [{
    Every lane holds n slots a member (and their counts last, with `counted`):
    slot n * (lane div stride mod lanes) + j. They join level by level, the
    lower slot on the left: first those of a lane, then those of `lanes` lanes
    that stand `stride` apart, by exchanges that count up with the operands
    chosen by the lane's bit, so that all these lanes end with the same bits.
    With `present` only that many slots, a prefix, hold a state; an absent side
    gives the other.

    With `loose` the operands are not chosen by the bit: the first lane's result
    alone is then meant.

    With `deal` every lane holds the slots of that many outputs, output by
    output within a member. The outputs are dealt out while they join: a lane
    gives away the half that its partner keeps, so that in the end lane l has
    the state of output l mod `deal`, with the same bits as without.
  }];
  let arguments = (ins
    Variadic<AnyType>:$slots,
    Index:$lane,
    Optional<Index>:$present,
    Variadic<AnyType>:$params,
    FlatSymbolRefAttr:$combine,
    I64Attr:$lanes,
    I64Attr:$stride,
    DefaultValuedAttr<I64Attr, "1">:$deal,
    UnitAttr:$loose,
    UnitAttr:$counted);
  let results = (outs Variadic<AnyType>:$states);
  let assemblyFormat = [{
    $slots `lane` $lane (`present` $present^)?
    (`params` `(` $params^ `:` type($params) `)`)?
    `combine` $combine `lanes` $lanes `stride` $stride (`deal` $deal^)?
    (`loose` $loose^)? (`counted` $counted^)? attr-dict `:` type($slots) `->` type($states)
  }];
  let hasVerifier = 1;
}

def Fold_LaneColumnOp : Fold_Op<"lane_column", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "folds neighbouring slots of neighbouring outputs";
  let description = [{
    A slot takes the elements first + t * step + q * gap for t < `rows` and
    q < `elements`, as far as they are below `limit`; slot l of `leaves` begins
    (l div gap) * step / 32 + l mod gap further on. This for `outputs` neighbouring outputs whose element
    k = 0 lies at `offsets`. A slot without an element is undefined. With `whole`
    all are there. With `vectors` the outputs are read
    by one load; otherwise output j lies j * `spread` further, and is read if it
    is one of the `width` that are left.

    `ahead` are the first `flight` elements, read before (see
    `fold.lane_ahead`); while the last ones are folded, those of the slots that
    begin at `next` are read, and are further results; `sure`: all of them are
    there.

    Results: for every member and output its slots' states, then with `counted`
    the slots' counts, then the elements read ahead.
  }];
  let arguments = (ins
    Variadic<LLVM_AnyPointer>:$inputs,
    Variadic<Index>:$offsets,
    Variadic<Index>:$sizes,
    Variadic<Index>:$strides,
    Index:$first, Index:$limit, Index:$width,
    Variadic<AnyType>:$ahead,
    Optional<Index>:$next,
    Variadic<AnyType>:$params,
    FlatSymbolRefAttr:$map,
    FlatSymbolRefAttr:$update,
    DenseI64ArrayAttr:$inner,
    I64Attr:$outputs, I64Attr:$spread, I64Attr:$leaves, I64Attr:$rows, I64Attr:$step,
    I64Attr:$elements, I64Attr:$gap, I64Attr:$flight,
    UnitAttr:$whole, UnitAttr:$sure, UnitAttr:$vectors, UnitAttr:$counted);
  let results = (outs Variadic<AnyType>:$states);
  let assemblyFormat = [{
    $inputs `offsets` `(` $offsets `)` `sizes` `(` $sizes `)`
    `strides` `(` $strides `)` `first` $first `limit` $limit `width` $width
    (`ahead` `(` $ahead^ `:` type($ahead) `)`)? (`next` $next^)?
    (`params` `(` $params^ `:` type($params) `)`)?
    `map` $map `update` $update `inner` $inner `outputs` $outputs
    `spread` $spread `leaves` $leaves `rows` $rows `step` $step `elements` $elements `gap` $gap
    `flight` $flight (`whole` $whole^)? (`sure` $sure^)? (`vectors` $vectors^)?
    (`counted` $counted^)? attr-dict `:` type($inputs) `->` type($states)
  }];
  let hasVerifier = 1;
}

def Fold_LaneAheadOp : Fold_Op<"lane_ahead", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "reads the first elements of a slot of neighbouring outputs";
  let description = [{
    The first `flight` elements that a `fold.lane_column` with the same operands
    would fold, as they are stored: element by element, input by input, output
    by output.
  }];
  let arguments = (ins
    Variadic<LLVM_AnyPointer>:$inputs,
    Variadic<Index>:$offsets,
    Variadic<Index>:$sizes,
    Variadic<Index>:$strides,
    Index:$first, Index:$limit, Index:$width,
    FlatSymbolRefAttr:$map,
    DenseI64ArrayAttr:$inner,
    I64Attr:$outputs, I64Attr:$spread, I64Attr:$leaves, I64Attr:$rows, I64Attr:$step,
    I64Attr:$elements, I64Attr:$gap, I64Attr:$flight,
    UnitAttr:$sure, UnitAttr:$vectors);
  let results = (outs Variadic<AnyType>:$ahead);
  let assemblyFormat = [{
    $inputs `offsets` `(` $offsets `)` `sizes` `(` $sizes `)`
    `strides` `(` $strides `)` `first` $first `limit` $limit `width` $width
    `map` $map `inner` $inner `outputs` $outputs
    `spread` $spread `leaves` $leaves `rows` $rows `step` $step `elements` $elements `gap` $gap
    `flight` $flight (`sure` $sure^)? (`vectors` $vectors^)? attr-dict
    `:` type($inputs) `->` type($ahead)
  }];
  let hasVerifier = 1;
}

def Fold_LaneChainOp : Fold_Op<"lane_chain", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "folds an output's elements one after the other";
  let description = [{
    The only tier of `sequential`: a strict left fold of the elements 0 …
    `count` - 1, at least one, seeded by `map`. `flight` elements are read ahead.
    Operands as in `fold.lane_rows`.
  }];
  let arguments = (ins
    Variadic<LLVM_AnyPointer>:$inputs,
    Variadic<Index>:$offsets,
    Variadic<Index>:$sizes,
    Variadic<Index>:$strides,
    Index:$count,
    Variadic<AnyType>:$params,
    FlatSymbolRefAttr:$map,
    FlatSymbolRefAttr:$update,
    DenseI64ArrayAttr:$inner,
    I64Attr:$flight);
  let results = (outs Variadic<AnyType>:$states);
  let assemblyFormat = [{
    $inputs `offsets` `(` $offsets `)` `sizes` `(` $sizes `)`
    `strides` `(` $strides `)` `count` $count
    (`params` `(` $params^ `:` type($params) `)`)?
    `map` $map `update` $update `inner` $inner `flight` $flight attr-dict
    `:` type($inputs) `->` type($states)
  }];
  let hasVerifier = 1;
}

def Fold_BlockOp : Fold_Op<"block", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "joins the states of a block's warps";
  let description = [{
    Every warp gives one state (the same in all its lanes, or its first lane's);
    they join by the bits of the warp number, the lower on the left, through one
    slot a warp of shared memory and one barrier. Of the `warps` warps the first
    `present` hold a state; without it all do. All threads of the block take
    part. The result is thread 0's.
  }];
  let arguments = (ins
    Variadic<AnyType>:$from,
    Index:$thread,
    Optional<Index>:$present,
    Variadic<AnyType>:$params,
    FlatSymbolRefAttr:$combine,
    I64Attr:$warps,
    UnitAttr:$counted);
  let results = (outs Variadic<AnyType>:$states);
  let assemblyFormat = [{
    $from `thread` $thread (`present` $present^)?
    (`params` `(` $params^ `:` type($params) `)`)?
    `combine` $combine `warps` $warps (`counted` $counted^)? attr-dict
    `:` type($from) `->` type($states)
  }];
  let hasVerifier = 1;
}

def Fold_BlockColumnsOp : Fold_Op<"block_columns", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "joins slots that lie in warps, for neighbouring outputs";
  let description = [{
    Every thread gives the states of `each` outputs of one slot: outputs
    `column` + j * `spread` of `columns`, slot `slot` of `slots`. Threads whose
    `holds` is false give nothing. The slots join by their bits, the lower on
    the left, of which the first `present` are there. Thread t < `columns` gets
    the state of output t; what others get is undefined. All threads of the
    block take part: two barriers, `columns * slots` states of shared memory.
  }];
  let arguments = (ins
    Variadic<AnyType>:$from,
    Index:$thread, I1:$holds, Index:$slot, Index:$column,
    Index:$present,
    Variadic<AnyType>:$params,
    FlatSymbolRefAttr:$combine,
    I64Attr:$each, I64Attr:$spread, I64Attr:$columns, I64Attr:$slots,
    I64Attr:$threads,
    UnitAttr:$counted);
  let results = (outs Variadic<AnyType>:$states);
  let assemblyFormat = [{
    $from `thread` $thread `holds` $holds `slot` $slot `column` $column
    `present` $present (`params` `(` $params^ `:` type($params) `)`)?
    `combine` $combine `each` $each `spread` $spread `columns` $columns
    `slots` $slots `threads` $threads (`counted` $counted^)? attr-dict
    `:` type($from) `->` type($states)
  }];
  let hasVerifier = 1;
}

def Fold_GridOp : Fold_Op<"grid", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "joins the states of the blocks that share an output";
  let description = [{
    Thread t < `columns` keeps its state at element `at` of `partials` (one
    pointer a member); then the block draws from `ticket`. The block that comes
    last joins all `runs` states (at most `most`), the lower run on the left, run
    r at element `from_at` + r * `pitch` (+ t), and its thread t < `columns`
    gets the joined state; `last` is true in all its threads. The ticket is zero
    again afterwards. All threads of the block take part.
  }];
  let arguments = (ins
    Variadic<AnyType>:$from,
    Variadic<LLVM_AnyPointer>:$partials,
    LLVM_AnyPointer:$tickets,
    Index:$thread, Index:$ticket, Index:$at, Index:$from_at, Index:$pitch,
    Index:$runs, Index:$width,
    Variadic<AnyType>:$params,
    FlatSymbolRefAttr:$combine,
    I64Attr:$warps, I64Attr:$columns, I64Attr:$most,
    UnitAttr:$counted);
  let results = (outs I1:$last, Variadic<AnyType>:$states);
  let assemblyFormat = [{
    $from `partials` `(` $partials `)` `tickets` $tickets `thread` $thread
    `ticket` $ticket `at` $at `from_at` $from_at `pitch` $pitch `runs` $runs
    `width` $width (`params` `(` $params^ `:` type($params) `)`)?
    `combine` $combine `warps` $warps `columns` $columns
    `most` $most (`counted` $counted^)? attr-dict
    `:` type($from) `partials` type($partials) `tickets` type($tickets)
    `->` type($last) `,` type($states)
  }];
  let hasVerifier = 1;
}

include "LadderOps.td"

#endif
