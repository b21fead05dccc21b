//===- report.cpp - Tables of what was measured ---------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "harness/report.h"

#include <cmath>
#include <cstdio>

using namespace bench;

/// Columns that compare ours with another, where it took part.
static const char *const comparedWith[] = {"read-only", "std::reduce", "Eigen",
                                           "hand loop", "NumPy"};

/// Beyond every cache nothing reads much faster than a loop that only reads.
static constexpr double artefact = 1.1;

static std::string format(const char *pattern, double value) {
  char text[64];
  std::snprintf(text, sizeof text, pattern, value);
  return text;
}

static std::string joinTexts(const std::vector<std::string> &texts,
                             const char *between) {
  std::string all;
  for (const std::string &t : texts)
    all += (all.empty() ? "" : between) + t;
  return all;
}

const Series *bench::readOnlyOf(const Line &line) {
  const Series *best = nullptr;
  for (const Series &s : line.series)
    if (s.name.rfind("read", 0) == 0 && s.fault.empty() &&
        (!best || timeOf(s).median < timeOf(*best).median))
      best = &s;
  return best;
}

static const Series *find(const Line &line, const std::string &name) {
  if (name == "read-only")
    return readOnlyOf(line);
  for (const Series &s : line.series)
    if (s.name == name)
      return &s;
  return nullptr;
}

static double rate(const Line &line, const Series *s) {
  return s && s->fault.empty() ? line.bytes / timeOf(*s).median * 1e-9 : NAN;
}

/// True for a rate that no reader of memory can have.
static bool isArtefact(const Line &line, const Series &s) {
  const Series *read = readOnlyOf(line);
  return line.home == "DRAM" && read && s.name.rfind("read", 0) != 0 &&
         speedRatio(s, *read).median > artefact;
}

/// "0.97±0.01": how fast ours is compared with that contender.
static std::string ratioCell(const Line &line, const std::string &name) {
  const Series *other = find(line, name);
  if (!other)
    return "-";
  if (!other->fault.empty())
    return "wrong";
  Spread s = speedRatio(line.series[0], *other);
  if (!s.rounds)
    return "-";
  std::string text =
      format("%.2f", s.median) + format("±%.2f", (s.high - s.low) / 2);
  return name != "read-only" && isArtefact(line, *other) ? text + "!" : text;
}

static std::string verdict(const Line &line, const Target &target) {
  std::string text = target.against + format(" ≥ %.2f: ", target.least);
  const Series *other = find(line, target.against);
  if (!other)
    return text + "not measured";
  if (!line.series[0].fault.empty() || !other->fault.empty())
    return text + "WRONG RESULT";
  Spread s = speedRatio(line.series[0], *other);
  text += format("%.3f ", s.median);
  if (isArtefact(line, line.series[0]) || isArtefact(line, *other))
    return text + "refused";
  if (s.median >= target.least)
    return text + "met";
  return text +
         (s.high >= target.least ? "missed (within the spread)" : "MISSED");
}

static std::vector<std::string> verdicts(const Line &line) {
  std::vector<std::string> all;
  for (const Target &t : line.targets)
    all.push_back(verdict(line, t));
  return all;
}

static std::vector<std::string> cells(const Line &line) {
  const Series &ours = line.series[0];
  std::vector<std::string> row = {line.name, std::to_string(line.threads),
                                  line.home};
  row.push_back(ours.fault.empty() ? format("%.1f", rate(line, &ours))
                                   : "wrong");
  row.push_back(format("%.1f", rate(line, readOnlyOf(line))));
  for (const char *other : comparedWith)
    row.push_back(ratioCell(line, other));
  row.push_back(line.targets.empty() ? "for information"
                                     : joinTexts(verdicts(line), "; "));
  return row;
}

static std::vector<std::string> headCells() {
  std::vector<std::string> head = {"reduction", "threads", "in", "GB/s",
                                   "read GB/s"};
  for (const char *other : comparedWith)
    head.push_back(std::string("/ ") + other);
  head.push_back("targets");
  return head;
}

/// Pads to columns; counts characters, not bytes.
static std::string padded(const std::vector<std::string> &row) {
  static const size_t widths[] = {34, 8, 5, 6, 10, 12, 14, 11, 12, 11, 0};
  std::string text;
  for (size_t i = 0; i < row.size(); ++i) {
    size_t width = 0;
    for (char c : row[i])
      width += (c & 0xc0) != 0x80;
    text += row[i];
    if (width < widths[i])
      text.append(widths[i] - width, ' ');
    else if (i + 1 < row.size())
      text += ' ';
  }
  return text;
}

std::string bench::headText() { return padded(headCells()); }

std::string bench::lineText(const Line &line) {
  std::string text = padded(cells(line));
  for (const Series &s : line.series)
    if (!s.fault.empty())
      text += "\n    " + s.name + ": " + s.fault;
  return text;
}

static std::vector<std::string> figureCells(const Figure &f) {
  if (!f.fault.empty())
    return {f.name, "-", "-", f.fault};
  const char *pattern = f.value.median < 10 ? "%.2f" : "%.1f";
  std::string range = f.value.rounds > 1 ? format(pattern, f.value.low) + "–" +
                                               format(pattern, f.value.high)
                                         : "once";
  std::string target = "for information";
  if (std::isfinite(f.most))
    target = format("≤ %g ", f.most) + f.unit +
             (f.value.median <= f.most ? " met" : " MISSED");
  return {f.name, format(pattern, f.value.median) + " " + f.unit, range,
          target};
}

std::string bench::figureText(const Figure &figure) {
  std::string text;
  const size_t widths[] = {52, 12, 14, 0};
  auto row = figureCells(figure);
  for (size_t i = 0; i < row.size(); ++i) {
    text += row[i];
    size_t width = 0;
    for (char c : row[i])
      width += (c & 0xc0) != 0x80;
    if (width < widths[i])
      text.append(widths[i] - width, ' ');
  }
  return text;
}

std::vector<std::string> bench::shortfalls(const Report &report) {
  std::vector<std::string> all;
  for (const Line &line : report.lines) {
    std::string where = line.name + ", " + std::to_string(line.threads) +
                        (line.threads == 1 ? " thread: " : " threads: ");
    for (const Series &s : line.series)
      if (!s.fault.empty())
        all.push_back(where + s.name + ": " + s.fault);
      else if (isArtefact(line, s))
        all.push_back(where + s.name + ": refused, faster than reading alone");
    for (const std::string &v : verdicts(line))
      if (v.find(" met") == std::string::npos)
        all.push_back(where + v);
  }
  for (const Figure &f : report.figures)
    if (!(f.fault.empty() && f.value.median <= f.most))
      all.push_back(f.name + ": " + figureCells(f).back());
  return all;
}

static std::string markdownRow(const std::vector<std::string> &row) {
  return "| " + joinTexts(row, " | ") + " |\n";
}

std::string bench::markdown(const Report &r) {
  const Machine &m = r.machine;
  std::string text = "# Reductions on a CPU: " + m.cpu + "\n\n";
  text += "- machine: " + m.cpu + "; " + std::to_string(m.threads) +
          " threads; " + format("%.0f", m.memoryGiB) + " GiB; caches";
  for (const auto &[name, size] : m.caches)
    text += " " + name + " " + std::to_string(size / 1024) + " KiB";
  text += "\n- system: " + m.kernel + "; huge pages " + m.hugePages + "; " +
          m.clock + "; load " + m.load +
          " at the start\n- commit: " + r.commit + "; compiler: " + r.compiler +
          "\n- date: " + m.date + "\n- peers: " + joinTexts(r.peers, "; ") +
          "\n";
  for (const std::string &s : r.skipped)
    text += "- skipped: " + s + "\n";
  text += "\nA column `/ x` is the speed of Warpfold compared with x (1.00: "
          "the same, more: Warpfold is\nfaster), the median of the ratios "
          "within a round ± half the distance of the quartiles.\n`!` marks a "
          "peer faster than reading alone. Every result was checked in every "
          "round.\n\n";
  auto head = headCells();
  text += markdownRow(head) +
          markdownRow(std::vector<std::string>(head.size(), "---"));
  for (const Line &line : r.lines)
    text += markdownRow(cells(line));
  if (!r.figures.empty())
    text += "\n| figure | median | quartiles | target |\n|---|---|---|---|\n";
  for (const Figure &f : r.figures)
    text += markdownRow(figureCells(f));
  auto missed = shortfalls(r);
  text += missed.empty() ? "\nEvery target is met.\n"
                         : "\nMissed, refused or wrong:\n\n";
  for (const std::string &s : missed)
    text += "- " + s + "\n";
  return text;
}

std::string bench::csv(const Report &r) {
  std::string text = "# " + r.machine.cpu + "; " + r.machine.kernel + "; " +
                     r.commit + "; " + r.machine.date + "\n" +
                     "reduction,threads,in,contender,unit,median,low,high,"
                     "rounds,gbps,warpfold_speed,bytes,tolerance,plan,fault\n";
  auto quoted = [](const std::string &s) { return "\"" + s + "\""; };
  auto spread = [](const Spread &s, double scale) {
    return format("%.6g", s.median * scale) + "," +
           format("%.6g", s.low * scale) + "," +
           format("%.6g", s.high * scale) + "," + std::to_string(s.rounds);
  };
  for (const Line &line : r.lines)
    for (const Series &s : line.series)
      text += quoted(line.name) + "," + std::to_string(line.threads) + "," +
              line.home + "," + s.name + ",us," + spread(timeOf(s), 1e6) + "," +
              format("%.4g", rate(line, &s)) + "," +
              format("%.4g", speedRatio(line.series[0], s).median) + "," +
              format("%.0f", line.bytes) + "," +
              format("%.3g", line.tolerance) + "," + quoted(line.plan) + "," +
              quoted(s.fault) + "\n";
  for (const Figure &f : r.figures)
    text += quoted(f.name) + ",,,warpfold," + f.unit + "," +
            spread(f.value, 1) + ",,,,,," + quoted(f.fault) + "\n";
  return text;
}

std::string bench::selfTestReport() {
  Line line{"a row", "DRAM", 1, 1e9, "", 0, {}, {{"read-only", .95}}};
  Series read{"read 1 stream", {1, 1, 1}, ""};
  line.series = {{"warpfold", {1.2, 1.2, 1.2}, ""}, read};
  auto said = [&] { return verdict(line, line.targets[0]); };
  if (said().find("MISSED") == std::string::npos)
    return "a slow row is not missed";
  line.series[0].seconds = {.8, .8, .8};
  if (said().find("refused") == std::string::npos)
    return "a rate above reading is not refused";
  line.series[0].seconds = {1, 1.02, 1};
  if (said().find(" met") == std::string::npos)
    return "a fast row is not met";
  line.series[0].fault = "off";
  if (said().find(" met") != std::string::npos)
    return "a wrong result is met";
  return "";
}
