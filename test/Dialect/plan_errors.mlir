// RUN: warpfold-opt %s -split-input-file -verify-diagnostics

// expected-error-re @below {{does not parse as a plan: {{.*}}a plan begins with its target}}
module attributes {fold.a = #fold.plan<"">} {}

// -----

// expected-error-re @below {{does not parse as a plan: {{.*}}unknown plan target 'gpu'}}
module attributes {fold.a = #fold.plan<"gpu kind=row">} {}

// -----

// expected-error-re @below {{does not parse as a plan: {{.*}}'warps=4' is not a plan field}}
module attributes {fold.a = #fold.plan<"cpu warps=4">} {}

// -----

// expected-error @below {{'kind=segments' is not a plan field}}
module attributes {fold.a = #fold.plan<"cpu kind=segments">} {}

// -----

// expected-error @below {{'order=any' is not a plan field}}
module attributes {fold.a = #fold.plan<"cpu order=any">} {}

// -----

// expected-error @below {{'load=gather' is not a plan field}}
module attributes {fold.a = #fold.plan<"cpu load=gather">} {}

// -----

// expected-error @below {{'narrow=i7' is not a plan field}}
module attributes {fold.a = #fold.plan<"cpu narrow=i7">} {}

// -----

// expected-error @below {{'vector=-4' is not a plan field}}
module attributes {fold.a = #fold.plan<"cpu vector=-4">} {}

// -----

// expected-error @below {{'rows=many' is not a plan field}}
module attributes {fold.a = #fold.plan<"cpu rows=many">} {}
