// RUN: warpfold-opt %s | warpfold-opt | FileCheck %s
// RUN: warpfold-opt %s -mlir-print-op-generic | warpfold-opt | FileCheck %s

// CHECK-LABEL: func.func @lifted
// CHECK: fold.lane_lift %{{.*}} offsets(%{{.*}}) sizes(%{{.*}}) strides(%{{.*}}) lane %{{.*}} first %{{.*}} count %{{.*}} position %{{.*}} map @map
// CHECK-SAME: inner [1] vector 2 rows 2 rest even vectors : !llvm.ptr<1> -> f32, f32, f32, f32
func.func @lifted(%x: !llvm.ptr<1>, %i: index) -> f32 {
  %s:4 = fold.lane_lift %x offsets(%i) sizes(%i) strides(%i) lane %i first %i count %i position %i
    map @map inner [1] vector 2 rows 2 rest even vectors
    : !llvm.ptr<1> -> f32, f32, f32, f32
  return %s#3 : f32
}

// CHECK-LABEL: func.func @params
// CHECK: params(%{{.*}} : f64) map @map2 inner [1] vector 2 rows 1 : !llvm.ptr<1> -> f32, f32, i1, i1
func.func @params(%x: !llvm.ptr<1>, %i: index, %p: f64) -> i1 {
  %s:4 = fold.lane_lift %x offsets(%i) sizes(%i) strides(%i) lane %i first %i count %i position %i
    params(%p : f64) map @map2 inner [1] vector 2 rows 1
    : !llvm.ptr<1> -> f32, f32, i1, i1
  return %s#3 : i1
}

func.func private @map(%x: f32, %k: i64) -> f32 {
  return %x : f32
}
func.func private @map2(%x: f32, %k: i64, %p: f64) -> (f32, i1) {
  %true = arith.constant true
  return %x, %true : f32, i1
}
