//===- Generators.h - Inputs that need no file ------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
//   gen:full(value, shape, dtype)          every element is value; one element
//                                          in memory, strides 0
//   gen:arange(count, dtype, shape=count)  0, 1, 2, … in row-major order
//   gen:random(shape, dtype, seed=0)       see below
//   gen:values([[1, nan], [3, 4]], dtype)  what is written
//
// Arguments go by position or by name (seed=7). A value is a decimal number,
// an integer expression, nan, inf, -inf, true or false, and must fit its type.
// arange needs its last value to fit an integer type exactly; floats round.
//
// Random elements. Element k (row-major) is made from z, output number k,
// counted from 0, of the generator SplitMix64 started with `seed`:
//
//   z = seed + (k + 1) · 0x9E3779B97F4A7C15        (all modulo 2^64)
//   z = (z xor z >> 30) · 0xBF58476D1CE4E5B9
//   z = (z xor z >> 27) · 0x94D049BB133111EB
//   z =  z xor z >> 31
//
// f64 is the top 53 bits of z times 2^-53 and f32 the top 24 bits times 2^-24:
// uniform in [0, 1), exact, never 1. An integer of b bits is the top b bits
// (two's complement where signed); bool is the top bit. So an element depends
// on seed, type and position only, and any piece can be made alone.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_IO_GENERATORS_H
#define WARPFOLD_IO_GENERATORS_H

#include "IO/Array.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace wf {

/// The array that `text` ("gen:…") describes.
llvm::Expected<Array> parseGenerator(llvm::StringRef text);

/// Element k is k, in `type`. The caller has checked that the values fit.
std::shared_ptr<const ElementSource> arangeSource(ScalarType type);

/// Element k is the random element k of `seed`.
std::shared_ptr<const ElementSource> randomSource(ScalarType type,
                                                  uint64_t seed);

} // namespace wf

#endif // WARPFOLD_IO_GENERATORS_H
