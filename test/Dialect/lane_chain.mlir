// RUN: warpfold-opt %s | warpfold-opt | FileCheck %s
// RUN: warpfold-opt %s -mlir-print-op-generic | warpfold-opt | FileCheck %s

// CHECK-LABEL: func.func @chain
// CHECK: fold.lane_chain %{{.*}} offsets(%{{.*}}) sizes(%{{.*}}) strides(%{{.*}}) count %{{.*}} map @map update @update inner [-1] flight 8 : !llvm.ptr<1> -> f32
func.func @chain(%x: !llvm.ptr<1>, %i: index) -> f32 {
  %s = fold.lane_chain %x offsets(%i) sizes(%i) strides(%i) count %i
    map @map update @update inner [-1] flight 8 : !llvm.ptr<1> -> f32
  return %s : f32
}

// CHECK-LABEL: func.func @params
// CHECK: fold.lane_chain {{.*}} params(%{{.*}} : f64) map @map2 update @update2 inner [-1] flight 1 : !llvm.ptr<1> -> f32, i1
func.func @params(%x: !llvm.ptr<1>, %i: index, %p: f64) -> i1 {
  %s:2 = fold.lane_chain %x offsets(%i) sizes(%i) strides(%i) count %i params(%p : f64)
    map @map2 update @update2 inner [-1] flight 1 : !llvm.ptr<1> -> f32, i1
  return %s#1 : i1
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
