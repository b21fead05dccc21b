// RUN: warpfold-opt %s --fold-lower-lane-rows --canonicalize --cse | FileCheck %s

// Inputs of several kinds, as an NVIDIA GPU reads them.
module attributes {fold.target = "sm_90"} {

func.func private @map(%x: f32, %k: i64) -> f32 {
  return %x : f32
}
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 {
  %r = arith.addf %s, %x : f32
  return %r : f32
}
func.func private @map2(%x: f32, %y: i8, %k: i64, %p: f64) -> (f32, i1) {
  %t = arith.constant true
  return %x, %t : f32, i1
}
func.func private @update2(%s: f32, %t: i1, %n: i64, %x: f32, %y: i8, %k: i64, %p: f64) -> (f32, i1) {
  return %s, %t : f32, i1
}
func.func private @mapb(%x: i1, %k: i64) -> i1 {
  return %x : i1
}
func.func private @updateb(%s: i1, %n: i64, %x: i1, %k: i64) -> i1 {
  %r = arith.andi %s, %x : i1
  return %r : i1
}
func.func private @maph(%x: i16, %k: i32) -> i16 {
  return %x : i16
}
func.func private @updateh(%s: i16, %n: i64, %x: i16, %k: i32) -> i16 {
  return %s : i16
}

// Two inputs, a param, two members. Where the stride is zero one load is enough.
// CHECK-LABEL: func.func @two(
// CHECK-SAME: %[[X:.*]]: !llvm.ptr<1>, %[[Y:.*]]: !llvm.ptr<1>, {{.*}} %[[P:.*]]: f64)
// CHECK: llvm.load {{.*}} -> vector<2xf32>
// CHECK: %[[B:.*]] = llvm.load {{.*}} {alignment = 1 : i64} : !llvm.ptr<1> -> i8
// CHECK-NOT: llvm.load
// CHECK: %[[S:.*]]:2 = call @map2(%{{.*}}, %[[B]], %{{.*}}, %[[P]])
// CHECK: %[[T:.*]]:2 = call @map2(%{{.*}}, %[[B]], %{{.*}}, %[[P]])
// CHECK: return %[[S]]#0, %[[T]]#0, %[[S]]#1, %[[T]]#1
func.func @two(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %o: index, %s: index, %l: index, %p: f64) -> (f32, f32, i1, i1) {
  %c = arith.constant 0 : index
  %r:4 = fold.lane_rows %x, %y offsets(%o, %o) sizes(%o) strides(%s, %s) lane %l first %c count %o position %c
    params(%p : f64) map @map2 update @update2 inner [1, 0] vector 2 accumulators 2 rows 1 flight 2 even vectors
    : !llvm.ptr<1>, !llvm.ptr<1> -> f32, f32, i1, i1
  return %r#0, %r#1, %r#2, %r#3 : f32, f32, i1, i1
}

// Bytes come as words and are taken apart; a bool is true unless it is zero.
// CHECK-LABEL: func.func @bool(
// CHECK: llvm.load {{.*}} invariant {alignment = 8 : i64} : !llvm.ptr<1> -> vector<2xi32>
// CHECK: %[[W:.*]] = vector.extract %{{.*}}[0] : i32
// CHECK: %[[E0:.*]] = arith.trunci %[[W]] : i32 to i8
// CHECK: %[[H:.*]] = arith.shrui %[[W]], %c8_i32
// CHECK: %[[E1:.*]] = arith.trunci %[[H]] : i32 to i8
// CHECK: arith.shrui %[[W]], %c16_i32
// CHECK: arith.shrui %[[W]], %c24_i32
// CHECK: %[[B0:.*]] = arith.cmpi ne, %[[E0]], %c0_i8
// CHECK: %[[S:.*]] = call @mapb(%[[B0]],
// CHECK: %[[B1:.*]] = arith.cmpi ne, %[[E1]], %c0_i8
// CHECK: call @updateb(%[[S]], %c1_i64, %[[B1]],
// CHECK-COUNT-6: call @updateb
// CHECK-NOT: call @updateb
func.func @bool(%x: !llvm.ptr<1>, %o: index, %s: index, %l: index) -> i1 {
  %c = arith.constant 0 : index
  %r = fold.lane_rows %x offsets(%o) sizes(%o) strides(%s) lane %l first %c count %o position %c
    map @mapb update @updateb inner [1] vector 8 accumulators 1 rows 1 flight 2 even vectors
    : !llvm.ptr<1> -> i1
  return %r : i1
}

// A lane's two 16-bit elements are one word. Positions that count in the chunk
// are i32, and leave out where it begins.
// CHECK-LABEL: func.func @half(
// CHECK-SAME: %[[L:[^ ]*]]: index, %{{[^ ]*}}: index) -> i16
// CHECK: %[[K:.*]] = arith.muli %[[L]], %c2
// CHECK: %[[W:.*]] = llvm.load {{.*}} invariant {alignment = 4 : i64} : !llvm.ptr<1> -> i32
// CHECK: %[[LOW:.*]] = arith.trunci %[[W]] : i32 to i16
// CHECK: %[[K0:.*]] = arith.index_cast %[[K]] : index to i32
// CHECK: call @maph(%[[LOW]], %[[K0]]) : (i16, i32) -> i16
func.func @half(%x: !llvm.ptr<1>, %o: index, %s: index, %l: index, %f: index) -> i16 {
  %c = arith.constant 0 : index
  %r:2 = fold.lane_rows %x offsets(%o) sizes(%o) strides(%s) lane %l first %f count %o position %c
    map @maph update @updateh inner [1] vector 2 accumulators 2 rows 1 flight 2 even vectors
    : !llvm.ptr<1> -> i16, i16
  return %r#1 : i16
}

// Several axes: k is taken apart once a vector where the innermost axis holds
// whole vectors, else once an element.
// CHECK-LABEL: func.func @axes(
// CHECK-SAME: %{{.*}}: index, %[[N:[^ ]*]]: index, %[[M:[^ ]*]]: index, %[[S:[^ ]*]]: index, %{{[^ ]*}}: index, %[[L:[^ ]*]]: index)
// CHECK: %[[I:.*]] = arith.remui %{{.*}}, %[[M]]
// CHECK: %[[J:.*]] = arith.divui %{{.*}}, %[[M]]
// CHECK: arith.muli %[[J]], %[[S]]
// CHECK: llvm.load {{.*}} invariant {alignment = 8 : i64} : !llvm.ptr<1> -> vector<2xf32>
// CHECK-NOT: arith.remui
// CHECK: return
func.func @axes(%x: !llvm.ptr<1>, %o: index, %n: index, %m: index, %s: index, %t: index, %l: index) -> f32 {
  %c = arith.constant 0 : index
  %r = fold.lane_rows %x offsets(%o) sizes(%n, %m) strides(%s, %t) lane %l first %c count %o position %c
    map @map update @update inner [1] vector 2 accumulators 1 rows 1 flight 2 even vectors
    : !llvm.ptr<1> -> f32
  return %r : f32
}

// Loads one at a time keep their order: the target has a say after each row.
// CHECK-LABEL: func.func @axes_odd(
// CHECK: arith.remui
// CHECK: llvm.load %{{[0-9]+}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK: arith.remui
// CHECK: llvm.load %{{[0-9]+}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK-NEXT: llvm.call_intrinsic "llvm.nvvm.bar.warp.sync"(%c-1_i32)
// CHECK: call @map
// CHECK-NOT: bar.warp.sync
// CHECK: return
func.func @axes_odd(%x: !llvm.ptr<1>, %o: index, %n: index, %m: index, %s: index, %t: index, %l: index) -> f32 {
  %c = arith.constant 0 : index
  %r = fold.lane_rows %x offsets(%o) sizes(%n, %m) strides(%s, %t) lane %l first %c count %o position %c
    map @map update @update inner [1] vector 2 accumulators 1 rows 1 flight 2
    : !llvm.ptr<1> -> f32
  return %r : f32
}
}
