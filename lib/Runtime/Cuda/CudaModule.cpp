//===- CudaModule.cpp - Code of an NVIDIA GPU ----------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// PTX is assembled by the driver's own assembler into a cubin, which the disk
// cache keeps, and the cubin is loaded. The name of an entry holds driver and
// target, since another driver may assemble better and another GPU differs.
//===----------------------------------------------------------------------===//
#include "Runtime/CodeCache.h"
#include "Runtime/Cuda/CudaDevice.h"

#include "Error/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>

using namespace wf;
using namespace wf::cuda;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace {

/// The assembler's words about one load or link. The driver keeps pointers to
/// the buffer, so that it outlives the call.
class JitLog {
public:
  JitLog() {
    keys[0] = ErrorLog;
    values[0] = buffer;
    keys[1] = ErrorLogBytes;
    values[1] = reinterpret_cast<void *>(uintptr_t(sizeof buffer));
  }
  JitLog(const JitLog &) = delete;

  /// `error` of a call, with what the assembler said.
  Error explain(Error error) const {
    if (!error)
      return error;
    StringRef text = StringRef(buffer).trim();
    if (text.empty())
      return error;
    return llvm::handleErrors(std::move(error), [&](const WarpfoldError &e) {
      return deviceError(e.message + "\n" + text, e.hint);
    });
  }

  unsigned count() const { return 2; }
  JitOption keys[2];
  void *values[2];

private:
  char buffer[8192] = "";
};

} // namespace

/// ELF, or NVIDIA's container of several.
static bool isMachineCode(ArrayRef<char> code) {
  StringRef text(code.data(), code.size());
  return text.starts_with("\x7f"
                          "ELF") ||
         text.starts_with("\x50\xed\x55\xba");
}

Error CudaDevice::prepare(Function function) const {
  // Dynamic shared memory past 48 KiB must be asked for once per kernel. Asking
  // for all there is costs nothing: what a launch takes is its own.
  int used = 0;
  if (Error error = calls.funcGetAttribute(&used, StaticSharedBytes, function))
    return error;
  int64_t most = about.sharedBytesOptIn - used;
  return calls.funcSetAttribute(function, MaxDynamicSharedBytes,
                                int(std::max<int64_t>(most, 0)));
}

/// PTX to a cubin, in the current context.
Expected<std::vector<char>> CudaDevice::assemble(ArrayRef<char> ptx) const {
  std::string text(ptx.data(), ptx.size());
  std::vector<char> cubin;
  Error error = inContext([&]() -> Error {
    JitLog log;
    LinkState state = nullptr;
    if (Error error =
            calls.linkCreate(log.count(), log.keys, log.values, &state))
      return error;
    void *bytes = nullptr;
    size_t size = 0;
    Error error =
        calls.linkAddData(state, InputPtx, text.data(), text.size() + 1,
                          "warpfold", 0, nullptr, nullptr);
    if (!error)
      error = calls.linkComplete(state, &bytes, &size);
    if (!error) // the link owns them
      cubin.assign(static_cast<char *>(bytes),
                   static_cast<char *>(bytes) + size);
    llvm::consumeError(calls.linkDestroy(state));
    return log.explain(std::move(error));
  });
  if (error)
    return std::move(error);
  return cubin;
}

Expected<std::shared_ptr<DeviceModule>>
CudaDevice::loadImage(ArrayRef<char> image) {
  // The driver wants text to end with a zero, and code to be aligned.
  std::vector<char> copy(image.begin(), image.end());
  copy.push_back(0);
  Module module = nullptr;
  Error error = inContext([&] {
    JitLog log;
    return log.explain(calls.moduleLoadDataEx(&module, copy.data(), log.count(),
                                              log.keys, log.values));
  });
  if (error)
    return std::move(error);
  return own(module);
}

Expected<std::shared_ptr<DeviceModule>> CudaDevice::load(ArrayRef<char> code,
                                                         StringRef key) {
  if (key.empty() || isMachineCode(code))
    return loadImage(code);
  Expected<CodeCache> cache = CodeCache::fromEnvironment();
  if (!cache)
    return cache.takeError();
  // The text's hash too, in case a key does not tell two programs apart.
  std::string entry =
      ("cuda " + llvm::Twine(calls.version()) + " " + about.target + " " +
       llvm::utohexstr(llvm::xxh3_64bits(StringRef(code.data(), code.size()))) +
       " " + key)
          .str();
  if (std::optional<std::string> cubin = cache->get(entry)) {
    auto module = loadImage(ArrayRef<char>(cubin->data(), cubin->size()));
    if (module)
      return module;
    // The driver does not take it after all: assemble it anew.
    llvm::consumeError(module.takeError());
  }
  Expected<std::vector<char>> cubin = assemble(code);
  if (!cubin)
    return cubin.takeError();
  auto module = loadImage(*cubin);
  if (module)
    cache->put(entry, StringRef(cubin->data(), cubin->size()));
  return module;
}
