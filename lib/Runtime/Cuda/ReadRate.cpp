//===- ReadRate.cpp - How fast a GPU reads its memory --------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// A block of 256 threads reads 32 KiB: each thread eight times 16 bytes, a warp
// 512 neighbouring bytes at a time, all eight loads in flight before the first
// is used. The words are combined by xor and stored only where the result is a
// number that a buffer of zeros does not give, so that nothing is written and
// no load can be left out.
//===----------------------------------------------------------------------===//
#include "Runtime/Cuda/ReadRate.h"

#include "Error/Error.h"

#include <algorithm>
#include <string>

using namespace wf;
using llvm::Error;
using llvm::Expected;

static constexpr int threads = 256, loads = 8, passes = 5;
static constexpr int64_t bytesPerBlock = threads * loads * 16;

static const char *const head = R"(.version 6.4
.target sm_75
.address_size 64

.visible .entry warpfold_read_rate(
  .param .u64 data,
  .param .u64 never
)
.maxntid 256, 1, 1
{
  .reg .pred %p;
  .reg .b32 %t, %b, %x, %r<32>;
  .reg .b64 %at, %block, %thread, %out;
  ld.param.u64 %at, [data];
  ld.param.u64 %out, [never];
  cvta.to.global.u64 %at, %at;
  cvta.to.global.u64 %out, %out;
  mov.u32 %b, %ctaid.x;
  mov.u32 %t, %tid.x;
  mul.wide.u32 %block, %b, 32768;
  mul.wide.u32 %thread, %t, 16;
  add.s64 %at, %at, %block;
  add.s64 %at, %at, %thread;
  mov.u32 %x, 0;
)";

static const char *const tail = R"(  setp.ne.u32 %p, %x, 0x57415250;
  @%p bra done;
  st.global.u32 [%out], %x;
done:
  ret;
}
)";

/// The kernel's PTX: the eight loads, then the thirty-two xors.
static std::string readKernel() {
  std::string text = head;
  auto registerName = [](int n) { return "%r" + std::to_string(n); };
  for (int load = 0; load < loads; ++load) {
    text += "  ld.global.v4.u32 {";
    for (int word = 0; word < 4; ++word)
      text += (word ? ", " : "") + registerName(load * 4 + word);
    text += "}, [%at+" + std::to_string(load * threads * 16) + "];\n";
  }
  for (int word = 0; word < loads * 4; ++word)
    text += "  xor.b32 %x, %x, " + registerName(word) + ";\n";
  return text + tail;
}

/// A buffer of zeros past every cache.
static Expected<DeviceBuffer> makeData(Device &device) {
  int64_t least = std::max<int64_t>(4 * device.properties().l2Bytes, 16 << 20);
  for (int64_t bytes = 1ll << 30;; bytes /= 2) {
    Expected<DeviceBuffer> data = device.allocate(bytes);
    if (!data) {
      if (bytes / 2 < least)
        return data.takeError();
      llvm::consumeError(data.takeError());
      continue;
    }
    if (Error error = device.fill(data->address(), 0, bytes, nullptr))
      return std::move(error);
    return data;
  }
}

Expected<double> cuda::measureReadRate(Device &device) {
  std::string text = readKernel();
  auto module = device.load(text, "warpfold_read_rate");
  if (!module)
    return module.takeError();
  Expected<void *> kernel = (*module)->function("warpfold_read_rate");
  if (!kernel)
    return kernel.takeError();
  Expected<DeviceBuffer> data = makeData(device);
  if (!data)
    return data.takeError();
  auto begin = device.makeEvent();
  if (!begin)
    return begin.takeError();
  auto end = device.makeEvent();
  if (!end)
    return end.takeError();

  LaunchShape shape;
  shape.threads = threads;
  shape.blocks = uint32_t(data->bytes() / bytesPerBlock);
  uint64_t arguments[] = {data->address(), data->address()};
  llvm::ArrayRef<char> packed(reinterpret_cast<const char *>(arguments),
                              sizeof arguments);
  double times[passes];
  for (int pass = -1; pass < passes; ++pass) { // the first one warms up
    if (Error error = (*begin)->record(nullptr))
      return std::move(error);
    if (Error error = device.launch(*kernel, shape, packed, nullptr))
      return std::move(error);
    if (Error error = (*end)->record(nullptr))
      return std::move(error);
    if (Error error = (*end)->wait())
      return std::move(error);
    Expected<double> microseconds = device.elapsed(**begin, **end);
    if (!microseconds)
      return microseconds.takeError();
    if (pass >= 0)
      times[pass] = *microseconds;
  }
  std::sort(times, times + passes);
  double median = times[passes / 2];
  if (!(median > 0))
    return deviceError("cuda: the events of a kernel are 0 µs apart");
  return double(data->bytes()) / median * 1e-3;
}
