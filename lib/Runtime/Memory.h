//===- Memory.h - Anonymous memory of this process ---------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_RUNTIME_MEMORY_H
#define WARPFOLD_RUNTIME_MEMORY_H

#include <cstdint>

namespace wf {

/// Resident anonymous bytes now (RssAnon of /proc/self/status); mapped files
/// are not in it. 0 where the kernel does not say.
int64_t anonymousBytes();

/// Notes anonymousBytes() if it is the most so far, and returns the most.
int64_t notePeakAnonymousBytes();

} // namespace wf

#endif // WARPFOLD_RUNTIME_MEMORY_H
