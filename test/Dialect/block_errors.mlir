// RUN: warpfold-opt %s -split-input-file -verify-diagnostics

// What fold.block and fold.block_columns refuse.

// Warps are a power of two.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{warps 3 is no power of two from 1 to 32}}
  %s:1 = fold.block %a thread %i combine @combine warps 3 : f32 -> f32
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// Their slots are joined by one warp.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{warps 64 is no power of two from 1 to 32}}
  %s:1 = fold.block %a thread %i combine @combine warps 64 : f32 -> f32
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// A block has 1024 threads.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{threads 2048 is no number from 1 to 1024}}
  %s:1 = fold.block_columns %a, %a thread %i holds %h slot %i column %i present %i
    combine @combine each 2 spread 32 columns 64 slots 8 threads 2048 : f32, f32 -> f32
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// An output has a thread.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{columns 512 is no power of two from 1 to 256}}
  %s:1 = fold.block_columns %a, %a thread %i holds %h slot %i column %i present %i
    combine @combine each 2 spread 32 columns 512 slots 8 threads 256 : f32, f32 -> f32
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// There are outputs.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{columns 0 is no power of two from 1 to 256}}
  %s:1 = fold.block_columns %a, %a thread %i holds %h slot %i column %i present %i
    combine @combine each 2 spread 32 columns 0 slots 8 threads 256 : f32, f32 -> f32
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// Slots are joined by their bits.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{slots 6 is no power of two from 1 to 1024}}
  %s:1 = fold.block_columns %a, %a thread %i holds %h slot %i column %i present %i
    combine @combine each 2 spread 32 columns 64 slots 6 threads 256 : f32, f32 -> f32
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// A thread has an output.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{each 0 is no number from 1 to 32}}
  %s:1 = fold.block_columns %a, %a thread %i holds %h slot %i column %i present %i
    combine @combine each 0 spread 32 columns 64 slots 8 threads 256 : f32, f32 -> f32
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// The function must be there.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{combine @bine is not a function of this module}}
  %s:1 = fold.block %a thread %i combine @bine warps 8 : f32 -> f32
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// It fits the params.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{@combine takes 4 arguments; param 0 ('i1') is missing}}
  %s:1 = fold.block %a thread %i params(%h : i1) combine @combine warps 8 : f32 -> f32
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// A warp gives a state.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{has 2 operands, but 1 of 1 members make 1}}
  %s:1 = fold.block %a, %a thread %i combine @combine warps 8 : f32, f32 -> f32
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// With its count.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{has 1 operands, but 1 of 1 members and their counts make 2}}
  %s:1 = fold.block %a thread %i combine @combine warps 8 counted : f32 -> f32
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// A state comes out.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{results 0 is 'i64', but should be 'f32'}}
  %s:1 = fold.block %a thread %i combine @combine warps 8 : f32 -> i64
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// The function must be there.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{combine @bine is not a function of this module}}
  %s:1 = fold.block_columns %a, %a thread %i holds %h slot %i column %i present %i
    combine @bine each 2 spread 32 columns 64 slots 8 threads 256 : f32, f32 -> f32
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// A thread gives a state of each output.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{has 2 operands, but 4 of 1 members make 4}}
  %s:1 = fold.block_columns %a, %a thread %i holds %h slot %i column %i present %i
    combine @combine each 4 spread 32 columns 64 slots 8 threads 256 : f32, f32 -> f32
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// And one count.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{has 2 operands, but 2 of 1 members and their counts make 3}}
  %s:1 = fold.block_columns %a, %a thread %i holds %h slot %i column %i present %i
    combine @combine each 2 spread 32 columns 64 slots 8 threads 256 counted : f32, f32 -> f32
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// One state comes out.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{has 2 results, but 1 of 1 members make 1}}
  %s:2 = fold.block_columns %a, %a thread %i holds %h slot %i column %i present %i
    combine @combine each 2 spread 32 columns 64 slots 8 threads 256 : f32, f32 -> f32, f32
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }
