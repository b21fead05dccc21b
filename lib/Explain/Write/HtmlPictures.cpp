//===- HtmlPictures.cpp - Registers and memory drawn ----------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Write/Html.h"
#include "Explain/Write/Palette.h"
#include "Explain/Write/Words.h"

#include <algorithm>
#include <map>

using namespace wf::explain;

static std::string attribute(const char *name, long value) {
  return std::string(" ") + name + "=\"" + std::to_string(value) + "\"";
}

static std::string rect(long x, long y, long w, long h, std::string_view cls,
                        std::string_view more = "") {
  return "<rect" + attribute("x", x) + attribute("y", y) +
         attribute("width", w) + attribute("height", h) + " class=\"" +
         std::string(cls) + "\"" + std::string(more);
}

static std::string label(long x, long y, std::string_view text,
                         std::string_view more = "") {
  return "<text" + attribute("x", x) + attribute("y", y) + std::string(more) +
         ">" + html::escaped(text) + "</text>";
}

namespace {
struct Extent {
  size_t first = SIZE_MAX, last = 0;
};

class Timeline {
public:
  Timeline(const Report &r, const Shorthand &names)
      : r(r), a(r.analysis), names(names) {}

  std::string run() {
    columns = 0;
    for (size_t i : words::living(r))
      columns = std::max(columns, i + 1);
    for (const Web &web : a.webs)
      if (row.size() <= mostRows)
        row.emplace(web.reg, row.size());
    if (columns == 0 || row.empty())
      return "";
    if (columns > mostColumns || row.size() > mostRows)
      return "<p class=\"facts\">The kernel has too many instructions or "
             "registers to be drawn.</p>";
    // Rows in the order of registers, not of first definitions.
    size_t n = 0;
    for (auto &[reg, at] : row)
      at = n++;
    draw();
    return out;
  }

private:
  static constexpr size_t mostColumns = 3000, mostRows = 160;
  static constexpr long left = 56, top = 18, height = 16;

  long width() const { return columns > 400 ? 4 : columns > 120 ? 8 : 14; }
  long x(size_t i) const { return left + width() * long(i); }

  void draw() {
    long w = x(columns) + 48, h = top + height * long(row.size()) + 8;
    out = "<div class=\"scroll\"><svg class=\"timeline\" role=\"img\"" +
          attribute("width", w) + attribute("height", h) +
          " aria-label=\"Lives of the registers by instruction\">";
    loops();
    axis();
    for (const auto &[reg, at] : row) {
      long y = top + height * long(at);
      out += label(4, y + 12, a.program.registerName(reg));
      out += "<line class=\"axis\"" + attribute("x1", left) +
             attribute("x2", x(columns)) + attribute("y1", y + height - 1) +
             attribute("y2", y + height - 1) + "/>";
    }
    for (const Web &web : a.webs)
      life(web);
    out +=
        rect(-1000, 0, width(), h, "mark", attribute("data-left", left) + "/>");
    out += "</svg></div>";
  }

  void axis() {
    size_t every = size_t(std::max(1L, 56 / width()));
    for (size_t i = 0; i < columns; i += every)
      out += label(x(i), 12, words::at(r, i), " class=\"faint\"");
  }

  void loops() {
    for (const Loop &loop : a.loops) {
      Extent e;
      for (size_t b : loop.blocks) {
        e.first = std::min(e.first, a.blocks[b].first);
        e.last = std::max(e.last, a.blocks[b].last);
      }
      if (e.first < e.last)
        out += rect(
            x(e.first), top, width() * long(e.last - e.first),
            height * long(row.size()), "loop",
            "><title>" +
                html::escaped("loop" + (loop.condition.empty()
                                            ? ""
                                            : " while " + loop.condition)) +
                "</title></rect>");
    }
  }

  void life(const Web &web) {
    Extent e;
    std::string at;
    size_t told = 0;
    for (const auto *these : {&web.defs, &web.uses})
      for (size_t i : *these) {
        e.first = std::min(e.first, i);
        e.last = std::max(e.last, i);
        if (told++ < 64)
          at += (at.empty() ? "" : " ") + std::to_string(i);
      }
    if (web.defs.empty())
      e.first = 0; // from the start
    if (e.first > e.last)
      return;
    e.last = std::min(e.last, columns - 1);
    size_t by = web.defs.empty() ? SIZE_MAX : web.defs.front();
    Role role = by < r.roles.size() ? r.roles[by].role : Role::Setup;
    std::string title = a.program.registerName(web.reg) + ": " +
                        (web.role.empty() ? "?" : names.apply(web.role)) +
                        " (" + words::at(r, e.first) + " to " +
                        words::at(r, e.last) + ")";
    if (!web.reuse.empty())
      title += "\n" + web.reuse;
    out += rect(x(e.first) + 1, top + height * long(row[web.reg]) + 2,
                std::max(3L, width() * long(e.last - e.first + 1) - 2),
                height - 5, std::string("g-") + groupOf(role).name,
                " rx=\"2\" data-first=\"" + std::to_string(e.first) +
                    "\" data-at=\"" + at + "\"><title>" + html::escaped(title) +
                    "</title></rect>");
  }

  const Report &r;
  const Analysis &a;
  const Shorthand &names;
  std::map<Reg, size_t> row;
  size_t columns = 0;
  std::string out;
};
} // namespace

std::string html::timeline(const Report &r, const Shorthand &names) {
  return Timeline(r, names).run();
}

/// The space that a step of the path is in, by its first word.
static std::string laneOf(std::string_view step) {
  if (step.starts_with("atomic on "))
    step.remove_prefix(10);
  for (std::string_view name : {"global", "shared", "local", "register",
                                "generic", "constant", "cluster", "texture"})
    if (step.starts_with(name))
      return std::string(name);
  return step.find("lane") != std::string_view::npos ? "lanes" : "register";
}

static const char *groupOfLane(const std::string &lane) {
  if (lane == "global")
    return "global";
  if (lane == "shared" || lane == "cluster")
    return "shared";
  if (lane == "register")
    return "compute";
  return lane == "lanes" ? "exchange" : "local";
}

std::string html::memoryPath(const Report &r, const Shorthand &names) {
  constexpr size_t most = 16;
  if (r.memoryPath.empty())
    return "";
  std::vector<std::string> steps = r.memoryPath;
  if (steps.size() > most) {
    // The middle repeats what the ends say.
    steps.erase(steps.begin() + most - 3, steps.end() - 2);
    steps.insert(steps.end() - 2, "register …");
  }
  std::map<std::string, size_t> lanes;
  static const char *order[] = {"global",   "texture", "constant",
                                "register", "lanes",   "shared",
                                "cluster",  "local",   "generic"};
  std::set<std::string> present;
  for (const std::string &step : steps)
    present.insert(laneOf(step));
  for (const char *name : order)
    if (present.count(name))
      lanes.emplace(name, lanes.size());
  constexpr long left = 84, rowHeight = 46, boxHeight = 24;
  long x = left, beforeX = 0, beforeY = 0;
  std::string boxes;
  for (size_t n = 0; n < steps.size(); ++n) {
    std::string lane = laneOf(steps[n]), text = names.apply(steps[n]);
    if (text.starts_with(lane + " "))
      text = text.substr(lane.size() + 1);
    if (text.size() > 40)
      text = text.substr(0, text.rfind(' ', 38)) + " …";
    long w = 16 + 7 * long(text.size());
    long y = 10 + rowHeight * long(lanes[lane]) + boxHeight / 2;
    if (n)
      boxes += "<path class=\"arrow\" d=\"M" + std::to_string(beforeX) + " " +
               std::to_string(beforeY) + " C" + std::to_string(x - 6) + " " +
               std::to_string(beforeY) + " " + std::to_string(beforeX + 6) +
               " " + std::to_string(y) + " " + std::to_string(x - 2) + " " +
               std::to_string(y) + "m-5 -3l5 3l-5 3\"/>";
    boxes +=
        "<g class=\"g-" + std::string(groupOfLane(lane)) + "\">" +
        rect(x, y - boxHeight / 2, w, boxHeight, "box",
             " rx=\"5\"><title>" + escaped(steps[n]) + "</title></rect></g>") +
        label(x + 8, y + 4, text);
    beforeX = x + w;
    beforeY = y;
    x += w + 26;
  }
  std::string out = "<div class=\"scroll\"><svg class=\"path\" role=\"img\"" +
                    attribute("width", x + 8) +
                    attribute("height", 14 + rowHeight * long(lanes.size())) +
                    " aria-label=\"The way of the data from memory to "
                    "memory\">";
  for (const auto &[name, n] : lanes)
    out += label(4, 10 + rowHeight * long(n) + boxHeight / 2 + 4, name,
                 " class=\"faint\"");
  return out + boxes + "</svg></div>";
}
