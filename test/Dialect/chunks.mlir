// RUN: warpfold-opt %s | warpfold-opt | FileCheck %s
// RUN: warpfold-opt %s -mlir-print-op-generic | warpfold-opt | FileCheck %s

// CHECK-LABEL: func.func @states
// CHECK: fold.chunks %{{.*}} combine @combine -> f32 {
// CHECK-NEXT: ^bb0(%[[C:.*]]: index):
// CHECK: memref.load %{{.*}}[%[[C]]]
// CHECK: fold.yield %{{.*}} : f32
func.func @states(%x: memref<?xf32>, %n: index) -> f32 {
  %s = fold.chunks %n combine @combine -> f32 {
  ^bb0(%c: index):
    %v = memref.load %x[%c] : memref<?xf32>
    fold.yield %v : f32
  }
  return %s : f32
}

// CHECK-LABEL: func.func @counted
// CHECK: fold.chunks %{{.*}} params(%{{.*}} : f64) combine @combine2 counted -> f32, i1, i64
func.func @counted(%v: f32, %w: i1, %n: index, %p: f64) -> i64 {
  %s:3 = fold.chunks %n params(%p : f64) combine @combine2 counted -> f32, i1, i64 {
  ^bb0(%c: index):
    %k = arith.index_cast %c : index to i64
    fold.yield %v, %w, %k : f32, i1, i64
  }
  return %s#2 : i64
}

func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 {
  return %a : f32
}
func.func private @combine2(%a: f32, %c: i1, %b: f32, %d: i1, %na: i64, %nb: i64, %p: f64) -> (f32, i1) {
  return %a, %c : f32, i1
}
