//===- Facts.cpp - What a plan is chosen from -----------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Language/ElementOrder.h"
#include "Pipeline/Compiler.h"
#include "Target/CpuTarget.h"

#include <cstdlib>

using namespace wf;

/// Is the program a sum, in a wider integer of at least the 32 bits that narrow
/// partials end in, of the input's own value?
static std::optional<ScalarType> integerSumOf(const Program &p) {
  auto isArgument = [](const wf::Function &f, uint32_t n, uint32_t argument) {
    return f.nodes[n].op == NodeOp::Argument && f.nodes[n].payload == argument;
  };
  if (p.inputs.size() != 1 || p.state.size() != 1 || p.hasOwnUpdate ||
      p.nanIgnore || !isInteger(p.state[0].type) || isFloat(p.inputs[0]))
    return std::nullopt;
  const Node &sum = p.combine.nodes[p.combine.results[0]];
  if (sum.op != NodeOp::Add ||
      !((isArgument(p.combine, sum.operands[0], 0) &&
         isArgument(p.combine, sum.operands[1], 1)) ||
        (isArgument(p.combine, sum.operands[0], 1) &&
         isArgument(p.combine, sum.operands[1], 0))))
    return std::nullopt;
  const Node &map = p.map.nodes[p.map.results[0]];
  if (map.op != NodeOp::Cast || !isArgument(p.map, map.operands[0], 0))
    return std::nullopt;
  if (byteSize(p.inputs[0]) >= byteSize(p.state[0].type) ||
      byteSize(p.state[0].type) < 4)
    return std::nullopt;
  return p.inputs[0];
}

/// Do V consecutive elements along the innermost axis lie side by side, at a
/// multiple of their size, in every input that moves along it?
static bool alignedInputs(const Problem &problem, int64_t vector) {
  bool column = problem.kind == ProblemKind::Column;
  const LoopAxis *inner = column ? &problem.kept.back()
                          : problem.reduced.empty() ? nullptr
                                                    : &problem.reduced.back();
  if (!inner) // one element: no load takes several
    return true;
  if (column && inner->size % vector != 0)
    return false;
  for (size_t i = 0; i < problem.inputs; ++i) {
    if (inner->inStrides[i] == 0)
      continue;
    if (inner->inStrides[i] != 1)
      return false;
    for (const auto *axes : {&problem.kept, &problem.reduced})
      for (const LoopAxis &a : *axes)
        if (&a != inner && a.inStrides[i] % vector != 0)
          return false;
  }
  return true;
}

/// The largest element offset any array reaches, and the counts themselves.
static int64_t largestOffset(const Problem &problem) {
  int64_t largest = std::max(problem.elements, problem.outputs);
  for (size_t i = 0; i < problem.inputs; ++i) {
    int64_t reach = 0;
    for (const auto *axes : {&problem.kept, &problem.reduced})
      for (const LoopAxis &a : *axes)
        reach += (a.size - 1) * std::abs(a.inStrides[i]);
    largest = std::max(largest, reach);
  }
  for (const LoopAxis &a : problem.kept)
    for (int64_t stride : a.outStrides)
      largest = std::max(largest, a.size * std::abs(stride));
  return largest;
}

static void gpuFacts(PlanFacts &facts, const Program &program,
                     const Problem &problem) {
  facts.memberBytes = facts.counted ? 8 : 0;
  for (const Field &f : program.state)
    facts.memberBytes += std::max<int64_t>(4, byteSize(f.type));
  facts.memberCount = int64_t(program.state.size());
  facts.inputBytes = 0;
  for (ScalarType t : program.inputs)
    facts.inputBytes += byteSize(t);
  facts.aligned = alignedInputs(problem, 16 / program.widestInputBytes);
  if (!problem.reduced.empty())
    facts.innerLength = problem.reduced.back().size;
  else
    facts.innerLength = 1;
  if (problem.kind == ProblemKind::Column)
    facts.columns = problem.kept.back().size;
  // A column's pointer walks on to the end of its last row or chunk.
  int64_t largest = largestOffset(problem);
  if (problem.kind == ProblemKind::Column && problem.reduced.size() == 1) {
    int64_t row = 32 * (16 / program.widestInputBytes), chunk = 32 * row;
    int64_t unit = problem.elements <= chunk ? row : chunk;
    int64_t walked = (problem.elements + unit - 1) / unit * unit;
    for (int64_t stride : problem.reduced[0].inStrides)
      largest = std::max(largest, walked * std::abs(stride));
  }
  // Room for a last, incomplete chunk's arithmetic.
  facts.addressBits = largest < INT32_MAX - (1 << 20) ? 32 : 64;
}

PlanFacts wf::planFacts(const Program &program, const Problem &problem,
                        PlanOrder order, const PlanTarget &target) {
  PlanFacts facts;
  facts.target = target.name;
  facts.multiprocessors = target.multiprocessors;
  facts.counted = program.combine.uses(ArgumentRole::CountA) ||
                  program.combine.uses(ArgumentRole::CountB);
  facts.kind = problem.kind;
  facts.order = order;
  facts.elements = problem.elements;
  facts.outputs = problem.outputs;
  facts.widestInputBytes = program.widestInputBytes;
  facts.stateBytes = program.stateBytes;
  facts.simdBytes = hostCpu().simdBytes;
  facts.widestMemberBytes = 1;
  for (ScalarType t : program.inputs)
    facts.widestMemberBytes = std::max(facts.widestMemberBytes, byteSize(t));
  for (const Field &f : program.state)
    facts.widestMemberBytes =
        std::max(facts.widestMemberBytes, byteSize(f.type));
  if (problem.kind == ProblemKind::General && !problem.reduced.empty() &&
      llvm::all_of(problem.reduced.back().inStrides,
                   [](int64_t s) { return s == 1; }))
    facts.innerRun = problem.reduced.back().size;
  facts.generated = problem.gathered;
  facts.nearIndex = nearFunctions(program).has_value();
  facts.widestNearBytes = 4;
  for (ScalarType t : program.inputs)
    facts.widestNearBytes = std::max(facts.widestNearBytes, byteSize(t));
  for (const Field &f : program.state)
    if (f.type != ScalarType::I64)
      facts.widestNearBytes =
          std::max(facts.widestNearBytes, byteSize(f.type));
  facts.integerSumOf = integerSumOf(program);
  if (target.name != "cpu")
    gpuFacts(facts, program, problem);
  return facts;
}
