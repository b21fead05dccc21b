// RUN: warpfold-opt %s -split-input-file -verify-diagnostics

// What fold.chunks refuses: types and numbers are named.

// As many values as results.
func.func @f(%v: f32, %w: f64, %n: index) {
  // expected-error @below {{yields ('f32', 'f32'), but its results are ('f32')}}
  %s = fold.chunks %n combine @combine -> f32 {
  ^bb0(%c: index):
    fold.yield %v, %v : f32, f32
  }
  return
}
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// Of their types.
func.func @f(%v: f32, %w: f64, %n: index) {
  // expected-error @below {{yields ('f64'), but its results are ('f32')}}
  %s = fold.chunks %n combine @combine -> f32 {
  ^bb0(%c: index):
    fold.yield %w : f64
  }
  return
}
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// The region takes the number of the chunk …
func.func @f(%v: f32, %w: f64, %n: index) {
  // expected-error @below {{its region takes the chunk's number, an index}}
  %s = fold.chunks %n combine @combine -> f32 {
  ^bb0(%c: i64):
    fold.yield %v : f32
  }
  return
}
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// … and nothing else.
func.func @f(%v: f32, %w: f64, %n: index) {
  // expected-error @below {{its region takes the chunk's number, an index}}
  %s = fold.chunks %n combine @combine -> f32 {
  ^bb0(%c: index, %d: index):
    fold.yield %v : f32
  }
  return
}
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// The function must be there.
func.func @f(%v: f32, %w: f64, %n: index) {
  // expected-error @below {{combine @combine is not a function of this module}}
  %s = fold.chunks %n combine @combine -> f32 {
  ^bb0(%c: index):
    fold.yield %v : f32
  }
  return
}

// -----

// The function takes states.
func.func @f(%v: f32, %w: f64, %n: index) {
  // expected-error @below {{@combine argument 1 is 'f64', but right state member 0 is 'f32'}}
  %s = fold.chunks %n combine @combine -> f32 {
  ^bb0(%c: index):
    fold.yield %v : f32
  }
  return
}
func.func private @combine(%a0: f32, %a1: f64, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// The results are the state.
func.func @f(%v: f32, %w: f64, %n: index) {
  // expected-error @below {{results are ('f64'), but the state is ('f32')}}
  %s = fold.chunks %n combine @combine -> f64 {
  ^bb0(%c: index):
    fold.yield %w : f64
  }
  return
}
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// And the count.
func.func @f(%v: f32, %w: f64, %n: index) {
  // expected-error @below {{results are ('f32'), but the state is ('f32', 'i64')}}
  %s = fold.chunks %n combine @combine counted -> f32 {
  ^bb0(%c: index):
    fold.yield %v : f32
  }
  return
}
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// A chunk's state ends the region of fold.chunks only.
func.func @f(%v: f32) {
  // expected-error @below {{'fold.yield' op expects parent op 'fold.chunks'}}
  fold.yield %v : f32
}

// -----

// The region ends with a state, not in another operation …
func.func @f(%v: f32, %n: index) {
  // expected-error @below {{its region ends with fold.yield}}
  %s = fold.chunks %n combine @combine -> f32 {
  ^bb0(%c: index):
    llvm.unreachable
  }
  return
}
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// … and not in a return, which is the function's.
func.func @f(%v: f32, %n: index) {
  // expected-error @below {{its region ends with fold.yield}}
  %s = fold.chunks %n combine @combine -> f32 {
  ^bb0(%c: index):
    func.return
  }
  return
}
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// The counter is the function's.
%n = arith.constant 3 : index
%v = arith.constant 1.0 : f32
// expected-error @below {{must be in a function, which holds its counter}}
%s = fold.chunks %n combine @combine -> f32 {
^bb0(%c: index):
  fold.yield %v : f32
}
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// The function has a body.
func.func @f(%v: f32, %n: index) {
  // expected-error @below {{combine @combine needs a body of one block, to be cloned onto vectors and inlined}}
  %s = fold.chunks %n combine @combine -> f32 {
  ^bb0(%c: index):
    fold.yield %v : f32
  }
  return
}
func.func private @combine(f32, f32, i64, i64) -> f32
