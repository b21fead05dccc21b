// RUN: warpfold-opt %s -split-input-file -verify-diagnostics

// What fold.lane_lift refuses.

// An input has an offset.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{has one offset and one inner stride an input}}
  %s:2 = fold.lane_lift %x offsets() sizes(%i) strides(%i) lane %i first %i count %i
    position %i map @map inner [1] vector 2 rows 1 : !llvm.ptr<1> -> f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }

// -----

// A lane's elements are a power of two.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{vector 3 is no power of two from 1 to 16}}
  %s:2 = fold.lane_lift %x offsets(%i) sizes(%i) strides(%i) lane %i first %i count %i
    position %i map @map inner [1] vector 3 rows 1 : !llvm.ptr<1> -> f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }

// -----

// And at most 16.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{vector 32 is no power of two from 1 to 16}}
  %s:2 = fold.lane_lift %x offsets(%i) sizes(%i) strides(%i) lane %i first %i count %i
    position %i map @map inner [1] vector 32 rows 1 : !llvm.ptr<1> -> f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }

// -----

// There is a row.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{rows 0 is no number from 1 to 32}}
  %s:2 = fold.lane_lift %x offsets(%i) sizes(%i) strides(%i) lane %i first %i count %i
    position %i map @map inner [1] vector 2 rows 0 : !llvm.ptr<1> -> f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }

// -----

// The function must be there.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{map @pam is not a function of this module}}
  %s:2 = fold.lane_lift %x offsets(%i) sizes(%i) strides(%i) lane %i first %i count %i
    position %i map @pam inner [1] vector 2 rows 1 : !llvm.ptr<1> -> f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }

// -----

// map takes an element an input, k and the params.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{map @map takes 2 values, but 1 elements, k and 1 params make 3}}
  %s:2 = fold.lane_lift %x offsets(%i) sizes(%i) strides(%i) lane %i first %i count %i
    position %i params(%a : f32) map @map inner [1] vector 2 rows 1 : !llvm.ptr<1> -> f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }

// -----

// A state an element.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{has 2 slots, but 6 of 1 members make 6}}
  %s:2 = fold.lane_lift %x offsets(%i) sizes(%i) strides(%i) lane %i first %i count %i
    position %i map @map inner [1] vector 2 rows 3 : !llvm.ptr<1> -> f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }

// -----

// States are what map gives.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{slots 1 is 'f64', but should be 'f32'}}
  %s:2 = fold.lane_lift %x offsets(%i) sizes(%i) strides(%i) lane %i first %i count %i
    position %i map @map inner [1] vector 2 rows 1 : !llvm.ptr<1> -> f32, f64
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
