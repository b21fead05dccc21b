//===- Input.h - From an INPUT of the command line to arrays ----*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
//   gen:…           a generator            x.npy           mapped
//   -               .npy on standard input w.safetensors   with --tensor
//   x.bin           with --raw T:SHAPE     another name    by its first bytes
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_IO_INPUT_H
#define WARPFOLD_IO_INPUT_H

#include "IO/Array.h"
#include "IO/Safetensors.h"

#include <optional>
#include <string>

namespace wf {

struct InputOptions {
  std::optional<std::string> raw;        ///< --raw: T:SHAPE
  std::optional<std::string> tensorGlob; ///< --tensor
  std::optional<std::string> slice;      ///< --slice, of every array
  /// --together: the arrays are one sequence, so they must have one type.
  bool together = false;
};

/// The arrays that INPUT `text` stands for: one, or with --tensor every tensor
/// that matches, in the byte order of names. The name is the tensor's, or
/// `text`.
llvm::Expected<std::vector<NamedArray>> openInput(llvm::StringRef text,
                                                  const InputOptions &options);

} // namespace wf

#endif // WARPFOLD_IO_INPUT_H
