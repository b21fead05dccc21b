//===- Program.cpp - A module made ready for the simulator ----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Error/Error.h"
#include "Simulator/Decoder.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <cstdlib>
#include <cstring>

using namespace wf;
using namespace wf::sim;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

Program::Program(const Machine &machine, Memory &memory)
    : gpu(machine), memory(memory) {}

Program::~Program() {
  for (Address a : owned)
    memory.release(a);
  decoded.clear();
}

bool Program::isKernel(const llvm::Function &f) const {
  if (f.isDeclaration())
    return false;
  // The null target's kernels have no mark: they are what is visible.
  if (gpu.vendor == Vendor::Null)
    return !f.hasLocalLinkage();
  return f.getCallingConv() == llvm::CallingConv::PTX_Kernel ||
         f.getCallingConv() == llvm::CallingConv::AMDGPU_KERNEL;
}

std::string sim::sourceName(StringRef symbol) {
  std::string name = symbol.str(); // the demangler points into it
  llvm::ItaniumPartialDemangler demangler;
  if (demangler.partialDemangle(name.c_str()))
    return name;
  size_t size = 0;
  if (char *base = demangler.getFunctionBaseName(nullptr, &size)) {
    std::string result = base;
    std::free(base);
    return result;
  }
  return name;
}

/// The function with a body that a call calls, or null.
static llvm::Function *calleeOf(llvm::Instruction &i) {
  auto *c = llvm::dyn_cast<llvm::CallBase>(&i);
  llvm::Function *f = c ? c->getCalledFunction() : nullptr;
  return f && !f->isDeclaration() ? f : nullptr;
}

namespace {
/// Looks for a function that comes to call itself.
struct Recursion {
  llvm::SmallPtrSet<llvm::Function *, 8> path, done;

  llvm::Function *below(llvm::Function &f) {
    if (done.contains(&f))
      return nullptr;
    if (!path.insert(&f).second)
      return &f;
    for (llvm::Instruction &i : llvm::instructions(f))
      if (llvm::Function *callee = calleeOf(i))
        if (llvm::Function *found = below(*callee))
          return found;
    path.erase(&f);
    done.insert(&f);
    return nullptr;
  }
};
} // namespace

/// Calls of functions with a body are inlined: the decoder knows no stack.
static Error inlineCalls(llvm::Function &kernel) {
  std::string name = sourceName(kernel.getName());
  if (llvm::Function *f = Recursion().below(kernel))
    return userError("kernel " + name + " calls " + sourceName(f->getName()) +
                         ", which is recursive",
                     "the simulator runs no recursion: write it as a loop");
  constexpr int most = 1000;
  for (int round = 0; round < most; ++round) {
    llvm::CallBase *found = nullptr;
    for (llvm::Instruction &i : llvm::instructions(kernel))
      if (calleeOf(i))
        found = llvm::cast<llvm::CallBase>(&i);
    if (!found)
      return Error::success();
    std::string callee = sourceName(found->getCalledFunction()->getName());
    llvm::InlineFunctionInfo info;
    auto result = llvm::InlineFunction(*found, info);
    if (!result.isSuccess())
      return userError("the simulator cannot inline " + callee +
                           " into kernel " + name + ": " +
                           result.getFailureReason(),
                       "make it __forceinline__");
  }
  return userError("kernel " + name + " has more than " + llvm::Twine(most) +
                       " calls when all are inlined",
                   "call less, in loops");
}

/// Memory for what kernels share through names, filled as they say.
Error Program::placeGlobals() {
  const llvm::DataLayout &layout = module->getDataLayout();
  for (llvm::GlobalVariable &g : module->globals()) {
    unsigned space = g.getAddressSpace();
    if (space == 3 || g.getName().starts_with("llvm."))
      continue;
    int64_t bytes = int64_t(layout.getTypeAllocSize(g.getValueType()));
    auto address =
        memory.allocate(bytes, "variable " + llvm::demangle(g.getName()));
    if (!address)
      return address.takeError();
    owned.push_back(*address);
    globals[&g] = *address;
    std::string data(size_t(bytes), '\0');
    if (g.hasInitializer() && !g.getInitializer()->isNullValue() &&
        !llvm::isa<llvm::UndefValue>(g.getInitializer())) {
      auto *sequence =
          llvm::dyn_cast<llvm::ConstantDataSequential>(g.getInitializer());
      auto *number = llvm::dyn_cast<llvm::ConstantInt>(g.getInitializer());
      auto *real = llvm::dyn_cast<llvm::ConstantFP>(g.getInitializer());
      if (sequence) {
        data = sequence->getRawDataValues().str();
      } else if (number || real) {
        uint64_t bits =
            number ? number->getZExtValue()
                   : real->getValueAPF().bitcastToAPInt().getZExtValue();
        std::memcpy(data.data(), &bits, std::min<size_t>(8, data.size()));
      } else {
        // Reading it is what cannot be done; a kernel may never do so.
        continue;
      }
    }
    if (Error e = memory.write(*address, data.data(), int64_t(data.size())))
      return e;
  }
  return Error::success();
}

Error Program::prepare() {
  // Addresses inside of constants become instructions.
  std::vector<llvm::Constant *> constants;
  for (llvm::GlobalVariable &g : module->globals())
    constants.push_back(&g);
  llvm::convertUsersOfConstantsToInstructions(constants);
  return placeGlobals();
}

Expected<std::unique_ptr<Program>> Program::make(const Machine &machine,
                                                 StringRef ir, Memory &memory) {
  std::unique_ptr<Program> p(new Program(machine, memory));
  p->context = std::make_unique<llvm::LLVMContext>();
  llvm::SMDiagnostic diagnostic;
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(ir, "kernel");
  p->module = llvm::parseIR(*buffer, diagnostic, *p->context);
  if (!p->module) {
    std::string text = diagnostic.getMessage().str();
    if (diagnostic.getLineNo() > 0)
      text = "line " + std::to_string(diagnostic.getLineNo()) + ": " + text;
    return userError("LLVM " + llvm::Twine(LLVM_VERSION_MAJOR) +
                         " does not read this IR: " + text,
                     "it may be of another LLVM: compile it with clang " +
                         llvm::Twine(LLVM_VERSION_MAJOR));
  }
  const llvm::Triple &triple = p->module->getTargetTriple();
  bool fits = machine.isAmd()      ? triple.isAMDGPU()
              : machine.isNvidia() ? triple.isNVPTX()
                                   : true;
  if (!fits)
    return userError("the IR is for " +
                         (triple.str().empty() ? "no target" : triple.str()) +
                         ", and the device is a " + machine.target,
                     triple.isAMDGPU()  ? "say --target gfx1201 or so"
                     : triple.isNVPTX() ? "say --target sm_90 or so"
                                        : "compile it for a GPU");
  if (Error e = p->prepare())
    return std::move(e);
  return p;
}

std::vector<bool> sim::pointerArguments(const Kernel &kernel) {
  std::vector<bool> pointers;
  for (const Argument &a : kernel.arguments)
    pointers.push_back(a.pointer);
  return pointers;
}

std::vector<uint32_t> sim::argumentOffsets(const Kernel &kernel) {
  std::vector<uint32_t> offsets;
  for (const Argument &a : kernel.arguments)
    offsets.push_back(a.offset);
  return offsets;
}

std::vector<std::string> Program::kernels() const {
  std::vector<std::string> names;
  for (const llvm::Function &f : *module)
    if (isKernel(f))
      names.push_back(f.getName().str());
  return names;
}

Expected<const Kernel *> Program::kernel(StringRef name) {
  auto it = decoded.find(name.str());
  if (it != decoded.end())
    return it->second.get();
  llvm::Function *f = module->getFunction(name);
  if (!f || !isKernel(*f)) {
    std::string all;
    for (const std::string &n : kernels())
      all += (all.empty() ? "" : ", ") + n;
    return userError("there is no kernel " + name,
                     all.empty() ? "the module has none" : "there are " + all);
  }
  // Not before: what another kernel calls is of no interest.
  if (Error e = inlineCalls(*f))
    return std::move(e);
  auto made = Decoder(*this, *f).decode();
  if (!made)
    return made.takeError();
  const Kernel *kernel = made->get();
  decoded[name.str()] = std::move(*made);
  return kernel;
}
