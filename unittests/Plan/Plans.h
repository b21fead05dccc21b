//===- Plans.h - GPU plans of every form, for tests --------------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
#ifndef WARPFOLD_UNITTESTS_PLAN_PLANS_H
#define WARPFOLD_UNITTESTS_PLAN_PLANS_H

#include "Plan/Named.h"

#include <vector>

namespace wf::test {

/// A plan on so many folds of so many elements.
struct PlanCase {
  Plan plan;
  int64_t elements, outputs = 1, columns = 0;
};

inline Plan gpuPlan(Form form, int64_t vector, int64_t accumulators,
                    PlanOrder order = PlanOrder::Canonical) {
  Plan p;
  p.target = "sm_90";
  p.form = form;
  p.order = order;
  p.vector = vector;
  p.accumulators = order == PlanOrder::Ordered ? vector : accumulators;
  p.rows = order == PlanOrder::Ordered ? 1 : 32;
  p.warps = 4;
  return p;
}

/// A rung of the ladder over one fold of K f32.
inline Plan rung(const std::string &text, int64_t elements) {
  PlanFacts facts{};
  facts.kind = ProblemKind::Full;
  facts.order = PlanOrder::Canonical;
  facts.elements = elements;
  facts.outputs = 1;
  facts.widestInputBytes = facts.stateBytes = facts.widestMemberBytes = 4;
  facts.target = "sm_90";
  NamedFacts named{true, false, true, true, {}};
  auto request = parsePlanRequest(text);
  if (!request)
    llvm::report_fatal_error(request.takeError());
  auto choice = planFor(*request, facts, named);
  if (!choice)
    llvm::report_fatal_error(choice.takeError());
  return choice->plan;
}

const std::vector<std::string> rungs = {"v0",
                                        "v1",
                                        "v1:tree=pairs",
                                        "v2",
                                        "v2:tree=up",
                                        "v2:block=96",
                                        "v2:tree=up,block=1024",
                                        "v3",
                                        "v3:vec=4",
                                        "v3:items=8",
                                        "v3:vec=2,items=8",
                                        "v4",
                                        "v4:blocks=3",
                                        "v4:tree=pairs",
                                        "v4:tree=halving,blocks=300,block=32",
                                        "v5",
                                        "v5:vec=4,blocks=7",
                                        "v5:tree=up,block=64"};

/// Plans of every form on folds of K.
inline void addCases(std::vector<PlanCase> &cases, int64_t v, int64_t a,
                     PlanOrder order, int64_t K) {
  for (auto [warps, run] :
       {std::pair<int64_t, int64_t>{1, 1}, {4, 1}, {2, 4}, {16, 2}}) {
    Plan warp = gpuPlan(Form::Warp, v, a, order);
    warp.warps = warps;
    warp.run = run;
    warp.flight = 4;
    warp.grid = Grid::Ticket;
    warp.group = warps == 2 ? 4 : 0;
    cases.push_back({warp, K, 2});
  }
  for (int64_t lanes : {32, 8, 1})
    for (auto [warps, run] :
         {std::pair<int64_t, int64_t>{16, 1}, {4, 8}, {1, 16}}) {
      Plan column = gpuPlan(Form::Column, v, a, order);
      column.kind = ProblemKind::Column;
      column.warps = warps;
      column.run = run;
      column.lanes = lanes;
      column.outputs = lanes == 8 ? 2 : 4;
      column.load = warps == 4 ? Load::Element : Load::Vector;
      column.grid = Grid::Ticket;
      column.group = warps == 1 ? 2 : 0;
      // As many slots as a lane may fold: a step stays within a chunk.
      int64_t perStep = warps * 32 / lanes;
      while (column.items < 8 && (order == PlanOrder::Ordered ||
                                  2 * column.items * perStep <= column.slots()))
        column.items *= 2;
      if (order == PlanOrder::Canonical && perStep > column.slots())
        continue;
      if (order == PlanOrder::Canonical && K <= column.chunkElements() &&
          warps == 16)
        column.fill = (K + column.rowElements() - 1) / column.rowElements();
      if (K <= 1000)
        cases.push_back({column, K, 2 * 19, 19});
      else if (K <= 4097)
        cases.push_back({column, K, 5, 5});
    }
  Plan fill = gpuPlan(Form::Warp, v, a, order);
  fill.fill = (K + fill.rowElements() - 1) / fill.rowElements();
  if (fill.fill <= 32)
    cases.push_back({fill, K, 11});
  Plan lanes = gpuPlan(Form::Lanes, v, a, order);
  lanes.elements = K;
  lanes.lanes = 1;
  while (lanes.lanes * v < K)
    lanes.lanes *= 2;
  lanes.outputs = 4;
  if (lanes.lanes <= 32)
    cases.push_back({lanes, K, 300});
}

/// Forms other than the ladder, whose tree is their order's.
inline std::vector<PlanCase> orderedCases() {
  std::vector<PlanCase> cases;
  const std::pair<int64_t, int64_t> shapes[] = {{4, 4}, {2, 2},  {4, 2},
                                                {4, 1}, {16, 8}, {2, 1}};
  for (auto [v, a] : shapes)
    for (PlanOrder order : {PlanOrder::Canonical, PlanOrder::Ordered})
      for (int64_t K : {1, 5, 31, 130, 1000, 4095, 4096, 4097, 12295})
        addCases(cases, v, a, order, K);
  return cases;
}

} // namespace wf::test

#endif // WARPFOLD_UNITTESTS_PLAN_PLANS_H
