// RUN: warpfold-opt %s -split-input-file -verify-diagnostics

// What fold.lane_slots refuses.

// Lanes are halves of halves of a wave.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{lanes 3 at stride 1 are no powers of two within a wave}}
  %s:1 = fold.lane_slots %a, %a lane %i combine @combine lanes 3 stride 1 : f32, f32 -> f32
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// Lanes are halves of halves of a wave.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{lanes 0 at stride 1 are no powers of two within a wave}}
  %s:1 = fold.lane_slots %a, %a lane %i combine @combine lanes 0 stride 1 : f32, f32 -> f32
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// So are strides.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{lanes 4 at stride 6 are no powers of two within a wave}}
  %s:1 = fold.lane_slots %a, %a lane %i combine @combine lanes 4 stride 6 : f32, f32 -> f32
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// So are strides.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{lanes 4 at stride -2 are no powers of two within a wave}}
  %s:1 = fold.lane_slots %a, %a lane %i combine @combine lanes 4 stride -2 : f32, f32 -> f32
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// A wave has 64 lanes at most.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{lanes 32 at stride 4 are no powers of two within a wave}}
  %s:1 = fold.lane_slots %a, %a lane %i combine @combine lanes 32 stride 4 : f32, f32 -> f32
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// A lane gets one output at most.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{deals 4 outputs to 2 lanes}}
  %s:1 = fold.lane_slots %a, %a, %a, %a lane %i combine @combine lanes 2 stride 1 deal 4 : f32, f32, f32, f32 -> f32
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// Outputs are halved until one is left.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{deals 3 outputs to 4 lanes}}
  %s:1 = fold.lane_slots %a, %a lane %i combine @combine lanes 4 stride 1 deal 3 : f32, f32 -> f32
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// Every lane keeps what it is dealt.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{deals to all lanes, so none is loose}}
  %s:1 = fold.lane_slots %a, %a lane %i combine @combine lanes 4 stride 1 deal 2 loose : f32, f32 -> f32
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// A lane's slots are a subtree.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{has 3 slots for 1 results}}
  %s:1 = fold.lane_slots %a, %a, %a lane %i combine @combine lanes 32 stride 1 : f32, f32, f32 -> f32
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// Every output has as many slots.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{has 1 slots for 1 results}}
  %s:1 = fold.lane_slots %a lane %i combine @combine lanes 4 stride 1 deal 2 : f32 -> f32
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// There is a state.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{has 0 slots for 1 results}}
  %s = "fold.lane_slots"(%i) <{combine = @combine, lanes = 32, stride = 1,
    operandSegmentSizes = array<i32: 0, 1, 0, 0>}> : (index) -> f32
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// The function must be there.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{combine @bine is not a function of this module}}
  %s:1 = fold.lane_slots %a, %a lane %i combine @bine lanes 32 stride 1 : f32, f32 -> f32
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// It fits the params.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{@combine takes 4 arguments; param 0 ('f32') is missing}}
  %s:1 = fold.lane_slots %a, %a lane %i params(%a : f32) combine @combine lanes 32 stride 1 : f32, f32 -> f32
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// Slots are states.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{operands 1 is 'i64', but should be 'f32'}}
  %s:1 = fold.lane_slots %a, %n lane %i combine @combine lanes 32 stride 1 : f32, i64 -> f32
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// So are results.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{results 0 is 'i64', but should be 'f32'}}
  %s:1 = fold.lane_slots %a, %a lane %i combine @combine lanes 32 stride 1 : f32, f32 -> i64
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// Counted: a state and a count.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{has 2 operands, but 2 of 1 members and their counts make 4}}
  %s:1 = fold.lane_slots %a, %a lane %i combine @combine lanes 32 stride 1 counted : f32, f32 -> f32
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// Not counted: no count.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{has 2 operands, but 1 of 1 members make 1}}
  %s:2 = fold.lane_slots %a, %n lane %i combine @combine lanes 32 stride 1 : f32, i64 -> f32, i64
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }
