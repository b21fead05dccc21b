//===- child.cpp - Processes that a benchmark starts ----------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "harness/child.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace bench;

extern char **environ;

/// Starts a command with these descriptors as 0, 1 and 2 (-1: /dev/null).
static pid_t spawn(const std::vector<std::string> &command, const int fds[3]) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int i = 0; i < 3; ++i) {
    if (fds[i] >= 0)
      posix_spawn_file_actions_adddup2(&actions, fds[i], i);
    else
      posix_spawn_file_actions_addopen(&actions, i, "/dev/null", O_RDWR, 0);
  }
  std::vector<char *> argv, environment;
  for (const std::string &word : command)
    argv.push_back(const_cast<char *>(word.c_str()));
  argv.push_back(nullptr);
  for (char **e = environ; *e; ++e)
    if (std::strncmp(*e, "OPENBLAS_CORETYPE=", 18) != 0)
      environment.push_back(*e);
  environment.push_back(nullptr);
  pid_t pid = -1;
  if (posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(),
                   environment.data()) != 0)
    pid = -1;
  posix_spawn_file_actions_destroy(&actions);
  return pid;
}

bool Child::start(const std::vector<std::string> &command) {
  int to[2], from[2];
  if (pipe2(to, O_CLOEXEC) != 0)
    return false;
  if (pipe2(from, O_CLOEXEC) != 0) {
    close(to[0]);
    close(to[1]);
    return false;
  }
  const int fds[3] = {to[0], from[1], -1};
  pid = spawn(command, fds);
  close(to[0]);
  close(from[1]);
  in = to[1];
  out = from[0];
  fcntl(in, F_SETPIPE_SZ, 1 << 20); // fewer switches while data is sent
  return pid > 0;
}

Child::~Child() {
  if (in >= 0)
    close(in);
  if (out >= 0)
    close(out);
  if (pid > 0)
    waitpid(pid, nullptr, 0);
}

bool Child::send(const void *bytes, size_t count) {
  for (auto *p = static_cast<const char *>(bytes); count > 0;) {
    ssize_t n = write(in, p, count);
    if (n <= 0)
      return false;
    p += n;
    count -= size_t(n);
  }
  return true;
}

bool Child::readLine(std::string &line) {
  for (;;) {
    size_t end = ahead.find('\n');
    if (end != std::string::npos) {
      line = ahead.substr(0, end);
      ahead.erase(0, end + 1);
      return true;
    }
    char buffer[4096];
    ssize_t n = ::read(out, buffer, sizeof buffer);
    if (n <= 0)
      return false;
    ahead.append(buffer, size_t(n));
  }
}

bool Child::read(void *bytes, size_t count) {
  auto *p = static_cast<char *>(bytes);
  size_t first = std::min(count, ahead.size());
  std::memcpy(p, ahead.data(), first);
  ahead.erase(0, first);
  for (p += first, count -= first; count > 0;) {
    ssize_t n = ::read(out, p, count);
    if (n <= 0)
      return false;
    p += n;
    count -= size_t(n);
  }
  return true;
}

/// Reads both streams to their ends.
static void drain(int out, int err, Finished &finished) {
  pollfd polls[2] = {{out, POLLIN, 0}, {err, POLLIN, 0}};
  std::string *texts[2] = {&finished.out, &finished.err};
  for (int open = 2; open > 0;) {
    if (poll(polls, 2, -1) < 0)
      return;
    for (int i = 0; i < 2; ++i) {
      if (polls[i].fd < 0 || !polls[i].revents)
        continue;
      char buffer[4096];
      ssize_t n = ::read(polls[i].fd, buffer, sizeof buffer);
      if (n > 0) {
        texts[i]->append(buffer, size_t(n));
        continue;
      }
      polls[i].fd = -1;
      --open;
    }
  }
}

std::optional<Finished>
bench::runOnce(const std::vector<std::string> &command) {
  int out[2], err[2];
  if (pipe2(out, O_CLOEXEC) != 0)
    return std::nullopt;
  if (pipe2(err, O_CLOEXEC) != 0) {
    close(out[0]);
    close(out[1]);
    return std::nullopt;
  }
  Finished finished;
  const int fds[3] = {-1, out[1], err[1]};
  auto start = std::chrono::steady_clock::now();
  pid_t pid = spawn(command, fds);
  close(out[1]);
  close(err[1]);
  if (pid > 0) {
    drain(out[0], err[0], finished);
    int status = 0;
    waitpid(pid, &status, 0);
    finished.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    finished.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
            .count();
  }
  close(out[0]);
  close(err[0]);
  if (pid <= 0)
    return std::nullopt;
  return finished;
}
