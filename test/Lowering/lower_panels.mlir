// RUN: warpfold-opt %s --fold-lower-panels -canonicalize -cse | FileCheck %s

// V = 1, so a row is 32 elements: two pieces of 16. Row 0 of every output seeds
// its slots by map.
// CHECK-LABEL: func.func @panel(
// CHECK-SAME: %[[X:[^:]*]]: memref<?x?x?x?xf32, strided<[?, ?, ?, 1]>>, %[[P:[^:]*]]: memref<?xf32>, %[[I:[^:]*]]: index, %[[C:[^:]*]]: index, %[[W:[^:]*]]: index, %[[FIRST:[^:]*]]: index, %[[N:[^:]*]]: index, %[[POS:[^:]*]]: index)
// CHECK-DAG: %[[OUTERS:.*]] = memref.alloca() : memref<4xindex>
// CHECK-DAG: %[[INNERS:.*]] = memref.alloca() : memref<4xindex>
// CHECK: %[[SIZE:.*]] = memref.dim %[[X]], %c3
// CHECK: %[[RUNROWS:.*]] = arith.divui %[[SIZE]], %c32
// CHECK: %[[INNER:.*]] = arith.remui %[[FIRST]], %[[SIZE]]
// CHECK: %[[OUTER:.*]] = arith.divui %[[FIRST]], %[[SIZE]]
// CHECK: scf.for %[[J:.*]] = %c0 to %[[W]] step %c1
// CHECK: %[[AT:.*]] = arith.addi %[[C]], %[[J]]
// CHECK: %[[L0:.*]] = vector.load %[[X]][%[[I]], %[[AT]], %[[OUTER]], %[[INNER]]] : {{.*}}, vector<16xf32>
// CHECK: %[[S0:.*]] = func.call @map.v16(%[[L0]],
// CHECK: %[[INNER1:.*]] = arith.addi %[[INNER]], %c16
// CHECK: %[[L1:.*]] = vector.load %[[X]][%[[I]], %[[AT]], %[[OUTER]], %[[INNER1]]]
// CHECK: %[[S1:.*]] = func.call @map.v16(%[[L1]],
// CHECK: %[[SLOT:.*]] = arith.muli %[[J]], %c32
// CHECK: vector.store %[[S0]], %[[P]][%[[SLOT]]]
// CHECK: %[[SLOT1:.*]] = arith.addi %[[SLOT]], %c16
// CHECK: vector.store %[[S1]], %[[P]][%[[SLOT1]]]
//
// From row 1 on, blocks of rows that touch up to four runs: to the end of the
// fourth, and not past the last row.
// CHECK: %[[ROWS:.*]] = arith.divui %[[N]], %c32
// CHECK: scf.while (%{{.*}} = %c1)
// CHECK: ^bb0(%[[R:.*]]: index):
// CHECK: %[[BEFORE:.*]] = arith.divui %{{.*}}, %c32
// CHECK: %[[FOUR:.*]] = arith.muli %[[RUNROWS]], %c4
// CHECK: %[[MOST:.*]] = arith.subi %[[FOUR]], %[[BEFORE]]
// CHECK: %[[REST:.*]] = arith.subi %[[ROWS]], %[[R]]
// CHECK: %[[LEFT:.*]] = arith.minui %[[MOST]], %[[REST]]
// CHECK: %[[RUNS:.*]] = arith.divui %{{.*}}, %[[RUNROWS]]
// Where each run begins is found once, not once an output.
// CHECK: scf.for %[[A:.*]] = %c0 to %[[RUNS]] step %c1
// CHECK-DAG: memref.store %{{.*}}, %[[OUTERS]][%[[A]]]
// CHECK-DAG: memref.store %{{.*}}, %[[INNERS]][%[[A]]]
// An output's slots stay in registers over all rows of the block.
// CHECK: scf.for %[[J2:.*]] = %c0 to %[[W]] step %c1
// CHECK-NOT: memref.dim
// CHECK: %[[T0:.*]] = vector.load %[[P]]
// CHECK: %[[T1:.*]] = vector.load %[[P]]
// CHECK: %[[ALL:.*]]:2 = scf.for %[[S:.*]] = %c0 to %[[RUNS]] step %c1 iter_args(%[[U0:.*]] = %[[T0]], %[[U1:.*]] = %[[T1]])
// CHECK: %[[LENGTH:.*]] = arith.minui
// CHECK-DAG: %[[O:.*]] = memref.load %[[OUTERS]][%[[S]]]
// CHECK-DAG: %[[B:.*]] = memref.load %[[INNERS]][%[[S]]]
// CHECK: scf.for %[[Q:.*]] = %c0 to %[[LENGTH]] step %c1 iter_args(%[[V0:.*]] = %[[U0]], %[[V1:.*]] = %[[U1]])
// CHECK-NOT: vector.load %[[P]]
// CHECK: %[[NUMBER:.*]] = arith.addi %{{.*}}, %[[Q]]
// CHECK: %[[OFFSET:.*]] = arith.muli %[[NUMBER]], %c32
// CHECK: %[[PASSED:.*]] = arith.muli %[[Q]], %c32
// CHECK: %[[ROW:.*]] = arith.addi %[[B]], %[[PASSED]]
// CHECK: %[[L2:.*]] = vector.load %[[X]][%[[I]], %{{.*}}, %[[O]], %[[ROW]]]
// k of an element counts from `position`.
// CHECK: arith.addi %[[OFFSET]], %[[POS]]
// CHECK: func.call @update.v16(%[[V0]], %{{.*}}, %[[L2]], %{{.*}})
// CHECK: %[[L3:.*]] = vector.load %[[X]]
// CHECK: func.call @update.v16(%[[V1]], %{{.*}}, %[[L3]], %{{.*}})
// CHECK: vector.store %[[ALL]]#0, %[[P]]
// CHECK: vector.store %[[ALL]]#1, %[[P]]
// CHECK: arith.addi %[[R]], %[[LEFT]]
// CHECK-NOT: fold.panel
// CHECK: return
func.func @panel(%x: memref<?x?x?x?xf32, strided<[?, ?, ?, 1]>>, %p: memref<?xf32>, %i: index, %c: index, %w: index, %k: index, %n: index, %pos: index) {
  fold.panel_rows %x[%i] column %c width %w first %k count %n position %pos
    panel %p map @map update @update vector 1 simd 16
    : memref<?x?x?x?xf32, strided<[?, ?, ?, 1]>> panel memref<?xf32>
  return
}

// Two members, a memref each, their slots side by side; positions are i32, and
// a bool of a panel is an i8.
// CHECK-LABEL: func.func @members(
// CHECK-SAME: %[[X:[^:]*]]: memref<?x?x?xf32>, %[[AT:[^:]*]]: memref<?xi32>, %[[BIG:[^:]*]]: memref<?xi8>,
// CHECK: %[[S:.*]]:2 = func.call @mapFirst.v32(%{{.*}}, %{{.*}}) : (vector<32xf32>, vector<32xi32>) -> (vector<32xi32>, vector<32xi1>)
// CHECK: vector.store %[[S]]#0, %[[AT]]
// CHECK: %[[BYTES:.*]] = arith.extui %[[S]]#1 : vector<32xi1> to vector<32xi8>
// CHECK: vector.store %[[BYTES]], %[[BIG]]
// CHECK: vector.load %[[AT]]
// CHECK: vector.load %[[BIG]]
// CHECK: arith.cmpi ne
// CHECK: func.call @updateFirst.v32
func.func @members(%x: memref<?x?x?xf32>, %at: memref<?xi32>, %big: memref<?xi8>, %w: index, %n: index) {
  %c = arith.constant 0 : index
  fold.panel_rows %x[] column %c width %w first %c count %n position %c
    panel %at, %big map @mapFirst update @updateFirst vector 1 simd 32
    : memref<?x?x?xf32> panel memref<?xi32>, memref<?xi8>
  return
}

func.func private @map(%x: f32, %k: i64) -> f32 {
  return %x : f32
}
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 {
  %r = arith.subf %s, %x : f32
  return %r : f32
}
func.func private @mapFirst(%x: f32, %k: i32) -> (i32, i1) {
  %one = arith.constant 1.0 : f32
  %big = arith.cmpf ogt, %x, %one : f32
  return %k, %big : i32, i1
}
func.func private @updateFirst(%at: i32, %big: i1, %n: i64, %x: f32, %k: i32) -> (i32, i1) {
  %r = arith.select %big, %at, %k : i32
  return %r, %big : i32, i1
}
