//===- rows.cpp - What the CPU suite measures -----------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Targets are those of the project's first step: near the speed of reading
// alone wherever memory is the limit, near a hand-written loop in cache.
//===----------------------------------------------------------------------===//
#include "suites/cpu/rows.h"

using namespace bench;

static constexpr int64_t big = int64_t(1) << 28;  // 1 GiB of f32
static constexpr int64_t some = int64_t(1) << 26; // 256 MiB of f32

static std::string textOf(const std::vector<int64_t> &numbers) {
  std::string text;
  for (int64_t n : numbers)
    text += (text.empty() ? "" : ",") + std::to_string(n);
  return "(" + text + ")";
}

/// A sum of f32 along axes.
static Row along(const std::string &kind, std::vector<int64_t> shape,
                 std::vector<int64_t> axes) {
  std::string which = axes.size() == 1 ? std::to_string(axes[0]) : textOf(axes);
  Row row{"sum " + kind + " " + textOf(shape),
          "sum",
          Fill::F32,
          shape,
          axes,
          "x.sum(axis=" + which + ")",
          {{"read-only", .9}}};
  if (kind == "axes")
    row.name += " " + which;
  return row;
}

static std::vector<Row> f32Rows() {
  std::vector<Row> rows;
  rows.push_back({"sum 2^28",
                  "sum",
                  Fill::F32,
                  {big},
                  {},
                  "x.sum()",
                  {{"read-only", .95}, {"std::reduce", .95}}});
  rows.push_back({"sum 2^14, in cache",
                  "sum",
                  Fill::F32,
                  {1 << 14},
                  {},
                  "x.sum()",
                  {{"hand loop", .8}},
                  1000});
  for (int64_t width : {16, 100, 1024, 4096, 65536})
    rows.push_back(along("rows", {some / width, width}, {1}));
  for (int64_t width : {8192, 64, 16384, 16})
    rows.push_back(along("columns", {some / width, width}, {0}));
  rows.push_back(along("axes", {256, 512, 512}, {0, 2}));
  rows.push_back(along("axes", {64, 1024, 1024}, {1}));
  rows.push_back(along("axes", {128, 64, 64, 128}, {0, 2}));
  rows.push_back(along("axes", {128, 64, 64, 128}, {1, 3}));
  rows.push_back({"argmax 2^28",
                  "argmax",
                  Fill::F32,
                  {big},
                  {},
                  "x.argmax()",
                  {{"warpfold sum", .8}},
                  1,
                  true});
  rows.push_back({"max 2^28", "max", Fill::F32, {big}, {}, "x.max()", {}});
  rows.push_back(
      {"norm2 2^28", "norm2", Fill::F32, {big}, {}, "np.linalg.norm(x)", {}});
  rows.push_back({"mean 2^28", "mean", Fill::F32, {big}, {}, "x.mean()", {}});
  rows.push_back({"var 2^28", "var", Fill::F32, {big}, {}, "x.var()", {}});
  return rows;
}

std::vector<Row> bench::allRows() {
  std::vector<Row> rows = f32Rows();
  rows.push_back(
      {"sum f64 2^27", "sum", Fill::F64, {big / 2}, {}, "x.sum()", {}});
  rows.push_back({"sum i8 2^30",
                  "sum",
                  Fill::I8,
                  {big * 4},
                  {},
                  "x.sum()",
                  {{"read-only", .8}}});
  rows.push_back(
      {"all, bool 2^30", "all", Fill::AllTrue, {big * 4}, {}, "x.all()", {}});
  rows.push_back(
      {"any, bool 2^30", "any", Fill::AllFalse, {big * 4}, {}, "x.any()", {}});
  return rows;
}
