//===- Gather.cpp - Elements of one output's fold into a buffer -----------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Runtime/Gather.h"

#include <algorithm>
#include <cstring>

using namespace wf;

template <int64_t Bytes>
static void copyStrided(char *to, const char *from, int64_t stride, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    std::memcpy(to + i * Bytes, from + i * stride * Bytes, Bytes);
}

static void copyElements(char *to, const char *from, int64_t bytes,
                         int64_t stride, int64_t n) {
  if (stride == 1) {
    std::memcpy(to, from, size_t(n * bytes));
    return;
  }
  switch (bytes) {
  case 1:
    return copyStrided<1>(to, from, stride, n);
  case 2:
    return copyStrided<2>(to, from, stride, n);
  case 4:
    return copyStrided<4>(to, from, stride, n);
  case 8:
    return copyStrided<8>(to, from, stride, n);
  }
}

/// `count` elements from `first` on, walking the innermost axis in one go.
static void gatherSegment(const GatherSegment &s, int64_t bytes,
                          int64_t keptOffset, int64_t first, int64_t count,
                          char *to) {
  size_t rank = s.sizes.size();
  int64_t inner = rank ? s.sizes[rank - 1] : 1;
  int64_t innerStride = rank ? s.strides[rank - 1] : 0;
  while (count > 0) {
    int64_t outer = first / inner, at = first % inner;
    int64_t offset = keptOffset + at * innerStride;
    for (size_t d = rank > 1 ? rank - 1 : 0; d-- > 0;) {
      offset += outer % s.sizes[d] * s.strides[d];
      outer /= s.sizes[d];
    }
    int64_t n = std::min(count, inner - at);
    if (s.source)
      s.source->fill(to, s.offset + offset, innerStride, n);
    else
      copyElements(to, s.data + offset * bytes, bytes, innerStride, n);
    to += n * bytes;
    first += n;
    count -= n;
  }
}

static void gather(PackSource *self, int64_t output, int64_t first,
                   int64_t count) {
  for (size_t i = 0; i < self->inputs->size(); ++i) {
    const GatherInput &input = (*self->inputs)[i];
    int64_t kept = 0, rest = output;
    for (size_t d = input.keptSizes.size(); d-- > 0;) {
      kept += rest % input.keptSizes[d] * input.keptStrides[d];
      rest /= input.keptSizes[d];
    }
    char *to = static_cast<char *>(self->buffers[i]);
    int64_t k = first, left = count;
    for (const GatherSegment &s : input.segments) {
      if (k >= s.elements) {
        k -= s.elements;
        continue;
      }
      int64_t n = std::min(left, s.elements - k);
      gatherSegment(s, input.elementBytes, kept, k, n, to);
      to += n * input.elementBytes;
      left -= n;
      k = 0;
      if (left == 0)
        break;
    }
  }
}

PackSource wf::makePackSource(const std::vector<GatherInput> &inputs,
                              std::vector<void *> buffers) {
  return PackSource{gather, &inputs, std::move(buffers)};
}
