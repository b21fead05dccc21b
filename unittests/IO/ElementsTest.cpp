//===- ElementsTest.cpp - Tests of reading elements ----------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "IO/Elements.h"
#include "IO/Generators.h"
#include "Support.h"

using namespace wf;
using namespace wf::test;

/// Element by element, straight from the definition of strides.
static std::vector<int64_t> byDefinition(const Array &array) {
  std::vector<int64_t> list;
  std::vector<int64_t> index(array.shape.size(), 0);
  for (int64_t n = array.elements(); n > 0; --n) {
    int64_t element;
    copyElement(array, index, &element);
    list.push_back(element);
    for (size_t i = index.size(); i-- > 0;) {
      if (++index[i] < array.shape[i])
        break;
      index[i] = 0;
    }
  }
  return list;
}

/// Views of one buffer with strides of every kind.
static std::vector<Array> views() {
  Array base =
      valueOf(materialize(valueOf(parseGenerator("gen:arange(4096, i64)"))));
  base.data = static_cast<const int64_t *>(base.data) + 2048;
  std::vector<Array> list;
  auto add = [&](std::vector<int64_t> shape, std::vector<int64_t> strides) {
    base.shape = shape;
    base.strides = strides;
    list.push_back(base);
  };
  add({}, {});
  add({7}, {-3});
  add({2, 3, 4}, {12, 4, 1});
  add({2, 3, 4}, {1, 2, 6});
  add({2, 3, 4}, {-12, -4, -1});
  add({2, 3, 4}, {0, 0, 1});
  add({2, 3, 4}, {0, 0, 0});
  add({2, 1, 4}, {4, int64_t(1) << 62, 1});
  add({1, 1, 1}, {-5, 7, 9});
  add({5, 3}, {10, 2});
  add({3, 5, 2, 2}, {50, 10, 4, 2});
  add({3, 0, 2}, {1, 1, 1});
  return list;
}

TEST(Elements, EveryPieceOfEveryView) {
  for (const Array &view : views()) {
    std::vector<int64_t> expected = byDefinition(view);
    for (int64_t first = 0; first <= view.elements(); ++first)
      for (int64_t count = 0; first + count <= view.elements(); ++count) {
        std::vector<int64_t> piece(size_t(count), -1);
        copyElements(view, first, count, piece.data());
        EXPECT_EQ(piece,
                  std::vector<int64_t>(expected.begin() + first,
                                       expected.begin() + first + count));
      }
  }
}

TEST(Elements, KnownViews) {
  EXPECT_EQ(byDefinition(views()[1]),
            (std::vector<int64_t>{2048, 2045, 2042, 2039, 2036, 2033, 2030}));
  EXPECT_EQ(
      byDefinition(views()[9]),
      (std::vector<int64_t>{2048, 2050, 2052, 2058, 2060, 2062, 2068, 2070,
                            2072, 2078, 2080, 2082, 2088, 2090, 2092}));
}

TEST(Elements, EveryWidthUnaligned) {
  std::string memory(200, 0);
  for (size_t i = 0; i < memory.size(); ++i)
    memory[i] = char(i);
  for (ScalarType type :
       {ScalarType::I8, ScalarType::I16, ScalarType::F32, ScalarType::F64}) {
    Array array;
    array.type = type;
    array.shape = {3};
    array.strides = {5};
    array.data = memory.data() + 1;
    size_t width = size_t(byteSize(type));
    std::string out(3 * width, 0);
    copyElements(array, 0, 3, out.data());
    for (size_t i = 0; i < 3; ++i)
      EXPECT_EQ(out.substr(i * width, width),
                memory.substr(1 + i * 5 * width, width));
  }
}

TEST(Elements, MaterializeOwnsAlignedRowMajorMemory) {
  for (const Array &view : views()) {
    Array copy = valueOf(materialize(view));
    EXPECT_EQ(copy.strides, rowMajorStrides(view.shape));
    EXPECT_EQ(byDefinition(copy), byDefinition(view));
    EXPECT_NE(copy.data, view.data);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(copy.data) % 64, 0u);
  }
}

TEST(Elements, PiecesJoinToTheWhole) {
  Array array = valueOf(parseGenerator("gen:random(3x100003, f64)"));
  std::string joined;
  size_t pieces = 0;
  llvm::cantFail(forEachPiece(array, [&](llvm::StringRef piece) {
    joined += piece;
    ++pieces;
    return llvm::Error::success();
  }));
  Array whole = valueOf(materialize(array));
  EXPECT_EQ(joined, std::string(static_cast<const char *>(whole.data),
                                size_t(array.elements()) * 8));
  EXPECT_GT(pieces, 1u);
}

// Under the address sanitizer a failed allocation is to return, as elsewhere.
extern "C" const char *__asan_default_options() {
  return "allocator_may_return_null=1";
}

TEST(Elements, TooMuchMemoryIsAnError) {
  Array array = valueOf(parseGenerator("gen:full(1, 2**62, i8)"));
  llvm::Expected<Array> copy = materialize(array);
  ASSERT_FALSE(!!copy);
  llvm::handleAllErrors(copy.takeError(), [](const WarpfoldError &error) {
    EXPECT_EQ(error.kind, ErrorKind::Device);
    EXPECT_HAS(error.message, "out of memory");
  });
}
