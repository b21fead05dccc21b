//===- child.h - Processes that a benchmark starts --------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// A child with pipes to its standard input and output (the NumPy peer), and
// one fresh process run to its end and timed (the command line).
//===----------------------------------------------------------------------===//
#ifndef BENCH_HARNESS_CHILD_H
#define BENCH_HARNESS_CHILD_H

#include <cstddef>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace bench {

/// A child that answers in lines and bytes. Every call returns false once the
/// child is gone.
class Child {
public:
  ~Child();
  /// Standard error goes nowhere; OPENBLAS_CORETYPE is not passed on.
  bool start(const std::vector<std::string> &command);
  bool send(const void *bytes, size_t count);
  bool send(const std::string &text) { return send(text.data(), text.size()); }
  bool readLine(std::string &line);
  bool read(void *bytes, size_t count);

private:
  pid_t pid = -1;
  int in = -1, out = -1;
  std::string ahead; ///< read, not asked for yet
};

struct Finished {
  double seconds = 0; ///< from the start to the end of the process
  int status = -1;    ///< exit code
  std::string out, err;
};

/// Runs a command to its end; nothing if it cannot be started.
std::optional<Finished> runOnce(const std::vector<std::string> &command);

} // namespace bench

#endif // BENCH_HARNESS_CHILD_H
