// RUN: warpfold-opt %s -split-input-file -verify-diagnostics

// What fold.rows refuses: operand, type and number are named.

// Inputs are needed; only the generic form can leave them out.
func.func @f(%i: index) {
  // expected-error @below {{needs at least one input}}
  %s = "fold.rows"(%i, %i, %i) <{accumulators = 1 : i64, map = @map,
    operandSegmentSizes = array<i32: 0, 0, 1, 1, 1, 0>, rows = 32 : i64,
    update = @update, vector = 1 : i64}> : (index, index, index) -> vector<32xf32>
  return
}

// -----

// So are slots.
func.func @f(%x: memref<?xf32>, %i: index) {
  // expected-error @below {{gives no slots}}
  "fold.rows"(%x, %i, %i, %i) <{accumulators = 1 : i64, map = @map,
    operandSegmentSizes = array<i32: 1, 0, 1, 1, 1, 0>, rows = 32 : i64,
    update = @update, vector = 1 : i64}> : (memref<?xf32>, index, index, index) -> ()
  return
}

// -----

// Indices give the first dimensions, k runs over the rest.
func.func @f(%x: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{input 0 has rank 1, but there are 1 indices before k, and input 0 has rank 1: }}
  %s = fold.rows %x[%i] first %i count %n position %i
    map @map update @update vector 1 accumulators 1 rows 32
    : memref<?xf32> -> vector<32xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// Every input has a dimension for k.
func.func @f(%x: memref<?x?xf32>, %z: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{input 1 has rank 1, but there are 1 indices before k, and input 0 has rank 2: }}
  %s = fold.rows %x, %z[%i] first %i count %n position %i
    map @map update @update vector 1 accumulators 1 rows 32
    : memref<?x?xf32>, memref<?xf32> -> vector<32xf32>
  return
}
func.func private @map(%a0: f32, %a1: f32, %a2: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: f32, %a4: i64) -> f32 { return %a0 : f32 }

// -----

// k has stride 1 or 0.
func.func @f(%x: memref<?xf32, strided<[2]>>, %i: index, %n: index) {
  // expected-error @below {{input 0 must have stride 1 or 0 along k: }}
  %s = fold.rows %x[] first %i count %n position %i
    map @map update @update vector 1 accumulators 1 rows 32
    : memref<?xf32, strided<[2]>> -> vector<32xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// A stride that is only known at run time may be anything.
func.func @f(%x: memref<?xf32, strided<[?]>>, %i: index, %n: index) {
  // expected-error @below {{input 0 must have stride 1 or 0 along k: }}
  %s = fold.rows %x[] first %i count %n position %i
    map @map update @update vector 1 accumulators 1 rows 32
    : memref<?xf32, strided<[?]>> -> vector<32xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// Lanes take powers of two.
func.func @f(%x: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{vector 3 and accumulators 1 must be powers of two up to 16, the second not larger}}
  %s = fold.rows %x[] first %i count %n position %i
    map @map update @update vector 3 accumulators 1 rows 32
    : memref<?xf32> -> vector<32xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// Lanes take powers of two.
func.func @f(%x: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{vector 4 and accumulators 3 must be powers of two up to 16, the second not larger}}
  %s = fold.rows %x[] first %i count %n position %i
    map @map update @update vector 4 accumulators 3 rows 32
    : memref<?xf32> -> vector<32xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// Lanes take powers of two.
func.func @f(%x: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{vector 2 and accumulators 4 must be powers of two up to 16, the second not larger}}
  %s = fold.rows %x[] first %i count %n position %i
    map @map update @update vector 2 accumulators 4 rows 32
    : memref<?xf32> -> vector<32xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// Lanes take powers of two.
func.func @f(%x: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{vector 0 and accumulators 1 must be powers of two up to 16, the second not larger}}
  %s = fold.rows %x[] first %i count %n position %i
    map @map update @update vector 0 accumulators 1 rows 32
    : memref<?xf32> -> vector<32xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// Lanes take powers of two.
func.func @f(%x: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{vector 1 and accumulators 0 must be powers of two up to 16, the second not larger}}
  %s = fold.rows %x[] first %i count %n position %i
    map @map update @update vector 1 accumulators 0 rows 32
    : memref<?xf32> -> vector<32xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// The functions must be there.
func.func @f(%x: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{map @map is not a function of this module}}
  %s = fold.rows %x[] first %i count %n position %i
    map @map update @update vector 1 accumulators 1 rows 32
    : memref<?xf32> -> vector<32xf32>
  return
}
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// The functions must be there.
func.func @f(%x: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{update @update is not a function of this module}}
  %s = fold.rows %x[] first %i count %n position %i
    map @map update @update vector 1 accumulators 1 rows 32
    : memref<?xf32> -> vector<32xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// They fit the inputs …
func.func @f(%x: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{@map argument 0 is 'f64', but the element of input 0 is 'f32'}}
  %s = fold.rows %x[] first %i count %n position %i
    map @map update @update vector 1 accumulators 1 rows 32
    : memref<?xf32> -> vector<32xf32>
  return
}
func.func private @map(%a0: f64, %a1: i64) -> f32 { %r0 = arith.constant 0.0 : f32 return %r0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// … and the params.
func.func @f(%x: memref<?xf32>, %i: index, %n: index, %p: f64) {
  // expected-error @below {{@update takes 4 arguments; param 0 ('f64') is missing}}
  %s = fold.rows %x[] first %i count %n position %i params(%p : f64)
    map @map update @update vector 1 accumulators 1 rows 32
    : memref<?xf32> -> vector<32xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64, %a2: f64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// A vector for every member.
func.func @f(%x: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{has 1 slot vectors for 2 state members}}
  %s = fold.rows %x[] first %i count %n position %i
    map @map update @update vector 1 accumulators 1 rows 32
    : memref<?xf32> -> vector<32xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> (f32, i64) { return %a0, %a1 : f32, i64 }
func.func private @update(%a0: f32, %a1: i64, %a2: i64, %a3: f32, %a4: i64) -> (f32, i64) { return %a0, %a1 : f32, i64 }

// -----

// And one for the counts.
func.func @f(%x: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{has 1 slot vectors for 2 state members}}
  %s = fold.rows %x[] first %i count %n position %i
    map @map update @update vector 1 accumulators 1 rows 32 counted
    : memref<?xf32> -> vector<32xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// The member's type.
func.func @f(%x: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{slot vector 0 of member 0 is 'vector<32xf64>', but should be 'vector<32xf32>'}}
  %s = fold.rows %x[] first %i count %n position %i
    map @map update @update vector 1 accumulators 1 rows 32
    : memref<?xf32> -> vector<32xf64>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// Counts are i64.
func.func @f(%x: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{slot vector 1 of member 1 is 'vector<32xi32>', but should be 'vector<32xi64>'}}
  %s:2 = fold.rows %x[] first %i count %n position %i
    map @map update @update vector 1 accumulators 1 rows 32 counted
    : memref<?xf32> -> vector<32xf32>, vector<32xi32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// Equal widths.
func.func @f(%x: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{slot vector 1 of member 0 is 'vector<16xf32>', but should be 'vector<8xf32>'}}
  %s:2 = fold.rows %x[] first %i count %n position %i
    map @map update @update vector 1 accumulators 1 rows 32
    : memref<?xf32> -> vector<8xf32>, vector<16xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// Rank 1.
func.func @f(%x: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{slot vector 0 of member 0 is 'vector<2x16xf32>', but should be 'vector<32xf32>'}}
  %s = fold.rows %x[] first %i count %n position %i
    map @map update @update vector 1 accumulators 1 rows 32
    : memref<?xf32> -> vector<2x16xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// As many slots as the order says.
func.func @f(%x: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{gives 16 slots a member, but 32 x 1 accumulators make 32}}
  %s = fold.rows %x[] first %i count %n position %i
    map @map update @update vector 1 accumulators 1 rows 32
    : memref<?xf32> -> vector<16xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// Fewer only in a partial row, and never more.
func.func @f(%x: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{gives 128 slots a member, but 32 x 2 accumulators make 64}}
  %s = fold.rows %x[] first %i count %n position %i
    map @map update @update vector 2 accumulators 2 rows 32 partial_row
    : memref<?xf32> -> vector<128xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// Inputs have one rank: the indices and k mean the same in all.
func.func @f(%x: memref<?xf32>, %z: memref<?x?xf32>, %i: index, %n: index) {
  // expected-error @below {{input 1 has rank 2, but there are 0 indices before k, and input 0 has rank 1: }}
  %s = fold.rows %x, %z[] first %i count %n position %i
    map @map update @update vector 1 accumulators 1 rows 32
    : memref<?xf32>, memref<?x?xf32> -> vector<32xf32>
  return
}
func.func private @map(%a0: f32, %a1: f32, %a2: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: f32, %a4: i64) -> f32 { return %a0 : f32 }

// -----

// Powers of two that no vector is as wide as.
func.func @f(%x: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{vector 32 and accumulators 1 must be powers of two up to 16, the second not larger}}
  %s = fold.rows %x[] first %i count %n position %i
    map @map update @update vector 32 accumulators 1 rows 32
    : memref<?xf32> -> vector<32xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// Powers of two that no vector is as wide as.
func.func @f(%x: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{vector 4611686018427387904 and accumulators 1 must be powers of two up to 16, the second not larger}}
  %s = fold.rows %x[] first %i count %n position %i
    map @map update @update vector 4611686018427387904 accumulators 1 rows 32
    : memref<?xf32> -> vector<32xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// Powers of two that no vector is as wide as.
func.func @f(%x: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{vector -9223372036854775808 and accumulators 1 must be powers of two up to 16, the second not larger}}
  %s = fold.rows %x[] first %i count %n position %i
    map @map update @update vector -9223372036854775808 accumulators 1 rows 32
    : memref<?xf32> -> vector<32xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// Slot vectors are a power of two wide, also where a partial row gives few.
func.func @f(%x: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{slot vectors are 3 wide, which is no power of two}}
  %s = fold.rows %x[] first %i count %n position %i
    map @map update @update vector 4 accumulators 2 rows 32 partial_row
    : memref<?xf32> -> vector<3xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// The functions have bodies …
func.func @f(%x: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{map @map needs a body of one block, to be cloned onto vectors and inlined}}
  %s = fold.rows %x[] first %i count %n position %i
    map @map update @update vector 1 accumulators 1 rows 32
    : memref<?xf32> -> vector<32xf32>
  return
}
func.func private @map(f32, i64) -> f32
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// … of one block …
func.func @f(%x: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{update @update needs a body of one block, to be cloned onto vectors and inlined}}
  %s = fold.rows %x[] first %i count %n position %i
    map @map update @update vector 1 accumulators 1 rows 32
    : memref<?xf32> -> vector<32xf32>
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 {
  cf.br ^bb1
^bb1:
  return %a0 : f32
}

// -----

// … and are private: they go once they are inlined.
func.func @f(%x: memref<?xf32>, %i: index, %n: index) {
  // expected-error @below {{map @map must be private}}
  %s = fold.rows %x[] first %i count %n position %i
    map @map update @update vector 1 accumulators 1 rows 32
    : memref<?xf32> -> vector<32xf32>
  return
}
func.func @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }
