//===- Memory.h - Global memory of the simulated device ----------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Every allocation has a tebibyte of addresses of its own, so that an address
// tells its allocation by a shift, an index that runs over never lands in a
// neighbour, and addresses are the same in every run.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_SIMULATOR_MEMORY_H
#define WARPFOLD_SIMULATOR_MEMORY_H

#include "Simulator/Shadow.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace wf::sim {

using Address = uint64_t;

// What the upper bits of a generic address mean; allocations come after.
constexpr unsigned regionShift = 40;
constexpr uint64_t sharedRegion = 1, privateRegion = 2, firstRegion = 16;
constexpr uint64_t regionMask = (uint64_t(1) << regionShift) - 1;

struct Allocation {
  Address base = 0;
  int64_t bytes = 0;
  std::string name;
  char *data = nullptr;
  bool external = false; ///< memory of somebody else
  /// A flag a byte, until everything was written.
  bool allWritten = false;
  std::vector<uint8_t> written;
  /// Of the launch that runs: is it written, so that accesses are watched?
  bool watched = false;
  std::vector<GlobalCell> cells; ///< a piece each, as large as the launch says
  /// A bit a granule that the launch read or wrote, if it counts.
  std::vector<uint64_t> readGranules, writtenGranules;

  ~Allocation();
  bool isWritten(int64_t offset, int64_t size) const;
  void noteWritten(int64_t offset, int64_t size);
};

class Memory {
public:
  /// A device error where the machine has no memory for it. Contents are not
  /// written: reading them is a hazard.
  llvm::Expected<Address> allocate(int64_t bytes, llvm::StringRef name = "");
  /// Memory of somebody else, under an address of the device. Its contents
  /// count as written.
  Address adopt(void *data, int64_t bytes, llvm::StringRef name = "");
  /// Names what is allocated, for messages.
  void rename(Address address, llvm::StringRef name);
  void release(Address address);

  /// Copies of the host, checked against the allocation.
  llvm::Error write(Address to, const void *from, int64_t bytes);
  llvm::Error read(void *to, Address from, int64_t bytes) const;
  llvm::Error fill(Address at, uint8_t value, int64_t bytes);

  /// The allocation an address is in, or null. An address before the start
  /// belongs to the allocation before.
  Allocation *find(Address address) {
    uint64_t region = address >> regionShift;
    return region >= firstRegion && region - firstRegion < all.size()
               ? all[region - firstRegion].get()
               : nullptr;
  }
  const Allocation *find(Address address) const {
    return const_cast<Memory *>(this)->find(address);
  }
  std::vector<std::unique_ptr<Allocation>> &allocations() { return all; }

  /// "8 bytes past the end of input x (4096 bytes)".
  std::string describe(Address address, int64_t bytes) const;

private:
  Address place(std::unique_ptr<Allocation> made);
  llvm::Expected<Allocation *> range(Address at, int64_t bytes,
                                     const char *what) const;
  std::vector<std::unique_ptr<Allocation>> all; ///< by region; null where free
  std::vector<size_t> unused;
};

} // namespace wf::sim

#endif // WARPFOLD_SIMULATOR_MEMORY_H
