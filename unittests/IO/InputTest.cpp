//===- InputTest.cpp - Tests of INPUT and raw files ----------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "IO/Input.h"
#include "IO/Npy.h"
#include "IO/Raw.h"
#include "Support.h"

#include <fcntl.h>
#include <unistd.h>

using namespace wf;
using namespace wf::test;

using Sizes = std::vector<int64_t>;

static const std::vector<float> six = {0, 1, 2, 3, 4, 5};

static std::string tensors() {
  std::string header =
      "{\"a\":{\"dtype\":\"F32\",\"shape\":[6],\"data_offsets\":[0,24]},"
      "\"b\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[24,32]},"
      "\"c\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[32,33]}}";
  return std::string(1, char(header.size())) + std::string(7, 0) + header +
         stored(six) + stored(std::vector<float>{6, 7}) + "8";
}

TEST(Raw, SizeMustMatchExactly) {
  Bytes bytes = bytesOf(stored(six));
  Array array = valueOf(parseRaw(bytes, "x.bin", "f32:2x3"));
  EXPECT_EQ(array.shape, (Sizes{2, 3}));
  EXPECT_EQ(elementsOf<float>(array), six);
  EXPECT_EQ(array.data, bytes.data);
  std::string error = errorOf(parseRaw(bytes, "x.bin", "f32:7"));
  EXPECT_HAS(error, "x.bin has 24 bytes, but shape (7,) of f32 needs 28");
  EXPECT_HAS(errorOf(parseRaw(bytes, "x.bin", "f32:5")), "needs 20");
  EXPECT_EQ(valueOf(parseRaw(bytesOf("12345678"), "x.bin", "f64:")).rank(), 0);
  EXPECT_EQ(valueOf(parseRaw(bytesOf(""), "x.bin", "f64:0x5")).elements(), 0);
}

TEST(Raw, MalformedSpecs) {
  Bytes bytes = bytesOf(stored(six));
  EXPECT_HAS(errorOf(parseRaw(bytes, "x", "f32")), "has no ':'");
  EXPECT_HAS(errorOf(parseRaw(bytes, "x", "f16:12")), "type 'f16' is unknown");
  EXPECT_HAS(errorOf(parseRaw(bytes, "x", "f32:2x")), "cannot read '2x'");
  EXPECT_HAS(errorOf(parseRaw(bytes, "x", "f32:2**62")), "2**63 - 1 bytes");
}

TEST(Input, EveryKind) {
  Folder folder;
  std::string npy = npyFile(npyDict("<f4", "(6,)"), stored(six));
  // The name says the format, or else the first bytes do.
  for (std::string name : {"x.npy", "x.dat"}) {
    auto list = valueOf(openInput(folder.write(name, npy), {}));
    ASSERT_EQ(list.size(), 1u);
    EXPECT_EQ(elementsOf<float>(list[0].array), six);
    EXPECT_EQ(list[0].name, folder / name);
  }
  InputOptions options;
  for (std::string name : {"w.safetensors", "w.bin"}) {
    std::string path = folder.write(name, tensors());
    std::string error = errorOf(openInput(path, {}));
    EXPECT_HAS(error, "none is chosen");
    EXPECT_HAS(error, "there are: a, b, c");
    options.tensorGlob = "?";
    auto list = valueOf(openInput(path, options));
    ASSERT_EQ(list.size(), 3u);
    EXPECT_EQ(list[0].name, "a");
    EXPECT_EQ(elementsOf<float>(list[0].array), six);
  }
  options = {};
  options.raw = "f32:3x2";
  auto list = valueOf(openInput(folder.write("x.bin", stored(six)), options));
  EXPECT_EQ(list[0].array.shape, (Sizes{3, 2}));
  list = valueOf(openInput("gen:arange(3, i32)", {}));
  EXPECT_EQ(elementsOf<int32_t>(list[0].array),
            (std::vector<int32_t>{0, 1, 2}));
}

TEST(Input, StandardInput) {
  Folder folder;
  std::string path =
      folder.write("x", npyFile(npyDict("<f4", "(6,)"), stored(six)));
  int saved = ::dup(0), file = ::open(path.c_str(), O_RDONLY);
  ::dup2(file, 0);
  auto list = openInput("-", {});
  ::lseek(0, 0, SEEK_END);
  std::string atEnd = errorOf(openInput("-", {}));
  ::dup2(saved, 0);
  ::close(saved);
  ::close(file);
  EXPECT_EQ(elementsOf<float>(valueOf(std::move(list))[0].array), six);
  EXPECT_HAS(atEnd, "standard input is empty");
}

TEST(Input, SliceIsOfEveryArray) {
  Folder folder;
  InputOptions options;
  options.tensorGlob = "?";
  options.slice = "::-1";
  auto list =
      valueOf(openInput(folder.write("w.safetensors", tensors()), options));
  EXPECT_EQ(elementsOf<float>(list[0].array),
            (std::vector<float>{5, 4, 3, 2, 1, 0}));
  EXPECT_EQ(elementsOf<float>(list[1].array), (std::vector<float>{7, 6}));
  options.slice = "3";
  EXPECT_HAS(errorOf(openInput(folder / "w.safetensors", options)),
             "out of range");
}

TEST(Input, TogetherNeedsOneType) {
  Folder folder;
  std::string path = folder.write("w.safetensors", tensors());
  InputOptions options;
  options.together = true;
  options.tensorGlob = "*";
  EXPECT_HAS(errorOf(openInput(path, options)), "a is f32 and c is u8");
}

TEST(Input, WhatIsNotUnderstood) {
  Folder folder;
  InputOptions tensor, raw, both;
  tensor.tensorGlob = both.tensorGlob = "a";
  raw.raw = both.raw = "f32:6";
  std::string bin = folder.write("x.bin", stored(six));
  EXPECT_HAS(errorOf(openInput(bin, {})), "no format that Warpfold knows");
  EXPECT_HAS(errorOf(openInput(bin, {})), "--raw T:SHAPE");
  EXPECT_HAS(errorOf(openInput(folder.write("z.npz", "PK\3\4..."), {})),
             ".npz, which is not read yet");
  EXPECT_HAS(errorOf(openInput(folder.write("e", ""), {})), "is empty");
  EXPECT_HAS(errorOf(openInput(folder / "none.npy", {})), "No such file");
  EXPECT_HAS(errorOf(openInput(folder.write("d.npy", "damaged"), {})),
             "not a .npy file");
  EXPECT_HAS(errorOf(openInput(folder.write("d.safetensors", "dmgd"), tensor)),
             "not a valid safetensors file");
  EXPECT_HAS(errorOf(openInput("gen:arange(3, i32)", raw)), "neither --raw");
  EXPECT_HAS(errorOf(openInput("gen:arange(3, i32)", tensor)), "--tensor");
  EXPECT_HAS(errorOf(openInput(bin, both)), "exclude each other");
  EXPECT_HAS(
      errorOf(openInput(
          folder.write("x.npy", npyFile(npyDict("<f4", "(6,)"), stored(six))),
          tensor)),
      "leave --tensor out");
}
