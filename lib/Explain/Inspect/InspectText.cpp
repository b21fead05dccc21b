//===- InspectText.cpp - An inspection for the terminal -------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Inspect/Diagnosis.h"
#include "Explain/Inspect/IrTypes.h"

#include <algorithm>

using namespace wf::explain;
using namespace wf::explain::ir;

/// Appends `text` in lines of at most 80 columns, each behind `indent` blanks;
/// the first behind what `out` ends with where `hanging`.
static void wrap(std::string &out, std::string_view text, size_t indent,
                 bool hanging = false) {
  size_t newline = out.rfind('\n');
  size_t column =
      hanging ? out.size() - (newline == std::string::npos ? 0 : newline + 1)
              : 0;
  if (!hanging) {
    out.append(indent, ' ');
    column = indent;
  }
  bool first = true;
  while (!text.empty()) {
    size_t end = std::min(text.find(' '), text.size());
    std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(text.size(), end + 1));
    // Continuation bytes of UTF-8 take no column.
    size_t width = static_cast<size_t>(std::count_if(
        word.begin(), word.end(), [](char c) { return (c & 0xc0) != 0x80; }));
    if (!first && column + 1 + width > 80) {
      out += '\n';
      out.append(indent, ' ');
      column = indent;
    } else if (!first) {
      out += ' ';
      ++column;
    }
    out += word;
    column += width;
    first = false;
  }
  out += '\n';
}

static std::string_view lawText(Law law) {
  switch (law) {
  case Law::Exact:
    return "yes";
  case Law::Rounding:
    return "but for rounding";
  case Law::Broken:
    return "NO";
  case Law::Unknown:
    return "not known";
  }
  return "";
}

static void lawsText(std::string &out, const Reduction &r) {
  out += "      associative: ";
  std::string said(lawText(r.associative));
  if (r.grouping)
    said += ", " + groupingText(*r.grouping);
  else if (!r.notEvaluated.empty())
    said += ", " + r.notEvaluated;
  wrap(out, said, 8, true);
  if (r.commutative != Law::Unknown) {
    out += "      commutative: ";
    said = r.commutative == Law::Rounding ? "yes" : lawText(r.commutative);
    if (r.swapping)
      said += ", " + swappingText(*r.swapping);
    wrap(out, said, 8, true);
  }
  if (r.nanGrouping)
    wrap(out, "with NaN: " + exampleText(*r.nanGrouping), 6);
  for (const std::string &warning : r.warnings)
    wrap(out, "warning: " + warning, 6);
}

static void reductionText(std::string &out, const Reduction &r, bool laws) {
  std::string line = placeText(r.source, r.line) + ": " + r.name;
  if (r.axis >= 0)
    line += ", axis " + std::to_string(r.axis);
  for (size_t i = 0; i < r.operands.size(); ++i)
    line += (i ? " and " : " of ") + r.operands[i].shapeText();
  line += ": " + regionText(r);
  wrap(out, line, 4);
  if (laws)
    lawsText(out, r);
  if (r.spread)
    wrap(out,
         "the axis lies in " +
             counted(static_cast<uint64_t>(r.spread->registers), "register") +
             ", " + counted(static_cast<uint64_t>(r.spread->lanes), "lane") +
             ", " + counted(static_cast<uint64_t>(r.spread->warps), "warp"),
         6);
}

static void conversionText(std::string &out, const Dump &d) {
  if (d.stage != Stage::TritonGpuIr)
    return;
  if (d.conversions.empty()) {
    out += "    no convert_layout\n";
    return;
  }
  uint64_t bytes = 0;
  for (const Conversion &c : d.conversions)
    bytes += c.to.bytes();
  out += "    " + grouped(d.conversions.size()) + " convert_layout, " +
         grouped(bytes) + " bytes\n";
  for (const Conversion &c : d.conversions) {
    std::string line = placeText(c.source, c.line);
    if (c.source.line != 0)
      line += " (line " + std::to_string(c.line) + ")";
    line += ": " + c.to.shapeText() + ", " + grouped(c.to.bytes()) +
            " bytes, " + c.cause;
    wrap(out, line, 6);
  }
}

static void layoutsText(std::string &out, const Dump &d) {
  for (const Layout &l : d.layouts) {
    std::string line = l.name + ": " + l.kind;
    if (!l.sizePerThread.empty())
      line += ", " + timesText(l.sizePerThread) + " a thread, " +
              timesText(l.threadsPerWarp) + " lanes, " +
              timesText(l.warpsPerCta) + " warps, spans " +
              timesText(covers(l));
    else
      line = l.name + " = " + l.text;
    wrap(out, line, 4);
  }
}

/// `laws`: no stage before has told them.
static void dumpText(std::string &out, const Dump &d, bool laws) {
  std::string head(stageName(d.stage));
  if (!d.detail.empty())
    head += " (" + d.detail + ")";
  out += "  " + head + "  " + d.file + "\n";
  layoutsText(out, d);
  for (const Reduction &r : d.reductions)
    reductionText(out, r, laws);
  if (d.reductions.empty() &&
      (d.stage == Stage::TritonIr || d.stage == Stage::TritonGpuIr))
    out += "    no reduction\n";
  conversionText(out, d);
  if (!d.tiers.empty()) {
    std::string line;
    for (const auto &[name, count] : d.tiers)
      line += (line.empty() ? "" : ", ") + std::to_string(count) + " " + name;
    wrap(out, line, 4);
  }
  if (d.traffic) {
    wrap(out, trafficText(*d.traffic), 4);
    std::string memory = counted(d.traffic->globalLoads, "global load");
    if (d.traffic->widestLoad)
      memory +=
          " (the widest " + counted(d.traffic->widestLoad, "byte") + " a lane)";
    memory += ", " + counted(d.traffic->globalStores, "global store");
    if (d.sharedBytes)
      memory += ", " + grouped(*d.sharedBytes) + " bytes of shared memory";
    wrap(out, memory, 4);
  }
  for (const std::string &said : d.warnings)
    wrap(out, "warning: " + said, 4);
}

std::string wf::explain::inspectionText(const Inspection &inspection) {
  std::string out;
  for (const InspectedKernel &k : inspection.kernels) {
    out += out.empty() ? "" : "\n";
    out += "kernel " + k.name;
    std::string facts = k.target;
    int warps = 0, lanes = 0;
    for (size_t i : k.dumps) {
      warps = warps ? warps : inspection.dumps[i].warps;
      lanes = lanes ? lanes : inspection.dumps[i].lanes;
    }
    if (warps)
      facts += (facts.empty() ? "" : ", ") +
               counted(static_cast<uint64_t>(warps), "warp") +
               (lanes ? " of " + std::to_string(lanes) : "");
    out += facts.empty() ? "\n\n" : "  (" + facts + ")\n\n";
    bool laws = true;
    for (size_t i : k.dumps) {
      const Dump &d = inspection.dumps[i];
      dumpText(out, d, laws);
      laws = laws && d.reductions.empty();
      out += '\n';
    }
    for (const std::string &said : k.warnings)
      wrap(out, "warning: " + said, 2);
    out += k.warnings.empty() ? "" : "\n";
    wrap(out, k.diagnosis, 2);
  }
  for (const Remark &r : inspection.remarks)
    out += "note: " + r.text +
           (r.line ? " (line " + std::to_string(r.line) + ")" : "") + "\n";
  return out;
}
