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

// -----

// The plan's kind says where the reduced dimensions are: for rows last …
func.func @fold(%x: memref<?x?xf32>, %y: memref<?xf32>) {
  // expected-error @below {{has axes [0], but kind=row wants the reduced dimensions last}}
  fold.reduce ins(%x : memref<?x?xf32>) outs(%y : memref<?xf32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
    plan #fold.plan<"cpu kind=row">
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }
func.func private @finish(%s: f32, %n: i64) -> f32 { return %s : f32 }

// -----

// … for columns before the last kept one …
func.func @fold(%x: memref<?x?xf32>, %y: memref<?xf32>) {
  // expected-error @below {{has axes [1], but kind=column wants the reduced dimensions last but one}}
  fold.reduce ins(%x : memref<?x?xf32>) outs(%y : memref<?xf32>) axes [1] order canonical
    map @map combine @combine update @update finish @finish
    plan #fold.plan<"cpu kind=column tile=16384">
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }
func.func private @finish(%s: f32, %n: i64) -> f32 { return %s : f32 }

// -----

// … which must be there.
func.func @fold(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @below {{has axes [0], but kind=column wants the reduced dimensions last but one}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
    plan #fold.plan<"cpu kind=column tile=16384">
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }
func.func private @finish(%s: f32, %n: i64) -> f32 { return %s : f32 }

// -----

// Something is reduced.
func.func @fold(%x: memref<f32>, %y: memref<f32>) {
  // expected-error @below {{has axes [], but kind=full wants the reduced dimensions last}}
  fold.reduce ins(%x : memref<f32>) outs(%y : memref<f32>) axes [] order canonical
    map @map combine @combine update @update finish @finish
    plan #fold.plan<"cpu">
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }
func.func private @finish(%s: f32, %n: i64) -> f32 { return %s : f32 }

// -----

// The plan's order is the operation's.
func.func @fold(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @below {{runs under order ordered, but its plan under canonical}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0] order ordered
    map @map combine @combine update @update finish @finish
    plan #fold.plan<"cpu order=canonical">
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }
func.func private @finish(%s: f32, %n: i64) -> f32 { return %s : f32 }

// -----

// The function becomes the kernel: what else it does would be lost …
func.func @fold(%x: memref<?xf32>, %y: memref<f32>) {
  %c = arith.constant 1.0 : f32
  memref.store %c, %y[] : memref<f32>
  // expected-error @below {{must stand alone in its function, which becomes the kernel}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
    plan #fold.plan<"cpu">
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }
func.func private @finish(%s: f32, %n: i64) -> f32 { return %s : f32 }

// -----

// … so would a second reduction.
func.func @fold(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @below {{must stand alone in its function, which becomes the kernel}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
    plan #fold.plan<"cpu">
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
    plan #fold.plan<"cpu">
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }
func.func private @finish(%s: f32, %n: i64) -> f32 { return %s : f32 }

// -----

// Narrow partials take the place of the functions, so these must be a sum …
func.func @fold(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @below {{has a plan with narrow partials, but is no integer sum that fits them}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
    plan #fold.plan<"cpu narrow=i16">
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 { return %a : f32 }
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 { return %s : f32 }
func.func private @finish(%s: f32, %n: i64) -> f32 { return %s : f32 }

// -----

// … not a product.
func.func @fold(%x: memref<?xi8>, %y: memref<i64>) {
  // expected-error @below {{has a plan with narrow partials, but is no integer sum that fits them}}
  fold.reduce ins(%x : memref<?xi8>) outs(%y : memref<i64>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
    plan #fold.plan<"cpu narrow=i16">
  return
}
func.func private @map(%x: i8, %k: i64) -> i64 {
  %r = arith.extsi %x : i8 to i64
  return %r : i64
}
func.func private @combine(%a: i64, %b: i64, %na: i64, %nb: i64) -> i64 {
  %r = arith.muli %a, %b : i64
  return %r : i64
}
func.func private @update(%s: i64, %n: i64, %x: i8, %k: i64) -> i64 {
  %w = arith.extsi %x : i8 to i64
  %r = arith.muli %s, %w : i64
  return %r : i64
}
func.func private @finish(%s: i64, %n: i64) -> i64 { return %s : i64 }
// -----

// Positions within a chunk need functions that take them.
func.func @fold(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @below {{has a plan with index=i32, but the module has no @map.near}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
    plan #fold.plan<"cpu index=i32">
  return
}
func.func private @map(%x: f32, %k: i64) -> f32 { return %x : f32 }
func.func private @combine(%a: f32, %b: f32, %na: i64, %nb: i64) -> f32 {
  %r = arith.addf %a, %b : f32
  return %r : f32
}
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 {
  %r = arith.addf %s, %x : f32
  return %r : f32
}
func.func private @finish(%s: f32, %n: i64) -> f32 { return %s : f32 }
