//===- AmdgpuCode.cpp - Machine code of AMD GPUs --------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The code generator's scheduler has to be told how many registers a thread may
// have, and does not always keep within them: what is too much goes to memory
// of the thread's own, which a reduction has no use for. So other ways are
// tried where that happens, about one kernel in forty.
//===----------------------------------------------------------------------===//
#include "Target/Amdgpu.h"

#include "Error/Error.h"
#include "Target/CpuTarget.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/AMDHSAKernelDescriptor.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBufferRef.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <cstdlib>

using namespace wf;

using Bytes = llvm::SmallVector<char, 0>;

/// The back end makes one atomic a wave of 32 or 64 to one address. Plans that
/// want that say so (v1 on); v0 is one atomic an element, and stays so.
static llvm::Error keepAtomics() {
  constexpr llvm::StringLiteral name("amdgpu-atomic-optimizer-strategy");
  auto &options = llvm::cl::getRegisteredOptions();
  auto found = options.find(name);
  if (found == options.end())
    return internalError("LLVM has no option " + name);
  found->second->setNumOccurrencesFlag(llvm::cl::ZeroOrMore);
  if (found->second->addOccurrence(0, name, "None"))
    return internalError("LLVM's option " + name + " does not take None");
  return llvm::Error::success();
}

namespace {
/// How the scheduler is told about registers.
struct Schedule {
  bool resident;        ///< as many as leave room for the plan's blocks
  const char *strategy; ///< of the machine scheduler; the back end's own if ""
};
// Of sum, var, all and argmax on five chips the first suits most; var on
// gfx1100 and gfx1201 takes 256 registers where it is left to itself, and a sum
// on gfx1030 keeps to 63 only then. all of bool spills 188 masks but for the
// last.
constexpr Schedule schedules[] = {
    {true, ""}, {false, ""}, {false, "iterative-minreg"}};

struct Generated {
  Bytes code;
  const Schedule *schedule = nullptr;
};
} // namespace

static llvm::Expected<Bytes> emitWith(const llvm::Module &module,
                                      llvm::TargetMachine &machine,
                                      const Schedule &schedule, bool assembly) {
  // Code generation changes the module.
  std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
  for (llvm::Function &f : *copy) {
    if (f.isDeclaration())
      continue;
    if (!schedule.resident)
      f.removeFnAttr("amdgpu-waves-per-eu");
    if (*schedule.strategy)
      f.addFnAttr("amdgpu-sched-strategy", schedule.strategy);
  }
  return emitCode(*copy, machine, assembly);
}

/// Bytes of a thread's own memory in all kernels, off their descriptors.
static llvm::Expected<uint64_t> privateBytes(const Bytes &object) {
  using namespace llvm::object;
  auto file = ELF64LEObjectFile::create(llvm::MemoryBufferRef(
      llvm::StringRef(object.data(), object.size()), "code"));
  if (!file)
    return file.takeError();
  uint64_t bytes = 0;
  for (const SymbolRef &symbol : file->symbols()) {
    auto name = symbol.getName();
    if (!name)
      return name.takeError();
    if (!name->ends_with(".kd"))
      continue;
    auto section = symbol.getSection();
    if (!section)
      return section.takeError();
    auto content = (*section)->getContents();
    if (!content)
      return content.takeError();
    auto at = symbol.getAddress();
    if (!at)
      return at.takeError();
    bytes += llvm::support::endian::read32le(
        content->data() + *at +
        llvm::amdhsa::PRIVATE_SEGMENT_FIXED_SIZE_OFFSET);
  }
  return bytes;
}

/// The first schedule that needs no such memory, else the one with least.
static llvm::Expected<Generated> generate(const llvm::Module &module,
                                          llvm::TargetMachine &machine) {
  Generated best;
  uint64_t least = UINT64_MAX;
  for (const Schedule &schedule : schedules) {
    auto code = emitWith(module, machine, schedule, /*assembly=*/false);
    if (!code)
      return code.takeError();
    auto bytes = privateBytes(*code);
    if (!bytes)
      return bytes.takeError();
    if (*bytes < least) {
      least = *bytes;
      best = {std::move(*code), &schedule};
    }
    if (least == 0)
      break;
  }
  return best;
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

llvm::Expected<AmdgpuCode> wf::emitAmdgpu(const llvm::Module &module,
                                          llvm::TargetMachine &machine,
                                          bool assembly) {
  const llvm::Module *source = &module;
  std::unique_ptr<llvm::Module> carrier;
  if (const char *asked = std::getenv("WARPFOLD_EMBED_BITCODE");
      asked && llvm::StringRef(asked) == "1") {
    carrier = llvm::CloneModule(module);
    embed(*carrier, bitcodeOf(module));
    source = carrier.get();
  }
  std::lock_guard<std::mutex> lock(globalOptions());
  if (llvm::Error e = keepAtomics())
    return std::move(e);
  auto generated = generate(*source, machine);
  if (!generated)
    return generated.takeError();
  AmdgpuCode code;
  code.object = std::move(generated->code);
  if (assembly) {
    auto text = emitWith(*source, machine, *generated->schedule, assembly);
    if (!text)
      return text.takeError();
    code.assembly.assign(text->begin(), text->end());
  }
  return code;
}
