//===- Barriers.cpp - Barriers that look redundant or missing -------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Verdict/Parts.h"

#include <algorithm>

using namespace wf::explain;

static bool isBarrier(const Decoded &d) {
  for (const Effect &e : d.effects)
    if (e.op == Op::Barrier || e.op == Op::BarrierWait)
      return true;
  return false;
}

namespace {
/// What may have happened since the last barrier, at a point of the code.
struct Since {
  bool touched = false;    ///< memory that a barrier orders
  std::set<size_t> stores; ///< touches: to shared memory, not yet ordered
  bool join(const Since &other) {
    size_t before = stores.size() + touched;
    touched |= other.touched;
    for (size_t t : other.stores)
      if (stores.size() < 64)
        stores.insert(t);
    return stores.size() + touched != before;
  }
};

class BarrierJudge {
public:
  BarrierJudge(Report &r, const Slices &s, const std::vector<Touch> &touches)
      : r(r), s(s), a(r.analysis), touches(touches), in(a.blocks.size()) {
    for (size_t t = 0; t < touches.size(); ++t)
      at[touches[t].instruction].push_back(t);
  }

  void run() {
    bool any = false;
    for (size_t i = 0; i < a.program.code.size() && !any; ++i)
      any = isBarrier(a.program.code[i]) && s.reachable(i);
    bool shared =
        std::any_of(touches.begin(), touches.end(),
                    [](const Touch &t) { return t.space == Space::Shared; });
    if (!any && !shared)
      return;
    solve();
    for (size_t b = 0; b < a.blocks.size(); ++b)
      if (a.blocks[b].reachable) {
        Since state = in[b];
        walk(b, state, /*report=*/true);
      }
  }

private:
  void solve() {
    std::vector<size_t> work;
    for (size_t b = a.blocks.size(); b-- > 0;)
      if (a.blocks[b].reachable)
        work.push_back(b);
    size_t budget = 64 * a.blocks.size() + 64;
    while (!work.empty() && budget-- > 0) {
      size_t b = work.back();
      work.pop_back();
      Since state = in[b];
      walk(b, state, false);
      for (size_t next : a.blocks[b].next)
        if (next < in.size() &&
            (in[next].join(state) || !visited.count(next))) {
          visited.insert(next);
          work.push_back(next);
        }
    }
  }

  void walk(size_t b, Since &state, bool report) {
    for (size_t i = a.blocks[b].first; i < a.blocks[b].last; ++i) {
      const Decoded &d = a.program.code[i];
      if (d.never)
        continue;
      if (isBarrier(d)) {
        if (report)
          judgeBarrier(i, state);
        state = {};
        continue;
      }
      // A sync of the warp orders its own lanes, which is enough where no other
      // warp reads: no claim of a missing barrier is made past one.
      for (const Effect &e : d.effects)
        if (e.op == Op::WarpSync)
          state.stores.clear();
      auto it = at.find(i);
      if (it == at.end())
        continue;
      for (size_t t : it->second)
        touch(t, state, report);
    }
  }

  void touch(size_t t, Since &state, bool report) {
    const Touch &touch = touches[t];
    bool ordered = touch.space == Space::Shared ||
                   touch.space == Space::Global ||
                   touch.space == Space::Generic;
    // Reading what nobody writes needs no barrier.
    if (ordered && (touch.space != Space::Global || !touch.load))
      state.touched = true;
    if (touch.space != Space::Shared)
      return;
    if (touch.store)
      state.stores.insert(t);
    else if (report && touch.load)
      for (size_t w : state.stores)
        missing(touches[w], touch);
  }

  void missing(const Touch &store, const Touch &load) {
    // One thread's own element, or one that every lane finds where it left it.
    if (store.address == load.address || store.address == noValue ||
        load.address == noValue || !told.insert(load.instruction).second)
      return;
    // Different constants of one thread: disjoint, and the same lane's.
    auto w0 = s.inLane(store.address, 0), l0 = s.inLane(load.address, 0);
    if (!s.varies(store.address) && !s.varies(load.address) && w0 && l0 &&
        *w0 != *l0)
      return;
    Finding f;
    f.kind = Finding::Kind::Warning;
    f.name = "missing-barrier";
    f.says = place(a, load.address, Space::Shared, load.bytes) +
             " may be read before another thread has stored it: no barrier "
             "lies between this load and the store to " +
             place(a, store.address, Space::Shared, store.bytes);
    f.proof = {store.instruction, load.instruction};
    r.findings.push_back(std::move(f));
  }

  void judgeBarrier(size_t i, const Since &state) {
    BarrierFact fact;
    fact.instruction = i;
    fact.redundant = !state.touched;
    if (fact.redundant)
      fact.why = "nothing that a barrier orders happens between the one before "
                 "it (or the kernel's start) and this one";
    else if (!state.stores.empty()) {
      const Touch &w = touches[*state.stores.begin()];
      fact.why = "the stores to " +
                 place(a, w.address, Space::Shared, w.bytes) +
                 " must be seen by the threads that load them";
    } else
      fact.why = "what was loaded before it may be overwritten after it";
    if (fact.redundant)
      r.findings.push_back({Finding::Kind::Note,
                            "redundant-barrier",
                            "this barrier looks redundant: " + fact.why,
                            {i}});
    r.barriers.push_back(std::move(fact));
  }

  Report &r;
  const Slices &s;
  const Analysis &a;
  const std::vector<Touch> &touches;
  std::vector<Since> in;
  std::map<size_t, std::vector<size_t>> at;
  std::set<size_t> visited, told;
};
} // namespace

void wf::explain::judgeBarriers(Report &r, const Slices &s,
                                const std::vector<Touch> &touches) {
  BarrierJudge(r, s, touches).run();
}
