// RUN: warpfold-opt %s | warpfold-opt | FileCheck %s
// RUN: warpfold-opt %s -mlir-print-op-generic | warpfold-opt | FileCheck %s

// The text is kept as it was written; lib/Plan reads it.
// CHECK-DAG: fold.a = #fold.plan<"cpu">
// CHECK-DAG: fold.b = #fold.plan<"cpu kind=full order=canonical vector=4 accumulators=2 rows=16 simd=8 elements=0 abreast=2 tile=0 load=pack narrow=i16">
// CHECK-DAG: fold.c = #fold.plan<"cpu order=canonical/1 narrow=none">
module attributes {
  fold.a = #fold.plan<"cpu">,
  fold.b = #fold.plan<"cpu kind=full order=canonical vector=4 accumulators=2 rows=16 simd=8 elements=0 abreast=2 tile=0 load=pack narrow=i16">,
  fold.c = #fold.plan<"cpu order=canonical/1 narrow=none">} {
}
