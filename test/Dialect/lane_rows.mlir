// RUN: warpfold-opt %s | warpfold-opt | FileCheck %s
// RUN: warpfold-opt %s -mlir-print-op-generic | warpfold-opt | FileCheck %s

// Sizes and strides of the reduced axis; the innermost stride is known.
// CHECK-LABEL: func.func @whole
// CHECK: fold.lane_rows %{{.*}} offsets(%{{.*}}) sizes(%{{.*}}) strides(%{{.*}}) lane %{{.*}} first %{{.*}} count %{{.*}} position %{{.*}} map @map update @update
// CHECK-SAME: inner [1] vector 2 accumulators 1 rows 32 flight 8 even vectors : !llvm.ptr<1> -> f32
func.func @whole(%x: !llvm.ptr<1>, %i: index) -> f32 {
  %s = fold.lane_rows %x offsets(%i) sizes(%i) strides(%i) lane %i first %i count %i position %i
    map @map update @update inner [1] vector 2 accumulators 1 rows 32 flight 8 even vectors
    : !llvm.ptr<1> -> f32
  return %s : f32
}

// CHECK-LABEL: func.func @rest
// CHECK: rows 2 flight 1 rest vectors counted : !llvm.ptr<1> -> f32, f32, i64, i64
func.func @rest(%x: !llvm.ptr<1>, %i: index) -> i64 {
  %s:4 = fold.lane_rows %x offsets(%i) sizes(%i) strides(%i) lane %i first %i count %i position %i
    map @map update @update inner [1] vector 2 accumulators 2 rows 2 flight 1 rest vectors counted
    : !llvm.ptr<1> -> f32, f32, i64, i64
  return %s#3 : i64
}

// Two inputs over two axes, a param, a state of two members.
// CHECK-LABEL: func.func @two
// CHECK: fold.lane_rows %{{.*}}, %{{.*}} offsets(%{{.*}}, %{{.*}}) sizes(%{{.*}}, %{{.*}}) strides(%{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}})
// CHECK-SAME: params(%{{.*}} : f64) map @map2 update @update2 inner [0, -1] vector 2 accumulators 1 rows 1 flight 1 tail : !llvm.ptr<1>, !llvm.ptr<1> -> f32, i1
func.func @two(%x: !llvm.ptr<1>, %i: index, %p: f64) -> i1 {
  %s:2 = fold.lane_rows %x, %x offsets(%i, %i) sizes(%i, %i) strides(%i, %i, %i, %i)
    lane %i first %i count %i position %i params(%p : f64)
    map @map2 update @update2 inner [0, -1] vector 2 accumulators 1 rows 1 flight 1 tail
    : !llvm.ptr<1>, !llvm.ptr<1> -> f32, i1
  return %s#1 : i1
}

func.func private @map(%x: f32, %k: i64) -> f32 {
  return %x : f32
}
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 {
  return %s : f32
}
func.func private @map2(%x: f32, %y: i1, %k: i64, %p: f64) -> (f32, i1) {
  return %x, %y : f32, i1
}
func.func private @update2(%s: f32, %t: i1, %n: i64, %x: f32, %y: i1, %k: i64, %p: f64) -> (f32, i1) {
  return %s, %t : f32, i1
}
