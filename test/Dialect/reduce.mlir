// RUN: warpfold-opt %s | warpfold-opt | FileCheck %s
// RUN: warpfold-opt %s -mlir-print-op-generic | warpfold-opt | FileCheck %s
// RUN: warpfold-opt %s -canonicalize | FileCheck %s --check-prefix=CANON
// RUN: warpfold-opt %s -mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// One input, one kept axis. A canonical op stays as it is.
// CHECK-LABEL: func.func @row
// CHECK: fold.reduce ins(%{{.*}} : memref<?x?xf32, strided<[?, 1]>>)
// CHECK-SAME: outs(%{{.*}} : memref<?xf32>) axes [1] order canonical
// CHECK-SAME: map @map combine @combine update @update finish @finish
// CHECK-NOT: keep_dims
// CHECK-NOT: commutative
// CANON-LABEL: func.func @row
// CANON: axes [1]
// GENERIC: "fold.reduce"
// GENERIC-SAME: axes = array<i64: 1>
// GENERIC-SAME: operandSegmentSizes = array<i32: 1, 1, 0>
// GENERIC-SAME: order = #fold<order canonical>
func.func @row(%x: memref<?x?xf32, strided<[?, 1]>>, %y: memref<?xf32>) {
  fold.reduce ins(%x : memref<?x?xf32, strided<[?, 1]>>) outs(%y : memref<?xf32>)
    axes [1] order canonical
    map @map combine @combine update @update finish @finish
  return
}

// Every optional part: several inputs and outputs, params, facts, a plan.
// CHECK-LABEL: func.func @all_parts
// CHECK: fold.reduce ins(%{{.*}}, %{{.*}} : memref<4x8xf32>, memref<4x?xi8>)
// CHECK-SAME: outs(%{{.*}}, %{{.*}} : memref<4x1xf32>, memref<4x1xi8>)
// CHECK-SAME: params(%{{.*}}, %{{.*}} : f32, i64) axes [1] order ordered
// CHECK-SAME: finish @finish2 keep_dims commutative exact plan <"cpu kind=row">
func.func @all_parts(%x: memref<4x8xf32>, %m: memref<4x?xi8>,
                     %y: memref<4x1xf32>, %z: memref<4x1xi8>, %p: f32, %q: i64) {
  fold.reduce ins(%x, %m : memref<4x8xf32>, memref<4x?xi8>)
    outs(%y, %z : memref<4x1xf32>, memref<4x1xi8>)
    params(%p, %q : f32, i64) axes [1] order ordered
    map @map2 combine @combine2 update @update2 finish @finish2
    keep_dims commutative exact plan #fold.plan<"cpu kind=row">
  return
}

// No axis at all: every element is its own fold.
// CHECK-LABEL: func.func @no_axes
// CHECK: axes [] order sequential
func.func @no_axes(%x: memref<?xf32>, %y: memref<?xf32>) {
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<?xf32>)
    axes [] order sequential
    map @map combine @combine update @update finish @finish
  return
}

// Axes may count from the end and stand in any order; the position k of an
// element does not depend on it, so one form is enough.
// CHECK-LABEL: func.func @axes
// CHECK: axes [-1, 0]
// CANON-LABEL: func.func @axes
// CANON: axes [0, 2]
func.func @axes(%x: memref<?x?x?xf32>, %y: memref<?xf32>) {
  fold.reduce ins(%x : memref<?x?x?xf32>) outs(%y : memref<?xf32>)
    axes [-1, 0] order canonical
    map @map combine @combine update @update finish @finish
  return
}

// CANON-LABEL: func.func @unsorted
// CANON: axes [0, 1, 2]
func.func @unsorted(%x: memref<?x?x?xf32>, %y: memref<f32>) {
  fold.reduce ins(%x : memref<?x?x?xf32>) outs(%y : memref<f32>)
    axes [2, 0, 1] order canonical
    map @map combine @combine update @update finish @finish
  return
}

// It writes its outputs: nobody may drop it for want of results, and the two
// are not one.
// CANON-LABEL: func.func @writes
// CANON-COUNT-2: fold.reduce
func.func @writes(%x: memref<?xf32>, %y: memref<f32>, %z: memref<f32>) {
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0]
    order canonical map @map combine @combine update @update finish @finish
  fold.reduce ins(%x : memref<?xf32>) outs(%z : memref<f32>) axes [0]
    order canonical map @map combine @combine update @update finish @finish
  return
}

func.func private @map(%x: f32, %k: i64) -> f32 {
  return %x : f32
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 {
  %r = arith.addf %a, %b : f32
  return %r : f32
}
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 {
  %r = arith.addf %s, %x : f32
  return %r : f32
}
func.func private @finish(%s: f32, %n: i64) -> f32 {
  return %s : f32
}

// A bool is i1 in functions and i8 in memory.
func.func private @map2(%x: f32, %m: i1, %k: i64, %p: f32, %q: i64) -> (f32, i1) {
  return %x, %m : f32, i1
}
func.func private @combine2(%a: f32, %c: i1, %b: f32, %d: i1, %na: i64, %nb: i64, %p: f32, %q: i64) -> (f32, i1) {
  return %a, %c : f32, i1
}
func.func private @update2(%s: f32, %t: i1, %n: i64, %x: f32, %m: i1, %k: i64, %p: f32, %q: i64) -> (f32, i1) {
  return %s, %t : f32, i1
}
func.func private @finish2(%s: f32, %t: i1, %n: i64, %p: f32, %q: i64) -> (f32, i1) {
  return %s, %t : f32, i1
}
