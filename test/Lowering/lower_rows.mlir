// RUN: warpfold-opt %s --fold-lower-rows -canonicalize -cse | FileCheck %s

// V = A = 1, so a row is 32 elements and a slot takes one of each. A row is
// read at ascending addresses: piece 0 at 0, piece 1 at 16.
//
// Row 0 seeds the slots by map, whole rows go on by update, and only the rest
// is masked: loads that are not there give nothing to the slot.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[X:.*]]: memref<?xf32>, %[[FIRST:.*]]: index, %[[N:.*]]: index)
// CHECK-NOT: vector.maskedload
// CHECK: %[[L0:.*]] = vector.load %[[X]][%[[FIRST]]] : memref<?xf32>, vector<16xf32>
// CHECK: %[[S0:.*]] = call @map.v16(%[[L0]], %{{.*}})
// CHECK: %[[AT1:.*]] = arith.addi %[[FIRST]], %c16
// CHECK: %[[L1:.*]] = vector.load %[[X]][%[[AT1]]] : memref<?xf32>, vector<16xf32>
// CHECK: %[[S1:.*]] = call @map.v16(%[[L1]], %{{.*}})
// CHECK: %[[ROWS:.*]] = arith.divui %[[N]], %c32
// CHECK: %[[LOOP:.*]]:2 = scf.for %[[R:.*]] = %c1 to %[[ROWS]] step %c1 iter_args(%[[A:.*]] = %[[S0]], %[[B:.*]] = %[[S1]])
// CHECK-NOT: vector.maskedload
// CHECK: %[[OFFSET:.*]] = arith.muli %[[R]], %c32
// CHECK: %[[ROW:.*]] = arith.addi %[[FIRST]], %[[OFFSET]]
// CHECK: %[[L2:.*]] = vector.load %[[X]][%[[ROW]]]
// CHECK: %[[U0:.*]] = func.call @update.v16(%[[A]], %{{.*}}, %[[L2]], %{{.*}})
// CHECK: %[[AT3:.*]] = arith.addi %[[ROW]], %c16
// CHECK: %[[L3:.*]] = vector.load %[[X]][%[[AT3]]]
// CHECK: %[[U1:.*]] = func.call @update.v16(%[[B]], %{{.*}}, %[[L3]], %{{.*}})
// CHECK: scf.yield %[[U0]], %[[U1]]
// Nothing is left: no masked load. Otherwise the absent lanes keep their state.
// CHECK: scf.if
// CHECK-NEXT: scf.yield %[[LOOP]]#0, %[[LOOP]]#1
// CHECK-NEXT: } else {
// CHECK-NOT: vector.load
// CHECK: %[[LEFT:.*]] = vector.broadcast %{{.*}} : i64 to vector<16xi64>
// CHECK: %[[MASK:.*]] = arith.cmpi ugt, %[[LEFT]], %{{.*}}
// CHECK: %[[L4:.*]] = vector.maskedload %[[X]][%{{.*}}], %[[MASK]]
// CHECK: %[[U2:.*]] = func.call @update.v16(%[[LOOP]]#0, %{{.*}}, %[[L4]], %{{.*}})
// CHECK: arith.select %[[MASK]], %[[U2]], %[[LOOP]]#0
// CHECK-NOT: fold.rows
// CHECK: return
func.func @rows(%x: memref<?xf32>, %first: index, %n: index) -> (vector<16xf32>, vector<16xf32>) {
  %s:2 = fold.rows %x[] first %first count %n position %first
    map @map update @update vector 1 accumulators 1 rows 32
    : memref<?xf32> -> vector<16xf32>, vector<16xf32>
  return %s#0, %s#1 : vector<16xf32>, vector<16xf32>
}

// V = 2, A = 1: a slot takes two neighbours, the earlier first. They come by
// one wide load (made once after inlining), and shuffles pick even and odd ones.
// CHECK-LABEL: func.func @neighbours(
// CHECK-SAME: %[[X:.*]]: memref<?xf32>, %[[FIRST:.*]]: index,
// CHECK-DAG: %[[ONE:.*]] = arith.constant dense<1> : vector<32xi64>
// CHECK-DAG: %[[W:.*]] = vector.load %[[X]][%[[FIRST]]] : memref<?xf32>, vector<64xf32>
// CHECK: %[[E:.*]] = vector.shuffle %[[W]], %[[W]] [0, 2, 4, 6, {{.*}} 62]
// CHECK: %[[S:.*]] = call @map.v32(%[[E]], %{{.*}})
// CHECK: %[[W2:.*]] = vector.load %[[X]][%[[FIRST]]] : memref<?xf32>, vector<64xf32>
// CHECK: %[[O:.*]] = vector.shuffle %[[W2]], %[[W2]] [1, 3, 5, 7, {{.*}} 63]
// CHECK: call @update.v32(%[[S]], %[[ONE]], %[[O]], %{{.*}})
func.func @neighbours(%x: memref<?xf32>, %first: index, %n: index) -> vector<32xf32> {
  %s = fold.rows %x[] first %first count %n position %first
    map @map update @update vector 2 accumulators 1 rows 32
    : memref<?xf32> -> vector<32xf32>
  return %s : vector<32xf32>
}

// Fewer elements than a row: every load is masked, and there is no loop.
// CHECK-LABEL: func.func @partial(
// CHECK-SAME: %[[X:.*]]: memref<?xf32>, %[[N:.*]]: index)
// CHECK-NOT: scf.for
// CHECK-NOT: vector.load
// CHECK: vector.maskedload %[[X]][%c0], %{{.*}} : memref<?xf32>, vector<16xi1>
// CHECK: vector.maskedload %[[X]][%c16], %{{.*}} : memref<?xf32>, vector<16xi1>
// CHECK-NOT: vector.load
// CHECK: return
func.func @partial(%x: memref<?xf32>, %n: index) -> (vector<16xf32>, vector<16xf32>) {
  %c = arith.constant 0 : index
  %s:2 = fold.rows %x[] first %c count %n position %c
    map @map update @update vector 1 accumulators 1 rows 32 partial_row
    : memref<?xf32> -> vector<16xf32>, vector<16xf32>
  return %s#0, %s#1 : vector<16xf32>, vector<16xf32>
}

// Where the count is known, whole vectors need no mask.
// CHECK-LABEL: func.func @known(
// CHECK: vector.load %{{.*}}[%c0] : memref<?xf32>, vector<4xf32>
// CHECK: vector.maskedload %{{.*}}[%c4]
func.func @known(%x: memref<?xf32>) -> (vector<4xf32>, vector<4xf32>) {
  %c = arith.constant 0 : index
  %n = arith.constant 6 : index
  %s:2 = fold.rows %x[] first %c count %n position %c
    map @map update @update vector 1 accumulators 1 rows 32 partial_row
    : memref<?xf32> -> vector<4xf32>, vector<4xf32>
  return %s#0, %s#1 : vector<4xf32>, vector<4xf32>
}

// A stride of 0 along k is one element for all lanes; a bool is i8 != 0.
// CHECK-LABEL: func.func @broadcast(
// CHECK: %[[V:.*]] = memref.load %{{.*}} : memref<?xi8, strided<[0]>>
// CHECK: %[[W:.*]] = vector.broadcast %[[V]] : i8 to vector<32xi8>
// CHECK: %[[B:.*]] = arith.cmpi ne, %[[W]]
// CHECK: call @mapBool.v32(%[[B]], %{{.*}})
func.func @broadcast(%x: memref<?xi8, strided<[0]>>, %first: index, %n: index) -> vector<32xi1> {
  %s = fold.rows %x[] first %first count %n position %first
    map @mapBool update @updateBool vector 1 accumulators 1 rows 1
    : memref<?xi8, strided<[0]>> -> vector<32xi1>
  return %s : vector<32xi1>
}

// k over two dimensions: row-major, so the start of a row is divided into both.
// CHECK-LABEL: func.func @planes(
// CHECK-SAME: %[[X:.*]]: memref<?x?x?xf32>, %[[I:.*]]: index, %[[FIRST:.*]]: index, %{{.*}}: index)
// CHECK: %[[SIZE:.*]] = memref.dim %[[X]], %c2
// CHECK-DAG: %[[INNER:.*]] = arith.remui %[[FIRST]], %[[SIZE]]
// CHECK-DAG: %[[OUTER:.*]] = arith.divui %[[FIRST]], %[[SIZE]]
// CHECK: vector.load %[[X]][%[[I]], %[[OUTER]], %[[INNER]]]
func.func @planes(%x: memref<?x?x?xf32>, %i: index, %first: index, %n: index) -> vector<32xf32> {
  %s = fold.rows %x[%i] first %first count %n position %first
    map @map update @update vector 1 accumulators 1 rows 32
    : memref<?x?x?xf32> -> vector<32xf32>
  return %s : vector<32xf32>
}

// k of an element counts from `position`, not from `first`.
// CHECK-LABEL: func.func @position(
// CHECK-SAME: %[[X:.*]]: memref<?xf32>, %[[N:.*]]: index, %[[K:.*]]: index)
// CHECK: %[[K64:.*]] = arith.index_cast %[[K]] : index to i64
// CHECK: %[[KS:.*]] = vector.broadcast %[[K64]] : i64 to vector<32xi64>
// CHECK: %[[P:.*]] = arith.addi %[[KS]], %{{.*}}
// CHECK: call @map.v32(%{{.*}}, %[[P]])
func.func @position(%x: memref<?xf32>, %n: index, %k: index) -> vector<32xf32> {
  %c = arith.constant 0 : index
  %s = fold.rows %x[] first %c count %n position %k
    map @map update @update vector 1 accumulators 1 rows 1
    : memref<?xf32> -> vector<32xf32>
  return %s : vector<32xf32>
}

// The counts: rows that are whole, and one more where the rest gave one.
// CHECK-LABEL: func.func @counted(
// CHECK: %[[ROWS:.*]] = arith.divui
// CHECK: } else {
// CHECK: }
// CHECK: %[[ROWS64:.*]] = arith.index_cast %[[ROWS]] : index to i64
// CHECK: %[[WHOLE:.*]] = vector.broadcast %[[ROWS64]] : i64 to vector<32xi64>
// CHECK: %[[HERE:.*]] = arith.cmpi ugt
// CHECK: %[[MORE:.*]] = arith.extui %[[HERE]] : vector<32xi1> to vector<32xi64>
// CHECK: %[[COUNT:.*]] = arith.addi %[[WHOLE]], %[[MORE]]
// CHECK: return %[[COUNT]]
func.func @counted(%x: memref<?xf32>, %first: index, %n: index) -> vector<32xi64> {
  %s:2 = fold.rows %x[] first %first count %n position %first
    map @map update @update vector 1 accumulators 1 rows 32 counted
    : memref<?xf32> -> vector<32xf32>, vector<32xi64>
  return %s#1 : vector<32xi64>
}

// A function becomes one on vectors, constants too; it is made once.
// CHECK: func.func private @map.v16(%{{.*}}: vector<16xf32>, %{{.*}}: vector<16xi64>) -> vector<16xf32>
// CHECK: arith.constant dense<2.000000e+00> : vector<16xf32>
// CHECK: arith.mulf {{.*}} : vector<16xf32>
// CHECK-NOT: func.func private @map.v16(
func.func private @map(%x: f32, %k: i64) -> f32 {
  %two = arith.constant 2.0 : f32
  %r = arith.mulf %x, %two : f32
  return %r : f32
}
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 {
  %r = arith.addf %s, %x : f32
  return %r : f32
}
func.func private @mapBool(%x: i1, %k: i64) -> i1 {
  return %x : i1
}
func.func private @updateBool(%s: i1, %n: i64, %x: i1, %k: i64) -> i1 {
  %r = arith.ori %s, %x : i1
  return %r : i1
}
