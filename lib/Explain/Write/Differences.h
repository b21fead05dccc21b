//===- Differences.h - What sets two kernels apart, in words ----*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_WRITE_DIFFERENCES_H
#define WARPFOLD_EXPLAIN_WRITE_DIFFERENCES_H

#include "Explain/Verdict/Report.h"

namespace wf::explain {

/// Sentences without a period; empty where nothing that counts differs.
std::vector<std::string> differences(const Report &a, const Report &b);

} // namespace wf::explain

#endif // WARPFOLD_EXPLAIN_WRITE_DIFFERENCES_H
