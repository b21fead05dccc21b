// RUN: warpfold-opt %s --fold-lower-ladder --canonicalize --cse | FileCheck %s

// For the null target: every question is a call.
module attributes {fold.target = "null"} {

func.func private @combine(%a: f32, %b: f32, %n: i64, %m: i64) -> f32 {
  %s = arith.addf %a, %b : f32
  return %s : f32
}
func.func private @top(%a: f32, %b: f32, %n: i64, %m: i64) -> f32 {
  %s = arith.maximumf %a, %b : f32
  return %s : f32
}
func.func private @map(%x: f32, %k: i64) -> f32 {
  return %x : f32
}
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 {
  %r = arith.addf %s, %x : f32
  return %r : f32
}

// The far half first; absent threads are never read, and all reach a barrier.
// CHECK-LABEL: func.func @halving(
// CHECK-SAME: %[[S:.*]]: f32, %[[T:.*]]: index, %[[P:.*]]: index)
// CHECK: llvm.store %[[S]]
// CHECK: llvm.call @wf.null.barrier
// CHECK: %[[FIRST:.*]] = arith.cmpi ult, %[[T]], %c16
// CHECK: %[[AT:.*]] = arith.addi %[[T]], %c16
// CHECK: %[[THERE:.*]] = arith.cmpi ult, %[[AT]], %[[P]]
// CHECK: %[[BOTH:.*]] = arith.andi %[[FIRST]], %[[THERE]]
// CHECK: scf.if %[[BOTH]]
// CHECK: %[[O:.*]] = llvm.load
// CHECK: call @combine(%[[S]], %[[O]]
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[S]]
// CHECK-NEXT: }
// CHECK-NEXT: llvm.call @wf.null.barrier
// CHECK: arith.addi %[[T]], %c8
// CHECK: arith.addi %[[T]], %c4
// CHECK: arith.addi %[[T]], %c2
// CHECK: arith.addi %[[T]], %c1
// CHECK: llvm.call @wf.null.barrier
// CHECK-NOT: barrier
// CHECK: return
func.func @halving(%s: f32, %t: index, %p: index) -> f32 {
  %r = fold.block_exchange %s thread %t present %p combine @combine
    tree halving warps 1 : f32 -> f32
  return %r : f32
}

// Lane l takes l + 16, 8 … if it is there; no barrier in one warp.
// CHECK-LABEL: func.func @down(
// CHECK-SAME: %[[S:.*]]: f32, %[[T:.*]]: index, %[[P:.*]]: index)
// CHECK-NOT: barrier
// CHECK: llvm.call @wf.null.exchange_down(%{{.*}}, %c16_i32)
// CHECK: %[[J:.*]] = {{(func\.)?}}call @combine(%[[S]], %{{.*}}
// CHECK: arith.select %{{.*}}, %[[J]], %[[S]]
// CHECK: exchange_down(%{{.*}}, %c8_i32)
// CHECK: exchange_down(%{{.*}}, %c4_i32)
// CHECK: exchange_down(%{{.*}}, %c2_i32)
// CHECK: exchange_down(%{{.*}}, %c1_i32)
// CHECK-NOT: barrier
// CHECK: return
func.func @down(%s: f32, %t: index, %p: index) -> f32 {
  %r = fold.block_exchange %s thread %t present %p combine @combine
    tree down warps 1 : f32 -> f32
  return %r : f32
}

// Three warps join as lanes of which three are there.
// CHECK-LABEL: func.func @up(
// CHECK: fold.lane_slots {{.*}} lanes 32
// CHECK: llvm.call @wf.null.barrier
// CHECK: fold.lane_slots {{.*}} lanes 4
// CHECK-NOT: barrier
// CHECK: return
func.func @up(%s: f32, %t: index, %p: index) -> f32 {
  %r = fold.block_exchange %s thread %t present %p combine @combine
    tree up warps 3 : f32 -> f32
  return %r : f32
}

// One operation the machine has: its atomic. Else compare-and-swap, NaNs made
// one, no write where nothing would change.
// CHECK-LABEL: func.func @atomic(
// CHECK: llvm.atomicrmw fadd %{{.*}}, %{{.*}} monotonic
// CHECK: %[[BITS:.*]] = llvm.load %{{.*}} atomic monotonic {alignment = 4 : i64} : !llvm.ptr<1> -> i32
// CHECK: scf.while (%[[SEEN:.*]] = %[[BITS]])
// CHECK: func.call @top(
// CHECK: arith.select %{{.*}}, %c2143289344_i32
// CHECK: llvm.cmpxchg %{{.*}}, %[[SEEN]], %{{.*}} monotonic monotonic
func.func @atomic(%s: f32, %m: !llvm.ptr<1>, %at: index) {
  fold.grid_atomic %s into %m at %at combine @combine : f32, !llvm.ptr<1>
  fold.grid_atomic %s into %m at %at combine @top : f32, !llvm.ptr<1>
  return
}

// The last vector may end past the fold: it is read element by element, and
// nothing past the end is.
// CHECK-LABEL: func.func @stride(
// CHECK: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK: scf.for
// CHECK: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK: arith.cmpi ult, %{{.*}}, %[[K:arg6]]
// CHECK: llvm.load {{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK-NOT: vector<4xf32>
// CHECK: return
func.func @stride(%x: !llvm.ptr<1>, %o: index, %n: index, %s: index,
                  %first: index, %step: index, %k: index) -> f32 {
  %r = fold.lane_stride %x offsets(%o) sizes(%n) strides(%s) first %first
    step %step count %k map @map update @update inner [1] vector 4 flight 1
    loads 0 vectors : !llvm.ptr<1> -> f32
  return %r : f32
}

}
