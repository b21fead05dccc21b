// RUN: warpfold-opt %s --fold-lower-lane-slots --canonicalize --cse | FileCheck %s
// RUN: sed 's/"null"/"sm_90"/' %s | warpfold-opt --fold-lower-lane-slots --canonicalize --cse | FileCheck %s --check-prefix=SM90
// RUN: sed 's/"null"/"sm_75"/' %s | warpfold-opt --fold-lower-lane-slots --canonicalize --cse | FileCheck %s --check-prefix=SM75

// Slots of neighbouring lanes join by the slot number, counting up.
module attributes {fold.target = "null"} {

// The target's answers are functions that somebody else defines …
// CHECK: llvm.func @wf.null.exchange(i32, i32) -> i32
// … or what the machine has. All 32 lanes take part.
// SM90-NOT: wf.null
// SM90-LABEL: func.func @loose(
// SM90: llvm.call_intrinsic "llvm.nvvm.shfl.sync.bfly.i32"(%c-1_i32, %{{.*}}, %c8_i32, %c31_i32)
// SM90: llvm.call_intrinsic "llvm.nvvm.shfl.sync.bfly.i32"(%c-1_i32, %{{.*}}, %c16_i32, %c31_i32)
// SM90-NOT: wf.null
// One exact operation on 32 bits is one instruction, of whole warps whose slots
// are all there; in front of it a lane joins its own.
// SM90-LABEL: func.func @integers(
// SM90: %[[S:.*]] = call @int
// SM90: llvm.call_intrinsic "llvm.nvvm.redux.sync.add"(%[[S]], %c-1_i32)
// SM90: llvm.call_intrinsic "llvm.nvvm.redux.sync.min"
// SM90: llvm.call_intrinsic "llvm.nvvm.redux.sync.umin"
// SM90-NOT: shfl
// SM90-LABEL: func.func @integers_not(
// SM90-NOT: redux
// SM90-LABEL: func.func @end(
// SM75-LABEL: func.func @integers(
// SM75-NOT: redux
// SM75-COUNT-15: llvm.nvvm.shfl.sync.bfly.i32
// SM75-LABEL: func.func @integers_not(

func.func private @add(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 {
  %s = arith.addf %a, %b : f32
  return %s : f32
}
func.func private @keep(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 {
  %n = arith.sitofp %na : i64 to f32
  %s = arith.addf %a, %n : f32
  return %s : f32
}
func.func private @byte(%a: i8, %b: i8, %na: i64, %nb: i64) -> i8 {
  %s = arith.addi %a, %b : i8
  return %s : i8
}
func.func private @half(%a: i16, %b: i16, %na: i64, %nb: i64) -> i16 {
  %s = arith.addi %a, %b : i16
  return %s : i16
}
func.func private @double(%a: f64, %b: f64, %na: i64, %nb: i64) -> f64 {
  %s = arith.addf %a, %b : f64
  return %s : f64
}
func.func private @both(%a: i1, %b: i1, %na: i64, %nb: i64) -> i1 {
  %s = arith.andi %a, %b : i1
  return %s : i1
}
func.func private @pair(%a: f32, %i: i64, %b: f32, %j: i64, %na: i64, %nb: i64, %p: f32) -> (f32, i64) {
  %s = arith.addf %a, %p : f32
  return %s, %j : f32, i64
}

// A lane's own slots first, then neighbours, then pairs of them. The upper lane
// of two is the right operand in both, so that both end with the same bits.
// CHECK-LABEL: func.func @warp(
// CHECK-SAME: %[[A:[^ ]*]]: f32, %[[B:[^ ]*]]: f32, %[[L:[^ ]*]]: index)
// CHECK: %[[S:.*]] = call @add(%[[A]], %[[B]],
// CHECK: %[[W:.*]] = arith.bitcast %[[S]] : f32 to i32
// CHECK: %[[X:.*]] = llvm.call @wf.null.exchange(%[[W]], %c1_i32)
// CHECK: %[[O:.*]] = arith.bitcast %[[X]] : i32 to f32
// CHECK: %[[BIT:.*]] = arith.andi %[[L]], %c1
// CHECK: %[[UP:.*]] = arith.cmpi ne, %[[BIT]], %c0
// CHECK: %[[LEFT:.*]] = arith.select %[[UP]], %[[O]], %[[S]]
// CHECK: %[[RIGHT:.*]] = arith.select %[[UP]], %[[S]], %[[O]]
// CHECK: %[[T:.*]] = call @add(%[[LEFT]], %[[RIGHT]],
// CHECK: %[[W2:.*]] = arith.bitcast %[[T]] : f32 to i32
// CHECK: llvm.call @wf.null.exchange(%[[W2]], %c2_i32)
// CHECK-NOT: exchange
// CHECK: return
func.func @warp(%a: f32, %b: f32, %l: index) -> f32 {
  %s = fold.lane_slots %a, %b lane %l combine @add lanes 4 stride 1 : f32, f32 -> f32
  return %s : f32
}

// Loose: only the first lane's result counts, and there the left one is its own.
// CHECK-LABEL: func.func @loose(
// CHECK-SAME: %[[A:[^ ]*]]: f32,
// CHECK-NOT: select
// CHECK: exchange(%{{.*}}, %c8_i32)
// CHECK: %[[O:.*]] = arith.bitcast
// CHECK: %[[S:.*]] = call @add(%[[A]], %[[O]],
// CHECK: exchange(%{{.*}}, %c16_i32)
// CHECK: call @add(%[[S]],
// CHECK-NOT: select
// CHECK: return
func.func @loose(%a: f32, %l: index) -> f32 {
  %s = fold.lane_slots %a lane %l combine @add lanes 4 stride 8 loose : f32 -> f32
  return %s : f32
}

// A prefix of the slots: the right side counts if its first slot is there, else
// the left one stays. Loose or not, the operands are chosen then.
// CHECK-LABEL: func.func @present(
// CHECK-SAME: %[[A:[^ ]*]]: f32, %[[B:[^ ]*]]: f32, %[[L:[^ ]*]]: index, %[[N:[^ ]*]]: index)
// CHECK: %[[D:.*]] = arith.divui %[[L]], %c4
// CHECK: %[[PLACE:.*]] = arith.remui %[[D]], %c2
// CHECK: %[[FIRST:.*]] = arith.muli %[[PLACE]], %c2
// CHECK: %[[S:.*]] = call @add(%[[A]], %[[B]],
// CHECK: %[[SECOND:.*]] = arith.addi %[[FIRST]], %c1
// CHECK: %[[HERE:.*]] = arith.cmpi ult, %[[SECOND]], %[[N]]
// CHECK: %[[OWN:.*]] = arith.select %[[HERE]], %[[S]], %[[A]]
// CHECK: exchange(%{{.*}}, %c4_i32)
// CHECK: %[[LEFT:.*]] = arith.select %{{.*}}, %{{.*}}, %[[OWN]]
// CHECK: %[[RIGHT:.*]] = arith.select %{{.*}}, %[[OWN]], %{{.*}}
// CHECK: %[[T:.*]] = call @add(%[[LEFT]], %[[RIGHT]],
// CHECK: %[[UPPER:.*]] = arith.ori %[[PLACE]], %c1
// CHECK: %[[LANE:.*]] = arith.andi %[[UPPER]]
// CHECK: %[[SLOT:.*]] = arith.muli %[[LANE]], %c2
// CHECK: %[[THERE:.*]] = arith.cmpi ult, %[[SLOT]], %[[N]]
// CHECK: %[[R:.*]] = arith.select %[[THERE]], %[[T]], %[[LEFT]]
// CHECK: return %[[R]]
func.func @present(%a: f32, %b: f32, %l: index, %n: index) -> f32 {
  %s = fold.lane_slots %a, %b lane %l present %n combine @add lanes 2 stride 4 loose : f32, f32 -> f32
  return %s : f32
}

// Counts that are constants stay so, and are not exchanged.
// CHECK-LABEL: func.func @known(
// CHECK: call @keep(%{{.*}}, %{{.*}}, %c3_i64, %c3_i64)
// CHECK: exchange
// CHECK: call @keep(%{{.*}}, %{{.*}}, %c6_i64, %c6_i64)
// CHECK-NEXT: arith.bitcast
// CHECK-NEXT: exchange
// CHECK: %[[S:.*]] = call @keep(%{{.*}}, %{{.*}}, %c12_i64, %c12_i64)
// CHECK-NOT: exchange
// CHECK: return %[[S]], %c24_i64
func.func @known(%a: f32, %b: f32, %l: index) -> (f32, i64) {
  %n = arith.constant 3 : i64
  %s:2 = fold.lane_slots %a, %b, %n, %n lane %l combine @keep lanes 4 stride 1 counted : f32, f32, i64, i64 -> f32, i64
  return %s#0, %s#1 : f32, i64
}

// Others go through the exchange in two words, and through the same choice.
// CHECK-LABEL: func.func @unknown(
// CHECK-SAME: %[[A:[^ ]*]]: f32, %[[N:[^ ]*]]: i64,
// CHECK: exchange
// CHECK: %[[LOW:.*]] = arith.trunci %[[N]] : i64 to i32
// CHECK: %[[SH:.*]] = arith.shrui %[[N]], %c32_i64
// CHECK: %[[HIGH:.*]] = arith.trunci %[[SH]]
// CHECK: %[[OLOW:.*]] = llvm.call @wf.null.exchange(%[[LOW]],
// CHECK: %[[OHIGH:.*]] = llvm.call @wf.null.exchange(%[[HIGH]],
// CHECK: %[[E:.*]] = arith.extui %[[OHIGH]]
// CHECK: %[[UPPER:.*]] = arith.shli %[[E]], %c32_i64
// CHECK: %[[LOWER:.*]] = arith.extui %[[OLOW]]
// CHECK: %[[O:.*]] = arith.ori %[[UPPER]], %[[LOWER]]
// CHECK: %[[LEFT:.*]] = arith.select %[[UP:.*]], %[[O]], %[[N]]
// CHECK: %[[RIGHT:.*]] = arith.select %[[UP]], %[[N]], %[[O]]
// CHECK: call @keep(%{{.*}}, %{{.*}}, %[[LEFT]], %[[RIGHT]])
// CHECK: arith.addi %[[LEFT]], %[[RIGHT]]
func.func @unknown(%a: f32, %n: i64, %l: index) -> (f32, i64) {
  %s:2 = fold.lane_slots %a, %n lane %l combine @keep lanes 2 stride 1 counted : f32, i64 -> f32, i64
  return %s#0, %s#1 : f32, i64
}

// Members of other widths: one word for a narrow one, two for a wide one.
// CHECK-LABEL: func.func @bytes(
// CHECK: arith.extui %{{.*}} : i8 to i32
// CHECK: exchange
// CHECK: arith.trunci %{{.*}} : i32 to i8
// CHECK: arith.extui %{{.*}} : i16 to i32
// CHECK: exchange
// CHECK: arith.trunci %{{.*}} : i32 to i16
// CHECK: arith.bitcast %{{.*}} : f64 to i64
// CHECK-COUNT-2: exchange
// CHECK: arith.bitcast %{{.*}} : i64 to f64
// CHECK: arith.extui %{{.*}} : i1 to i32
// CHECK: exchange
// CHECK: arith.trunci %{{.*}} : i32 to i1
// CHECK-NOT: exchange
// CHECK: return
func.func @bytes(%a: i8, %b: i16, %c: f64, %d: i1, %l: index) -> (i8, i16, f64, i1) {
  %s = fold.lane_slots %a lane %l combine @byte lanes 2 stride 1 loose : i8 -> i8
  %t = fold.lane_slots %b lane %l combine @half lanes 2 stride 1 loose : i16 -> i16
  %u = fold.lane_slots %c lane %l combine @double lanes 2 stride 1 loose : f64 -> f64
  %v = fold.lane_slots %d lane %l combine @both lanes 2 stride 1 loose : i1 -> i1
  return %s, %t, %u, %v : i8, i16, f64, i1
}

// Slots stand member by member: the combine takes one state, then the other,
// then the params. One lane exchanges nothing.
// CHECK-LABEL: func.func @members(
// CHECK-SAME: %[[A:[^ ]*]]: f32, %[[B:[^ ]*]]: f32, %[[I:[^ ]*]]: i64, %[[J:[^ ]*]]: i64, %{{[^ ]*}}: index, %[[P:[^ ]*]]: f32)
// CHECK-NOT: exchange
// CHECK: %[[S:.*]]:2 = call @pair(%[[A]], %[[I]], %[[B]], %[[J]], %{{.*}}, %{{.*}}, %[[P]])
// CHECK: return %[[S]]#0, %[[S]]#1
func.func @members(%a: f32, %b: f32, %i: i64, %j: i64, %l: index, %p: f32) -> (f32, i64) {
  %s:2 = fold.lane_slots %a, %b, %i, %j lane %l params(%p : f32) combine @pair lanes 1 stride 1 loose : f32, f32, i64, i64 -> f32, i64
  return %s#0, %s#1 : f32, i64
}

// Two outputs: an even lane keeps the first and gives away the second. One
// exchange does what two would; the levels after it have one output a lane.
// CHECK-LABEL: func.func @deal(
// CHECK-SAME: %[[A:[^ ]*]]: f32, %[[B:[^ ]*]]: f32,
// CHECK: %[[UP:.*]] = arith.cmpi ne
// CHECK: %[[KEEP:.*]] = arith.select %[[UP]], %[[B]], %[[A]]
// CHECK: %[[GIVE:.*]] = arith.select %[[UP]], %[[A]], %[[B]]
// CHECK: %[[W:.*]] = arith.bitcast %[[GIVE]]
// CHECK: %[[X:.*]] = llvm.call @wf.null.exchange(%[[W]], %c1_i32)
// CHECK: %[[O:.*]] = arith.bitcast %[[X]]
// CHECK: %[[LEFT:.*]] = arith.select %[[UP]], %[[O]], %[[KEEP]]
// CHECK: %[[RIGHT:.*]] = arith.select %[[UP]], %[[KEEP]], %[[O]]
// CHECK: call @add(%[[LEFT]], %[[RIGHT]],
// CHECK: exchange(%{{.*}}, %c2_i32)
// CHECK-NOT: exchange
// CHECK: return
func.func @deal(%a: f32, %b: f32, %l: index) -> f32 {
  %s = fold.lane_slots %a, %b lane %l combine @add lanes 4 stride 1 deal 2 : f32, f32 -> f32
  return %s : f32
}

// Of several slots an output's own stand together.
// CHECK-LABEL: func.func @deal_slots(
// CHECK-SAME: %[[A:[^ ]*]]: f32, %[[B:[^ ]*]]: f32, %[[C:[^ ]*]]: f32, %[[D:[^ ]*]]: f32,
// CHECK: %[[AB:.*]] = call @add(%[[A]], %[[B]],
// CHECK: %[[CD:.*]] = call @add(%[[C]], %[[D]],
// CHECK: arith.select %{{.*}}, %[[CD]], %[[AB]]
// CHECK-COUNT-1: exchange
// CHECK-NOT: exchange
// CHECK: return
func.func @deal_slots(%a: f32, %b: f32, %c: f32, %d: f32, %l: index) -> f32 {
  %s = fold.lane_slots %a, %b, %c, %d lane %l combine @add lanes 2 stride 1 deal 2 : f32, f32, f32, f32 -> f32
  return %s : f32
}

func.func private @int(%a: i32, %b: i32, %na: i64, %nb: i64) -> i32 {
  %s = arith.addi %b, %a : i32
  return %s : i32
}
func.func private @smin(%a: i32, %b: i32, %na: i64, %nb: i64) -> i32 {
  %s = arith.minsi %a, %b : i32
  return %s : i32
}
func.func private @umin(%a: i32, %b: i32, %na: i64, %nb: i64) -> i32 {
  %s = arith.minui %a, %b : i32
  return %s : i32
}
func.func private @minus(%a: i32, %b: i32, %na: i64, %nb: i64) -> i32 {
  %s = arith.subi %a, %b : i32
  return %s : i32
}
func.func private @twice(%a: i32, %b: i32, %na: i64, %nb: i64) -> i32 {
  %s = arith.addi %a, %a : i32
  return %s : i32
}
func.func @integers(%a: i32, %b: i32, %l: index) -> (i32, i32, i32) {
  %s = fold.lane_slots %a, %b lane %l combine @int lanes 32 stride 1 : i32, i32 -> i32
  %t = fold.lane_slots %a lane %l combine @smin lanes 32 stride 1 loose : i32 -> i32
  %u = fold.lane_slots %a lane %l combine @umin lanes 32 stride 1 loose : i32 -> i32
  return %s, %t, %u : i32, i32, i32
}
// Fewer lanes, a prefix, counts, other operations, more than one of them.
func.func @integers_not(%a: i32, %b: i32, %n: i64, %f: f32, %w: i16, %l: index) {
  %s = fold.lane_slots %a lane %l combine @int lanes 16 stride 2 : i32 -> i32
  %t = fold.lane_slots %a lane %l present %l combine @int lanes 32 stride 1 : i32 -> i32
  %u:2 = fold.lane_slots %a, %n lane %l combine @int lanes 32 stride 1 counted : i32, i64 -> i32, i64
  %v = fold.lane_slots %a lane %l combine @minus lanes 32 stride 1 : i32 -> i32
  %x = fold.lane_slots %a lane %l combine @twice lanes 32 stride 1 : i32 -> i32
  %y = fold.lane_slots %f lane %l combine @add lanes 32 stride 1 : f32 -> f32
  %z = fold.lane_slots %w lane %l combine @half lanes 32 stride 1 : i16 -> i16
  %d = fold.lane_slots %a, %b lane %l combine @int lanes 32 stride 1 deal 2 : i32, i32 -> i32
  call @use(%s, %t, %u#0, %v, %x, %y, %z, %d) : (i32, i32, i32, i32, i32, f32, i16, i32) -> ()
  return
}
func.func private @use(i32, i32, i32, i32, i32, f32, i16, i32)
func.func @end() {
  return
}
}
