// RUN: warpfold-opt %s -split-input-file -verify-diagnostics

// What fold.tile_slots refuses: operand, type and number are named.

// Counts are i64 …
func.func @f(%t: memref<?xf32>, %c: memref<?xf32>, %k: memref<64xi32>, %i: index) {
  // expected-error @below {{counts are 'memref<64xi32>', but should be of rank 1 and i64}}
  fold.tile_slots %t slot %i width %i leaf %i elements %i counter %c counts %k
    combine @combine capacity 4096 simd 8 : memref<?xf32> counter memref<?xf32> counts memref<64xi32>
  return
}
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// … one a level.
func.func @f(%t: memref<?xf32>, %c: memref<?xf32>, %k: memref<i64>, %i: index) {
  // expected-error @below {{counts are 'memref<i64>', but should be of rank 1 and i64}}
  fold.tile_slots %t slot %i width %i leaf %i elements %i counter %c counts %k
    combine @combine capacity 4096 simd 8 : memref<?xf32> counter memref<?xf32> counts memref<i64>
  return
}
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// The function must be there.
func.func @f(%t: memref<?xf32>, %c: memref<?xf32>, %k: memref<64xi64>, %i: index) {
  // expected-error @below {{combine @combine is not a function of this module}}
  fold.tile_slots %t slot %i width %i leaf %i elements %i counter %c counts %k
    combine @combine capacity 4096 simd 8 : memref<?xf32> counter memref<?xf32> counts memref<64xi64>
  return
}

// -----

// It fits the params.
func.func @f(%t: memref<?xf32>, %c: memref<?xf32>, %k: memref<64xi64>, %i: index, %p: f64) {
  // expected-error @below {{@combine takes 4 arguments; param 0 ('f64') is missing}}
  fold.tile_slots %t slot %i width %i leaf %i elements %i counter %c counts %k params(%p : f64)
    combine @combine capacity 4096 simd 8 : memref<?xf32> counter memref<?xf32> counts memref<64xi64>
  return
}
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// A tile for every member.
func.func @f(%t: memref<?xf32>, %c: memref<?xf32>, %k: memref<64xi64>, %i: index) {
  // expected-error @below {{has 1 tile memrefs for 2 state members}}
  fold.tile_slots %t slot %i width %i leaf %i elements %i counter %c counts %k
    combine @combine capacity 4096 simd 8 : memref<?xf32> counter memref<?xf32> counts memref<64xi64>
  return
}
func.func private @combine(%a0: f32, %a1: i64, %a2: f32, %a3: i64, %a4: i64, %a5: i64) -> (f32, i64) { return %a0, %a1 : f32, i64 }

// -----

// Of its type.
func.func @f(%t: memref<?xf64>, %c: memref<?xf32>, %k: memref<64xi64>, %i: index) {
  // expected-error @below {{tile memref 0 is 'memref<?xf64>', but state member 0 is stored as rank 1 of 'f32'}}
  fold.tile_slots %t slot %i width %i leaf %i elements %i counter %c counts %k
    combine @combine capacity 4096 simd 8 : memref<?xf64> counter memref<?xf32> counts memref<64xi64>
  return
}
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// The counter too.
func.func @f(%t: memref<?xf32>, %c: memref<?xi8>, %k: memref<64xi64>, %i: index) {
  // expected-error @below {{counter memref 0 is 'memref<?xi8>', but state member 0 is stored as rank 1 of 'f32'}}
  fold.tile_slots %t slot %i width %i leaf %i elements %i counter %c counts %k
    combine @combine capacity 4096 simd 8 : memref<?xf32> counter memref<?xi8> counts memref<64xi64>
  return
}
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// A tile holds an output or more.
func.func @f(%t: memref<?xf32>, %c: memref<?xf32>, %k: memref<64xi64>, %i: index) {
  // expected-error @below {{capacity 0 is out of range}}
  fold.tile_slots %t slot %i width %i leaf %i elements %i counter %c counts %k
    combine @combine capacity 0 simd 8 : memref<?xf32> counter memref<?xf32> counts memref<64xi64>
  return
}
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// A tile holds an output or more.
func.func @f(%t: memref<?xf32>, %c: memref<?xf32>, %k: memref<64xi64>, %i: index) {
  // expected-error @below {{capacity -4096 is out of range}}
  fold.tile_slots %t slot %i width %i leaf %i elements %i counter %c counts %k
    combine @combine capacity -4096 simd 8 : memref<?xf32> counter memref<?xf32> counts memref<64xi64>
  return
}
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// A vector has a lane or more.
func.func @f(%t: memref<?xf32>, %c: memref<?xf32>, %k: memref<64xi64>, %i: index) {
  // expected-error @below {{simd 0 is out of range}}
  fold.tile_slots %t slot %i width %i leaf %i elements %i counter %c counts %k
    combine @combine capacity 4096 simd 0 : memref<?xf32> counter memref<?xf32> counts memref<64xi64>
  return
}
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// A vector has a lane or more.
func.func @f(%t: memref<?xf32>, %c: memref<?xf32>, %k: memref<64xi64>, %i: index) {
  // expected-error @below {{simd -4 is out of range}}
  fold.tile_slots %t slot %i width %i leaf %i elements %i counter %c counts %k
    combine @combine capacity 4096 simd -4 : memref<?xf32> counter memref<?xf32> counts memref<64xi64>
  return
}
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }
