//===- Views.cpp - Arrays as users have them ------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Views.h"

#include "IO/Generators.h"
#include "Numerics/Value.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <sys/mman.h>

using namespace wf;
using namespace wf::test;

const std::vector<ScalarType> wf::test::allTypes = {
#define X(E, ...) ScalarType::E,
    WF_SCALAR_TYPES(X)
#undef X
};

std::vector<int64_t> wf::test::randomLengths(Random &random) {
  static const std::vector<int64_t> small = {
      3,  3,  4,  5,  6,  7,  8,  11, 15,  16,  17,  24, 31,
      32, 32, 33, 48, 63, 64, 65, 96, 100, 127, 128, 128};
  static const std::vector<int64_t> large = {
      129,   130,   255,   256,   257,   1000,  2047,  2048,
      2049,  4095,  4096,  4097,  8191,  8192,  8193,  12289,
      16383, 16384, 16385, 20481, 32769, 65537, 131072};
  std::vector<int64_t> lengths = {1, 1, 2};
  for (int i = 0; i < 4; ++i)
    lengths.push_back(random.of(small));
  std::sort(lengths.begin(), lengths.end());
  lengths.insert(lengths.end(), large.begin(), large.end());
  return lengths;
}

std::vector<int64_t> wf::test::randomShape(Random &random,
                                           const std::vector<int64_t> &lengths,
                                           int64_t rank, int64_t most) {
  auto upTo = [&](int64_t longest) {
    auto end = std::upper_bound(lengths.begin(), lengths.end(), longest);
    return lengths[size_t(random.in(0, end - lengths.begin() - 1))];
  };
  std::vector<int64_t> shape;
  for (int64_t d = 0; d < rank; ++d) {
    // Left to itself the first axis would take everything.
    bool brief = d + 1 < rank && random.onceIn(2);
    int64_t length = upTo(brief ? std::min<int64_t>(most, 9) : most);
    if (random.onceIn(150))
      length = 0;
    shape.push_back(length);
    most /= std::max<int64_t>(1, length);
  }
  random.shuffle(shape);
  return shape;
}

Values wf::test::randomValues(Random &random) {
  return random.of({Values::Plain, Values::Plain, Values::Plain, Values::Small,
                    Values::Small, Values::Wide, Values::Special,
                    Values::WithNans});
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// Any NaN: quiet or signalling, either sign.
template <typename T> static T anyNan(Random &random) {
  uint64_t bits = random.bits();
  if constexpr (sizeof(T) == 4)
    return valueOf<T>((bits & 0xffffffff) | 0x7f800001);
  else
    return valueOf<T>(bits | 0x7ff0000000000001);
}

template <typename T> static T randomFloat(Random &random, Values values) {
  using Limits = std::numeric_limits<T>;
  T plain = T(random.in(-(1 << 24), (1 << 24) - 1)) / T(1 << 24);
  switch (values) {
  case Values::Plain:
    return sizeof(T) == 8 ? plain + T(random.in(0, 1 << 20)) * T(0x1p-50)
                          : plain;
  case Values::Small:
    return T(random.in(-3, 3)) / 2;
  case Values::Wide:
    return std::ldexp(plain, int(random.in(-40, 40)));
  case Values::Special:
    if (random.onceIn(3))
      return random.of<T>({T(0), -T(0), Limits::denorm_min(),
                           -Limits::denorm_min(), Limits::min(), Limits::max(),
                           Limits::lowest(), Limits::min() / 4, T(1)});
    // Both infinities in one fold give NaN, so they are rare.
    if (random.onceIn(200))
      return random.onceIn(3) ? -Limits::infinity() : Limits::infinity();
    return random.onceIn(2) ? plain * Limits::min() : plain;
  case Values::WithNans:
    return random.onceIn(20) ? anyNan<T>(random) : plain;
  case Values::Nans:
    return random.onceIn(4) ? plain : anyNan<T>(random);
  case Values::Lowest:
    return Limits::lowest();
  case Values::Highest:
    return Limits::max();
  }
  return plain;
}

template <typename T> static T randomInteger(Random &random, Values values) {
  using Limits = std::numeric_limits<T>;
  switch (values) {
  case Values::Small:
    return T(random.in(0, 3));
  case Values::Special:
    return random.of<T>({T(0), T(1), T(-1), T(2), Limits::min(), Limits::max(),
                         T(Limits::max() / 2 + 1)});
  case Values::Lowest:
    return Limits::lowest();
  case Values::Highest:
    return Limits::max();
  default:
    return T(random.bits());
  }
}

static uint64_t randomElement(Random &random, ScalarType type, Values values) {
  switch (type) {
  case ScalarType::Bool:
    if (values == Values::Special)
      return random.of<uint64_t>({0, 0, 1, 2, 128, 255});
    return uint64_t(values == Values::Wide ? random.onceIn(500)
                                           : random.onceIn(2));
  case ScalarType::F32:
    return payloadOf(randomFloat<float>(random, values));
  case ScalarType::F64:
    return payloadOf(randomFloat<double>(random, values));
#define X(E, N, B, D, S, T)                                                    \
  case ScalarType::E:                                                          \
    return payloadOf(T(randomInteger<T>(random, values)));
    X(I8, , , , , int8_t)
    X(I16, , , , , int16_t)
    X(I32, , , , , int32_t)
    X(I64, , , , , int64_t)
    X(U8, , , , , uint8_t)
    X(U16, , , , , uint16_t)
    X(U32, , , , , uint32_t)
    X(U64, , , , , uint64_t)
#undef X
  }
  return 0;
}

static void fill(char *to, int64_t count, Random &random, ScalarType type,
                 Values values) {
  int64_t bytes = byteSize(type);
  for (int64_t i = 0; i < count; ++i) {
    uint64_t payload = randomElement(random, type, values);
    std::memcpy(to + i * bytes, &payload, size_t(bytes));
  }
}

//===----------------------------------------------------------------------===//
// Memory and strides
//===----------------------------------------------------------------------===//

/// `bytes` of memory, `skew` bytes off alignment, with pages that cannot be
/// read around it: one at its very end or one at its very beginning.
static std::shared_ptr<char> fencedMemory(int64_t bytes, int64_t skew,
                                          bool atEnd) {
  constexpr int64_t page = 4096;
  int64_t middle = (bytes + skew + page - 1) / page * page;
  size_t all = size_t(middle + 2 * page);
  void *map = mmap(nullptr, all, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map == MAP_FAILED)
    std::abort();
  char *base = static_cast<char *>(map);
  mprotect(base, page, PROT_NONE);
  mprotect(base + page + middle, page, PROT_NONE);
  char *data = atEnd ? base + page + middle - bytes : base + page + skew;
  return {data, [map, all](char *) { munmap(map, all); }};
}

static std::shared_ptr<char> memoryFor(int64_t bytes, Random &random,
                                       int64_t alignment) {
  int64_t skew = random.onceIn(6) ? random.in(0, alignment) : 0;
  if (random.onceIn(4))
    return fencedMemory(bytes, skew, random.onceIn(2));
  std::shared_ptr<char[]> block(new char[size_t(bytes + skew)]);
  return {block, block.get() + skew};
}

static std::vector<int64_t> randomStrides(Random &random,
                                          const std::vector<int64_t> &shape) {
  std::vector<size_t> storage(shape.size());
  std::iota(storage.begin(), storage.end(), 0);
  if (random.onceIn(2))
    random.shuffle(storage);
  bool plain = random.onceIn(2);
  std::vector<int64_t> strides(shape.size());
  int64_t step = !plain && random.onceIn(3) ? random.in(2, 3) : 1;
  for (size_t i = storage.size(); i-- > 0;) {
    size_t d = storage[i];
    strides[d] = step;
    step *= std::max<int64_t>(1, shape[d]);
    if (plain)
      continue;
    // A slice of something longer, a row with padding.
    if (step < (1 << 18) && random.onceIn(4))
      step = random.onceIn(2) ? step * 2 : step + random.in(1, 7);
    if (random.onceIn(8))
      strides[d] = 0;
    if (random.onceIn(6))
      strides[d] = -strides[d];
  }
  for (size_t d = 0; d < shape.size(); ++d)
    if (shape[d] == 1 && random.onceIn(2))
      strides[d] =
          random.of<int64_t>({1000000000, -7, 0, 1, -(int64_t(1) << 60)});
  return strides;
}

Array wf::test::randomView(Random &random, ScalarType type,
                           std::vector<int64_t> shape, Values values) {
  Array view;
  view.type = type;
  view.strides = randomStrides(random, shape);
  view.shape = std::move(shape);
  int64_t low = 0, high = 0;
  for (size_t d = 0; d < view.shape.size(); ++d) {
    int64_t last = std::max<int64_t>(0, view.shape[d] - 1);
    if (last > 0) // an absurd stride times 0 steps
      (view.strides[d] < 0 ? low : high) += last * view.strides[d];
  }
  int64_t bytes = byteSize(type), count = high - low + 1;
  auto memory = memoryFor(count * bytes, random, bytes);
  fill(memory.get(), count, random, type, values);
  view.data = memory.get() - low * bytes;
  view.owner = memory;
  return view;
}

Array wf::test::rowMajorArray(Random &random, ScalarType type,
                              std::vector<int64_t> shape, Values values) {
  Array array;
  array.type = type;
  array.strides = rowMajorStrides(shape);
  array.shape = std::move(shape);
  int64_t count = std::max<int64_t>(1, array.elements());
  auto memory = memoryFor(count * byteSize(type), random, byteSize(type));
  fill(memory.get(), count, random, type, values);
  array.data = memory.get();
  array.owner = memory;
  return array;
}

Array wf::test::generatedView(Random &random, ScalarType type,
                              std::vector<int64_t> shape) {
  Array view;
  view.type = type;
  view.source =
      random.onceIn(2) ? arangeSource(type) : randomSource(type, random.bits());
  view.strides =
      random.onceIn(2) ? rowMajorStrides(shape) : randomStrides(random, shape);
  view.shape = std::move(shape);
  view.offset = random.in(0, 1000);
  for (size_t d = 0; d < view.shape.size(); ++d)
    if (view.shape[d] > 1 && view.strides[d] < 0)
      view.offset -= (view.shape[d] - 1) * view.strides[d];
  return view;
}

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

std::string wf::test::listText(const std::vector<int64_t> &numbers) {
  std::string text = "(";
  for (size_t i = 0; i < numbers.size(); ++i)
    text += (i ? ", " : "") + std::to_string(numbers[i]);
  return text + ")";
}

std::string wf::test::describe(const Array &array) {
  std::string text(name(array.type));
  text +=
      " shape " + listText(array.shape) + " strides " + listText(array.strides);
  if (array.source)
    return text + ", generated, offset " + std::to_string(array.offset);
  auto off =
      reinterpret_cast<uintptr_t>(array.data) % uintptr_t(byteSize(array.type));
  if (off)
    text += ", " + std::to_string(off) + " bytes off alignment";
  return text;
}
