//===- CodeCacheTest.cpp - A folder that may hold anything ----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Runtime/CodeCache.h"

#include "../IO/Support.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace wf;
using test::contents;
using test::Folder;

namespace {

/// Code that says which key it belongs to, of a length that differs by key.
std::string codeOf(const std::string &key) {
  std::string code;
  for (size_t i = 0; i < 1000 + 37 * key.size(); ++i)
    code += char(i * 31 + size_t(key[i % key.size()]));
  return code;
}

/// Sets when a file was last used, in seconds since 1970.
void setUsed(const std::string &path, time_t seconds) {
  timespec times[2] = {{seconds, 0}, {seconds, 0}};
  ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0) << path;
}

int64_t bytesIn(const Folder &folder) {
  int64_t total = 0;
  for (const auto &entry : std::filesystem::directory_iterator(folder.path))
    total += int64_t(entry.file_size());
  return total;
}

/// An environment variable as it was, whatever the test did to it.
class Variable {
public:
  Variable(const char *name, const char *value) : name(name) {
    const char *old = ::getenv(name);
    before = old ? std::optional<std::string>(old) : std::nullopt;
    set(value);
  }
  ~Variable() { set(before ? before->c_str() : nullptr); }
  void set(const char *value) {
    if (value)
      ::setenv(name, value, 1);
    else
      ::unsetenv(name);
  }

private:
  const char *name;
  std::optional<std::string> before;
};

TEST(CodeCache, GivesBackWhatWasPut) {
  Folder folder;
  CodeCache cache(folder / "a/b");
  std::string odd("k\0\n/..\xff", 7);
  EXPECT_EQ(cache.get("one"), std::nullopt);
  cache.put("one", codeOf("one"));
  cache.put(odd, codeOf("odd"));
  cache.put("", "empty key");
  cache.put("nothing", "");
  EXPECT_EQ(cache.get("one"), codeOf("one"));
  EXPECT_EQ(cache.get(odd), codeOf("odd"));
  EXPECT_EQ(cache.get(""), "empty key");
  EXPECT_EQ(cache.get("nothing"), "");
  cache.put("one", "anew");
  EXPECT_EQ(cache.get("one"), "anew");
  EXPECT_EQ(CodeCache(folder / "a/b").get("one"), "anew") << "another object";
  struct stat info;
  ASSERT_EQ(::stat((folder / "a/b").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u) << "others may put code there";
}

TEST(CodeCache, AnEntryOfAnotherKeyIsNotTaken) {
  Folder folder;
  CodeCache cache(folder.path);
  cache.put("one", "code of one");
  // As if both keys had the same hash.
  std::filesystem::copy(cache.fileOf("one"), cache.fileOf("two"));
  EXPECT_EQ(cache.get("two"), std::nullopt);
  cache.put("two", "code of two");
  EXPECT_EQ(cache.get("two"), "code of two");
}

TEST(CodeCache, EveryDamagedEntryIsIgnoredAndRebuilt) {
  Folder folder;
  CodeCache cache(folder.path);
  const std::string key = "a key", code = codeOf(key);
  cache.put(key, code);
  const std::string path = cache.fileOf(key), whole = contents(path);
  ASSERT_EQ(whole.size(), 8u + 8 + 8 + key.size() + code.size() + 8);
  auto writeEntry = [&](const std::string &bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
  };
  auto expectRebuilt = [&](const std::string &what) {
    EXPECT_EQ(cache.get(key), std::nullopt) << what;
    cache.put(key, code);
    EXPECT_EQ(cache.get(key), code) << what;
  };
  for (size_t at = 0; at < whole.size(); at += at < 64 ? 1 : 97) {
    for (int bit : {0, 7}) {
      std::string damaged = whole;
      damaged[at] = char(damaged[at] ^ (1 << bit));
      writeEntry(damaged);
      expectRebuilt("byte " + std::to_string(at));
    }
    writeEntry(whole.substr(0, at));
    expectRebuilt("cut at " + std::to_string(at));
  }
  std::string last = whole;
  last.back() = char(last.back() ^ 1);
  writeEntry(last);
  expectRebuilt("the last byte");
  writeEntry(whole + '\0');
  expectRebuilt("a byte too many");
  writeEntry(std::string(whole.size(), '\0'));
  expectRebuilt("zeros, as a crash may leave");
  // Lengths whose sum overflows to the right one.
  std::string lengths = whole;
  for (int i = 8; i < 24; ++i)
    lengths[size_t(i)] = '\xff';
  writeEntry(lengths);
  expectRebuilt("huge lengths");
}

TEST(CodeCache, SomethingElseInAnEntrysPlace) {
  Folder folder;
  CodeCache cache(folder.path);
  const std::string path = cache.fileOf("key");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(cache.get("key"), std::nullopt) << "a pipe";
  cache.put("key", "code");
  EXPECT_EQ(cache.get("key"), "code") << "a pipe";
  std::string outside = folder.write("outside", "precious");
  ::unlink(path.c_str());
  ASSERT_EQ(::symlink(outside.c_str(), path.c_str()), 0);
  EXPECT_EQ(cache.get("key"), std::nullopt) << "a link";
  cache.put("key", "code");
  EXPECT_EQ(contents(outside), "precious");
  EXPECT_EQ(cache.get("key"), "code") << "a link";
  ::unlink(path.c_str());
  std::filesystem::create_directory(path);
  EXPECT_EQ(cache.get("key"), std::nullopt) << "a folder";
  cache.put("key", "code");
  EXPECT_EQ(cache.get("key"), std::nullopt) << "a folder";
}

TEST(CodeCache, AnotherUsersEntryIsNotRun) {
  Folder folder;
  CodeCache cache(folder.path);
  cache.put("key", "code");
  if (::chown(cache.fileOf("key").c_str(), 65534, 65534) != 0)
    GTEST_SKIP() << "only root may give files away";
  EXPECT_EQ(cache.get("key"), std::nullopt);
}

TEST(CodeCache, TheBoundHoldsAndTheLeastUsedGo) {
  Folder folder;
  CodeCache large(folder.path);
  auto key = [](int i) { return "key " + std::to_string(100 + i); };
  for (int i = 0; i < 10; ++i) {
    large.put(key(i), codeOf(key(0)));
    setUsed(large.fileOf(key(i)), 1000 + i);
  }
  const int64_t each = bytesIn(folder) / 10;
  CodeCache bounded(folder.path, 10 * each);
  ASSERT_TRUE(bounded.get(key(0))); // used now
  bounded.put(key(10), codeOf(key(0)));
  EXPECT_EQ(bytesIn(folder), 10 * each);
  EXPECT_TRUE(bounded.get(key(0)));
  EXPECT_FALSE(bounded.get(key(1)));
  for (int i = 2; i <= 10; ++i)
    EXPECT_TRUE(large.get(key(i))) << i;
  // One that alone fills it drives the others out; a larger one is not kept.
  const size_t overhead = size_t(each) - codeOf(key(0)).size();
  bounded.put(key(11), std::string(size_t(10 * each) - overhead, 'x'));
  EXPECT_EQ(bytesIn(folder), 10 * each);
  EXPECT_TRUE(bounded.get(key(11)));
  bounded.put(key(12), std::string(size_t(10 * each) - overhead + 1, 'x'));
  EXPECT_FALSE(bounded.get(key(12)));
  EXPECT_TRUE(bounded.get(key(11)));
}

TEST(CodeCache, OnlyOurOwnOldFilesAreRemoved) {
  Folder folder;
  CodeCache cache(folder.path, 2000);
  folder.write("notes.txt", std::string(5000, 'n'));
  setUsed(folder.write(".warpfold-1-1.tmp", "left by a process that died"), 99);
  folder.write(".warpfold-1-2.tmp", "being written");
  cache.put("key", "code");
  std::string name = std::filesystem::path(cache.fileOf("key")).filename();
  EXPECT_EQ(folder.list(), ".warpfold-1-2.tmp " + name + " notes.txt");
}

TEST(CodeCache, AFolderThatCannotBeWrittenIsNoError) {
  Folder folder;
  std::string file = folder.write("file", "");
  for (const std::string &path :
       {file, file + "/sub", std::string("/proc/none"),
        folder / std::string(300, 'x')}) {
    CodeCache cache(path);
    cache.put("key", "code");
    EXPECT_EQ(cache.get("key"), std::nullopt) << path;
  }
  EXPECT_EQ(folder.list(), "file");
}

TEST(CodeCache, TheEnvironmentNamesTheFolder) {
  Folder folder;
  Variable home("HOME", (folder / "home").c_str());
  Variable xdg("XDG_CACHE_HOME", nullptr), given("WARPFOLD_CACHE_DIR", nullptr);
  Variable bound("WARPFOLD_CACHE_BYTES", nullptr);
  auto folderNow = [] {
    std::string file = llvm::cantFail(CodeCache::fromEnvironment()).fileOf("k");
    return file.substr(0, file.rfind('/'));
  };
  EXPECT_EQ(folderNow(), folder / "home/.cache/warpfold");
  xdg.set("not/absolute");
  EXPECT_EQ(folderNow(), folder / "home/.cache/warpfold");
  xdg.set((folder / "xdg").c_str());
  EXPECT_EQ(folderNow(), folder / "xdg/warpfold");
  given.set((folder / "given").c_str());
  EXPECT_EQ(folderNow(), folder / "given");
  bound.set("100");
  llvm::cantFail(CodeCache::fromEnvironment()).put("k", std::string(68, 'x'));
  EXPECT_EQ(folder.list(), "");
  llvm::cantFail(CodeCache::fromEnvironment()).put("k", std::string(67, 'x'));
  EXPECT_EQ(folder.list(), "given");
  for (const char *bad : {"many", "-1", "1e6", "99999999999999999999"}) {
    bound.set(bad);
    auto cache = CodeCache::fromEnvironment();
    EXPECT_EQ(llvm::toString(cache.takeError()),
              std::string("error: WARPFOLD_CACHE_BYTES is no number of bytes: "
                          "'") +
                  bad + "'\nhint: as in WARPFOLD_CACHE_BYTES=268435456");
  }
}

TEST(CodeCache, OffKeepsNothing) {
  Folder folder;
  Variable home("HOME", folder.path.c_str());
  Variable xdg("XDG_CACHE_HOME", nullptr), given("WARPFOLD_CACHE_DIR", "off");
  CodeCache cache = llvm::cantFail(CodeCache::fromEnvironment());
  cache.put("key", "code");
  EXPECT_EQ(cache.get("key"), std::nullopt);
  EXPECT_EQ(folder.list(), "");
  // Neither is there a folder where there is no home.
  given.set(nullptr);
  home.set(nullptr);
  CodeCache homeless = llvm::cantFail(CodeCache::fromEnvironment());
  homeless.put("key", "code");
  EXPECT_EQ(homeless.get("key"), std::nullopt);
}

/// What one of several processes does: puts, gets, and damages entries of a
/// folder whose bound holds half of them. 0, or the round that went wrong.
int shareFolder(const std::string &path, int seed) {
  CodeCache cache(path, 15 * 1200);
  uint32_t random = uint32_t(seed) * 2654435761u + 1;
  for (int round = 1; round <= 400; ++round) {
    random = random * 1664525u + 1013904223u;
    std::string key = "key " + std::to_string(random >> 27); // 32 keys
    std::optional<std::string> code = cache.get(key);
    if (code && *code != codeOf(key))
      return round;
    if (!code)
      cache.put(key, codeOf(key));
    if (round % 50 == 0) {
      std::fstream file(cache.fileOf(key), std::ios::in | std::ios::out);
      file.seekp((random >> 8) % 1000);
      file << 'X';
    }
  }
  return 0;
}

TEST(CodeCache, ProcessesShareAFolder) {
  Folder folder;
  std::vector<pid_t> children;
  for (int child = 0; child < 8; ++child) {
    pid_t pid = ::fork();
    ASSERT_GE(pid, 0);
    if (pid == 0)
      ::_exit(shareFolder(folder / "shared", child) ? 1 : 0);
    children.push_back(pid);
  }
  for (pid_t pid : children) {
    int status = -1;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR)
      continue;
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0)
        << "code of another key, or a damaged one, was given out";
  }
  int64_t total = 0;
  for (const auto &entry :
       std::filesystem::directory_iterator(folder / "shared")) {
    EXPECT_EQ(entry.path().extension(), ".code") << entry.path();
    total += int64_t(entry.file_size());
  }
  EXPECT_GT(total, 0);
  EXPECT_LE(total, 15 * 1200);
}

} // namespace
