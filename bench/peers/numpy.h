//===- numpy.h - NumPy, in a process of its own -----------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Talks to numpy_peer.py. NumPy gets a copy of the same bytes in its own
// memory and times itself; its results come back to be checked.
//===----------------------------------------------------------------------===//
#ifndef BENCH_PEERS_NUMPY_H
#define BENCH_PEERS_NUMPY_H

#include "harness/child.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace bench {

class NumpyPeer {
public:
  /// Finds a python3 that has NumPy. False where there is none.
  bool start(const std::string &script);
  bool running() const { return child != nullptr; }
  const std::string &version() const { return versionText; }

  /// `dtype` as NumPy writes it: "f4", "i1", "b1".
  bool setData(const std::string &dtype, const void *data, size_t count,
               size_t elementBytes);
  /// x is the first elements of the data, in this shape.
  bool setView(const std::vector<int64_t> &shape);
  /// Seconds of one of `repeats` evaluations; NaN once the child is gone.
  double run(int repeats, const std::string &expression);
  /// The bytes of the last result, in the type `dtype`.
  bool result(std::string &dtype, std::vector<char> &bytes);

private:
  bool isOk();
  std::unique_ptr<Child> child;
  std::string versionText;
};

} // namespace bench

#endif // BENCH_PEERS_NUMPY_H
