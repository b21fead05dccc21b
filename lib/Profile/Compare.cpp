//===- Compare.cpp - Measured counters beside simulated ones --------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Profile/Compare.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace wf;

llvm::ArrayRef<Agreement> wf::agreements(bool nvidia) {
  static const Agreement ofNcu[] = {
      {"FETCH_SIZE", 0.05,
       "the device also fetches code, arguments and what shares a sector"},
      {"WRITE_SIZE", -1,
       "a device's L2 keeps what is written; it goes to memory later"},
      {"moved by loads", 0.05, "the L1 may have some already"},
      {"moved by stores", 0.05,
       "registers that the assembler spills come on "
       "top"},
      {"IR global loads", 0.02, ""},
      {"IR global stores", 0.02, ""},
      {"IR shared loads", 0.1, "the assembler joins and drops some"},
      {"IR shared stores", 0.1, "the same"},
      {"LDS bank conflicts", 0.02, ""},
      {"atomics", 0.02, ""},
      {"warps", 0, ""},
  };
  // None of these has been held against a card yet.
  static const Agreement ofRocprof[] = {
      {"FETCH_SIZE", 0.05, "caches are not emptied before"},
      {"WRITE_SIZE", -1,
       "a device's L2 keeps what is written; it goes to memory later"},
      {"LDS bank conflicts", -1,
       "the device counts the cycles that conflicts cost, not the conflicts"},
      {"warps", 0, ""},
  };
  if (nvidia)
    return ofNcu;
  return ofRocprof;
}

/// "" where nothing is promised.
static std::string verdict(const ProfileLine &line, double measured,
                           bool nvidia) {
  for (const Agreement &a : agreements(nvidia)) {
    if (line.name != a.name)
      continue;
    if (a.bound < 0)
      return std::string("not the same thing: ") + a.why;
    double most = std::max(std::fabs(*line.value), std::fabs(measured));
    double off = most > 0 ? std::fabs(*line.value - measured) / most : 0;
    if (off > a.bound)
      return llvm::formatv("DISAGREES by {0:P}", off).str();
    return a.bound > 0 ? llvm::formatv("agrees within {0:P}", a.bound).str()
                       : "agrees";
  }
  return "";
}

std::optional<Compared> wf::compare(const MeasuredCounters &measured,
                                    bool nvidia, const ProfileLine &line) {
  auto found = measured.find(line.name);
  if (found == measured.end())
    return std::nullopt;
  Compared c{found->second, ""};
  // Profilers count the instructions of all warps.
  if (llvm::StringRef(line.unit).starts_with("per ")) {
    auto warps = measured.find("warps");
    if (warps == measured.end() || warps->second <= 0)
      return std::nullopt;
    c.measured /= warps->second;
  }
  if (line.value)
    c.verdict = verdict(line, c.measured, nvidia);
  return c;
}
