// RUN: warpfold-opt %s --fold-lower-lane-rows --canonicalize --cse | FileCheck %s

// The leaves of ordered: a state an element.
module attributes {fold.target = "null"} {

func.func private @map(%x: f32, %k: i64) -> f32 {
  return %x : f32
}
func.func private @map2(%x: f32, %y: i8, %k: i64, %p: f64) -> (f32, i1) {
  %t = arith.constant true
  return %x, %t : f32, i1
}

// Both rows are read before anything is mapped; slots stand row by row. What
// stands for absent elements is what was read.
// CHECK-LABEL: func.func @lift(
// CHECK-SAME: %{{.*}}: index, %[[F:[^ ]*]]: index, %[[N:[^ ]*]]: index)
// CHECK: %[[END:.*]] = arith.addi %[[F]], %[[N]]
// CHECK: %[[H0:.*]] = arith.cmpi ule, %{{.*}}, %[[END]]
// CHECK: %[[P0:.*]] = arith.select %[[H0]]
// CHECK: llvm.load %[[P0]] {{.*}} -> vector<2xf32>
// CHECK: %[[H1:.*]] = arith.cmpi ule, %{{.*}}, %[[END]]
// CHECK: %[[P1:.*]] = arith.select %[[H1]]
// CHECK: llvm.load %[[P1]] {{.*}} -> vector<2xf32>
// CHECK: %[[A:.*]] = call @map
// CHECK: %[[B:.*]] = call @map
// CHECK: %[[C:.*]] = call @map
// CHECK: %[[D:.*]] = call @map
// CHECK: return %[[A]], %[[B]], %[[C]], %[[D]]
func.func @lift(%x: !llvm.ptr<1>, %o: index, %s: index, %l: index, %f: index, %n: index) -> (f32, f32, f32, f32) {
  %c = arith.constant 0 : index
  %r:4 = fold.lane_lift %x offsets(%o) sizes(%o) strides(%s) lane %l first %f count %n position %f
    map @map inner [1] vector 2 rows 2 rest even vectors
    : !llvm.ptr<1> -> f32, f32, f32, f32
  return %r#0, %r#1, %r#2, %r#3 : f32, f32, f32, f32
}

// Members stand one after the other.
// CHECK-LABEL: func.func @lift_two(
// CHECK: llvm.load {{.*}} {alignment = 8 : i64} : !llvm.ptr<1> -> vector<2xf32>
// CHECK: llvm.load {{.*}} {alignment = 2 : i64} : !llvm.ptr<1> -> i16
// CHECK: %[[A:.*]]:2 = call @map2
// CHECK: %[[B:.*]]:2 = call @map2
// CHECK: return %[[A]]#0, %[[B]]#0, %[[A]]#1, %[[B]]#1
func.func @lift_two(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %o: index, %s: index, %l: index, %p: f64) -> (f32, f32, i1, i1) {
  %c = arith.constant 0 : index
  %r:4 = fold.lane_lift %x, %y offsets(%o, %o) sizes(%o) strides(%s, %s) lane %l first %c count %o position %c
    params(%p : f64) map @map2 inner [1, 1] vector 2 rows 1 vectors
    : !llvm.ptr<1>, !llvm.ptr<1> -> f32, f32, i1, i1
  return %r#0, %r#1, %r#2, %r#3 : f32, f32, i1, i1
}

// A lane may have one of its two elements.
// CHECK-LABEL: func.func @lift_odd(
// CHECK: %[[H0:.*]] = arith.cmpi ult
// CHECK: %[[H1:.*]] = arith.cmpi ult
// CHECK: arith.select %[[H0]]
// CHECK: llvm.load {{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK: arith.select %[[H1]]
// CHECK: llvm.load {{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK-NOT: vector
// CHECK: return
func.func @lift_odd(%x: !llvm.ptr<1>, %o: index, %s: index, %l: index, %f: index, %n: index) -> (f32, f32) {
  %c = arith.constant 0 : index
  %r:2 = fold.lane_lift %x offsets(%o) sizes(%o) strides(%s) lane %l first %f count %n position %f
    map @map inner [1] vector 2 rows 1 rest vectors
    : !llvm.ptr<1> -> f32, f32
  return %r#0, %r#1 : f32, f32
}
}
