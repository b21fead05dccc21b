//===- AmdgpuCode.cpp - Machine code of AMD GPUs --------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The code generator's scheduler has to be told how many registers a thread may
// have, does not always keep within them, and what is too much goes to memory
// of the thread's own, which a reduction has no use for. So its result is
// looked at, and other ways are tried where it is bad: about one kernel in
// twenty.
//===----------------------------------------------------------------------===//
#include "Target/Amdgpu.h"

#include "Error/Error.h"
#include "Target/CpuTarget.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <array>
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
// The first suits most kernels; var of f32 on gfx1100 and gfx1201 takes 256
// registers under the second, and a sum on gfx1030 keeps to 64 only there. The
// third is for bytes, 16 a load and 32 loads in one block of code: max of i8 on
// gfx942 takes 136 registers and has 8 loads under way, where the first takes
// 256, has 3, and needs five times as long to compile.
constexpr Schedule own{true, ""}, unbound{false, ""},
    least{false, "iterative-minreg"};

/// What a schedule came to.
struct Generated {
  Bytes object;
  const Schedule *schedule = nullptr;
  uint64_t memory = UINT64_MAX; ///< bytes of a thread's own
  uint64_t masks = 0;           ///< spilled to vector registers
  uint64_t registers = 0;       ///< of the 256 that a thread can have

  bool good() const { return memory == 0 && masks == 0 && registers < 192; }
  bool operator<(const Generated &other) const {
    return std::tie(memory, registers) <
           std::tie(other.memory, other.registers);
  }
};
} // namespace

/// Does it read vectors of 16 bytes, a chunk's worth of them, and do little
/// with each? With more the third schedule is the slow one: 41 s against 4.
static bool readsBytes(const llvm::Module &module) {
  int loads = 0, all = 0;
  for (const llvm::Function &f : module)
    for (const llvm::Instruction &i : llvm::instructions(f)) {
      ++all;
      if (auto *type = llvm::dyn_cast<llvm::FixedVectorType>(i.getType()))
        loads += llvm::isa<llvm::LoadInst>(i) &&
                 type->getElementType()->isIntegerTy(8) &&
                 type->getNumElements() == 16;
    }
  return loads >= 16 && all < 6000;
}

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

/// Reads what the kernels need off the object's metadata.
static llvm::Error readNeeds(Generated &generated) {
  using namespace llvm::object;
  auto file = ELF64LEFile::create(
      llvm::StringRef(generated.object.data(), generated.object.size()));
  if (!file)
    return file.takeError();
  auto sections = file->sections();
  if (!sections)
    return sections.takeError();
  generated.memory = 0;
  for (const auto &section : *sections) {
    if (section.sh_type != llvm::ELF::SHT_NOTE)
      continue;
    llvm::Error error = llvm::Error::success();
    for (const auto &note : file->notes(section, error)) {
      llvm::msgpack::Document metadata;
      if (note.getType() != llvm::ELF::NT_AMDGPU_METADATA ||
          !metadata.readFromBlob(
              llvm::toStringRef(note.getDesc(section.sh_addralign)), false))
        continue;
      for (auto &node :
           metadata.getRoot().getMap()["amdhsa.kernels"].getArray()) {
        auto kernel = node.getMap();
        generated.memory += kernel[".private_segment_fixed_size"].getUInt();
        generated.masks += kernel[".sgpr_spill_count"].getUInt();
        generated.registers =
            std::max(generated.registers, kernel[".vgpr_count"].getUInt());
      }
    }
    if (error)
      return error;
  }
  return llvm::Error::success();
}

/// The first good schedule, else the best. Hundreds of bytes too much are so
/// under any of them, and code that is this long takes many seconds each time.
static llvm::Expected<Generated> generate(const llvm::Module &module,
                                          llvm::TargetMachine &machine) {
  constexpr uint64_t muchMemory = 512, muchCode = 96 << 10;
  std::array<const Schedule *, 3> order = {&own, &unbound, &least};
  if (readsBytes(module))
    order = {&least, &own, &unbound};
  Generated best;
  for (const Schedule *schedule : order) {
    auto object = emitWith(module, machine, *schedule, /*assembly=*/false);
    if (!object)
      return object.takeError();
    Generated now{std::move(*object), schedule};
    if (llvm::Error e = readNeeds(now))
      return std::move(e);
    bool stop =
        now.good() || now.memory > muchMemory || now.object.size() > muchCode;
    if (now < best)
      best = std::move(now);
    if (stop)
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
  code.object = std::move(generated->object);
  if (assembly) {
    auto text = emitWith(*source, machine, *generated->schedule, assembly);
    if (!text)
      return text.takeError();
    code.assembly.assign(text->begin(), text->end());
  }
  return code;
}
