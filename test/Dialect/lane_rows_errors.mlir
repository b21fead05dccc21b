// RUN: warpfold-opt %s -split-input-file -verify-diagnostics

// What fold.lane_rows refuses.

// update goes on from a state: it must be there.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{update @down is not a function of this module}}
  %s:4 = fold.lane_rows %x offsets(%i) sizes(%i) strides(%i)
    lane %i first %i count %i position %i map @map update @down inner [1]
    vector 4 accumulators 4 rows 32 flight 8 : !llvm.ptr<1> -> f32, f32, f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// It takes a state, its count, an element of every input, k and the params.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{update @map does not go on from the state of map @map}}
  %s:4 = fold.lane_rows %x offsets(%i) sizes(%i) strides(%i)
    lane %i first %i count %i position %i map @map update @map inner [1]
    vector 4 accumulators 4 rows 32 flight 8 : !llvm.ptr<1> -> f32, f32, f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// There is an input.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{needs at least one input}}
  %s = "fold.lane_rows"(%i, %i, %i, %i, %i) <{map = @map, update = @update,
    inner = array<i64>, vector = 1, accumulators = 1, rows = 1, flight = 1,
    operandSegmentSizes = array<i32: 0, 0, 1, 0, 1, 1, 1, 1, 0>}>
    : (index, index, index, index, index) -> f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// The order's constants are powers of two, A <= V.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{vector 3 and accumulators 1 must be powers of two}}
  %s:1 = fold.lane_rows %x offsets(%i) sizes(%i) strides(%i)
    lane %i first %i count %i position %i map @map update @update inner [1]
    vector 3 accumulators 1 rows 32 flight 8 : !llvm.ptr<1> -> f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// The order's constants are powers of two, A <= V.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{vector 2 and accumulators 4 must be powers of two}}
  %s:4 = fold.lane_rows %x offsets(%i) sizes(%i) strides(%i)
    lane %i first %i count %i position %i map @map update @update inner [1]
    vector 2 accumulators 4 rows 32 flight 8 : !llvm.ptr<1> -> f32, f32, f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// An input has an offset.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{has one offset and one inner stride an input}}
  %s:4 = fold.lane_rows %x offsets(%i, %i) sizes(%i) strides(%i)
    lane %i first %i count %i position %i map @map update @update inner [1]
    vector 4 accumulators 4 rows 32 flight 8 : !llvm.ptr<1> -> f32, f32, f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// And an innermost stride, known or not.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{has one offset and one inner stride an input}}
  %s:4 = fold.lane_rows %x offsets(%i) sizes(%i) strides(%i)
    lane %i first %i count %i position %i map @map update @update inner []
    vector 4 accumulators 4 rows 32 flight 8 : !llvm.ptr<1> -> f32, f32, f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// Every input has a stride along every axis.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{has a stride for every input and reduced axis}}
  %s:4 = fold.lane_rows %x offsets(%i) sizes(%i, %i) strides(%i)
    lane %i first %i count %i position %i map @map update @update inner [1]
    vector 4 accumulators 4 rows 32 flight 8 : !llvm.ptr<1> -> f32, f32, f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// Every input has a stride along every axis.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{has a stride for every input and reduced axis}}
  %s:4 = fold.lane_rows %x, %x offsets(%i, %i) sizes(%i) strides(%i)
    lane %i first %i count %i position %i map @map update @update inner [1, 1]
    vector 4 accumulators 4 rows 32 flight 8 : !llvm.ptr<1>, !llvm.ptr<1> -> f32, f32, f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// There is an axis.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{has a stride for every input and reduced axis}}
  %s = "fold.lane_rows"(%x, %i, %i, %i, %i, %i) <{map = @map, update = @update,
    inner = array<i64: 1>, vector = 1, accumulators = 1, rows = 1, flight = 1,
    operandSegmentSizes = array<i32: 1, 1, 0, 0, 1, 1, 1, 1, 0>}>
    : (!llvm.ptr<1>, index, index, index, index, index) -> f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// A chunk has a row.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{has 1 to 32 rows, and at least one in flight}}
  %s:4 = fold.lane_rows %x offsets(%i) sizes(%i) strides(%i)
    lane %i first %i count %i position %i map @map update @update inner [1]
    vector 4 accumulators 4 rows 0 flight 8 : !llvm.ptr<1> -> f32, f32, f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// And 32 at most.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{has 1 to 32 rows, and at least one in flight}}
  %s:4 = fold.lane_rows %x offsets(%i) sizes(%i) strides(%i)
    lane %i first %i count %i position %i map @map update @update inner [1]
    vector 4 accumulators 4 rows 33 flight 8 : !llvm.ptr<1> -> f32, f32, f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// Loads are under way.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{has 1 to 32 rows, and at least one in flight}}
  %s:4 = fold.lane_rows %x offsets(%i) sizes(%i) strides(%i)
    lane %i first %i count %i position %i map @map update @update inner [1]
    vector 4 accumulators 4 rows 32 flight 0 : !llvm.ptr<1> -> f32, f32, f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// Only one way to be short.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{is short by a rest or a tail, not both}}
  %s:4 = fold.lane_rows %x offsets(%i) sizes(%i) strides(%i)
    lane %i first %i count %i position %i map @map update @update inner [1]
    vector 4 accumulators 4 rows 32 flight 8 rest tail : !llvm.ptr<1> -> f32, f32, f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// The function must be there.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{map @pam is not a function of this module}}
  %s:4 = fold.lane_rows %x offsets(%i) sizes(%i) strides(%i)
    lane %i first %i count %i position %i map @pam update @update inner [1]
    vector 4 accumulators 4 rows 32 flight 8 : !llvm.ptr<1> -> f32, f32, f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// map takes an element an input, k and the params.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{map @map takes 2 values, but 2 elements, k and 0 params make 3}}
  %s:4 = fold.lane_rows %x, %x offsets(%i, %i) sizes(%i) strides(%i, %i)
    lane %i first %i count %i position %i map @map update @update inner [1, 1]
    vector 4 accumulators 4 rows 32 flight 8 : !llvm.ptr<1>, !llvm.ptr<1> -> f32, f32, f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// map takes an element an input, k and the params.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{map @map takes 2 values, but 1 elements, k and 1 params make 3}}
  %s:4 = fold.lane_rows %x offsets(%i) sizes(%i) strides(%i)
    lane %i first %i count %i position %i params(%a : f32) map @map update @update inner [1]
    vector 4 accumulators 4 rows 32 flight 8 : !llvm.ptr<1> -> f32, f32, f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// A slot has a state of every member.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{has 3 slots, but 4 of 1 members make 4}}
  %s:3 = fold.lane_rows %x offsets(%i) sizes(%i) strides(%i)
    lane %i first %i count %i position %i map @map update @update inner [1]
    vector 4 accumulators 4 rows 32 flight 8 : !llvm.ptr<1> -> f32, f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// And its count, where it has one.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{has 4 slots, but 4 of 1 members and their counts make 8}}
  %s:4 = fold.lane_rows %x offsets(%i) sizes(%i) strides(%i)
    lane %i first %i count %i position %i map @map update @update inner [1]
    vector 4 accumulators 4 rows 32 flight 8 counted : !llvm.ptr<1> -> f32, f32, f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// States are what map gives.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{slots 2 is 'f64', but should be 'f32'}}
  %s:4 = fold.lane_rows %x offsets(%i) sizes(%i) strides(%i)
    lane %i first %i count %i position %i map @map update @update inner [1]
    vector 4 accumulators 4 rows 32 flight 8 : !llvm.ptr<1> -> f32, f32, f64, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// Counts are i64.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{slots 5 is 'i32', but should be 'i64'}}
  %s:8 = fold.lane_rows %x offsets(%i) sizes(%i) strides(%i)
    lane %i first %i count %i position %i map @map update @update inner [1]
    vector 4 accumulators 4 rows 32 flight 8 counted : !llvm.ptr<1> -> f32, f32, f32, f32, i64, i32, i64, i64
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }
