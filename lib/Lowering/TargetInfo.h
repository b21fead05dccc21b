//===- TargetInfo.h - What a lowering asks of a GPU -------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Twelve questions. The answers of this class are those of the null target:
// calls of functions named wf.null.*, which any machine that can run IR may
// define. A new target overrides what it knows better, and nothing else.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_LOWERING_TARGETINFO_H
#define WARPFOLD_LOWERING_TARGETINFO_H

#include "Lowering/Calls.h"

#include <memory>

namespace wf {

class TargetInfo {
public:
  explicit TargetInfo(std::string name) : targetName(std::move(name)) {}
  virtual ~TargetInfo();

  llvm::StringRef name() const { return targetName; }

  // The questions. Values are i32 unless said otherwise.

  /// 1. Number of this thread in its block.
  virtual mlir::Value thread(Emitter &e) const;
  /// 2. Number of this block in the grid.
  virtual mlir::Value block(Emitter &e) const;
  /// 3. `value` of the lane whose number differs in the bits of `mask` (1, 2,
  /// 4, 8 or 16). All lanes of the warp take part.
  virtual mlir::Value exchange(Emitter &e, mlir::Value value,
                               int32_t mask) const;
  /// 4. `value` of the lane `delta` further on; its own past the last lane.
  virtual mlir::Value exchangeDown(Emitter &e, mlir::Value value,
                                   int32_t delta) const;
  /// 5. All threads of the block wait for each other, and see each other's
  /// writes to shared memory.
  virtual void barrier(Emitter &e) const;
  /// 6. Adds 1 to the i32 at `pointer` and gives what was there before. What
  /// this thread wrote before is seen by whoever draws later, device-wide.
  virtual mlir::Value drawTicket(Emitter &e, mlir::Value pointer) const;
  /// 7. Address space of memory that all blocks share.
  virtual unsigned globalSpace() const { return 1; }
  /// 8. Address space of memory that a block's threads share.
  virtual unsigned sharedSpace() const { return 3; }
  /// 9. One instruction that joins `value`s (i32) of all 32 lanes by an exact
  /// operation of that name ("add", "and", "or", "xor", "smin", "smax", "umin",
  /// "umax"), or null: there is none.
  virtual mlir::Value joinLanes(Emitter &e, llvm::StringRef operation,
                                mlir::Value value) const {
    return {};
  }
  /// 10. Keeps loads in order: those before this point are issued before those
  /// after it. Assemblers sort independent loads as they like.
  virtual void orderLoads(Emitter &e) const {}
  /// 11. The scope of LLVM atomics that all blocks of the device see.
  virtual llvm::StringRef deviceScope() const { return ""; }
  /// 12. By a thread that wrote to memory, before a barrier after which another
  /// one draws a ticket for both: what has to be done so that the ticket speaks
  /// for these writes too. Nothing where fences are cumulative.
  virtual void publish(Emitter &e) const {}

protected:
  /// Calls an external function that the module declares on first use.
  mlir::Value callExternal(Emitter &e, llvm::StringRef function,
                           mlir::Type result,
                           mlir::ValueRange arguments) const;
  mlir::Value callIntrinsic(Emitter &e, llvm::StringRef intrinsic,
                            mlir::Type result,
                            mlir::ValueRange arguments) const;

private:
  std::string targetName;
};

/// The target a plan names, or null. "null" is always there; others are known
/// once their library registered them.
const TargetInfo *targetNamed(llvm::StringRef name);
/// Makes a target known; it lives until the process ends.
void registerTarget(std::unique_ptr<TargetInfo> target);

} // namespace wf

#endif // WARPFOLD_LOWERING_TARGETINFO_H
