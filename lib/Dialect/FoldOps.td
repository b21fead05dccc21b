//===- FoldOps.td - fold.reduce and the tier operations ------*- tablegen -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_DIALECT_FOLD_OPS
#define WARPFOLD_DIALECT_FOLD_OPS

include "FoldDialect.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Fold_Op<string mnemonic, list<Trait> traits = []>
    : Op<Fold_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// reduce
//===----------------------------------------------------------------------===//

def Fold_ReduceOp : Fold_Op<"reduce", [
    AttrSizedOperandSegments, HasParent<"::mlir::func::FuncOp">,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "reduces strided arrays along axes into outputs";
  let description = [{
    Reads `inputs` (one shape, any strides) and writes `outputs`, whose shape is
    that of the inputs without `axes` (with length 1 there under `keep_dims`).
    Element k of an output's fold is counted row-major over `axes`, in the
    order of the dimensions.

    `map` takes the elements, the position k (i64) and the params and gives the
    state; `combine` takes two states, their element counts and the params;
    `update` a state, its count, the elements, k and the params; `finish` a
    state, its count and the params, and gives the outputs. A bool is i1 in
    functions and i8 in memory.

    Constraints:
    (C1) all inputs have one shape; (C2) axes are distinct and in range;
    (C3) outputs have the shape the inputs and axes give; (C4) the functions
    exist and take and give what is written above.

    ```mlir
    fold.reduce ins(%x : memref<?x?xf32, strided<[?, 1]>>)
        outs(%y : memref<?xf32>) axes [1] order canonical
        map @map combine @combine update @update finish @finish
    ```
  }];
  let arguments = (ins
    Variadic<AnyStridedMemRef>:$inputs,
    Variadic<AnyStridedMemRef>:$outputs,
    Variadic<AnyType>:$params,
    DenseI64ArrayAttr:$axes,
    Fold_OrderAttr:$order,
    FlatSymbolRefAttr:$map,
    FlatSymbolRefAttr:$combine,
    FlatSymbolRefAttr:$update,
    FlatSymbolRefAttr:$finish,
    UnitAttr:$keep_dims,
    UnitAttr:$commutative,
    UnitAttr:$exact,
    OptionalAttr<Fold_PlanAttr>:$plan);
  let assemblyFormat = [{
    `ins` `(` $inputs `:` type($inputs) `)`
    `outs` `(` $outputs `:` type($outputs) `)`
    (`params` `(` $params^ `:` type($params) `)`)?
    `axes` $axes `order` $order
    `map` $map `combine` $combine `update` $update `finish` $finish
    (`keep_dims` $keep_dims^)? (`commutative` $commutative^)? (`exact` $exact^)?
    (`plan` $plan^)? attr-dict
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

//===----------------------------------------------------------------------===//
// Tiers, value form: slots are vector lanes
//===----------------------------------------------------------------------===//

def Fold_RowsOp : Fold_Op<"rows", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "folds the elements of one chunk into its slots";
  let description = [{
    `indices` give the first dimensions of every input; k is row-major over the
    rest, usually one. Where it is several, the innermost holds whole rows (of
    `32 * vector` elements), so that no row is split. Of the elements [first, first + count), element
    j of a row of `32 * vector` goes to slot
    `(j div vector) * accumulators + j mod accumulators`; a slot is seeded by
    `map` and goes on by `update`, in increasing k.

    Results: for each state member its slots as vectors of equal width, in slot
    order; then, with `counted`, the slots' element counts (i64) likewise.

    With `partial_row`, count is less than a row: the slots that got an element are a
    prefix, and what is in the others is undefined. Without it, count must be
    at least a row and no more than `rows` rows; all slots are present.

    `position` is k of element `first` where it differs from `first` itself
    (a packed buffer begins at 0).
  }];
  let arguments = (ins
    Variadic<AnyStridedMemRef>:$inputs,
    Variadic<Index>:$indices,
    Index:$first,
    Index:$count,
    Index:$position,
    Variadic<AnyType>:$params,
    FlatSymbolRefAttr:$map,
    FlatSymbolRefAttr:$update,
    I64Attr:$vector,
    I64Attr:$accumulators,
    I64Attr:$rows,
    UnitAttr:$partial_row,
    UnitAttr:$counted);
  let results = (outs Variadic<AnyVectorOfNonZeroRank>:$slots);
  let assemblyFormat = [{
    $inputs `[` $indices `]` `first` $first `count` $count `position` $position
    (`params` `(` $params^ `:` type($params) `)`)?
    `map` $map `update` $update
    `vector` $vector `accumulators` $accumulators `rows` $rows
    (`partial_row` $partial_row^)? (`counted` $counted^)? attr-dict
    `:` type($inputs) `->` type($slots)
  }];
  let hasVerifier = 1;
}

def Fold_SlotsOp : Fold_Op<"slots", [
    AttrSizedOperandSegments, Pure,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "joins slots by the bits of the slot number";
  let description = [{
    Takes each member's slots as vectors of equal width, in slot order (and the
    counts last, with `counted`), and joins neighbours level by level, the lower
    slot on the left, until `groups` states are left: slots of one group are
    consecutive, a power of two of them.

    Of every `span` consecutive slots the first `present` hold a state; an
    absent side gives the other. Without `present` all do.

    Results: each member's `groups` states, as vectors of the operands' width or
    narrower; one scalar where `groups` is 1. Then the counts likewise.
  }];
  let arguments = (ins
    Variadic<AnyVectorOfNonZeroRank>:$slots,
    Optional<Index>:$present,
    Variadic<AnyType>:$params,
    FlatSymbolRefAttr:$combine,
    I64Attr:$groups,
    OptionalAttr<I64Attr>:$span,
    UnitAttr:$counted);
  let results = (outs Variadic<AnyType>:$states);
  let assemblyFormat = [{
    $slots (`present` $present^ `of` $span)? (`params` `(` $params^ `:` type($params) `)`)?
    `combine` $combine `groups` $groups (`counted` $counted^)? attr-dict
    `:` type($slots) `->` type($states)
  }];
  let hasVerifier = 1;
}

def Fold_ChunksOp : Fold_Op<"chunks", [
    SingleBlock, AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    RecursiveMemoryEffects]> {
  let summary = "joins the states of consecutive chunks by their bits";
  let description = [{
    Runs the region for chunk 0, 1, … `count` - 1 and joins the states it yields
    as a balanced tree by the bits of the chunk number, the lower on the left
    (three chunks: (c0 c1) c2), with a binary counter: one state a level.
    Values that go from one chunk to the next (read ahead, say) begin as
    `carried`, are further arguments of the region and further values of its
    yield, after the state.
    `count` must be at least 1. With `counted` the last yielded value is the
    element count of the state. With `levels` the counter is kept in values, and
    `count` is at most 2^(levels - 1).
  }];
  let arguments = (ins
    Index:$count,
    Variadic<AnyType>:$carried,
    Variadic<AnyType>:$params,
    FlatSymbolRefAttr:$combine,
    UnitAttr:$counted,
    OptionalAttr<I64Attr>:$levels);
  let regions = (region SizedRegion<1>:$body);
  let results = (outs Variadic<AnyType>:$states);
  let assemblyFormat = [{
    $count (`carried` `(` $carried^ `:` type($carried) `)`)?
    (`params` `(` $params^ `:` type($params) `)`)? `combine` $combine
    (`counted` $counted^)? (`levels` $levels^)? attr-dict `->` type($states) $body
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Fold_YieldOp : Fold_Op<"yield", [Pure, Terminator, ReturnLike,
                                     HasParent<"ChunksOp">]> {
  let summary = "ends the region of fold.chunks with the chunk's state";
  let arguments = (ins Variadic<AnyType>:$states);
  let assemblyFormat = "attr-dict ($states^ `:` type($states))?";
}

def Fold_LiftOp : Fold_Op<"lift", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "maps a block of consecutive elements to a state each";
  let description = [{
    The leaves of `ordered`: slot s is `map` of element first + s. Nothing is
    folded here, `update` has no part in it. With `partial_row`, only the first
    `count` slots hold an element. Inputs and `position` as in `fold.rows`.
  }];
  let arguments = (ins
    Variadic<AnyStridedMemRef>:$inputs,
    Variadic<Index>:$indices,
    Index:$first,
    Index:$count,
    Index:$position,
    Variadic<AnyType>:$params,
    FlatSymbolRefAttr:$map,
    UnitAttr:$partial_row);
  let results = (outs Variadic<AnyVectorOfNonZeroRank>:$slots);
  let assemblyFormat = [{
    $inputs `[` $indices `]` `first` $first `count` $count `position` $position
    (`params` `(` $params^ `:` type($params) `)`)?
    `map` $map (`partial_row` $partial_row^)? attr-dict
    `:` type($inputs) `->` type($slots)
  }];
  let hasVerifier = 1;
}

def Fold_TileLiftOp : Fold_Op<"tile_lift", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "maps consecutive elements of a tile of outputs to states";
  let description = [{
    The memory form of `fold.lift`: element s * width + c of `tile` is `map` of
    element first + s of output column + c, for s < count and c < width.
  }];
  let arguments = (ins
    Variadic<AnyStridedMemRef>:$inputs,
    Variadic<Index>:$indices,
    Index:$column, Index:$width,
    Index:$first, Index:$count,
    Variadic<AnyStridedMemRef>:$tile,
    Variadic<AnyType>:$params,
    FlatSymbolRefAttr:$map,
    I64Attr:$simd);
  let assemblyFormat = [{
    $inputs `[` $indices `]` `column` $column `width` $width
    `first` $first `count` $count
    `tile` $tile (`params` `(` $params^ `:` type($params) `)`)?
    `map` $map `simd` $simd attr-dict `:` type($inputs) `tile` type($tile)
  }];
  let hasVerifier = 1;
}

def Fold_ChainOp : Fold_Op<"chain", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "folds elements one after the other";
  let description = [{
    The only tier of `sequential`: a strict left fold of the elements
    [first, first + count), in increasing k. It goes on from the states `from`
    where they are given, else it is seeded by `map`; `count` must be at least 1
    then. `position` is k of element `first`.
  }];
  let arguments = (ins
    Variadic<AnyStridedMemRef>:$inputs,
    Variadic<Index>:$indices,
    Index:$first,
    Index:$count,
    Index:$position,
    Variadic<AnyType>:$from,
    Variadic<AnyType>:$params,
    FlatSymbolRefAttr:$map,
    FlatSymbolRefAttr:$update);
  let results = (outs Variadic<AnyType>:$states);
  let assemblyFormat = [{
    $inputs `[` $indices `]` `first` $first `count` $count `position` $position
    (`from` `(` $from^ `:` type($from) `)`)?
    (`params` `(` $params^ `:` type($params) `)`)?
    `map` $map `update` $update attr-dict
    `:` type($inputs) `->` type($states)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Tiers, memory form: a slot holds a tile of neighbouring outputs
//===----------------------------------------------------------------------===//

def Fold_TileRowsOp : Fold_Op<"tile_rows", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "folds elements into slots, for a tile of outputs at once";
  let description = [{
    The memory form of `fold.rows`. The innermost dimension of every input runs
    over outputs, those before it over k; `indices` give the rest. For `slots`
    slots from `slot` on, of the chunk whose elements are
    [first, first + count), and for `width` outputs from `column` on, element k
    goes to its slot (see `fold.rows`); slot s, output c is element
    `(s - slot) * width + c` of `tile`, one memref a state member.

    With `rows` 0 there is one slot and no chunk: a strict left fold of all
    elements in increasing k. `simd` outputs are folded in one vector.
  }];
  let arguments = (ins
    Variadic<AnyStridedMemRef>:$inputs,
    Variadic<Index>:$indices,
    Index:$column, Index:$width,
    Index:$first, Index:$count,
    Index:$slot, Index:$slots,
    Variadic<AnyStridedMemRef>:$tile,
    Variadic<AnyType>:$params,
    FlatSymbolRefAttr:$map,
    FlatSymbolRefAttr:$update,
    I64Attr:$vector, I64Attr:$accumulators, I64Attr:$rows, I64Attr:$simd);
  let assemblyFormat = [{
    $inputs `[` $indices `]` `column` $column `width` $width
    `first` $first `count` $count `slot` $slot `slots` $slots
    `tile` $tile (`params` `(` $params^ `:` type($params) `)`)?
    `map` $map `update` $update `vector` $vector `accumulators` $accumulators
    `rows` $rows `simd` $simd attr-dict `:` type($inputs) `tile` type($tile)
  }];
  let hasVerifier = 1;
}

def Fold_PanelRowsOp : Fold_Op<"panel_rows", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "folds whole rows of neighbouring outputs into their slots";
  let description = [{
    For folds over several axes. After `indices`, an input's dimensions are the
    outputs, then k, row-major over the rest; the innermost has stride 1 and
    holds whole rows of `32 * vector` elements. For `width` outputs from
    `column` on, the elements [first, first + count), a whole number of rows,
    go to their slots, one an element of a row: slot s of output c is element
    `c * 32 * vector + s` of `panel`, one memref a state member. `position` is
    k of element `first` as map and update see it.
  }];
  let arguments = (ins
    Variadic<AnyStridedMemRef>:$inputs,
    Variadic<Index>:$indices,
    Index:$column, Index:$width,
    Index:$first, Index:$count, Index:$position,
    Variadic<AnyStridedMemRef>:$panel,
    Variadic<AnyType>:$params,
    FlatSymbolRefAttr:$map,
    FlatSymbolRefAttr:$update,
    I64Attr:$vector, I64Attr:$simd);
  let assemblyFormat = [{
    $inputs `[` $indices `]` `column` $column `width` $width
    `first` $first `count` $count `position` $position
    `panel` $panel (`params` `(` $params^ `:` type($params) `)`)?
    `map` $map `update` $update `vector` $vector `simd` $simd attr-dict
    `:` type($inputs) `panel` type($panel)
  }];
  let hasVerifier = 1;
}

def Fold_TileSlotsOp : Fold_Op<"tile_slots", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "joins one slot's tile with those before it";
  let description = [{
    Slots and chunks of a column are one balanced tree over
    leaf = chunk * slots + slot, kept in one binary counter: level l of
    `counter`, `capacity` elements a level, holds the tile of a finished run of
    2^l leaves. Joins slot `slot` of `tile` (`width` outputs), which is leaf
    `leaf`, with the levels below the first clear bit of `leaf`. `counts` holds
    the levels' element counts, `elements` is this leaf's.
  }];
  let arguments = (ins
    Variadic<AnyStridedMemRef>:$tile,
    Index:$slot, Index:$width, Index:$leaf,
    Index:$elements,
    Variadic<AnyStridedMemRef>:$counter,
    AnyStridedMemRef:$counts,
    Variadic<AnyType>:$params,
    FlatSymbolRefAttr:$combine,
    I64Attr:$capacity, I64Attr:$simd);
  let assemblyFormat = [{
    $tile `slot` $slot `width` $width `leaf` $leaf `elements` $elements
    `counter` $counter `counts` $counts
    (`params` `(` $params^ `:` type($params) `)`)?
    `combine` $combine `capacity` $capacity `simd` $simd attr-dict
    `:` type($tile) `counter` type($counter) `counts` type($counts)
  }];
  let hasVerifier = 1;
}

def Fold_TileChunksOp : Fold_Op<"tile_chunks", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "joins what a counter holds into one tile";
  let description = [{
    After `leaves` calls of `fold.tile_slots`: joins the runs that are left, the
    smallest first, always the older on the left, and writes `width` outputs'
    states to the front of `tile`.
  }];
  let arguments = (ins
    Variadic<AnyStridedMemRef>:$counter,
    AnyStridedMemRef:$counts,
    Index:$leaves, Index:$width,
    Variadic<AnyStridedMemRef>:$tile,
    Variadic<AnyType>:$params,
    FlatSymbolRefAttr:$combine,
    I64Attr:$capacity, I64Attr:$simd);
  let assemblyFormat = [{
    $counter `counts` $counts `leaves` $leaves `width` $width `tile` $tile
    (`params` `(` $params^ `:` type($params) `)`)?
    `combine` $combine `capacity` $capacity `simd` $simd attr-dict
    `:` type($counter) `counts` type($counts) `tile` type($tile)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Gathering
//===----------------------------------------------------------------------===//

def Fold_PackOp : Fold_Op<"pack", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "gathers the elements of one output's fold into buffers";
  let description = [{
    Asks the runtime to write elements [first, first + count) of the fold of
    output `output` to the front of the buffers, one an input: where k runs over
    several axes, has no unit stride, or the elements are generated. `source` is
    a pointer to a wf_pack_source.
  }];
  let arguments = (ins AnyType:$source, Index:$output, Index:$first,
                       Index:$count);
  let assemblyFormat = [{
    $source `output` $output `first` $first `count` $count attr-dict
    `:` type($source)
  }];
}

#endif
