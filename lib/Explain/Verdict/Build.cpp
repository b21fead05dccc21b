//===- Build.cpp - What the compiler did, and the flags it betrays --------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Verdict/Parts.h"

using namespace wf::explain;

namespace {
struct Seen {
  std::vector<size_t> flushed, kept, contracted, exponentials, scaled,
      reciprocals, slowPaths, readOnly;
};
} // namespace

static Seen look(const Analysis &a, const Slices &s) {
  Seen seen;
  for (size_t i = 0; i < a.program.code.size(); ++i) {
    const Decoded &d = a.program.code[i];
    if (d.never || !s.reachable(i))
      continue;
    if (d.flow.kind == Flow::Kind::Call &&
        d.flow.callee.find("slowpath") != std::string::npos)
      seen.slowPaths.push_back(i);
    for (const Effect &e : d.effects) {
      bool arithmetic = e.op == Op::Add || e.op == Op::Sub || e.op == Op::Mul ||
                        e.op == Op::Fma;
      if (e.type == Type::F32 && arithmetic)
        (e.flushes ? seen.flushed : seen.kept).push_back(i);
      if (e.op == Op::Fma && isFloat(e.type))
        seen.contracted.push_back(i);
      if (e.op == Op::Exp2)
        seen.exponentials.push_back(i);
      if (e.op == Op::Rcp)
        seen.reciprocals.push_back(i);
      if (e.op == Op::Load && e.memory && e.memory->readOnly)
        seen.readOnly.push_back(i);
    }
  }
  return seen;
}

void wf::explain::judgeBuild(Report &r, const Slices &s) {
  const Analysis &a = r.analysis;
  Seen seen = look(a, s);
  auto say = [&](const char *name, std::string says,
                 const std::vector<size_t> &proof) {
    if (!proof.empty())
      r.build.push_back({name, std::move(says), proof});
  };
  bool nvidia = r.kernel().isa != Isa::Amdgcn;
  if (nvidia) {
    if (!seen.flushed.empty() && seen.kept.empty())
      say("ftz",
          "every f32 operation flushes subnormal numbers to zero (.FTZ): built "
          "with -ftz=true, which --use_fast_math implies",
          seen.flushed);
    else if (!seen.flushed.empty())
      say("ftz",
          "some f32 operations flush subnormal numbers (.FTZ) and some do not: "
          "an approximate function's expansion, or mixed sources",
          seen.flushed);
    else
      say("denormals", "f32 operations keep subnormal numbers: no -ftz=true",
          seen.kept);
  }
  say("contraction",
      "multiplication and addition are one rounding (fma): contracted by the "
      "compiler (-fmad=true, the default) or written as fma",
      seen.contracted);
  if (nvidia && !seen.exponentials.empty()) {
    bool fast = !seen.flushed.empty() && seen.kept.empty();
    say("exponential",
        fast ? "exponentials are one multiplication and MUFU.EX2: the fast "
               "form of --use_fast_math"
             : "exponentials are scaled into range before MUFU.EX2: the "
               "accurate form",
        seen.exponentials);
  }
  say("division",
      seen.slowPaths.empty()
          ? "a reciprocal stands for a division, with no slow path: the fast "
            "form"
          : "divisions are a reciprocal refined by fma, with a call for the "
            "range where that fails: correctly rounded (-prec-div=true)",
      seen.reciprocals);
  say("read-only",
      r.kernel().isa == Isa::Amdgcn
          ? "loads are marked as of memory that does not change"
          : "loads go through the read-only path (LDG.E.CONSTANT, "
            "ld.global.nc: "
            "the data cache for what does not change, not constant memory): "
            "the pointer is const and __restrict__",
      seen.readOnly);
  for (size_t l = 0; l < a.loops.size(); ++l)
    if (a.loops[l].unrolled > 1)
      r.build.push_back({"unrolled",
                         "the loop at " + std::to_string(l) +
                             " holds its step " +
                             std::to_string(a.loops[l].unrolled) + " times",
                         {a.blocks[a.loops[l].header].first}});
  for (const Accumulator &acc : r.accumulators)
    if (!acc.loop && acc.copies > 1 && !acc.matrix &&
        acc.through.count(Through::Shared))
      r.build.push_back({"unrolled",
                         "the tree has no branch: its " +
                             std::to_string(acc.copies) +
                             " steps are written out (unrolled ×" +
                             std::to_string(acc.copies) + ")",
                         acc.step});
  for (const Loop &loop : a.loops)
    if (loop.rotated && loop.guardInstruction >= 0)
      r.build.push_back(
          {"rotated",
           "the loop's test was moved to its end (a rotated loop); a branch "
           "before it skips the loop where it would run no step",
           {size_t(loop.guardInstruction)}});
}
