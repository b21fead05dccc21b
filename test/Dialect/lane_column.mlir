// RUN: warpfold-opt %s | warpfold-opt | FileCheck %s
// RUN: warpfold-opt %s -mlir-print-op-generic | warpfold-opt | FileCheck %s

// CHECK-LABEL: func.func @column
// CHECK: fold.lane_column %{{.*}} offsets(%{{.*}}) sizes(%{{.*}}) strides(%{{.*}}) first %{{.*}} limit %{{.*}} width %{{.*}} map @map update @update
// CHECK-SAME: inner [1] outputs 2 spread 32 leaves 1 rows 32 step 128 elements 1 gap 4 flight 8 whole vectors counted : !llvm.ptr<1> -> f32, f32, i64
func.func @column(%x: !llvm.ptr<1>, %i: index) -> i64 {
  %s:3 = fold.lane_column %x offsets(%i) sizes(%i) strides(%i) first %i limit %i width %i
    map @map update @update inner [1] outputs 2 spread 32 leaves 1 rows 32 step 128
    elements 1 gap 4 flight 8 whole vectors counted : !llvm.ptr<1> -> f32, f32, i64
  return %s#2 : i64
}

// What is read ahead goes in, and what is read for the next slots comes out.
// CHECK-LABEL: func.func @ahead
// CHECK: %[[A:.*]]:2 = fold.lane_ahead %{{.*}} offsets(%{{.*}}) sizes(%{{.*}}) strides(%{{.*}}) first %{{.*}} limit %{{.*}} width %{{.*}} map @map
// CHECK-SAME: inner [1] outputs 1 spread 32 leaves 2 rows 2 step 128 elements 1 gap 4 flight 2 sure vectors : !llvm.ptr<1> -> f32, f32
// CHECK: fold.lane_column {{.*}} ahead(%[[A]]#0, %[[A]]#1 : f32, f32) next %{{.*}} params(%{{.*}} : f64) map @map2 update @update2
// CHECK-SAME: flight 2 sure vectors : !llvm.ptr<1> -> f32, f32, i1, i1, f32, f32
func.func @ahead(%x: !llvm.ptr<1>, %i: index, %p: f64) -> f32 {
  %a:2 = fold.lane_ahead %x offsets(%i) sizes(%i) strides(%i) first %i limit %i width %i
    map @map inner [1] outputs 1 spread 32 leaves 2 rows 2 step 128
    elements 1 gap 4 flight 2 sure vectors : !llvm.ptr<1> -> f32, f32
  %s:6 = fold.lane_column %x offsets(%i) sizes(%i) strides(%i) first %i limit %i width %i
    ahead(%a#0, %a#1 : f32, f32) next %i params(%p : f64)
    map @map2 update @update2 inner [1] outputs 1 spread 32 leaves 2 rows 2 step 128
    elements 1 gap 4 flight 2 sure vectors : !llvm.ptr<1> -> f32, f32, i1, i1, f32, f32
  return %s#5 : f32
}

func.func private @map(%x: f32, %k: i64) -> f32 {
  return %x : f32
}
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 {
  return %s : f32
}
func.func private @map2(%x: f32, %k: i64, %p: f64) -> (f32, i1) {
  %true = arith.constant true
  return %x, %true : f32, i1
}
func.func private @update2(%s: f32, %t: i1, %n: i64, %x: f32, %k: i64, %p: f64) -> (f32, i1) {
  return %s, %t : f32, i1
}
