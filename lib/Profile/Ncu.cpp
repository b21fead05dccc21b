//===- Ncu.cpp - Counters that a vendor's profiler measured ---------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Profile/Ncu.h"

#include "Error/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace wf;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace {

struct Mapping {
  const char *metric, *ours;
  double scale; ///< to our unit
};

// Names from NVIDIA's "Nsight Compute CLI" and "Kernel Profiling Guide".
constexpr double kilobyte = 1.0 / 1024;
const Mapping ncuMetrics[] = {
    {"dram__bytes_read.sum", "FETCH_SIZE", kilobyte},
    {"dram__bytes_write.sum", "WRITE_SIZE", kilobyte},
    // Sectors of 32 bytes that the L2 gives to and takes from L1.
    {"lts__t_sectors_srcunit_tex_op_read.sum", "moved by loads", 32 * kilobyte},
    {"lts__t_sectors_srcunit_tex_op_write.sum", "moved by stores",
     32 * kilobyte},
    {"smsp__inst_executed.sum", "machine instructions", 1},
    // Instructions that some lane carried out: where a branch became a
    // predicate, the others are executed too, and do nothing.
    {"smsp__sass_inst_executed_op_shared_ld.sum", "IR shared loads", 1},
    {"smsp__sass_inst_executed_op_shared_st.sum", "IR shared stores", 1},
    {"smsp__sass_inst_executed_op_global_ld.sum", "IR global loads", 1},
    {"smsp__sass_inst_executed_op_global_st.sum", "IR global stores", 1},
    // What the L1's own counter of conflicts adds are waits of other kinds.
    {"memory_l1_wavefronts_shared", "LDS bank conflicts", 1},
    {"memory_l1_wavefronts_shared_ideal", "LDS bank conflicts", -1},
    // The L2 is asked once for each lane of those that change one address.
    {"lts__t_requests_srcunit_tex_op_atom.sum", "atomics", 1},
    {"lts__t_requests_srcunit_tex_op_red.sum", "atomics", 1},
    {"smsp__warps_launched.sum", "warps", 1},
};

// From AMD's "MI300 and MI200 performance counters".
const Mapping rocprofCounters[] = {
    {"FETCH_SIZE", "FETCH_SIZE", 1},
    {"WRITE_SIZE", "WRITE_SIZE", 1},
    {"SQ_INSTS_VALU", "VALU instructions", 1},
    {"SQ_INSTS_SALU", "SALU instructions", 1},
    {"SQ_INSTS_LDS", "LDS instructions", 1},
    {"SQ_INSTS_SMEM", "SMEM instructions", 1},
    {"SQ_LDS_BANK_CONFLICT", "LDS bank conflicts", 1},
    {"SQ_WAVES", "warps", 1},
};

/// "1,234.5" with separators, or 12.
bool readNumber(StringRef text, double &value) {
  std::string digits;
  for (char c : text)
    if (c != ',')
      digits += c;
  return !StringRef(digits).getAsDouble(value);
}

/// ncu scales its units as it likes.
double unitScale(StringRef unit) {
  return unit == "Kbyte"   ? 1e3
         : unit == "Mbyte" ? 1e6
         : unit == "Gbyte" ? 1e9
                           : 1;
}

/// Sums the values of every metric over the rows.
Expected<MeasuredCounters> collect(StringRef csv, StringRef nameColumn,
                                   StringRef valueColumn, StringRef unitColumn,
                                   StringRef kernelColumn,
                                   llvm::ArrayRef<Mapping> known,
                                   StringRef tool) {
  MeasuredCounters counters;
  size_t name = 0, value = 0, unit = SIZE_MAX, kernel = SIZE_MAX;
  bool header = false;
  for (const std::vector<std::string> &row : readCsv(csv)) {
    auto column = [&](StringRef title) {
      return size_t(llvm::find(row, title) - row.begin());
    };
    if (!header) {
      name = column(nameColumn);
      value = column(valueColumn);
      unit = unitColumn.empty() ? SIZE_MAX : column(unitColumn);
      kernel = column(kernelColumn);
      header = name < row.size() && value < row.size();
      continue;
    }
    if (row.size() <= std::max(name, value))
      continue;
    // Runtimes fill and copy memory with kernels of their own.
    if (kernel < row.size() && !StringRef(row[kernel]).starts_with("fold"))
      continue;
    for (const Mapping &m : known) {
      double number;
      if (row[name] == m.metric && readNumber(row[value], number))
        counters[m.ours] +=
            number * m.scale * (unit < row.size() ? unitScale(row[unit]) : 1);
    }
  }
  if (!header)
    return userError(tool + " gave no counters: its output has no column '" +
                         nameColumn + "'",
                     "run it by hand to see what it says");
  return counters;
}

} // namespace

std::vector<std::vector<std::string>> wf::readCsv(StringRef text) {
  std::vector<std::vector<std::string>> rows;
  for (StringRef line : llvm::split(text, '\n')) {
    line = line.rtrim('\r');
    std::vector<std::string> row(1);
    bool quoted = false;
    for (size_t i = 0; i < line.size(); ++i) {
      char c = line[i];
      if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
        row.back() += line[i++];
      else if (c == '"')
        quoted = !quoted;
      else if (c == ',' && !quoted)
        row.emplace_back();
      else
        row.back() += c;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

Expected<MeasuredCounters> wf::readNcu(StringRef csv) {
  return collect(csv, "Metric Name", "Metric Value", "Metric Unit",
                 "Kernel Name", ncuMetrics, "ncu");
}

Expected<MeasuredCounters> wf::readRocprof(StringRef csv) {
  return collect(csv, "Counter_Name", "Counter_Value", "", "Kernel_Name",
                 rocprofCounters, "rocprofv3");
}

/// Runs a program; its standard output, or a device error with what it said.
static Expected<std::string> runChild(llvm::ArrayRef<std::string> words) {
  llvm::SmallString<128> out, err;
  if (std::error_code ec = llvm::sys::fs::createTemporaryFile("wf", "out", out))
    return deviceError("cannot make a temporary file: " + ec.message());
  if (std::error_code ec = llvm::sys::fs::createTemporaryFile("wf", "err", err))
    return deviceError("cannot make a temporary file: " + ec.message());
  llvm::scope_exit remove([&] {
    (void)llvm::sys::fs::remove(out);
    (void)llvm::sys::fs::remove(err);
  });
  std::vector<StringRef> arguments(words.begin(), words.end());
  std::optional<StringRef> redirects[] = {std::nullopt, StringRef(out),
                                          StringRef(err)};
  int code =
      llvm::sys::ExecuteAndWait(words[0], arguments, std::nullopt, redirects);
  auto said = [](StringRef path) {
    auto file = llvm::MemoryBuffer::getFile(path);
    return file ? (*file)->getBuffer().str() : std::string();
  };
  std::string text = said(out);
  if (code == 0)
    return text;
  // ncu says what hinders it on standard output.
  return deviceError(llvm::sys::path::filename(words[0]) +
                         " failed with code " + llvm::Twine(code) + ": " +
                         StringRef(said(err) + text).trim().take_back(1500),
                     "reading counters may need rights that the driver's "
                     "settings withhold");
}

Expected<MeasuredCounters>
wf::measureCounters(llvm::ArrayRef<std::string> command, bool nvidia) {
  const char *tool = nvidia ? "ncu" : "rocprofv3";
  auto found = llvm::sys::findProgramByName(tool);
  if (!found)
    return userError(llvm::Twine(tool) +
                         ", which reads a GPU's counters, is not on PATH",
                     nvidia ? "install NVIDIA Nsight Compute, or simulate: "
                              "--device sim:sm_90"
                            : "install ROCm's rocprofv3, or simulate: --device "
                              "sim:gfx942");
  std::vector<std::string> words{*found};
  if (nvidia) {
    std::string metrics;
    for (const Mapping &m : ncuMetrics)
      metrics += (metrics.empty() ? "" : ",") + std::string(m.metric);
    // Cold caches, as the simulator's; every kernel of ours.
    words.insert(words.end(),
                 {"--csv", "--page", "details", "--print-units", "base",
                  "--cache-control", "all", "--clock-control", "none",
                  "--kernel-name", "regex:^fold", "--metrics", metrics});
    words.insert(words.end(), command.begin(), command.end());
    auto csv = runChild(words);
    if (!csv)
      return csv.takeError();
    return readNcu(*csv);
  }
  llvm::SmallString<128> folder;
  if (std::error_code ec = llvm::sys::fs::createUniqueDirectory("wf", folder))
    return deviceError("cannot make a temporary folder: " + ec.message());
  llvm::scope_exit remove(
      [&] { (void)llvm::sys::fs::remove_directories(folder); });
  words.push_back("--pmc");
  for (const Mapping &m : rocprofCounters)
    words.push_back(m.metric);
  words.insert(words.end(), {"--output-format", "csv", "-d", folder.str().str(),
                             "-o", "wf", "--"});
  words.insert(words.end(), command.begin(), command.end());
  auto done = runChild(words);
  if (!done)
    return done.takeError();
  std::error_code ec;
  for (llvm::sys::fs::recursive_directory_iterator it(folder, ec), end;
       it != end && !ec; it.increment(ec))
    if (StringRef(it->path()).ends_with("counter_collection.csv"))
      if (auto file = llvm::MemoryBuffer::getFile(it->path()))
        return readRocprof((*file)->getBuffer());
  return deviceError("rocprofv3 wrote no counter_collection.csv");
}
