// RUN: warpfold-opt %s -split-input-file -verify-diagnostics

// What fold.chain refuses: operand, type and number are named.

// The innermost dimension is k, indices give all others.
func.func @f(%x: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{input 0 has rank 1, but there are 1 indices before k, and input 0 has rank 1: }}
  %s = fold.chain %x[%i] first %i count %n position %i
    map @map update @update : memref<?xf32> -> f32
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// A scalar has no k.
func.func @f(%x: memref<f32>, %i: index, %n: index) {
  // expected-error @below {{input 0 has rank 0, but there are 0 indices before k, and input 0 has rank 0: }}
  %s = fold.chain %x[] first %i count %n position %i
    map @map update @update : memref<f32> -> f32
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// It goes on from a state of its own type.
func.func @f(%x: memref<?xf32>, %i: index, %n: index, %s0: f64) {
  // expected-error @below {{goes on from ('f64'), but gives ('f32')}}
  %s = fold.chain %x[] first %i count %n position %i from(%s0 : f64)
    map @map update @update : memref<?xf32> -> f32
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// The functions must be there.
func.func @f(%x: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{map @map is not a function of this module}}
  %s = fold.chain %x[] first %i count %n position %i
    map @map update @update : memref<?xf32> -> f32
  return
}
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// The functions must be there.
func.func @f(%x: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{update @update is not a function of this module}}
  %s = fold.chain %x[] first %i count %n position %i
    map @map update @update : memref<?xf32> -> f32
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// They fit the inputs.
func.func @f(%x: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{@update argument 2 is 'i64', but the element of input 0 is 'f32'}}
  %s = fold.chain %x[] first %i count %n position %i
    map @map update @update : memref<?xf32> -> f32
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// The results are the state.
func.func @f(%x: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{results are ('f64'), but the state is ('f32')}}
  %s = fold.chain %x[] first %i count %n position %i
    map @map update @update : memref<?xf32> -> f64
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// Inputs are needed; only the generic form can leave them out.
func.func @f(%i: index) {
  // expected-error @below {{needs at least one input}}
  %s = "fold.chain"(%i, %i, %i) <{map = @map,
    operandSegmentSizes = array<i32: 0, 0, 1, 1, 1, 0, 0>, update = @update}>
    : (index, index, index) -> f32
  return
}

// -----

// Inputs have one rank.
func.func @f(%x: memref<?xf32>, %z: memref<?x?xf32>, %i: index, %n: index) {
  // expected-error @below {{input 1 has rank 2, but there are 0 indices before k, and input 0 has rank 1: }}
  %s = fold.chain %x, %z[] first %i count %n position %i
    map @map update @update : memref<?xf32>, memref<?x?xf32> -> f32
  return
}
func.func private @map(%a0: f32, %a1: f32, %a2: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: f32, %a4: i64) -> f32 { return %a0 : f32 }
