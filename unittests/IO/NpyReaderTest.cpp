//===- NpyReaderTest.cpp - Tests of reading .npy -------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "IO/Npy.h"
#include "Support.h"

#include <fcntl.h>
#include <unistd.h>

using namespace wf;
using namespace wf::test;

static llvm::Expected<Array> parse(const std::string &file) {
  return parseNpy(bytesOf(file), "x.npy");
}

static const std::vector<float> six = {0, 1, 2, 3, 4, 5};

TEST(NpyReader, AllVersions) {
  for (int version : {1, 2, 3}) {
    Array array =
        valueOf(parse(npyFile(npyDict("<f4", "(2, 3)"), stored(six), version)));
    EXPECT_EQ(array.type, ScalarType::F32);
    EXPECT_EQ(array.shape, (std::vector<int64_t>{2, 3}));
    EXPECT_EQ(array.strides, (std::vector<int64_t>{3, 1}));
    EXPECT_EQ(elementsOf<float>(array), six);
  }
}

TEST(NpyReader, FortranOrderTurnsIntoStrides) {
  Array array =
      valueOf(parse(npyFile(npyDict("<f4", "(2, 3)", true), stored(six))));
  EXPECT_EQ(array.strides, (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(elementsOf<float>(array), (std::vector<float>{0, 2, 4, 1, 3, 5}));
}

TEST(NpyReader, EveryTypeInEverySpelling) {
  auto read = [](const std::string &descr) {
    return parse(npyFile(npyDict(descr, "()"), std::string(8, '\1')));
  };
#define X(E, N, B, D, ...)                                                     \
  for (std::string order : {"<", "=", "", "|"})                                \
    EXPECT_EQ(valueOf(read(order + D)).type, ScalarType::E);                   \
  EXPECT_EQ(errorOf(read(">" D)).empty(), B == 1);
  WF_SCALAR_TYPES(X)
#undef X
  EXPECT_EQ(valueOf(read("?")).type, ScalarType::Bool);
}

TEST(NpyReader, NoAxesAndNoElements) {
  Array scalar = valueOf(
      parse(npyFile(npyDict("<i8", "()"), stored(std::vector<int64_t>{-7}))));
  EXPECT_EQ(scalar.rank(), 0);
  EXPECT_EQ(elementsOf<int64_t>(scalar), (std::vector<int64_t>{-7}));
  Array empty = valueOf(parse(npyFile(npyDict("<f8", "(3, 0, 2)"), "")));
  EXPECT_EQ(empty.shape, (std::vector<int64_t>{3, 0, 2}));
  EXPECT_EQ(empty.elements(), 0);
}

TEST(NpyReader, DataMayBeUnaligned) {
  // A header one byte longer than any alignment.
  std::string dict = npyDict("<f8", "(3,)");
  while ((10 + dict.size()) % 8 != 1)
    dict.insert(dict.size() - 1, " ");
  std::vector<double> numbers = {1.5, -2, 3e300};
  Array array = valueOf(parse(npyFile(dict, stored(numbers))));
  EXPECT_NE(reinterpret_cast<uintptr_t>(array.data) % 8, 0u);
  EXPECT_EQ(elementsOf<double>(array), numbers);
}

TEST(NpyReader, OtherWaysToWriteTheDict) {
  for (std::string dict :
       {"{\"shape\":(2L,3L),\"descr\":\"<f4\",\"fortran_order\":False}",
        "  { 'shape' : ( 2 , 3 , ) , 'fortran_order' : False , "
        "'descr' : '<f4' , }   \n\n"})
    EXPECT_EQ(elementsOf<float>(valueOf(parse(npyFile(dict, stored(six))))),
              six);
}

TEST(NpyReader, BytesAfterTheDataAreIgnored) {
  Array array =
      valueOf(parse(npyFile(npyDict("<f4", "(6,)"), stored(six) + "and more")));
  EXPECT_EQ(elementsOf<float>(array), six);
}

TEST(NpyReader, UnsupportedTypesAreNamed) {
  const std::pair<const char *, const char *> kinds[] = {
      {">f4", "big-endian"},    {"<f2", "half-precision"},
      {"<f16", "long double"},  {"<c8", "complex"},
      {"|O", "Python objects"}, {"|S5", "byte strings"},
      {"<U3", "text"},          {"<M8[ns]", "dates"},
      {"|V2", "opaque bytes"},  {"<f", "long doubles"},
      {"zz", "does not know"},  {"", "does not know"}};
  for (auto [descr, kind] : kinds) {
    std::string error =
        errorOf(parse(npyFile(npyDict(descr, "(1,)"), std::string(64, 0))));
    EXPECT_HAS(error, "x.npy");
    EXPECT_HAS(error, kind);
    EXPECT_HAS(error, std::string("'") + descr + "'");
    EXPECT_HAS(error, "bool, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64");
  }
  EXPECT_HAS(errorOf(parse(npyFile("{'descr': [('a', '<f4'), ('b', '<i4')], "
                                   "'fortran_order': False, 'shape': (1,), }\n",
                                   std::string(8, 0)))),
             "structured");
}

TEST(NpyReader, MalformedHeaders) {
  const std::pair<const char *, const char *> dicts[] = {
      {"", "'{' was expected at its end"},
      {"[1]", "'{' was expected"},
      {"{", "quoted key"},
      {"{'descr", "quoted key"},
      {"{'descr' '<f4'}", "':' was expected"},
      {"{'descr': <f4}", "descr must be a string"},
      {"{'descr': '<f4' 'shape': ()}", "',' or '}'"},
      {"{'descr': '<f4', 'descr': '<f4'}", "'descr' is unknown or there twice"},
      {"{'shape': (1,), 'shape': (1,)}", "'shape' is unknown or there twice"},
      {"{'fortran_order': True, 'fortran_order': True}",
       "'fortran_order' is unknown or there twice"},
      {"{'colour': 3}", "'colour' is unknown"},
      {"{'fortran_order': 0}", "True or False"},
      {"{'shape': [3]}", "must be a tuple"},
      {"{'shape': (3)}", "must be a tuple"},
      {"{'shape': (3 4)}", "',' was expected in shape"},
      {"{'shape': (3.5,)}", "',' was expected in shape"},
      {"{'shape': (n,)}", "must hold integers"},
      {"{'shape': (3,", "must hold integers"},
      {"{'shape': (-1,)}", "negative"},
      {"{'shape': (9223372036854775808,)}", "does not fit in 64 bits"},
      {"{'descr': '<f4', 'shape': (1,)}", "must all be there"},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x",
       "text after the dict"}};
  for (auto [dict, what] : dicts) {
    std::string error = errorOf(parse(npyFile(dict, std::string(64, 0))));
    EXPECT_HAS(error, "x.npy has a malformed .npy header");
    EXPECT_HAS(error, what);
  }
  std::string many = "(";
  for (int i = 0; i < 65; ++i)
    many += "1,";
  EXPECT_HAS(errorOf(parse(npyFile(npyDict("<f4", many + ")"), "1234"))),
             "more than 64 axes");
}

TEST(NpyReader, ShapesThatOverflow) {
  for (std::string shape :
       {"(9223372036854775807,)", "(4294967296, 4294967296)",
        "(0, 4294967296, 4294967296)", "(2305843009213693952,)"})
    EXPECT_HAS(errorOf(parse(npyFile(npyDict("<f4", shape), ""))),
               "more than 2**63 - 1 bytes");
}

TEST(NpyReader, TruncatedAnywhere) {
  std::string file = npyFile(npyDict("<f4", "(2, 3)"), stored(six));
  EXPECT_HAS(errorOf(parse("")), "x.npy is empty");
  for (size_t size = 1; size < file.size(); ++size)
    EXPECT_HAS(errorOf(parse(file.substr(0, size))), "x.npy is truncated");
  EXPECT_HAS(errorOf(parse(file.substr(0, file.size() - 1))),
             "shape (2, 3) of f32 needs 24 bytes of data, 23 are there");
}

TEST(NpyReader, WrongMagicAndVersion) {
  EXPECT_HAS(errorOf(parse("PK\3\4 and more")), "not a .npy file");
  EXPECT_HAS(errorOf(parse(npyFile("{}", "", 4))), "version 4.0");
  std::string file = npyFile(npyDict("<f4", "()"), "1234");
  file[7] = 1;
  EXPECT_HAS(errorOf(parse(file)), "version 1.1");
}

TEST(NpyReader, FilesAreMappedNotCopied) {
  Folder folder;
  std::string path =
      folder.write("x.npy", npyFile(npyDict("<f4", "(6,)"), stored(six)));
  Array array = valueOf(readNpy(path));
  EXPECT_EQ(elementsOf<float>(array), six);
  // The line of the mapping that holds the data names the file.
  std::ifstream maps("/proc/self/maps");
  bool found = false;
  for (std::string line; std::getline(maps, line);) {
    uint64_t from = 0, to = 0;
    char protection[5] = "";
    std::sscanf(line.c_str(), "%lx-%lx %4s", &from, &to, protection);
    uint64_t at = reinterpret_cast<uint64_t>(array.data);
    if (from > at || at >= to)
      continue;
    found = true;
    EXPECT_STREQ(protection, "r--p");
    EXPECT_HAS(line, "x.npy");
  }
  EXPECT_TRUE(found);
}

TEST(NpyReader, ElementsPastFourGibibytes) {
  // A sparse file: 5 GiB of i8, of which one page is stored.
  Folder folder;
  int64_t size = (int64_t(5) << 30) + 3;
  std::string path = folder.write("x.npy", npyHeader(ScalarType::I8, {size}) +
                                               std::string(1, 7));
  int64_t start = int64_t(std::filesystem::file_size(path)) - 1;
  ASSERT_EQ(::truncate(path.c_str(), start + size), 0);
  int fd = ::open(path.c_str(), O_WRONLY);
  ASSERT_EQ(::pwrite(fd, "\x2a", 1, start + size - 1), 1);
  ::close(fd);
  Array array = valueOf(readNpy(path));
  int8_t first, last;
  copyElement(array, {0}, &first);
  copyElement(array, {size - 1}, &last);
  EXPECT_EQ(first, 7);
  EXPECT_EQ(last, 42);
}

TEST(NpyReader, PathsThatCanNotBeRead) {
  Folder folder;
  EXPECT_HAS(errorOf(readNpy(folder / "none.npy")), "none.npy: No such file");
  EXPECT_HAS(errorOf(readNpy(folder.path)), "is a directory");
  EXPECT_HAS(errorOf(readNpy(folder.write("e.npy", ""))), "e.npy is empty");
}

TEST(NpyReader, DescriptorOfAFileStartsAtItsPosition) {
  Folder folder;
  std::string file = npyFile(npyDict("<f4", "(6,)"), stored(six));
  std::string path = folder.write("x", "12345" + file);
  int fd = ::open(path.c_str(), O_RDONLY);
  ::lseek(fd, 5, SEEK_SET);
  Array array = valueOf(readNpyFromDescriptor(fd, "x"));
  ::close(fd);
  EXPECT_EQ(elementsOf<float>(array), six);
}

TEST(NpyReader, PipesAreReadToTheEnd) {
  // More than a pipe holds, so that the reader has to go on reading.
  std::vector<float> numbers(100000);
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = float(i);
  std::string file = npyFile(npyDict("<f4", "(100000,)"), stored(numbers));
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  if (::fork() == 0) {
    ::close(ends[0]);
    for (size_t done = 0; done < file.size();)
      done += size_t(::write(ends[1], file.data() + done, file.size() - done));
    ::_exit(0);
  }
  ::close(ends[1]);
  Array array = valueOf(readNpyFromDescriptor(ends[0], "standard input"));
  ::close(ends[0]);
  EXPECT_EQ(elementsOf<float>(array), numbers);
}
