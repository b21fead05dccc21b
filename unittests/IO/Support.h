//===- Support.h - What the tests of lib/IO share ---------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Folders that remove themselves, error texts, arrays as lists of numbers, and
// the bytes of hand-made files.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_UNITTESTS_IO_SUPPORT_H
#define WARPFOLD_UNITTESTS_IO_SUPPORT_H

#include "Error/Error.h"
#include "IO/Elements.h"
#include "IO/Mapping.h"
#include "gtest/gtest.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace wf::test {

/// A new folder that is removed with all it holds.
class Folder {
public:
  Folder() {
    std::string pattern = std::filesystem::temp_directory_path() / "wfioXXXXXX";
    path = mkdtemp(pattern.data());
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::string operator/(const std::string &name) const {
    return path + "/" + name;
  }
  std::string write(const std::string &name, const std::string &bytes) const {
    std::ofstream(*this / name, std::ios::binary) << bytes;
    return *this / name;
  }
  /// Names in the folder, joined by spaces, in order.
  std::string list() const {
    std::vector<std::string> names;
    for (const auto &entry : std::filesystem::directory_iterator(path))
      names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    std::string text;
    for (const std::string &name : names)
      text += (text.empty() ? "" : " ") + name;
    return text;
  }
  std::string path;
};

inline std::string contents(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream all;
  all << in.rdbuf();
  return all.str();
}

/// Message and hint of an error of the user's, "" for success.
inline std::string textOf(llvm::Error error) {
  std::string text;
  llvm::handleAllErrors(std::move(error), [&](const WarpfoldError &e) {
    EXPECT_EQ(e.kind, ErrorKind::User);
    EXPECT_FALSE(e.message.empty());
    text = e.message + "\n" + e.hint;
  });
  return text;
}
template <class T> std::string errorOf(llvm::Expected<T> value) {
  return value ? "" : textOf(value.takeError());
}

/// The value, or a failure that shows the error and a default value.
template <class T> T valueOf(llvm::Expected<T> value) {
  if (value)
    return std::move(*value);
  ADD_FAILURE() << textOf(value.takeError());
  return T();
}

#define EXPECT_HAS(text, part)                                                 \
  EXPECT_NE(std::string(text).find(part), std::string::npos)                   \
      << "in: " << (text) << "\nmissing: " << (part)

inline Bytes bytesOf(const std::string &text) {
  auto owner = std::make_shared<std::string>(text);
  return Bytes{owner->data(), owner->size(), owner};
}

/// All elements, row-major.
template <class T> std::vector<T> elementsOf(const Array &array) {
  EXPECT_EQ(size_t(byteSize(array.type)), sizeof(T));
  std::vector<T> list(size_t(array.elements()));
  copyElements(array, 0, array.elements(), list.data());
  return list;
}

/// The stored bytes of numbers.
template <class T> std::string stored(const std::vector<T> &numbers) {
  return std::string(reinterpret_cast<const char *>(numbers.data()),
                     numbers.size() * sizeof(T));
}

/// A .npy file with this dict, as given; version 1 unless said otherwise.
inline std::string npyFile(const std::string &dict, const std::string &data,
                           int version = 1) {
  std::string file("\x93NUMPY", 6);
  file += char(version);
  file += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i)
    file += char(dict.size() >> (8 * i) & 255);
  return file + dict + data;
}
inline std::string npyDict(const std::string &descr, const std::string &shape,
                           bool fortran = false) {
  return "{'descr': '" + descr +
         "', 'fortran_order': " + (fortran ? "True" : "False") +
         ", 'shape': " + shape + ", }\n";
}

} // namespace wf::test

#endif // WARPFOLD_UNITTESTS_IO_SUPPORT_H
