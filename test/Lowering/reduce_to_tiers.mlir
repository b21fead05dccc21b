// RUN: warpfold-opt %s -split-input-file --fold-reduce-to-tiers -canonicalize -cse | FileCheck %s

// A row: chunks over rows over slots; a chunk shorter than a row takes the
// partial form, whose slots are a prefix. The arguments are those of Launch.h:
// inputs, outputs, partials, params, begin, end, runs, run_chunks, elements.
// CHECK-LABEL: func.func @fold(
// CHECK-SAME: %[[X:.*]]: memref<?x?xf32, strided<[?, 1], offset: ?>>, %[[Y:.*]]: memref<?xf32, strided<[1], offset: ?>>, %[[PARTIALS:.*]]: memref<?xf32>, %[[P:.*]]: f64, %[[BEGIN:[^:]*]]: index, %[[END:[^:]*]]: index, %[[RUNS:[^:]*]]: index, %[[RUNCHUNKS:[^:]*]]: index, %[[K:[^:]*]]: index)
// CHECK: scf.for %[[ITEM:.*]] = %[[BEGIN]] to %[[END]]
// CHECK-DAG: %[[OUTPUT:.*]] = arith.divui %[[ITEM]], %[[RUNS]]
// CHECK-DAG: %[[PART:.*]] = arith.remui %[[ITEM]], %[[RUNS]]
// CHECK: %[[STATE:.*]] = fold.chunks %{{.*}} params(%[[P]] : f64) combine @combine
// CHECK: %[[SHORT:.*]] = arith.cmpi ult, %[[COUNT:.*]], %c32
// CHECK: scf.if %[[SHORT]]
// CHECK: %[[SLOTS:.*]] = fold.rows %[[X]][%[[OUTPUT]]] first %[[FIRST:.*]] count %[[COUNT]] position %[[FIRST]] params(%[[P]] : f64) map @map update @update vector 1 accumulators 1 rows 32 partial_row :
// CHECK: fold.slots %[[SLOTS]] present %[[COUNT]] of 32
// CHECK: } else {
// CHECK: %[[ALL:.*]] = fold.rows {{.*}} rows 32 :
// CHECK: fold.slots %[[ALL]] params
// A fold that is one run is finished and stored, else its state is a partial.
// CHECK: %[[WHOLE:.*]] = arith.cmpi eq, %[[RUNS]], %c1
// CHECK: scf.if %[[WHOLE]]
// CHECK: %[[R:.*]] = func.call @finish(%[[STATE]]
// NaNs leave as the one quiet NaN: the result is not stored as it is.
// CHECK-NOT: memref.store %[[R]],
// CHECK: arith.select
// CHECK: memref.store %{{.*}}, %[[Y]][%[[OUTPUT]]]
// CHECK: } else {
// CHECK-NOT: @finish
// CHECK: memref.store %[[STATE]], %[[PARTIALS]][
// The runs of an output join by the same tree.
// CHECK-LABEL: func.func @fold_join(
// CHECK-SAME: %{{[^:]*}}: memref<?xf32, strided<[1], offset: ?>>, %[[PARTIALS:.*]]: memref<?xf32>, %{{[^:]*}}: f64, %{{[^:]*}}: index, %{{[^:]*}}: index, %[[RUNS:.*]]: index, %{{[^:]*}}: index, %{{[^:]*}}: index)
// CHECK: fold.chunks %[[RUNS]]
// CHECK: memref.load %[[PARTIALS]]
// CHECK: call @finish
// CHECK-NOT: fold.reduce
// CHECK-NOT: fold_described
func.func @fold(%x: memref<?x?xf32, strided<[?, 1], offset: ?>>, %y: memref<?xf32, strided<[1], offset: ?>>, %p: f64) {
  fold.reduce ins(%x : memref<?x?xf32, strided<[?, 1], offset: ?>>)
    outs(%y : memref<?xf32, strided<[1], offset: ?>>) params(%p : f64) axes [1] order canonical
    map @map combine @combine update @update finish @finish
    plan #fold.plan<"cpu kind=row vector=1 accumulators=1 rows=32 simd=32">
  return
}
func.func private @map(%x: f32, %k: i64, %p: f64) -> f32 { return %x : f32 }
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64, %p: f64) -> f32 { return %a : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64, %p: f64) -> f32 { return %s : f32 }
func.func private @finish(%s: f32, %n: i64, %p: f64) -> f32 { return %s : f32 }

// -----

// Elements that are gathered come a chunk at a time, to the front of a buffer;
// k is still the position in the fold.
// CHECK-LABEL: func.func @fold(
// CHECK-SAME: %[[SOURCE:[^:]*]]: !llvm.ptr, %[[BUFFER:[^:]*]]: memref<?xf32>,
// CHECK: fold.chunks
// CHECK: fold.pack %[[SOURCE]] output %{{.*}} first %[[K:.*]] count %[[N:.*]] : !llvm.ptr
// CHECK: fold.rows %[[BUFFER]][] first %c0 count %[[N]] position %[[K]] {{.*}} partial_row
// CHECK: fold.rows %[[BUFFER]][] first %c0 count %[[N]] position %[[K]]
func.func @fold(%x: memref<?x?xf32, strided<[?, 1], offset: ?>>, %y: memref<?xf32, strided<[1], offset: ?>>, %p: f64) {
  fold.reduce ins(%x : memref<?x?xf32, strided<[?, 1], offset: ?>>)
    outs(%y : memref<?xf32, strided<[1], offset: ?>>) params(%p : f64) axes [1] order canonical
    map @map combine @combine update @update finish @finish
    plan #fold.plan<"cpu kind=general vector=1 accumulators=1 simd=32 load=pack">
  return
}
func.func private @map(%x: f32, %k: i64, %p: f64) -> f32 { return %x : f32 }
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64, %p: f64) -> f32 { return %a : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64, %p: f64) -> f32 { return %s : f32 }
func.func private @finish(%s: f32, %n: i64, %p: f64) -> f32 { return %s : f32 }

// -----

// Sequential is one chain an output; no run, no join.
// CHECK-LABEL: func.func @fold(
// CHECK: scf.for %[[OUTPUT:.*]] = 
// CHECK: fold.chain %{{.*}}[%[[OUTPUT]]] first %c0 count %{{.*}} position %c0 params
// CHECK-NOT: fold.{{rows|slots|chunks}}
// CHECK-NOT: @fold_join
func.func @fold(%x: memref<?x?xf32, strided<[?, 1], offset: ?>>, %y: memref<?xf32, strided<[1], offset: ?>>, %p: f64) {
  fold.reduce ins(%x : memref<?x?xf32, strided<[?, 1], offset: ?>>)
    outs(%y : memref<?xf32, strided<[1], offset: ?>>) params(%p : f64) axes [1] order sequential
    map @map combine @combine update @update finish @finish
    plan #fold.plan<"cpu kind=row order=sequential vector=1 accumulators=1 rows=0 simd=1">
  return
}
func.func private @map(%x: f32, %k: i64, %p: f64) -> f32 { return %x : f32 }
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64, %p: f64) -> f32 { return %a : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64, %p: f64) -> f32 { return %s : f32 }
func.func private @finish(%s: f32, %n: i64, %p: f64) -> f32 { return %s : f32 }

// -----

// A gathered chain goes on from the state that the buffer before left.
// CHECK-LABEL: func.func @fold(
// CHECK: fold.pack
// CHECK: %[[S:.*]] = fold.chain %{{.*}}[] first %c0 count %{{.*}} position %c0 params
// CHECK: scf.for %[[K:.*]] = %c4096 to %{{.*}} step %c4096 iter_args(%[[A:.*]] = %[[S]])
// CHECK: fold.pack %{{.*}} first %[[K]] count %[[N:.*]] :
// CHECK: %[[T:.*]] = fold.chain %{{.*}}[] first %c0 count %[[N]] position %[[K]] from(%[[A]] : f32)
// CHECK: scf.yield %[[T]]
func.func @fold(%x: memref<?x?xf32, strided<[?, 1], offset: ?>>, %y: memref<?xf32, strided<[1], offset: ?>>, %p: f64) {
  fold.reduce ins(%x : memref<?x?xf32, strided<[?, 1], offset: ?>>)
    outs(%y : memref<?xf32, strided<[1], offset: ?>>) params(%p : f64) axes [1] order sequential
    map @map combine @combine update @update finish @finish
    plan #fold.plan<"cpu kind=general order=sequential vector=1 accumulators=1 rows=0 simd=1 load=pack">
  return
}
func.func private @map(%x: f32, %k: i64, %p: f64) -> f32 { return %x : f32 }
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64, %p: f64) -> f32 { return %a : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64, %p: f64) -> f32 { return %s : f32 }
func.func private @finish(%s: f32, %n: i64, %p: f64) -> f32 { return %s : f32 }

// -----

// Rows of 7, four abreast: each row to one vector, then all vectors together
// until a lane is a row. The last of fewer than four rows are stored one by one.
// CHECK-LABEL: func.func @fold(
// CHECK: %[[BUFFER:.*]] = memref.alloca() {{.*}}: memref<16xf32>
// CHECK: scf.for %[[ROW:.*]] = %c0 to
// CHECK: %[[SLOTS:.*]]:2 = fold.rows {{.*}} count %c7 {{.*}} partial_row : {{.*}} -> vector<4xf32>, vector<4xf32>
// CHECK: %[[V:.*]] = fold.slots %[[SLOTS]]#0, %[[SLOTS]]#1 present %c7 of 8 {{.*}} groups 4
// CHECK: vector.store %[[V]], %[[BUFFER]]
// CHECK: %[[LANES:.*]] = fold.slots {{.*}} present %c4 of 4 {{.*}} groups 4 {{.*}} -> vector<4xf32>
// CHECK: func.call @finish.v4(%[[LANES]],
// CHECK: scf.if
// CHECK: vector.store {{.*}} : memref<?xf32, strided<[1], offset: ?>>, vector<4xf32>
// CHECK: } else {
// CHECK: scf.for
// CHECK: memref.store {{.*}} : memref<?xf32, strided<[1], offset: ?>>
// CHECK-NOT: @fold_join
func.func @fold(%x: memref<?x?xf32, strided<[?, 1], offset: ?>>, %y: memref<?xf32, strided<[1], offset: ?>>, %p: f64) {
  fold.reduce ins(%x : memref<?x?xf32, strided<[?, 1], offset: ?>>)
    outs(%y : memref<?xf32, strided<[1], offset: ?>>) params(%p : f64) axes [1] order canonical
    map @map combine @combine update @update finish @finish
    plan #fold.plan<"cpu kind=row vector=4 accumulators=4 simd=4 elements=7 abreast=4">
  return
}
func.func private @map(%x: f32, %k: i64, %p: f64) -> f32 { return %x : f32 }
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64, %p: f64) -> f32 { return %a : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64, %p: f64) -> f32 { return %s : f32 }
func.func private @finish(%s: f32, %n: i64, %p: f64) -> f32 { return %s : f32 }

// -----

// Columns: a tile of neighbouring outputs a slot, every slot into one counter.
// Scratch and the number of levels are arguments.
// CHECK-LABEL: func.func @fold(
// CHECK-SAME: %[[SCRATCH:[^:]*]]: memref<?xi8>, %[[LEVELS:[^:]*]]: index)
// CHECK-DAG: memref.view %[[SCRATCH]]
// CHECK-DAG: memref.alloca() : memref<64xi64>
// CHECK: fold.tile_rows %{{.*}}[] column %[[C:.*]] width %[[W:.*]] first %{{.*}} count %{{.*}} slot %[[SLOT:.*]] slots %[[N:.*]] tile %[[TILE:.*]] params
// CHECK: scf.for %[[S:.*]] = %c0 to %[[N]]
// CHECK: fold.tile_slots %[[TILE]] slot %[[S]] width %[[W]] {{.*}} counter %[[COUNTER:.*]] counts %[[COUNTS:.*]] params
// CHECK: fold.tile_chunks %[[COUNTER]] counts %[[COUNTS]] leaves %{{.*}} width %[[W]] tile %[[TILE]]
// Whole vectors of outputs, then the last ones alone.
// CHECK: func.call @finish.v4(
// CHECK: func.call @finish(
// CHECK-LABEL: func.func @fold_join(
func.func @fold(%x: memref<?x?xf32, strided<[?, 1], offset: ?>>, %y: memref<?xf32, strided<[1], offset: ?>>, %p: f64) {
  fold.reduce ins(%x : memref<?x?xf32, strided<[?, 1], offset: ?>>)
    outs(%y : memref<?xf32, strided<[1], offset: ?>>) params(%p : f64) axes [0] order canonical
    map @map combine @combine update @update finish @finish
    plan #fold.plan<"cpu kind=column vector=4 accumulators=4 simd=4 tile=16384">
  return
}
func.func private @map(%x: f32, %k: i64, %p: f64) -> f32 { return %x : f32 }
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64, %p: f64) -> f32 { return %a : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64, %p: f64) -> f32 { return %s : f32 }
func.func private @finish(%s: f32, %n: i64, %p: f64) -> f32 { return %s : f32 }

// -----

// Columns in sequence: one slot, all elements.
// CHECK-LABEL: func.func @fold(
// CHECK: fold.tile_rows {{.*}} slot %c0 slots %c1 {{.*}} rows 0
// CHECK-NOT: fold.tile_{{slots|chunks}}
// CHECK-NOT: @fold_join
func.func @fold(%x: memref<?x?xf32, strided<[?, 1], offset: ?>>, %y: memref<?xf32, strided<[1], offset: ?>>, %p: f64) {
  fold.reduce ins(%x : memref<?x?xf32, strided<[?, 1], offset: ?>>)
    outs(%y : memref<?xf32, strided<[1], offset: ?>>) params(%p : f64) axes [0] order sequential
    map @map combine @combine update @update finish @finish
    plan #fold.plan<"cpu kind=column order=sequential vector=1 accumulators=1 rows=0 simd=4 tile=16384">
  return
}
func.func private @map(%x: f32, %k: i64, %p: f64) -> f32 { return %x : f32 }
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64, %p: f64) -> f32 { return %a : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64, %p: f64) -> f32 { return %s : f32 }
func.func private @finish(%s: f32, %n: i64, %p: f64) -> f32 { return %s : f32 }

// -----

// A combine that reads counts gets them: every tier is `counted`.
// CHECK-LABEL: func.func @fold(
// CHECK-SAME: %[[STATES:[^:]*]]: memref<?xf32>, %[[COUNTS:[^:]*]]: memref<?xi64>,
// CHECK: fold.chunks {{.*}} counted -> f32, i64
// CHECK: fold.rows {{.*}} counted
// CHECK: fold.slots {{.*}} counted
// CHECK: memref.store {{.*}}, %[[COUNTS]][
// CHECK-LABEL: func.func @fold_join(
// CHECK: fold.chunks {{.*}} counted
func.func @fold(%x: memref<?x?xf32, strided<[?, 1], offset: ?>>, %y: memref<?xf32, strided<[1], offset: ?>>, %p: f64) {
  fold.reduce ins(%x : memref<?x?xf32, strided<[?, 1], offset: ?>>)
    outs(%y : memref<?xf32, strided<[1], offset: ?>>) params(%p : f64) axes [1] order canonical
    map @map combine @combine update @update finish @finish
    plan #fold.plan<"cpu kind=row vector=1 accumulators=1 simd=32">
  return
}
func.func private @map(%x: f32, %k: i64, %p: f64) -> f32 { return %x : f32 }
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64, %p: f64) -> f32 { 
  %n = arith.sitofp %na : i64 to f32
  %r = arith.mulf %a, %n : f32
  return %r : f32
}
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64, %p: f64) -> f32 { return %s : f32 }
func.func private @finish(%s: f32, %n: i64, %p: f64) -> f32 { return %s : f32 }

// -----

// ordered lifts each element to a state; update has no part in it.
// CHECK-LABEL: func.func @fold(
// CHECK-NOT: @update update
// CHECK: fold.chunks
// CHECK: %[[SOME:.*]] = fold.lift {{.*}} count %[[N:.*]] position {{.*}} map @map partial_row
// CHECK: fold.slots %[[SOME]] present %[[N]] of 32
// CHECK: } else {
// CHECK: %[[ALL:.*]] = fold.lift {{.*}} map @map :
// CHECK: fold.slots %[[ALL]] combine
// CHECK-NOT: fold.rows
// CHECK-LABEL: func.func @fold_join(
func.func @fold(%x: memref<?x?xf32, strided<[?, 1], offset: ?>>, %y: memref<?xf32, strided<[1], offset: ?>>) {
  fold.reduce ins(%x : memref<?x?xf32, strided<[?, 1], offset: ?>>)
    outs(%y : memref<?xf32, strided<[1], offset: ?>>) axes [1] order ordered
    map @map combine @combine update @update finish @finish
    plan #fold.plan<"cpu kind=row order=ordered vector=1 accumulators=1 rows=1 simd=32">
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }
func.func private @finish(%s: f32, %n: i64) -> f32 { return %s : f32 }

// -----

// Columns in order: the same in tiles.
// CHECK-LABEL: func.func @fold(
// CHECK: fold.tile_lift
// CHECK: fold.tile_slots
// CHECK: fold.tile_chunks
// CHECK-NOT: fold.tile_rows
// CHECK-LABEL: func.func @fold_join(
func.func @fold(%x: memref<?x?xf32, strided<[?, 1], offset: ?>>, %y: memref<?xf32, strided<[1], offset: ?>>) {
  fold.reduce ins(%x : memref<?x?xf32, strided<[?, 1], offset: ?>>)
    outs(%y : memref<?xf32, strided<[1], offset: ?>>) axes [0] order ordered
    map @map combine @combine update @update finish @finish
    plan #fold.plan<"cpu kind=column order=ordered vector=1 accumulators=1 rows=1 simd=4 tile=16384">
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }
func.func private @finish(%s: f32, %n: i64) -> f32 { return %s : f32 }

// -----

// A sum of i8 in i16 partials: rows in 16 bits, slots in 32, the chunk's state
// in the user's 64.
// CHECK-LABEL: func.func @fold(
// CHECK: fold.chunks {{.*}} -> i64
// CHECK: %[[S:.*]]:4 = fold.rows {{.*}} map @map.narrow update @update.narrow {{.*}} partial_row : {{.*}} -> vector<32xi16>, vector<32xi16>, vector<32xi16>, vector<32xi16>
// CHECK: %[[W:.*]] = arith.extsi %[[S]]#0 : vector<32xi16> to vector<32xi32>
// CHECK: %[[T:.*]] = fold.slots %[[W]], {{.*}} combine @combine.narrow {{.*}} -> i32
// CHECK: arith.extsi %[[T]] : i32 to i64
// CHECK: func.func private @map.narrow(%{{.*}}: i8, %{{.*}}: i64) -> i16
func.func @fold(%x: memref<?xi8>, %y: memref<i64>) {
  fold.reduce ins(%x : memref<?xi8>) outs(%y : memref<i64>) axes [0] order canonical
    map @map combine @combine update @update finish @finish commutative exact
    plan #fold.plan<"cpu kind=full vector=4 accumulators=4 rows=32 simd=32 narrow=i16">
  return
}
func.func private @map(%x: i8, %k: i64) -> i64 {
  %r = arith.extsi %x : i8 to i64
  return %r : i64
}
func.func private @combine(%a: i64, %b: i64, %na: i64, %nb: i64) -> i64 {
  %r = arith.addi %a, %b : i64
  return %r : i64
}
func.func private @update(%s: i64, %n: i64, %x: i8, %k: i64) -> i64 {
  %w = arith.extsi %x : i8 to i64
  %r = arith.addi %s, %w : i64
  return %r : i64
}
func.func private @finish(%s: i64, %n: i64) -> i64 { return %s : i64 }
