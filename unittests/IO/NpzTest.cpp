//===- NpzTest.cpp - Tests of writing .npz -------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// A small reader of zip archives, from the end as every reader does, checks
// what was written.
//===----------------------------------------------------------------------===//
#include "IO/Generators.h"
#include "IO/Npy.h"
#include "IO/Zip.h"
#include "Support.h"

#include <map>

using namespace wf;
using namespace wf::test;

namespace {

struct ZipReader {
  const std::string &file;

  uint64_t number(size_t at, size_t bytes) const {
    uint64_t value = 0;
    for (size_t i = bytes; i-- > 0;)
      value = value << 8 | uint8_t(file.at(at + i));
    return value;
  }

  /// Bit by bit, as the polynomial is defined.
  static uint32_t crc(const std::string &data) {
    uint32_t crc = ~0u;
    for (char c : data) {
      crc ^= uint8_t(c);
      for (int bit = 0; bit < 8; ++bit)
        crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
  }

  /// The 64-bit fields of a zip64 extra field that starts at `at`.
  std::vector<uint64_t> wideFields(size_t at, size_t length) const {
    std::vector<uint64_t> fields;
    if (length == 0)
      return fields;
    EXPECT_EQ(number(at, 2), 1u);
    EXPECT_EQ(number(at + 2, 2), length - 4);
    for (size_t i = at + 4; i < at + length; i += 8)
      fields.push_back(number(i, 8));
    return fields;
  }

  std::map<std::string, std::string> entries() const {
    std::map<std::string, std::string> result;
    size_t end = file.size() - 22;
    EXPECT_EQ(number(end, 4), 0x06054b50u);
    uint64_t count = number(end + 10, 2), at = number(end + 16, 4);
    if (at == 0xffffffff) {
      EXPECT_EQ(number(end - 20, 4), 0x07064b50u);
      uint64_t wide = number(end - 12, 8);
      EXPECT_EQ(number(wide, 4), 0x06064b50u);
      count = number(wide + 32, 8);
      at = number(wide + 48, 8);
      EXPECT_EQ(at + number(wide + 40, 8), wide);
    }
    for (; count > 0; --count) {
      EXPECT_EQ(number(at, 4), 0x02014b50u);
      uint64_t size = number(at + 20, 4), offset = number(at + 42, 4);
      uint64_t nameSize = number(at + 28, 2), extra = number(at + 30, 2);
      auto wide = wideFields(at + 46 + nameSize, extra);
      size_t next = 0;
      if (size == 0xffffffff) {
        size = wide.at(next);
        next += 2;
      }
      if (offset == 0xffffffff)
        offset = wide.at(next);
      std::string name = file.substr(at + 46, nameSize);
      EXPECT_EQ(number(offset, 4), 0x04034b50u);
      EXPECT_EQ(file.substr(offset + 30, nameSize), name);
      auto local = wideFields(offset + 30 + nameSize, number(offset + 28, 2));
      EXPECT_EQ(local.empty() ? number(offset + 18, 4) : local[0], size);
      uint64_t start = offset + 30 + nameSize + number(offset + 28, 2);
      std::string data = file.substr(start, size);
      EXPECT_EQ(crc(data), number(at + 16, 4));
      EXPECT_EQ(crc(data), number(offset + 14, 4));
      result[name] = data;
      at += 46 + nameSize + extra;
    }
    return result;
  }
};

} // namespace

TEST(Npz, EntriesAreNpyFiles) {
  Folder folder;
  Array values = valueOf(parseGenerator("gen:arange(12, f32, 3x4)"));
  Array places = valueOf(parseGenerator("gen:full(7, 5, i64)"));
  ASSERT_EQ(textOf(writeNpz(folder / "r.npz",
                            {{"value", values}, {"", places}, {"é", places}})),
            "");
  std::string file = contents(folder / "r.npz");
  auto entries = ZipReader{file}.entries();
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(elementsOf<float>(
                valueOf(parseNpy(bytesOf(entries["value.npy"]), "value"))),
            elementsOf<float>(values));
  EXPECT_EQ(elementsOf<int64_t>(
                valueOf(parseNpy(bytesOf(entries["arr_1.npy"]), "arr_1"))),
            (std::vector<int64_t>(5, 7)));
  EXPECT_EQ(entries["é.npy"], entries["arr_1.npy"]);
  EXPECT_EQ(folder.list(), "r.npz");
}

TEST(Npz, NoArrays) {
  Folder folder;
  ASSERT_EQ(textOf(writeNpz(folder / "r.npz", {})), "");
  EXPECT_EQ(contents(folder / "r.npz").size(), 22u);
}

TEST(Npz, NamesMustDiffer) {
  Folder folder;
  Array array = valueOf(parseGenerator("gen:full(7, 5, i64)"));
  EXPECT_HAS(textOf(writeNpz(folder / "r.npz", {{"a", array}, {"a", array}})),
             "two arrays are called a");
  EXPECT_EQ(folder.list(), "");
}

// The 64-bit fields, with the bound from which they are used made small.
TEST(Zip, WideFieldsAreReadBack) {
  for (uint64_t wideFrom :
       {uint64_t(1), uint64_t(20), uint64_t(60), zip64From}) {
    std::vector<ZipEntry> entries;
    std::string file;
    for (size_t size : {0, 10, 30, 100}) {
      std::string data(size, char('a' + size % 26));
      ZipEntry entry{"n" + std::to_string(size), size, ZipReader::crc(data),
                     file.size()};
      file += zipLocalHeader(entry, wideFrom) + data;
      entries.push_back(entry);
    }
    file += zipDirectory(entries, file.size(), wideFrom);
    auto back = ZipReader{file}.entries();
    ASSERT_EQ(back.size(), 4u);
    EXPECT_EQ(back["n100"].size(), 100u);
    EXPECT_EQ(back["n30"], std::string(30, 'e'));
  }
}

TEST(Zip, ManyEntriesNeedTheWideEnd) {
  std::vector<ZipEntry> entries;
  std::string file;
  for (int i = 0; i < 66000; ++i) {
    ZipEntry entry{std::to_string(i), 0, 0, file.size()};
    file += zipLocalHeader(entry);
    entries.push_back(entry);
  }
  uint64_t directory = file.size();
  file += zipDirectory(entries, directory);
  EXPECT_EQ(ZipReader{file}.entries().size(), 66000u);
}
