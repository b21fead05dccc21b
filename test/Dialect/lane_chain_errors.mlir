// RUN: warpfold-opt %s -split-input-file -verify-diagnostics

// What fold.lane_chain refuses.

// Every input has a stride along every axis.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{has a stride for every input and reduced axis}}
  %s:1 = fold.lane_chain %x offsets(%i) sizes(%i, %i) strides(%i) count %i 
    map @map update @update inner [1] flight 8  : !llvm.ptr<1> -> f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// It reads ahead.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{flight 0 is no number from 1 to 64}}
  %s:1 = fold.lane_chain %x offsets(%i) sizes(%i) strides(%i) count %i 
    map @map update @update inner [1] flight 0  : !llvm.ptr<1> -> f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// update goes on from a state.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{update @map does not go on from the state of map @map}}
  %s:1 = fold.lane_chain %x offsets(%i) sizes(%i) strides(%i) count %i 
    map @map update @map inner [1] flight 8  : !llvm.ptr<1> -> f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// The function must be there.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{map @pam is not a function of this module}}
  %s:1 = fold.lane_chain %x offsets(%i) sizes(%i) strides(%i) count %i 
    map @pam update @update inner [1] flight 8  : !llvm.ptr<1> -> f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// map takes an element an input, k and the params.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{map @map takes 2 values, but 1 elements, k and 1 params make 3}}
  %s:1 = fold.lane_chain %x offsets(%i) sizes(%i) strides(%i) count %i params(%a : f32)
    map @map update @update inner [1] flight 8  : !llvm.ptr<1> -> f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// One state.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{has 2 states, but 1 of 1 members make 1}}
  %s:2 = fold.lane_chain %x offsets(%i) sizes(%i) strides(%i) count %i 
    map @map update @update inner [1] flight 8  : !llvm.ptr<1> -> f32, f32
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }

// -----

// It is what map gives.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{states 0 is 'f64', but should be 'f32'}}
  %s:1 = fold.lane_chain %x offsets(%i) sizes(%i) strides(%i) count %i 
    map @map update @update inner [1] flight 8  : !llvm.ptr<1> -> f64
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }
