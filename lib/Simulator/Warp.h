//===- Warp.h - The lanes that run together ----------------------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// A warp is a few groups of lanes, each at its own instruction. A group that
// meets a branch on which its lanes differ becomes two, and both take along
// where they meet again: the branch's immediate post-dominator, on top of their
// path. Who arrives there waits for all whose path leads there too. Groups may
// also be made by chance (Schedule::Random), since nothing but a sync promises
// that the lanes of a warp run in step.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_SIMULATOR_WARP_H
#define WARPFOLD_SIMULATOR_WARP_H

#include "Simulator/Code.h"
#include "Simulator/Shadow.h"
#include "llvm/ADT/SmallVector.h"

namespace wf::sim {

class Block;

struct Group {
  enum class State : uint8_t { Ready, AtWarp, AtBarrier, AtJoin };
  uint64_t mask = 0;
  uint32_t pc = 0;
  State state = State::Ready;
  llvm::SmallVector<int32_t, 6> path; ///< blocks where it meets others again

  bool samePlace(const Group &other) const {
    return pc == other.pc && state == other.state && path == other.path;
  }
  /// Do I lie within `other`'s path, at the same place or deeper?
  bool within(llvm::ArrayRef<int32_t> other) const {
    return path.size() >= other.size() &&
           llvm::ArrayRef<int32_t>(path).take_front(other.size()) == other;
  }
};

class Warp {
public:
  static constexpr int maxLanes = 64;

  // What handlers use.
  char *base[2] = {};               ///< the frame, and what all warps share
  uint64_t mask = 0;                ///< lanes that are active now
  bool full = false;                ///< all of them are
  uint32_t laneMask[maxLanes] = {}; ///< the mask as 0 or ~0
  Block *block = nullptr;
  const Kernel *kernel = nullptr;
  uint32_t number = 0; ///< in its block
  int lanes = 32;
  std::vector<char> privateMemory;
  WarpSyncs syncs;

  template <class T> T *out(Operand o) {
    return reinterpret_cast<T *>(base[0] + o);
  }
  template <class T> const T *in(Operand o) const {
    return reinterpret_cast<const T *>(base[(o >> 30) & 1] +
                                       (o & (sharedOperand - 1)));
  }
  template <class F> void eachLane(F f) const {
    for (uint64_t m = mask; m; m &= m - 1)
      f(__builtin_ctzll(m));
  }
  uint32_t thread(int lane) const {
    return number * uint32_t(lanes) + uint32_t(lane);
  }
  Now now(int lane) const;
  /// Where a lane releases: syncs of others are not its own.
  Position releasePoint(int lane) const;
  void setMask(uint64_t active);

  // What a block uses.
  void start(Block &block, uint32_t number, uint64_t active);
  /// Runs until every group waits at a barrier or is done, or a slice is over.
  void run();
  bool done() const { return groups.empty(); }
  bool waits() const { return !ready; } ///< at a barrier, all that is left
  uint64_t exited() const { return gone; }
  std::vector<Group> groups;
  uint64_t executed = 0; ///< instructions, for the step limit

private:
  friend class Block;
  void runGroup(size_t g);
  bool resolve();
  void enter(Group &g, const Edge &edge);
  void count(const Group &g, uint32_t basicBlock);
  void copy(const Edge &edge);
  void split(size_t g, uint64_t part);
  bool branch(size_t &g, const Inst &inst);
  bool shared(size_t g) const; ///< does another group share its path?
  void merge();
  void scatter(size_t g);

  std::vector<char> frame;
  bool ready = true;
  uint64_t gone = 0;
};

} // namespace wf::sim

#endif // WARPFOLD_SIMULATOR_WARP_H
