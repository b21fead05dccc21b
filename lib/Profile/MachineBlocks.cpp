//===- MachineBlocks.cpp - Instructions of machine blocks -----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Profile/MachineBlocks.h"

#include "Error/Error.h"
#include "Target/Amdgpu.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"

#include <optional>

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

namespace {
/// Blocks of one kernel, and the labels that its jumps name.
struct KernelReader {
  explicit KernelReader(std::vector<MachineBlock> &blocks) : blocks(blocks) {}

  std::vector<MachineBlock> &blocks;
  std::map<std::string, size_t> labels;
  std::vector<std::pair<size_t, std::string>> jumps;
  bool fallsThrough = false; ///< does the last block run into the next?

  void begin(StringRef line) {
    if (fallsThrough)
      blocks.back().successors.push_back(blocks.size());
    if (line.starts_with("."))
      labels[line.split(':').first.str()] = blocks.size();
    blocks.push_back({irBlockOf(line), {}, {}});
    fallsThrough = true;
  }
  void instruction(StringRef text) {
    if (blocks.empty())
      begin("");
    StringRef mnemonic = text.take_until(llvm::isSpace);
    ++blocks.back().counts[size_t(machineKindOf(mnemonic))];
    if (mnemonic.starts_with("s_cbranch") || mnemonic == "s_branch")
      jumps.emplace_back(blocks.size() - 1,
                         text.drop_front(mnemonic.size()).trim().str());
    blocks.back().jumpsFar |= mnemonic.starts_with("s_setpc");
    if (mnemonic == "s_branch" || mnemonic.starts_with("s_endpgm") ||
        mnemonic.starts_with("s_setpc"))
      fallsThrough = false;
  }
  void finish() {
    for (const auto &[block, label] : jumps) {
      auto to = labels.find(StringRef(label).take_until(llvm::isSpace).str());
      MachineBlock &from = blocks[block];
      if (to == labels.end())
        from.jumpsFar = true;
      else if (!llvm::is_contained(from.successors, to->second))
        from.successors.push_back(to->second);
    }
  }
};
} // namespace

MachineKernels wf::readMachineBlocks(StringRef assembly) {
  MachineKernels kernels;
  std::optional<KernelReader> reader;
  auto finish = [&] {
    if (reader)
      reader->finish();
    reader.reset();
  };
  for (StringRef line : llvm::split(assembly, '\n')) {
    line = line.rtrim();
    StringRef text = line.ltrim();
    if (text.empty())
      continue;
    size_t comment = line.find("; @");
    if (!line.starts_with("\t") && comment != StringRef::npos &&
        line.contains(':') && !line.starts_with(".")) {
      finish();
      reader.emplace(kernels[line.split(':').first.str()]);
      continue;
    }
    if (text.starts_with(".Lfunc_end") || text.starts_with(".section")) {
      finish();
      continue;
    }
    if (!reader)
      continue;
    if (text.starts_with("; %bb.") || text.starts_with(".LBB"))
      reader->begin(text);
    else if (line.starts_with("\t") && !text.starts_with(";") &&
             !text.starts_with("."))
      reader->instruction(text);
  }
  finish();
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
