// RUN: warpfold-opt %s --fold-lower-chain -canonicalize -cse | FileCheck %s

// A strict left fold: map of element 0, then update from 1 on, one at a time.
// CHECK-LABEL: func.func @seeded(
// CHECK-SAME: %[[X:.*]]: memref<?xf32, strided<[?]>>, %[[N:.*]]: index)
// CHECK: %[[V:.*]] = memref.load %[[X]][%c0]
// CHECK: %[[S:.*]] = call @map(%[[V]], %c0_i64)
// CHECK: scf.for %[[I:.*]] = %c1 to %[[N]] step %c1 iter_args(%[[A:.*]] = %[[S]])
// CHECK: %[[K:.*]] = arith.index_cast %[[I]] : index to i64
// CHECK: %[[W:.*]] = memref.load %[[X]][%[[I]]]
// The count of the state is k, since the first k elements are in it.
// CHECK: %[[U:.*]] = func.call @update(%[[A]], %[[K]], %[[W]], %[[K]])
// CHECK: scf.yield %[[U]]
// CHECK-NOT: fold.chain
// CHECK: return
func.func @seeded(%x: memref<?xf32, strided<[?]>>, %n: index) -> f32 {
  %c = arith.constant 0 : index
  %s = fold.chain %x[] first %c count %n position %c map @map update @update
    : memref<?xf32, strided<[?]>> -> f32
  return %s : f32
}

// Going on from a state there is no seed: all elements by update.
// CHECK-LABEL: func.func @goes_on(
// CHECK-SAME: %[[X:.*]]: memref<?xf32>, %[[N:.*]]: index, %[[K:.*]]: index, %[[S:.*]]: f32)
// CHECK-NOT: call @map
// CHECK: scf.for %[[I:.*]] = %c0 to %[[N]] step %c1 iter_args(%[[A:.*]] = %[[S]])
// CHECK: %[[KI:.*]] = arith.addi %[[K]], %[[I]]
// CHECK: %[[K64:.*]] = arith.index_cast %[[KI]] : index to i64
// CHECK: memref.load %[[X]][%[[I]]]
// CHECK: func.call @update(%[[A]], %[[K64]], %{{.*}}, %[[K64]])
func.func @goes_on(%x: memref<?xf32>, %n: index, %k: index, %s: f32) -> f32 {
  %c = arith.constant 0 : index
  %r = fold.chain %x[] first %c count %n position %k from(%s : f32)
    map @map update @update : memref<?xf32> -> f32
  return %r : f32
}

func.func private @map(%x: f32, %k: i64) -> f32 {
  return %x : f32
}
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 {
  %r = arith.addf %s, %x : f32
  return %r : f32
}
