// RUN: warpfold-opt %s --fold-lower-rows -canonicalize -cse | FileCheck %s

// A slot an element, by map alone, at ascending addresses.
// CHECK-LABEL: func.func @block(
// CHECK-SAME: %[[X:.*]]: memref<?xf32>, %[[FIRST:.*]]: index)
// CHECK-NOT: scf.
// CHECK: %[[L0:.*]] = vector.load %[[X]][%[[FIRST]]] : memref<?xf32>, vector<4xf32>
// CHECK: %[[S0:.*]] = call @map.v4(%[[L0]],
// CHECK: %[[AT:.*]] = arith.addi %[[FIRST]], %c4
// CHECK: %[[L1:.*]] = vector.load %[[X]][%[[AT]]] : memref<?xf32>, vector<4xf32>
// CHECK: %[[S1:.*]] = call @map.v4(%[[L1]],
// CHECK-NOT: fold.lift
// CHECK: return %[[S0]], %[[S1]]
func.func @block(%x: memref<?xf32>, %first: index) -> (vector<4xf32>, vector<4xf32>) {
  %n = arith.constant 8 : index
  %s:2 = fold.lift %x[] first %first count %n position %first map @map
    : memref<?xf32> -> vector<4xf32>, vector<4xf32>
  return %s#0, %s#1 : vector<4xf32>, vector<4xf32>
}

// What may not be there is masked.
// CHECK-LABEL: func.func @partial(
// CHECK-NOT: vector.load
// CHECK: vector.maskedload
// CHECK-NOT: vector.load
// CHECK: return
func.func @partial(%x: memref<?xf32>, %first: index, %n: index) -> vector<4xf32> {
  %s = fold.lift %x[] first %first count %n position %first map @map partial_row
    : memref<?xf32> -> vector<4xf32>
  return %s : vector<4xf32>
}

// Two members of two vectors each: member by member.
// CHECK-LABEL: func.func @members(
// CHECK: %[[A:.*]]:2 = call @pair.v4(
// CHECK: %[[B:.*]]:2 = call @pair.v4(
// CHECK: return %[[A]]#0, %[[B]]#0, %[[A]]#1, %[[B]]#1
func.func @members(%x: memref<?xf32>, %first: index) -> (vector<4xf32>, vector<4xf32>, vector<4xi64>, vector<4xi64>) {
  %n = arith.constant 8 : index
  %s:4 = fold.lift %x[] first %first count %n position %first map @pair
    : memref<?xf32> -> vector<4xf32>, vector<4xf32>, vector<4xi64>, vector<4xi64>
  return %s#0, %s#1, %s#2, %s#3 : vector<4xf32>, vector<4xf32>, vector<4xi64>, vector<4xi64>
}

func.func private @map(%x: f32, %k: i64) -> f32 {
  return %x : f32
}
func.func private @pair(%x: f32, %k: i64) -> (f32, i64) {
  return %x, %k : f32, i64
}
