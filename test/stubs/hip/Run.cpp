//===- Run.cpp - Running a kernel on the stub of HIP ----------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Not the machine code but the bitcode beside it runs, in the simulator: what
// is tested is everything round it, with the right bits at the end.
//===----------------------------------------------------------------------===//
#include "Run.h"

#include "CodeObject.h"
#include "Simulator/Simulator.h"
#include "llvm/Object/ELFObjectFile.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace wf::driver;
namespace sim = wf::sim;

/// The section that the compiler leaves the kernel's bitcode in, or "".
static std::string bitcodeOf(const std::string &codeObject) {
  llvm::MemoryBufferRef buffer(codeObject, "code object");
  auto file = llvm::object::ObjectFile::createELFObjectFile(buffer);
  if (!file) {
    llvm::consumeError(file.takeError());
    return "";
  }
  for (const llvm::object::SectionRef &section : (*file)->sections()) {
    auto name = section.getName();
    auto contents = section.getContents();
    if (name && contents && *name == ".note.warpfold.bitcode")
      return contents->str();
    llvm::consumeError(name.takeError());
    llvm::consumeError(contents.takeError());
  }
  return "";
}

/// Says why a launch failed, where a test's log shows it.
static Result failed(const std::string &why) {
  std::fprintf(stderr, "stub of HIP: %s\n", why.c_str());
  return LaunchFailed;
}

static Result simulate(const std::string &bitcode, const std::string &target,
                       const std::string &kernel, unsigned grid, unsigned block,
                       std::string kernargs) {
  auto machine = sim::machineNamed(target);
  if (!machine)
    return failed(llvm::toString(machine.takeError()));
  // Every allocation of the stub is one of the simulator, at another address.
  sim::Memory memory;
  std::map<DeviceAddress, sim::Address> moved;
  for (auto &[address, allocation] : state().memory)
    moved[address] = memory.adopt(reinterpret_cast<void *>(address),
                                  int64_t(allocation.bytes));
  auto program = sim::Program::make(*machine, bitcode, memory);
  if (!program)
    return failed(llvm::toString(program.takeError()));
  auto decoded = (*program)->kernel(kernel);
  if (!decoded)
    return failed(llvm::toString(decoded.takeError()));
  std::vector<bool> pointers = sim::pointerArguments(**decoded);
  std::vector<uint32_t> offsets = sim::argumentOffsets(**decoded);
  for (size_t i = 0; i < pointers.size(); ++i) {
    if (!pointers[i] || offsets[i] + 8 > kernargs.size())
      continue;
    uint64_t value;
    std::memcpy(&value, &kernargs[offsets[i]], 8);
    auto it = state().memory.upper_bound(value);
    if (it == state().memory.begin())
      continue; // null, or a fault that the simulator names
    --it;
    if (value > it->first + it->second.bytes)
      continue;
    value = moved[it->first] + (value - it->first);
    std::memcpy(&kernargs[offsets[i]], &value, 8);
  }
  sim::LaunchRequest request;
  request.kernel = kernel;
  request.grid[0] = grid;
  request.block[0] = block;
  request.arguments = llvm::ArrayRef<char>(kernargs.data(), kernargs.size());
  auto outcome = sim::launch(**program, memory, request, sim::Options());
  if (!outcome)
    return failed(llvm::toString(outcome.takeError()));
  for (const sim::Hazard &hazard : outcome->hazards)
    std::fprintf(stderr, "stub of HIP: %s\n", hazard.text().c_str());
  return outcome->hazards.empty() ? Success : LaunchFailed;
}

Result wf::driver::runKernel(const std::string &codeObject,
                             const std::string &kernel, unsigned grid,
                             unsigned block, const std::string &kernargs) {
  const char *skip = std::getenv("WARPFOLD_STUB_SKIP_RUN");
  if (skip && std::strcmp(skip, "1") == 0)
    return Success;
  std::string bitcode = bitcodeOf(codeObject);
  if (bitcode.empty())
    return NotSupported;
  CodeObject object;
  readCodeObject(codeObject, object);
  return simulate(bitcode, object.target, kernel, grid, block, kernargs);
}
