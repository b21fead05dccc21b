// RUN: warpfold-opt %s --fold-lower-blocks --canonicalize --cse | FileCheck %s

// States of a block's warps meet in shared memory.
module attributes {fold.target = "null"} {

// CHECK-DAG: llvm.mlir.global internal @warps_0_0() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<8 x f32>
// CHECK-DAG: llvm.mlir.global internal @columns_0_0() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<512 x f32>
// CHECK-DAG: llvm.mlir.global internal @groups_0_0() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<256 x f32>
// CHECK-DAG: llvm.mlir.global internal @warps_0_1() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<4 x i8>
// What one after the other may share is there once.
// CHECK-NOT: @columns_0_1
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 {
  %s = arith.addf %a, %b : f32
  return %s : f32
}
func.func private @pair(%a: i1, %i: f64, %b: i1, %j: f64, %na: i64, %nb: i64) -> (i1, f64) {
  return %a, %j : i1, f64
}

// A slot a warp; one barrier; the first warp's lanes join them.
// CHECK-LABEL: func.func @block(
// CHECK-SAME: %[[A:[^ ]*]]: f32, %[[T:[^ ]*]]: index, %[[N:[^ ]*]]: index)
// CHECK: %[[MEM:.*]] = llvm.mlir.addressof @warps_0_0 : !llvm.ptr<3>
// CHECK: %[[LANE:.*]] = arith.remui %[[T]], %c32
// CHECK: %[[WARP:.*]] = arith.divui %[[T]], %c32
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[LANE]], %c0
// CHECK: scf.if %[[FIRST]] {
// CHECK: llvm.getelementptr inbounds %[[MEM]]
// CHECK: llvm.store %[[A]]
// CHECK-NEXT: {{^ *[}]$}}
// CHECK-NEXT: llvm.call @wf.null.barrier
// CHECK: %[[ZERO:.*]] = arith.cmpi eq, %[[WARP]], %c0
// CHECK: scf.if %[[ZERO]]
// CHECK: %[[AT:.*]] = arith.minui %[[LANE]], %c7
// CHECK: %[[S:.*]] = llvm.load
// CHECK: fold.lane_slots %[[S]] lane %[[LANE]] present %[[N]] combine @combine lanes 8 stride 1 loose
// CHECK-NOT: barrier
// CHECK: return
func.func @block(%a: f32, %t: index, %n: index) -> f32 {
  %s = fold.block %a thread %t present %n combine @combine warps 8 : f32 -> f32
  return %s : f32
}

// One warp has nobody to meet.
// CHECK-LABEL: func.func @alone(
// CHECK-SAME: %[[A:[^ ]*]]: f32,
// CHECK-NEXT: return %[[A]]
func.func @alone(%a: f32, %t: index) -> f32 {
  %s = fold.block %a thread %t combine @combine warps 1 : f32 -> f32
  return %s : f32
}

// Every member has an array of its own, a bool a byte.
// CHECK-LABEL: func.func @members(
// CHECK: arith.extui %{{.*}} : i1 to i8
// CHECK: llvm.store {{.*}} {alignment = 1 : i64} : i8, !llvm.ptr<3>
// CHECK: llvm.store {{.*}} {alignment = 8 : i64} : f64, !llvm.ptr<3>
// CHECK: llvm.store {{.*}} {alignment = 8 : i64} : i64, !llvm.ptr<3>
// CHECK: barrier
// CHECK: %[[B:.*]] = arith.cmpi ne, %{{.*}}, %c0_i8
// CHECK: fold.lane_slots %[[B]], %{{.*}}, %{{.*}} lane {{.*}} combine @pair lanes 4 stride 1 loose counted : i1, f64, i64
func.func @members(%a: i1, %b: f64, %n: i64, %t: index) -> (i1, f64, i64) {
  %s:3 = fold.block %a, %b, %n thread %t combine @pair warps 4 counted : i1, f64, i64 -> i1, f64, i64
  return %s#0, %s#1, %s#2 : i1, f64, i64
}

// A second one must not write where the first may still be read.
// CHECK-LABEL: func.func @twice(
// CHECK-DAG: %[[M:.*]] = llvm.mlir.addressof @[[FIRST:warps_0_[0-9]+]]
// CHECK-DAG: %[[N:.*]] = llvm.mlir.addressof @[[SECOND:warps_0_[0-9]+]]
// CHECK-COUNT-2: llvm.call @wf.null.barrier
// CHECK: return
func.func @twice(%a: f32, %t: index) -> f32 {
  %s = fold.block %a thread %t combine @combine warps 2 : f32 -> f32
  %r = fold.block %s thread %t combine @combine warps 2 : f32 -> f32
  return %r : f32
}

// Two outputs a thread, 32 apart. 256 threads join 8 slots of 64 outputs: each
// two slots of one output, then the first 64 threads what the four groups have.
// A slot past `present` leaves the left side as it is.
// CHECK-LABEL: func.func @columns(
// CHECK-SAME: %[[A:[^ ]*]]: f32, %[[B:[^ ]*]]: f32, %[[H:[^ ]*]]: i1, %[[T:[^ ]*]]: index, %[[SLOT:[^ ]*]]: index, %[[C:[^ ]*]]: index, %[[N:[^ ]*]]: index)
// CHECK: scf.if %[[H]] {
// CHECK: %[[ROW:.*]] = arith.muli %[[SLOT]], %c64
// CHECK: arith.addi %[[ROW]], %[[C]]
// CHECK: llvm.store %[[A]], %[[P:[^ ]*]] {
// CHECK: %[[Q:.*]] = llvm.getelementptr inbounds %[[P]][32]
// CHECK: llvm.store %[[B]], %[[Q]]
// CHECK: {{^ *[}]$}}
// CHECK-NEXT: llvm.call @wf.null.barrier
// CHECK: %[[COLUMN:.*]] = arith.remui %[[T]], %c64
// CHECK: %[[G:.*]] = arith.divui %[[T]], %c64
// CHECK: %[[GROUP:.*]] = arith.minui %[[G]], %c3
// CHECK: %[[FIRST:.*]] = arith.muli %[[GROUP]], %c2
// CHECK: %[[X:.*]] = llvm.load
// CHECK: %[[Y:.*]] = llvm.load
// CHECK: %[[J:.*]] = call @combine(%[[X]], %[[Y]],
// CHECK: %[[NEXT:.*]] = arith.addi %[[FIRST]], %c1
// CHECK: %[[HERE:.*]] = arith.cmpi ult, %[[NEXT]], %[[N]]
// CHECK: %[[S:.*]] = arith.select %[[HERE]], %[[J]], %[[X]]
// CHECK: llvm.store %[[S]]
// CHECK: llvm.call @wf.null.barrier
// CHECK: %[[MINE:.*]] = arith.cmpi ult, %[[T]], %c64
// CHECK: scf.if %[[MINE]]
// CHECK: %[[G0:.*]] = llvm.load
// CHECK: %[[G1:.*]] = llvm.load
// CHECK: %[[G2:.*]] = llvm.load
// CHECK: %[[G3:.*]] = llvm.load
// CHECK: %[[J01:.*]] = func.call @combine(%[[G0]], %[[G1]],
// CHECK: %[[H2:.*]] = arith.cmpi ugt, %[[N]], %c2
// CHECK: %[[S01:.*]] = arith.select %[[H2]], %[[J01]], %[[G0]]
// CHECK: func.call @combine(%[[G2]], %[[G3]],
// CHECK: arith.cmpi ugt, %[[N]], %c6
// CHECK: %[[S23:.*]] = arith.select
// CHECK: func.call @combine(%[[S01]], %[[S23]],
// CHECK: arith.cmpi ugt, %[[N]], %c4
// CHECK-NOT: barrier
// CHECK: return
func.func @columns(%a: f32, %b: f32, %h: i1, %t: index, %slot: index, %c: index, %n: index) -> f32 {
  %s = fold.block_columns %a, %b thread %t holds %h slot %slot column %c present %n
    combine @combine each 2 spread 32 columns 64 slots 8 threads 256 : f32, f32 -> f32
  return %s : f32
}

// As many outputs as threads: one group, and a barrier before the arrays may be
// written again.
// CHECK-LABEL: func.func @wide(
// CHECK-NOT: scf.if
// CHECK: llvm.store
// CHECK: llvm.call @wf.null.barrier
// CHECK: %[[J:.*]] = call @combine
// CHECK: arith.select %{{.*}}, %[[J]]
// CHECK-NOT: llvm.store
// CHECK: llvm.call @wf.null.barrier
// CHECK: return
func.func @wide(%a: f32, %t: index, %slot: index, %c: index, %n: index) -> f32 {
  %h = arith.constant true
  %s = fold.block_columns %a thread %t holds %h slot %slot column %c present %n
    combine @combine each 1 spread 1 columns 64 slots 2 threads 64 : f32 -> f32
  return %s : f32
}
}
