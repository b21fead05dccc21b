//===- Documents.cpp - The pages of patterns and the index ----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Write/Words.h"
#include "Explain/Write/Write.h"

#include <algorithm>

using namespace wf::explain;

static std::vector<std::string> linesOf(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    size_t end = text.find('\n');
    std::string line(text.substr(0, end));
    if (!line.empty() && line.back() == '\r')
      line.pop_back();
    lines.push_back(std::move(line));
    if (end == std::string_view::npos)
      break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

/// The list items below "## `heading`" of a document written before.
static std::vector<std::string> itemsBelow(std::string_view document,
                                           std::string_view heading) {
  std::vector<std::string> items;
  bool within = false;
  for (const std::string &line : linesOf(document)) {
    if (line.starts_with("## ")) {
      within = line.substr(3) == heading;
      continue;
    }
    if (within && (line.starts_with("- ") || line.starts_with("* ")))
      items.push_back(line.substr(2));
  }
  return items;
}

static std::string list(const std::vector<std::string> &items) {
  std::string out;
  for (const std::string &item : items)
    out += "- " + item + "\n";
  return out;
}

static std::vector<std::string> withoutEmptyEnds(std::vector<std::string> v) {
  while (!v.empty() && v.back().empty())
    v.pop_back();
  while (!v.empty() && v.front().empty())
    v.erase(v.begin());
  return v;
}

std::string
wf::explain::patternDocument(const Pattern &pattern,
                             const std::vector<std::string> &observed,
                             std::string_view existing) {
  std::string out =
      "# Pattern: " + (pattern.title.empty() ? pattern.name : pattern.title) +
      "\n";
  if (!pattern.cuda.empty())
    out += "\n## CUDA\n\n" +
           words::fenced(withoutEmptyEnds(linesOf(pattern.cuda)), "cpp");
  if (!pattern.roles.empty())
    out += "\n## Observed SASS role pattern\n\n" +
           words::fenced(withoutEmptyEnds(linesOf(pattern.roles)));
  if (!pattern.meaning.empty()) {
    out += "\n## Meaning\n\n";
    for (const std::string &line : withoutEmptyEnds(linesOf(pattern.meaning)))
      out += line + "\n";
  }
  // What was seen before stays, in its order.
  std::vector<std::string> seen = itemsBelow(existing, "Observed in");
  for (const std::string &item : observed)
    if (std::find(seen.begin(), seen.end(), item) == seen.end())
      seen.push_back(item);
  out += "\n## Observed in\n\n";
  out += seen.empty() ? "Nowhere yet.\n" : list(seen);
  // Notes that a reader added stay as well.
  std::vector<std::string> notes = pattern.notes;
  for (const std::string &item : itemsBelow(existing, "Notes"))
    if (std::find(notes.begin(), notes.end(), item) == notes.end())
      notes.push_back(item);
  if (!notes.empty())
    out += "\n## Notes\n\n" + list(notes);
  if (!pattern.similar.empty()) {
    out += "\n## Similar patterns\n\n";
    std::vector<std::string> links;
    for (const std::string &name : pattern.similar)
      links.push_back("[" + name + "](" + name + ".md)");
    out += list(links);
  }
  return out;
}

static std::string cell(std::string_view text) {
  return text.empty() ? "–" : words::cell(text);
}

static std::string link(const std::string &text, const std::string &path) {
  bool odd = path.find_first_of(" ()<>") != std::string::npos;
  std::string shown;
  for (char c : text) {
    if (c == '[' || c == ']' || c == '|' || c == '<')
      shown += '\\';
    shown += c;
  }
  return "[" + shown + "](" + (odd ? "<" + path + ">" : path) + ")";
}

/// Steps' barriers and bytes, of the accumulators that have any.
static std::string costOf(const Report &r, bool barriers) {
  std::string out;
  for (const Accumulator &acc : r.accumulators) {
    size_t bytes = acc.bytesRead + acc.bytesWritten;
    std::string one = std::to_string(barriers ? size_t(acc.barriers) : bytes);
    out += (out.empty() ? "" : ", ") + one;
  }
  return out;
}

std::string wf::explain::indexDocument(const std::vector<Report> &reports,
                                       const std::vector<std::string> &paths) {
  std::string out =
      "# Kernels\n\n"
      "Barriers and bytes are those of one step of an accumulation, bytes a "
      "lane's; a kernel with several has several.\n\n"
      "| kernel | target | patterns | materialised | barriers a step | bytes a "
      "step | registers | shared bytes |\n"
      "|---|---|---|---|---|---|---|---|\n";
  for (size_t n = 0; n < reports.size(); ++n) {
    const Report &r = reports[n];
    std::string name = words::shortName(r.kernel());
    std::string patterns;
    std::vector<std::string> told;
    for (const PatternMatch &match : r.patterns) {
      if (std::find(told.begin(), told.end(), match.name) != told.end())
        continue;
      told.push_back(match.name);
      size_t count = size_t(std::count_if(
          r.patterns.begin(), r.patterns.end(),
          [&](const PatternMatch &m) { return m.name == match.name; }));
      patterns += (patterns.empty() ? "" : ", ") +
                  link(match.name, "patterns/" + match.name + ".md");
      if (count > 1)
        patterns += " ×" + std::to_string(count);
    }
    if (patterns.empty())
      patterns =
          r.nearest ? "none (nearest: " + cell(r.nearest->name) + ")" : "none";
    const Resources &res = r.kernel().resources;
    auto number = [](const std::optional<uint32_t> &value) {
      return value ? std::to_string(*value) : std::string("–");
    };
    std::string registers = number(res.registers);
    if (!res.registers && !r.occupancy.empty())
      registers = std::to_string(r.occupancy[0].registers);
    out += "| " + (n < paths.size() ? link(name, paths[n]) : cell(name)) +
           " | " + cell(r.kernel().target) + " | " + patterns + " | " +
           cell(r.materialised) + " | " + cell(costOf(r, true)) + " | " +
           cell(costOf(r, false)) + " | " + registers + " | " +
           number(res.sharedBytes) + " |\n";
  }
  return out;
}
