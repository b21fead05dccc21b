//===- SimArguments.h - What `sim` launches ---------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// A launch as the command line says it, every text read and checked:
//
//   --grid 4 --block 256           (4, 1, 1) blocks of (256, 1, 1) threads
//   --arg 'gen:random(1000, f32)'  a pointer to those elements
//   --arg x.npy                    a pointer to the array in the file
//   --arg out:f32:1                a pointer to memory that nobody wrote
//   --arg zero:f32:1               a pointer to zeros
//   --arg i32:1000                 the number itself
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_TOOLS_SIMARGUMENTS_H
#define WARPFOLD_TOOLS_SIMARGUMENTS_H

#include "Arguments.h"
#include "IO/Array.h"

#include "llvm/Support/Error.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace wf::cli {

struct KernelArgument {
  enum Kind {
    Input,  ///< elements that are there before the launch
    Output, ///< bytes 0xAB, to be taken as written by nobody
    Zeroed, ///< zeros, written
    Scalar, ///< passed by value
  };
  Kind kind = Scalar;
  std::string text; ///< as the user wrote it, for messages
  ScalarType type = ScalarType::I32;
  /// Of a pointer: row-major memory of its own, which the kernel may write.
  Array array;
  char *memory = nullptr; ///< where that begins
  uint64_t value = 0;     ///< Scalar: its stored bits

  bool isResult() const { return kind == Output || kind == Zeroed; }
};

struct SimLaunch {
  std::string kernel; ///< empty: the only one there is
  std::array<int64_t, 3> grid = {1, 1, 1}, block = {1, 1, 1};
  int64_t sharedBytes = 0; ///< of dynamic shared memory
  std::vector<KernelArgument> arguments;
  uint64_t seed = 1;
  bool inStep = false; ///< warps in turn and lanes in step, not by chance
  int64_t steps = 0;   ///< the most instructions of a lane; 0: its choice
};

/// Errors are the user's and name the option. Opens the files of --arg.
llvm::Expected<SimLaunch> readLaunch(const SimArguments &args);

} // namespace wf::cli

#endif // WARPFOLD_TOOLS_SIMARGUMENTS_H
