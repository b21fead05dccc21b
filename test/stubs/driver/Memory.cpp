//===- Memory.cpp - Memory of a stub driver -------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "driver/State.h"

#include <bit>
#include <cstring>

using namespace wf::driver;

static DeviceAddress asNumber(Address address) {
  return std::bit_cast<DeviceAddress>(address);
}

bool wf::driver::inMemory(const char *function, DeviceAddress at,
                          size_t bytes) {
  auto next = state().memory.upper_bound(at);
  if (next != state().memory.begin()) {
    auto &[start, allocation] = *std::prev(next);
    if (at - start <= allocation.bytes &&
        bytes <= allocation.bytes - (at - start)) {
      if (allocation.context == currentContext())
        return true;
      state().fault(function, "memory of another device");
      return false;
    }
  }
  state().fault(function, std::to_string(bytes) + " bytes outside memory");
  return false;
}

Result wf::driver::memGetInfo(size_t *free, size_t *total) {
  ENTER(memGetInfo, Current)
  *total = memoryBytes;
  *free = memoryBytes - state().used;
  return Success;
}

Result wf::driver::memAlloc(Address *address, size_t bytes) {
  ENTER(memAlloc, Uncaptured)
  if (bytes == 0)
    return InvalidValue;
  if (mode("oom") || bytes > memoryBytes - state().used)
    return OutOfMemory;
  // Not value-initialised, as on a device; aligned as the driver aligns.
  Allocation allocation{entry.context, bytes,
                        std::unique_ptr<char[]>(new char[bytes + 256])};
  auto at = reinterpret_cast<DeviceAddress>(allocation.data.get());
  at = (at + 255) / 256 * 256;
  *address = std::bit_cast<Address>(at);
  state().freed.erase(at);
  state().used += bytes;
  state().memory.emplace(at, std::move(allocation));
  return Success;
}

Result wf::driver::memFree(Address address) {
  ENTER(memFree, Uncaptured)
  auto at = state().memory.find(asNumber(address));
  if (at == state().memory.end()) {
    state().fault(here, state().freed.count(asNumber(address))
                            ? "freed twice"
                            : "no address of an allocation");
    return InvalidValue;
  }
  if (at->second.context != entry.context)
    state().fault(here, "memory of another device");
  state().used -= at->second.bytes;
  state().freed.insert(asNumber(address));
  state().memory.erase(at);
  return Success;
}

Result wf::driver::memcpyHtoD(Address to, const void *from, size_t bytes) {
  ENTER(memcpyHtoD, Uncaptured)
  if (!from || !inMemory(here, asNumber(to), bytes))
    return InvalidValue;
  std::memcpy(reinterpret_cast<void *>(to), from, bytes);
  return Success;
}

Result wf::driver::memcpyDtoH(void *to, Address from, size_t bytes) {
  ENTER(memcpyDtoH, Uncaptured)
  if (!to || !inMemory(here, asNumber(from), bytes))
    return InvalidValue;
  std::memcpy(to, reinterpret_cast<const void *>(from), bytes);
  return Success;
}

Result wf::driver::memsetD8Async(Address at, unsigned char value, size_t bytes,
                                 Stream stream) {
  ENTER(memsetD8Async, Current)
  if (!inMemory(here, asNumber(at), bytes))
    return InvalidValue;
  return enqueue(here, stream, [=] {
    // Freed since the capture?
    if (inMemory(name::graphLaunch, asNumber(at), bytes))
      std::memset(reinterpret_cast<void *>(at), value, bytes);
    return Success;
  });
}
