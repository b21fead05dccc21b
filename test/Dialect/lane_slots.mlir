// RUN: warpfold-opt %s | warpfold-opt | FileCheck %s
// RUN: warpfold-opt %s -mlir-print-op-generic | warpfold-opt | FileCheck %s

// CHECK-LABEL: func.func @warp
// CHECK: fold.lane_slots %{{.*}}, %{{.*}} lane %{{.*}} combine @combine lanes 32 stride 1 loose : f32, f32 -> f32
func.func @warp(%a: f32, %l: index) -> f32 {
  %s = fold.lane_slots %a, %a lane %l combine @combine lanes 32 stride 1 loose : f32, f32 -> f32
  return %s : f32
}

// Two members and their counts, a prefix of the slots, a param.
// CHECK-LABEL: func.func @all_parts
// CHECK: lane %{{.*}} present %{{.*}} params(%{{.*}} : f64) combine @combine2 lanes 4 stride 8 counted : f32, i1, i64 -> f32, i1, i64
func.func @all_parts(%a: f32, %b: i1, %n: i64, %l: index, %p: f64) -> i64 {
  %s:3 = fold.lane_slots %a, %b, %n lane %l present %l params(%p : f64)
    combine @combine2 lanes 4 stride 8 counted : f32, i1, i64 -> f32, i1, i64
  return %s#2 : i64
}

// One output is what is dealt where nothing is said: it is not printed.
// CHECK-LABEL: func.func @dealt
// CHECK: combine @combine lanes 4 stride 1 deal 2 : f32, f32 -> f32
// CHECK: combine @combine lanes 4 stride 1 : f32, f32 -> f32
func.func @dealt(%a: f32, %b: f32, %l: index) -> f32 {
  %s = fold.lane_slots %a, %b lane %l combine @combine lanes 4 stride 1 deal 2 : f32, f32 -> f32
  %t = fold.lane_slots %a, %s lane %l combine @combine lanes 4 stride 1 deal 1 : f32, f32 -> f32
  return %t : f32
}

func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 {
  return %a : f32
}
func.func private @combine2(%a: f32, %c: i1, %b: f32, %d: i1, %na: i64, %nb: i64, %p: f64) -> (f32, i1) {
  return %a, %c : f32, i1
}
