//===- NpyHeader.h - The dict at the head of a .npy file --------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// In: the text {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
// Out: type F32, order C, shape [3, 4]; or an error that names the file.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_IO_NPYHEADER_H
#define WARPFOLD_IO_NPYHEADER_H

#include "warpfold/Type.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <vector>

namespace wf {

struct NpyHeader {
  ScalarType type;
  bool fortranOrder;
  std::vector<int64_t> shape;
};

/// Reads the dict; exactly the three keys, each once, in any order.
llvm::Expected<NpyHeader> parseNpyHeader(llvm::StringRef dict,
                                         llvm::StringRef file);

} // namespace wf

#endif // WARPFOLD_IO_NPYHEADER_H
