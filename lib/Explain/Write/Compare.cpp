//===- Compare.cpp - Two kernels, aligned by role -------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Instructions are equal where they have one role and one operation: addresses,
// register numbers, padding and the spelling of an architecture do not count.
//===----------------------------------------------------------------------===//
#include "Explain/Write/Align.h"
#include "Explain/Write/Differences.h"
#include "Explain/Write/Palette.h"
#include "Explain/Write/Summaries.h"
#include "Explain/Write/Words.h"
#include "Explain/Write/Write.h"

#include <algorithm>
#include <array>

using namespace wf::explain;

static uint32_t tokenOf(const Report &r, size_t i) {
  uint32_t role = i < r.roles.size() ? uint32_t(r.roles[i].role) : 0;
  uint32_t op = 0;
  for (const Effect &e : r.analysis.program.code[i].effects)
    if (e.op != Op::Nop) {
      op = uint32_t(e.op);
      break;
    }
  return role << 8 | op;
}

namespace {
struct Row {
  size_t a = SIZE_MAX, b = SIZE_MAX;
  bool same = false;
};

class Comparison {
public:
  Comparison(const Report &a, const Report &b, const WriteOptions &options)
      : a(a), b(b), colour(options.colour), mine(words::living(a)),
        theirs(words::living(b)) {}

  std::string run() {
    build();
    out += "A: " + headOf(a) + "\nB: " + headOf(b) + "\n";
    said();
    counts();
    listing();
    return std::move(out);
  }

private:
  static std::string headOf(const Report &r) {
    const Kernel &k = r.kernel();
    return demangled(k.name) + (k.target.empty() ? "" : " on " + k.target) +
           " (" + resourceLine(r) + ")";
  }

  void build() {
    std::vector<uint32_t> left, right;
    for (size_t i : mine)
      left.push_back(tokenOf(a, i));
    for (size_t i : theirs)
      right.push_back(tokenOf(b, i));
    size_t x = 0, y = 0;
    auto until = [&](size_t endX, size_t endY) {
      // What has no equal is shown beside what stands at its place.
      while (x < endX || y < endY) {
        Row row;
        bool alike =
            x < endX && y < endY && left[x] >> 8 == right[y] >> 8; // one role
        if (x < endX && (alike || endX - x >= endY - y || y >= endY))
          row.a = mine[x++];
        if (y < endY && (alike || row.a == SIZE_MAX))
          row.b = theirs[y++];
        rows.push_back(row);
      }
    };
    for (auto [i, j] : align(left, right)) {
      until(i, j);
      rows.push_back({mine[x++], theirs[y++], true});
      ++matched;
    }
    until(mine.size(), theirs.size());
  }

  bool alike() const {
    return std::all_of(rows.begin(), rows.end(), [&](const Row &row) {
      return row.same &&
             a.kernel().code[row.a].mnemonic == b.kernel().code[row.b].mnemonic;
    });
  }

  std::string painted(const char *code, std::string_view text) const {
    return colour ? std::string("\x1b[") + code + "m" + std::string(text) +
                        "\x1b[0m"
                  : std::string(text);
  }

  void said() {
    out += "\n" + painted("1", "In words") + "\n";
    std::vector<std::string> all = differences(a, b);
    if (alike())
      all.push_back("instruction by instruction both do the same: addresses "
                    "and register numbers aside they are equal");
    else
      all.push_back(words::capital(words::counted(matched, "instruction")) +
                    " of " + std::to_string(mine.size()) + " and " +
                    std::to_string(theirs.size()) +
                    " have the same role and operation");
    for (const std::string &line : all)
      out += "  - " + words::sentence(line) + "\n";
  }

  void counts() {
    std::array<std::array<size_t, 2>, roleCount> count{};
    for (size_t i : mine)
      if (i < a.roles.size())
        ++count[size_t(a.roles[i].role)][0];
    for (size_t i : theirs)
      if (i < b.roles.size())
        ++count[size_t(b.roles[i].role)][1];
    out += "\n" + painted("1", "Instructions by role") +
           "\n  role                A      B   B - A\n";
    auto line = [&](std::string name, size_t x, size_t y) {
      auto cell = [](std::string text, size_t width) {
        return std::string(text.size() < width ? width - text.size() : 0, ' ') +
               text;
      };
      long change = long(y) - long(x);
      name.resize(15, ' ');
      out +=
          "  " + name + cell(std::to_string(x), 6) +
          cell(std::to_string(y), 7) +
          cell(change ? (change > 0 ? "+" : "") + std::to_string(change) : "",
               8);
      while (out.back() == ' ')
        out.pop_back();
      out += "\n";
    };
    for (size_t n = 0; n < roleCount; ++n)
      if (count[n][0] || count[n][1])
        line(std::string(roleName(Role(n))), count[n][0], count[n][1]);
    line("all", mine.size(), theirs.size());
  }

  /// Of long kernels, what differs and two rows around it.
  void listing() {
    out += "\n" + painted("1", "Side by side") +
           " (= the same role and operation, ~ the same role, - only in A, + "
           "only in B)\n";
    size_t width = 20;
    for (size_t i : mine)
      width = std::max(width, std::min<size_t>(textOf(a, i).size(), 48));
    bool all = rows.size() <= 160;
    std::vector<bool> shown(rows.size(), all);
    for (size_t n = 0; !all && n < rows.size(); ++n)
      if (!rows[n].same)
        for (size_t m = n < 2 ? 0 : n - 2; m < rows.size() && m <= n + 2; ++m)
          shown[m] = true;
    bool gap = false;
    for (size_t n = 0; n < rows.size(); ++n) {
      if (!shown[n]) {
        gap = true;
        continue;
      }
      if (gap)
        out += "    …\n";
      gap = false;
      writeRow(rows[n], width);
    }
    if (gap)
      out += "    …\n";
  }

  static std::string textOf(const Report &r, size_t i) {
    return words::at(r, i) + "  " + r.kernel().code[i].text;
  }

  void writeRow(const Row &row, size_t width) {
    bool left = row.a != SIZE_MAX, right = row.b != SIZE_MAX;
    const char *sign = row.same ? "=" : left && right ? "~" : left ? "-" : "+";
    std::string text = left ? textOf(a, row.a) : "";
    if (text.size() < width)
      text.resize(width, ' ');
    const Report &r = left ? a : b;
    size_t at = left ? row.a : row.b;
    std::string role(at < r.roles.size() ? roleName(r.roles[at].role) : "");
    if (role.size() < 13)
      role.resize(13, ' ');
    std::string line = std::string("  ") + sign + " " + role + "  " + text +
                       "  " + (right ? textOf(b, row.b) : "");
    while (line.back() == ' ')
      line.pop_back();
    out += (row.same ? line
                     : painted(left && right ? "33"
                               : left        ? "31"
                                             : "32",
                               line)) +
           "\n";
  }

  const Report &a, &b;
  bool colour;
  std::vector<size_t> mine, theirs;
  std::vector<Row> rows;
  size_t matched = 0;
  std::string out;
};
} // namespace

std::string wf::explain::compare(const Report &a, const Report &b,
                                 const WriteOptions &options) {
  return Comparison(a, b, options).run();
}
