//===- Simulator.h - Runs the IR of GPU kernels on the CPU -------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
//   machine    machineNamed("gfx1201")             what is simulated
//   program    Program::make(machine, bitcode)     kernels, decoded when asked
//   memory     Memory                              of the device
//   run        launch(program, memory, what, how)  what it did, and did wrong
//
// Everything is a function of the program, the arguments and the seed.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_SIMULATOR_SIMULATOR_H
#define WARPFOLD_SIMULATOR_SIMULATOR_H

#include "Simulator/Counters.h"
#include "Simulator/Hazard.h"
#include "Simulator/Machine.h"
#include "Simulator/Memory.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <memory>

namespace llvm {
class Function;
class LLVMContext;
class Module;
} // namespace llvm

namespace wf::sim {

/// In which order things happen that nothing orders.
enum class Schedule {
  /// Blocks by number, warps in turn, lanes in step: for counters.
  InStep,
  /// Blocks, warps and the lanes of a warp between syncs by chance.
  Random,
};

struct Options {
  Schedule schedule = Schedule::Random;
  uint64_t seed = 1;
  bool hazards = true; ///< watch who touches what
  bool count = false;  ///< fill in the counters
  /// Instructions a warp may run before its kernel counts as endless.
  uint64_t steps = 100'000'000;
  /// Blocks that are on the device at once, under Random.
  unsigned resident = 4;
  size_t mostHazards = 20; ///< distinct ones; more stop the launch
  /// Simulates the blocks of a large grid by sample and scales the counters.
  bool sample = false;
};

/// A kernel's launch.
struct LaunchRequest {
  std::string kernel;
  uint32_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  int64_t sharedBytes = 0;        ///< dynamic
  llvm::ArrayRef<char> arguments; ///< packed, each at its natural alignment
};

struct Outcome {
  std::vector<Hazard> hazards;
  bool stopped = false; ///< before its end, by a hazard
  Counters counters;
  bool sampled = false; ///< the counters are scaled from some blocks
  /// Where a sample was asked for and all blocks ran: why.
  const char *whyAll = "";
  uint64_t simulatedBlocks = 0;
};

/// A module of kernels, from LLVM IR as text or bitcode.
class Program {
public:
  /// A user error for text that LLVM does not read, or of another LLVM.
  static llvm::Expected<std::unique_ptr<Program>>
  make(const Machine &machine, llvm::StringRef ir, Memory &memory);
  ~Program();

  const Machine &machine() const { return gpu; }
  std::vector<std::string> kernels() const;
  /// A kernel, decoded; a user error for one that is not there or that has an
  /// instruction the simulator does not know.
  llvm::Expected<const Kernel *> kernel(llvm::StringRef name);

private:
  Program(const Machine &machine, Memory &memory);
  llvm::Error prepare();
  llvm::Error placeGlobals();
  bool isKernel(const llvm::Function &f) const;

  Machine gpu;
  Memory &memory;
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  std::map<std::string, std::unique_ptr<Kernel>> decoded;
  friend class Decoder;
  /// Addresses of globals in memory that all blocks share.
  llvm::DenseMap<const llvm::GlobalVariable *, Address> globals;
  std::vector<Address> owned;
};

/// A function's name in its source: "sum" of "_Z3sumPKfPfi"; another as it is.
std::string sourceName(llvm::StringRef symbol);

/// Of a kernel's arguments: which are pointers, and where each stands in the
/// packed buffer.
std::vector<bool> pointerArguments(const Kernel &kernel);
std::vector<uint32_t> argumentOffsets(const Kernel &kernel);

/// Runs a launch to its end. Errors are the caller's: sizes that the machine
/// does not allow, arguments that do not fit. What the kernel does wrong is in
/// the outcome.
llvm::Expected<Outcome> launch(Program &program, Memory &memory,
                               const LaunchRequest &request,
                               const Options &options);

} // namespace wf::sim

#endif // WARPFOLD_SIMULATOR_SIMULATOR_H
