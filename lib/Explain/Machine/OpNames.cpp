//===- OpNames.cpp - Operations in words ----------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Machine/Effect.h"

#include <array>

using namespace wf::explain;

namespace {
struct Named {
  Op op;
  std::string_view name;
};
constexpr Named named[] = {
    {Op::Unknown, "unknown"},
    {Op::Nop, "no operation"},
    {Op::Move, "move"},
    {Op::Special, "special"},
    {Op::Select, "select"},
    {Op::Convert, "convert"},
    {Op::Pack, "pack"},
    {Op::Permute, "permute"},
    {Op::LoadConstant, "load constant"},
    {Op::Add, "add"},
    {Op::Sub, "sub"},
    {Op::Mul, "mul"},
    {Op::MulHi, "upper half of product"},
    {Op::Mad, "multiply-add"},
    {Op::CarryOut, "carry out"},
    {Op::BorrowOut, "borrow out"},
    {Op::Shl, "shift left"},
    {Op::ShrLogical, "logical shift right"},
    {Op::ShrArith, "arithmetic shift right"},
    {Op::FunnelShift, "funnel shift"},
    {Op::And, "and"},
    {Op::Or, "or"},
    {Op::Xor, "xor"},
    {Op::Not, "not"},
    {Op::Lop3, "three-input logic"},
    {Op::BitField, "bit field"},
    {Op::BitInsert, "bit insert"},
    {Op::Min, "min"},
    {Op::Max, "max"},
    {Op::Abs, "abs"},
    {Op::Neg, "neg"},
    {Op::PopCount, "population count"},
    {Op::LeadingBit, "leading bit"},
    {Op::TrailingBit, "trailing bit"},
    {Op::BitReverse, "bit reverse"},
    {Op::Dot, "dot"},
    {Op::AbsDiff, "abs diff"},
    {Op::LaneMask, "lane mask"},
    {Op::LaneCount, "lane count"},
    {Op::Fma, "fused multiply-add"},
    {Op::Div, "div"},
    {Op::Rcp, "reciprocal"},
    {Op::Rsqrt, "reciprocal square root"},
    {Op::Sqrt, "square root"},
    {Op::Exp2, "exp2"},
    {Op::Log2, "log2"},
    {Op::Sin, "sin"},
    {Op::Cos, "cos"},
    {Op::Tanh, "tanh"},
    {Op::Floor, "floor"},
    {Op::Ceil, "ceil"},
    {Op::Round, "round"},
    {Op::Trunc, "trunc"},
    {Op::Ldexp, "ldexp"},
    {Op::DivisionHelp, "division help"},
    {Op::Compare, "compare"},
    {Op::PredicateLogic, "predicate logic"},
    {Op::ClassTest, "class test"},
    {Op::Load, "load"},
    {Op::Store, "store"},
    {Op::Atomic, "atomic"},
    {Op::AsyncCopyWait, "async copy wait"},
    {Op::AsyncCopyCommit, "async copy commit"},
    {Op::CacheControl, "cache control"},
    {Op::Prefetch, "prefetch"},
    {Op::Shuffle, "shuffle"},
    {Op::Vote, "vote"},
    {Op::Ballot, "ballot"},
    {Op::Match, "match"},
    {Op::WarpReduce, "warp reduce"},
    {Op::ReadLane, "read lane"},
    {Op::ReadFirstLane, "read first lane"},
    {Op::WriteLane, "write lane"},
    {Op::Elect, "elect"},
    {Op::Barrier, "barrier"},
    {Op::BarrierArrive, "barrier arrive"},
    {Op::BarrierWait, "barrier wait"},
    {Op::ClusterArrive, "cluster arrive"},
    {Op::ClusterWait, "cluster wait"},
    {Op::WarpSync, "warp sync"},
    {Op::Fence, "fence"},
    {Op::WaitCounter, "wait counter"},
    {Op::ClusterAddress, "cluster address"},
    {Op::Branch, "branch"},
    {Op::Exit, "exit"},
    {Op::Call, "call"},
    {Op::Return, "return"},
    {Op::Reconverge, "reconverge"},
    {Op::ReconvergeSet, "reconverge set"},
    {Op::Trap, "trap"},
    {Op::Sleep, "sleep"},
    {Op::Matrix, "matrix"},
    {Op::Texture, "texture"},
    {Op::Rem, "remainder"},
    {Op::Hint, "hint"},
};

constexpr auto byOp = [] {
  std::array<std::string_view, 256> names{};
  for (const Named &n : named)
    names[size_t(n.op)] = n.name;
  return names;
}();
} // namespace

std::string_view wf::explain::opName(Op op) {
  std::string_view name = byOp[size_t(op)];
  return name.empty() ? "unknown" : name;
}
