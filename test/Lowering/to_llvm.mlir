// RUN: warpfold-opt %s --fold-to-llvm | FileCheck %s
// RUN: warpfold-opt %s --fold-to-llvm | FileCheck %s --check-prefix=REST

// Nothing of another dialect is left.
// REST: module
// REST-NOT: {{(^|[ =])(func|scf|cf|arith|vector|memref|fold)\.[a-z]}}

// The kernel gets the entry that takes descriptors by address.
// CHECK-LABEL: llvm.func @fold(
// CHECK: llvm.intr.masked.load
// CHECK: llvm.shufflevector
// CHECK: llvm.fadd {{.*}} : vector<4xf32>
// CHECK: llvm.func @_mlir_ciface_fold(
func.func @fold(%x: memref<?xf32, strided<[1], offset: ?>>, %y: memref<?xf32>,
                %n: index, %source: !llvm.ptr) attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %mask = arith.constant dense<[true, true, false, false]> : vector<4xi1>
  scf.for %i = %c0 to %n step %c4 {
    %v = vector.maskedload %x[%i], %mask, %zero
      : memref<?xf32, strided<[1], offset: ?>>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    %w = vector.shuffle %v, %v [1, 0, 3, 2] : vector<4xf32>, vector<4xf32>
    %s = arith.addf %v, %w : vector<4xf32>
    %z = vector.extract %s[0] : f32 from vector<4xf32>
    memref.store %z, %y[%i] : memref<?xf32>
  }
  return
}

// fold.pack calls through the pointer that the source begins with, and hands
// the source itself back.
// CHECK-LABEL: llvm.func @pack(
// CHECK-SAME: %[[SOURCE:.*]]: !llvm.ptr, %[[O:.*]]: i64, %[[F:.*]]: i64, %[[N:.*]]: i64)
// CHECK: %[[CALLEE:.*]] = llvm.load %[[SOURCE]] : !llvm.ptr -> !llvm.ptr
// CHECK: llvm.call %[[CALLEE]](%[[SOURCE]], %[[O]], %[[F]], %[[N]]) : !llvm.ptr, (!llvm.ptr, i64, i64, i64) -> ()
func.func @pack(%source: !llvm.ptr, %o: index, %first: index, %n: index) {
  fold.pack %source output %o first %first count %n : !llvm.ptr
  return
}
