//===- LaneOps.cpp - Queries, votes and warp-wide syncs -------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Simulator/LaneOps.h"

#include "llvm/Support/FormatVariadic.h"

#include <bit>

using namespace wf;
using namespace wf::sim;

static uint64_t answer(const Warp &w, int lane, Query query) {
  const Block &block = *w.block;
  const LaunchRequest &launch = block.launch.request;
  const uint32_t *threads = launch.block, *blocks = launch.grid;
  uint32_t t = w.thread(lane);
  uint64_t one = uint64_t(1) << lane;
  switch (query) {
  case Query::ThreadX:
    return t % threads[0];
  case Query::ThreadY:
    return t / threads[0] % threads[1];
  case Query::ThreadZ:
    return t / threads[0] / threads[1];
  case Query::Threads:
    return uint64_t(threads[0]) * threads[1] * threads[2];
  case Query::ThreadsX:
    return threads[0];
  case Query::ThreadsY:
    return threads[1];
  case Query::ThreadsZ:
    return threads[2];
  case Query::BlockX:
    return block.index[0];
  case Query::BlockY:
    return block.index[1];
  case Query::BlockZ:
    return block.index[2];
  case Query::BlocksX:
    return blocks[0];
  case Query::BlocksY:
    return blocks[1];
  case Query::BlocksZ:
    return blocks[2];
  case Query::Lane:
    return uint64_t(lane);
  case Query::WarpNumber:
    return w.number;
  case Query::Warps:
    return block.warps.size();
  case Query::WarpSize:
    return uint64_t(w.lanes);
  case Query::MaskEq:
    return one;
  case Query::MaskLt:
    return one - 1;
  case Query::MaskLe:
    return one | (one - 1);
  case Query::MaskGt:
    return ~(one | (one - 1));
  case Query::MaskGe:
    return ~(one - 1);
  case Query::LinearThread:
    return t;
  case Query::LinearBlock:
    return block.linear;
  }
  return 0;
}

void sim::runQuery(Warp &w, const Inst &i) {
  uint32_t *d = w.out<uint32_t>(i.d);
  w.eachLane([&](int l) { d[l] = uint32_t(answer(w, l, Query(i.imm))); });
}

/// Lanes that a member mask names and that do not take part.
static void checkMembers(Warp &w, const Inst &i, Operand members) {
  uint64_t named = w.in<uint32_t>(members)[__builtin_ctzll(w.mask)];
  uint64_t away = named & ~w.mask;
  if (away)
    w.block->launch.hazard(
        HazardKind::InactiveLane, w, __builtin_ctzll(w.mask), i,
        llvm::formatv(
            "the mask names lane {0}, which {1}", std::countr_zero(away),
            w.exited() >> std::countr_zero(away) & 1 ? "has left the kernel"
                                                     : "does not take part")
            .str());
  w.eachLane([&](int l) {
    uint64_t own = w.in<uint32_t>(members)[l];
    if (!(own >> l & 1))
      w.block->launch.hazard(HazardKind::InactiveLane, w, l, i,
                             llvm::formatv("lane {0} is not in its own mask "
                                           "{1:x}",
                                           l, own)
                                 .str());
  });
}

void sim::runVote(Warp &w, const Inst &i) {
  const auto &table = w.kernel->tables[size_t(i.imm)];
  auto mode = VoteMode(table[1]);
  if (table[2] >= 0)
    checkMembers(w, i, Operand(table[2]));
  uint64_t yes = 0;
  if (mode != VoteMode::Active) {
    const uint32_t *a = w.in<uint32_t>(i.a);
    w.eachLane([&](int l) { yes |= uint64_t(a[l] & 1) << l; });
  }
  uint64_t result = 0;
  switch (mode) {
  case VoteMode::Any:
    result = yes != 0;
    break;
  case VoteMode::All:
    result = yes == w.mask;
    break;
  case VoteMode::Uniform:
    result = yes == 0 || yes == w.mask;
    break;
  case VoteMode::Ballot:
    result = yes;
    break;
  case VoteMode::Active:
    result = w.mask;
    break;
  }
  w.eachLane([&](int l) {
    if (table[0])
      w.out<uint64_t>(i.d)[l] = result;
    else
      w.out<uint32_t>(i.d)[l] = uint32_t(result);
  });
}

void sim::runMatch(Warp &w, const Inst &i) {
  const auto &table = w.kernel->tables[size_t(i.imm)];
  checkMembers(w, i, Operand(table[1]));
  auto value = [&](int l) {
    return table[0] ? w.in<uint64_t>(i.a)[l] : uint64_t(w.in<uint32_t>(i.a)[l]);
  };
  w.eachLane([&](int l) {
    uint32_t same = 0;
    w.eachLane([&](int o) { same |= uint32_t(value(o) == value(l)) << o; });
    w.out<uint32_t>(i.d)[l] = same;
  });
}

void sim::runRedux(Warp &w, const Inst &i) {
  const auto &table = w.kernel->tables[size_t(i.imm)];
  checkMembers(w, i, Operand(table[2]));
  const uint32_t *a = w.in<uint32_t>(i.a);
  uint32_t result = a[__builtin_ctzll(w.mask)];
  bool first = true;
  w.eachLane([&](int l) {
    uint32_t x = a[l];
    if (first) {
      first = false;
      return;
    }
    switch (ReduxMode(table[1])) {
    case ReduxMode::Add:
      result += x;
      break;
    case ReduxMode::And:
      result &= x;
      break;
    case ReduxMode::Or:
      result |= x;
      break;
    case ReduxMode::Xor:
      result ^= x;
      break;
    case ReduxMode::SMin:
      result = int32_t(x) < int32_t(result) ? x : result;
      break;
    case ReduxMode::SMax:
      result = int32_t(x) > int32_t(result) ? x : result;
      break;
    case ReduxMode::UMin:
      result = std::min(x, result);
      break;
    case ReduxMode::UMax:
      result = std::max(x, result);
      break;
    }
  });
  w.eachLane([&](int l) { w.out<uint32_t>(i.d)[l] = result; });
}

void sim::runMbcnt(Warp &w, const Inst &i) {
  const auto &table = w.kernel->tables[size_t(i.imm)];
  const uint32_t *a = w.in<uint32_t>(i.a), *b = w.in<uint32_t>(i.b);
  w.eachLane([&](int l) {
    uint64_t below = (uint64_t(1) << l) - 1;
    uint32_t half = uint32_t(table[1] ? below >> 32 : below);
    w.out<uint32_t>(i.d)[l] = b[l] + uint32_t(std::popcount(a[l] & half));
  });
}

/// These lanes meet, and what one of them acquired all have.
static void syncLanes(Warp &w, uint64_t lanes) {
  SeenList seen;
  for (uint64_t rest = lanes; rest; rest &= rest - 1)
    join(seen, w.block->order(w.thread(__builtin_ctzll(rest))).acquired);
  if (!seen.empty())
    for (uint64_t rest = lanes; rest; rest &= rest - 1)
      w.block->order(w.thread(__builtin_ctzll(rest))).acquired = seen;
  w.syncs.note(lanes);
}

void sim::runWarpSync(Warp &w, const Inst &i) {
  if (i.a == -1) {
    syncLanes(w, w.mask);
  } else {
    checkMembers(w, i, i.a);
    // Parts of a warp that name themselves only come here together by chance.
    const uint32_t *members = w.in<uint32_t>(i.a);
    for (uint64_t rest = w.mask; rest;) {
      int first = __builtin_ctzll(rest);
      uint64_t part = 0;
      for (uint64_t more = rest; more; more &= more - 1)
        if (members[__builtin_ctzll(more)] == members[first])
          part |= uint64_t(1) << __builtin_ctzll(more);
      syncLanes(w, part);
      rest &= ~part;
    }
  }
  ++w.block->time;
}

void sim::runBarrierJoin(Warp &w, const Inst &i) {
  // Runs for each warp once all are there: looks at every warp's condition.
  const auto &table = w.kernel->tables[size_t(i.imm)];
  uint32_t yes = 0, all = 0;
  for (Warp &other : w.block->warps)
    for (const Group &g : other.groups)
      for (uint64_t rest = g.mask; rest; rest &= rest - 1) {
        ++all;
        yes += other.in<uint32_t>(i.a)[__builtin_ctzll(rest)] != 0;
      }
  uint32_t result = table[1] == 0 ? yes == all : table[1] == 1 ? yes != 0 : yes;
  w.eachLane([&](int l) { w.out<uint32_t>(i.d)[l] = result; });
}
