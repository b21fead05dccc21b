// RUN: warpfold-opt %s --fold-lower-tiles -canonicalize -cse | FileCheck %s

// A leaf joins the runs below the first clear bit of its number, the older run
// on the left, and the tile is left at that level; counts add up beside.
// CHECK-LABEL: func.func @push(
// CHECK-SAME: %[[T:.*]]: memref<?xf32>, %[[C:.*]]: memref<?xf32>, %[[N:.*]]: memref<64xi64>, %[[LEAF:.*]]: index, %[[W:.*]]: index, %[[E:.*]]: index)
// CHECK: %[[NEXT:.*]] = arith.addi %[[LEAF]], %c1
// CHECK: llvm.intr.cttz
// CHECK: %[[LEVEL:.*]] = arith.index_cast
// Whole vectors of outputs …
// CHECK: scf.for %[[COLUMN:.*]] = %c0 to %{{.*}} step %c4
// CHECK: %[[NEW:.*]] = vector.load %[[T]][%{{.*}}] : memref<?xf32>, vector<4xf32>
// CHECK: %[[JOINED:.*]]:2 = scf.for %[[L:.*]] = %c0 to %[[LEVEL]] step %c1 iter_args(%[[S:.*]] = %[[NEW]],
// CHECK: %[[OLD:.*]] = vector.load %[[C]][%{{.*}}] : memref<?xf32>, vector<4xf32>
// CHECK: func.call @combine.v4(%[[OLD]], %[[S]],
// CHECK: vector.store %[[JOINED]]#0, %[[C]]
// … and then single ones.
// CHECK: scf.for
// CHECK: memref.load %[[T]]
// CHECK: func.call @combine(
// CHECK: memref.store {{.*}}, %[[C]]
// CHECK: memref.store %{{.*}}, %[[N]][%[[LEVEL]]]
// CHECK-NOT: fold.tile
// CHECK: return
func.func @push(%t: memref<?xf32>, %c: memref<?xf32>, %n: memref<64xi64>, %leaf: index, %w: index, %e: index) {
  %slot = arith.constant 0 : index
  fold.tile_slots %t slot %slot width %w leaf %leaf elements %e counter %c counts %n
    combine @combine capacity 1024 simd 4
    : memref<?xf32> counter memref<?xf32> counts memref<64xi64>
  return
}

// What the counter holds joins from the smallest run up, the older on the left.
// CHECK-LABEL: func.func @collapse(
// CHECK-SAME: %[[T:.*]]: memref<?xf32>, %[[C:.*]]: memref<?xf32>, %[[N:.*]]: memref<64xi64>, %[[LEAVES:.*]]: index, %[[W:.*]]: index)
// CHECK: llvm.intr.cttz
// CHECK: scf.for %{{.*}} = %c0 to %[[W]] step %c1
// CHECK: %[[ALL:.*]]:3 = scf.while
// CHECK: arith.shrui %[[LEAVES]]
// CHECK: ^bb0(%[[S:.*]]: f32, %{{.*}}: i64, %{{.*}}: index):
// CHECK: scf.if
// CHECK: %[[OLD:.*]] = memref.load %[[C]]
// CHECK: func.call @combine(%[[OLD]], %[[S]],
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[S]]
// CHECK: memref.store %[[ALL]]#0, %[[T]]
// CHECK-NOT: fold.tile
// CHECK: return
func.func @collapse(%t: memref<?xf32>, %c: memref<?xf32>, %n: memref<64xi64>, %leaves: index, %w: index) {
  fold.tile_chunks %c counts %n leaves %leaves width %w tile %t
    combine @combine capacity 1024 simd 1
    : memref<?xf32> counts memref<64xi64> tile memref<?xf32>
  return
}

// Every slot takes one element, by map. Slots and outputs are one long row where
// the input has no gap between its rows.
// CHECK-LABEL: func.func @lift(
// CHECK-SAME: %[[X:.*]]: memref<?x?xf32, strided<[?, 1]>>, %[[T:.*]]: memref<?xf32>, %[[W:.*]]: index, %[[N:.*]]: index)
// CHECK: %{{.*}}, %{{.*}}, %{{.*}}:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %[[X]]
// CHECK: %[[FLAT:.*]] = arith.cmpi eq, %[[STRIDES]]#0, %[[W]]
// CHECK: %[[OUTER:.*]] = arith.select %[[FLAT]], %c1, %[[N]]
// CHECK: scf.for %{{.*}} = %c0 to %[[OUTER]]
// CHECK: %[[V:.*]] = vector.load %[[X]][%{{.*}}] : {{.*}}, vector<4xf32>
// CHECK: %[[S:.*]] = func.call @map.v4(%[[V]],
// CHECK: vector.store %[[S]], %[[T]]
// CHECK-NOT: @update
// CHECK: return
func.func @lift(%x: memref<?x?xf32, strided<[?, 1]>>, %t: memref<?xf32>, %w: index, %n: index) {
  %c = arith.constant 0 : index
  fold.tile_lift %x[] column %c width %w first %c count %n tile %t map @map simd 4
    : memref<?x?xf32, strided<[?, 1]>> tile memref<?xf32>
  return
}

// Rows after each other: four planes in one pass over the tile, seeded by map,
// going on by update.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[X:.*]]: memref<?x?xf32, strided<[?, 1]>>, %[[T:.*]]: memref<?xf32>,
// CHECK: scf.if
// CHECK: func.call @map.v4
// CHECK-NOT: @update.v4
// CHECK: } else {
// CHECK: %[[SEED:.*]] = func.call @map.v4
// CHECK: %[[SECOND:.*]] = func.call @update.v4(%[[SEED]],
// CHECK: %[[THIRD:.*]] = func.call @update.v4(%[[SECOND]],
// CHECK: %[[FOURTH:.*]] = func.call @update.v4(%[[THIRD]],
// CHECK: vector.store %[[FOURTH]], %[[T]]
// CHECK: scf.for {{.*}} = %c4 to %{{.*}} step %c4
// CHECK: %[[S:.*]] = vector.load %[[T]]
// CHECK: func.call @update.v4(%[[S]],
// CHECK-COUNT-3: func.call @update.v4(
// CHECK-NOT: func.call @update.v4(
// CHECK: vector.store
// CHECK-NOT: fold.tile
// CHECK: return
func.func @rows(%x: memref<?x?xf32, strided<[?, 1]>>, %t: memref<?xf32>, %w: index, %n: index) {
  %c = arith.constant 0 : index
  fold.tile_rows %x[] column %c width %w first %c count %n slot %c slots %n tile %t
    map @map update @update vector 4 accumulators 4 rows 32 simd 4
    : memref<?x?xf32, strided<[?, 1]>> tile memref<?xf32>
  return
}

// A map that reads k cannot run over slots and outputs as one row …
// CHECK-LABEL: func.func @indexed_map(
// CHECK-SAME: %[[N:[^:]*]]: index)
// CHECK-NOT: extract_strided_metadata
// CHECK: scf.for %{{.*}} = %c0 to %[[N]]
// CHECK: func.call @mapIndex.v4
func.func @indexed_map(%x: memref<?x?xf32, strided<[?, 1]>>, %t: memref<?xi64>, %w: index, %n: index) {
  %c = arith.constant 0 : index
  fold.tile_lift %x[] column %c width %w first %c count %n tile %t map @mapIndex simd 4
    : memref<?x?xf32, strided<[?, 1]>> tile memref<?xi64>
  return
}

// … nor can an update.
// CHECK-LABEL: func.func @indexed_update(
// CHECK-NOT: extract_strided_metadata
// CHECK: func.call @updateIndex.v4
func.func @indexed_update(%x: memref<?x?xf32, strided<[?, 1]>>, %t: memref<?xf32>, %w: index, %n: index) {
  %c = arith.constant 0 : index
  fold.tile_rows %x[] column %c width %w first %c count %n slot %c slots %n tile %t
    map @map update @updateIndex vector 4 accumulators 4 rows 32 simd 4
    : memref<?x?xf32, strided<[?, 1]>> tile memref<?xf32>
  return
}

func.func private @map(%x: f32, %k: i64) -> f32 {
  return %x : f32
}
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 {
  %r = arith.subf %s, %x : f32
  return %r : f32
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 {
  %r = arith.subf %a, %b : f32
  return %r : f32
}
func.func private @mapIndex(%x: f32, %k: i64) -> i64 {
  return %k : i64
}
func.func private @updateIndex(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 {
  %r = arith.sitofp %k : i64 to f32
  return %r : f32
}
