//===- PhaseTimer.h - Microseconds a phase takes -----------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_PIPELINE_PHASETIMER_H
#define WARPFOLD_PIPELINE_PHASETIMER_H

#include "llvm/ADT/StringRef.h"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace wf {

/// Appends (name, microseconds) to a list when it goes out of scope.
class PhaseTimer {
public:
  PhaseTimer(std::vector<std::pair<std::string, double>> &times,
             llvm::StringRef name)
      : times(times), name(name.str()), start(Clock::now()) {}
  ~PhaseTimer() {
    std::chrono::duration<double, std::micro> d = Clock::now() - start;
    times.emplace_back(std::move(name), d.count());
  }
  PhaseTimer(const PhaseTimer &) = delete;

private:
  using Clock = std::chrono::steady_clock;
  std::vector<std::pair<std::string, double>> &times;
  std::string name;
  Clock::time_point start;
};

} // namespace wf

#endif // WARPFOLD_PIPELINE_PHASETIMER_H
