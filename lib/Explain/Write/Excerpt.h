//===- Excerpt.h - Chosen instructions as pseudo-code -----------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_WRITE_EXCERPT_H
#define WARPFOLD_EXPLAIN_WRITE_EXCERPT_H

#include "Explain/Write/Statements.h"

namespace wf::explain {

/// The statements of some instructions in order, in ifs of their guards.
std::vector<std::string> excerpt(const Report &r, const Statements &statements,
                                 const Shorthand &shorthand,
                                 const std::vector<size_t> &instructions);

/// One loop of pseudoCode().
std::vector<std::string> loopCode(const Report &r, size_t loop);

/// What a life of a register holds, as prose says it: "the address of x[i]".
std::string holds(const Statements &statements, const Report &r, const Web &web,
                  const Shorthand &shorthand);

/// The opcodes that carry the data, in order: "LDG", "STS", "BAR.SYNC", with
/// loops as lines of their own, indented.
std::vector<std::string> skeleton(const Report &r);
/// The same in one line: "LDG → STS → (LDS → …)* → STG".
std::string skeletonLine(const Report &r);

} // namespace wf::explain

#endif // WARPFOLD_EXPLAIN_WRITE_EXCERPT_H
