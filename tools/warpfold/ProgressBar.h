//===- ProgressBar.h - How far long work has come ----------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// While one of these lives and standard error is a terminal, a bar shows there
// how much of the running kernel is done, from the first second on. It erases
// itself; a log file or a pipe never sees it.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_TOOLS_PROGRESSBAR_H
#define WARPFOLD_TOOLS_PROGRESSBAR_H

#include <condition_variable>
#include <mutex>
#include <thread>

namespace wf::cli {

class ProgressBar {
public:
  ProgressBar();
  ~ProgressBar();

private:
  void watch();

  std::mutex mutex;
  std::condition_variable ended;
  bool end = false;
  std::thread thread;
};

} // namespace wf::cli

#endif // WARPFOLD_TOOLS_PROGRESSBAR_H
