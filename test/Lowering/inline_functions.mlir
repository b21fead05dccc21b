// RUN: warpfold-opt %s --fold-inline-functions | FileCheck %s

// Calls of private functions become their bodies, results in order, and the
// functions go, called or not.
// CHECK-LABEL: func.func @kernel(
// CHECK-SAME: %[[A:.*]]: f32, %[[B:.*]]: f32)
// CHECK-NOT: call
// CHECK: %[[D:.*]] = arith.subf %[[A]], %[[B]]
// CHECK: %[[E:.*]] = arith.subf %[[D]], %[[A]]
// CHECK: return %[[E]], %[[D]]
// CHECK-NOT: func.func private
func.func @kernel(%a: f32, %b: f32) -> (f32, f32) {
  %0:2 = call @swapped(%a, %b) : (f32, f32) -> (f32, f32)
  %1:2 = call @swapped(%0#0, %a) : (f32, f32) -> (f32, f32)
  return %1#0, %1#1 : f32, f32
}

// In a loop too.
// CHECK-LABEL: func.func @loop(
// CHECK: scf.for {{.*}} iter_args(%[[S:.*]] = %{{.*}})
// CHECK-NEXT: arith.subf %[[S]], %{{.*}}
// CHECK-NEXT: scf.yield
func.func @loop(%a: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a) -> f32 {
    %d:2 = func.call @swapped(%s, %a) : (f32, f32) -> (f32, f32)
    scf.yield %d#0 : f32
  }
  return %r : f32
}

func.func private @swapped(%x: f32, %y: f32) -> (f32, f32) {
  %d = arith.subf %x, %y : f32
  return %d, %x : f32, f32
}
func.func private @unused(%x: f32) -> f32 {
  return %x : f32
}
// CHECK: }
// CHECK-NOT: func.func
