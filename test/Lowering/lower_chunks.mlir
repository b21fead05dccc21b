// RUN: warpfold-opt %s --fold-lower-chunks -cse | FileCheck %s

// A binary counter: level l holds a run of 2^l chunks. It is allocated once,
// at the function's start, not in the loop around.
// CHECK-LABEL: func.func @counter(
// CHECK-SAME: %[[X:.*]]: memref<?xf32>, %[[N:.*]]: index, %[[M:.*]]: index
// CHECK-NEXT: %[[LEVELS:.*]] = memref.alloca() : memref<64xf32>
// CHECK: scf.for
// CHECK-NOT: memref.alloca
// CHECK: scf.for %[[C:.*]] = %{{.*}} to %[[N]]
// CHECK: %[[V:.*]] = memref.load %[[X]][%[[C]]]
// While the bit of the chunk's number is set, the older run stands on the left.
// CHECK: %[[DONE:.*]]:2 = scf.while (%[[S:.*]] = %[[V]], %[[L:.*]] = %{{.*}})
// CHECK: %[[SHIFTED:.*]] = arith.shrui %[[C]], %[[L]]
// CHECK: arith.andi %[[SHIFTED]]
// CHECK: scf.condition
// CHECK: ^bb0(%[[NEW:.*]]: f32, %[[LEVEL:.*]]: index):
// CHECK: %[[OLD:.*]] = memref.load %[[LEVELS]][%[[LEVEL]]]
// CHECK: %[[J:.*]] = func.call @combine(%[[OLD]], %[[NEW]],
// CHECK: scf.yield %[[J]]
// CHECK: memref.store %[[DONE]]#0, %[[LEVELS]][%[[DONE]]#1]
// What is left joins from the smallest run up, the older on the left again.
// CHECK: llvm.intr.cttz
// CHECK: scf.while
// CHECK: ^bb0(%[[REST:.*]]: f32, %[[AT:.*]]: index):
// CHECK: scf.if
// CHECK: %[[OLDER:.*]] = memref.load %[[LEVELS]][%[[AT]]]
// CHECK: func.call @combine(%[[OLDER]], %[[REST]],
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[REST]]
// CHECK-NOT: fold.chunks
// CHECK: return
func.func @counter(%x: memref<?xf32>, %n: index, %m: index, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %m step %c1 {
    %s = fold.chunks %n combine @combine -> f32 {
    ^bb0(%c: index):
      %v = memref.load %x[%c] : memref<?xf32>
      fold.yield %v : f32
    }
    memref.store %s, %y[%i] : memref<?xf32>
  }
  return
}

// With counts a level keeps its own, combine is given both, and they add up.
// CHECK-LABEL: func.func @counted(
// CHECK-DAG: %[[STATES:.*]] = memref.alloca() : memref<64xf64>
// CHECK-DAG: %[[COUNTS:.*]] = memref.alloca() : memref<64xi64>
// CHECK: ^bb0(%[[NEW:.*]]: f64, %[[NEWN:.*]]: i64, %[[LEVEL:.*]]: index):
// CHECK: %[[OLD:.*]] = memref.load %[[STATES]][%[[LEVEL]]]
// CHECK: %[[OLDN:.*]] = memref.load %[[COUNTS]][%[[LEVEL]]]
// CHECK: func.call @combine2(%[[OLD]], %[[NEW]], %[[OLDN]], %[[NEWN]])
// CHECK: arith.addi %[[OLDN]], %[[NEWN]] : i64
func.func @counted(%v: f64, %k: i64, %n: index) -> (f64, i64) {
  %s:2 = fold.chunks %n combine @combine2 counted -> f64, i64 {
  ^bb0(%c: index):
    fold.yield %v, %k : f64, i64
  }
  return %s#0, %s#1 : f64, i64
}

func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 {
  %r = arith.subf %a, %b : f32
  return %r : f32
}
func.func private @combine2(%a: f64, %b: f64, %na: i64, %nb: i64) -> f64 {
  %r = arith.subf %a, %b : f64
  return %r : f64
}
