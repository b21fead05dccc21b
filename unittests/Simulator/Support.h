//===- Support.h - Runs a few lines of IR --------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_UNITTESTS_SIMULATOR_SUPPORT_H
#define WARPFOLD_UNITTESTS_SIMULATOR_SUPPORT_H

#include "Simulator/Simulator.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

#include <cstring>

namespace wf::sim {

inline std::string textOf(llvm::Error error) {
  return llvm::toString(std::move(error));
}

/// A kernel @k(ptr addrspace(1) %in, ptr addrspace(1) %out) over 32-bit words.
struct SimulatedRun {
  std::string target = "sm_90";
  Options options;
  std::vector<uint32_t> in, out; ///< out is not written at first
  int64_t inBytes = -1;          ///< of the buffer; -1: as many as there are
  uint32_t grid = 1, block = 32;
  int64_t shared = 0;
  std::string error; ///< of the call
  Outcome outcome;

  /// The body of @k, from "entry:" on.
  bool body(const std::string &text, const std::string &globals = "") {
    bool amd = llvm::StringRef(target).starts_with("gfx");
    return module(
        std::string("target triple = \"") +
        (amd ? "amdgcn-amd-amdhsa" : "nvptx64-nvidia-cuda") + "\"\n" + globals +
        "\ndefine " + (amd ? "amdgpu_kernel" : "ptx_kernel") +
        " void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {\nentry:\n  "
        "%t = call i32 @llvm." +
        (amd ? "amdgcn.workitem.id.x" : "nvvm.read.ptx.sreg.tid.x") +
        "()\n  %pin = getelementptr i32, ptr addrspace(1) %in, i32 %t\n"
        "  %pout = getelementptr i32, ptr addrspace(1) %out, i32 %t\n" +
        text + "\n}\n");
  }

  bool module(const std::string &ir) {
    error.clear();
    auto machine = machineNamed(target);
    if (!machine)
      return failed(machine.takeError());
    Memory memory;
    auto program = Program::make(*machine, ir, memory);
    if (!program)
      return failed(program.takeError());
    auto a = memory.allocate(inBytes < 0 ? int64_t(in.size()) * 4 : inBytes);
    auto b = memory.allocate(int64_t(out.size()) * 4);
    if (!in.empty())
      llvm::cantFail(memory.write(*a, in.data(), int64_t(in.size()) * 4));
    Address both[] = {*a, *b};
    LaunchRequest request;
    request.kernel = "k";
    request.grid[0] = grid;
    request.block[0] = block;
    request.sharedBytes = shared;
    request.arguments =
        llvm::ArrayRef<char>(reinterpret_cast<char *>(both), sizeof both);
    auto result = launch(**program, memory, request, options);
    if (!result)
      return failed(result.takeError());
    outcome = std::move(*result);
    llvm::cantFail(memory.read(out.data(), *b, int64_t(out.size()) * 4));
    return true;
  }

  bool failed(llvm::Error e) {
    error = textOf(std::move(e));
    return false;
  }

  /// The names of what went wrong, each once.
  std::string hazards() const {
    std::string names;
    for (const Hazard &h : outcome.hazards)
      if (names.find(hazardName(h.kind)) == std::string::npos)
        names += (names.empty() ? "" : "; ") + std::string(hazardName(h.kind));
    return names;
  }
};

} // namespace wf::sim

#endif // WARPFOLD_UNITTESTS_SIMULATOR_SUPPORT_H
