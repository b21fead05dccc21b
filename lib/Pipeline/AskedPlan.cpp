//===- AskedPlan.cpp - The plan that --plan and --order ask for -----------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Pipeline/AskedPlan.h"

#include "Pipeline/ExplainFacts.h"
#include "Target/Gpu.h"

using namespace wf;

/// Will f32 additions of the machine's atomics flush subnormal numbers?
static bool flushesSubnormals(const Program &program, const Plan &plan) {
  return atomicAddFlushes(plan.target) && plan.grid == Grid::Atomic &&
         program.state.size() == 1 &&
         program.state[0].type == ScalarType::F32 &&
         program.combine.nodes[program.combine.results[0]].op == NodeOp::Add;
}

llvm::Expected<PlanChoice> wf::askedPlan(const Program &program,
                                         const Problem &problem,
                                         const PlanFacts &facts,
                                         const PlanWish &wish,
                                         std::vector<std::string> &notes) {
  auto request = parsePlanRequest(wish.plan.value_or("auto"));
  if (!request)
    return request.takeError();
  std::optional<PlanOrder> asked;
  if (wish.order)
    asked = orderNamed(*wish.order);
  NamedFacts named = namedFacts(program, asked);
  // Any bits are right under fixed and any, and auto has the one plan.
  bool loose = asked == PlanOrder::Fixed || asked == PlanOrder::Any;
  if (loose && request->kind == PlanRequest::Auto)
    named.asked = facts.order;
  auto choice = planFor(*request, facts, named);
  if (!choice)
    return choice;
  std::string runs(versionedName(choice->plan.order));
  if (loose && request->kind == PlanRequest::Auto)
    notes.push_back("order " + *wish.order + " is kept by " + runs);
  if (request->kind == PlanRequest::Ladder && !asked)
    notes.push_back("plan " + request->text + " runs under order " + runs +
                    ": " + choice->reason);
  if (request->kind == PlanRequest::Text)
    if (llvm::Error e = checkPlanFits(choice->plan, problem, facts, named))
      return std::move(e);
  if (flushesSubnormals(program, choice->plan))
    notes.push_back("the GPU's atomic f32 addition takes subnormal numbers as "
                    "zero; v4 and v5 do not");
  return choice;
}
