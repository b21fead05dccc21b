// RUN: warpfold-opt %s | warpfold-opt | FileCheck %s
// RUN: warpfold-opt %s -mlir-print-op-generic | warpfold-opt | FileCheck %s

// Two vectors of eight consecutive elements.
// CHECK-LABEL: func.func @block
// CHECK: fold.lift %{{.*}}[%{{.*}}] first %{{.*}} count %{{.*}} position %{{.*}} map @map : memref<?x?xf32> -> vector<8xf32>, vector<8xf32>
func.func @block(%x: memref<?x?xf32>, %i: index, %n: index) -> vector<8xf32> {
  %s:2 = fold.lift %x[%i] first %i count %n position %i map @map
    : memref<?x?xf32> -> vector<8xf32>, vector<8xf32>
  return %s#1 : vector<8xf32>
}

// CHECK-LABEL: func.func @all_parts
// CHECK: fold.lift %{{.*}}, %{{.*}}[] first {{.*}} params(%{{.*}} : f64) map @map2 partial_row
// CHECK-SAME: : memref<?xf32>, memref<?xi8> -> vector<8xf32>, vector<8xi1>
func.func @all_parts(%x: memref<?xf32>, %m: memref<?xi8>, %n: index, %p: f64) -> vector<8xi1> {
  %s:2 = fold.lift %x, %m[] first %n count %n position %n params(%p : f64)
    map @map2 partial_row : memref<?xf32>, memref<?xi8> -> vector<8xf32>, vector<8xi1>
  return %s#1 : vector<8xi1>
}

func.func private @map(%x: f32, %k: i64) -> f32 {
  return %x : f32
}
func.func private @map2(%x: f32, %m: i1, %k: i64, %p: f64) -> (f32, i1) {
  return %x, %m : f32, i1
}
