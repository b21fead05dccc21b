// RUN: warpfold-opt %s -split-input-file -verify-diagnostics

// expected-error-re @below {{does not parse as a plan: {{.*}}a plan begins with its target}}
module attributes {fold.a = #fold.plan<"">} {}

// -----

// expected-error-re @below {{does not parse as a plan: {{.*}}unknown plan target 'gpu'}}
module attributes {fold.a = #fold.plan<"gpu kind=row">} {}

// -----

// expected-error-re @below {{does not parse as a plan: {{.*}}'width=4' is not a plan field}}
module attributes {fold.a = #fold.plan<"cpu width=4">} {}

// -----

// expected-error @below {{'kind=segments' is not a plan field}}
module attributes {fold.a = #fold.plan<"cpu kind=segments">} {}

// -----

// expected-error @below {{'order=all' is not a plan field}}
module attributes {fold.a = #fold.plan<"cpu order=all">} {}

// -----

// expected-error @below {{'load=gather' is not a plan field}}
module attributes {fold.a = #fold.plan<"cpu load=gather">} {}

// -----

// expected-error @below {{'narrow=i7' is not a plan field}}
module attributes {fold.a = #fold.plan<"cpu narrow=i7">} {}

// -----

// expected-error @below {{'index=i16' is not a plan field}}
module attributes {fold.a = #fold.plan<"cpu index=i16">} {}

// -----

// expected-error @below {{'vector=-4' is not a plan field}}
module attributes {fold.a = #fold.plan<"cpu vector=-4">} {}

// -----

// expected-error @below {{'rows=many' is not a plan field}}
module attributes {fold.a = #fold.plan<"cpu rows=many">} {}

// -----

// What parses, but cannot run.
// expected-error @below {{cannot run: error: vector and accumulators are powers of two up to 16, the second not larger}}
module attributes {fold.a = #fold.plan<"cpu vector=3">} {}

// -----

// expected-error @below {{vector and accumulators are powers of two up to 16, the second not larger}}
module attributes {fold.a = #fold.plan<"cpu vector=32 accumulators=32">} {}

// -----

// expected-error @below {{vector and accumulators are powers of two up to 16, the second not larger}}
module attributes {fold.a = #fold.plan<"cpu vector=4 accumulators=8">} {}

// -----

// expected-error @below {{vector and accumulators are powers of two up to 16, the second not larger}}
module attributes {fold.a = #fold.plan<"cpu accumulators=0">} {}

// -----

// expected-error @below {{simd and abreast are powers of two up to 64}}
module attributes {fold.a = #fold.plan<"cpu simd=0">} {}

// -----

// expected-error @below {{simd and abreast are powers of two up to 64}}
module attributes {fold.a = #fold.plan<"cpu simd=3">} {}

// -----

// expected-error @below {{simd and abreast are powers of two up to 64}}
module attributes {fold.a = #fold.plan<"cpu simd=4611686018427387904">} {}

// -----

// expected-error @below {{simd and abreast are powers of two up to 64}}
module attributes {fold.a = #fold.plan<"cpu kind=row elements=5 abreast=0">} {}

// -----

// expected-error @below {{simd and abreast are powers of two up to 64}}
module attributes {fold.a = #fold.plan<"cpu kind=row elements=5 abreast=3">} {}

// -----

// expected-error @below {{elements are at most 128, rows at most 32}}
module attributes {fold.a = #fold.plan<"cpu kind=row elements=200 abreast=4">} {}

// -----

// expected-error @below {{short rows stand abreast, one a lane of simd}}
module attributes {fold.a = #fold.plan<"cpu kind=row elements=5 abreast=4 simd=8">} {}

// -----

// expected-error @below {{elements are compiled in for rows read in place only}}
module attributes {fold.a = #fold.plan<"cpu elements=5 abreast=16">} {}

// -----

// expected-error @below {{rows are 1 under ordered, 0 under sequential, else more}}
module attributes {fold.a = #fold.plan<"cpu rows=0">} {}

// -----

// expected-error @below {{rows are 1 under ordered, 0 under sequential, else more}}
module attributes {fold.a = #fold.plan<"cpu order=sequential">} {}

// -----

// expected-error @below {{rows are 1 under ordered, 0 under sequential, else more}}
module attributes {fold.a = #fold.plan<"cpu order=ordered">} {}

// -----

// expected-error @below {{kind=column has a tile}}
module attributes {fold.a = #fold.plan<"cpu kind=column">} {}

// -----

// expected-error @below {{a tile is for columns, and for canonical folds over several axes with a slot an element of a row}}
module attributes {fold.a = #fold.plan<"cpu kind=row tile=64">} {}

// -----

// expected-error @below {{a tile is for columns, and for canonical folds over several axes with a slot an element of a row}}
module attributes {fold.a = #fold.plan<"cpu kind=general order=ordered rows=1 tile=256">} {}

// -----

// expected-error @below {{a tile is for columns, and for canonical folds over several axes with a slot an element of a row}}
module attributes {fold.a = #fold.plan<"cpu kind=general accumulators=2 tile=256">} {}

// -----

// expected-error @below {{a tile is for columns, and for canonical folds over several axes with a slot an element of a row}}
module attributes {fold.a = #fold.plan<"cpu kind=general narrow=i16 tile=256">} {}

// -----

// expected-error @below {{a tile is 64 bytes to 1 MiB, and read in place}}
module attributes {fold.a = #fold.plan<"cpu kind=column tile=32">} {}

// -----

// expected-error @below {{a tile is 64 bytes to 1 MiB, and read in place}}
module attributes {fold.a = #fold.plan<"cpu kind=column tile=1048577">} {}

// -----

// expected-error @below {{a tile is 64 bytes to 1 MiB, and read in place}}
module attributes {fold.a = #fold.plan<"cpu kind=column tile=64 load=pack">} {}

// -----

// expected-error @below {{a tile is 64 bytes to 1 MiB, and read in place}}
module attributes {fold.a = #fold.plan<"cpu kind=general tile=256 load=pack">} {}

// -----

// expected-error @below {{index=i32 is for canonical folds by rows}}
module attributes {fold.a = #fold.plan<"cpu kind=column tile=64 index=i32">} {}

// -----

// expected-error @below {{index=i32 is for canonical folds by rows}}
module attributes {fold.a = #fold.plan<"cpu order=ordered rows=1 index=i32">} {}

// -----

// expected-error @below {{simd is more than the slots there are}}
module attributes {fold.a = #fold.plan<"cpu vector=1 accumulators=1 simd=64">} {}

// -----

// expected-error @below {{narrow is i8, i16 or i32, for canonical folds by rows}}
module attributes {fold.a = #fold.plan<"cpu narrow=u8">} {}
