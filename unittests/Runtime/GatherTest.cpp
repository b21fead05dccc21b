//===- GatherTest.cpp - Elements side by side, whatever the strides -------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Random views, one or several arrays one after the other, in memory or
// generated; every stretch of k against a loop that walks one index at a time.
//===----------------------------------------------------------------------===//
#include "Runtime/Gather.h"
#include "../Plan/Random.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cstring>
#include <string>

using namespace wf;
using namespace wf::test;

namespace {

constexpr char guardByte = 0x5c;

/// Element p is a scrambled p, cut to the element's bytes.
struct Scrambled : ElementSource {
  explicit Scrambled(int64_t bytes) : bytes(bytes) {}
  static uint64_t at(int64_t position) {
    return Random(uint64_t(position)).bits();
  }
  void fill(void *out, int64_t first, int64_t step,
            int64_t count) const override {
    for (int64_t i = 0; i < count; ++i) {
      uint64_t value = at(first + i * step);
      std::memcpy(static_cast<char *>(out) + i * bytes, &value, size_t(bytes));
    }
  }
  int64_t bytes;
};

/// One input with what it reads from.
struct Input {
  GatherInput gather;
  std::vector<std::vector<char>> memory;
  std::vector<std::unique_ptr<Scrambled>> sources;
  int64_t outputs = 1, elements = 0;
};

int64_t product(const std::vector<int64_t> &sizes) {
  int64_t n = 1;
  for (int64_t s : sizes)
    n *= s;
  return n;
}

int64_t randomStride(Random &random) {
  return random.onceIn(3) ? 1 : random.onceIn(6) ? 0 : random.in(-40, 40);
}

std::vector<int64_t> randomSizes(Random &random, bool mayBeEmpty) {
  std::vector<int64_t> sizes;
  for (int64_t d = random.in(0, 4); d > 0; --d)
    sizes.push_back(random.onceIn(4) ? 1 : random.in(2, 9));
  if (mayBeEmpty && random.onceIn(6))
    sizes.push_back(0);
  return sizes;
}

/// Farthest offsets below and above 0 that the axes reach.
void widen(const std::vector<int64_t> &sizes,
           const std::vector<int64_t> &strides, int64_t &low, int64_t &high) {
  for (size_t d = 0; d < sizes.size(); ++d) {
    int64_t reach = std::max<int64_t>(0, sizes[d] - 1) * strides[d];
    (reach < 0 ? low : high) += reach;
  }
}

void addSegment(Input &input, Random &random, bool several) {
  GatherSegment s;
  s.sizes = randomSizes(random, several);
  for (size_t d = 0; d < s.sizes.size(); ++d)
    s.strides.push_back(randomStride(random));
  s.elements = product(s.sizes);
  int64_t low = 0, high = 0, bytes = input.gather.elementBytes;
  widen(s.sizes, s.strides, low, high);
  widen(input.gather.keptSizes, input.gather.keptStrides, low, high);
  if (random.onceIn(4)) {
    input.sources.push_back(std::make_unique<Scrambled>(bytes));
    s.source = input.sources.back().get();
    s.offset = random.in(0, 1000) - low;
  } else {
    // No more memory than the view reaches, at any alignment.
    int64_t skew = random.in(0, 3);
    auto &memory =
        input.memory.emplace_back(size_t((high - low + 1) * bytes + skew));
    for (char &c : memory)
      c = char(random.bits());
    s.data = memory.data() + skew - low * bytes;
  }
  input.elements += s.elements;
  input.gather.segments.push_back(std::move(s));
}

Input randomInput(Random &random, const std::vector<int64_t> &kept,
                  bool several) {
  Input input;
  input.gather.elementBytes = random.of<int64_t>({1, 2, 4, 8});
  if (!several) {
    input.gather.keptSizes = kept;
    for (size_t d = 0; d < kept.size(); ++d)
      input.gather.keptStrides.push_back(randomStride(random));
    input.outputs = product(kept);
  }
  for (int64_t n = several ? random.in(1, 5) : 1; n > 0; --n)
    addSegment(input, random, several);
  return input;
}

int64_t offsetOf(const std::vector<int64_t> &sizes,
                 const std::vector<int64_t> &strides, int64_t position) {
  int64_t offset = 0;
  for (size_t d = sizes.size(); d-- > 0; position /= sizes[d])
    offset += position % sizes[d] * strides[d];
  return offset;
}

/// The naive way to one element.
std::string element(const Input &input, int64_t output, int64_t k) {
  const GatherInput &g = input.gather;
  size_t at = 0;
  for (; k >= g.segments[at].elements; ++at)
    k -= g.segments[at].elements;
  const GatherSegment &s = g.segments[at];
  int64_t offset = offsetOf(g.keptSizes, g.keptStrides, output) +
                   offsetOf(s.sizes, s.strides, k);
  std::string bytes(size_t(g.elementBytes), 0);
  uint64_t value = Scrambled::at(s.offset + offset);
  std::memcpy(bytes.data(),
              s.source ? reinterpret_cast<const char *>(&value)
                       : s.data + offset * g.elementBytes,
              bytes.size());
  return bytes;
}

std::string text(const GatherInput &g) {
  auto list = [](const std::vector<int64_t> &v) {
    std::string t = "(";
    for (int64_t n : v)
      t += std::to_string(n) + ",";
    return t + ")";
  };
  std::string t = "\ninput of " + std::to_string(g.elementBytes) +
                  " bytes, kept " + list(g.keptSizes) + list(g.keptStrides);
  for (const GatherSegment &s : g.segments)
    t += (s.source ? "; generated " : "; memory ") + list(s.sizes) +
         list(s.strides);
  return t;
}

/// One call of a pack source for all inputs, against the naive loop.
void checkStretch(const std::vector<Input> &inputs,
                  const std::vector<GatherInput> &gather, int64_t output,
                  int64_t first, int64_t count) {
  std::vector<std::vector<char>> buffers;
  std::vector<void *> pointers;
  for (const Input &input : inputs)
    buffers.emplace_back(size_t(count * input.gather.elementBytes + 16),
                         guardByte);
  for (auto &buffer : buffers)
    pointers.push_back(buffer.data());
  PackSource source = makePackSource(gather, pointers);
  source.pack(&source, output, first, count);
  for (size_t i = 0; i < inputs.size(); ++i) {
    std::string want;
    for (int64_t k = first; k < first + count; ++k)
      want += element(inputs[i], output, k);
    want.append(16, guardByte);
    ASSERT_EQ(std::string(buffers[i].begin(), buffers[i].end()), want)
        << "input " << i << ", output " << output << ", k " << first << " + "
        << count << text(inputs[i].gather);
  }
}

void checkCase(Random &random, bool several) {
  std::vector<int64_t> kept;
  for (int64_t d = random.in(0, 3); d > 0; --d)
    kept.push_back(random.in(1, 5));
  std::vector<Input> inputs;
  inputs.push_back(randomInput(random, kept, several));
  // More inputs read the same k through their own strides.
  for (int64_t n = several ? 0 : random.in(0, 2); n > 0; --n) {
    Input next = randomInput(random, kept, false);
    if (next.elements == inputs[0].elements)
      inputs.push_back(std::move(next));
  }
  std::vector<GatherInput> gather;
  for (const Input &input : inputs)
    gather.push_back(input.gather);
  int64_t elements = inputs[0].elements;
  for (int64_t output = 0; output < inputs[0].outputs; ++output) {
    if (elements == 0)
      continue;
    checkStretch(inputs, gather, output, 0, elements);
    for (int i = 0; i < 4; ++i) {
      int64_t first = random.in(0, elements - 1);
      checkStretch(inputs, gather, output, first,
                   random.in(1, elements - first));
    }
    if (::testing::Test::HasFatalFailure())
      return;
  }
}

TEST(Gather, StridedViewsOfSeveralInputs) {
  for (int64_t number = 0; number < 1500; ++number) {
    SCOPED_TRACE("case " + std::to_string(number));
    Random random = randomFor(5, number);
    checkCase(random, false);
    if (HasFatalFailure())
      return;
  }
}

TEST(Gather, ArraysOneAfterTheOther) {
  for (int64_t number = 0; number < 1500; ++number) {
    SCOPED_TRACE("case " + std::to_string(number));
    Random random = randomFor(6, number);
    checkCase(random, true);
    if (HasFatalFailure())
      return;
  }
}

TEST(Gather, SeveralSourcesShareInputs) {
  // Every thread has its own buffers on the same inputs.
  Random random = randomFor(7, 0);
  std::vector<int32_t> numbers(100);
  for (int32_t &n : numbers)
    n = int32_t(random.bits());
  GatherInput input;
  GatherSegment s;
  s.data = reinterpret_cast<const char *>(numbers.data() + 99);
  s.sizes = {100};
  s.strides = {-1};
  s.elements = 100;
  input.segments = {s};
  std::vector<GatherInput> inputs = {input};
  int32_t a[3] = {}, b[3] = {};
  PackSource first = makePackSource(inputs, {a});
  PackSource second = makePackSource(inputs, {b});
  first.pack(&first, 0, 0, 3);
  second.pack(&second, 0, 97, 3);
  EXPECT_EQ(a[0], numbers[99]);
  EXPECT_EQ(a[2], numbers[97]);
  EXPECT_EQ(b[2], numbers[0]);
}

} // namespace
