// RUN: warpfold-opt %s -split-input-file -verify-diagnostics

// (C1) to (C3) of fold.reduce, with the operand and the axis. Its functions are
// in reduce_functions_errors.mlir.

// Inputs are needed; only the generic form can leave them out.
func.func @f(%y: memref<f32>) {
  // expected-error @below {{(C1) needs at least one input}}
  "fold.reduce"(%y) <{axes = array<i64>, combine = @combine, finish = @finish,
    map = @map, operandSegmentSizes = array<i32: 0, 1, 0>,
    order = #fold<order canonical>, update = @update}> : (memref<f32>) -> ()
  return
}

// -----

// Inputs of one rank.
func.func @f(%x: memref<?xf32>, %y: memref<f32>, %z: memref<?x?xf32>) {
  // expected-error @below {{(C1) input 1 has rank 2, but input 0 has rank 1: }}
  fold.reduce ins(%x, %z : memref<?xf32>, memref<?x?xf32>) outs(%y : memref<f32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @finish(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// Inputs of one shape, where it is known.
func.func @f(%x: memref<3x4xf32>, %z: memref<?x5xf32>, %y: memref<3xf32>) {
  // expected-error @below {{(C1) input 1 has length 5 along axis 1, but input 0 has 4}}
  fold.reduce ins(%x, %z : memref<3x4xf32>, memref<?x5xf32>) outs(%y : memref<3xf32>) axes [1] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @finish(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// Axes in range: above.
func.func @f(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @below {{(C2) axis 1 is out of range for rank 1}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [1] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @finish(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// Axes in range: below.
func.func @f(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @below {{(C2) axis -2 is out of range for rank 1}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [-2] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @finish(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// A scalar has no axis.
func.func @f(%x: memref<f32>, %y: memref<f32>) {
  // expected-error @below {{(C2) axis 0 is out of range for rank 0}}
  fold.reduce ins(%x : memref<f32>) outs(%y : memref<f32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @finish(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// Distinct axes.
func.func @f(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @below {{(C2) axis 0 is named twice}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0, 0] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @finish(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// Distinct axes, one counted from the end.
func.func @f(%x: memref<?x?xf32>, %y: memref<?xf32>) {
  // expected-error @below {{(C2) axis -1 is named twice}}
  fold.reduce ins(%x : memref<?x?xf32>) outs(%y : memref<?xf32>) axes [1, -1] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @finish(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// Outputs are needed.
func.func @f(%x: memref<f32>) {
  // expected-error @below {{(C3) needs at least one output}}
  "fold.reduce"(%x) <{axes = array<i64>, combine = @combine, finish = @finish,
    map = @map, operandSegmentSizes = array<i32: 1, 0, 0>,
    order = #fold<order canonical>, update = @update}> : (memref<f32>) -> ()
  return
}

// -----

// An output of the rank that is left.
func.func @f(%x: memref<?xf32>, %y: memref<?xf32>) {
  // expected-error @below {{(C3) output 0 has rank 1, but the inputs and axes give rank 0: }}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @finish(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// keep_dims keeps the rank.
func.func @f(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @below {{(C3) output 0 has rank 0, but the inputs and axes give rank 1: }}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0] order canonical
    map @map combine @combine update @update finish @finish keep_dims
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @finish(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// Outputs of the lengths that are left.
func.func @f(%x: memref<3x4xf32>, %y: memref<3xf32>, %z: memref<4xf32>) {
  // expected-error @below {{(C3) output 1 has length 4 along axis 0, but the inputs give 3}}
  fold.reduce ins(%x : memref<3x4xf32>) outs(%y, %z : memref<3xf32>, memref<4xf32>) axes [1] order canonical
    map @map combine @combine update @update finish @finish
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @finish(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// keep_dims leaves length 1.
func.func @f(%x: memref<3x4xf32>, %y: memref<3x4xf32>) {
  // expected-error @below {{(C3) output 0 has length 4 along axis 1, but the inputs give 1}}
  fold.reduce ins(%x : memref<3x4xf32>) outs(%y : memref<3x4xf32>) axes [1] order canonical
    map @map combine @combine update @update finish @finish keep_dims
  return
}
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @finish(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }

// -----

// Orders have names.
func.func @f(%x: memref<?xf32>, %y: memref<f32>) {
  // expected-error @+2 {{expected ::wf::fold::OrderKind to be one of: canonical, ordered, sequential, fixed, any}}
  // expected-error @+2 {{failed to parse}}
  fold.reduce ins(%x : memref<?xf32>) outs(%y : memref<f32>) axes [0] order random
    map @map combine @combine update @update finish @finish
  return
}

// -----

// It stands in a function, which becomes the kernel.
memref.global @g : memref<4xf32>
memref.global @h : memref<f32>
%x = memref.get_global @g : memref<4xf32>
%y = memref.get_global @h : memref<f32>
// expected-error @below {{expects parent op 'func.func'}}
fold.reduce ins(%x : memref<4xf32>) outs(%y : memref<f32>) axes [0] order canonical
  map @map combine @combine update @update finish @finish
func.func private @map(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @update(%a0: f32, %a1: i64, %a2: f32, %a3: i64) -> f32 { return %a0 : f32 }
func.func private @finish(%a0: f32, %a1: i64) -> f32 { return %a0 : f32 }
