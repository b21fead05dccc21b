//===- MachineBlocks.cpp - Instructions of machine blocks -----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Profile/MachineBlocks.h"

#include "Error/Error.h"
#include "Target/Amdgpu.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"

using namespace wf;
using llvm::StringRef;

const char *wf::machineKindName(MachineKind kind) {
  static const char *const names[] = {"VALU", "SALU",   "VMEM", "SMEM",
                                      "LDS",  "branch", "other"};
  return names[size_t(kind)];
}

MachineKind wf::machineKindOf(StringRef m) {
  if (m.starts_with("v_"))
    return MachineKind::Valu;
  for (StringRef memory :
       {"global_", "flat_", "buffer_", "scratch_", "tbuffer_"})
    if (m.starts_with(memory))
      // Cache control moves nothing.
      return m.contains("_wb") || m.contains("_inv") ? MachineKind::Other
                                                     : MachineKind::Vmem;
  if (m.starts_with("ds_"))
    return MachineKind::Lds;
  if (m.starts_with("s_load") || m.starts_with("s_buffer_load"))
    return MachineKind::Smem;
  for (StringRef flow :
       {"s_cbranch", "s_branch", "s_endpgm", "s_setpc", "s_swappc", "s_call"})
    if (m.starts_with(flow))
      return MachineKind::Branch;
  for (StringRef other : {"s_wait", "s_barrier", "s_nop", "s_delay", "s_clause",
                          "s_sendmsg", "s_sleep", "s_set", "s_code_end",
                          "s_icache", "s_dcache", "s_inst_prefetch"})
    if (m.starts_with(other) && !m.starts_with("s_setreg"))
      return MachineKind::Other;
  return m.starts_with("s_") ? MachineKind::Salu : MachineKind::Other;
}

/// "; %b3" at the end of a label's line is "b3".
static std::string irBlockOf(StringRef line) {
  size_t at = line.rfind("; %");
  if (at == StringRef::npos)
    return "";
  StringRef name = line.drop_front(at + 3).trim();
  // The other comments of this place name machine blocks and loops.
  return name.starts_with("bb.") || name.contains(' ') ? "" : name.str();
}

MachineKernels wf::readMachineBlocks(StringRef assembly) {
  MachineKernels kernels;
  std::vector<MachineBlock> *into = nullptr;
  for (StringRef line : llvm::split(assembly, '\n')) {
    line = line.rtrim();
    StringRef text = line.ltrim();
    if (text.empty())
      continue;
    size_t comment = line.find("; @");
    if (!line.starts_with("\t") && comment != StringRef::npos &&
        line.contains(':') && !line.starts_with(".")) {
      into = &kernels[line.split(':').first.str()];
      continue;
    }
    if (text.starts_with(".Lfunc_end") || text.starts_with(".section")) {
      into = nullptr;
      continue;
    }
    if (!into)
      continue;
    if (text.starts_with("; %bb.") || text.starts_with(".LBB")) {
      into->push_back({irBlockOf(text), {}});
      continue;
    }
    if (!line.starts_with("\t") || text.starts_with(";") ||
        text.starts_with("."))
      continue;
    if (into->empty())
      into->push_back({});
    StringRef mnemonic = text.take_until(llvm::isSpace);
    ++into->back().counts[size_t(machineKindOf(mnemonic))];
  }
  return kernels;
}

llvm::Expected<MachineKernels> wf::machineBlocksOf(StringRef bitcode,
                                                   StringRef target) {
  auto machine = makeAmdgpuMachine(target);
  if (!machine)
    return machine.takeError();
  llvm::LLVMContext context;
  auto module =
      llvm::parseBitcodeFile(llvm::MemoryBufferRef(bitcode, "kernel"), context);
  if (!module)
    return module.takeError();
  (*machine)->Options.MCOptions.AsmVerbose = true;
  // Not the code generator alone: which options and which schedule the kernels
  // get is decided there.
  auto code = emitAmdgpu(**module, **machine, /*assembly=*/true);
  if (!code)
    return code.takeError();
  return readMachineBlocks(code->assembly);
}
