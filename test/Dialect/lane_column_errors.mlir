// RUN: warpfold-opt %s -split-input-file -verify-diagnostics

// What fold.lane_column refuses.

// An input has an innermost stride, known or not.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{has one offset and one inner stride an input}}
  %s:2 = fold.lane_column %x offsets(%i) sizes(%i) strides(%i) first %i limit %i width %i
    map @map update @update inner [] outputs 2 spread 32 leaves 1 rows 2
    step 128 elements 1 gap 4 flight 2 : !llvm.ptr<1> -> f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// There is an output.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{outputs 0 is no number from 1 to 32}}
  %s:2 = fold.lane_column %x offsets(%i) sizes(%i) strides(%i) first %i limit %i width %i
    map @map update @update inner [1] outputs 0 spread 32 leaves 1 rows 2
    step 128 elements 1 gap 4 flight 2 : !llvm.ptr<1> -> f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// Slots of a lane are a subtree.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{leaves 3 is no power of two from 1 to 64}}
  %s:2 = fold.lane_column %x offsets(%i) sizes(%i) strides(%i) first %i limit %i width %i
    map @map update @update inner [1] outputs 2 spread 32 leaves 3 rows 2
    step 128 elements 1 gap 4 flight 2 : !llvm.ptr<1> -> f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// There is a row.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{rows 0 is no number from 1 to 32}}
  %s:2 = fold.lane_column %x offsets(%i) sizes(%i) strides(%i) first %i limit %i width %i
    map @map update @update inner [1] outputs 2 spread 32 leaves 1 rows 0
    step 128 elements 1 gap 4 flight 2 : !llvm.ptr<1> -> f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// A slot has an element of it.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{elements 0 is no number from 1 to 16}}
  %s:2 = fold.lane_column %x offsets(%i) sizes(%i) strides(%i) first %i limit %i width %i
    map @map update @update inner [1] outputs 2 spread 32 leaves 1 rows 2
    step 128 elements 0 gap 4 flight 2 : !llvm.ptr<1> -> f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// Slots have a distance.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{gap 0 is no number from 1 to 16}}
  %s:2 = fold.lane_column %x offsets(%i) sizes(%i) strides(%i) first %i limit %i width %i
    map @map update @update inner [1] outputs 2 spread 32 leaves 1 rows 2
    step 128 elements 1 gap 0 flight 2 : !llvm.ptr<1> -> f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// So have rows.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{step -128 is no number from 1 to 1048576}}
  %s:2 = fold.lane_column %x offsets(%i) sizes(%i) strides(%i) first %i limit %i width %i
    map @map update @update inner [1] outputs 2 spread 32 leaves 1 rows 2
    step -128 elements 1 gap 4 flight 2 : !llvm.ptr<1> -> f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// Loads are under way.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{flight 0 is no number from 1 to 64}}
  %s:2 = fold.lane_column %x offsets(%i) sizes(%i) strides(%i) first %i limit %i width %i
    map @map update @update inner [1] outputs 2 spread 32 leaves 1 rows 2
    step 128 elements 1 gap 4 flight 0 : !llvm.ptr<1> -> f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// Where nothing is read ahead, nothing is read for the next.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{reads ahead from `next` what `ahead` holds}}
  %s:2 = fold.lane_column %x offsets(%i) sizes(%i) strides(%i) first %i limit %i width %i
    next %i map @map update @update inner [1] outputs 2 spread 32 leaves 1 rows 2
    step 128 elements 1 gap 4 flight 2 : !llvm.ptr<1> -> f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// What was read ahead has something after it.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{reads ahead from `next` what `ahead` holds}}
  %s:2 = fold.lane_column %x offsets(%i) sizes(%i) strides(%i) first %i limit %i width %i
    ahead(%a, %a, %a, %a : f32, f32, f32, f32) map @map update @update inner [1] outputs 2 spread 32 leaves 1 rows 2
    step 128 elements 1 gap 4 flight 2 : !llvm.ptr<1> -> f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// It is `flight` elements of every output.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{was read 2 values ahead, but 4 are its first}}
  %s:2 = fold.lane_column %x offsets(%i) sizes(%i) strides(%i) first %i limit %i width %i
    ahead(%a, %a : f32, f32) next %i map @map update @update inner [1] outputs 2 spread 32 leaves 1 rows 2
    step 128 elements 1 gap 4 flight 2 : !llvm.ptr<1> -> f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// What is read for the next is a result.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{reads ahead from `next` what `ahead` holds}}
  %s:2 = fold.lane_column %x offsets(%i) sizes(%i) strides(%i) first %i limit %i width %i
    ahead(%a, %a, %a, %a : f32, f32, f32, f32) next %i map @map update @update inner [1] outputs 2 spread 32 leaves 1 rows 2
    step 128 elements 1 gap 4 flight 2 : !llvm.ptr<1> -> f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// update goes on from a state.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{update @map does not go on from the state of map @map}}
  %s:2 = fold.lane_column %x offsets(%i) sizes(%i) strides(%i) first %i limit %i width %i
    map @map update @map inner [1] outputs 2 spread 32 leaves 1 rows 2
    step 128 elements 1 gap 4 flight 2 : !llvm.ptr<1> -> f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// What is read ahead: as many values.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{gives 3 values, but reads 4}}
  %s:3 = fold.lane_ahead %x offsets(%i) sizes(%i) strides(%i) first %i limit %i width %i
    map @map inner [1] outputs 2 spread 32 leaves 1 rows 2
    step 128 elements 1 gap 4 flight 2 : !llvm.ptr<1> -> f32, f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// No more than there are elements.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{gives 4 values, but reads 2}}
  %s:4 = fold.lane_ahead %x offsets(%i) sizes(%i) strides(%i) first %i limit %i width %i
    map @map inner [1] outputs 2 spread 32 leaves 1 rows 1
    step 128 elements 1 gap 4 flight 2 : !llvm.ptr<1> -> f32, f32, f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// As they are stored.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{value 3 is 'f64', but should be 'f32'}}
  %s:4 = fold.lane_ahead %x offsets(%i) sizes(%i) strides(%i) first %i limit %i width %i
    map @map inner [1] outputs 2 spread 32 leaves 1 rows 2
    step 128 elements 1 gap 4 flight 2 : !llvm.ptr<1> -> f32, f32, f32, f64
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// By the types that map takes.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{map @pam is not a function of this module}}
  %s:4 = fold.lane_ahead %x offsets(%i) sizes(%i) strides(%i) first %i limit %i width %i
    map @pam inner [1] outputs 2 spread 32 leaves 1 rows 2
    step 128 elements 1 gap 4 flight 2 : !llvm.ptr<1> -> f32, f32, f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// map takes an element of every input.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{map @none does not take an element of every input}}
  %s:4 = fold.lane_ahead %x offsets(%i) sizes(%i) strides(%i) first %i limit %i width %i
    map @none inner [1] outputs 2 spread 32 leaves 1 rows 2
    step 128 elements 1 gap 4 flight 2 : !llvm.ptr<1> -> f32, f32, f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }
func.func private @none() -> f32 { %c = arith.constant 0.0 : f32 return %c : f32 }

// -----

// Its numbers are those of fold.lane_column.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{flight 65 is no number from 1 to 64}}
  %s:4 = fold.lane_ahead %x offsets(%i) sizes(%i) strides(%i) first %i limit %i width %i
    map @map inner [1] outputs 2 spread 32 leaves 1 rows 2
    step 128 elements 1 gap 4 flight 65 : !llvm.ptr<1> -> f32, f32, f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// The function must be there.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{map @pam is not a function of this module}}
  %s:2 = fold.lane_column %x offsets(%i) sizes(%i) strides(%i) first %i limit %i width %i
    map @pam update @update inner [1] outputs 2 spread 32 leaves 1 rows 2
    step 128 elements 1 gap 4 flight 2 : !llvm.ptr<1> -> f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// map takes an element an input, k and the params.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{map @map takes 2 values, but 1 elements, k and 1 params make 3}}
  %s:2 = fold.lane_column %x offsets(%i) sizes(%i) strides(%i) first %i limit %i width %i
    params(%a : f32) map @map update @update inner [1] outputs 2 spread 32 leaves 1 rows 2
    step 128 elements 1 gap 4 flight 2 : !llvm.ptr<1> -> f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// Every output has a state of every leaf.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{has 2 states, but 4 of 1 members make 4}}
  %s:2 = fold.lane_column %x offsets(%i) sizes(%i) strides(%i) first %i limit %i width %i
    map @map update @update inner [1] outputs 2 spread 32 leaves 2 rows 2
    step 128 elements 1 gap 4 flight 2 : !llvm.ptr<1> -> f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// Outputs share their leaves' counts.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{has 2 states, but 2 of 1 members and their counts make 3}}
  %s:2 = fold.lane_column %x offsets(%i) sizes(%i) strides(%i) first %i limit %i width %i
    map @map update @update inner [1] outputs 2 spread 32 leaves 1 rows 2
    step 128 elements 1 gap 4 flight 2 counted : !llvm.ptr<1> -> f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// States are what map gives.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{states 1 is 'i64', but should be 'f32'}}
  %s:2 = fold.lane_column %x offsets(%i) sizes(%i) strides(%i) first %i limit %i width %i
    map @map update @update inner [1] outputs 2 spread 32 leaves 1 rows 2
    step 128 elements 1 gap 4 flight 2 : !llvm.ptr<1> -> f32, i64
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }
