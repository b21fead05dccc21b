//===- Lengths.cpp - Every length that has gone wrong somewhere -----------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Numerics/Order.h"
#include "Selftest/Matrix.h"
#include "Selftest/Reductions.h"

#include <map>

using namespace wf;
using namespace wf::selftest;

namespace {
struct Subject {
  const char *reduction, *type;
  const char *order; ///< none: the strongest
  bool quick;        ///< in the short matrix
  bool grids;        ///< at the lengths around 2^20, 2^22 and 2^24 too
  bool outputs;      ///< as rows and as columns too
};

/// Lengths, and whether the short matrix has them.
using Lengths = std::map<int64_t, bool>;
} // namespace

static const Subject subjects[] = {
    {"sum", "f32", nullptr, true, true, true},
    {"witness", "i32", nullptr, true, true, true},
    {"argmax", "f32", nullptr, false, true, true},
    {"sum", "f64", nullptr, false, false, false},
    {"sum", "i16", nullptr, false, false, false},
    {"narrow", "u8", nullptr, false, true, false},
    {"sum", "i8", nullptr, false, true, true},
    {"var", "f32", nullptr, false, false, false},
    {"witness", "i32", "ordered", false, true, true},
    {"witness", "i32", "sequential", false, false, true},
};

static void around(Lengths &lengths, int64_t middle, bool quick) {
  for (int64_t d = -3; d <= 3; ++d)
    if (middle + d > 0)
      lengths[middle + d] |= quick && d >= -1 && d <= 1;
}

/// 1 … last, every 11th of them in the short matrix.
static void dense(Lengths &lengths, int64_t last) {
  for (int64_t n = 1; n <= last; ++n)
    lengths[n] |= n % 11 == 1 || n <= 5;
}

/// canonical/1's chunk for an input's bytes and a state of one such member.
static int64_t chunkOf(int64_t bytes) { return orderShape(bytes, 8).chunk(); }

static Lengths fullLengths(const Subject &s) {
  Lengths lengths;
  dense(lengths, 300);
  for (int power = 3; power <= 16; ++power)
    around(lengths, int64_t(1) << power, power % 4 == 0);
  const int64_t chunk = chunkOf(byteSize(typesOf(s.type)[0]));
  for (int64_t chunks : {1, 2, 3, 8, 16, 32, 64, 128})
    around(lengths, chunk * chunks, chunks == 1 || chunks == 32);
  if (s.grids) {
    around(lengths, int64_t(1) << 20, true);
    around(lengths, int64_t(1) << 22, false);
    lengths[(int64_t(1) << 24) + 1] = false;
  }
  return lengths;
}

static Lengths rowLengths() {
  Lengths lengths;
  dense(lengths, 140);
  for (int power = 8; power <= 15; ++power)
    around(lengths, int64_t(1) << power, power == 12);
  return lengths;
}

void selftest::addLengthCases(std::vector<Case> &cases) {
  auto add = [&](const Subject &s, const char *what, int64_t n, bool quick,
                 std::vector<int64_t> shape, int64_t axis) {
    Case c = makeCase(std::string("lengths/") + s.reduction + "-" + s.type +
                          (s.order ? std::string("-") + s.order : "") + "/" +
                          what + "-" + std::to_string(n),
                      s.reduction, typesOf(s.type), std::move(shape));
    if (s.order)
      c.order = s.order;
    c.axes = {axis};
    c.allAxes = false;
    c.quick = s.quick && quick;
    cases.push_back(std::move(c));
  };
  for (const Subject &s : subjects)
    for (auto [n, quick] : fullLengths(s))
      add(s, "full", n, quick, {n}, 0);
  // Rows and columns meet other code than one long fold does. The number of
  // outputs changes with the length, so that tails of outputs are met as well.
  for (const Subject &s : subjects) {
    if (!s.outputs)
      continue;
    for (auto [n, quick] : rowLengths()) {
      const int64_t outputs = n <= 140 ? 61 + n % 7 : 3 + n % 5;
      add(s, "rows", n, quick, {outputs, n}, 1);
      add(s, "columns", n, quick, {n, outputs}, 0);
    }
  }
}
