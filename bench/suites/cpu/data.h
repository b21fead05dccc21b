//===- data.h - The array that is reduced -----------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// One buffer, filled anew for each type. The values are chosen so that a
// result can be checked without a tolerance: floats are small whole numbers
// around 0, whose partial sums stay far below 2^24 in any order, so that every
// order of a sum gives the exact one.
//===----------------------------------------------------------------------===//
#ifndef BENCH_SUITES_CPU_DATA_H
#define BENCH_SUITES_CPU_DATA_H

#include "harness/thread_team.h"
#include "warpfold/warpfold.h"

#include <cstdint>
#include <string>

namespace bench {

enum class Fill {
  F32,      ///< -7 … 7, and one 9 in the last seventh of the whole buffer
  F64,      ///< the same values
  I8,       ///< -128 … 127
  AllTrue,  ///< true, but for the last element
  AllFalse, ///< false, but for the last element
};

wf_type typeOf(Fill fill);
/// Bytes of an element, and the type's name for us ("f32") and NumPy ("f4").
size_t sizeOf(wf_type type);
std::string nameOf(wf_type type);
std::string numpyName(wf_type type);

/// Anonymous memory on huge pages where the system gives them on request, as
/// NumPy's own arrays are.
class Data {
public:
  /// Room for so many bytes; bytes() is null if there is no memory.
  explicit Data(size_t capacity);
  ~Data();
  Data(const Data &) = delete;
  Data &operator=(const Data &) = delete;

  /// Makes `count` elements; they fit the capacity.
  void fill(Fill fill, size_t count, ThreadTeam &team);
  const void *bytes() const { return memory; }
  size_t count() const { return elements; }
  template <typename T> const T *as() const {
    return static_cast<const T *>(memory);
  }
  /// The exclusive or of the first words, as the read-only loops give it.
  uint64_t joinedWords(size_t bytes) const;

private:
  void *mapping = nullptr, *memory = nullptr;
  size_t mapped = 0, elements = 0;
};

} // namespace bench

#endif // BENCH_SUITES_CPU_DATA_H
