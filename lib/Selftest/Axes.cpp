//===- Axes.cpp - Shapes, axes and strides of all kinds -------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Selftest/Matrix.h"
#include "Selftest/Reductions.h"
#include "Selftest/Views.h"

using namespace wf;
using namespace wf::selftest;

namespace {
struct NamedView {
  std::string name;
  View view;
  std::vector<int64_t> axes;
  bool quick = false;
};
using Views = std::vector<NamedView>;
} // namespace

static std::string axesText(const std::vector<int64_t> &axes) {
  std::string text = "axes";
  for (int64_t axis : axes)
    text += "_" + std::to_string(axis);
  return text;
}

static std::string shapeText(const std::vector<int64_t> &shape) {
  std::string text;
  for (int64_t size : shape)
    text += (text.empty() ? "" : "x") + std::to_string(size);
  return text;
}

static void addRankOne(Views &views) {
  View plain = rowMajor({10007});
  views.push_back({"rank1-reversed", reversed(plain, 0), {0}, true});
  views.push_back({"rank1-step2", spread(plain, 2), {0}, true});
  views.push_back({"rank1-step3-back", reversed(spread(plain, 3), 0), {0}});
  views.push_back({"rank1-repeated", repeated(plain, 0), {0}, true});
  views.push_back({"rank1-none", rowMajor({1009}), {}});
}

/// Rows and columns of every proportion.
static void addRankTwo(Views &views) {
  struct Proportion {
    int64_t rows, columns;
    bool quick;
  };
  const Proportion rows[] = {
      {37, 4096, false},  {37, 4095, true},    {1000, 16, true},
      {5000, 3, false},   {3, 70001, true},    {20000, 2, true},
      {20000, 1, false},  {100003, 4, false},  {1024, 100, false},
      {2, 300001, false}, {1, 1 << 20, false}, {500, 256, false},
      {70, 1024, false},  {1, 1, false},       {7, 65536, false},
      {4099, 64, true},   {33, 1000, false},   {2, (1 << 18) + 5, false},
      {1 << 20, 3, false}};
  for (auto [m, n, quick] : rows) {
    const std::string size = shapeText({m, n});
    views.push_back({"rows-" + size, rowMajor({m, n}), {1}, quick});
    views.push_back({"columns-" + shapeText({n, m}),
                     rowMajor({n, m}),
                     {0},
                     quick && m != 37});
    // The same rows as columns of what is stored.
    views.push_back({"rows-turned-" + size, stored({m, n}, {1, 0}), {1}});
  }
  const std::pair<int64_t, int64_t> columns[] = {
      {1030, 771}, {8191, 67},  {16384, 16}, {32771, 5},
      {257, 1031}, {130, 2050}, {64, 4097}};
  for (auto [m, n] : columns)
    views.push_back(
        {"columns-" + shapeText({m, n}), rowMajor({m, n}), {0}, m == 8191});
}

/// Rows that begin off alignment, by elements and by bytes.
static void addAlignments(Views &views) {
  for (int64_t padding : {1, 2, 3, 5, 7, 8, 13, 16})
    for (auto [m, n] : {std::pair<int64_t, int64_t>{9, 4095}, {300, 61}}) {
      const std::string tail =
          shapeText({m, n}) + "-pitch" + std::to_string(padding);
      const bool quick = padding == 1 || padding == 13;
      views.push_back({"rows-" + tail, pitched({m, n}, padding), {1}, quick});
      views.push_back(
          {"columns-" + tail, pitched({n, m}, padding), {0}, padding == 3});
    }
  for (int64_t bytes = 1; bytes < 16; ++bytes) {
    const std::string tail = "skew" + std::to_string(bytes);
    views.push_back({"full-9001-" + tail,
                     skewed(rowMajor({9001}), bytes),
                     {0},
                     bytes % 4 == 0 || bytes == 1});
    views.push_back({"rows-6x2047-" + tail,
                     skewed(pitched({6, 2047}, 2), bytes),
                     {1},
                     bytes == 4});
    views.push_back(
        {"rows-70x33-" + tail, skewed(rowMajor({70, 33}), bytes), {1}});
    views.push_back({"columns-500x33-" + tail,
                     skewed(rowMajor({500, 33}), bytes),
                     {0},
                     bytes == 8});
  }
}

/// Negative and zero strides on kept and on reduced axes.
static void addStrides(Views &views) {
  const View plain = rowMajor({41, 1500});
  for (int64_t axis : {0, 1})
    for (size_t changed : {size_t(0), size_t(1)}) {
      const std::string tail =
          "-axis" + std::to_string(changed) + "-" + axesText({axis});
      views.push_back(
          {"reversed" + tail, reversed(plain, changed), {axis}, axis == 1});
      views.push_back({"repeated" + tail,
                       repeated(plain, changed),
                       {axis},
                       axis == int64_t(changed)});
      views.push_back({"turned-reversed" + tail,
                       reversed(stored({41, 1500}, {1, 0}), changed),
                       {axis}});
      views.push_back({"step3" + tail, spread(plain, 3), {axis}});
    }
  views.push_back({"all-reversed", reversed(reversed(plain, 0), 1), {0, 1}});
  views.push_back({"all-turned", stored({41, 1500}, {1, 0}), {0, 1}, true});
  views.push_back({"all-pitched", pitched({41, 1500}, 3), {0, 1}, true});
  views.push_back({"all-repeated", repeated(plain, 0), {0, 1}});
}

/// Every choice of axes of a shape, stored in some order.
static void addChoices(Views &views, const std::string &name, const View &view,
                       bool quick) {
  const size_t rank = view.shape.size();
  for (unsigned mask = 0; mask < 1u << rank; ++mask) {
    std::vector<int64_t> axes;
    for (size_t d = 0; d < rank; ++d)
      if (mask >> d & 1)
        axes.push_back(int64_t(d));
    // The short matrix has the middle axis, (0,2), (0,2,3) and the like.
    views.push_back({name + "-" + axesText(axes), view, axes,
                     quick && (mask == 2 || mask == 5 || mask == 13)});
  }
}

static void addHighRanks(Views &views) {
  addChoices(views, "3d-9x130x65", rowMajor({9, 130, 65}), true);
  addChoices(views, "3d-turned-65x9x130", stored({65, 9, 130}, {2, 0, 1}),
             false);
  addChoices(views, "3d-reversed-33x40x50",
             reversed(reversed(rowMajor({33, 40, 50}), 0), 2), false);
  addChoices(views, "3d-repeated-30x40x50", repeated(rowMajor({30, 40, 50}), 1),
             false);
  addChoices(views, "3d-pitched-17x33x31", pitched({17, 33, 31}, 2), true);
  addChoices(views, "3d-ones-1x3001x1", rowMajor({1, 3001, 1}), false);
  addChoices(views, "4d-5x33x7x40", rowMajor({5, 33, 7, 40}), true);
  addChoices(views, "4d-turned-16x8x20x24",
             stored({16, 8, 20, 24}, {0, 2, 3, 1}), false);
  addChoices(views, "4d-batch-8x64x14x14", rowMajor({8, 64, 14, 14}), false);
}

void selftest::addViewCases(std::vector<Case> &cases) {
  Views views;
  addRankOne(views);
  addRankTwo(views);
  addAlignments(views);
  addStrides(views);
  addHighRanks(views);
  struct Subject {
    const char *reduction, *type;
    bool quick;
  };
  const Subject subjects[] = {{"sum", "f32", true},    {"argmax", "f32", false},
                              {"witness", "i8", true}, {"sum", "i16", false},
                              {"max", "u8", false},    {"var", "f64", false}};
  for (const Subject &s : subjects)
    for (const NamedView &v : views) {
      Case c = makeCase(std::string("views/") + s.reduction + "-" + s.type +
                            "/" + v.name,
                        s.reduction, typesOf(s.type), v.view.shape);
      c.inputs[0].view = v.view;
      c.axes = v.axes;
      c.allAxes = false;
      c.quick = s.quick && v.quick;
      cases.push_back(std::move(c));
    }
}
