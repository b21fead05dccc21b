// RUN: warpfold-opt %s | warpfold-opt | FileCheck %s
// RUN: warpfold-opt %s -mlir-print-op-generic | warpfold-opt | FileCheck %s

// CHECK-LABEL: func.func @tile
// CHECK: fold.tile_chunks %{{.*}} counts %{{.*}} leaves %{{.*}} width %{{.*}} tile %{{.*}} params(%{{.*}} : f64)
// CHECK-SAME: combine @combine capacity 4096 simd 8 : memref<?xi8> counts memref<64xi64> tile memref<?xi8>
func.func @tile(%t: memref<?xi8>, %c: memref<?xi8>, %n: memref<64xi64>, %i: index, %p: f64) {
  fold.tile_chunks %c counts %n leaves %i width %i tile %t params(%p : f64)
    combine @combine capacity 4096 simd 8
    : memref<?xi8> counts memref<64xi64> tile memref<?xi8>
  return
}

func.func private @combine(%a: i1, %b: i1, %na: i64, %nb: i64, %p: f64) -> i1 {
  return %a : i1
}
