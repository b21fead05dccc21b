//===- main.cpp - The CPU suite -------------------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Fills the data, runs every row on all threads and on one, measures startup,
// prints the table as it goes, and writes Markdown and CSV where asked.
//===----------------------------------------------------------------------===//
#include "peers/peers.h"
#include "suites/cpu/contenders.h"
#include "suites/cpu/startup.h"

#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace bench;

namespace {
struct Options {
  Budget budget;
  std::string only, folder, commit = "unknown", program;
  bool wantsNumpy = true, wantsStartup = true;
  int startupRuns = 11;
};
} // namespace

static const char usage[] =
    R"(usage: bench/run cpu [--seconds S] [--only TEXT] [--no-numpy] [-o DIR]

  --seconds S   time for each row and number of threads (2.5; at least 5 rounds)
  --only TEXT   rows whose name has TEXT in it; "startup" for those figures
  --no-numpy    leave NumPy out
  -o DIR        also write Markdown and CSV, named after the processor (whole
                suite only)
)";

static bool parse(int argc, char **argv, Options &o) {
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    if (word == "--no-numpy") {
      o.wantsNumpy = false;
      continue;
    }
    if (word == "-h" || word == "--help" || i + 1 == argc)
      return false;
    std::string value = argv[++i];
    if (word == "--seconds")
      o.budget.seconds = std::strtod(value.c_str(), nullptr);
    else if (word == "--only")
      o.only = value;
    else if (word == "-o")
      o.folder = value;
    else if (word == "--commit")
      o.commit = value;
    else {
      std::fprintf(stderr, "error: unknown argument %s\n", word.c_str());
      return false;
    }
  }
  if (!o.only.empty() && !o.folder.empty()) {
    std::fputs("error: -o keeps results of the whole suite: leave out --only\n",
               stderr);
    return false;
  }
  if (!o.only.empty())
    o.wantsStartup = o.only == "startup";
  o.program = (std::filesystem::path(argv[0]).parent_path() / "warpfold");
  return true;
}

/// The harness and the checks, tested with wrong answers before they are used.
static bool selfTest() {
  for (auto test :
       {selfTestMeasure, selfTestReport, selfTestReference, selfTestStartup})
    if (std::string fault = test(); !fault.empty()) {
      std::fprintf(stderr, "internal error: self-test: %s\n", fault.c_str());
      return false;
    }
  return true;
}

static void describePeers(Report &report, const NumpyPeer &numpy,
                          const Options &o) {
  auto has = [&](bool is, const char *name, const char *package) {
    if (is)
      report.peers.push_back(name);
    else
      report.skipped.push_back(std::string(name) + ": " + package +
                               " was not there at build time");
  };
  has(haveStdReduce(), "std::reduce(par_unseq) on oneTBB", "libtbb-dev");
  has(haveEigen(), "Eigen", "libeigen3-dev");
  report.peers.push_back("a hand-written loop of 16 SIMD accumulators");
  if (numpy.running())
    report.peers.push_back(numpy.version() + ", one thread");
  else
    report.skipped.push_back(o.wantsNumpy ? "NumPy: no python3 here has it "
                                            "(python3-numpy)"
                                          : "NumPy: --no-numpy");
}

namespace {
/// One suite run: the data as it stands and what has been measured.
struct Suite {
  const Options &options;
  Report report;
  Data data;
  NumpyPeer numpy;
  std::vector<std::unique_ptr<ThreadTeam>> teams; ///< all threads, then one

  explicit Suite(const Options &o) : options(o), data(size_t(1) << 30) {
    report.machine = thisMachine();
    report.commit = o.commit;
    report.compiler = __VERSION__;
    if (report.machine.threads > 1)
      teams.push_back(std::make_unique<ThreadTeam>(report.machine.threads));
    teams.push_back(std::make_unique<ThreadTeam>(1));
    if (o.wantsNumpy)
      numpy.start(BENCH_NUMPY_SCRIPT);
    describePeers(report, numpy, o);
  }

  /// Reads the end of the data, twice as much as the largest cache holds.
  /// Spoiled outputs lie dirty in the caches; without this their write-back
  /// would be timed. No row that comes from memory finds this end in a cache:
  /// it begins elsewhere and is longer.
  std::function<void()> flush = [this] {
    size_t largest = 0, all = size_t(1) << 30;
    for (const auto &cache : report.machine.caches)
      largest = std::max(largest, size_t(cache.second));
    size_t part = std::min(2 * largest, all / 4) / 4096 * 4096;
    readOneStream(*teams.back(), data.as<char>() + (all - part), part);
  };

  void fill(const Row &row) {
    wf_type type = typeOf(row.data);
    size_t count = (size_t(1) << 30) / sizeOf(type);
    data.fill(row.data, count, *teams[0]);
    numpy.setData(numpyName(type), data.bytes(), count, sizeOf(type));
  }

  void measure(const Row &row) {
    Wanted wanted = wantedOf(row, data);
    uint64_t joined = data.joinedWords(row.bytes());
    numpy.setView(row.shape);
    for (auto &team : teams) {
      Setting setting{row, data, wanted, joined, *team, numpy};
      Line line{row.name,     report.machine.home(int64_t(row.bytes())),
                team->size(), double(row.bytes()),
                "",           wanted.tolerance,
                {},           row.targets};
      Entrants entrants = entrantsOf(setting);
      line.plan = entrants.plan;
      if (entrants.contenders.empty())
        line.series.push_back({"warpfold", {}, entrants.error});
      else
        line.series = interleave(entrants.contenders, options.budget,
                                 line.home == "DRAM" ? flush : nullptr);
      std::printf("%s\n", lineText(line).c_str());
      std::fflush(stdout);
      report.lines.push_back(std::move(line));
    }
  }

  void run() {
    std::printf("%s\n", headText().c_str());
    std::optional<Fill> filled;
    for (const Row &row : allRows()) {
      if (row.name.find(options.only) == std::string::npos)
        continue;
      if (filled != row.data)
        fill(row);
      filled = row.data;
      measure(row);
    }
    if (!options.wantsStartup)
      return;
    report.figures = startupFigures(options.program, options.startupRuns);
    std::printf("\n");
    for (const Figure &f : report.figures)
      std::printf("%s\n", figureText(f).c_str());
  }
};
} // namespace

static bool write(const Report &report, const std::string &folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  std::string stem = folder + "/" + report.machine.slug();
  std::ofstream(stem + ".md") << markdown(report);
  std::ofstream(stem + ".csv") << csv(report);
  std::ifstream md(stem + ".md"), table(stem + ".csv");
  if (md && table)
    std::printf("\nwritten: %s.md, .csv\n", stem.c_str());
  else
    std::fprintf(stderr, "error: cannot write to %s\n", folder.c_str());
  return md && table;
}

int main(int argc, char **argv) {
  Options options;
  if (!parse(argc, argv, options)) {
    std::fputs(usage, stderr);
    return 1;
  }
  std::signal(SIGPIPE, SIG_IGN); // a child that ends is not our end
  if (!selfTest())
    return 70;
  Suite suite(options);
  if (!suite.data.bytes()) {
    std::fputs("device error: no 1 GiB of memory for the data\n", stderr);
    return 2;
  }
  const Machine &m = suite.report.machine;
  std::printf("%s, %d threads, %s, load %s, commit %s, %s\n", m.cpu.c_str(),
              m.threads, m.kernel.c_str(), m.load.c_str(),
              options.commit.c_str(), m.date.c_str());
  for (const std::string &s : suite.report.skipped)
    std::printf("skipped: %s\n", s.c_str());
  suite.run();
  auto missed = shortfalls(suite.report);
  std::printf("\n%zu missed, refused or wrong\n", missed.size());
  for (const std::string &s : missed)
    std::printf("  %s\n", s.c_str());
  // A missed target is a result, not a failure of the run.
  return options.folder.empty() || write(suite.report, options.folder) ? 0 : 2;
}
