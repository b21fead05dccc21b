// RUN: warpfold-opt %s -split-input-file -verify-diagnostics

// (C4) of fold.reduce: every function is there, takes and gives what it should.

// @map must be there.
func.func @f(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @below {{(C4) map @map is not a function of this module}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @finish(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// @combine must be there.
func.func @f(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @below {{(C4) combine @combine is not a function of this module}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @finish(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// @update must be there.
func.func @f(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @below {{(C4) update @update is not a function of this module}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @finish(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// @finish must be there.
func.func @f(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @below {{(C4) finish @finish is not a function of this module}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// A symbol that is no function.
module @map {}
func.func @f(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @below {{(C4) map @map is not a function of this module}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @finish(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// map takes an element of every input …
func.func @f(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @below {{@map takes 0 arguments; the element of input 0 ('f32') is missing}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @map() -> f32 { %r0 = arith.constant 0.0 : f32 return %r0 : f32 }
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @finish(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// … of its type …
func.func @f(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @below {{@map argument 0 is 'f64', but the element of input 0 is 'f32'}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @map(%a0: f64, %a1: i64) -> f32 { %r0 = arith.constant 0.0 : f32 return %r0 : f32 }
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @finish(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// … a bool as i1 for i8 in memory and for nothing else …
func.func @f(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @below {{@map argument 0 is 'i1', but the element of input 0 is 'f32'}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @map(%a0: i1, %a1: i64) -> f32 { %r0 = arith.constant 0.0 : f32 return %r0 : f32 }
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @finish(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// … the position …
func.func @f(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @below {{@map argument 1 is 'i32', but the position 0 is 'i64'}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @map(%a0: f32, %a1: i32) -> f32 { return %a0 : f32 }
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @finish(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// … the params …
func.func @f(%x: memref<?xf32>, %y: memref<f32>, %p: f64) {
  // expected-error @below {{@map takes 2 arguments; param 0 ('f64') is missing}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) params(%p : f64) axes [0] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @finish(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// … and nothing else.
func.func @f(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @below {{@map takes 3 arguments, but 2 are given}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @map(%a0: f32, %a1: i64, %a2: f32) -> f32 { return %a0 : f32 }
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @finish(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// combine takes two states …
func.func @f(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @below {{@combine argument 0 is 'f64', but left state member 0 is 'f32'}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @combine(%a0: f64, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a1 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @finish(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// … the right one after all of the left …
func.func @f(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @below {{@combine argument 1 is 'f64', but right state member 0 is 'f32'}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @combine(%a0: f32, %a1: f64, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @finish(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// … two counts …
func.func @f(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @below {{@combine takes 3 arguments; count 1 ('i64') is missing}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @combine(%a0: f32, %a1: f32, %a2: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @finish(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// … the params …
func.func @f(%x: memref<?xf32>, %y: memref<f32>, %p: f64) {
  // expected-error @below {{@combine argument 4 is 'i64', but param 0 is 'f64'}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) params(%p : f64) axes [0] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @map(%a0: f32, %a1: i64, %a2: f64) -> f32 { return %a0 : f32 }
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64, %a4: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @finish(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// … and gives a state.
func.func @f(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @below {{@combine must return the state's types ('f32'), but returns ('f64')}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f64 { %r0 = arith.constant 0.0 : f64 return %r0 : f64 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @finish(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// A state of two members comes whole.
func.func @f(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @below {{@combine argument 1 is 'f32', but left state member 1 is 'i64'}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @map(%a0: f32, %a1: i64) -> (f32, i64) { return %a0, %a1 : f32, i64 }
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> (f32, i64) { return %a0, %a2 : f32, i64 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @finish(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// update takes a state …
func.func @f(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @below {{@update argument 0 is 'f64', but state member 0 is 'f32'}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f64, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a2 : f32 }
func.func private @finish(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// … its count …
func.func @f(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @below {{@update argument 1 is 'f32', but count 0 is 'i64'}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: f32, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @finish(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// … an element …
func.func @f(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @below {{@update argument 2 is 'f64', but the element of input 0 is 'f32'}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f64, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @finish(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// … its position …
func.func @f(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @below {{@update takes 3 arguments; the position 0 ('i64') is missing}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32) -> f32 { return %a0 : f32 }
func.func private @finish(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// … and gives a state.
func.func @f(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @below {{@update must return the state's types ('f32'), but returns ('i64')}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> i64 { return %a1 : i64 }
func.func private @finish(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// finish gives every output.
func.func @f(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @below {{(C4) @finish gives 2 results, but there are 1 outputs}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @finish(%a0: f32, %a1: i64) -> (f32, f32) { return %a0, %a0 : f32, f32 }

// -----

// … in its type.
func.func @f(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @below {{(C4) @finish result 0 is 'f64', but output 0 is }}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @finish(%a0: f32, %a1: i64) -> f64 { %r0 = arith.constant 0.0 : f64 return %r0 : f64 }

// -----

// finish takes a state …
func.func @f(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @below {{@finish takes 0 arguments; state member 0 ('f32') is missing}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @finish() -> f32 { %r0 = arith.constant 0.0 : f32 return %r0 : f32 }

// -----

// … of its type …
func.func @f(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @below {{@finish argument 0 is 'f64', but state member 0 is 'f32'}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @finish(%a0: f64, %a1: i64) -> f32 { %r0 = arith.constant 0.0 : f32 return %r0 : f32 }

// -----

// … and its count.
func.func @f(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @below {{@finish takes 1 arguments; count 0 ('i64') is missing}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @finish(%a0: f32) -> f32 { return %a0 : f32 }

// -----

// There is a state.
func.func @f(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @below {{@map gives a state without members}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @map(%a0: f32, %a1: i64) { return }
func.func private @combine(%a0: i64, %a1: i64) { return }
func.func private @update(%a0: i64, %a1: f32, %a2: i64) { return }
func.func private @finish(%a0: i64) -> f32 { %r0 = arith.constant 0.0 : f32 return %r0 : f32 }

// -----

// @map has a body …
func.func @f(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @below {{(C4) map @map needs a body of one block, to be cloned onto vectors and inlined}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @map(f32, i64) -> f32
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @finish(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// … and so has @combine.
func.func @f(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @below {{(C4) combine @combine needs a body of one block, to be cloned onto vectors and inlined}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @combine(f32, f32, i64, i64) -> f32
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @finish(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// … and so has @update.
func.func @f(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @below {{(C4) update @update needs a body of one block, to be cloned onto vectors and inlined}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @update(f32, i64, f32, i64) -> f32
func.func private @finish(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// … and so has @finish.
func.func @f(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @below {{(C4) finish @finish needs a body of one block, to be cloned onto vectors and inlined}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @finish(f32, i64) -> f32

// -----

// One block: branches are selects.
func.func @f(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @below {{(C4) combine @combine needs a body of one block, to be cloned onto vectors and inlined}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 {
  cf.br ^bb1
^bb1:
  return %a0 : f32
}
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @finish(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// They are private: they go once they are inlined.
func.func @f(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @below {{(C4) combine @combine must be private}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @finish(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
