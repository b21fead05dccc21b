// RUN: warpfold-opt %s -split-input-file -verify-diagnostics

// What fold.tile_lift refuses: operand, type and number are named.

// A dimension for k and one for the outputs, after the indices.
func.func @f(%x: memref<?x?xf32>, %t: memref<?xf32>, %i: index) {
  // expected-error @below {{input 0 has rank 2, but needs dimensions for k and the outputs after 1 indices, and input 0 has rank 2: }}
  fold.tile_lift %x[%i] column %i width %i first %i count %i tile %t map @map simd 8
    : memref<?x?xf32> tile memref<?xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// Outputs are neighbours.
func.func @f(%x: memref<?x?xf32, strided<[1, ?]>>, %t: memref<?xf32>, %i: index) {
  // expected-error @below {{input 0 must have stride 1 or 0 along the outputs: }}
  fold.tile_lift %x[] column %i width %i first %i count %i tile %t map @map simd 8
    : memref<?x?xf32, strided<[1, ?]>> tile memref<?xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// The function must be there.
func.func @f(%x: memref<?x?xf32>, %t: memref<?xf32>, %i: index) {
  // expected-error @below {{map @map is not a function of this module}}
  fold.tile_lift %x[] column %i width %i first %i count %i tile %t map @map simd 8
    : memref<?x?xf32> tile memref<?xf32>
  return
}

// -----

// A tile of its type.
func.func @f(%x: memref<?x?xf32>, %t: memref<?xf64>, %i: index) {
  // expected-error @below {{tile memref 0 is 'memref<?xf64>', but state member 0 is stored as rank 1 of 'f32'}}
  fold.tile_lift %x[] column %i width %i first %i count %i tile %t map @map simd 8
    : memref<?x?xf32> tile memref<?xf64>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// Inputs are needed; only the generic form can leave them out.
func.func @f(%t: memref<?xf32>, %i: index) {
  // expected-error @below {{needs at least one input}}
  "fold.tile_lift"(%i, %i, %i, %i, %t) <{map = @map,
    operandSegmentSizes = array<i32: 0, 0, 1, 1, 1, 1, 1, 0>, simd = 8 : i64}>
    : (index, index, index, index, memref<?xf32>) -> ()
  return
}

// -----

// Inputs have one rank.
func.func @f(%x: memref<?x?xf32>, %z: memref<?x?x?xf32>, %t: memref<?xf32>, %i: index) {
  // expected-error @below {{input 1 has rank 3, but needs dimensions for k and the outputs after 0 indices, and input 0 has rank 2: }}
  fold.tile_lift %x, %z[] column %i width %i first %i count %i tile %t map @map simd 8
    : memref<?x?xf32>, memref<?x?x?xf32> tile memref<?xf32>
  return
}
func.func private @map(%a0: f32, %a1: f32, %a2: i64) -> f32 { return %a0 : f32 }

// -----

// A vector has a lane or more.
func.func @f(%x: memref<?x?xf32>, %t: memref<?xf32>, %i: index) {
  // expected-error @below {{simd 0 is out of range}}
  fold.tile_lift %x[] column %i width %i first %i count %i tile %t map @map simd 0
    : memref<?x?xf32> tile memref<?xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// A vector has a lane or more.
func.func @f(%x: memref<?x?xf32>, %t: memref<?xf32>, %i: index) {
  // expected-error @below {{simd -4 is out of range}}
  fold.tile_lift %x[] column %i width %i first %i count %i tile %t map @map simd -4
    : memref<?x?xf32> tile memref<?xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
