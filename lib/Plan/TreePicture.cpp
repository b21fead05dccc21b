//===- TreePicture.cpp - A plan's tree as a picture -----------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Plan/TreePicture.h"

#include "Plan/Layout.h"
#include "Plan/Levels.h"
#include "Plan/Named.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <utility>
#include <vector>

using namespace wf;

namespace {

struct Round {
  std::string label;                              ///< "stride 4, shared memory"
  std::vector<std::pair<int64_t, int64_t>> joins; ///< left takes right
  bool everyLane = false; ///< counting up: all lanes compute, none is idle
};

struct Panel {
  std::string title;
  std::vector<std::string> states; ///< labels, by column
  std::vector<Round> rounds;
};

std::string count(int64_t n) { return std::to_string(n); }

/// Strides s = width/2 … 1 over states 0 … n-1 of every group of `width`.
void halve(Panel &panel, int64_t n, int64_t width, const std::string &how) {
  for (int64_t s = width / 2; s > 0; s /= 2) {
    Round round{"stride " + count(s) + ", " + how, {}, false};
    for (int64_t t = 0; t + s < n; ++t)
      if (t % width < s)
        round.joins.push_back({t, t + s});
    if (!round.joins.empty())
      panel.rounds.push_back(std::move(round));
  }
}

/// Strides s = 1 … width/2, neighbours first, over states that are multiples
/// of `apart`.
template <typename How>
void countUp(Panel &panel, int64_t n, int64_t first, int64_t end, How how) {
  for (int64_t s = first; s < end && s < n; s *= 2) {
    Round round = how(s);
    for (int64_t t = 0; t + s < n; t += 2 * s)
      round.joins.push_back({t, t + s});
    panel.rounds.push_back(std::move(round));
  }
}

/// A block's threads 0 … n-1 by the plan's exchange.
void exchange(Panel &panel, const Plan &p, int64_t n) {
  switch (p.exchange) {
  case Exchange::Halving:
    return halve(panel, n, p.threads(), "shared memory, a barrier");
  case Exchange::Pairs:
    return countUp(panel, n, 1, p.threads(), [](int64_t s) {
      return Round{
          "stride " + count(s) + ", shared memory, a barrier", {}, false};
    });
  case Exchange::Up:
    return countUp(panel, n, 1, p.threads(), [](int64_t s) {
      if (s < 32)
        return Round{"lanes " + count(s) + " apart, a shuffle", {}, true};
      return Round{"warps " + count(s / 32) + " apart, through shared memory",
                   {},
                   false};
    });
  case Exchange::Down: {
    halve(panel, n, 32, "a shuffle in every warp");
    int64_t warps = (n + 31) / 32;
    for (int64_t s = 16; s > 0; s /= 2) {
      Round round{
          "warps " + count(s) + " apart, through shared memory", {}, false};
      for (int64_t w = 0; w < s && w + s < warps; ++w)
        round.joins.push_back({32 * w, 32 * (w + s)});
      if (!round.joins.empty())
        panel.rounds.push_back(std::move(round));
    }
    return;
  }
  case Exchange::None:
    return;
  }
}

std::string shown(int64_t of, const char *what) {
  return of > mostPictureStates ? ", the first " + count(mostPictureStates) +
                                      " of " + count(of) + " " + what
                                : "";
}

/// "0", "0+4", "0…" for what a thread or slot holds.
std::string heldLabel(const std::vector<int64_t> &ks) {
  if (ks.empty())
    return "";
  if (ks.size() == 1)
    return count(ks[0]);
  if (ks.size() == 2)
    return count(ks[0]) + "+" + count(ks[1]);
  return count(ks[0]) + "…";
}

std::vector<Panel> ladderPanels(const Plan &p, int64_t K) {
  Layout layout(p, K);
  int64_t G = layout.blocksAnOutput();
  std::vector<Panel> panels(1);
  Panel &block = panels[0];
  int64_t threads = std::min(p.threads(), (K + p.vector - 1) / p.vector);
  for (int64_t t = 0; t < std::min(threads, mostPictureStates); ++t) {
    std::vector<int64_t> ks;
    for (HeldElement e : layout.elements(0, t))
      ks.push_back(e.k);
    block.states.push_back(heldLabel(ks));
  }
  block.title = (p.exchange == Exchange::None
                     ? std::string("threads, an atomic on the output each")
                     : "block 0 of " + count(G) + ": its threads' states") +
                shown(threads, "threads");
  if (threads <= mostPictureStates)
    exchange(block, p, threads);
  if (G == 1 || p.exchange == Exchange::None)
    return panels;
  Panel grid;
  int64_t firsts = std::min(G, p.threads());
  bool atomic = p.grid == Grid::Atomic;
  for (int64_t b = 0; b < std::min(firsts, mostPictureStates); ++b)
    grid.states.push_back("b" + count(b) +
                          (!atomic && b + p.threads() < G ? "…" : ""));
  grid.title =
      (atomic
           ? std::string("blocks, an atomic on the output each, in any order")
       : p.grid == Grid::Launch
           ? std::string("the second launch: threads with partial states")
           : std::string("the block that comes last: threads with partial "
                         "states")) +
      shown(firsts, "blocks");
  if (!atomic && firsts <= mostPictureStates)
    exchange(grid, p, firsts);
  panels.push_back(std::move(grid));
  return panels;
}

std::string levelLabel(const Levels &l, int64_t bit, const Plan &p) {
  if (bit < l.lane)
    return p.onGpu() ? "in a lane's registers" : "in SIMD registers";
  if (bit < l.shuffle)
    return "a shuffle";
  if (bit < l.shared)
    return "through shared memory";
  if (bit < l.registers)
    return "a binary counter";
  if (bit < l.block)
    return "warps through shared memory";
  if (p.group > 0 && bit - l.block < 62 &&
      (int64_t(1) << (bit - l.block)) < p.group)
    return "blocks of a group";
  return "between blocks";
}

/// Levels from `bit` over states 0 … n-1.
void levels(Panel &panel, const Plan &p, int64_t n, int64_t bit) {
  Levels l = levelsOf(p);
  for (int64_t s = 1; s < n; s *= 2, ++bit) {
    Round round{"level " + count(bit) + ", " + levelLabel(l, bit, p),
                {},
                p.onGpu() && bit >= l.lane && bit < l.shuffle};
    for (int64_t t = 0; t + s < n; t += 2 * s)
      round.joins.push_back({t, t + s});
    panel.rounds.push_back(std::move(round));
  }
}

std::vector<Panel> slotPanels(const Plan &p, int64_t K) {
  std::vector<Panel> panels(1);
  int64_t chunks = K / p.chunkElements() + (K % p.chunkElements() != 0);
  int64_t inFirst = slotsPresent(p, std::min(K, p.chunkElements()));
  int64_t drawn = std::min(inFirst, mostPictureStates);
  for (int64_t s = 0; s < drawn; ++s) {
    std::vector<int64_t> ks;
    for (int64_t i = 0; i < slotLength(p) && ks.size() < 3; ++i)
      if (int64_t k = slotElement(p, s, i); k < std::min(K, p.chunkElements()))
        ks.push_back(k);
    panels[0].states.push_back(heldLabel(ks));
  }
  panels[0].title =
      "chunk 0 of " + count(chunks) + ": its slots" + shown(inFirst, "slots");
  levels(panels[0], p, drawn, 0);
  if (chunks == 1)
    return panels;
  Panel rest;
  int64_t several = std::min(chunks, mostPictureStates);
  for (int64_t c = 0; c < several; ++c)
    rest.states.push_back("c" + count(c));
  rest.title = "chunks" + shown(chunks, "chunks");
  int64_t bits = 0;
  while ((int64_t(1) << bits) < p.slots())
    ++bits;
  levels(rest, p, several, bits);
  panels.push_back(std::move(rest));
  return panels;
}

std::vector<Panel> chainPanels(int64_t K) {
  std::vector<Panel> panels(1);
  int64_t drawn = std::min<int64_t>(K, 32);
  panels[0].title =
      "one chain" + (drawn < K ? ", its first " + count(drawn) + " of " +
                                     count(K) + " elements"
                               : std::string());
  for (int64_t k = 0; k < drawn; ++k) {
    panels[0].states.push_back(count(k));
    if (k > 0)
      panels[0].rounds.push_back({"element " + count(k), {{0, k}}, false});
  }
  return panels;
}

constexpr int64_t column = 38, row = 54, margin = 24, labels = 250, radius = 14;

struct Drawing {
  std::string text;
  llvm::raw_string_ostream os{text};
  int64_t y = margin, width = 0;

  int64_t x(int64_t state) const { return margin + radius + state * column; }
  void arrow(int64_t from, int64_t to, int64_t y0) {
    os << "<line x1=\"" << x(from) << "\" y1=\"" << y0 + radius << "\" x2=\""
       << x(to) << "\" y2=\"" << y0 + row - radius - 2
       << "\" marker-end=\"url(#tip)\"/>\n";
  }
  void state(int64_t at, const char *kind, const std::string &label) {
    os << "<circle class=\"" << kind << "\" cx=\"" << x(at) << "\" cy=\"" << y
       << "\" r=\"" << radius << "\"/>";
    if (!label.empty())
      os << "<text x=\"" << x(at) << "\" y=\"" << y + 4 << "\">" << label
         << "</text>";
    os << '\n';
  }
  void note(int64_t atX, const std::string &text, const char *kind) {
    os << "<text class=\"" << kind << "\" x=\"" << atX << "\" y=\"" << y + 4
       << "\">" << text << "</text>\n";
  }
  void panel(const Panel &panel);
};

void Drawing::panel(const Panel &panel) {
  int64_t n = int64_t(panel.states.size());
  int64_t side = x(n) + 8;
  width = std::max(width, side + labels);
  width = std::max(width, margin + 7 * int64_t(panel.title.size()));
  note(margin, panel.title, "title");
  y += 32;
  for (int64_t t = 0; t < n; ++t)
    state(t, "busy", panel.states[size_t(t)]);
  for (const Round &round : panel.rounds) {
    std::vector<bool> busy(size_t(n), round.everyLane);
    for (auto [left, right] : round.joins) {
      arrow(left, left, y);
      arrow(right, left, y);
      busy[size_t(left)] = true;
    }
    y += row;
    int64_t idle = std::count(busy.begin(), busy.end(), false);
    for (int64_t t = 0; t < n; ++t)
      state(t, busy[size_t(t)] ? "busy" : "idle", "");
    // A lane that computes what its neighbour does is busy, and adds nothing.
    note(side, round.label, "side");
    y += 14;
    note(side,
         count(int64_t(round.joins.size())) + " joined, " + count(idle) +
             " idle",
         "side");
    y -= 14;
  }
  y += 56;
}

} // namespace

std::string wf::treePicture(const Plan &plan, int64_t elements) {
  std::vector<Panel> panels =
      plan.onGpu() && plan.form == Form::Ladder ? ladderPanels(plan, elements)
      : plan.order == PlanOrder::Sequential     ? chainPanels(elements)
                                                : slotPanels(plan, elements);
  Drawing drawing;
  for (const Panel &panel : panels)
    drawing.panel(panel);
  std::string svg;
  llvm::raw_string_ostream os(svg);
  os << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << drawing.width
     << "\" height=\"" << drawing.y << "\" viewBox=\"0 0 " << drawing.width
     << ' ' << drawing.y << "\">\n"
     << "<title>" << versionedName(plan.order) << ", " << elements
     << (elements == 1 ? " element" : " elements") << "</title>\n"
     << "<defs><marker id=\"tip\" markerWidth=\"6\" markerHeight=\"6\" "
        "refX=\"5\" refY=\"3\" orient=\"auto\"><path d=\"M0,0 L6,3 L0,6 Z\" "
        "fill=\"#555\"/></marker></defs>\n"
     << "<style>text{font:11px sans-serif;text-anchor:middle}"
        ".title{font-size:14px;font-weight:bold;text-anchor:start}"
        ".side{text-anchor:start;fill:#333}line{stroke:#555}"
        ".busy{fill:#cfe3ff;stroke:#2458a6}.idle{fill:#eee;stroke:#bbb}"
        "</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
     << drawing.text << "</svg>\n";
  return svg;
}
