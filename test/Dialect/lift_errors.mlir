// RUN: warpfold-opt %s -split-input-file -verify-diagnostics

// What fold.lift refuses: operand, type and number are named.

// Every input has a dimension for k.
func.func @f(%x: memref<?xf32>, %i: index) {
  // expected-error @below {{input 0 has rank 1, but there are 1 indices before k, and input 0 has rank 1: }}
  %s = fold.lift %x[%i] first %i count %i position %i map @map : memref<?xf32> -> vector<8xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// The function must be there.
func.func @f(%x: memref<?xf32>, %i: index) {
  // expected-error @below {{map @map is not a function of this module}}
  %s = fold.lift %x[] first %i count %i position %i map @map : memref<?xf32> -> vector<8xf32>
  return
}

// -----

// It fits the inputs.
func.func @f(%x: memref<?xf64>, %i: index) {
  // expected-error @below {{@map argument 0 is 'f32', but the element of input 0 is 'f64'}}
  %s = fold.lift %x[] first %i count %i position %i map @map : memref<?xf64> -> vector<8xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// The slots are states.
func.func @f(%x: memref<?xf32>, %i: index) {
  // expected-error @below {{slot vector 0 of member 0 is 'vector<8xf64>', but should be 'vector<8xf32>'}}
  %s = fold.lift %x[] first %i count %i position %i map @map : memref<?xf32> -> vector<8xf64>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// Inputs are needed; only the generic form can leave them out.
func.func @f(%i: index) {
  // expected-error @below {{needs at least one input}}
  %s = "fold.lift"(%i, %i, %i) <{map = @map,
    operandSegmentSizes = array<i32: 0, 0, 1, 1, 1, 0>}> : (index, index, index) -> vector<8xf32>
  return
}

// -----

// Inputs have one rank.
func.func @f(%x: memref<?xf32>, %z: memref<?x?xf32>, %i: index) {
  // expected-error @below {{input 1 has rank 2, but there are 0 indices before k, and input 0 has rank 1: }}
  %s = fold.lift %x, %z[] first %i count %i position %i map @map
    : memref<?xf32>, memref<?x?xf32> -> vector<8xf32>
  return
}
func.func private @map(%a0: f32, %a1: f32, %a2: i64) -> f32 { return %a0 : f32 }

// -----

// k has stride 1 or 0.
func.func @f(%x: memref<?xf32, strided<[2]>>, %i: index) {
  // expected-error @below {{input 0 must have stride 1 or 0 along k: }}
  %s = fold.lift %x[] first %i count %i position %i map @map : memref<?xf32, strided<[2]>> -> vector<8xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// A power of two of lanes.
func.func @f(%x: memref<?xf32>, %i: index) {
  // expected-error @below {{slot vectors are 3 wide, which is no power of two}}
  %s = fold.lift %x[] first %i count %i position %i map @map : memref<?xf32> -> vector<3xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
