// RUN: warpfold-opt %s --fold-lower-chunks --canonicalize --cse | FileCheck %s

// A counter of chunks whose levels are values.
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 {
  %s = arith.addf %a, %b : f32
  return %s : f32
}
func.func private @state(i64) -> f32
func.func private @next(i8, index) -> i8

// Three levels: up to four chunks. A chunk meets the levels below the first
// clear bit of its number, the older on the left, and none of it is memory.
// CHECK-LABEL: func.func @levels(
// CHECK-SAME: %[[N:[^ ]*]]: index)
// CHECK-NOT: alloc
// CHECK: %[[L:.*]]:3 = scf.for %[[I:.*]] = %c0 to %[[N]] step %c1 iter_args(%[[L0:.*]] = %{{.*}}, %[[L1:.*]] = %{{.*}}, %[[L2:.*]] = %{{[^ ]*}}) ->
// CHECK: %[[S:.*]] = func.call @state
// CHECK: arith.andi %[[I]], %c1
// CHECK: %[[B0:.*]] = arith.cmpi ne
// CHECK: arith.select %[[B0]], %[[L0]], %[[S]]
// CHECK: scf.if %[[B0]]
// CHECK: %[[J:.*]] = func.call @combine(%[[L0]], %[[S]],
// CHECK: arith.andi %[[I]], %c2
// CHECK: %[[B1:.*]] = arith.cmpi ne
// CHECK: arith.select %[[B1]], %[[L1]], %[[J]]
// CHECK: scf.if %[[B1]]
// CHECK: func.call @combine(%[[L1]], %[[J]],
// CHECK: scf.yield %[[L2]]
// CHECK: scf.yield %[[L1]], %[[L2]]
// What is left, the lowest level on the right.
// CHECK: arith.andi %[[N]], %c1
// CHECK: %[[H0:.*]] = arith.cmpi ne
// CHECK: arith.andi %[[N]], %c2
// CHECK: %[[H1:.*]] = arith.cmpi ne
// CHECK: %[[R:.*]] = scf.if %[[H1]]
// CHECK: scf.if %[[H0]]
// CHECK: func.call @combine(%[[L]]#1, %[[L]]#0,
// CHECK: scf.yield %[[L]]#1
// CHECK: scf.yield %[[L]]#0
// CHECK: %[[ANY:.*]] = arith.ori %[[H0]], %[[H1]]
// CHECK: arith.andi %[[N]], %c4
// CHECK: scf.if %[[ANY]]
// CHECK: func.call @combine(%[[L]]#2, %[[R]],
// CHECK: scf.yield %[[L]]#2
// CHECK: scf.yield %[[R]]
func.func @levels(%n: index) -> f32 {
  %s = fold.chunks %n combine @combine levels 3 -> f32 {
  ^bb0(%c: index):
    %k = arith.index_cast %c : index to i64
    %v = func.call @state(%k) : (i64) -> f32
    fold.yield %v : f32
  }
  return %s : f32
}

// What is carried goes from chunk to chunk, beside the levels and their counts.
// CHECK-LABEL: func.func @carried(
// CHECK-SAME: %[[N:[^ ]*]]: index, %[[FIRST:[^ ]*]]: i8)
// CHECK: scf.for {{.*}} %[[A:[^ ]*]] = %[[FIRST]]) -> (f32, i64, f32, i64, i8)
// CHECK: %[[C:.*]] = arith.extui %[[A]]
// CHECK: %[[NEXT:.*]] = func.call @next(%[[A]],
// CHECK: func.call @combine(%[[L0:.*]], %{{.*}}, %[[N0:.*]], %[[C]])
// CHECK: arith.addi %[[N0]], %[[C]]
// CHECK: scf.yield {{.*}}, %[[NEXT]] : f32, i64, f32, i64, i8
func.func @carried(%n: index, %first: i8) -> (f32, i64) {
  %s:2 = fold.chunks %n carried(%first : i8) combine @combine counted levels 2 -> f32, i64 {
  ^bb0(%c: index, %a: i8):
    %k = arith.extui %a : i8 to i64
    %v = func.call @state(%k) : (i64) -> f32
    %b = func.call @next(%a, %c) : (i8, index) -> i8
    fold.yield %v, %k, %b : f32, i64, i8
  }
  return %s#0, %s#1 : f32, i64
}

// One chunk at most: nothing to join.
// CHECK-LABEL: func.func @one(
// CHECK-NOT: @combine
// CHECK: return
func.func @one(%n: index) -> f32 {
  %s = fold.chunks %n combine @combine levels 1 -> f32 {
  ^bb0(%c: index):
    %k = arith.index_cast %c : index to i64
    %v = func.call @state(%k) : (i64) -> f32
    fold.yield %v : f32
  }
  return %s : f32
}
