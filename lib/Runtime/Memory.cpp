//===- Memory.cpp - Anonymous memory of this process ----------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Runtime/Memory.h"

#include <algorithm>
#include <atomic>
#include <cstdio>

int64_t wf::anonymousBytes() {
  FILE *f = std::fopen("/proc/self/status", "r");
  if (!f)
    return 0;
  char line[256];
  long kib = 0;
  while (std::fgets(line, sizeof line, f))
    if (std::sscanf(line, "RssAnon: %ld kB", &kib) == 1)
      break;
  std::fclose(f);
  return int64_t(kib) * 1024;
}

int64_t wf::notePeakAnonymousBytes() {
  static std::atomic<int64_t> peak{0};
  int64_t now = anonymousBytes();
  int64_t seen = peak.load();
  while (seen < now && !peak.compare_exchange_weak(seen, now)) {
  }
  return peak.load();
}
