// RUN: warpfold-opt %s | warpfold-opt | FileCheck %s
// RUN: warpfold-opt %s -mlir-print-op-generic | warpfold-opt | FileCheck %s

// CHECK-LABEL: func.func @seeded
// CHECK: fold.chain %{{.*}}[] first %{{.*}} count %{{.*}} position %{{.*}} map @map update @update : memref<?xf32, strided<[?]>> -> f32
func.func @seeded(%x: memref<?xf32, strided<[?]>>, %n: index) -> f32 {
  %c = arith.constant 0 : index
  %s = fold.chain %x[] first %c count %n position %c map @map update @update
    : memref<?xf32, strided<[?]>> -> f32
  return %s : f32
}

// CHECK-LABEL: func.func @goes_on
// CHECK: fold.chain %{{.*}}, %{{.*}}[%{{.*}}] first {{.*}} from(%{{.*}}, %{{.*}} : f32, i1) params(%{{.*}} : f64)
// CHECK-SAME: map @map2 update @update2 : memref<?x?xf32>, memref<?x?xi8> -> f32, i1
func.func @goes_on(%x: memref<?x?xf32>, %m: memref<?x?xi8>, %i: index, %n: index,
                   %s: f32, %t: i1, %p: f64) -> f32 {
  %r:2 = fold.chain %x, %m[%i] first %n count %n position %n
    from(%s, %t : f32, i1) params(%p : f64) map @map2 update @update2
    : memref<?x?xf32>, memref<?x?xi8> -> f32, i1
  return %r#0 : f32
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
