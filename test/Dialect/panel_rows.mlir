// RUN: warpfold-opt %s | warpfold-opt | FileCheck %s
// RUN: warpfold-opt %s -mlir-print-op-generic | warpfold-opt | FileCheck %s

// The outputs lie along the first dimension after the indices, k along the rest.
// CHECK-LABEL: func.func @panel
// CHECK: fold.panel_rows %{{.*}}[] column %{{.*}} width %{{.*}} first %{{.*}} count %{{.*}} position %{{.*}} panel %{{.*}} map @map update @update
// CHECK-SAME: vector 4 simd 8 : memref<?x?x?xf32, strided<[?, ?, 1]>> panel memref<?xf32>
func.func @panel(%x: memref<?x?x?xf32, strided<[?, ?, 1]>>, %t: memref<?xf32>, %c: index, %w: index, %n: index) {
  fold.panel_rows %x[] column %c width %w first %c count %n position %c
    panel %t map @map update @update vector 4 simd 8
    : memref<?x?x?xf32, strided<[?, ?, 1]>> panel memref<?xf32>
  return
}

// A kept index, two inputs, two members (the bool as i8), a param.
// CHECK-LABEL: func.func @all_parts
// CHECK: fold.panel_rows %{{.*}}, %{{.*}}[%{{.*}}] column
// CHECK-SAME: panel %{{.*}}, %{{.*}} params(%{{.*}} : f64) map @map2 update @update2
// CHECK-SAME: : memref<?x?x?x?xf32>, memref<?x?x?x?xi8> panel memref<?xf32>, memref<?xi8>
func.func @all_parts(%x: memref<?x?x?x?xf32>, %m: memref<?x?x?x?xi8>, %t: memref<?xf32>, %u: memref<?xi8>,
                     %i: index, %c: index, %w: index, %n: index, %p: f64) {
  fold.panel_rows %x, %m[%i] column %c width %w first %c count %n position %c
    panel %t, %u params(%p : f64) map @map2 update @update2 vector 4 simd 8
    : memref<?x?x?x?xf32>, memref<?x?x?x?xi8> panel memref<?xf32>, memref<?xi8>
  return
}

// Positions in 32 bits.
// CHECK-LABEL: func.func @near
// CHECK: fold.panel_rows {{.*}} map @map.near update @update.near
// CHECK-SAME: panel memref<?xf32>, memref<?xi32>
func.func @near(%x: memref<?x?x?xf32>, %t: memref<?xf32>, %at: memref<?xi32>, %c: index, %w: index, %n: index) {
  fold.panel_rows %x[] column %c width %w first %c count %n position %c
    panel %t, %at map @map.near update @update.near vector 4 simd 4
    : memref<?x?x?xf32> panel memref<?xf32>, memref<?xi32>
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
func.func private @map.near(%x: f32, %k: i32) -> (f32, i32) {
  return %x, %k : f32, i32
}
func.func private @update.near(%s: f32, %at: i32, %n: i64, %x: f32, %k: i32) -> (f32, i32) {
  return %s, %at : f32, i32
}
