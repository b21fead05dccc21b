//===- Memory.cpp - Global memory of the simulated device -----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Simulator/Memory.h"

#include "Error/Error.h"
#include "llvm/Support/FormatVariadic.h"

#include <cstdlib>
#include <cstring>

using namespace wf;
using namespace wf::sim;

Allocation::~Allocation() {
  if (!external)
    std::free(data);
}

bool Allocation::isWritten(int64_t offset, int64_t size) const {
  if (allWritten)
    return true;
  for (int64_t i = offset; i < offset + size; ++i)
    if (!written[size_t(i)])
      return false;
  return true;
}

void Allocation::noteWritten(int64_t offset, int64_t size) {
  if (allWritten)
    return;
  if (offset == 0 && size == bytes) {
    allWritten = true;
    written = {};
    return;
  }
  std::memset(&written[size_t(offset)], 1, size_t(size));
}

llvm::Expected<Address> Memory::allocate(int64_t bytes, llvm::StringRef name) {
  auto made = std::make_unique<Allocation>();
  made->bytes = bytes;
  made->data = static_cast<char *>(std::aligned_alloc(
      256, size_t(std::max<int64_t>(bytes, 1) + 255) / 256 * 256));
  if (!made->data || bytes > int64_t(regionMask) / 2)
    return deviceError("the simulator has no memory for " + llvm::Twine(bytes) +
                           " bytes",
                       "reduce a part at a time");
  made->written.resize(size_t(bytes));
  made->name = name.str();
  return place(std::move(made));
}

Address Memory::adopt(void *data, int64_t bytes, llvm::StringRef name) {
  auto made = std::make_unique<Allocation>();
  made->bytes = bytes;
  made->data = static_cast<char *>(data);
  made->external = true;
  made->allWritten = true;
  made->name = name.str();
  return place(std::move(made));
}

Address Memory::place(std::unique_ptr<Allocation> made) {
  size_t at = all.size();
  if (unused.empty())
    all.emplace_back();
  else
    at = unused.back(), unused.pop_back();
  made->base = (at + firstRegion) << regionShift;
  Address address = made->base;
  all[at] = std::move(made);
  return address;
}

void Memory::rename(Address address, llvm::StringRef name) {
  if (Allocation *a = find(address))
    a->name = name.str();
}

void Memory::release(Address address) {
  uint64_t region = address >> regionShift;
  if (region < firstRegion || region - firstRegion >= all.size())
    return;
  all[region - firstRegion].reset();
  unused.push_back(region - firstRegion);
}

llvm::Expected<Allocation *> Memory::range(Address at, int64_t bytes,
                                           const char *what) const {
  auto *a = const_cast<Allocation *>(find(at));
  int64_t offset = int64_t(at & regionMask);
  if (!a || offset + bytes > a->bytes)
    return deviceError(llvm::Twine("the simulator's ") + what + " of " +
                       llvm::Twine(bytes) + " bytes is " + describe(at, bytes));
  return a;
}

llvm::Error Memory::write(Address to, const void *from, int64_t bytes) {
  auto a = range(to, bytes, "copy");
  if (!a)
    return a.takeError();
  int64_t offset = int64_t(to & regionMask);
  std::memcpy((*a)->data + offset, from, size_t(bytes));
  (*a)->noteWritten(offset, bytes);
  return llvm::Error::success();
}

llvm::Error Memory::read(void *to, Address from, int64_t bytes) const {
  auto a = range(from, bytes, "copy");
  if (!a)
    return a.takeError();
  std::memcpy(to, (*a)->data + (from & regionMask), size_t(bytes));
  return llvm::Error::success();
}

llvm::Error Memory::fill(Address at, uint8_t value, int64_t bytes) {
  auto a = range(at, bytes, "fill");
  if (!a)
    return a.takeError();
  int64_t offset = int64_t(at & regionMask);
  std::memset((*a)->data + offset, value, size_t(bytes));
  (*a)->noteWritten(offset, bytes);
  return llvm::Error::success();
}

std::string Memory::describe(Address address, int64_t bytes) const {
  const Allocation *a = find(address);
  int64_t offset = int64_t(address & regionMask);
  // Just before a start lies the end of the region before.
  if (offset > int64_t(regionMask / 2))
    if (const Allocation *next = find(address + regionMask / 2)) {
      a = next;
      offset = int64_t(address - next->base);
    }
  auto of = [&] {
    return llvm::formatv("{0} ({1} bytes)",
                         a->name.empty() ? "an allocation" : a->name, a->bytes)
        .str();
  };
  if (!a)
    return llvm::formatv("at address {0:x}, where nothing is allocated",
                         address)
        .str();
  if (offset < 0)
    return llvm::formatv("{0} bytes before {1}", -offset, of()).str();
  if (offset + bytes > a->bytes)
    return llvm::formatv("at byte {0} of {1}", offset, of()).str();
  return llvm::formatv("byte {0} of {1}", offset, of()).str();
}
