// RUN: warpfold-opt %s -split-input-file -verify-diagnostics

// What fold.slots refuses: operand, type and number are named.

// Slots are needed; only the generic form can leave them out.
func.func @f() {
  // expected-error @below {{needs slots}}
  %s = "fold.slots"() <{combine = @combine, groups = 1 : i64,
    operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> f32
  return
}

// -----

// Groups are a power of two.
func.func @f(%a: vector<4xf32>) {
  // expected-error @below {{groups 0 is not a power of two}}
  %s = fold.slots %a combine @combine groups 0 : vector<4xf32> -> f32
  return
}
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// Groups are a power of two.
func.func @f(%a: vector<4xf32>) {
  // expected-error @below {{groups 3 is not a power of two}}
  %s = fold.slots %a combine @combine groups 3 : vector<4xf32> -> f32
  return
}
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// Groups are a power of two.
func.func @f(%a: vector<4xf32>) {
  // expected-error @below {{is not a power of two}}
  %s = fold.slots %a combine @combine groups -1 : vector<4xf32> -> f32
  return
}
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// The function must be there.
func.func @f(%a: vector<4xf32>) {
  // expected-error @below {{combine @combine is not a function of this module}}
  %s = fold.slots %a combine @combine groups 1 : vector<4xf32> -> f32
  return
}

// -----

// It fits the params.
func.func @f(%a: vector<4xf32>, %p: f64) {
  // expected-error @below {{@combine takes 4 arguments; param 0 ('f64') is missing}}
  %s = fold.slots %a params(%p : f64) combine @combine groups 1 : vector<4xf32> -> f32
  return
}
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// It takes two of what it gives.
func.func @f(%a: vector<4xf32>) {
  // expected-error @below {{@combine argument 0 is 'f32', but left state member 0 is 'f64'}}
  %s = fold.slots %a combine @combine groups 1 : vector<4xf32> -> f32
  return
}
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f64 { %r0 = arith.constant 0.0 : f64 return %r0 : f64 }

// -----

// A vector for every member.
func.func @f(%a: vector<4xf32>) {
  // expected-error @below {{has 1 slot vectors for 2 state members}}
  %s = fold.slots %a combine @combine groups 1 : vector<4xf32> -> f32
  return
}
func.func private @combine(%a0: f32, %a1: i64, %a2: f32, %a3: i64, %a4: i64, %a5: i64) -> (f32, i64) { return %a0, %a1 : f32, i64 }

// -----

// And one for the counts.
func.func @f(%a: vector<4xf32>) {
  // expected-error @below {{has 1 slot vectors for 2 state members}}
  %s = fold.slots %a combine @combine groups 1 counted : vector<4xf32> -> f32
  return
}
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// The member's type.
func.func @f(%a: vector<4xf64>) {
  // expected-error @below {{slot vector 0 of member 0 is 'vector<4xf64>', but should be 'vector<4xf32>'}}
  %s = fold.slots %a combine @combine groups 1 : vector<4xf64> -> f32
  return
}
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// Equal widths.
func.func @f(%a: vector<4xf32>, %b: vector<2xf32>) {
  // expected-error @below {{slot vector 1 of member 0 is 'vector<2xf32>', but should be 'vector<4xf32>'}}
  %s = fold.slots %a, %b combine @combine groups 1 : vector<4xf32>, vector<2xf32> -> f32
  return
}
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// A power of two of lanes …
func.func @f(%a: vector<6xf32>) {
  // expected-error @below {{slot vectors are 6 wide, which is no power of two}}
  %s = fold.slots %a combine @combine groups 1 : vector<6xf32> -> f32
  return
}
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// … and of slots.
func.func @f(%a: vector<2xf32>) {
  // expected-error @below {{6 slots cannot be joined into 1 groups}}
  %s = fold.slots %a, %a, %a combine @combine groups 1 : vector<2xf32>, vector<2xf32>, vector<2xf32> -> f32
  return
}
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// At least as many as groups.
func.func @f(%a: vector<4xf32>) {
  // expected-error @below {{4 slots cannot be joined into 8 groups}}
  %s = fold.slots %a combine @combine groups 8 : vector<4xf32> -> vector<8xf32>
  return
}
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// One group is the state …
func.func @f(%a: vector<4xf32>) {
  // expected-error @below {{gives ('f32', 'f32'), but the state is ('f32')}}
  %s:2 = fold.slots %a combine @combine groups 1 : vector<4xf32> -> f32, f32
  return
}
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// … in its type …
func.func @f(%a: vector<4xf32>) {
  // expected-error @below {{gives ('i64'), but the state is ('f32')}}
  %s = fold.slots %a combine @combine groups 1 : vector<4xf32> -> i64
  return
}
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// … with the count.
func.func @f(%a: vector<4xf32>, %c: vector<4xi64>) {
  // expected-error @below {{gives ('f32'), but the state is ('f32', 'i64')}}
  %s = fold.slots %a, %c combine @combine groups 1 counted : vector<4xf32>, vector<4xi64> -> f32
  return
}
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// Several groups are the lanes of vectors …
func.func @f(%a: vector<4xf32>) {
  // expected-error @below {{result 0 is 'f32', but should be 'vector<2xf32>'}}
  %s = fold.slots %a combine @combine groups 2 : vector<4xf32> -> f32
  return
}
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// … of the state's types …
func.func @f(%a: vector<4xf32>) {
  // expected-error @below {{result 0 is 'vector<2xf64>', but should be 'vector<2xf32>'}}
  %s = fold.slots %a combine @combine groups 2 : vector<4xf32> -> vector<2xf64>
  return
}
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// … as few as can be …
func.func @f(%a: vector<4xf32>) {
  // expected-error @below {{gives 2 vectors for 1 state members, but 2 groups take 1 a member}}
  %s:2 = fold.slots %a combine @combine groups 2 : vector<4xf32> -> vector<1xf32>, vector<1xf32>
  return
}
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// … and no fewer; only the generic form can leave them out.
func.func @f(%a: vector<4xf32>) {
  // expected-error @below {{gives 0 vectors for 1 state members, but 2 groups take 1 a member}}
  "fold.slots"(%a) <{combine = @combine, groups = 2 : i64,
    operandSegmentSizes = array<i32: 1, 0, 0>}> : (vector<4xf32>) -> ()
  return
}
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// Spans are halved like slots.
func.func @f(%a: vector<4xf32>, %n: index) {
  // expected-error @below {{present of 0, which is no power of two}}
  %s = fold.slots %a present %n of 0 combine @combine groups 1 : vector<4xf32> -> f32
  return
}
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// Spans are halved like slots.
func.func @f(%a: vector<4xf32>, %n: index) {
  // expected-error @below {{present of 3, which is no power of two}}
  %s = fold.slots %a present %n of 3 combine @combine groups 1 : vector<4xf32> -> f32
  return
}
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }

// -----

// Spans are halved like slots.
func.func @f(%a: vector<4xf32>, %n: index) {
  // expected-error @below {{present of -4, which is no power of two}}
  %s = fold.slots %a present %n of -4 combine @combine groups 1 : vector<4xf32> -> f32
  return
}
func.func private @combine(%a0: f32, %a1: f32, %a2: i64, %a3: i64) -> f32 { return %a0 : f32 }
