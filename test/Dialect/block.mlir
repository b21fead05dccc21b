// RUN: warpfold-opt %s | warpfold-opt | FileCheck %s
// RUN: warpfold-opt %s -mlir-print-op-generic | warpfold-opt | FileCheck %s
// RUN: warpfold-opt %s -canonicalize -cse | FileCheck %s

// CHECK-LABEL: func.func @block
// CHECK: fold.block %{{.*}} thread %{{.*}} combine @combine warps 8 : f32 -> f32
func.func @block(%a: f32, %t: index) -> f32 {
  %s = fold.block %a thread %t combine @combine warps 8 : f32 -> f32
  return %s : f32
}

// CHECK-LABEL: func.func @all_parts
// CHECK: fold.block %{{.*}}, %{{.*}}, %{{.*}} thread %{{.*}} present %{{.*}} params(%{{.*}} : f64) combine @combine2 warps 4 counted : f32, i1, i64 -> f32, i1, i64
func.func @all_parts(%a: f32, %b: i1, %n: i64, %t: index, %p: f64) -> i64 {
  %s:3 = fold.block %a, %b, %n thread %t present %t params(%p : f64)
    combine @combine2 warps 4 counted : f32, i1, i64 -> f32, i1, i64
  return %s#2 : i64
}

// Two outputs a thread share one count.
// CHECK-LABEL: func.func @columns
// CHECK: fold.block_columns %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} thread %{{.*}} holds %{{.*}} slot %{{.*}} column %{{.*}} present %{{.*}} params(%{{.*}} : f64) combine @combine2
// CHECK-SAME: each 2 spread 32 columns 64 slots 8 threads 256 counted : f32, f32, i1, i1, i64 -> f32, i1, i64
func.func @columns(%a: f32, %b: i1, %n: i64, %t: index, %p: f64) -> i64 {
  %s:3 = fold.block_columns %a, %a, %b, %b, %n thread %t holds %b slot %t column %t present %t
    params(%p : f64) combine @combine2 each 2 spread 32 columns 64 slots 8 threads 256 counted
    : f32, f32, i1, i1, i64 -> f32, i1, i64
  return %s#2 : i64
}

// A barrier keeps its place: nothing here is folded away, used or not.
// CHECK-LABEL: func.func @unused
// CHECK: fold.block
// CHECK: fold.block_columns
func.func @unused(%a: f32, %h: i1, %t: index) {
  %s = fold.block %a thread %t combine @combine warps 8 : f32 -> f32
  %r = fold.block_columns %a thread %t holds %h slot %t column %t present %t
    combine @combine each 1 spread 1 columns 32 slots 8 threads 256 : f32 -> f32
  return
}

func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 {
  return %a : f32
}
func.func private @combine2(%a: f32, %c: i1, %b: f32, %d: i1, %na: i64, %nb: i64, %p: f64) -> (f32, i1) {
  return %a, %c : f32, i1
}
