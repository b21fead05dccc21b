//===- ProgressBar.cpp - How far long work has come -----------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "ProgressBar.h"

#include "Runtime/ThreadPool.h"

#include <chrono>
#include <cstdio>
#include <string>
#include <unistd.h>

using namespace wf;
using namespace wf::cli;

ProgressBar::ProgressBar() {
  if (isatty(STDERR_FILENO))
    thread = std::thread([this] { watch(); });
}

ProgressBar::~ProgressBar() {
  if (!thread.joinable())
    return;
  {
    std::lock_guard<std::mutex> lock(mutex);
    end = true;
  }
  ended.notify_all();
  thread.join();
}

void ProgressBar::watch() {
  constexpr int width = 40;
  bool shown = false;
  auto wait = std::chrono::milliseconds(1000);
  std::unique_lock<std::mutex> lock(mutex);
  while (!ended.wait_for(lock, wait, [&] { return end; })) {
    wait = std::chrono::milliseconds(200);
    double done = ThreadPool::progress();
    int filled = int(done * width);
    std::fprintf(stderr, "\r[%s%s] %3d %%", std::string(filled, '#').c_str(),
                 std::string(width - filled, ' ').c_str(), int(done * 100));
    shown = true;
  }
  if (shown)
    std::fprintf(stderr, "\r\033[K"); // to the line's start, and clear it
}
