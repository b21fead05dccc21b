//===- data.cpp - The array that is reduced -------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "suites/cpu/data.h"

#include "warpfold/Type.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>

using namespace bench;

wf_type bench::typeOf(Fill fill) {
  switch (fill) {
  case Fill::F32:
    return WF_F32;
  case Fill::F64:
    return WF_F64;
  case Fill::I8:
    return WF_I8;
  case Fill::AllTrue:
  case Fill::AllFalse:
    return WF_BOOL;
  }
  return WF_F32;
}

size_t bench::sizeOf(wf_type type) {
  return size_t(wf::byteSize(wf::ScalarType(type)));
}

std::string bench::nameOf(wf_type type) {
  return std::string(wf::name(wf::ScalarType(type)));
}

std::string bench::numpyName(wf_type type) {
  switch (wf::ScalarType(type)) {
#define X(E, N, B, NUMPY, ...)                                                 \
  case wf::ScalarType::E:                                                      \
    return NUMPY;
    WF_SCALAR_TYPES(X)
#undef X
  }
  return "?";
}

Data::Data(size_t capacity) {
  constexpr size_t huge = size_t(2) << 20;
  mapped = capacity + huge;
  mapping = mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) {
    mapping = nullptr;
    return;
  }
  memory = reinterpret_cast<void *>(
      (reinterpret_cast<uintptr_t>(mapping) + huge - 1) / huge * huge);
  madvise(memory, capacity, MADV_HUGEPAGE);
}

Data::~Data() {
  if (mapping)
    munmap(mapping, mapped);
}

/// Eight random bytes as a function of their place.
static uint64_t bytesAt(uint64_t place) {
  uint64_t z = (place + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// -7 … 7 from the low six bits.
static int smallNumber(uint64_t bits) {
  return int(bits & 7) - int((bits >> 3) & 7);
}

template <typename T> static void fillFloats(T *to, size_t begin, size_t end) {
  for (size_t i = begin; i < end; i += 8) {
    uint64_t bits = bytesAt(i / 8);
    for (size_t j = i; j < std::min(i + 8, end); ++j, bits >>= 8)
      to[j] = T(smallNumber(bits));
  }
}

void Data::fill(Fill fill, size_t count, ThreadTeam &team) {
  elements = count;
  constexpr size_t piece = 1 << 20;
  team.run((count + piece - 1) / piece, [&](int, size_t p) {
    size_t begin = p * piece, end = std::min(count, begin + piece);
    switch (fill) {
    case Fill::F32:
      return fillFloats(static_cast<float *>(memory), begin, end);
    case Fill::F64:
      return fillFloats(static_cast<double *>(memory), begin, end);
    case Fill::I8:
      for (size_t i = begin; i < end; i += 8) {
        uint64_t bits = bytesAt(i / 8);
        std::memcpy(static_cast<char *>(memory) + i, &bits,
                    std::min<size_t>(8, end - i));
      }
      return;
    case Fill::AllTrue:
    case Fill::AllFalse:
      std::memset(static_cast<char *>(memory) + begin, fill == Fill::AllTrue,
                  end - begin);
      return;
    }
  });
  if (fill == Fill::F32)
    static_cast<float *>(memory)[count - count / 7] = 9;
  if (fill == Fill::F64)
    static_cast<double *>(memory)[count - count / 7] = 9;
  if (fill == Fill::AllTrue || fill == Fill::AllFalse)
    static_cast<uint8_t *>(memory)[count - 1] = fill == Fill::AllFalse;
}

uint64_t Data::joinedWords(size_t bytes) const {
  auto *words = as<uint64_t>();
  uint64_t all = 0;
  for (size_t i = 0; i < bytes / 8; ++i)
    all ^= words[i];
  return all;
}
