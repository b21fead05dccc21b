// RUN: warpfold-opt %s | warpfold-opt | FileCheck %s
// RUN: warpfold-opt %s -mlir-print-op-generic | warpfold-opt | FileCheck %s

// CHECK-LABEL: func.func @tile
// CHECK: fold.tile_lift %{{.*}}[%{{.*}}] column %{{.*}} width %{{.*}} first %{{.*}} count %{{.*}} tile %{{.*}}, %{{.*}} params(%{{.*}} : f64) map @map simd 8
// CHECK-SAME: : memref<?x?x?xf32>, memref<?x?x?xi8> tile memref<?xf32>, memref<?xi8>
func.func @tile(%x: memref<?x?x?xf32>, %m: memref<?x?x?xi8>, %t: memref<?xf32>, %u: memref<?xi8>, %i: index, %p: f64) {
  fold.tile_lift %x, %m[%i] column %i width %i first %i count %i tile %t, %u
    params(%p : f64) map @map simd 8
    : memref<?x?x?xf32>, memref<?x?x?xi8> tile memref<?xf32>, memref<?xi8>
  return
}

func.func private @map(%x: f32, %m: i1, %k: i64, %p: f64) -> (f32, i1) {
  return %x, %m : f32, i1
}
