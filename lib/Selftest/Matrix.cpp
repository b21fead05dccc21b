//===- Matrix.cpp - The cases of the self-test ----------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Selftest/Matrix.h"

#include "Language/Catalogue.h"
#include "Selftest/Reductions.h"
#include "Selftest/Views.h"

#include "llvm/ADT/STLExtras.h"

#include <cctype>

using namespace wf;
using namespace wf::selftest;

void selftest::addCatalogueCases(std::vector<Case> &cases) {
  // Full, rows and columns; the short matrix has one of them for each op and
  // type, in turn.
  int64_t turn = 0;
  for (const CatalogueEntry &entry : catalogue())
    for (ScalarType type : allTypes()) {
      const std::string head =
          "catalogue/" + entry.name.str() + "-" + std::string(name(type)) + "/";
      Case full = makeCase(head + "full-70001", entry.name, {type}, {70001});
      if (!accepts(full))
        continue;
      Case small = makeCase(head + "full-77", entry.name, {type}, {77});
      Case rows = makeCase(head + "rows-5x5003", entry.name, {type}, {5, 5003});
      Case brief =
          makeCase(head + "rows-300x37", entry.name, {type}, {300, 37});
      Case columns =
          makeCase(head + "columns-1009x67", entry.name, {type}, {1009, 67});
      for (Case *c : {&rows, &brief, &columns})
        c->allAxes = false;
      rows.axes = brief.axes = {1};
      columns.axes = {0};
      Case ordered = full;
      ordered.name = head + "full-70001-ordered";
      ordered.order = "ordered";
      Case *all[] = {&full, &rows, &columns, &brief, &small, &ordered};
      all[turn++ % 4]->quick = true;
      for (Case *c : all)
        cases.push_back(std::move(*c));
    }
}

std::vector<std::string> selftest::plansFor(llvm::StringRef device) {
  if (device == "cpu")
    return {}; // the CPU chooses its plan
  return {"v0",
          "v1",
          "v1:tree=pairs",
          "v2",
          "v2:tree=up",
          "v3",
          "v3:vec=4",
          "v4",
          "v4:block=64",
          "v4:vec=4",
          "v5",
          "v5:vec=4",
          "v5:block=1024",
          "v5:block=128"};
}

void selftest::addPlanCases(std::vector<Case> &cases,
                            llvm::ArrayRef<std::string> plans) {
  const std::pair<const char *, const char *> subjects[] = {
      {"sum", "i32"},     {"max", "f32"}, {"argmax", "f32"}, {"sum", "i8"},
      {"matrix2", "i32"}, {"sum", "f32"}, {"xor", "u64"},    {"var", "f64"}};
  const struct {
    const char *what;
    std::vector<int64_t> shape, axes;
  } shapes[] = {
      {"full-1", {1}, {0}},
      {"full-1000", {1000}, {0}},
      {"full-4097", {4097}, {0}},
      {"full-1048579", {(1 << 20) + 3}, {0}},
      {"rows-37x4095", {37, 4095}, {1}},
      {"rows-1000x16", {1000, 16}, {1}},
      {"columns-4095x37", {4095, 37}, {0}},
      {"middle-5x300x65", {5, 300, 65}, {1}},
  };
  for (const std::string &plan : plans) {
    // A plan may be a text of several words; names of cases are one word.
    std::string word = plan;
    for (char &c : word)
      c = std::isalnum(static_cast<unsigned char>(c)) ? char(std::tolower(c))
                                                      : '_';
    for (auto [reduction, type] : subjects)
      for (const auto &[what, shape, axes] : shapes) {
        Case c = makeCase("plans/" + word + "/" + reduction + "-" + type + "/" +
                              what,
                          reduction, typesOf(type), shape);
        c.axes = axes;
        c.allAxes = false;
        c.plan = plan;
        c.exact = llvm::StringRef(reduction) == "matrix2";
        c.quick = shape[0] == 4097 || axes != std::vector<int64_t>{0};
        cases.push_back(std::move(c));
      }
  }
}

void selftest::addBigCases(std::vector<Case> &cases) {
  // One element, repeated: the fold is as long as asked for, the memory is not.
  const int64_t middles[] = {int64_t(1) << 31, int64_t(1) << 32};
  for (int64_t middle : middles)
    for (int64_t d = -3; d <= 3; ++d) {
      const int64_t k = middle + d;
      auto add = [&](const char *reduction, const char *type,
                     std::vector<int64_t> results) {
        Case c = makeCase(std::string("big/") + reduction + "-" + type + "/n" +
                              std::to_string(k),
                          reduction, typesOf(type), {k});
        c.inputs[0].view = repeated(std::move(c.inputs[0].view), 0);
        c.inputs[0].values = Values::One;
        c.closedForm = std::move(results);
        cases.push_back(std::move(c));
      };
      add("sum", "i8", {k});
      add("sum", "bool", {k});
      add("count_nonzero", "i8", {k});
      add("argmax", "i8", {0});
      add("furthest", "i8", {k - 1});
      add("how_many", "bool", {k, k});
    }
}

std::vector<Case> selftest::matrix(const MatrixOptions &options) {
  std::vector<Case> cases;
  addCatalogueCases(cases);
  addLengthCases(cases);
  addViewCases(cases);
  addUserCases(cases);
  addValueCases(cases);
  addPlanCases(cases, options.plans);
  if (options.quick)
    llvm::erase_if(cases, [](const Case &c) { return !c.quick; });
  if (options.big)
    addBigCases(cases);
  return cases;
}
