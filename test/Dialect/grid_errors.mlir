// RUN: warpfold-opt %s -split-input-file -verify-diagnostics

// What fold.grid refuses.

// A member has memory of its own.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{has one partials pointer a member}}
  %s:2 = "fold.grid"(%a, %x, %x, %x, %i, %i, %i, %i, %i, %i, %i)
    <{combine = @combine, warps = 8, columns = 1, most = 512,
    operandSegmentSizes = array<i32: 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 0>}>
    : (f32, !llvm.ptr<1>, !llvm.ptr<1>, !llvm.ptr<1>, index, index, index, index, index, index, index) -> (i1, f32)
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// The function must be there.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{combine @bine is not a function of this module}}
  %s:2 = "fold.grid"(%a, %x, %x, %i, %i, %i, %i, %i, %i, %i)
    <{combine = @bine, warps = 8, columns = 1, most = 512,
    operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0>}>
    : (f32, !llvm.ptr<1>, !llvm.ptr<1>, index, index, index, index, index, index, index) -> (i1, f32)
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// A block gives a state.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{operands 0 is 'i64', but should be 'f32'}}
  %s:2 = "fold.grid"(%n, %x, %x, %i, %i, %i, %i, %i, %i, %i)
    <{combine = @combine, warps = 8, columns = 1, most = 512,
    operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0>}>
    : (i64, !llvm.ptr<1>, !llvm.ptr<1>, index, index, index, index, index, index, index) -> (i1, f32)
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// With its count.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{has 1 operands, but 1 of 1 members and their counts make 2}}
  %s:2 = "fold.grid"(%a, %x, %x, %i, %i, %i, %i, %i, %i, %i)
    <{combine = @combine, warps = 8, columns = 1, most = 512, counted,
    operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0>}>
    : (f32, !llvm.ptr<1>, !llvm.ptr<1>, index, index, index, index, index, index, index) -> (i1, f32)
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }

// -----

// A state comes out.
func.func @f(%x: !llvm.ptr<1>, %i: index, %a: f32, %h: i1, %n: i64) {
  // expected-error @below {{results 0 is 'i64', but should be 'f32'}}
  %s:2 = "fold.grid"(%a, %x, %x, %i, %i, %i, %i, %i, %i, %i)
    <{combine = @combine, warps = 8, columns = 1, most = 512,
    operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0>}>
    : (f32, !llvm.ptr<1>, !llvm.ptr<1>, index, index, index, index, index, index, index) -> (i1, i64)
  return
}
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }
