// RUN: warpfold-opt %s -split-input-file -verify-diagnostics

// What fold.lane_column refuses.

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
    ahead(%a, %a : f32, f32) map @map update @update inner [1] outputs 2 spread 32 leaves 1 rows 2
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
