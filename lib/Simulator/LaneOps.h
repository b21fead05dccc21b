//===- LaneOps.h - Handlers that look across lanes ---------------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_SIMULATOR_LANEOPS_H
#define WARPFOLD_SIMULATOR_LANEOPS_H

#include "Simulator/Block.h"
#include "Simulator/Ops.h"

namespace wf::sim {

/// What a kernel may ask of its own place: Inst::imm.
enum class Query : uint8_t {
  ThreadX,
  ThreadY,
  ThreadZ,
  Threads,
  ThreadsX,
  ThreadsY,
  ThreadsZ,
  BlockX,
  BlockY,
  BlockZ,
  BlocksX,
  BlocksY,
  BlocksZ,
  Lane,
  WarpNumber,
  Warps,
  WarpSize,
  MaskEq,
  MaskLt,
  MaskLe,
  MaskGt,
  MaskGe,
  LinearThread,
  LinearBlock
};
void runQuery(Warp &w, const Inst &i);

// Exchanges. a: value, b: lane, offset or mask; Inst::imm: index into
// Kernel::tables, whose first entry says whether the value is wide. What else
// they take is said at each.
void runShuffle(Warp &w,
                const Inst &i); // table: wide, mode, member mask, clamp, d2
void runDpp(Warp &w,
            const Inst &i); // b: old; table: wide, control, rows, banks, zero
void runPermlane(
    Warp &w, const Inst &i); // b, c: selects; table: wide, across, old, zero
void runSwizzle(Warp &w, const Inst &i);  // table: wide, pattern
void runBpermute(Warp &w, const Inst &i); // a: address, b: value
void runPermute(Warp &w, const Inst &i);  // a: address, b: value
void runReadlane(Warp &w,
                 const Inst &i); // b: lane, or table's second is 1: first
void runNullExchange(Warp &w, const Inst &i); // table: wide, down

// Votes. a: condition; table: wide result, mode, member mask.
void runVote(Warp &w, const Inst &i);
void runMatch(Warp &w, const Inst &i); // table: wide value, member mask
void runRedux(Warp &w, const Inst &i); // table: 0, operation, member mask
void runMbcnt(Warp &w, const Inst &i); // a: mask, b: base; table: 0, upper half
void runWarpSync(Warp &w, const Inst &i); // a: member mask
/// A barrier that also joins a condition: table: 0, mode (and, or, count).
void runBarrierJoin(Warp &w, const Inst &i);

enum class ShuffleMode { Up, Down, Butterfly, Index };
enum class VoteMode { Any, All, Uniform, Ballot, Active };
enum class ReduxMode { Add, And, Or, Xor, SMin, SMax, UMin, UMax };

} // namespace wf::sim

#endif // WARPFOLD_SIMULATOR_LANEOPS_H
