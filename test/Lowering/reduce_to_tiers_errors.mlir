// RUN: warpfold-opt %s -split-input-file --fold-reduce-to-tiers -verify-diagnostics

// There is no taking apart without a plan; the message says how to attach one.
func.func @fold(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @below {{has no plan; attach one with plan #fold.plan<"…"> before taking it apart}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }
func.func private @finish(%s: f32, %n: i64) -> f32 { return %s : f32 }
