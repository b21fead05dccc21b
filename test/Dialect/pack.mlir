// RUN: warpfold-opt %s | warpfold-opt | FileCheck %s
// RUN: warpfold-opt %s -mlir-print-op-generic | warpfold-opt | FileCheck %s
// RUN: warpfold-opt %s -canonicalize -cse | FileCheck %s --check-prefix=KEPT

// CHECK-LABEL: func.func @pack
// CHECK: fold.pack %{{.*}} output %{{.*}} first %{{.*}} count %{{.*}} : !llvm.ptr
// It writes: the second is not the first again, and neither goes.
// KEPT-COUNT-2: fold.pack
func.func @pack(%source: !llvm.ptr, %o: index, %first: index, %n: index) {
  fold.pack %source output %o first %first count %n : !llvm.ptr
  fold.pack %source output %o first %first count %n : !llvm.ptr
  return
}
