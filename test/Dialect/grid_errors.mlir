// RUN: warpfold-opt %s -split-input-file -verify-diagnostics

// What fold.grid refuses.

// Warps are a power of two.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{warps 0 is no power of two from 1 to 32}}
  %last, %s = fold.grid %a partials(%x) tickets %x thread %i ticket %i at %i from_at %i pitch %i
    runs %i width %i combine @combine warps 0 columns 1 most 512 
    : f32 partials !llvm.ptr<1> tickets !llvm.ptr<1> -> i1, f32
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// An output has a thread.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{columns 512 is no power of two from 1 to 256}}
  %last, %s = fold.grid %a partials(%x) tickets %x thread %i ticket %i at %i from_at %i pitch %i
    runs %i width %i combine @combine warps 8 columns 512 most 512 
    : f32 partials !llvm.ptr<1> tickets !llvm.ptr<1> -> i1, f32
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// There are outputs.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{columns 0 is no power of two from 1 to 256}}
  %last, %s = fold.grid %a partials(%x) tickets %x thread %i ticket %i at %i from_at %i pitch %i
    runs %i width %i combine @combine warps 8 columns 0 most 512 
    : f32 partials !llvm.ptr<1> tickets !llvm.ptr<1> -> i1, f32
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// And runs.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{most 0 is no number from 1 to 1048576}}
  %last, %s = fold.grid %a partials(%x) tickets %x thread %i ticket %i at %i from_at %i pitch %i
    runs %i width %i combine @combine warps 8 columns 1 most 0 
    : f32 partials !llvm.ptr<1> tickets !llvm.ptr<1> -> i1, f32
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// A member has memory of its own.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{has one partials pointer a member}}
  %last, %s = fold.grid %a partials(%x, %x) tickets %x thread %i ticket %i at %i from_at %i pitch %i
    runs %i width %i combine @combine warps 8 columns 1 most 512 
    : f32 partials !llvm.ptr<1>, !llvm.ptr<1> tickets !llvm.ptr<1> -> i1, f32
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// The function must be there.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{combine @bine is not a function of this module}}
  %last, %s = fold.grid %a partials(%x) tickets %x thread %i ticket %i at %i from_at %i pitch %i
    runs %i width %i combine @bine warps 8 columns 1 most 512 
    : f32 partials !llvm.ptr<1> tickets !llvm.ptr<1> -> i1, f32
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// A block gives a state.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{operands 0 is 'i64', but should be 'f32'}}
  %last, %s = fold.grid %n partials(%x) tickets %x thread %i ticket %i at %i from_at %i pitch %i
    runs %i width %i combine @combine warps 8 columns 1 most 512 
    : i64 partials !llvm.ptr<1> tickets !llvm.ptr<1> -> i1, f32
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// With its count.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{has 1 operands, but 1 of 1 members and their counts make 2}}
  %last, %s = fold.grid %a partials(%x) tickets %x thread %i ticket %i at %i from_at %i pitch %i
    runs %i width %i combine @combine warps 8 columns 1 most 512 counted
    : f32 partials !llvm.ptr<1> tickets !llvm.ptr<1> -> i1, f32
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// A state comes out.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{results 0 is 'i64', but should be 'f32'}}
  %last, %s = fold.grid %a partials(%x) tickets %x thread %i ticket %i at %i from_at %i pitch %i
    runs %i width %i combine @combine warps 8 columns 1 most 512 
    : f32 partials !llvm.ptr<1> tickets !llvm.ptr<1> -> i1, i64
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }
