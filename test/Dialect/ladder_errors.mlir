// RUN: warpfold-opt %s --split-input-file --verify-diagnostics

func.func private @combine(%a: f32, %b: f32, %n: i64, %m: i64) -> f32 {
  return %a : f32
}
func.func @three_warps(%s: f32, %t: index, %p: index) {
  // expected-error @+1 {{has tree halving, which wants a power of two of warps, not 3}}
  %r = fold.block_exchange %s thread %t present %p combine @combine
    tree halving warps 3 : f32 -> f32
  return
}

// -----

func.func private @combine(%a: f32, %b: f32, %n: i64, %m: i64) -> f32 {
  return %a : f32
}
func.func @many_warps(%s: f32, %t: index, %p: index) {
  // expected-error @+1 {{joins 33 warps; 1 to 32 can be}}
  %r = fold.block_exchange %s thread %t present %p combine @combine
    tree up warps 33 : f32 -> f32
  return
}

// -----

func.func private @combine(%a: f32, %b: f32, %n: i64, %m: i64) -> f32 {
  return %a : f32
}
func.func @other_state(%s: i32, %t: index, %p: index) {
  // expected-error @+1 {{which are not the 1 members of @combine}}
  %r = fold.block_exchange %s thread %t present %p combine @combine
    tree up warps 8 : i32 -> i32
  return
}

// -----

func.func private @combine(%a: i16, %b: i16, %n: i64, %m: i64) -> i16
func.func @narrow(%s: i16, %m: !llvm.ptr<1>, %at: index) {
  // expected-error @+1 {{joins a 'i16'; an atomic takes 4 or 8 bytes}}
  fold.grid_atomic %s into %m at %at combine @combine : i16, !llvm.ptr<1>
  return
}

// -----

func.func private @map(%x: f32, %k: i64) -> f32
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32
func.func @three(%x: !llvm.ptr<1>, %o: index) {
  // expected-error @+1 {{reads 3 elements at a time, 1 loads ahead}}
  %r = fold.lane_stride %x offsets(%o) sizes(%o) strides(%o) first %o step %o
    count %o map @map update @update inner [1] vector 3 flight 1 loads 0
    : !llvm.ptr<1> -> f32
  return
}
