//===- Order.cpp - Release and acquire between blocks ---------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Simulator/Order.h"

#include <algorithm>

using namespace wf;
using namespace wf::sim;

void sim::join(SeenList &into, const SeenList &from) {
  for (const Seen &s : from) {
    auto have = std::find_if(into.begin(), into.end(), [&](const Seen &o) {
      return o.channel == s.channel;
    });
    if (have == into.end())
      into.push_back(s);
    else
      have->length = std::max(have->length, s.length);
  }
}

void Order::releaseFence(ThreadOrder &t, const Position &at,
                         const SeenList &block) {
  t.release = std::make_unique<Release>();
  t.release->at = at;
  if (t.acquired.empty() && block.empty())
    return;
  auto seen = std::make_shared<SeenList>(block);
  join(*seen, t.acquired);
  t.release->seen = std::move(seen);
}

void Order::acquireFence(ThreadOrder &t) {
  join(t.acquired, t.observed);
  t.observed.clear();
}

void Order::atomic(ThreadOrder &t, Address address, bool writes) {
  Channel &channel = channels[address];
  // What it sees is what was there before its own change.
  join(t.observed, {{&channel, channel.log.size()}});
  if (!writes || !t.release)
    return;
  channel.byBlock[t.release->at.block].push_back(channel.log.size());
  channel.log.push_back(*t.release);
}

/// Was `write` before a release of its block at `at`?
static bool covers(const Position &at, const Position &write) {
  return write.barriers < at.barriers ||
         (write.thread == at.thread && write.time <= at.time) ||
         (write.warp == at.warp && write.syncs < at.syncs);
}

static bool within(const SeenList &list, const Position &write, int depth) {
  for (const Seen &s : list) {
    auto of = s.channel->byBlock.find(write.block);
    if (of != s.channel->byBlock.end())
      for (size_t n : of->second)
        if (n < s.length && covers(s.channel->log[n].at, write))
          return true;
    if (depth > 0)
      for (size_t n = 0; n < s.length; ++n)
        if (const auto &seen = s.channel->log[n].seen)
          if (within(*seen, write, depth - 1))
            return true;
  }
  return false;
}

bool Order::knows(const SeenList &thread, const SeenList &block,
                  const Position &write) const {
  for (int depth : {0, 3})
    if (within(thread, write, depth) || within(block, write, depth))
      return true;
  return false;
}

HazardKind Order::why(const ThreadOrder &t, const Position &write) const {
  for (const auto &[address, channel] : channels) {
    auto of = channel.byBlock.find(write.block);
    if (of == channel.byBlock.end())
      continue;
    for (size_t n : of->second)
      if (covers(channel.log[n].at, write))
        return HazardKind::MissingAcquire;
  }
  // Blocks that use no atomics at all do not even try.
  return channels.empty() ? HazardKind::GlobalRace : HazardKind::MissingRelease;
}
