// RUN: warpfold-opt %s -split-input-file --fold-inline-functions -verify-diagnostics

// What is inlined calls nothing itself …
func.func @kernel(%a: f32) -> f32 {
  %r = call @g(%a) : (f32) -> f32
  return %r : f32
}
func.func private @g(%a: f32) -> f32 {
  // expected-error @below {{only private functions of one block that call no other are inlined}}
  %r = call @h(%a) : (f32) -> f32
  return %r : f32
}
func.func private @h(%a: f32) -> f32 { return %a : f32 }

// -----

// … not even itself …
func.func @kernel(%a: f32) -> f32 {
  %r = call @g(%a) : (f32) -> f32
  return %r : f32
}
func.func private @g(%a: f32) -> f32 {
  // expected-error @below {{only private functions of one block that call no other are inlined}}
  %r = call @g(%a) : (f32) -> f32
  return %r : f32
}

// -----

// … has a body …
func.func @kernel(%a: f32) -> f32 {
  // expected-error @below {{only private functions of one block that call no other are inlined}}
  %r = call @g(%a) : (f32) -> f32
  return %r : f32
}
func.func private @g(f32) -> f32

// -----

// … of one block.
func.func @kernel(%a: f32) -> f32 {
  // expected-error @below {{only private functions of one block that call no other are inlined}}
  %r = call @g(%a) : (f32) -> f32
  return %r : f32
}
func.func private @g(%a: f32) -> f32 {
  cf.br ^bb1
^bb1:
  return %a : f32
}
