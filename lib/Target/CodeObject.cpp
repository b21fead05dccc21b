//===- CodeObject.cpp - AMD code objects, linked by lld -------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Target/Amdgpu.h"

#include "Error/Error.h"
#include "Target/CpuTarget.h"
#include "Target/TemporaryFile.h"
#include "lld/Common/Driver.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <cstdlib>
#include <mutex>

LLD_HAS_DRIVER(elf)

using namespace wf;

/// lld keeps its state in globals and sets LLVM's options back to their
/// defaults, so it and the code generator that reads one of them take turns.
static std::mutex &turn() {
  static std::mutex mutex;
  return mutex;
}

/// The back end makes one atomic a wave of 32 or 64 to one address. Plans that
/// want that say so (v1 on); v0 is one atomic an element, and stays so.
static llvm::Error keepAtomics() {
  constexpr llvm::StringLiteral name("amdgpu-atomic-optimizer-strategy");
  auto &options = llvm::cl::getRegisteredOptions();
  auto found = options.find(name);
  if (found == options.end() || found->second->addOccurrence(0, name, "None"))
    return internalError("LLVM has no option " + name);
  // Else the next one would be "given more than once".
  found->second->setNumOccurrencesFlag(llvm::cl::ZeroOrMore);
  return llvm::Error::success();
}

llvm::Expected<llvm::SmallVector<char, 0>>
wf::emitAmdgpu(llvm::Module &module, llvm::TargetMachine &machine,
               bool assembly) {
  std::lock_guard<std::mutex> lock(turn());
  if (llvm::Error e = keepAtomics())
    return std::move(e);
  return emitCode(module, machine, assembly);
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
  std::lock_guard<std::mutex> lock(turn());
  lld::Result result =
      lld::lldMain(arguments, os, os, {{lld::Gnu, &lld::elf::link}});
  if (result.retCode != 0)
    return internalError("lld cannot link the code object: " + messages);
  std::string linked = out.read();
  if (linked.empty())
    return deviceError("no code object in the temporary file " + out.path);
  return linked;
}

/// Bytes as a section of their own that no loader maps.
static void embed(llvm::Module &module, llvm::StringRef bytes) {
  std::string text = ".section .note.warpfold.bitcode,\"\",@progbits\n";
  llvm::raw_string_ostream os(text);
  for (size_t at = 0; at < bytes.size(); at += 64) {
    os << ".byte ";
    llvm::interleave(
        bytes.substr(at, 64), os, [&](char c) { os << unsigned(uint8_t(c)); },
        ",");
    os << '\n';
  }
  module.appendModuleInlineAsm(text);
}

llvm::Expected<std::string> wf::makeCodeObject(llvm::Module &module,
                                               llvm::TargetMachine &machine) {
  if (const char *asked = std::getenv("WARPFOLD_EMBED_BITCODE");
      asked && llvm::StringRef(asked) == "1")
    embed(module, bitcodeOf(module));
  auto object = emitAmdgpu(module, machine, /*assembly=*/false);
  if (!object)
    return object.takeError();
  return linkCodeObject(*object);
}
