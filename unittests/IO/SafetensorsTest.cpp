//===- SafetensorsTest.cpp - Tests of reading .safetensors ---------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "IO/Safetensors.h"
#include "Support.h"

using namespace wf;
using namespace wf::test;

static std::string fileWith(const std::string &header,
                            const std::string &data) {
  std::string file;
  for (int i = 0; i < 8; ++i)
    file += char(header.size() >> (8 * i) & 255);
  return file + header + data;
}

static std::string entry(const std::string &name, const std::string &dtype,
                         const std::string &shape, int begin, int end) {
  return "\"" + name + "\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape +
         ",\"data_offsets\":[" + std::to_string(begin) + "," +
         std::to_string(end) + "]}";
}

static llvm::Expected<SafetensorsFile> parse(const std::string &header,
                                             const std::string &data) {
  return parseSafetensors(bytesOf(fileWith(header, data)), "w.safetensors");
}

static const std::string six = stored(std::vector<float>{0, 1, 2, 3, 4, 5});

/// Four tensors, not in the order of their names.
static std::string model() {
  return "{\"__metadata__\":{\"format\":\"pt\"}," +
         entry("blk.10.w", "F32", "[2,3]", 8, 32) + "," +
         entry("blk.1.w", "I64", "[]", 0, 8) + "," +
         entry("half", "BF16", "[4]", 32, 40) + "," +
         entry("blk.2.w", "F32", "[0,7]", 40, 40) + "}   ";
}
static const std::string modelData =
    stored(std::vector<int64_t>{-9}) + six + "abcdefgh";

static std::string names(const std::vector<NamedArray> &arrays) {
  std::string text;
  for (const NamedArray &item : arrays)
    text += item.name + " ";
  return text;
}

TEST(Safetensors, TensorsAreViews) {
  SafetensorsFile file = valueOf(parse(model(), modelData));
  ASSERT_EQ(file.tensors().size(), 4u);
  std::vector<NamedArray> arrays = valueOf(file.select("blk.10.w"));
  ASSERT_EQ(arrays.size(), 1u);
  EXPECT_EQ(arrays[0].array.shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(elementsOf<float>(arrays[0].array),
            (std::vector<float>{0, 1, 2, 3, 4, 5}));
  arrays = valueOf(file.select("blk.1.w"));
  EXPECT_EQ(elementsOf<int64_t>(arrays[0].array), (std::vector<int64_t>{-9}));
}

TEST(Safetensors, GlobsSelectInByteOrder) {
  SafetensorsFile file = valueOf(parse(model(), modelData));
  EXPECT_EQ(names(valueOf(file.select("blk.*"))), "blk.1.w blk.10.w blk.2.w ");
  EXPECT_EQ(names(valueOf(file.select("blk.?.w"))), "blk.1.w blk.2.w ");
  EXPECT_EQ(names(valueOf(file.select("*1*.w*"))), "blk.1.w blk.10.w ");
  EXPECT_EQ(names(valueOf(file.select("**0.w"))), "blk.10.w ");
  for (std::string glob : {"", "blk", "blk.1.w?", "?", "BLK.*", "*x"})
    EXPECT_HAS(errorOf(file.select(glob)), "no tensor of w.safetensors");
  EXPECT_HAS(errorOf(file.select("blk.3.w")),
             "nearest names: blk.1.w, blk.2.w, blk.10.w");
}

TEST(Safetensors, UnsupportedTypesAreListedAndRefusedWhenSelected) {
  SafetensorsFile file = valueOf(parse(model(), modelData));
  EXPECT_EQ(file.tensors()[3].dtype, "BF16");
  EXPECT_EQ(file.tensors()[3].type, std::nullopt);
  for (std::string glob : {"half", "*"}) {
    std::string error = errorOf(file.select(glob));
    EXPECT_HAS(error, "tensor half of w.safetensors has type BF16");
    EXPECT_HAS(error, "supported: bool, i8");
  }
}

TEST(Safetensors, EveryTypeAndItsSize) {
#define X(E, N, B, D, S, ...)                                                  \
  {                                                                            \
    SafetensorsFile file = valueOf(parse(                                      \
        "{" + entry("t", S, "[3]", 0, 3 * B) + "}", std::string(3 * B, 0)));   \
    EXPECT_EQ(valueOf(file.select("t"))[0].array.type, ScalarType::E);         \
    EXPECT_HAS(errorOf(parse("{" + entry("t", S, "[4]", 0, 3 * B) + "}",       \
                             std::string(3 * B, 0))),                          \
               "needs " + std::to_string(4 * B) + " bytes");                   \
  }
  WF_SCALAR_TYPES(X)
#undef X
  // Sizes of the types that are not read are checked too, sub-byte ones in
  // bits.
  for (auto [dtype, count, bytes] :
       {std::tuple("F16", "[3]", 6), std::tuple("F8_E4M3", "[3]", 3),
        std::tuple("F4", "[6]", 3), std::tuple("F6_E2M3", "[4]", 3),
        std::tuple("C64", "[1]", 8)}) {
    EXPECT_EQ(errorOf(parse("{" + entry("t", dtype, count, 0, bytes) + "}",
                            std::string(size_t(bytes), 0))),
              "");
    EXPECT_NE(errorOf(parse("{" + entry("t", dtype, count, 0, bytes + 1) + "}",
                            std::string(size_t(bytes) + 1, 0))),
              "");
  }
  EXPECT_EQ(errorOf(parse("{" + entry("t", "NEW", "[3]", 0, 5) + "}",
                          std::string(5, 0))),
            "");
}

TEST(Safetensors, MalformedFiles) {
  auto whole = [](const std::string &bytes) {
    return errorOf(parseSafetensors(bytesOf(bytes), "w.safetensors"));
  };
  EXPECT_HAS(whole(""), "it has 0 bytes");
  EXPECT_HAS(whole("1234567"), "it has 7 bytes");
  EXPECT_HAS(whole(std::string(8, '\xff')), "more than the format allows");
  EXPECT_HAS(whole(fileWith("{}", "").substr(0, 9)),
             "its header has 2 bytes, of which 1 are there");
  EXPECT_HAS(whole(std::string(8, 0)), "not a JSON object");
  EXPECT_HAS(errorOf(parse("[]", "")), "not a JSON object");
  EXPECT_HAS(errorOf(parse("{\"a\":", "")), "no JSON");
  EXPECT_HAS(errorOf(parse("{\"\xff\":1}", "")), "no JSON");
  EXPECT_HAS(errorOf(parse("{\"a\":" + std::string(1000000, '['), "")),
             "nests too deep");
  EXPECT_HAS(errorOf(parse("{\"a\":1}", "")), "'a' is not described");
  EXPECT_HAS(errorOf(parse("{\"a\":{}}", "")), "has no dtype");
  EXPECT_HAS(errorOf(parse("{\"a\":{\"dtype\":\"F32\"}}", "")), "no shape");
  for (std::string shape : {"3", "[-1]", "[1.5]", "[\"1\"]", "[1e300]",
                            "[9223372036854775808]", "null"})
    EXPECT_HAS(
        errorOf(parse("{" + entry("a", "F32", shape, 0, 4) + "}", "1234")),
        "'a' has no shape, or one that is not a list of sizes");
  for (std::string shape : {"[9223372036854775807]", "[4294967296,4294967296]",
                            "[0,4294967296,4294967296]"})
    EXPECT_HAS(
        errorOf(parse("{" + entry("a", "F32", shape, 0, 4) + "}", "1234")),
        "too large");
  EXPECT_HAS(errorOf(parse("{\"a\":{\"dtype\":\"F32\",\"shape\":[],"
                           "\"data_offsets\":[0,4,8]}}",
                           "1234")),
             "no data_offsets");
}

TEST(Safetensors, OffsetsMustCoverTheData) {
  auto two = [](int b1, int e1, int b2, int e2, size_t bytes) {
    return errorOf(parse(
        "{" + entry("a", "U8", "[" + std::to_string(e1 - b1) + "]", b1, e1) +
            "," +
            entry("b", "U8", "[" + std::to_string(e2 - b2) + "]", b2, e2) + "}",
        std::string(bytes, 0)));
  };
  EXPECT_EQ(two(0, 4, 4, 8, 8), "");
  EXPECT_EQ(two(4, 8, 0, 4, 8), "");
  EXPECT_EQ(two(0, 0, 0, 8, 8), "");
  EXPECT_HAS(two(0, 4, 3, 8, 8), "overlap or leave a hole");
  EXPECT_HAS(two(0, 4, 5, 8, 8), "overlap or leave a hole");
  EXPECT_HAS(two(1, 4, 4, 8, 8), "overlap or leave a hole");
  EXPECT_HAS(two(0, 8, 0, 8, 8), "overlap or leave a hole");
  EXPECT_HAS(two(0, 4, 4, 8, 9),
             "end at byte 8 of the data, but the file has 9");
  EXPECT_HAS(two(0, 4, 4, 8, 7), "data_offsets [4, 8], but the file has 7");
  EXPECT_HAS(errorOf(parse("{" + entry("a", "U8", "[1]", 2, 1) + "}", "12")),
             "data_offsets [2, 1]");
}

TEST(Safetensors, NoTensors) {
  SafetensorsFile file = valueOf(parse("{}", ""));
  EXPECT_HAS(errorOf(file.select("*")), "the file has no tensors");
}

TEST(Safetensors, FilesAreMapped) {
  Folder folder;
  std::string path =
      folder.write("w.safetensors", fileWith(model(), modelData));
  std::vector<NamedArray> arrays =
      valueOf(valueOf(openSafetensors(path)).select("blk.10.w"));
  // The file object is gone; the array keeps the mapping.
  EXPECT_EQ(elementsOf<float>(arrays[0].array),
            (std::vector<float>{0, 1, 2, 3, 4, 5}));
  EXPECT_HAS(errorOf(openSafetensors(folder / "none")), "No such file");
}
