//===- machine.h - What a result was measured on ----------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef BENCH_HARNESS_MACHINE_H
#define BENCH_HARNESS_MACHINE_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace bench {

struct Machine {
  std::string cpu;    ///< model name, family and model number
  std::string kernel; ///< operating system and release
  std::string date;   ///< UTC, to the minute
  std::string load;   ///< one-minute load average at the start
  std::string hugePages;
  std::string clock; ///< of the first processor at the start
  int threads = 1;   ///< that this process may use
  double memoryGiB = 0;
  /// Name and bytes of the data caches, smallest first.
  std::vector<std::pair<std::string, int64_t>> caches;

  /// The smallest cache that holds so many bytes, or "DRAM".
  std::string home(int64_t bytes) const;
  /// For file names: "amd-epyc-25-17".
  std::string slug() const;
};

Machine thisMachine();

} // namespace bench

#endif // BENCH_HARNESS_MACHINE_H
