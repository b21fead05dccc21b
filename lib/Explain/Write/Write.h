//===- Write.h - A report as a document -------------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_WRITE_WRITE_H
#define WARPFOLD_EXPLAIN_WRITE_WRITE_H

#include "Explain/Patterns/Pattern.h"
#include "Explain/Verdict/Report.h"

namespace wf::explain {

struct WriteOptions {
  bool colour = false; ///< ANSI, on a terminal
  std::string source;  ///< the program's text, where given
  std::string sourceName;
  std::string file; ///< that the kernel was read from
};

/// The kernel as role pseudo-code, one statement a line.
std::vector<std::string> pseudoCode(const Report &report);

std::string textOf(const Report &report, const WriteOptions &options);
/// Follows the sections of the note that a colleague would write by hand.
std::string markdownOf(const Report &report, const WriteOptions &options);
/// One page of several kernels; needs no network.
std::string htmlOf(const std::vector<Report> &reports,
                   const WriteOptions &options);
/// An array of kernels; docs/explain.schema.json describes it.
std::string jsonOf(const std::vector<Report> &reports,
                   const WriteOptions &options);

/// patterns/<name>.md. `observed` are the lines of its "Observed in"; those
/// that the file has already (`existing`, its text or "") are kept.
std::string patternDocument(const Pattern &pattern,
                            const std::vector<std::string> &observed,
                            std::string_view existing);
/// index.md: kernel, patterns, materialised where, barriers and bytes a step,
/// registers. `paths` are the kernels' documents, relative to it.
std::string indexDocument(const std::vector<Report> &reports,
                          const std::vector<std::string> &paths);

/// Two kernels aligned by role; differences counted and said in words.
std::string compare(const Report &a, const Report &b,
                    const WriteOptions &options);

/// "materialised=none, shfl=5, barriers<=1": checks each and says which
/// instruction breaks one. A Fault where it cannot be read.
struct AssertionFailure {
  std::string assertion, found;
  std::vector<size_t> instructions;
};
Result<std::vector<AssertionFailure>> checkAssertions(const Report &report,
                                                      std::string_view text);

} // namespace wf::explain

#endif // WARPFOLD_EXPLAIN_WRITE_WRITE_H
