//===- Align.h - Two kernels side by side -----------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_WRITE_ALIGN_H
#define WARPFOLD_EXPLAIN_WRITE_ALIGN_H

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace wf::explain {

/// Pairs of indices with equal tokens, rising in both: about a longest common
/// subsequence, by windows where the sequences are long (time grows with their
/// length, not with its square).
std::vector<std::pair<size_t, size_t>> align(const std::vector<uint32_t> &a,
                                             const std::vector<uint32_t> &b);

} // namespace wf::explain

#endif // WARPFOLD_EXPLAIN_WRITE_ALIGN_H
