//===- ProfileCommand.cpp - Count what a reduction does ------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// A table on standard output, or CSV, or one JSON object. On a GPU the vendor's
// profiler measures the same reduction, and its counters stand beside those of
// the simulated device of the same target.
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "Error/Error.h"
#include "IO/Input.h"
#include "IO/OutputFile.h"
#include "IO/Shape.h"
#include "Profile/Compare.h"
#include "Report.h"
#include "Requests.h"
#include "Runtime/Device.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace wf;
using namespace wf::cli;
using llvm::StringRef;

/// "64M" is 64 · 2^20; K, M and G are powers of 1024.
static llvm::Expected<int64_t> readCount(StringRef text) {
  StringRef digits = text;
  int64_t unit = 1, n = 0;
  if (digits.consume_back("K"))
    unit = int64_t(1) << 10;
  else if (digits.consume_back("M"))
    unit = int64_t(1) << 20;
  else if (digits.consume_back("G"))
    unit = int64_t(1) << 30;
  if (digits.getAsInteger(10, n) || n < 1 || n > (int64_t(1) << 40) / unit)
    return userError("--n wants a number of elements, not '" + text + "'",
                     "such as --n 1000000 or --n 64M (M is 2^20)");
  return n * unit;
}

/// The input: a name, or the generator that stands for it, since profiles
/// depend on no values.
static llvm::Expected<std::string> inputOf(const ProfileArguments &args) {
  if (args.input) {
    for (auto [flag, given] : {std::pair("--n", &args.n),
                               {"--shape", &args.shape},
                               {"--dtype", &args.dtype}})
      if (*given)
        return userError(
            llvm::Twine(flag) + " says what to generate, but the input is " +
                *args.input,
            llvm::Twine("leave out ") + flag +
                ", or the input to have random elements generated");
    return *args.input;
  }
  if (args.shape && args.n)
    return userError("--shape and --n both say how large the input is",
                     "leave one of them out");
  std::string type = args.dtype.value_or("f32");
  if (args.n) {
    auto n = readCount(*args.n);
    if (!n)
      return n.takeError();
    return "gen:random(" + std::to_string(*n) + ", " + type + ")";
  }
  if (!args.shape)
    return userError("profile wants an input: --n 64M, or --shape 1024x4096 "
                     "with --axis",
                     "or the name of a file");
  return "gen:random(" + *args.shape + ", " + type + ")";
}

static std::string number(double v) {
  if (v == std::floor(v) && std::fabs(v) < 1e15)
    return std::to_string(int64_t(v));
  return llvm::formatv("{0:F2}", v).str();
}

namespace {
/// What a vendor's profiler counted.
struct Measurement {
  MeasuredCounters counters;
  bool nvidia;
};
} // namespace

static std::optional<Compared> comparedTo(const Measurement *measured,
                                          const ProfileLine &line) {
  if (!measured)
    return std::nullopt;
  return compare(measured->counters, measured->nvidia, line);
}

static std::string quoted(StringRef text) {
  if (text.empty())
    return "";
  std::string all = "\"";
  for (char c : text)
    all += c == '"' ? std::string("\"\"") : std::string(1, c);
  return all + "\"";
}

static std::string tableText(const ProfileReport &report,
                             const Measurement *measured) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << report.device << "  " << report.plan << "\n";
  for (const std::string &kernel : report.kernels)
    os << "  " << kernel << '\n';
  os << llvm::formatv(
      "  {0} of {1} blocks simulated{2}; in {3:F0} ms; {4:F0} M "
      "IR instructions of lanes\n\n",
      report.simulatedBlocks, report.blocks,
      report.sampled ? ": counters are scaled (sampled)"
                     : ": counters are exact",
      1000 * report.seconds, double(report.laneInstructions) / 1e6);
  for (const ProfileLine &line : report.lines) {
    os << llvm::formatv("{0,-22} {1,16} {2,-9}", line.name,
                        line.value ? number(*line.value) : "-", line.unit);
    if (measured) {
      std::optional<Compared> c = comparedTo(measured, line);
      os << llvm::formatv(" {0,16}  ", c ? number(c->measured) : "-");
      if (c && !c->verdict.empty())
        os << c->verdict << (line.note.empty() ? "" : ";");
    }
    os << ' ' << line.note;
    while (StringRef(text).ends_with(" "))
      text.pop_back();
    os << '\n';
  }
  for (const std::string &note : report.notes)
    os << "note: " << note << '\n';
  return text;
}

static std::string csvText(const ProfileReport &report,
                           const Measurement *measured) {
  std::string text = measured ? "counter,unit,value,measured,verdict,note\n"
                              : "counter,unit,value,note\n";
  for (const ProfileLine &line : report.lines) {
    text += line.name + "," + line.unit + "," +
            (line.value ? number(*line.value) : "") + ",";
    if (measured) {
      std::optional<Compared> c = comparedTo(measured, line);
      text += c ? number(c->measured) + "," + quoted(c->verdict) + "," : ",,";
    }
    text += quoted(line.note) + "\n";
  }
  return text;
}

static std::string jsonText(const ProfileReport &report,
                            const Measurement *measured) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os, 1);
  json.object([&] {
    json.attribute("device", report.device);
    json.attribute("plan", report.plan);
    json.attribute("order", report.order);
    json.attribute("sampled", report.sampled);
    json.attribute("blocks", int64_t(report.blocks));
    json.attribute("simulated_blocks", int64_t(report.simulatedBlocks));
    json.attribute("seconds", report.seconds);
    json.attributeArray("counters", [&] {
      for (const ProfileLine &line : report.lines)
        json.object([&] {
          json.attribute("name", line.name);
          json.attribute("unit", line.unit);
          json.attribute("value", line.value ? llvm::json::Value(*line.value)
                                             : llvm::json::Value(nullptr));
          if (std::optional<Compared> c = comparedTo(measured, line)) {
            json.attribute("measured", c->measured);
            if (!c->verdict.empty())
              json.attribute("verdict", c->verdict);
          }
          if (!line.note.empty())
            json.attribute("note", line.note);
        });
    });
    json.attributeArray("notes", [&] {
      for (const std::string &note : report.notes)
        json.value(note);
    });
  });
  text += '\n';
  return text;
}

/// `warpfold reduce` of the same reduction, as words.
static std::vector<std::string> reduceCommand(const ProfileArguments &args,
                                              const std::string &input,
                                              const std::string &device) {
  std::vector<std::string> words{
      llvm::sys::fs::getMainExecutable(nullptr, nullptr), "reduce", input};
  auto add = [&](const char *flag, const Text &value) {
    if (value)
      words.insert(words.end(), {flag, *value});
  };
  const ReductionArguments &r = args.reduction;
  add("--op", r.op);
  add("--file", r.file);
  add("--map", r.map);
  add("--combine", r.combine);
  add("--update", r.update);
  add("--finish", r.finish);
  add("--neutral", r.neutral);
  add("--empty", r.empty);
  if (r.commutative)
    words.push_back("--commutative");
  for (const std::string &axis : args.axes)
    words.insert(words.end(), {"--axis", axis});
  add("--acc", args.acc);
  add("--nan", args.nan);
  add("--order", args.order);
  add("--plan", args.plan);
  for (const std::string &param : args.params)
    words.insert(words.end(), {"--param", param});
  words.insert(words.end(), {"--device", device});
  return words;
}

llvm::Error wf::cli::runProfile(const ProfileArguments &given) {
  ProfileArguments args = given;
  ReductionArguments &r = args.reduction;
  if (!r.op && !r.file && !r.combine)
    r.op = "sum";
  if (args.csv && args.json)
    return userError("--csv and --json are two ways to print the same",
                     "leave one of them out");
  ProfileRequest request;
  if (llvm::Error error = fillCommon(args, request.reduce))
    return error;
  request.exact = args.exact;
  std::string input;
  if (llvm::Error error = inputOf(args).moveInto(input))
    return error;
  std::string device = args.device.value_or("sim:sm_90");
  std::optional<Measurement> measured;
  if (device == "cuda" || StringRef(device).starts_with("cuda:") ||
      device == "hip" || StringRef(device).starts_with("hip:")) {
    auto gpu = openDevice(device);
    if (!gpu)
      return gpu.takeError();
    bool nvidia = StringRef(device).starts_with("cuda");
    auto counters = measureCounters(reduceCommand(args, input, device), nvidia);
    if (!counters)
      return counters.takeError();
    measured = {std::move(*counters), nvidia};
    device = "sim:" + (*gpu)->properties().target;
  } else if (device == "cpu") {
    return userError("a CPU has none of these counters",
                     "simulate a GPU: --device sim:sm_90 or sim:gfx1201");
  }
  request.reduce.device = device;
  InputOptions options;
  auto arrays = openInput(input, options);
  if (!arrays)
    return arrays.takeError();
  request.reduce.inputs.push_back(std::move(arrays->front().array));
  auto report = profile(request);
  if (!report)
    return report.takeError();
  const Measurement *beside = measured ? &*measured : nullptr;
  std::string text = args.json  ? jsonText(*report, beside)
                     : args.csv ? csvText(*report, beside)
                                : tableText(*report, beside);
  if (args.output)
    return writeFile(*args.output, text);
  llvm::outs() << text;
  return llvm::Error::success();
}
