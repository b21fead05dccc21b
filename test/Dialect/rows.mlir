// RUN: warpfold-opt %s | warpfold-opt | FileCheck %s
// RUN: warpfold-opt %s -mlir-print-op-generic | warpfold-opt | FileCheck %s
// RUN: warpfold-opt %s -canonicalize | FileCheck %s --check-prefix=DROPPED

// V = A = 1: 32 slots, in two vectors.
// CHECK-LABEL: func.func @row
// CHECK: fold.rows %{{.*}}[%{{.*}}] first %{{.*}} count %{{.*}} position %{{.*}} map @map update @update
// CHECK-SAME: vector 1 accumulators 1 rows 32 : memref<?x?xf32, strided<[?, 1]>>
// CHECK-SAME: -> vector<16xf32>, vector<16xf32>
func.func @row(%x: memref<?x?xf32, strided<[?, 1]>>, %i: index, %first: index, %n: index) -> (vector<16xf32>, vector<16xf32>) {
  %s:2 = fold.rows %x[%i] first %first count %n position %first
    map @map update @update vector 1 accumulators 1 rows 32
    : memref<?x?xf32, strided<[?, 1]>> -> vector<16xf32>, vector<16xf32>
  return %s#0, %s#1 : vector<16xf32>, vector<16xf32>
}

// A bool input with stride 0, a param, a partial row with fewer slots than a
// row has, and the counts last.
// CHECK-LABEL: func.func @all_parts
// CHECK: fold.rows %{{.*}}, %{{.*}}[] first
// CHECK-SAME: params(%{{.*}} : f64) map @map2 update @update2
// CHECK-SAME: vector 4 accumulators 2 rows 1 partial_row counted
// CHECK-SAME: : memref<?xf32>, memref<?xi8, strided<[0]>>
// CHECK-SAME: -> vector<8xf32>, vector<8xi1>, vector<8xi64>
func.func @all_parts(%x: memref<?xf32>, %m: memref<?xi8, strided<[0]>>, %n: index, %p: f64) -> vector<8xi64> {
  %c = arith.constant 0 : index
  %s:3 = fold.rows %x, %m[] first %c count %n position %c params(%p : f64)
    map @map2 update @update2 vector 4 accumulators 2 rows 1 partial_row counted
    : memref<?xf32>, memref<?xi8, strided<[0]>> -> vector<8xf32>, vector<8xi1>, vector<8xi64>
  return %s#2 : vector<8xi64>
}

// k may run over several dimensions.
// CHECK-LABEL: func.func @planes
// CHECK: fold.rows %{{.*}}[%{{.*}}] first {{.*}} : memref<?x?x?xf32> -> vector<32xf32>
func.func @planes(%x: memref<?x?x?xf32>, %i: index, %first: index, %n: index) -> vector<32xf32> {
  %s = fold.rows %x[%i] first %first count %n position %first
    map @map update @update vector 1 accumulators 1 rows 32
    : memref<?x?x?xf32> -> vector<32xf32>
  return %s : vector<32xf32>
}

// It only reads, so an unused one may go.
// DROPPED-LABEL: func.func @unused
// DROPPED-NOT: fold.rows
// DROPPED: return
func.func @unused(%x: memref<?xf32>, %c: index, %n: index) {
  %s = fold.rows %x[] first %c count %n position %c
    map @map update @update vector 1 accumulators 1 rows 32
    : memref<?xf32> -> vector<32xf32>
  return
}

func.func private @map(%x: f32, %k: i64) -> f32 {
  return %x : f32
}
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 {
  return %s : f32
}
func.func private @map2(%x: f32, %m: i1, %k: i64, %p: f64) -> (f32, i1) {
  return %x, %m : f32, i1
}
func.func private @update2(%s: f32, %t: i1, %n: i64, %x: f32, %m: i1, %k: i64, %p: f64) -> (f32, i1) {
  return %s, %t : f32, i1
}
