//===- MemoryOps.h - Handlers of memory and of lanes -------------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_SIMULATOR_MEMORYOPS_H
#define WARPFOLD_SIMULATOR_MEMORYOPS_H

#include "Simulator/Block.h"
#include "Simulator/Ops.h"

namespace wf::sim {

/// Loads, stores and atomics of an Access (Inst::imm its index, a the address).
void runLoad(Warp &w, const Inst &i);
void runStore(Warp &w, const Inst &i);
void runAtomic(Warp &w, const Inst &i);
/// a: to, b: from or the byte; imm: bytes | to's space << 40 | from's << 48.
void runCopy(Warp &w, const Inst &i);
void runSet(Warp &w, const Inst &i);
/// a: the format, b: the arguments, generic addresses; d: characters printed.
void runPrint(Warp &w, const Inst &i);
/// imm: 1 release, 2 acquire, 4 for the whole device.
void runFence(Warp &w, const Inst &i);

/// One lane's access, checked. Null if it must not be carried out.
char *checkedAccess(Warp &w, int lane, const Inst &i, unsigned space,
                    uint64_t address, int64_t bytes, uint32_t alignment,
                    bool reads, bool writes, bool atomic, const void *value);

// Races.cpp
void watchShared(Warp &w, int lane, const Inst &i, int64_t offset,
                 int64_t bytes, bool reads, bool writes, bool atomic,
                 const void *value);
void watchGlobal(Warp &w, int lane, const Inst &i, Allocation &a,
                 int64_t offset, int64_t bytes, bool reads, bool writes,
                 bool atomic, const void *value);

// CountAccess.cpp
void countGlobal(Warp &w, const uint64_t *addresses, int64_t bytes, bool reads,
                 bool writes);
void countShared(Warp &w, const uint64_t *addresses, int64_t bytes);

} // namespace wf::sim

#endif // WARPFOLD_SIMULATOR_MEMORYOPS_H
