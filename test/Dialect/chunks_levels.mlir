// RUN: warpfold-opt %s | warpfold-opt | FileCheck %s
// RUN: warpfold-opt %s -mlir-print-op-generic | warpfold-opt | FileCheck %s

// A counter in values, and values that go from chunk to chunk.
// CHECK-LABEL: func.func @levels
// CHECK: fold.chunks %{{.*}} combine @combine levels 3 -> f32 {
func.func @levels(%x: f32, %n: index) -> f32 {
  %s = fold.chunks %n combine @combine levels 3 -> f32 {
  ^bb0(%c: index):
    fold.yield %x : f32
  }
  return %s : f32
}

// CHECK-LABEL: func.func @carried
// CHECK: fold.chunks %{{.*}} carried(%{{.*}}, %{{.*}} : i8, index) params(%{{.*}} : f64) combine @combine2 counted levels 1 -> f32, i64 {
// CHECK-NEXT: ^bb0(%[[C:.*]]: index, %[[A:.*]]: i8, %[[I:.*]]: index):
// CHECK: fold.yield %{{.*}}, %{{.*}}, %[[A]], %[[C]] : f32, i64, i8, index
func.func @carried(%x: f32, %e: i64, %n: index, %v: i8, %p: f64) -> i64 {
  %s:2 = fold.chunks %n carried(%v, %n : i8, index) params(%p : f64)
    combine @combine2 counted levels 1 -> f32, i64 {
  ^bb0(%c: index, %a: i8, %i: index):
    fold.yield %x, %e, %a, %c : f32, i64, i8, index
  }
  return %s#1 : i64
}

func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 {
  return %a : f32
}
func.func private @combine2(%a: f32, %b: f32, %na: i64, %nb: i64, %p: f64) -> f32 {
  return %a : f32
}
