//===- Text.cpp - A report for the terminal -------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Write/Palette.h"
#include "Explain/Write/Statements.h"
#include "Explain/Write/Summaries.h"
#include "Explain/Write/Words.h"
#include "Explain/Write/Write.h"

#include <algorithm>

using namespace wf::explain;

/// Code points, which is what a terminal shows of what is written here.
static size_t width(std::string_view text) {
  size_t n = 0;
  for (unsigned char c : text)
    n += (c & 0xc0) != 0x80;
  return n;
}

static std::string padded(std::string text, size_t to) {
  size_t n = width(text);
  return n < to ? text + std::string(to - n, ' ') : text;
}

namespace {
class Terminal {
public:
  Terminal(const Report &r, const WriteOptions &options)
      : r(r), colour(options.colour), options(options), names(r) {}

  std::string run() {
    head();
    verdicts();
    section("Pseudo-code", pseudoCode(r));
    listing();
    return std::move(out);
  }

private:
  std::string painted(const char *code, std::string_view text) const {
    if (!colour || text.empty())
      return std::string(text);
    return std::string("\x1b[") + code + "m" + std::string(text) + "\x1b[0m";
  }

  /// `text` in lines of at most 78, the later ones indented.
  void wrapped(std::string_view text, size_t first, size_t later) {
    std::string line(first, ' ');
    size_t used = first;
    bool empty = true;
    while (!text.empty()) {
      size_t end = text.find(' ');
      std::string_view word = text.substr(0, end);
      if (!empty && used + 1 + width(word) > 78) {
        out += line + "\n";
        line.assign(later, ' ');
        used = later;
        empty = true;
      }
      if (!empty) {
        line += ' ';
        ++used;
      }
      line += word;
      used += width(word);
      empty = false;
      if (end == std::string_view::npos)
        break;
      text.remove_prefix(end + 1);
    }
    out += line + "\n";
  }

  void title(std::string_view text) { out += "\n" + painted("1", text) + "\n"; }
  void section(std::string_view name, const std::vector<std::string> &lines) {
    if (lines.empty())
      return;
    title(name);
    for (const std::string &line : lines)
      out += "  " + line + "\n";
  }
  void items(std::string_view name, const std::vector<std::string> &list) {
    if (list.empty())
      return;
    title(name);
    for (const std::string &item : list)
      wrapped(item, 2, 4);
  }

  void head() {
    const Kernel &k = r.kernel();
    std::vector<std::string> facts{
        std::string(words::isaName(k.isa)) +
        (k.target.empty() ? "" : " for " + k.target) +
        (k.targetInferred ? " (inferred from its opcodes)" : "")};
    if (!options.file.empty())
      facts.push_back(options.file);
    out += painted("1", demangled(k.name)) +
           (k.entry ? "" : " (device function)") + "\n";
    wrapped(words::listed(facts, "from"), 2, 4);
    wrapped(resourceLine(r), 2, 4);
    for (const Occupancy &o : r.occupancy)
      wrapped(occupancyLine(o), 2, 4);
  }

  void verdicts() {
    title("Verdict");
    if (!r.summary.empty())
      wrapped(r.summary, 2, 2);
    wrapped("materialised: " +
                (r.materialised.empty() ? "none" : r.materialised),
            2, 4);
    if (!r.memoryPath.empty())
      wrapped("memory path: " + names.apply(pathLine(r)), 2, 4);
    items("Accumulation", accumulatorLines(r));
    items("Patterns", patternLines(r));
    items("Barriers", barrierLines(r));
    items("What the compiler did", buildLines(r));
    std::vector<std::string> warnings, notes;
    for (const Finding &f : r.findings)
      (f.kind == Finding::Kind::Warning ? warnings : notes)
          .push_back(findingLine(r, f));
    items("Warnings", warnings);
    items("Notes", notes);
  }

  void listing() {
    title("Listing");
    const Kernel &k = r.kernel();
    std::vector<std::string> waits = words::waitsOf(r);
    size_t text = 0, places = 0;
    for (size_t i = 0; i < k.code.size(); ++i) {
      text = std::max(text, std::min<size_t>(width(k.code[i].text), 44));
      places = std::max(places, words::at(r, i).size());
    }
    size_t i = 0;
    while (i < k.code.size()) {
      if (!k.code[i].label.empty() && k.code[i].label != k.name)
        out += "  " + k.code[i].label + ":\n";
      size_t end = padding(i);
      if (end > i + 2) {
        out +=
            "  " +
            painted("90", padded(words::at(r, i), places) + "  " +
                              k.code[i].text + ", " +
                              words::counted(end - i, "time") + ": padding") +
            "\n";
        i = end;
        continue;
      }
      instruction(i, text, places, waits[i]);
      ++i;
    }
  }

  /// The end of a run of one text that is never reached.
  size_t padding(size_t i) const {
    const Kernel &k = r.kernel();
    size_t end = i;
    while (end < k.code.size() && end < r.roles.size() &&
           r.roles[end].role == Role::Padding &&
           k.code[end].text == k.code[i].text &&
           (end == i || k.code[end].label.empty()))
      ++end;
    return end;
  }

  void instruction(size_t i, size_t text, size_t places,
                   const std::string &wait) {
    const Instruction &in = r.kernel().code[i];
    Role role = i < r.roles.size() ? r.roles[i].role : Role::Unknown;
    std::string says = i < r.roles.size() ? r.roles[i].says : "";
    if (!names.name().empty() && says.ends_with(" = " + names.meaning()))
      says += " = " + names.name();
    else
      says = names.apply(std::move(says));
    std::string line = "  " + padded(words::at(r, i), places) + "  " +
                       painted(groupOf(role).ansi, padded(in.text, text)) +
                       "  " + padded(std::string(roleName(role)), 13);
    if (!says.empty())
      line += " " + says;
    if (!wait.empty())
      line += painted("90", (says.empty() ? " [" : "  [") + wait + "]");
    while (!line.empty() && line.back() == ' ')
      line.pop_back();
    out += line + "\n";
  }

  const Report &r;
  bool colour;
  const WriteOptions &options;
  Shorthand names;
  std::string out;
};
} // namespace

std::string wf::explain::textOf(const Report &report,
                                const WriteOptions &options) {
  return Terminal(report, options).run();
}
