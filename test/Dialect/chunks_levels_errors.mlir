// RUN: warpfold-opt %s -split-input-file -verify-diagnostics

// What fold.chunks refuses of a counter in values and of what is carried.

// Memory holds states, not what is carried.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{carries values only with its counter in values}}
  %s = fold.chunks %i carried(%n : i64) combine @combine -> f32 {
  ^bb0(%c: index, %m: i64):
    fold.yield %a, %m : f32, i64
  }
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// It is of the argument's type.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{carries 'i64' into a region that takes 'f64'}}
  %s = fold.chunks %i carried(%n : i64) combine @combine levels 2 -> f32 {
  ^bb0(%c: index, %m: f64):
    fold.yield %a, %n : f32, i64
  }
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// There is a level.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{levels 0 is no number from 1 to 40}}
  %s = fold.chunks %i combine @combine levels 0 -> f32 {
  ^bb0(%c: index):
    fold.yield %a : f32
  }
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// And no more than a count has bits.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{levels 64 is no number from 1 to 40}}
  %s = fold.chunks %i combine @combine levels 64 -> f32 {
  ^bb0(%c: index):
    fold.yield %a : f32
  }
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// What is carried is an argument.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{its region takes the chunk's number, an index, and what is carried}}
  %s = fold.chunks %i carried(%n : i64) combine @combine levels 2 -> f32 {
  ^bb0(%c: index):
    fold.yield %a, %n : f32, i64
  }
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// And is yielded after the state.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{yields ('f32'), but its results are ('f32', 'i64')}}
  %s = fold.chunks %i carried(%n : i64) combine @combine levels 2 -> f32 {
  ^bb0(%c: index, %m: i64):
    fold.yield %a : f32
  }
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }
