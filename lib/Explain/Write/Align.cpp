//===- Align.cpp - Two kernels side by side -------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Write/Align.h"

#include <algorithm>
#include <tuple>

using namespace wf::explain;

using Pairs = std::vector<std::pair<size_t, size_t>>;

namespace {
constexpr size_t window = 1024;
constexpr int match = 16, skip = 1; // 16 * 1024 fits into 16 bits

class Aligner {
public:
  Aligner(const std::vector<uint32_t> &a, const std::vector<uint32_t> &b)
      : a(a), b(b) {}

  Pairs run() {
    size_t i = 0, j = 0;
    while (i < a.size() && j < b.size()) {
      if (a[i] == b[j]) { // also what makes equal kernels cheap
        pairs.push_back({i++, j++});
        continue;
      }
      std::tie(i, j) = step(i, j);
    }
    return std::move(pairs);
  }

private:
  /// Aligns a window from (i, j); where to go on.
  std::pair<size_t, size_t> step(size_t i, size_t j) {
    size_t n = std::min(window, a.size() - i),
           m = std::min(window, b.size() - j);
    // score[x][y]: of the best alignment of a[i+x…) and b[j+y…). A skip costs a
    // little, since in a repetitive kernel a later period fits as well.
    score.assign((n + 1) * (m + 1), 0);
    auto at = [&](size_t x, size_t y) -> int16_t & {
      return score[x * (m + 1) + y];
    };
    for (size_t x = n; x-- > 0;)
      for (size_t y = m; y-- > 0;) {
        int best = std::max(at(x + 1, y), at(x, y + 1)) - skip;
        if (a[i + x] == b[j + y])
          best = std::max(best, at(x + 1, y + 1) + match);
        at(x, y) = int16_t(best);
      }
    // What is near the window's end may match what lies beyond it.
    bool whole = i + n == a.size() && j + m == b.size();
    size_t enough = whole ? SIZE_MAX : window / 2;
    size_t x = 0, y = 0;
    while (x < n && y < m && x < enough && y < enough) {
      if (a[i + x] == b[j + y] && at(x, y) == at(x + 1, y + 1) + match)
        pairs.push_back({i + x++, j + y++});
      else if (at(x + 1, y) >= at(x, y + 1))
        ++x;
      else
        ++y;
    }
    if (whole)
      return {a.size(), b.size()};
    return {i + x, j + y};
  }

  const std::vector<uint32_t> &a, &b;
  std::vector<int16_t> score;
  Pairs pairs;
};
} // namespace

Pairs wf::explain::align(const std::vector<uint32_t> &a,
                         const std::vector<uint32_t> &b) {
  return Aligner(a, b).run();
}
