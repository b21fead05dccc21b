//===- Layout.h - Which thread holds which element ---------------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// place(k, output) says who loads element k of an output's fold; elements(b, t)
// is its inverse. With V = vector, A = accumulators, R = rows, N = 32 * V * R
// elements a chunk, S = 32 * A slots a chunk (DESIGN section 4), for a chunk's
// element e = k mod N: row = e / 32V, position j = e mod V,
//
//   slot = ((e / V) mod 32) * A + j mod A
//
//   warp    lane (e / V) mod 32. Fill > 0: warp w of block b folds output
//           b * warps + w. Else warp w of an output's block b folds the
//           warpRun() chunks from (b * warps + w) * warpRun(): `run` chunks, or
//           under ordered, whose chunk is a row, `run` times `flight`
//   lanes   lane (e / V) mod 32 of its output's group; a warp holds `outputs`
//           times 32 / lanes neighbouring outputs: the r-th that a lane folds
//           is r * (32 / lanes) + lane / lanes, so that a warp's load is dense
//   column  a lane folds `items` neighbouring slots, a warp w = 32 / lanes *
//           items; an output's block b holds warps * w * run slots from
//           b * (warps * w * run), counted through all chunks; of these, slot =
//           step * warps * w + warp * w + sub * items + i, lane = sub * lanes +
//           l. Lane l folds outputs l * outputs + 0, 1 … of its tile
//           (load=element: l, l + lanes …). All tiles of the first blocks come
//           first in the grid, so that neighbours read whole rows
//   thread  one output a thread, in order
//   ladder  as Named.h says
//
// A worked example: K = 5000 of f32, form=warp warps=4 run=1: element 4999 is
// in chunk 1, row 7, lane 1, position 3, hence slot 7 of warp 1 of block 0.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_PLAN_LAYOUT_H
#define WARPFOLD_PLAN_LAYOUT_H

#include "Plan/Plan.h"

#include <vector>

namespace wf {

/// Who loads an element, and for which slot.
struct Place {
  int64_t block = 0;  ///< of the grid
  int64_t thread = 0; ///< of the block
  int64_t step = 0;   ///< which of the thread's loads for one output
  int64_t item = 0;   ///< position within the load
  /// Slot counted through all chunks: chunk * slots() + slot. In the ladder:
  /// the thread counted through an output's blocks. sequential: 0.
  int64_t slot = 0;

  int64_t warp() const { return thread / 32; }
  int64_t lane() const { return thread % 32; }
  bool operator==(const Place &) const = default;
};

/// Element k of the fold of an output.
struct HeldElement {
  int64_t output, k;
  bool operator==(const HeldElement &) const = default;
};

/// The layout of a GPU plan on `outputs` folds of `elements`. `columns` is the
/// length of the kept axis that lanes lie along (form=column), else unused.
class Layout {
public:
  Layout(const Plan &plan, int64_t elements, int64_t outputs = 1,
         int64_t columns = 0);

  int64_t blocks() const { return gridBlocks; } ///< of the grid
  /// Blocks that fold parts of one output.
  int64_t blocksAnOutput() const { return outputBlocks; }
  Place place(int64_t k, int64_t output = 0) const;
  /// What a thread loads: output by output, in the order it folds.
  std::vector<HeldElement> elements(int64_t block, int64_t thread) const;

private:
  Plan plan;
  int64_t K, outputs, columns;
  int64_t gridBlocks = 1, outputBlocks = 1;

  int64_t groups() const { return 32 / plan.lanes; }
  int64_t tile() const { return plan.lanes * plan.outputs; }
  /// Slots of a column's block.
  int64_t span() const {
    return plan.warps * groups() * plan.items * plan.run;
  }
  int64_t tiles() const; ///< of all outputs
  Place columnPlace(int64_t k, int64_t output) const;
  void warpElements(int64_t block, int64_t thread,
                    std::vector<HeldElement> &held) const;
  void laneElements(int64_t block, int64_t thread,
                    std::vector<HeldElement> &held) const;
  void columnElements(int64_t block, int64_t thread,
                      std::vector<HeldElement> &held) const;
  void ladderElements(int64_t block, int64_t thread,
                      std::vector<HeldElement> &held) const;
};

/// Chunks that a warp of form=warp folds, one after the other.
int64_t warpRun(const Plan &plan);

/// The slot of element k, counted through all chunks, for any plan whose order
/// is canonical or ordered.
int64_t slotOf(const Plan &plan, int64_t k);
/// Element number `i` (from 0, increasing k) of a slot: the inverse. It may lie
/// past K.
int64_t slotElement(const Plan &plan, int64_t slot, int64_t i);
/// How many elements a full slot has.
int64_t slotLength(const Plan &plan);
/// Which element of its slot k is.
int64_t slotPosition(const Plan &plan, int64_t k);

} // namespace wf

#endif // WARPFOLD_PLAN_LAYOUT_H
