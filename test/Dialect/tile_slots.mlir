// RUN: warpfold-opt %s | warpfold-opt | FileCheck %s
// RUN: warpfold-opt %s -mlir-print-op-generic | warpfold-opt | FileCheck %s

// CHECK-LABEL: func.func @tile
// CHECK: fold.tile_slots %{{.*}} slot %{{.*}} width %{{.*}} leaf %{{.*}} elements %{{.*}} counter %{{.*}} counts %{{.*}} params(%{{.*}} : f64)
// CHECK-SAME: combine @combine capacity 4096 simd 8 : memref<?xi8> counter memref<?xi8> counts memref<64xi64>
func.func @tile(%t: memref<?xi8>, %c: memref<?xi8>, %n: memref<64xi64>, %i: index, %p: f64) {
  fold.tile_slots %t slot %i width %i leaf %i elements %i counter %c counts %n
    params(%p : f64) combine @combine capacity 4096 simd 8
    : memref<?xi8> counter memref<?xi8> counts memref<64xi64>
  return
}

func.func private @combine(%a: i1, %b: i1, %na: i64, %nb: i64, %p: f64) -> i1 {
  return %a : i1
}
