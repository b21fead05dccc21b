// RUN: warpfold-opt %s --fold-lower-lane-columns --canonicalize --cse | FileCheck %s
// RUN: sed 's/"null"/"sm_90"/' %s | warpfold-opt --fold-lower-lane-columns | FileCheck %s --check-prefix=SM90

// Columns: a lane folds slots of neighbouring outputs; and chains.
module attributes {fold.target = "null"} {

// Loads one at a time keep their order, an element of all outputs after another.
// SM90-LABEL: func.func @whole(
// SM90-NOT: bar.warp.sync
// SM90-LABEL: func.func @guarded(
// SM90: call @map
// SM90: llvm.call_intrinsic "llvm.nvvm.bar.warp.sync"
// SM90: call @update
// SM90: llvm.call_intrinsic "llvm.nvvm.bar.warp.sync"
// SM90-LABEL: func.func @leaves(
// SM90-NOT: bar.warp.sync

func.func private @map(%x: f32, %k: i64) -> f32 {
  return %x : f32
}
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 {
  %r = arith.addf %s, %x : f32
  return %r : f32
}
func.func private @mapb(%x: i1, %y: i8, %k: i64) -> i1 {
  return %x : i1
}
func.func private @updateb(%s: i1, %n: i64, %x: i1, %y: i8, %k: i64) -> i1 {
  return %s : i1
}

// A slot of two neighbouring outputs: elements first, + 2, + 128, + 130. A
// pointer walks; two loads are under way, and the next comes after each fold.
// CHECK-LABEL: func.func @whole(
// CHECK-SAME: %[[X:[^ ]*]]: !llvm.ptr<1>, %[[O:[^ ]*]]: index, %[[S:[^ ]*]]: index, %[[F:[^ ]*]]: index,
// CHECK: %[[D:.*]] = arith.muli %[[F]], %[[S]]
// CHECK: arith.addi %[[O]], %[[D]]
// CHECK: %[[V0:.*]] = llvm.load %[[P0:.*]] invariant {alignment = 8 : i64} : !llvm.ptr<1> -> vector<2xf32>
// CHECK: %[[A0:.*]] = vector.extract %[[V0]][0]
// CHECK: %[[A1:.*]] = vector.extract %[[V0]][1]
// CHECK: %[[GAP:.*]] = arith.muli %[[S]], %c2
// CHECK: %[[G64:.*]] = arith.index_cast %[[GAP]]
// CHECK: %[[P1:.*]] = llvm.getelementptr inbounds %[[P0]][%[[G64]]]
// CHECK: %[[V1:.*]] = llvm.load %[[P1]]
// CHECK: %[[B0:.*]] = vector.extract %[[V1]][0]
// CHECK: %[[S0:.*]] = call @map(%[[A0]],
// CHECK: %[[S1:.*]] = call @map(%[[A1]],
// CHECK: %[[STEP:.*]] = arith.muli %[[S]], %c126
// CHECK: llvm.load
// CHECK: %[[T0:.*]] = call @update(%[[S0]], %c1_i64, %[[B0]],
// CHECK: %[[T1:.*]] = call @update(%[[S1]], %c1_i64,
// CHECK: llvm.load
// CHECK: %[[U0:.*]] = call @update(%[[T0]], %c2_i64,
// CHECK: %[[U1:.*]] = call @update(%[[T1]], %c2_i64,
// CHECK-NOT: llvm.load
// CHECK: %[[W0:.*]] = call @update(%[[U0]], %c3_i64,
// CHECK: %[[W1:.*]] = call @update(%[[U1]], %c3_i64,
// CHECK: return %[[W0]], %[[W1]]
func.func @whole(%x: !llvm.ptr<1>, %o: index, %s: index, %first: index, %k: index, %w: index) -> (f32, f32) {
  %r:2 = fold.lane_column %x offsets(%o) sizes(%k) strides(%s) first %first limit %k width %w
    map @map update @update inner [1] outputs 2 spread 32 leaves 1 rows 2 step 128
    elements 2 gap 2 flight 2 whole vectors : !llvm.ptr<1> -> f32, f32
  return %r#0, %r#1 : f32, f32
}

// What is past the limit is read at the fold's beginning and not folded; an
// output past the matrix's edge is read where output 0 is.
// CHECK-LABEL: func.func @guarded(
// CHECK-SAME: %[[X:[^ ]*]]: !llvm.ptr<1>, %[[O:[^ ]*]]: index, %[[S:[^ ]*]]: index, %[[F:[^ ]*]]: index, %[[K:[^ ]*]]: index, %[[W:[^ ]*]]: index)
// CHECK: %[[H0:.*]] = arith.cmpi ult, %[[F]], %[[K]]
// CHECK: %[[START:.*]] = llvm.getelementptr inbounds %[[X]]
// CHECK: %[[P:.*]] = arith.select %[[H0]], %{{.*}}, %{{.*}} : !llvm.ptr<1>
// CHECK: %[[A0:.*]] = llvm.load %[[P]] {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK: %[[IN:.*]] = arith.cmpi ugt, %[[W]], %c8
// CHECK: %[[BY:.*]] = arith.select %[[IN]], %c8, %c0
// CHECK: %[[BY64:.*]] = arith.index_cast %[[BY]]
// CHECK: %[[Q:.*]] = llvm.getelementptr inbounds %[[P]][%[[BY64]]]
// CHECK: llvm.load %[[Q]] {alignment = 4 : i64}
// CHECK: %[[NEXT:.*]] = arith.addi %[[F]], %c128
// CHECK: %[[H1:.*]] = arith.cmpi ult, %[[NEXT]], %[[K]]
// CHECK: arith.select %[[H1]]
// CHECK: %[[S0:.*]] = call @map(%[[A0]],
// CHECK: %[[N0:.*]] = arith.extui %[[H0]]
// CHECK: %[[T0:.*]] = call @update(%[[S0]], %c1_i64,
// CHECK: %[[R0:.*]] = arith.select %[[H1]], %[[T0]], %[[S0]]
// CHECK: %[[N1:.*]] = arith.extui %[[H1]]
// CHECK: %[[N:.*]] = arith.addi %[[N0]], %[[N1]]
// CHECK: return %[[R0]], %{{.*}}, %[[N]]
func.func @guarded(%x: !llvm.ptr<1>, %o: index, %s: index, %first: index, %k: index, %w: index) -> (f32, f32, i64) {
  %r:3 = fold.lane_column %x offsets(%o) sizes(%k) strides(%s) first %first limit %k width %w
    map @map update @update inner [1] outputs 2 spread 8 leaves 1 rows 2 step 128
    elements 1 gap 2 flight 8 counted : !llvm.ptr<1> -> f32, f32, i64
  return %r#0, %r#1, %r#2 : f32, f32, i64
}

// Four slots of one element each: they begin at 0, 1, and a row's lane further,
// at 128 / 32 = 4, 5.
// CHECK-LABEL: func.func @leaves(
// CHECK-SAME: %{{[^ ]*}}: !llvm.ptr<1>, %{{[^ ]*}}: index, %[[S:[^ ]*]]: index, %[[F:[^ ]*]]: index,
// CHECK-COUNT-4: llvm.load
// CHECK-NOT: llvm.load
// CHECK: %[[K0:.*]] = arith.index_cast %[[F]]
// CHECK: %[[A:.*]] = call @map(%{{.*}}, %[[K0]])
// CHECK: arith.addi %[[F]], %c1
// CHECK: %[[B:.*]] = call @map
// CHECK: arith.addi %[[F]], %c4
// CHECK: %[[C:.*]] = call @map
// CHECK: arith.addi %[[F]], %c5
// CHECK: %[[D:.*]] = call @map
// CHECK: return %[[A]], %[[B]], %[[C]], %[[D]]
func.func @leaves(%x: !llvm.ptr<1>, %o: index, %s: index, %first: index, %k: index, %w: index) -> (f32, f32, f32, f32) {
  %r:4 = fold.lane_column %x offsets(%o) sizes(%k) strides(%s) first %first limit %k width %w
    map @map update @update inner [1] outputs 1 spread 32 leaves 4 rows 1 step 128
    elements 1 gap 2 flight 8 whole vectors : !llvm.ptr<1> -> f32, f32, f32, f32
  return %r#0, %r#1, %r#2, %r#3 : f32, f32, f32, f32
}

// The first two elements come from before; the last two folds read those of the
// next slot, without a question where it is sure.
// CHECK-LABEL: func.func @ahead(
// CHECK-SAME: %[[F:[^ ]*]]: index, %[[K:[^ ]*]]: index, %{{[^ ]*}}: index, %[[NEXT:[^ ]*]]: index)
// CHECK: %[[H:.*]] = arith.cmpi ult, %[[F]], %[[K]]
// CHECK: arith.select %[[H]]
// CHECK: %[[A0:.*]] = llvm.load
// CHECK: %[[A1:.*]] = llvm.load
// CHECK: %[[S0:.*]] = call @map(%[[A0]],
// CHECK: %[[A2:.*]] = llvm.load
// CHECK: %[[S1:.*]] = call @update(%[[S0]], %c1_i64, %[[A1]],
// CHECK: %[[A3:.*]] = llvm.load
// CHECK: %[[S2:.*]] = call @update(%[[S1]], %c2_i64, %[[A2]],
// CHECK-NOT: arith.select
// CHECK: arith.muli %[[NEXT]],
// CHECK: %[[B0:.*]] = llvm.load
// CHECK: %[[S3:.*]] = call @update(%[[S2]], %c3_i64, %[[A3]],
// CHECK: %[[B1:.*]] = llvm.load
// CHECK: return %[[S3]], %[[B0]], %[[B1]]
func.func @ahead(%x: !llvm.ptr<1>, %o: index, %s: index, %first: index, %k: index, %w: index, %next: index) -> (f32, f32, f32) {
  %a:2 = fold.lane_ahead %x offsets(%o) sizes(%k) strides(%s) first %first limit %k width %w
    map @map inner [1] outputs 1 spread 32 leaves 1 rows 4 step 128
    elements 1 gap 2 flight 2 vectors : !llvm.ptr<1> -> f32, f32
  %r:3 = fold.lane_column %x offsets(%o) sizes(%k) strides(%s) first %first limit %k width %w
    ahead(%a#0, %a#1 : f32, f32) next %next
    map @map update @update inner [1] outputs 1 spread 32 leaves 1 rows 4 step 128
    elements 1 gap 2 flight 2 whole sure vectors : !llvm.ptr<1> -> f32, f32, f32
  return %r#0, %r#1, %r#2 : f32, f32, f32
}

// Two inputs over two axes: one of bools side by side, one the same for all
// outputs.
// CHECK-LABEL: func.func @inputs(
// CHECK: arith.remui
// CHECK: llvm.load {{.*}} {alignment = 2 : i64} : !llvm.ptr<1> -> i16
// CHECK: %[[Y:.*]] = llvm.load {{.*}} {alignment = 1 : i64} : !llvm.ptr<1> -> i8
// CHECK-NOT: llvm.load
// CHECK: %[[B:.*]] = arith.cmpi ne, %{{.*}}, %c0_i8
// CHECK: call @mapb(%[[B]], %[[Y]],
// CHECK: call @mapb(%{{.*}}, %[[Y]],
func.func @inputs(%x: !llvm.ptr<1>, %o: index, %s: index, %first: index, %n: index, %m: index, %k: index, %w: index) -> (i1, i1) {
  %r:2 = fold.lane_column %x, %x offsets(%o, %o) sizes(%n, %m) strides(%s, %s, %s, %s) first %first limit %k width %w
    map @mapb update @updateb inner [1, 0] outputs 2 spread 32 leaves 1 rows 1 step 128
    elements 1 gap 2 flight 2 whole vectors : !llvm.ptr<1>, !llvm.ptr<1> -> i1, i1
  return %r#0, %r#1 : i1, i1
}

// One element after the other, two read ahead: no element past the count is
// read or folded. The count of the state is k.
// CHECK-LABEL: func.func @chain(
// CHECK-SAME: %{{[^ ]*}}: !llvm.ptr<1>, %[[O:[^ ]*]]: index, %[[S:[^ ]*]]: index, %[[K:[^ ]*]]: index)
// CHECK: %[[A0:.*]] = llvm.load
// CHECK: %[[H:.*]] = arith.cmpi ugt, %[[K]], %c1
// CHECK: %[[P:.*]] = arith.select %[[H]]
// CHECK: %[[A1:.*]] = llvm.load %[[P]]
// CHECK: %[[S0:.*]] = call @map(%[[A0]], %c0_i64)
// CHECK: %[[T:.*]] = call @update(%[[S0]], %c1_i64, %[[A1]], %c1_i64)
// CHECK: %[[S1:.*]] = arith.select %[[H]], %[[T]], %[[S0]]
// CHECK: scf.for %[[I:.*]] = %c2 to %[[K]] step %c2 iter_args(%[[R:.*]] = %[[S1]])
// CHECK-COUNT-2: llvm.load
// CHECK: %[[N:.*]] = arith.index_cast %[[I]]
// CHECK: %[[U:.*]] = func.call @update(%[[R]], %[[N]], %{{.*}}, %[[N]])
// CHECK: arith.select %{{.*}}, %[[U]], %[[R]]
// CHECK: func.call @update
// CHECK: scf.yield
func.func @chain(%x: !llvm.ptr<1>, %o: index, %s: index, %k: index) -> f32 {
  %r = fold.lane_chain %x offsets(%o) sizes(%k) strides(%s) count %k
    map @map update @update inner [-1] flight 2 : !llvm.ptr<1> -> f32
  return %r : f32
}
}
