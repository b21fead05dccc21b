//===- IrReader.h - Kernels in the text of MLIR -----------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Internal to inspect.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_INSPECT_IRREADER_H
#define WARPFOLD_EXPLAIN_INSPECT_IRREADER_H

#include "Explain/Inspect/Inspect.h"
#include "Explain/Inspect/IrTokens.h"
#include "Explain/Inspect/Region.h"

#include <unordered_map>

namespace wf::explain::ir {

/// An operation's parts; indices are tokens'.
struct Head {
  std::string_view result; ///< "%5" of "%5:2 = …"; "" without one
  std::string_view name;
  size_t at = 0; ///< the name's
  std::vector<std::string_view> operands;
  size_t end = 0; ///< where operands end: at ":" or the next operation
};
Head headAt(const Tokens &t, size_t at, size_t limit);

/// Types between `from` and the next operation, place or brace.
std::vector<std::string_view> typesFrom(const Tokens &t, size_t from,
                                        size_t limit);

/// Places of the program: "#loc5 = loc(callsite(#loc1 at #loc2))".
class Places {
public:
  explicit Places(const Tokens &t) : t(t) {}
  void define(std::string_view name, size_t open) { at[name] = open; }
  /// Of the "loc(…)" whose bracket is at `open`. Of a call site the caller's:
  /// the library's own line helps nobody.
  SourceLine find(size_t open) const;

private:
  const Tokens &t;
  std::unordered_map<std::string_view, size_t> at;
  bool resolve(size_t from, size_t to, int &steps, SourceLine &place) const;
};

/// Reads "arith.constant 0.5 : f32" and its splats.
std::optional<Scalar> constantAt(const Tokens &t, const Head &head,
                                 std::string_view type);

/// Reads arguments "(%a: f32, %b: f32)" and operations up to the return.
/// Returns the index behind the return's operands.
size_t readRegion(const Tokens &t, size_t arguments, size_t body, size_t limit,
                  Region &region);

std::vector<Dump> readIr(const Tokens &t, std::string_view file, Stage stage);

/// Reads one tt.reduce, tt.scan or fold.reduce. `functions`: of our own
/// dialect, by name, the index of the bracket of their arguments.
struct ReductionText {
  Reduction reduction;
  Region region;
  std::vector<std::string_view> operands;
  size_t end = 0; ///< behind its types
};
ReductionText
readReduction(const Tokens &t, const Head &head, size_t limit,
              const std::unordered_map<std::string_view, size_t> &functions);

/// The number at `i`; -1 where there is none.
int64_t numberAt(const Tokens &t, size_t i);

/// Appends the tensor types among tokens [from, to).
void addTensors(const Tokens &t, size_t from, size_t to,
                std::vector<TensorType> &types);

/// A function's body: the index of its brace, or `limit`.
size_t bodyOf(const Tokens &t, size_t arguments, size_t limit);

} // namespace wf::explain::ir

#endif // WARPFOLD_EXPLAIN_INSPECT_IRREADER_H
