//===- CodeObject.cpp - AMD code objects, linked by lld -------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Target/Amdgpu.h"

#include "Error/Error.h"
#include "Target/TemporaryFile.h"
#include "lld/Common/Driver.h"
#include "llvm/Support/raw_ostream.h"

LLD_HAS_DRIVER(elf)

using namespace wf;

std::mutex &wf::globalOptions() {
  static std::mutex mutex;
  return mutex;
}

llvm::Expected<std::string> wf::linkCodeObject(llvm::ArrayRef<char> object) {
  TemporaryFile in, out;
  if (llvm::Error e =
          in.make("o", llvm::StringRef(object.data(), object.size())))
    return std::move(e);
  if (llvm::Error e = out.make("hsaco", ""))
    return std::move(e);
  const char *arguments[] = {"ld.lld",        "-shared",       "--no-undefined",
                             "--threads=1",   in.path.c_str(), "-o",
                             out.path.c_str()};
  std::string messages;
  llvm::raw_string_ostream os(messages);
  std::lock_guard<std::mutex> lock(globalOptions());
  lld::Result result =
      lld::lldMain(arguments, os, os, {{lld::Gnu, &lld::elf::link}});
  if (result.retCode != 0)
    return internalError("lld cannot link the code object: " + messages);
  std::string linked = out.read();
  if (linked.empty())
    return deviceError("no code object in the temporary file " + out.path);
  return linked;
}
