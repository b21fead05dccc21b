// RUN: warpfold-opt %s | warpfold-opt | FileCheck %s
// RUN: warpfold-opt %s -mlir-print-op-generic | warpfold-opt | FileCheck %s

// The outputs lie along the innermost dimension, k along those before it.
// CHECK-LABEL: func.func @tile
// CHECK: fold.tile_rows %{{.*}}[] column %{{.*}} width %{{.*}} first %{{.*}} count %{{.*}} slot %{{.*}} slots %{{.*}} tile %{{.*}} map @map update @update
// CHECK-SAME: vector 4 accumulators 4 rows 32 simd 8 : memref<?x?xf32, strided<[?, 1]>> tile memref<?xf32>
func.func @tile(%x: memref<?x?xf32, strided<[?, 1]>>, %t: memref<?xf32>, %c: index, %w: index, %n: index) {
  fold.tile_rows %x[] column %c width %w first %c count %n slot %c slots %n
    tile %t map @map update @update vector 4 accumulators 4 rows 32 simd 8
    : memref<?x?xf32, strided<[?, 1]>> tile memref<?xf32>
  return
}

// A kept index, two inputs, two members (the bool as i8), a param.
// CHECK-LABEL: func.func @all_parts
// CHECK: fold.tile_rows %{{.*}}, %{{.*}}[%{{.*}}] column
// CHECK-SAME: tile %{{.*}}, %{{.*}} params(%{{.*}} : f64) map @map2 update @update2
// CHECK-SAME: : memref<?x?x?xf32>, memref<?x?x?xi8> tile memref<?xf32>, memref<?xi8>
func.func @all_parts(%x: memref<?x?x?xf32>, %m: memref<?x?x?xi8>, %t: memref<?xf32>, %u: memref<?xi8>,
                     %i: index, %c: index, %w: index, %n: index, %p: f64) {
  fold.tile_rows %x, %m[%i] column %c width %w first %c count %n slot %c slots %n
    tile %t, %u params(%p : f64) map @map2 update @update2 vector 4 accumulators 4 rows 32 simd 8
    : memref<?x?x?xf32>, memref<?x?x?xi8> tile memref<?xf32>, memref<?xi8>
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
