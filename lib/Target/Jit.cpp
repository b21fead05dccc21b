//===- Jit.cpp - Machine code in this process -----------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Target/Jit.h"

#include "Error/Error.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace wf;

struct JitCode::Impl {
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

JitCode::JitCode() : impl(std::make_unique<Impl>()) {}
JitCode::~JitCode() = default;

llvm::Expected<std::unique_ptr<JitCode>>
JitCode::load(llvm::ArrayRef<char> object) {
  auto jit = llvm::orc::LLJITBuilder().create();
  if (!jit)
    return jit.takeError();
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(
      llvm::StringRef(object.data(), object.size()), "warpfold-kernel");
  if (llvm::Error e = (*jit)->addObjectFile(std::move(buffer)))
    return std::move(e);
  std::unique_ptr<JitCode> code(new JitCode);
  code->impl->jit = std::move(*jit);
  return code;
}

JitCode::Entry JitCode::lookup(llvm::StringRef name) const {
  auto address = impl->jit->lookup(("wf_" + name).str());
  if (!address) {
    llvm::consumeError(address.takeError());
    return nullptr;
  }
  return address->toPtr<Entry>();
}
