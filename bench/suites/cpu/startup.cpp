//===- startup.cpp - Compile times, first results, memory -----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "suites/cpu/startup.h"

#include "harness/child.h"
#include "warpfold/warpfold.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <limits>
#include <sstream>
#include <unistd.h>

using namespace bench;

static constexpr double none = std::numeric_limits<double>::quiet_NaN();

double bench::compilePhases(const std::string &text) {
  std::istringstream lines(text);
  double sum = 0;
  bool any = false;
  for (std::string line; std::getline(lines, line);) {
    // "machine code       79.564 ms"
    size_t gap = line.find("  ");
    char unit[3] = "";
    double value = 0;
    if (gap == std::string::npos || gap == 0 ||
        std::sscanf(line.c_str() + gap, "%lf %2s", &value, unit) != 2 ||
        std::string(unit) != "ms")
      continue;
    std::string phase = line.substr(0, gap);
    if (phase == "run" || phase == "total")
      continue;
    sum += value;
    any = true;
  }
  return any ? sum : none;
}

/// A value of a one-line JSON object; NaN if it is not there.
static double jsonNumber(const std::string &text, const std::string &key) {
  size_t at = text.find("\"" + key + "\":");
  return at == std::string::npos
             ? none
             : std::strtod(text.c_str() + at + key.size() + 3, nullptr);
}

/// Time to the first result and of the compile phases of one command.
static void freshProcesses(const std::string &program, int runs,
                           std::vector<Figure> &figures) {
  const std::vector<std::string> command = {
      program, "reduce", "gen:arange(12,f32)", "--op", "sum"};
  std::vector<std::string> withTime = command;
  withTime.push_back("--time");
  Figure first{"first result of a fresh process", "ms", {}, 150, ""};
  Figure jit{"compile phases of a sum in a fresh process", "ms", {}, 40, ""};
  std::vector<double> wholes, phases;
  for (int i = 0; i <= runs; ++i) {
    auto plain = runOnce(command), timed = runOnce(withTime);
    if (!plain || plain->out != "66.0\n" || !timed || timed->out != "66.0\n") {
      first.fault = jit.fault = program + " did not print 66.0";
      break;
    }
    if (i == 0)
      continue; // the program's pages may come from the disk
    wholes.push_back(plain->seconds * 1e3);
    phases.push_back(compilePhases(timed->err));
  }
  first.value = spreadOf(wholes);
  jit.value = spreadOf(phases);
  if (jit.fault.empty() && !jit.value.rounds)
    jit.fault = "--time printed no phases";
  figures.push_back(first);
  figures.push_back(jit);
}

/// Sums that differ in a constant, so that none is in the cache.
static Figure warmPrepare(int runs) {
  Figure figure{"preparing a new sum in a running process", "ms", {}, 40, ""};
  std::vector<double> times;
  const int64_t shape[1] = {1 << 20};
  wf_array x = {WF_F32, 1, shape, nullptr};
  for (int i = 0; i <= runs; ++i) {
    std::string map = "(x) -> x * " + std::to_string(i + 2) + ".5";
    wf_request request = {};
    request.combine = "(a, b) -> a + b";
    request.map = map.c_str();
    request.inputs = &x;
    request.input_count = 1;
    wf_handle *handle = nullptr;
    bool ok = true;
    double t = timed(1, [&] { ok = wf_prepare(&request, &handle) == WF_OK; });
    if (!ok) {
      figure.fault = wf_last_error();
      return figure;
    }
    wf_destroy(handle);
    if (i > 0)
      times.push_back(t * 1e3);
  }
  figure.value = spreadOf(times);
  return figure;
}

/// Anonymous memory of a reduction of a 2 GiB file.
static Figure anonymousPeak(const std::string &program) {
  Figure figure{"anonymous peak on a 2 GiB file", "MiB", {}, 64, ""};
  const char *folder = std::getenv("TMPDIR");
  std::string path =
      std::string(folder ? folder : "/tmp") + "/warpfold-bench-XXXXXX";
  int file = mkstemp(path.data());
  // No data is written: the file has a hole of 2 GiB, which reads as zeros.
  if (file < 0 || ftruncate(file, off_t(2) << 30) != 0) {
    figure.fault = "no 2 GiB file can be made at " + path;
  } else {
    auto done = runOnce({program, "reduce", path, "--raw", "f32:536870912",
                         "--op", "sum", "--json"});
    double bytes = done ? jsonNumber(done->out, "peak_anon_bytes") : none;
    if (!(bytes > 0) || done->out.find("\"values\":[0.0]") == std::string::npos)
      figure.fault = "no result: " + (done ? done->err : "did not start");
    figure.value = spreadOf({bytes / (1 << 20)});
  }
  if (file >= 0) {
    close(file);
    unlink(path.c_str());
  }
  return figure;
}

std::vector<Figure> bench::startupFigures(const std::string &program,
                                          int runs) {
  std::vector<Figure> figures;
  freshProcesses(program, runs, figures);
  figures.push_back(warmPrepare(runs));
  figures.push_back(anonymousPeak(program));
  return figures;
}

std::string bench::selfTestStartup() {
  const char *text =
      "(12) all axes → ()\norder canonical/1 · compile 9.0 ms\n"
      "check              0.500 ms\nllvm dialect       2.000 ms\n"
      "run                7.000 ms\ntotal              9.500 ms\n";
  if (compilePhases(text) != 2.5 || !std::isnan(compilePhases("nothing\n")))
    return "compilePhases";
  if (jsonNumber("{\"a\":1,\"peak_anon_bytes\":42}", "peak_anon_bytes") != 42)
    return "jsonNumber";
  return "";
}
