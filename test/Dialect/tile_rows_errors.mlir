// RUN: warpfold-opt %s -split-input-file -verify-diagnostics

// What fold.tile_rows refuses: operand, type and number are named.

// Inputs are needed; only the generic form can leave them out.
func.func @f(%t: memref<?xf32>, %i: index) {
  // expected-error @below {{needs at least one input}}
  "fold.tile_rows"(%i, %i, %i, %i, %i, %i, %t) <{accumulators = 4 : i64,
    map = @map, operandSegmentSizes = array<i32: 0, 0, 1, 1, 1, 1, 1, 1, 1, 0>,
    rows = 32 : i64, simd = 8 : i64, update = @update, vector = 4 : i64}>
    : (index, index, index, index, index, index, memref<?xf32>) -> ()
  return
}

// -----

// A dimension for k and one for the outputs.
func.func @f(%x: memref<?xf32>, %t: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{input 0 has rank 1, but needs dimensions for k and the outputs after 0 indices, and input 0 has rank 1: }}
  fold.tile_rows %x[] column %i width %n first %i count %n slot %i slots %n
    tile %t map @map update @update vector 4 accumulators 4 rows 32 simd 8
    : memref<?xf32> tile memref<?xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// Both after the indices.
func.func @f(%x: memref<?x?xf32>, %t: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{input 0 has rank 2, but needs dimensions for k and the outputs after 1 indices, and input 0 has rank 2: }}
  fold.tile_rows %x[%i] column %i width %n first %i count %n slot %i slots %n
    tile %t map @map update @update vector 4 accumulators 4 rows 32 simd 8
    : memref<?x?xf32> tile memref<?xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// Outputs are neighbours.
func.func @f(%x: memref<?x?xf32, strided<[1, ?]>>, %t: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{input 0 must have stride 1 or 0 along the outputs: }}
  fold.tile_rows %x[] column %i width %n first %i count %n slot %i slots %n
    tile %t map @map update @update vector 4 accumulators 4 rows 32 simd 8
    : memref<?x?xf32, strided<[1, ?]>> tile memref<?xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// The functions must be there.
func.func @f(%x: memref<?x?xf32>, %t: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{map @map is not a function of this module}}
  fold.tile_rows %x[] column %i width %n first %i count %n slot %i slots %n
    tile %t map @map update @update vector 4 accumulators 4 rows 32 simd 8
    : memref<?x?xf32> tile memref<?xf32>
  return
}
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// The functions must be there.
func.func @f(%x: memref<?x?xf32>, %t: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{update @update is not a function of this module}}
  fold.tile_rows %x[] column %i width %n first %i count %n slot %i slots %n
    tile %t map @map update @update vector 4 accumulators 4 rows 32 simd 8
    : memref<?x?xf32> tile memref<?xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// They fit the inputs.
func.func @f(%x: memref<?x?xf32>, %t: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{@map argument 0 is 'i64', but the element of input 0 is 'f32'}}
  fold.tile_rows %x[] column %i width %n first %i count %n slot %i slots %n
    tile %t map @map update @update vector 4 accumulators 4 rows 32 simd 8
    : memref<?x?xf32> tile memref<?xf32>
  return
}
func.func private @map(%a0: i64, %a1: i64) -> f32 { %r0 = arith.constant 0.0 : f32 return %r0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// A tile for every member.
func.func @f(%x: memref<?x?xf32>, %t: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{has 1 tile memrefs for 2 state members}}
  fold.tile_rows %x[] column %i width %n first %i count %n slot %i slots %n
    tile %t map @map update @update vector 4 accumulators 4 rows 32 simd 8
    : memref<?x?xf32> tile memref<?xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> (f32, i64) { return %a0, %a1 : f32, i64 }
func.func private @update(%a0: f32, %a1: i64, %a2: i64, %a3: f32, %a4: i64) -> (f32, i64) { return %a0, %a1 : f32, i64 }

// -----

// Of its type.
func.func @f(%x: memref<?x?xf32>, %t: memref<?xf64>, %i: index, %n: index) {
  // expected-error @below {{tile memref 0 is 'memref<?xf64>', but state member 0 is stored as rank 1 of 'f32'}}
  fold.tile_rows %x[] column %i width %n first %i count %n slot %i slots %n
    tile %t map @map update @update vector 4 accumulators 4 rows 32 simd 8
    : memref<?x?xf32> tile memref<?xf64>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// Of rank 1.
func.func @f(%x: memref<?x?xf32>, %t: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{tile memref 0 is 'memref<?x?xf32>', but state member 0 is stored as rank 1 of 'f32'}}
  fold.tile_rows %x[] column %i width %n first %i count %n slot %i slots %n
    tile %x map @map update @update vector 4 accumulators 4 rows 32 simd 8
    : memref<?x?xf32> tile memref<?x?xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// Inputs have one rank.
func.func @f(%x: memref<?x?xf32>, %z: memref<?x?x?xf32>, %t: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{input 1 has rank 3, but needs dimensions for k and the outputs after 0 indices, and input 0 has rank 2: }}
  fold.tile_rows %x, %z[] column %i width %n first %i count %n slot %i slots %n
    tile %t map @map update @update vector 4 accumulators 4 rows 32 simd 8
    : memref<?x?xf32>, memref<?x?x?xf32> tile memref<?xf32>
  return
}
func.func private @map(%a0: f32, %a1: f32, %a2: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: f32, %a4: i64) -> f32 { return %a0 : f32 }

// -----

// Slots are shared out by powers of two.
func.func @f(%x: memref<?x?xf32>, %t: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{vector 4 and accumulators 0 must be powers of two up to 16, the second not larger}}
  fold.tile_rows %x[] column %i width %n first %i count %n slot %i slots %n
    tile %t map @map update @update vector 4 accumulators 0 rows 32 simd 8
    : memref<?x?xf32> tile memref<?xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// Slots are shared out by powers of two.
func.func @f(%x: memref<?x?xf32>, %t: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{vector 0 and accumulators 4 must be powers of two up to 16, the second not larger}}
  fold.tile_rows %x[] column %i width %n first %i count %n slot %i slots %n
    tile %t map @map update @update vector 0 accumulators 4 rows 32 simd 8
    : memref<?x?xf32> tile memref<?xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// Slots are shared out by powers of two.
func.func @f(%x: memref<?x?xf32>, %t: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{vector 4 and accumulators 8 must be powers of two up to 16, the second not larger}}
  fold.tile_rows %x[] column %i width %n first %i count %n slot %i slots %n
    tile %t map @map update @update vector 4 accumulators 8 rows 32 simd 8
    : memref<?x?xf32> tile memref<?xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// Slots are shared out by powers of two.
func.func @f(%x: memref<?x?xf32>, %t: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{vector 4 and accumulators 3 must be powers of two up to 16, the second not larger}}
  fold.tile_rows %x[] column %i width %n first %i count %n slot %i slots %n
    tile %t map @map update @update vector 4 accumulators 3 rows 32 simd 8
    : memref<?x?xf32> tile memref<?xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// A vector has a lane or more.
func.func @f(%x: memref<?x?xf32>, %t: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{simd 0 is out of range}}
  fold.tile_rows %x[] column %i width %n first %i count %n slot %i slots %n
    tile %t map @map update @update vector 4 accumulators 4 rows 32 simd 0
    : memref<?x?xf32> tile memref<?xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// A vector has a lane or more.
func.func @f(%x: memref<?x?xf32>, %t: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{simd -4 is out of range}}
  fold.tile_rows %x[] column %i width %n first %i count %n slot %i slots %n
    tile %t map @map update @update vector 4 accumulators 4 rows 32 simd -4
    : memref<?x?xf32> tile memref<?xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// Rows are counted; 0 is all of them.
func.func @f(%x: memref<?x?xf32>, %t: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{is out of range}}
  fold.tile_rows %x[] column %i width %n first %i count %n slot %i slots %n
    tile %t map @map update @update vector 4 accumulators 4 rows -1 simd 8
    : memref<?x?xf32> tile memref<?xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }
