// RUN: warpfold-opt %s | warpfold-opt | FileCheck %s
// RUN: warpfold-opt %s -mlir-print-op-generic | warpfold-opt | FileCheck %s

// CHECK-LABEL: func.func @to_one
// CHECK: fold.slots %{{.*}}, %{{.*}} combine @combine groups 1 : vector<4xf32>, vector<4xf32> -> f32
func.func @to_one(%a: vector<4xf32>, %b: vector<4xf32>) -> f32 {
  %s = fold.slots %a, %b combine @combine groups 1 : vector<4xf32>, vector<4xf32> -> f32
  return %s : f32
}

// CHECK-LABEL: func.func @to_groups
// CHECK: fold.slots {{.*}} groups 2 : vector<8xf32> -> vector<2xf32>
func.func @to_groups(%a: vector<8xf32>) -> vector<2xf32> {
  %s = fold.slots %a combine @combine groups 2 : vector<8xf32> -> vector<2xf32>
  return %s : vector<2xf32>
}

// Of every four slots the first %n are there; two members, params and counts.
// CHECK-LABEL: func.func @all_parts
// CHECK: fold.slots %{{.*}}, %{{.*}}, %{{.*}} present %{{.*}} of 4 params(%{{.*}} : f64) combine @combine2 groups 1 counted
// CHECK-SAME: : vector<4xf32>, vector<4xi1>, vector<4xi64> -> f32, i1, i64
func.func @all_parts(%a: vector<4xf32>, %b: vector<4xi1>, %c: vector<4xi64>, %n: index, %p: f64) -> i64 {
  %s:3 = fold.slots %a, %b, %c present %n of 4 params(%p : f64)
    combine @combine2 groups 1 counted
    : vector<4xf32>, vector<4xi1>, vector<4xi64> -> f32, i1, i64
  return %s#2 : i64
}

func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 {
  return %a : f32
}
func.func private @combine2(%a: f32, %c: i1, %b: f32, %d: i1, %na: i64, %nb: i64, %p: f64) -> (f32, i1) {
  return %a, %c : f32, i1
}
