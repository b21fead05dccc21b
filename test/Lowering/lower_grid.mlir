// RUN: warpfold-opt %s --fold-lower-blocks --canonicalize --cse | FileCheck %s

// Blocks that share an output meet in global memory; the last one joins.
module attributes {fold.target = "sm_90"} {

func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 {
  %s = arith.addf %a, %b : f32
  return %s : f32
}

// One output: thread 0 stores the state and draws. Release, a relaxed addition,
// acquire; the last one makes the ticket ready again. Then 128 threads join up
// to 512 states, four each, a power of two of them; then lanes, then warps.
// CHECK-LABEL: func.func @full(
// CHECK-SAME: %[[A:[^ ]*]]: f32, %[[P:[^ ]*]]: !llvm.ptr<1>, %[[TICKETS:[^ ]*]]: !llvm.ptr<1>, %[[T:[^ ]*]]: index, %{{[^ ]*}}: index, %[[AT:[^ ]*]]: index, %[[FROM:[^ ]*]]: index, %[[PITCH:[^ ]*]]: index, %[[RUNS:[^ ]*]]: index, %[[W:[^ ]*]]: index)
// CHECK: %[[ONE:.*]] = arith.cmpi ult, %[[T]], %c1
// CHECK: scf.if %[[ONE]] {
// CHECK: %[[I:.*]] = arith.index_cast %[[AT]]
// CHECK: %[[Q:.*]] = llvm.getelementptr inbounds %[[P]][%[[I]]]
// CHECK: llvm.store %[[A]], %[[Q]]
// CHECK-NEXT: {{^ *[}]$}}
// CHECK-NOT: barrier
// CHECK: %[[TK:.*]] = llvm.getelementptr inbounds %[[TICKETS]]
// CHECK: %[[ZERO:.*]] = arith.cmpi eq, %[[T]], %c0
// CHECK: scf.if %[[ZERO]] {
// CHECK-NEXT: llvm.fence syncscope("device") release
// CHECK-NEXT: %[[OLD:.*]] = llvm.atomicrmw add %[[TK]], %c1_i32 syncscope("device") monotonic
// CHECK-NEXT: llvm.fence syncscope("device") acquire
// CHECK: %[[ALL:.*]] = arith.index_cast %[[RUNS]] : index to i32
// CHECK: %[[DRAWN:.*]] = arith.addi %[[OLD]], %c1_i32
// CHECK: %[[IS:.*]] = arith.cmpi eq, %[[DRAWN]], %[[ALL]]
// CHECK: scf.if %[[IS]] {
// CHECK-NEXT: llvm.store %c0_i32, %[[TK]]
// CHECK-NEXT: {{^ *[}]$}}
// CHECK: %[[FLAG:.*]] = arith.extui %[[IS]] : i1 to i32
// CHECK: llvm.store %[[FLAG]], %[[SHARED:.*]] : i32, !llvm.ptr<3>
// CHECK: {{^ *[}]$}}
// CHECK: barrier
// CHECK: %[[READ:.*]] = llvm.load %[[SHARED]] : !llvm.ptr<3> -> i32
// CHECK: %[[LAST:.*]] = arith.cmpi ne, %[[READ]], %c0_i32
// CHECK: scf.if %[[LAST]]
// CHECK: %[[UP:.*]] = arith.addi %[[RUNS]], %c127
// CHECK: arith.divui %[[UP]], %c128
// CHECK: llvm.intr.ctlz
// CHECK: %[[PER:.*]] = arith.index_cast %{{.*}} : i32 to index
// CHECK: %[[LO:.*]] = arith.muli %[[T]], %[[PER]]
// CHECK: %[[LEFT:.*]] = arith.subi %[[RUNS]], %[[LO]]
// CHECK: %[[N:.*]] = arith.minsi %[[PER]], %[[LEFT]]
// CHECK: %[[SOME:.*]] = arith.cmpi sgt, %[[N]], %c0
// CHECK: scf.if %[[SOME]]
// The partial states are new in memory: no load of them is invariant.
// CHECK-NOT: invariant
// CHECK-COUNT-4: llvm.load
// CHECK-NOT: llvm.load
// CHECK: fold.lane_slots {{.*}} lane %[[T]] present %[[N]] combine @combine lanes 1 stride 1 loose
// CHECK: fold.lane_slots {{.*}} combine @combine lanes 32 stride 1 loose
// CHECK: barrier
// CHECK: fold.lane_slots {{.*}} combine @combine lanes 4 stride 1 loose
// CHECK-NOT: fence
// CHECK: return %[[LAST]]
func.func @full(%a: f32, %p: !llvm.ptr<1>, %tickets: !llvm.ptr<1>, %t: index, %ticket: index, %at: index, %from: index, %pitch: index, %runs: index, %w: index) -> (i1, f32) {
  %last, %s = fold.grid %a partials(%p) tickets %tickets thread %t ticket %ticket at %at from_at %from
    pitch %pitch runs %runs width %w combine @combine warps 4 columns 1 most 512
    : f32 partials !llvm.ptr<1> tickets !llvm.ptr<1> -> i1, f32
  return %last, %s : i1, f32
}

// Neighbouring outputs: a thread stores each, and a barrier lets thread 0's
// fence cover them all. Threads past the matrix's edge read nothing.
// CHECK-LABEL: func.func @columns(
// CHECK-SAME: %[[A:[^ ]*]]: f32, %[[P:[^ ]*]]: !llvm.ptr<1>, %[[TICKETS:[^ ]*]]: !llvm.ptr<1>, %[[T:[^ ]*]]: index, %{{[^ ]*}}: index, %[[AT:[^ ]*]]: index, %[[FROM:[^ ]*]]: index, %[[PITCH:[^ ]*]]: index, %[[RUNS:[^ ]*]]: index, %[[W:[^ ]*]]: index)
// CHECK: %[[MINE:.*]] = arith.cmpi ult, %[[T]], %[[W]]
// CHECK: scf.if %[[MINE]] {
// CHECK: arith.addi %[[AT]], %[[T]]
// CHECK: llvm.store %[[A]]
// CHECK-NEXT: {{^ *[}]$}}
// CHECK-NEXT: llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.aligned.all"
// CHECK: %[[TK:.*]] = llvm.getelementptr inbounds %[[TICKETS]]
// CHECK: %[[ZERO:.*]] = arith.cmpi eq, %[[T]], %c0
// CHECK: scf.if %[[ZERO]] {
// CHECK-NEXT: llvm.fence syncscope("device") release
// CHECK-NEXT: %[[OLD:.*]] = llvm.atomicrmw add %[[TK]], %c1_i32 syncscope("device") monotonic
// CHECK-NEXT: llvm.fence syncscope("device") acquire
// CHECK: %[[ALL:.*]] = arith.index_cast %[[RUNS]] : index to i32
// CHECK: %[[DRAWN:.*]] = arith.addi %[[OLD]], %c1_i32
// CHECK: %[[IS:.*]] = arith.cmpi eq, %[[DRAWN]], %[[ALL]]
// CHECK: scf.if %[[IS]] {
// CHECK-NEXT: llvm.store %c0_i32, %[[TK]]
// CHECK-NEXT: {{^ *[}]$}}
// CHECK: %[[FLAG:.*]] = arith.extui %[[IS]] : i1 to i32
// CHECK: llvm.store %[[FLAG]], %[[SHARED:.*]] : i32, !llvm.ptr<3>
// CHECK: {{^ *[}]$}}
// CHECK: barrier
// CHECK: %[[READ:.*]] = llvm.load %[[SHARED]] : !llvm.ptr<3> -> i32
// CHECK: %[[LAST:.*]] = arith.cmpi ne, %[[READ]], %c0_i32
// CHECK: scf.if %[[LAST]]
// CHECK: %[[COLUMN:.*]] = arith.remui %[[T]], %c64
// CHECK: %[[N:.*]] = arith.minsi
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[COLUMN]], %[[W]]
// CHECK: %[[M:.*]] = arith.select %[[IN]], %[[N]], %c0
// CHECK: %[[SOME:.*]] = arith.cmpi sgt, %[[M]], %c0
// CHECK: scf.if %[[SOME]]
// CHECK-COUNT-2: llvm.load {{.*}} : !llvm.ptr<1> -> f32
// CHECK: fold.lane_slots {{.*}} present %[[M]] combine @combine lanes 1
// CHECK: barrier
// CHECK: barrier
// CHECK-NOT: barrier
// CHECK: return %[[LAST]]
func.func @columns(%a: f32, %p: !llvm.ptr<1>, %tickets: !llvm.ptr<1>, %t: index, %ticket: index, %at: index, %from: index, %pitch: index, %runs: index, %w: index) -> (i1, f32) {
  %last, %s = fold.grid %a partials(%p) tickets %tickets thread %t ticket %ticket at %at from_at %from
    pitch %pitch runs %runs width %w combine @combine warps 4 columns 64 most 4
    : f32 partials !llvm.ptr<1> tickets !llvm.ptr<1> -> i1, f32
  return %last, %s : i1, f32
}
}
