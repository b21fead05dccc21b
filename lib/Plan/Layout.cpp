//===- Layout.cpp - Which thread holds which element ----------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Plan/Layout.h"

#include "Plan/Levels.h"
#include "Plan/Named.h"

#include <algorithm>
#include <cassert>

using namespace wf;

static int64_t ceilDiv(int64_t a, int64_t b) { return a / b + (a % b != 0); }

int64_t wf::warpRun(const Plan &p) {
  return p.order == PlanOrder::Ordered ? p.run * p.flight : p.run;
}

int64_t wf::slotOf(const Plan &p, int64_t k) {
  int64_t lane = (k / p.vector) % 32;
  return k / p.chunkElements() * p.slots() + lane * p.accumulators +
         k % p.vector % p.accumulators;
}

int64_t wf::slotLength(const Plan &p) { return p.chunkElements() / p.slots(); }

int64_t wf::slotElement(const Plan &p, int64_t slot, int64_t i) {
  int64_t each = p.vector / p.accumulators; // of one row
  int64_t inChunk = slot % p.slots();
  return slot / p.slots() * p.chunkElements() + i / each * p.rowElements() +
         inChunk / p.accumulators * p.vector + i % each * p.accumulators +
         inChunk % p.accumulators;
}

int64_t wf::slotPosition(const Plan &p, int64_t k) {
  int64_t each = p.vector / p.accumulators;
  return k % p.chunkElements() / p.rowElements() * each +
         k % p.vector / p.accumulators;
}

Layout::Layout(const Plan &plan, int64_t elements, int64_t outputs,
               int64_t columns)
    : plan(plan), K(elements), outputs(outputs),
      columns(columns > 0 ? columns : outputs) {
  assert(plan.onGpu() && plan.warps > 0 && "layouts are of GPU plans");
  int64_t chunks = std::max<int64_t>(1, ceilDiv(K, plan.chunkElements()));
  switch (plan.form) {
  case Form::Warp:
    if (plan.fill > 0) {
      gridBlocks = ceilDiv(outputs, plan.warps);
      return;
    }
    outputBlocks = ceilDiv(chunks, plan.warps * warpRun(plan));
    break;
  case Form::Lanes:
    gridBlocks = ceilDiv(outputs, plan.warps * groups() * plan.outputs);
    return;
  case Form::Column:
    // A last chunk that is short leaves no block without a slot.
    outputBlocks = std::max<int64_t>(1, ceilDiv(slotsPresent(plan, K), span()));
    gridBlocks = tiles() * outputBlocks;
    return;
  case Form::Thread:
    gridBlocks = ceilDiv(outputs, plan.threads());
    return;
  case Form::Ladder:
    outputBlocks = ladderBlocks(plan, K);
    break;
  }
  gridBlocks = outputs * outputBlocks;
}

int64_t Layout::tiles() const {
  return outputs / columns * ceilDiv(columns, tile());
}

Place Layout::columnPlace(int64_t k, int64_t output) const {
  Place p;
  p.slot = slotOf(plan, k);
  // A lane has `items` neighbouring slots, and its warp's lanes neighbours of
  // these.
  int64_t perWarp = groups() * plan.items, local = p.slot % span();
  int64_t line = output / columns, at = output % columns;
  int64_t inTile = at % tile();
  p.block =
      p.slot / span() * tiles() + line * ceilDiv(columns, tile()) + at / tile();
  bool vectors = plan.load == Load::Vector;
  int64_t along = vectors ? inTile / plan.outputs : inTile % plan.lanes;
  p.item = vectors ? inTile % plan.outputs : inTile / plan.lanes;
  p.thread = local / perWarp % plan.warps * 32 +
             local % perWarp / plan.items * plan.lanes + along;
  int64_t length = plan.fill > 0
                       ? plan.fill * (plan.vector / plan.accumulators)
                       : slotLength(plan);
  p.step = (local / (perWarp * plan.warps) * plan.items + local % plan.items) *
               length +
           slotPosition(plan, k);
  return p;
}

Place Layout::place(int64_t k, int64_t output) const {
  Place p;
  if (plan.form == Form::Column)
    return columnPlace(k, output);
  if (plan.form == Form::Thread) {
    p.block = output / plan.threads();
    p.thread = output % plan.threads();
    p.step = k;
    p.slot = plan.order == PlanOrder::Sequential ? 0 : slotOf(plan, k);
    return p;
  }
  p.item = k % plan.vector;
  if (plan.form == Form::Ladder) {
    int64_t load = k / plan.vector, T = plan.threads();
    p.thread = load % T;
    int64_t block = load / T % outputBlocks;
    p.block = output * outputBlocks + block;
    p.step = load / T / outputBlocks;
    p.slot = block * T + p.thread;
    return p;
  }
  p.slot = slotOf(plan, k);
  int64_t lane = (k / plan.vector) % 32;
  int64_t row = k % plan.chunkElements() / plan.rowElements();
  int64_t chunk = k / plan.chunkElements();
  if (plan.form == Form::Lanes) {
    int64_t each = groups() * plan.outputs, warp = output / each;
    p.block = warp / plan.warps;
    p.thread = warp % plan.warps * 32 + output % groups() * plan.lanes + lane;
    p.step = row;
    return p;
  }
  int64_t run = warpRun(plan);
  int64_t warp = plan.fill > 0 ? output : chunk / run;
  p.block = warp / plan.warps + (plan.fill > 0 ? 0 : output * outputBlocks);
  p.thread = warp % plan.warps * 32 + lane;
  p.step = (plan.fill > 0 ? chunk : chunk % run) * plan.rows + row;
  return p;
}

void Layout::warpElements(int64_t block, int64_t thread,
                          std::vector<HeldElement> &held) const {
  int64_t lane = thread % 32, warp = thread / 32;
  int64_t output = block / outputBlocks;
  int64_t run = warpRun(plan);
  int64_t first = (block % outputBlocks * plan.warps + warp) * run;
  if (plan.fill > 0) {
    output = block * plan.warps + warp;
    first = 0, run = ceilDiv(K, plan.chunkElements());
  }
  if (output >= outputs)
    return;
  for (int64_t c = first; c < first + run; ++c)
    for (int64_t row = 0; row < plan.rows; ++row)
      for (int64_t j = 0; j < plan.vector; ++j) {
        int64_t k = c * plan.chunkElements() + row * plan.rowElements() +
                    lane * plan.vector + j;
        if (k < K)
          held.push_back({output, k});
      }
}

void Layout::laneElements(int64_t block, int64_t thread,
                          std::vector<HeldElement> &held) const {
  int64_t lane = thread % 32;
  int64_t warp = block * plan.warps + thread / 32;
  for (int64_t r = 0; r < plan.outputs; ++r) {
    int64_t output = (warp * plan.outputs + r) * groups() + lane / plan.lanes;
    if (output >= outputs)
      continue;
    for (int64_t row = 0; row * plan.rowElements() < K; ++row)
      for (int64_t j = 0; j < plan.vector; ++j) {
        int64_t k =
            row * plan.rowElements() + lane % plan.lanes * plan.vector + j;
        if (k < K)
          held.push_back({output, k});
      }
  }
}

void Layout::columnElements(int64_t block, int64_t thread,
                            std::vector<HeldElement> &held) const {
  int64_t perLine = ceilDiv(columns, tile()), lane = thread % 32;
  int64_t range = block / tiles(), which = block % tiles();
  int64_t line = which / perLine, along = lane % plan.lanes;
  for (int64_t r = 0; r < plan.outputs; ++r) {
    int64_t column = which % perLine * tile() + (plan.load == Load::Vector
                                                     ? along * plan.outputs + r
                                                     : along + r * plan.lanes);
    if (column >= columns)
      continue;
    for (int64_t step = 0; step < plan.run; ++step) {
      int64_t first = range * span() +
                      ((step * plan.warps + thread / 32) * groups() +
                       lane / plan.lanes) *
                          plan.items;
      for (int64_t slot = first; slot < first + plan.items; ++slot)
        for (int64_t i = 0; i < slotLength(plan); ++i)
          if (int64_t k = slotElement(plan, slot, i); k < K)
            held.push_back({line * columns + column, k});
    }
  }
}

void Layout::ladderElements(int64_t block, int64_t thread,
                            std::vector<HeldElement> &held) const {
  int64_t pass = outputBlocks * plan.threads() * plan.vector;
  int64_t first =
      (block % outputBlocks * plan.threads() + thread) * plan.vector;
  for (int64_t at = first; at < K; at += pass)
    for (int64_t j = 0; j < plan.vector && at + j < K; ++j)
      held.push_back({block / outputBlocks, at + j});
}

std::vector<HeldElement> Layout::elements(int64_t block, int64_t thread) const {
  std::vector<HeldElement> held;
  switch (plan.form) {
  case Form::Warp:
    warpElements(block, thread, held);
    break;
  case Form::Lanes:
    laneElements(block, thread, held);
    break;
  case Form::Column:
    columnElements(block, thread, held);
    break;
  case Form::Ladder:
    ladderElements(block, thread, held);
    break;
  case Form::Thread:
    if (int64_t output = block * plan.threads() + thread; output < outputs)
      for (int64_t k = 0; k < K; ++k)
        held.push_back({output, k});
    break;
  }
  return held;
}
