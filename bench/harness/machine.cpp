//===- machine.cpp - What a result was measured on ------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "harness/machine.h"

#include <cctype>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

using namespace bench;

static std::string firstLine(const std::string &path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// The value of a "key : value" line of /proc/cpuinfo.
static std::string cpuInfo(const std::string &key) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    size_t colon = line.find(':');
    if (colon == std::string::npos || line.rfind(key, 0) != 0)
      continue;
    size_t end = line.find_last_not_of(" \t", colon - 1);
    if (end + 1 == key.size() && colon + 2 <= line.size())
      return line.substr(colon + 2);
  }
  return "?";
}

static std::vector<std::pair<std::string, int64_t>> dataCaches() {
  std::vector<std::pair<std::string, int64_t>> caches;
  for (int i = 0; i < 8; ++i) {
    std::string folder =
        "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(i) + "/";
    std::string kind = firstLine(folder + "type");
    if (kind.empty() || kind == "Instruction")
      continue;
    caches.emplace_back("L" + firstLine(folder + "level"),
                        std::atoll(firstLine(folder + "size").c_str()) *
                            1024); // "32K"
  }
  return caches;
}

Machine bench::thisMachine() {
  Machine m;
  m.cpu = cpuInfo("model name") + ", family " + cpuInfo("cpu family") +
          " model " + cpuInfo("model");
  m.clock = cpuInfo("cpu MHz") + " MHz";
  utsname system;
  if (uname(&system) == 0)
    // The version alone: what follows a dash names a distributor's build.
    m.kernel = std::string(system.sysname) + " " +
               std::string(system.release)
                   .substr(0, std::string(system.release).find('-'));
  char text[32];
  time_t seconds = time(nullptr);
  strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", gmtime(&seconds));
  m.date = text;
  m.load = firstLine("/proc/loadavg");
  m.load = m.load.substr(0, m.load.find(' '));
  m.hugePages = firstLine("/sys/kernel/mm/transparent_hugepage/enabled");
  cpu_set_t set;
  m.threads = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  m.memoryGiB = double(sysconf(_SC_PHYS_PAGES)) *
                double(sysconf(_SC_PAGESIZE)) / double(1 << 30);
  m.caches = dataCaches();
  return m;
}

std::string Machine::home(int64_t bytes) const {
  for (const auto &[name, size] : caches)
    if (bytes <= size)
      return name;
  return "DRAM";
}

std::string Machine::slug() const {
  std::string s;
  for (const char *c = cpu.c_str(); *c; ++c) {
    if (std::isalnum(static_cast<unsigned char>(*c)))
      s += char(std::tolower(static_cast<unsigned char>(*c)));
    else if (!s.empty() && s.back() != '-')
      s += '-';
  }
  return s;
}
