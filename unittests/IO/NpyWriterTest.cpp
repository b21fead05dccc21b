//===- NpyWriterTest.cpp - Tests of writing .npy -------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "IO/Generators.h"
#include "IO/Npy.h"
#include "IO/Slice.h"
#include "Support.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

using namespace wf;
using namespace wf::test;

static Array generate(const std::string &text) {
  return valueOf(parseGenerator(text));
}

TEST(NpyWriter, HeaderIsNumPys) {
  // numpy.save(f, numpy.zeros((3, 4), 'f4')) starts with these 128 bytes.
  std::string expected("\x93NUMPY\x01\x00\x76\x00", 10);
  expected += "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }";
  expected.resize(127, ' ');
  EXPECT_EQ(npyHeader(ScalarType::F32, {3, 4}), expected + "\n");
  EXPECT_HAS(npyHeader(ScalarType::Bool, {}), "'|b1'");
  EXPECT_HAS(npyHeader(ScalarType::U8, {}), "'|u1'");
  EXPECT_HAS(npyHeader(ScalarType::I64, {5}), "'shape': (5,), ");
  EXPECT_HAS(npyHeader(ScalarType::I64, {}), "'shape': (), ");
  std::vector<int64_t> axes(64, 1);
  EXPECT_EQ(npyHeader(ScalarType::I64, axes).size() % 64, 0u);
}

TEST(NpyWriter, WhatIsWrittenIsReadBack) {
  Folder folder;
  for (std::string text :
       {"gen:arange(24, f32, 2x3x4)", "gen:random(1000x333, f64, 3)",
        "gen:full(-3, 70000x3, i64)", "gen:values([true, false], bool)",
        "gen:full(1.5, (), f32)", "gen:full(1, 3x0, u16)"}) {
    Array array = generate(text);
    EXPECT_EQ(textOf(writeNpy(folder / "y.npy", array)), "");
    Array back = valueOf(readNpy(folder / "y.npy"));
    EXPECT_EQ(back.type, array.type);
    EXPECT_EQ(back.shape, array.shape);
    Array whole = valueOf(materialize(array));
    EXPECT_EQ(std::memcmp(back.data, whole.data,
                          size_t(array.elements() * byteSize(array.type))),
              0)
        << text;
  }
  EXPECT_EQ(folder.list(), "y.npy");
}

TEST(NpyWriter, AnyStrides) {
  Folder folder;
  Array array =
      valueOf(slice(valueOf(materialize(generate("gen:arange(12, i32, 3x4)"))),
                    "::-1, 1::2"));
  ASSERT_EQ(textOf(writeNpy(folder / "y.npy", array)), "");
  EXPECT_EQ(elementsOf<int32_t>(valueOf(readNpy(folder / "y.npy"))),
            (std::vector<int32_t>{9, 11, 5, 7, 1, 3}));
}

TEST(NpyWriter, TheFileThatIsReadMayBeOverwritten) {
  Folder folder;
  ASSERT_EQ(textOf(writeNpy(folder / "x.npy", generate("gen:arange(4, i32)"))),
            "");
  Array reversed = valueOf(slice(valueOf(readNpy(folder / "x.npy")), "::-1"));
  ASSERT_EQ(textOf(writeNpy(folder / "x.npy", reversed)), "");
  EXPECT_EQ(elementsOf<int32_t>(valueOf(readNpy(folder / "x.npy"))),
            (std::vector<int32_t>{3, 2, 1, 0}));
}

TEST(NpyWriter, PathsThatCanNotBeWritten) {
  Folder folder;
  Array array = generate("gen:arange(4, i32)");
  std::string error = textOf(writeNpy(folder / "no/y.npy", array));
  EXPECT_HAS(error, "cannot write " + folder.path + "/no/y.npy");
  EXPECT_HAS(error, "create the folder first");
  EXPECT_HAS(textOf(writeNpy(folder.path, array)), "is a directory");
  EXPECT_HAS(textOf(writeNpy("", array)), "empty name");
  ASSERT_EQ(::symlink("nowhere", (folder / "link.npy").c_str()), 0);
  EXPECT_HAS(textOf(writeNpy(folder / "link.npy", array)), "leads nowhere");
  EXPECT_EQ(folder.list(), "link.npy");
}

TEST(NpyWriter, WriteProtectedFilesAndFoldersStay) {
  if (::geteuid() == 0)
    GTEST_SKIP() << "root may write everywhere";
  Folder folder;
  Array array = generate("gen:arange(4, i32)");
  std::string path = folder.write("y.npy", "old");
  ::chmod(path.c_str(), 0444);
  EXPECT_HAS(textOf(writeNpy(path, array)), "Permission denied");
  ::chmod(path.c_str(), 0644);
  ::chmod(folder.path.c_str(), 0555);
  EXPECT_HAS(textOf(writeNpy(path, array)), "Permission denied");
  ::chmod(folder.path.c_str(), 0755);
  EXPECT_EQ(contents(path), "old");
  EXPECT_EQ(folder.list(), "y.npy");
}

TEST(NpyWriter, LinksAreFollowedAndModesKept) {
  Folder folder;
  std::string path = folder.write("real.npy", "old");
  ::chmod(path.c_str(), 0640);
  ASSERT_EQ(::symlink("real.npy", (folder / "link.npy").c_str()), 0);
  ASSERT_EQ(
      textOf(writeNpy(folder / "link.npy", generate("gen:arange(4, i32)"))),
      "");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.npy"));
  EXPECT_EQ(valueOf(readNpy(path)).elements(), 4);
  struct stat info;
  ASSERT_EQ(::stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0640u);
}

TEST(NpyWriter, PipesAreWrittenAndNotReplaced) {
  Folder folder;
  std::string path = folder / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  // Open at both ends, so that neither side waits for the other.
  int fd = ::open(path.c_str(), O_RDWR);
  EXPECT_EQ(textOf(writeNpy(path, generate("gen:arange(4, i32)"))), "");
  EXPECT_TRUE(std::filesystem::is_fifo(path));
  char bytes[200];
  EXPECT_EQ(::read(fd, bytes, sizeof bytes), 128 + 16);
  ::close(fd);
  EXPECT_EQ(folder.list(), "pipe");
}

TEST(NpyWriter, FullDeviceIsAnError) {
  // Root could replace the system's own device if the writer were wrong, so
  // it gets a node of its own.
  Folder folder;
  std::string path = "/dev/full";
  if (::geteuid() == 0) {
    path = folder / "full";
    if (::mknod(path.c_str(), S_IFCHR | 0666, makedev(1, 7)) != 0)
      GTEST_SKIP() << "no device can be made here";
  }
  int fd = ::open(path.c_str(), O_WRONLY);
  if (fd < 0)
    GTEST_SKIP() << "devices can not be opened here";
  ::close(fd);
  EXPECT_HAS(textOf(writeNpy(path, generate("gen:arange(4, i32)"))),
             "No space left");
  EXPECT_TRUE(std::filesystem::is_character_file(path));
}

// What the disk can not take, at several lengths: the old file stays and no
// temporary is left. The limit acts as a full disk does, and would end the
// process by a signal if the writer did not hold it back.
TEST(NpyWriter, DiskThatFillsUp) {
  Folder folder;
  std::string path = folder.write("y.npy", "old");
  Array array = generate("gen:random(1000000, f32)");
  rlimit before;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  for (rlim_t limit : {0, 1, 127, 128, 129, 1000000, 4000127}) {
    rlimit small{limit, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    std::string npy = textOf(writeNpy(path, array));
    std::string npz = textOf(writeNpz(path, {{"a", array}}));
    ::setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_HAS(npy, "cannot write " + path + ": File too large");
    EXPECT_HAS(npy, "nothing was changed");
    EXPECT_HAS(npz, "File too large");
    EXPECT_EQ(contents(path), "old");
    EXPECT_EQ(folder.list(), "y.npy");
  }
  EXPECT_EQ(textOf(writeNpy(path, array)), "");
  EXPECT_EQ(std::filesystem::file_size(path), 4000128u);
}
