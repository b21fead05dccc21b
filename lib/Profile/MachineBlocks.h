//===- MachineBlocks.h - Instructions of machine blocks ----------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Code generators print after a machine block's label which block of the IR it
// comes from. So what the simulator counted, executions of IR blocks, becomes
// executions of machine instructions.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_PROFILE_MACHINEBLOCKS_H
#define WARPFOLD_PROFILE_MACHINEBLOCKS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <array>
#include <map>
#include <string>
#include <vector>

namespace wf {

/// The units that carry out AMD's instructions, as its counters tell them
/// apart; the rest (waits, barriers, hints) is Other.
enum class MachineKind { Valu, Salu, Vmem, Smem, Lds, Branch, Other };
constexpr size_t machineKinds = size_t(MachineKind::Other) + 1;
const char *machineKindName(MachineKind kind);
/// By its mnemonic: "v_add_f32_dpp" is Valu.
MachineKind machineKindOf(llvm::StringRef mnemonic);

using MachineCounts = std::array<uint64_t, machineKinds>;

struct MachineBlock {
  std::string irBlock; ///< "" for one of the code generator's own
  MachineCounts counts{};
  std::vector<size_t> successors; ///< blocks of the kernel, each once
  bool jumpsFar = false;          ///< to an address in a register
};

/// By kernel, in the order of the code.
using MachineKernels = std::map<std::string, std::vector<MachineBlock>>;

/// Of AMDGCN assembly with the code generator's comments.
MachineKernels readMachineBlocks(llvm::StringRef assembly);

/// Of a kernel's bitcode: the machine code that an AMD GPU would be given.
llvm::Expected<MachineKernels> machineBlocksOf(llvm::StringRef bitcode,
                                               llvm::StringRef target);

} // namespace wf

#endif // WARPFOLD_PROFILE_MACHINEBLOCKS_H
