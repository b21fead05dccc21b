// RUN: warpfold-opt %s --fold-lower-slots -cse | FileCheck %s

// Neighbours join level by level: even slots of two vectors are the left side,
// odd ones the right, in slot order.
// CHECK-LABEL: func.func @tree(
// CHECK-SAME: %[[A:.*]]: vector<4xf32>, %[[B:.*]]: vector<4xf32>)
// CHECK: %[[L0:.*]] = vector.shuffle %[[A]], %[[B]] [0, 2, 4, 6]
// CHECK: %[[R0:.*]] = vector.shuffle %[[A]], %[[B]] [1, 3, 5, 7]
// CHECK: %[[T0:.*]] = call @combine.v4(%[[L0]], %[[R0]],
// CHECK: %[[L1:.*]] = vector.shuffle %[[T0]], %[[T0]] [0, 2]
// CHECK: %[[R1:.*]] = vector.shuffle %[[T0]], %[[T0]] [1, 3]
// CHECK: %[[T1:.*]] = call @combine.v2(%[[L1]], %[[R1]],
// The last two are scalars.
// CHECK: %[[L2:.*]] = vector.extract %[[T1]][0]
// CHECK: %[[R2:.*]] = vector.extract %[[T1]][1]
// CHECK: %[[T2:.*]] = call @combine(%[[L2]], %[[R2]],
// CHECK-NOT: fold.slots
// CHECK: return %[[T2]]
func.func @tree(%a: vector<4xf32>, %b: vector<4xf32>) -> f32 {
  %s = fold.slots %a, %b combine @combine groups 1 : vector<4xf32>, vector<4xf32> -> f32
  return %s : f32
}

// With groups it stops earlier: four pairs, no more.
// CHECK-LABEL: func.func @groups(
// CHECK: %[[T:.*]] = call @combine.v4
// CHECK-NOT: call
// CHECK: return %[[T]] : vector<4xf32>
func.func @groups(%a: vector<4xf32>, %b: vector<4xf32>) -> vector<4xf32> {
  %s = fold.slots %a, %b combine @combine groups 4
    : vector<4xf32>, vector<4xf32> -> vector<4xf32>
  return %s : vector<4xf32>
}

// One slot is the state.
// CHECK-LABEL: func.func @one(
// CHECK-NOT: call
// CHECK: %[[S:.*]] = vector.extract %{{.*}}[0]
// CHECK: return %[[S]]
func.func @one(%a: vector<1xf32>) -> f32 {
  %s = fold.slots %a combine @combine groups 1 : vector<1xf32> -> f32
  return %s : f32
}

// Vectors of one lane join as vectors; the state is the last one's lane.
// CHECK-LABEL: func.func @lanes_of_one(
// CHECK-SAME: %[[A:.*]]: vector<1xf32>, %[[B:.*]]: vector<1xf32>, %[[C:.*]]: vector<1xf32>, %[[D:[^:]*]]: vector<1xf32>)
// CHECK: %[[L0:.*]] = vector.shuffle %[[A]], %[[B]] [0]
// CHECK: %[[R0:.*]] = vector.shuffle %[[A]], %[[B]] [1]
// CHECK: %[[T0:.*]] = call @combine.v1(%[[L0]], %[[R0]],
// CHECK: %[[L1:.*]] = vector.shuffle %[[C]], %[[D]] [0]
// CHECK: %[[R1:.*]] = vector.shuffle %[[C]], %[[D]] [1]
// CHECK: %[[T1:.*]] = call @combine.v1(%[[L1]], %[[R1]],
// CHECK: %[[L2:.*]] = vector.shuffle %[[T0]], %[[T1]] [0]
// CHECK: %[[R2:.*]] = vector.shuffle %[[T0]], %[[T1]] [1]
// CHECK: %[[T2:.*]] = call @combine.v1(%[[L2]], %[[R2]],
// CHECK: %[[S:.*]] = vector.extract %[[T2]][0]
// CHECK: return %[[S]]
func.func @lanes_of_one(%a: vector<1xf32>, %b: vector<1xf32>, %c: vector<1xf32>, %d: vector<1xf32>) -> f32 {
  %s = fold.slots %a, %b, %c, %d combine @combine groups 1
    : vector<1xf32>, vector<1xf32>, vector<1xf32>, vector<1xf32> -> f32
  return %s : f32
}

// A side that is absent gives the other: lane i of the first level is two
// slots, and its right one is slot 2i + 1.
// CHECK-LABEL: func.func @present(
// CHECK-SAME: %[[A:.*]]: vector<4xf32>, %[[N:.*]]: index)
// CHECK: %[[N64:.*]] = arith.index_cast %[[N]] : index to i64
// CHECK: %[[FIRST:.*]] = arith.constant dense<[1, 3]> : vector<2xi64>
// CHECK: %[[NS:.*]] = vector.broadcast %[[N64]] : i64 to vector<2xi64>
// CHECK: %[[HERE:.*]] = arith.cmpi ult, %[[FIRST]], %[[NS]]
// CHECK: %[[L:.*]] = vector.shuffle %[[A]], %[[A]] [0, 2]
// CHECK: %[[T:.*]] = call @combine.v2(%[[L]],
// CHECK: %[[J:.*]] = arith.select %[[HERE]], %[[T]], %[[L]]
// CHECK: %[[TWO:.*]] = arith.constant 2 : i64
// CHECK: %[[HERE2:.*]] = arith.cmpi ugt, %[[N64]], %[[TWO]]
// CHECK: %[[L2:.*]] = vector.extract %[[J]][0]
// CHECK: %[[T2:.*]] = call @combine(%[[L2]],
// CHECK: arith.select %[[HERE2]], %[[T2]], %[[L2]]
func.func @present(%a: vector<4xf32>, %n: index) -> f32 {
  %s = fold.slots %a present %n of 4 combine @combine groups 1 : vector<4xf32> -> f32
  return %s : f32
}

// Where the number is known, what is absent costs nothing: of two spans of four
// slots with two in each, the second level has no right side.
// CHECK-LABEL: func.func @known(
// CHECK: %[[T:.*]] = call @combine.v4
// CHECK-NOT: call
// CHECK: %[[L:.*]] = vector.shuffle %{{.*}} [0, 2]
// CHECK-NOT: call
// CHECK: return %[[L]] : vector<2xf32>
func.func @known(%a: vector<8xf32>) -> vector<2xf32> {
  %n = arith.constant 2 : index
  %s = fold.slots %a present %n of 4 combine @combine groups 2 : vector<8xf32> -> vector<2xf32>
  return %s : vector<2xf32>
}

// Two members go side by side, and counts add up; combine is given them.
// CHECK-LABEL: func.func @counted(
// CHECK-SAME: %[[A:.*]]: vector<2xf32>, %[[B:.*]]: vector<2xi1>, %[[C:.*]]: vector<2xi64>)
// CHECK-DAG: %[[A0:.*]] = vector.extract %[[A]][0]
// CHECK-DAG: %[[A1:.*]] = vector.extract %[[A]][1]
// CHECK-DAG: %[[B0:.*]] = vector.extract %[[B]][0]
// CHECK-DAG: %[[B1:.*]] = vector.extract %[[B]][1]
// CHECK-DAG: %[[C0:.*]] = vector.extract %[[C]][0]
// CHECK-DAG: %[[C1:.*]] = vector.extract %[[C]][1]
// CHECK: %[[S:.*]]:2 = call @combine2(%[[A0]], %[[B0]], %[[A1]], %[[B1]], %[[C0]], %[[C1]])
// CHECK: %[[N:.*]] = arith.addi %[[C0]], %[[C1]]
// CHECK: return %[[S]]#0, %[[S]]#1, %[[N]]
func.func @counted(%a: vector<2xf32>, %b: vector<2xi1>, %c: vector<2xi64>) -> (f32, i1, i64) {
  %s:3 = fold.slots %a, %b, %c combine @combine2 groups 1 counted
    : vector<2xf32>, vector<2xi1>, vector<2xi64> -> f32, i1, i64
  return %s#0, %s#1, %s#2 : f32, i1, i64
}

func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 {
  %r = arith.subf %a, %b : f32
  return %r : f32
}
func.func private @combine2(%a: f32, %c: i1, %b: f32, %d: i1, %na: i64, %nb: i64) -> (f32, i1) {
  return %a, %d : f32, i1
}
