//===- numpy.cpp - NumPy, in a process of its own -------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "peers/numpy.h"

#include <cstdlib>
#include <limits>

using namespace bench;

bool NumpyPeer::start(const std::string &script) {
  // A python3 found first may be one without Debian's packages.
  for (const char *python : {"python3", "/usr/bin/python3"}) {
    auto made = std::make_unique<Child>();
    if (made->start({python, script}) && made->readLine(versionText)) {
      child = std::move(made);
      return true;
    }
  }
  versionText.clear();
  return false;
}

bool NumpyPeer::isOk() {
  std::string line;
  if (child && child->readLine(line) && line == "ok")
    return true;
  child.reset();
  return false;
}

bool NumpyPeer::setData(const std::string &dtype, const void *data,
                        size_t count, size_t elementBytes) {
  return child &&
         child->send("data " + dtype + " " + std::to_string(count) + "\n") &&
         child->send(data, count * elementBytes) && isOk();
}

bool NumpyPeer::setView(const std::vector<int64_t> &shape) {
  int64_t count = 1;
  std::string text;
  for (int64_t n : shape) {
    count *= n;
    text += (text.empty() ? "" : ",") + std::to_string(n);
  }
  return child &&
         child->send("view " + std::to_string(count) + " " + text + "\n") &&
         isOk();
}

double NumpyPeer::run(int repeats, const std::string &expression) {
  std::string line;
  if (child &&
      child->send("run " + std::to_string(repeats) + " " + expression + "\n") &&
      child->readLine(line) && line.rfind("seconds ", 0) == 0)
    return std::strtod(line.c_str() + 8, nullptr);
  child.reset();
  return std::numeric_limits<double>::quiet_NaN();
}

bool NumpyPeer::result(std::string &dtype, std::vector<char> &bytes) {
  std::string line;
  if (child && child->send("result\n") && child->readLine(line) &&
      line.rfind("result ", 0) == 0) {
    size_t space = line.find(' ', 7);
    dtype = line.substr(7, space - 7);
    bytes.resize(std::strtoull(line.c_str() + space, nullptr, 10));
    if (child->read(bytes.data(), bytes.size()))
      return true;
  }
  child.reset();
  return false;
}
