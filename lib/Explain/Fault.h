//===- Fault.h - What went wrong, for the reader of a listing ---*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// This library reads text and links no LLVM, so that it has an error type of
// its own. The tool turns a Fault into its `error:` line and hint.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_FAULT_H
#define WARPFOLD_EXPLAIN_FAULT_H

#include <string>
#include <utility>
#include <variant>

namespace wf::explain {

/// `message` is one sentence without a period; `hint` says what to do.
struct Fault {
  std::string message, hint;
};

/// A T, or why there is none.
template <typename T> class Result {
public:
  Result(T value) : held(std::move(value)) {}
  Result(Fault fault) : held(std::move(fault)) {}

  explicit operator bool() const { return held.index() == 0; }
  T &operator*() { return std::get<0>(held); }
  const T &operator*() const { return std::get<0>(held); }
  T *operator->() { return &std::get<0>(held); }
  const T *operator->() const { return &std::get<0>(held); }
  const Fault &fault() const { return std::get<1>(held); }

private:
  std::variant<T, Fault> held;
};

} // namespace wf::explain

#endif // WARPFOLD_EXPLAIN_FAULT_H
