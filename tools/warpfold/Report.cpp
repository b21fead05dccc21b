//===- Report.cpp - What the user sees of a result -----------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Report.h"
#include "IO/Format.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace wf;
using llvm::errs;
using llvm::outs;

std::string wf::cli::resultName(const Outcome &outcome,
                                const NamedResult &result) {
  if (outcome.name.empty())
    return result.name;
  if (result.name.empty())
    return outcome.name;
  return outcome.name + "." + result.name;
}

void wf::cli::printText(llvm::ArrayRef<Outcome> outcomes, bool full) {
  for (const Outcome &outcome : outcomes)
    for (const NamedResult &result : outcome.result.results) {
      std::string name = resultName(outcome, result);
      if (!name.empty())
        outs() << name << " = ";
      printArray(outs(), result.array, full);
      outs() << '\n';
    }
}

static void writeIntegers(llvm::json::OStream &json, llvm::StringRef key,
                          llvm::ArrayRef<int64_t> values) {
  json.attributeArray(key, [&] {
    for (int64_t value : values)
      json.value(value);
  });
}

static void writeProblem(llvm::json::OStream &json, const ReduceResult &r) {
  writeIntegers(json, "shape_in", r.shapeIn);
  writeIntegers(json, "axes", r.axes);
  json.attribute("plan", r.plan);
}

/// A measured number with three digits after the point: 20.123.
static void writeMeasure(llvm::json::OStream &json, llvm::StringRef key,
                         double value) {
  json.attributeBegin(key);
  json.rawValue(
      [&](llvm::raw_ostream &os) { os << llvm::format("%.3f", value); });
  json.attributeEnd();
}

void wf::cli::printJson(llvm::ArrayRef<Outcome> outcomes) {
  const bool several = outcomes.size() > 1;
  const ReduceResult &first = outcomes.front().result;
  double compile = 0, run = 0, bytes = 0;
  int64_t peak = 0;
  for (const Outcome &outcome : outcomes) {
    const ReduceResult &r = outcome.result;
    compile += r.compileMicros;
    run += r.runMicros;
    bytes += r.gigabytesPerSecond * r.runMicros;
    peak = std::max(peak, r.peakAnonBytes);
  }

  llvm::json::OStream json(outs());
  json.objectBegin();
  json.attributeArray("results", [&] {
    for (const Outcome &outcome : outcomes)
      for (const NamedResult &result : outcome.result.results)
        json.object([&] {
          json.attribute("name", resultName(outcome, result));
          json.attribute("dtype", llvm::StringRef(name(result.array.type)));
          writeIntegers(json, "shape", result.array.shape);
          json.attributeBegin("values");
          writeJsonValues(json, result.array);
          json.attributeEnd();
          if (several)
            writeProblem(json, outcome.result);
        });
  });
  if (!several)
    writeProblem(json, first);
  json.attribute("order", first.order);
  json.attribute("device", first.device);
  writeMeasure(json, "compile_us", compile);
  writeMeasure(json, "run_us", run);
  writeMeasure(json, "gbps", run > 0 ? bytes / run : 0);
  json.attribute("peak_anon_bytes", peak);
  json.objectEnd();
  outs() << '\n';
}

/// "(64, 128)", and "(64)" for one axis.
static std::string shapeText(llvm::ArrayRef<int64_t> shape) {
  std::string text;
  for (int64_t size : shape)
    text += (text.empty() ? "" : ", ") + llvm::itostr(size);
  return "(" + text + ")";
}

static std::string axesText(const ReduceResult &r) {
  if (r.axes.size() == r.shapeIn.size())
    return "all axes";
  std::string text;
  for (int64_t axis : r.axes)
    text += (text.empty() ? "" : ", ") + llvm::itostr(axis);
  return (r.axes.size() == 1 ? "axis " : "axes ") + text;
}

void wf::cli::printSummary(const Outcome &outcome, bool rate) {
  const ReduceResult &r = outcome.result;
  if (!outcome.name.empty())
    errs() << outcome.name << ": ";
  errs() << shapeText(r.shapeIn) << ' ' << axesText(r) << " → "
         << shapeText(r.results.front().array.shape) << '\n';
  errs() << "order " << r.order << " · " << r.device;
  if (rate) {
    errs() << " · compile " << llvm::format("%.1f", r.compileMicros / 1e3)
           << " ms · run " << llvm::format("%.3f", r.runMicros / 1e3)
           << " ms · " << llvm::format("%.3g", r.gigabytesPerSecond) << " GB/s";
    errs() << "\nplan " << r.plan;
  }
  errs() << '\n';
  printNotes(r.notes);
}

void wf::cli::printNotes(llvm::ArrayRef<std::string> notes) {
  for (const std::string &note : notes)
    errs() << "note: " << note << '\n';
}

void wf::cli::printPhases(
    llvm::ArrayRef<std::pair<std::string, double>> phases) {
  size_t width = 0;
  double total = 0;
  for (const auto &[phase, micros] : phases) {
    width = std::max(width, phase.size());
    total += micros;
  }
  width = std::max(width, llvm::StringRef("total").size());
  auto line = [&](llvm::StringRef phase, double micros) {
    errs() << llvm::left_justify(phase, unsigned(width))
           << llvm::format("  %10.3f ms\n", micros / 1e3);
  };
  for (const auto &[phase, micros] : phases)
    line(phase, micros);
  line("total", total);
}

void wf::cli::printPlan(const Outcome &outcome) {
  if (!outcome.name.empty())
    errs() << outcome.name << ":\n";
  const std::string &text = outcome.result.explanation;
  if (text.empty()) // nothing was folded
    errs() << "plan " << outcome.result.plan << '\n';
  else
    errs() << text;
}
