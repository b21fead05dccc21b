// RUN: warpfold-opt %s | warpfold-opt | FileCheck %s
// RUN: warpfold-opt %s -mlir-print-op-generic | warpfold-opt | FileCheck %s
// RUN: warpfold-opt %s -canonicalize -cse | FileCheck %s

// CHECK-LABEL: func.func @grid
// CHECK: %{{.*}}, %{{.*}} = fold.grid %{{.*}} partials(%{{.*}}) tickets %{{.*}} thread %{{.*}} ticket %{{.*}} at %{{.*}} from_at %{{.*}} pitch %{{.*}} runs %{{.*}} width %{{.*}} combine @combine warps 8 columns 1 most 512
func.func @grid(%a: f32, %p: !llvm.ptr<1>, %i: index) -> (i1, f32) {
  %last, %s = fold.grid %a partials(%p) tickets %p thread %i ticket %i at %i from_at %i pitch %i
    runs %i width %i combine @combine warps 8 columns 1 most 512
    : f32 partials !llvm.ptr<1> tickets !llvm.ptr<1> -> i1, f32
  return %last, %s : i1, f32
}

// Nobody reads it, but blocks join here: it stays.
// CHECK-LABEL: func.func @all_parts
// CHECK: partials(%{{.*}}, %{{.*}}, %{{.*}}) {{.*}} params(%{{.*}} : f64) combine @combine2 warps 8 columns 64 most 64 counted
func.func @all_parts(%a: f32, %b: i1, %n: i64, %p: !llvm.ptr<1>, %i: index, %q: f64) {
  %last, %s:3 = fold.grid %a, %b, %n partials(%p, %p, %p) tickets %p thread %i ticket %i
    at %i from_at %i pitch %i runs %i width %i params(%q : f64)
    combine @combine2 warps 8 columns 64 most 64 counted
    : f32, i1, i64 partials !llvm.ptr<1>, !llvm.ptr<1>, !llvm.ptr<1> tickets !llvm.ptr<1> -> i1, f32, i1, i64
  return
}

func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 {
  return %a : f32
}
func.func private @combine2(%a: f32, %c: i1, %b: f32, %d: i1, %na: i64, %nb: i64, %p: f64) -> (f32, i1) {
  return %a, %c : f32, i1
}
