// RUN: warpfold-opt %s -split-input-file -verify-diagnostics

// What fold.panel_rows refuses: operand, type and number are named.

// Inputs are needed; only the generic form can leave them out.
func.func @f(%t: memref<?xf32>, %i: index) {
  // expected-error @below {{needs at least one input}}
  "fold.panel_rows"(%i, %i, %i, %i, %i, %t) <{map = @map,
    operandSegmentSizes = array<i32: 0, 0, 1, 1, 1, 1, 1, 1, 0>,
    simd = 8 : i64, update = @update, vector = 4 : i64}>
    : (index, index, index, index, index, memref<?xf32>) -> ()
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// A dimension for the outputs and one for k, after the indices.
func.func @f(%x: memref<?x?xf32>, %t: memref<?xf32>, %i: index) {
  // expected-error @below {{input 0 has rank 2, but needs dimensions for the outputs and k after 1 indices: }}
  fold.panel_rows %x[%i] column %i width %i first %i count %i position %i
    panel %t map @map update @update vector 4 simd 8
    : memref<?x?xf32> panel memref<?xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// Inputs have one rank.
func.func @f(%x: memref<?x?x?xf32>, %z: memref<?x?xf32>, %t: memref<?xf32>, %i: index) {
  // expected-error @below {{input 1 has rank 2, but needs dimensions for the outputs and k after 0 indices: }}
  fold.panel_rows %x, %z[] column %i width %i first %i count %i position %i
    panel %t map @map update @update vector 4 simd 8
    : memref<?x?x?xf32>, memref<?x?xf32> panel memref<?xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// Elements of a row are neighbours …
func.func @f(%x: memref<?x?x?xf32, strided<[?, 1, ?]>>, %t: memref<?xf32>, %i: index) {
  // expected-error @below {{input 0 must have stride 1 along k: }}
  fold.panel_rows %x[] column %i width %i first %i count %i position %i
    panel %t map @map update @update vector 4 simd 8
    : memref<?x?x?xf32, strided<[?, 1, ?]>> panel memref<?xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// … of every input: none is spread.
func.func @f(%x: memref<?x?x?xf32>, %z: memref<?x?x?xf32, strided<[?, ?, 0]>>, %t: memref<?xf32>, %i: index) {
  // expected-error @below {{input 1 must have stride 1 along k: }}
  fold.panel_rows %x, %z[] column %i width %i first %i count %i position %i
    panel %t map @map update @update vector 4 simd 8
    : memref<?x?x?xf32>, memref<?x?x?xf32, strided<[?, ?, 0]>> panel memref<?xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// A row is cut into whole vectors.
func.func @f(%x: memref<?x?x?xf32>, %t: memref<?xf32>, %i: index) {
  // expected-error @below {{simd 12 does not divide a row}}
  fold.panel_rows %x[] column %i width %i first %i count %i position %i
    panel %t map @map update @update vector 4 simd 12
    : memref<?x?x?xf32> panel memref<?xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// A row is cut into whole vectors.
func.func @f(%x: memref<?x?x?xf32>, %t: memref<?xf32>, %i: index) {
  // expected-error @below {{simd 64 does not divide a row}}
  fold.panel_rows %x[] column %i width %i first %i count %i position %i
    panel %t map @map update @update vector 1 simd 64
    : memref<?x?x?xf32> panel memref<?xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// A vector has a lane or more.
func.func @f(%x: memref<?x?x?xf32>, %t: memref<?xf32>, %i: index) {
  // expected-error @below {{simd 0 is out of range}}
  fold.panel_rows %x[] column %i width %i first %i count %i position %i
    panel %t map @map update @update vector 4 simd 0
    : memref<?x?x?xf32> panel memref<?xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// A vector has a lane or more.
func.func @f(%x: memref<?x?x?xf32>, %t: memref<?xf32>, %i: index) {
  // expected-error @below {{simd -4 is out of range}}
  fold.panel_rows %x[] column %i width %i first %i count %i position %i
    panel %t map @map update @update vector 4 simd -4
    : memref<?x?x?xf32> panel memref<?xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// The constants of the order.
func.func @f(%x: memref<?x?x?xf32>, %t: memref<?xf32>, %i: index) {
  // expected-error @below {{vector 3 and accumulators 3 must be powers of two up to 16, the second not larger}}
  fold.panel_rows %x[] column %i width %i first %i count %i position %i
    panel %t map @map update @update vector 3 simd 8
    : memref<?x?x?xf32> panel memref<?xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// The functions must be there.
func.func @f(%x: memref<?x?x?xf32>, %t: memref<?xf32>, %i: index) {
  // expected-error @below {{map @map is not a function of this module}}
  fold.panel_rows %x[] column %i width %i first %i count %i position %i
    panel %t map @map update @update vector 4 simd 8
    : memref<?x?x?xf32> panel memref<?xf32>
  return
}
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// The functions must be there.
func.func @f(%x: memref<?x?x?xf32>, %t: memref<?xf32>, %i: index) {
  // expected-error @below {{update @update is not a function of this module}}
  fold.panel_rows %x[] column %i width %i first %i count %i position %i
    panel %t map @map update @update vector 4 simd 8
    : memref<?x?x?xf32> panel memref<?xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// They fit the inputs.
func.func @f(%x: memref<?x?x?xf32>, %t: memref<?xf32>, %i: index) {
  // expected-error @below {{@map argument 0 is 'f64', but the element of input 0 is 'f32'}}
  fold.panel_rows %x[] column %i width %i first %i count %i position %i
    panel %t map @map update @update vector 4 simd 8
    : memref<?x?x?xf32> panel memref<?xf32>
  return
}
func.func private @map(%a0: f64, %a1: i64) -> f64 { return %a0 : f64 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// They fit each other.
func.func @f(%x: memref<?x?x?xf32>, %t: memref<?xf32>, %i: index) {
  // expected-error @below {{@update argument 0 is 'f64', but state member 0 is 'f32'}}
  fold.panel_rows %x[] column %i width %i first %i count %i position %i
    panel %t map @map update @update vector 4 simd 8
    : memref<?x?x?xf32> panel memref<?xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f64, %a1: i64, %a2: f32, %a3: i64) -> f64 { return %a0 : f64 }

// -----

// A panel of the state's types …
func.func @f(%x: memref<?x?x?xf32>, %t: memref<?xf64>, %i: index) {
  // expected-error @below {{panel memref 0 is 'memref<?xf64>', but state member 0 is stored as rank 1 of 'f32'}}
  fold.panel_rows %x[] column %i width %i first %i count %i position %i
    panel %t map @map update @update vector 4 simd 8
    : memref<?x?x?xf32> panel memref<?xf64>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// … in one dimension …
func.func @f(%x: memref<?x?x?xf32>, %t: memref<?x?xf32>, %i: index) {
  // expected-error @below {{panel memref 0 is 'memref<?x?xf32>', but state member 0 is stored as rank 1 of 'f32'}}
  fold.panel_rows %x[] column %i width %i first %i count %i position %i
    panel %t map @map update @update vector 4 simd 8
    : memref<?x?x?xf32> panel memref<?x?xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// … and one a member.
func.func @f(%x: memref<?x?x?xf32>, %t: memref<?xf32>, %i: index) {
  // expected-error @below {{has 2 panel memrefs for 1 state members}}
  fold.panel_rows %x[] column %i width %i first %i count %i position %i
    panel %t, %t map @map update @update vector 4 simd 8
    : memref<?x?x?xf32> panel memref<?xf32>, memref<?xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }
