//===- Gather.h - Elements of one output's fold into a buffer ----*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The other end of fold.pack: where k runs over several axes, has no unit
// stride, comes from a generator or runs on from one array to the next, a
// kernel asks for the elements k = first … first + count - 1 of one output, and
// gets them side by side.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_RUNTIME_GATHER_H
#define WARPFOLD_RUNTIME_GATHER_H

#include "IO/Array.h"
#include "Plan/Problem.h"

#include <vector>

namespace wf {

/// One input's elements for one stretch of k.
struct GatherSegment {
  const char *data = nullptr; ///< at all indices 0, or null if generated
  const ElementSource *source = nullptr;
  int64_t offset = 0; ///< of a generated array, in elements
  std::vector<int64_t> sizes, strides; ///< reduced axes, outermost first
  int64_t elements = 0;                ///< product of the sizes
};

/// What a thread's pack source reads from; shared by all threads of a launch.
struct GatherInput {
  int64_t elementBytes = 4;
  std::vector<int64_t> keptSizes, keptStrides;
  std::vector<GatherSegment> segments; ///< k runs through them in order
};

/// The first member is what generated code calls (wf_pack_source).
struct PackSource {
  void (*pack)(PackSource *self, int64_t output, int64_t first, int64_t count);
  const std::vector<GatherInput> *inputs;
  std::vector<void *> buffers; ///< one an input, of a chunk's elements
};

/// A source for one thread that writes to `buffers`.
PackSource makePackSource(const std::vector<GatherInput> &inputs,
                          std::vector<void *> buffers);

} // namespace wf

#endif // WARPFOLD_RUNTIME_GATHER_H
