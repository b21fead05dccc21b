//===- Warp.cpp - The lanes that run together -----------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Simulator/Warp.h"

#include "Simulator/Block.h"

#include <bit>
#include <cstring>

using namespace wf;
using namespace wf::sim;

/// Basic blocks that a group may enter before others get their turn: a kernel
/// may wait for another block in a loop.
constexpr int slice = 4096;

void Warp::setMask(uint64_t active) {
  if (mask == active && (full || active != 0))
    return;
  mask = active;
  full = active == (lanes == 64 ? ~uint64_t(0) : (uint64_t(1) << lanes) - 1);
  for (int l = 0; l < lanes; ++l)
    laneMask[l] = active >> l & 1 ? ~0u : 0;
}

Now Warp::now(int lane) const {
  Now p{{}, syncs};
  p.block = block->serial;
  p.barriers = block->barriers;
  p.time = block->time;
  p.syncs = syncs.count();
  p.thread = uint16_t(thread(lane));
  p.warp = uint16_t(number);
  return p;
}

Position Warp::releasePoint(int lane) const {
  Position p = now(lane);
  p.syncs = syncs.lastOf(lane);
  return p;
}

void Warp::start(Block &inBlock, uint32_t n, uint64_t active) {
  block = &inBlock;
  kernel = &inBlock.launch.kernel;
  lanes = inBlock.launch.machine.lanes;
  number = n;
  frame.resize(size_t(kernel->frameBytes));
  base[0] = frame.data();
  base[1] = inBlock.launch.shared.data();
  privateMemory.assign(size_t(kernel->privateBytes * lanes), 0);
  syncs.start(active, lanes);
  groups.clear();
  Group g;
  g.mask = active;
  groups.push_back(std::move(g));
  executed = 0;
  gone = 0;
  ready = true;
  mask = 0;
  if (block->launch.options.count) {
    BlockCount &c = block->launch.blockCounts[0];
    ++c.warps;
    c.lanes += uint64_t(std::popcount(active));
  }
  scatter(0);
}

bool Warp::shared(size_t g) const {
  for (size_t i = 0; i < groups.size(); ++i)
    if (i != g && groups[i].within(groups[g].path))
      return true;
  return false;
}

void Warp::copy(const Edge &edge) {
  uint64_t m = mask;
  bool all = full;
  for (const Copy &c : edge.copies) {
    size_t bytes = c.wide ? 8 : 4;
    if (all) {
      std::memcpy(out<char>(c.to), in<char>(c.from), bytes * size_t(lanes));
    } else if (c.wide) {
      uint64_t *to = out<uint64_t>(c.to);
      const uint64_t *from = in<uint64_t>(c.from);
      for (uint64_t rest = m; rest; rest &= rest - 1)
        to[__builtin_ctzll(rest)] = from[__builtin_ctzll(rest)];
    } else {
      uint32_t *to = out<uint32_t>(c.to);
      const uint32_t *from = in<uint32_t>(c.from);
      for (uint64_t rest = m; rest; rest &= rest - 1)
        to[__builtin_ctzll(rest)] = from[__builtin_ctzll(rest)];
    }
  }
}

/// A group goes to another basic block.
void Warp::enter(Group &g, const Edge &edge) {
  setMask(g.mask);
  copy(edge);
  const BlockInfo &to = kernel->blocks[edge.block];
  g.pc = to.first;
  executed += to.instructions;
  if (!g.path.empty() && g.path.back() == int32_t(edge.block))
    g.state = Group::State::AtJoin;
  else
    count(g, edge.block);
}

/// A group begins a basic block. Those who wait for others there have not: they
/// begin it together.
void Warp::count(const Group &g, uint32_t basicBlock) {
  if (!block->launch.options.count)
    return;
  BlockCount &c = block->launch.blockCounts[basicBlock];
  ++c.warps;
  c.lanes += uint64_t(std::popcount(g.mask));
}

/// Takes the lanes of `part` out of a group, into one of their own.
void Warp::split(size_t g, uint64_t part) {
  Group other = groups[g];
  other.mask = part;
  groups[g].mask &= ~part;
  groups.push_back(std::move(other));
}

/// Nothing promises that lanes run in step: cuts a group in two or three.
void Warp::scatter(size_t g) {
  Running &launch = block->launch;
  if (!launch.random() || std::popcount(groups[g].mask) < 2)
    return;
  for (unsigned cuts = launch.dice(3); cuts > 0; --cuts) {
    uint64_t part = groups[g].mask;
    switch (launch.dice(3)) {
    case 0: // any lanes
      part &= launch.chance();
      break;
    case 1: // the lower ones, or the upper ones
      part &= (uint64_t(1) << (1 + launch.dice(unsigned(lanes) - 1))) - 1;
      break;
    default: // one
      part &= uint64_t(1) << launch.dice(unsigned(lanes));
    }
    if (part != 0 && part != groups[g].mask)
      split(g, part);
  }
}

/// Carries out the branch or switch that a group is at. Where its lanes
/// disagree it becomes several groups; `g` stays one of them.
bool Warp::branch(size_t &g, const Inst &inst) {
  const Terminator &t = kernel->terminators[size_t(inst.imm)];
  if (t.edges.size() == 1) {
    enter(groups[g], t.edges[0]);
    return true;
  }
  uint64_t active = groups[g].mask;
  llvm::SmallVector<uint64_t, 4> parts(t.edges.size(), 0);
  if (inst.control == Control::Branch) {
    const uint32_t *condition = in<uint32_t>(inst.a);
    uint64_t taken = 0;
    for (int l = 0; l < lanes; ++l)
      taken |= uint64_t(condition[l] & 1) << l;
    parts[0] = active & taken;
    parts[1] = active & ~taken;
  } else {
    for (uint64_t rest = active; rest; rest &= rest - 1) {
      int l = __builtin_ctzll(rest);
      uint64_t v = t.wide ? in<uint64_t>(inst.a)[l] : in<uint32_t>(inst.a)[l];
      size_t edge = 0;
      for (size_t c = 0; c < t.cases.size() && !edge; ++c)
        if (t.cases[c] == v)
          edge = c + 1;
      parts[edge] |= uint64_t(1) << l;
    }
  }
  int32_t meet = kernel->blocks[size_t(inst.b)].reconverge;
  bool uniform = llvm::is_contained(parts, active);
  // Lanes that go the same way keep together anyhow, unless there are others,
  // who may be yet to come to this branch and go another.
  if ((!uniform || groups.size() > 1) &&
      (groups[g].path.empty() || groups[g].path.back() != meet))
    groups[g].path.push_back(meet);
  bool first = true;
  llvm::SmallVector<std::pair<size_t, size_t>, 4> moves; // group, edge
  for (size_t e = 0; e < parts.size(); ++e) {
    if (!parts[e])
      continue;
    if (first) {
      moves.push_back({g, e});
      first = false;
      continue;
    }
    split(g, parts[e]);
    moves.push_back({groups.size() - 1, e});
  }
  for (auto [group, edge] : moves)
    enter(groups[group], t.edges[edge]);
  return true;
}

void Warp::runGroup(size_t g) {
  Running &launch = block->launch;
  for (int turn = 0; turn < slice; ++turn) {
    if (groups[g].state != Group::State::Ready)
      return;
    setMask(groups[g].mask);
    const Inst *inst = &kernel->code[groups[g].pc];
    while (inst->control == Control::Plain) {
      inst->run(*this, *inst);
      ++inst;
    }
    groups[g].pc = uint32_t(inst - kernel->code.data());
    switch (inst->control) {
    case Control::Plain:
      break;
    case Control::Warp:
      // All who may still come are waited for; alone, it goes on at once.
      if (groups.size() > 1) {
        groups[g].state = Group::State::AtWarp;
        return;
      }
      inst->run(*this, *inst);
      ++groups[g].pc;
      scatter(g);
      break;
    case Control::Barrier:
      groups[g].state = Group::State::AtBarrier;
      return;
    case Control::Branch:
    case Control::Switch:
      branch(g, *inst);
      break;
    case Control::Return:
      gone |= groups[g].mask;
      groups.erase(groups.begin() + long(g));
      return;
    case Control::Unreachable:
      launch.hazard(HazardKind::NotOnTarget, *this,
                    __builtin_ctzll(groups[g].mask), *inst,
                    "the flow reaches what the compiler holds unreachable: an "
                    "earlier step has no defined behaviour");
      gone |= groups[g].mask;
      groups.erase(groups.begin() + long(g));
      return;
    }
    if (launch.stopped)
      return;
  }
}

/// Groups at the same place become one.
void Warp::merge() {
  for (size_t i = 0; i < groups.size(); ++i)
    for (size_t j = groups.size() - 1; j > i; --j)
      if (groups[i].samePlace(groups[j])) {
        groups[i].mask |= groups[j].mask;
        groups.erase(groups.begin() + long(j));
      }
}

/// No group can go on by itself. Lets those meet who wait for each other, or
/// carries out an operation across lanes. False: only a barrier helps.
bool Warp::resolve() {
  merge();
  // The innermost first: those further out wait for them.
  size_t best = groups.size();
  for (size_t i = 0; i < groups.size(); ++i) {
    if (groups[i].state != Group::State::AtWarp)
      continue;
    if (best == groups.size() ||
        groups[i].path.size() > groups[best].path.size() ||
        (groups[i].path.size() == groups[best].path.size() &&
         groups[i].pc < groups[best].pc))
      best = i;
  }
  // A meeting point is passed once nobody is inside any more.
  for (size_t i = 0; i < groups.size(); ++i) {
    if (groups[i].state != Group::State::AtJoin || shared(i))
      continue;
    auto here = uint32_t(groups[i].path.pop_back_val());
    bool again =
        !groups[i].path.empty() && groups[i].path.back() >= 0 &&
        kernel->blocks[size_t(groups[i].path.back())].first == groups[i].pc;
    groups[i].state = again ? Group::State::AtJoin : Group::State::Ready;
    if (again)
      return resolve();
    count(groups[i], here);
    return true;
  }
  if (best == groups.size())
    return false;
  setMask(groups[best].mask);
  const Inst &inst = kernel->code[groups[best].pc];
  inst.run(*this, inst);
  ++groups[best].pc;
  groups[best].state = Group::State::Ready;
  scatter(best);
  return true;
}

void Warp::run() {
  Running &launch = block->launch;
  // A few turns, so that the other warps of the block get theirs.
  for (int turn = 0; turn < 64; ++turn) {
    llvm::SmallVector<size_t, 8> can;
    for (size_t i = 0; i < groups.size(); ++i)
      if (groups[i].state == Group::State::Ready)
        can.push_back(i);
    if (can.empty()) {
      if (groups.empty() || !resolve()) {
        ready = false;
        return;
      }
      continue;
    }
    runGroup(launch.random() ? can[launch.dice(unsigned(can.size()))] : can[0]);
    if (launch.stopped)
      return;
    if (executed > launch.options.steps) {
      int lane = groups.empty() ? 0 : __builtin_ctzll(groups[0].mask);
      const Inst &at = kernel->code[groups.empty() ? 0 : groups[0].pc];
      launch.hazard(HazardKind::NeverEnds, *this, lane, at,
                    "a warp ran " + std::to_string(executed) +
                        " instructions, and the limit is " +
                        std::to_string(launch.options.steps));
      launch.stopped = true;
      return;
    }
  }
}
