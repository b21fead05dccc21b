//===- Diagnosis.cpp - What a kernel's dumps come to ----------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Inspect/Diagnosis.h"

#include "Explain/Inspect/IrTypes.h"
#include "Explain/Inspect/Traffic.h"

#include <algorithm>
#include <bit>

namespace wf::explain::ir {

std::string grouped(uint64_t number) {
  std::string text = std::to_string(number);
  for (size_t at = text.size(); at > 3;)
    text.insert(at -= 3, ",");
  return text;
}

std::string counted(uint64_t count, std::string_view what) {
  std::string text = (count == 0 ? "no" : grouped(count)) + " ";
  text += what;
  if (count == 1)
    return text;
  if (what == "redux")
    return text;
  return text + "s";
}

std::string groupingText(const CounterExample &e) {
  return "(" + e.states[0] + "∘" + e.states[1] + ")∘" + e.states[2] + " = " +
         e.left + ", but " + e.states[0] + "∘(" + e.states[1] + "∘" +
         e.states[2] + ") = " + e.right;
}

std::string swappingText(const CounterExample &e) {
  return e.states[0] + "∘" + e.states[1] + " = " + e.left + ", but " +
         e.states[1] + "∘" + e.states[0] + " = " + e.right;
}

std::string exampleText(const CounterExample &e) {
  return e.states.size() == 3 ? groupingText(e) : swappingText(e);
}

std::string regionText(const Reduction &r) {
  if (!r.combiner.empty())
    return "one operation, " + r.combiner;
  if (r.region.empty())
    return "a region without operations";
  std::string text = counted(r.region.size(), "operation") + " (";
  constexpr size_t shown = 12;
  for (size_t i = 0; i < std::min(shown, r.region.size()); ++i)
    text += (i ? ", " : "") + r.region[i];
  return text + (r.region.size() > shown ? ", …)" : ")");
}

std::string placeText(const SourceLine &source, uint32_t line) {
  if (source.line == 0)
    return "line " + std::to_string(line);
  size_t slash = source.file.find_last_of("/\\");
  return (slash == std::string::npos ? source.file
                                     : source.file.substr(slash + 1)) +
         ":" + std::to_string(source.line);
}

std::string trafficText(const Traffic &t) {
  std::string text;
  auto add = [&](uint64_t count, std::string_view what) {
    if (count == 0)
      return;
    text += (text.empty() ? "" : ", ") + counted(count, what);
  };
  add(t.shuffles, "shuffle");
  add(t.redux, "redux");
  add(t.dpp, "DPP move");
  add(t.permutes, "lane permute");
  add(t.readLanes, "lane read");
  add(t.votes, "vote");
  add(t.sharedStores, "shared store");
  add(t.sharedLoads, "shared load");
  add(t.barriers, "barrier");
  add(t.atomics, "atomic");
  add(t.localAccesses, "local access");
  // "local accesss" is no word.
  if (size_t at = text.find("accesss"); at != std::string::npos)
    text.replace(at, 7, "accesses");
  return text.empty() ? "nothing crosses lanes" : text;
}

/// "#blocked1 (1x1 a thread, 32x1 lanes, 2x2 warps)".
static std::string layoutText(const Dump &dump, const std::string &name,
                              int depth = 0) {
  Layout layout = layoutOf(dump.layouts, name);
  std::string said =
      layout.name.empty() ? "a " + layout.kind + " layout" : layout.name;
  if (layout.kind == "slice" && depth < 4)
    return "what reducing dimension " + std::to_string(layout.dim) + " of " +
           layoutText(dump, layout.parent, depth + 1) + " leaves";
  if (layout.sizePerThread.empty())
    return said;
  return said + " (" + timesText(layout.sizePerThread) + " a thread, " +
         timesText(layout.threadsPerWarp) + " lanes, " +
         timesText(layout.warpsPerCta) + " warps)";
}

/// How the layout's tile fits the shape: "covers 2x32 of 64x32".
static std::string fitText(const Dump &dump, const TensorType &type) {
  Layout layout = layoutOf(dump.layouts, type.layout);
  std::vector<int64_t> tile = covers(layout);
  if (tile.size() != type.shape.size() || tile.empty())
    return "";
  int64_t copies = 1;
  for (size_t i = 0; i < tile.size(); ++i)
    if (type.shape[i] > 0 && tile[i] > type.shape[i])
      copies *= tile[i] / type.shape[i];
  std::string shape = type.shapeText();
  std::string text = type.layout + " spans " + timesText(tile) + " of " +
                     shape.substr(0, shape.rfind('x'));
  if (copies > 1)
    text +=
        ", so that " + std::to_string(copies) + " threads hold each element";
  return text;
}

static std::string causeOf(const Dump &dump, const Conversion &c) {
  std::string text = "from " + layoutText(dump, c.from.layout) + " to " +
                     layoutText(dump, c.to.layout);
  if (!c.usedBy.empty())
    text += ", which " + c.usedBy + " takes";
  std::string warps =
      dump.warps ? "num_warps = " + std::to_string(dump.warps) : "its warps";
  if (c.follows >= 0) {
    const Conversion &first = dump.conversions[static_cast<size_t>(c.follows)];
    text += "; two in a row: the value was converted at line " +
            std::to_string(first.line) + " already";
    if (c.between > 0)
      text += ", " + counted(static_cast<uint64_t>(c.between), "operation") +
              " before";
    if (first.from.layout == c.to.layout && c.between == 0)
      text += ", and comes back to where it was";
    text += "; " + warps + " and shape " + c.to.shapeText() +
            " make neither layout serve both sides";
  }
  std::string from = fitText(dump, c.from), to = fitText(dump, c.to);
  if (!from.empty() || !to.empty()) {
    text += "; with " + warps + " " + from;
    text += (!from.empty() && !to.empty() ? ", and " : "") + to;
  }
  return text;
}

/// The reductions as the earliest stage that has them tells; layouts from the
/// stage with layouts.
static const Dump *firstWith(const InspectedKernel &kernel,
                             const std::vector<Dump> &dumps, bool layouts) {
  for (size_t i : kernel.dumps) {
    const Dump &d = dumps[i];
    if (layouts ? d.stage == Stage::TritonGpuIr : !d.reductions.empty())
      return &d;
  }
  return nullptr;
}

static const Dump *lowest(const InspectedKernel &kernel,
                          const std::vector<Dump> &dumps) {
  const Dump *found = nullptr;
  for (size_t i : kernel.dumps)
    if (dumps[i].traffic)
      found = &dumps[i];
  return found;
}

static std::string reductionSentence(const Reduction &r) {
  std::string text = r.name + " at " + placeText(r.source, r.line);
  text += " combines ";
  text += r.length > 0 ? grouped(static_cast<uint64_t>(r.length)) : "the";
  for (size_t i = 0; i < r.operands.size(); ++i)
    text += (i ? " and " : " ") + r.operands[i].element;
  text += r.operands.size() > 1 ? " states" : " elements";
  if (r.axis >= 0)
    text += " along axis " + std::to_string(r.axis);
  text += " with " + regionText(r);
  if (r.grouping)
    text += ", which is not associative: " + groupingText(*r.grouping) +
            ". The result depends on layout, num_warps and chip, and no "
            "order is the right one; carry a state that can be combined (a sum "
            "and a count) or fold in a loop";
  else if (r.swapping && r.name == "tt.reduce")
    text += ", which is associative but not commutative: " +
            swappingText(*r.swapping) +
            ". Triton combines lanes in either order, so that the result is "
            "not defined";
  else if (r.associative == Law::Rounding)
    text += ", associative but for rounding";
  else if (r.associative == Law::Exact)
    text += r.nanGrouping
                ? ", which any order of combining leaves the same but for NaN"
                : ", which any order of combining leaves the same";
  text += ". ";
  for (const std::string &said : r.warnings)
    text += "It " + said + "; sum in a wider type. ";
  return text;
}

static uint64_t steps(int64_t count) {
  return count <= 1 ? 0
                    : static_cast<uint64_t>(
                          std::bit_width(static_cast<uint64_t>(count - 1)));
}

static std::string spreadSentence(const Reduction &r) {
  const Spread &s = *r.spread;
  std::string text = "The axis lies in " +
                     counted(static_cast<uint64_t>(s.registers), "register") +
                     ", " + counted(static_cast<uint64_t>(s.lanes), "lane") +
                     " and " + counted(static_cast<uint64_t>(s.warps), "warp");
  if (s.lanes <= 1 && s.warps <= 1)
    return text + ": nothing needs to leave a thread. ";
  text += ": ";
  if (s.lanes > 1)
    text += counted(steps(s.lanes), "step") + " between lanes";
  if (s.warps > 1)
    text += std::string(s.lanes > 1 ? ", then " : "") +
            "one trip through shared memory with a barrier or more between "
            "warps";
  return text + ". ";
}

static std::string conversionSentence(const Dump &dump) {
  if (dump.conversions.empty())
    return "No layout is converted. ";
  uint64_t bytes = 0;
  int row = 0;
  for (const Conversion &c : dump.conversions) {
    bytes += c.to.bytes();
    row += c.follows >= 0;
  }
  std::string text = counted(dump.conversions.size(), "layout conversion") +
                     " move" + (dump.conversions.size() == 1 ? "s " : " ") +
                     grouped(bytes) + " bytes a block";
  text[0] = text[0] >= 'a' && text[0] <= 'z' ? char(text[0] - 32) : text[0];
  if (row)
    text += ", " + std::string(row == 1 ? "one of them" : "some of them") +
            " right after another: try other num_warps or block sizes, or "
            "reduce along the axis that is contiguous";
  return text + ". ";
}

static void collectWarnings(InspectedKernel &kernel,
                            const std::vector<Dump> &dumps) {
  auto add = [&](const std::string &said) {
    if (std::find(kernel.warnings.begin(), kernel.warnings.end(), said) ==
        kernel.warnings.end())
      kernel.warnings.push_back(said);
  };
  const Dump *reduces = firstWith(kernel, dumps, false);
  constexpr size_t most = 64;
  if (reduces)
    for (const Reduction &r : reduces->reductions) {
      if (kernel.warnings.size() > most)
        break;
      std::string at = placeText(r.source, r.line) + ": ";
      if (r.grouping)
        add(at +
            "the combine is not associative: " + groupingText(*r.grouping));
      if (r.swapping && (r.name == "tt.reduce" || r.grouping))
        add(at +
            "the combine is not commutative: " + swappingText(*r.swapping));
      if (r.nanGrouping)
        add(at + "with NaN the result depends on order: " +
            exampleText(*r.nanGrouping));
      for (const std::string &said : r.warnings)
        add(at + said);
    }
  for (size_t i : kernel.dumps) {
    for (const std::string &said : dumps[i].warnings)
      if (kernel.warnings.size() <= most)
        add(said);
    for (const Conversion &c : dumps[i].conversions)
      if (c.follows >= 0 && kernel.warnings.size() <= most)
        add(placeText(c.source, c.line) +
            ": two layout conversions in a row, the first at line " +
            std::to_string(
                dumps[i].conversions[static_cast<size_t>(c.follows)].line));
  }
}

/// A checkpoint that does not show what the one before promised.
static void compareStages(InspectedKernel &kernel,
                          const std::vector<Dump> &dumps) {
  const Dump *ttir = nullptr, *ttgir = nullptr;
  for (size_t i : kernel.dumps) {
    ttir = dumps[i].stage == Stage::TritonIr ? &dumps[i] : ttir;
    ttgir = dumps[i].stage == Stage::TritonGpuIr ? &dumps[i] : ttgir;
  }
  if (ttir && ttgir && ttir->reductions.size() != ttgir->reductions.size())
    kernel.warnings.push_back(
        "TTIR has " + counted(ttir->reductions.size(), "reduction") +
        " and TTGIR " + counted(ttgir->reductions.size(), "reduction"));
}

void diagnose(InspectedKernel &kernel, std::vector<Dump> &dumps) {
  for (size_t i : kernel.dumps)
    for (Conversion &c : dumps[i].conversions)
      c.cause = causeOf(dumps[i], c);
  collectWarnings(kernel, dumps);
  compareStages(kernel, dumps);

  std::string text;
  const Dump *reduces = firstWith(kernel, dumps, false);
  const Dump *layouts = firstWith(kernel, dumps, true);
  const Dump *low = lowest(kernel, dumps);
  if (!reduces)
    text += "No reduction is in these dumps. ";
  constexpr size_t told = 4;
  if (reduces)
    for (size_t k = 0; k < std::min(told, reduces->reductions.size()); ++k) {
      text += reductionSentence(reduces->reductions[k]);
      const Dump *spread = layouts ? layouts : reduces;
      if (k < spread->reductions.size() && spread->reductions[k].spread)
        text += spreadSentence(spread->reductions[k]);
    }
  for (size_t i : kernel.dumps)
    if (!dumps[i].warnings.empty()) {
      text += "At " + dumps[i].warnings[0] + "; carry a wider type. ";
      break;
    }
  if (layouts)
    text += conversionSentence(*layouts);
  if (low) {
    std::string stage(stageName(low->stage));
    text += stage + " shows " + trafficText(*low->traffic);
    if (reduces && !any(*low->traffic))
      text += ": the reduction stays within a thread";
    text += ".";
  }
  while (!text.empty() && text.back() == ' ')
    text.pop_back();
  kernel.diagnosis = std::move(text);
}

} // namespace wf::explain::ir
