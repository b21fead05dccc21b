//===- DevicesCommand.cpp - What this machine can run on -----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// One line per device: name, cores, SIMD or memory and cache, and a read rate
// that is measured here and now, from a buffer larger than any cache (of an AMD
// GPU the hardware table's bandwidth). What is
// not there is one line on standard error.
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "Error/Error.h"
#include "Plan/Hardware.h"
#include "Runtime/Cuda/ReadRate.h"
#include "Runtime/Device.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <sched.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace wf;

namespace {

std::string cpuName() {
  auto info = llvm::MemoryBuffer::getFileAsStream("/proc/cpuinfo");
  if (info) {
    llvm::StringRef text = (*info)->getBuffer();
    size_t at = text.find("model name");
    if (at != llvm::StringRef::npos)
      return text.substr(at).split(':').second.split('\n').first.trim().str();
  }
  return llvm::sys::getHostCPUName().str();
}

/// Cores that this process may use.
unsigned usableCores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    return unsigned(CPU_COUNT(&set));
  return std::max(1u, std::thread::hardware_concurrency());
}

std::string simdName() {
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  for (const char *name : {"avx512f", "avx2", "avx", "sse4.2", "sse2", "neon"})
    if (features.lookup(name))
      return name;
  return "none";
}

/// Sums the words of [begin, end): sixteen chains, so that adding never waits.
uint64_t readAll(const uint64_t *begin, const uint64_t *end) {
  uint64_t sums[16] = {};
  for (; begin + 16 <= end; begin += 16)
    for (int i = 0; i < 16; ++i)
      sums[i] += begin[i];
  uint64_t total = 0;
  for (uint64_t s : sums)
    total += s;
  return total;
}

/// Gigabytes (1e9) per second, the best of five passes of `threads` threads
/// over twice the last-level cache, and 256 MiB at least.
double measureReadRate(unsigned threads) {
  const size_t cache = size_t(std::max(0l, sysconf(_SC_LEVEL3_CACHE_SIZE)));
  const size_t words = std::max(2 * cache, size_t(256) << 20) / 8;
  // Not value-initialised: each thread touches its own part first.
  std::unique_ptr<uint64_t[]> data(new uint64_t[words]);
  std::atomic<uint64_t> sink{0};
  auto onEach = [&](auto &&work) {
    std::vector<std::thread> team;
    for (unsigned t = 0; t < threads; ++t)
      team.emplace_back([&, t] {
        work(&data[words / threads * t], &data[words / threads * (t + 1)]);
      });
    for (std::thread &thread : team)
      thread.join();
  };
  onEach([](uint64_t *b, uint64_t *e) { std::fill(b, e, 1); });
  double best = 0;
  for (int pass = 0; pass < 5; ++pass) {
    auto start = std::chrono::steady_clock::now();
    onEach([&](uint64_t *b, uint64_t *e) { sink += readAll(b, e); });
    std::chrono::duration<double> took =
        std::chrono::steady_clock::now() - start;
    best = std::max(best, double(words * 8) / 1e9 / took.count());
  }
  return best;
}

/// An error's message in one line.
std::string messageOf(llvm::Error error) {
  std::string message;
  llvm::handleAllErrors(std::move(error), [&](const WarpfoldError &e) {
    message = llvm::StringRef(e.message).split('\n').first.str();
  });
  return message;
}

/// "304 CUs, 192.0 GiB, L2 4 MiB, " of a device named `name`.
void printProperties(const DeviceProperties &about, llvm::StringRef name,
                     llvm::StringRef multiprocessors) {
  llvm::outs() << name << " " << about.name << " (" << about.target << "), "
               << about.multiprocessors << " " << multiprocessors << ", "
               << llvm::format("%.1f GiB, L2 %.4g MiB, ",
                               double(about.memoryBytes) / double(1 << 30),
                               double(about.l2Bytes) / double(1 << 20));
}

void printCuda(Device &device, llvm::StringRef name) {
  printProperties(device.properties(), name, "SMs");
  llvm::Expected<double> rate = cuda::measureReadRate(device);
  if (rate)
    llvm::outs() << llvm::format("%.1f GB/s read (measured)\n", *rate);
  else
    llvm::outs() << "(not measured: " << messageOf(rate.takeError()) << ")\n";
}

/// The kernel that measures is PTX; of an AMD card the table's figure is told.
void printHip(Device &device, llvm::StringRef name) {
  const DeviceProperties &about = device.properties();
  printProperties(about, name, "CUs");
  // The table has a card a target, and others of that target differ.
  const Hardware *row = findHardware(about.target);
  llvm::outs()
      << (row ? llvm::formatv(
                    "{0:F0} GB/s (datasheet of the {1}, not measured)\n",
                    row->bandwidth.value, row->card)
                    .str()
              : "(not measured)\n");
}

/// A line for each device of a driver; on standard error why there is none.
void printDevices(llvm::StringRef driver,
                  void (*print)(Device &device, llvm::StringRef name)) {
  llvm::Expected<int> count = deviceCount(driver);
  if (!count) {
    llvm::errs() << messageOf(count.takeError()) << "\n";
    return;
  }
  for (int index = 0; index < *count; ++index) {
    std::string name = (driver + ":" + llvm::Twine(index)).str();
    auto device = openDevice(name);
    if (device)
      print(**device, name);
    else
      llvm::errs() << messageOf(device.takeError()) << "\n";
  }
}

/// The hardware table: a line a target, or every figure of one.
llvm::Error printTable(llvm::StringRef target) {
  if (target.empty()) {
    llvm::outs() << hardwareSummary();
    return llvm::Error::success();
  }
  auto row = lookupHardware(target);
  if (!row)
    return row.takeError();
  llvm::outs() << hardwareText(**row);
  return llvm::Error::success();
}

} // namespace

llvm::Error cli::runDevices(const DevicesArguments &args) {
  if (args.table)
    return printTable(*args.table);
  unsigned cores = usableCores();
  llvm::outs() << "cpu   " << cpuName() << ", " << cores
               << (cores == 1 ? " core, " : " cores, ") << simdName() << ", "
               << llvm::format("%.1f", measureReadRate(cores))
               << " GB/s read (measured)\n";
  printDevices("cuda", printCuda);
  printDevices("hip", printHip);
  return llvm::Error::success();
}
