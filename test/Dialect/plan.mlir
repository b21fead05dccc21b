// RUN: warpfold-opt %s | warpfold-opt | FileCheck %s
// RUN: warpfold-opt %s -mlir-print-op-generic | warpfold-opt | FileCheck %s

// The text is kept as it was written; lib/Plan reads it.
// CHECK-DAG: fold.a = #fold.plan<"cpu">
// CHECK-DAG: fold.b = #fold.plan<"cpu kind=column order=sequential vector=1 accumulators=1 rows=0 simd=8 elements=3 abreast=2 tile=16384 load=pack narrow=i16">
// CHECK-DAG: fold.c = #fold.plan<"cpu order=canonical/1 narrow=none">
module attributes {
  fold.a = #fold.plan<"cpu">,
  fold.b = #fold.plan<"cpu kind=column order=sequential vector=1 accumulators=1 rows=0 simd=8 elements=3 abreast=2 tile=16384 load=pack narrow=i16">,
  fold.c = #fold.plan<"cpu order=canonical/1 narrow=none">} {
}
