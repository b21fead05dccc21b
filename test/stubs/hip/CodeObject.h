//===- CodeObject.h - What a code object says of its kernels -----*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_STUBS_HIP_CODEOBJECT_H
#define WARPFOLD_STUBS_HIP_CODEOBJECT_H

#include <cstddef>
#include <string>
#include <vector>

namespace wf::driver {

struct CodeObjectKernel {
  std::string name;
  size_t argumentBytes = 0; ///< to the end of the last explicit argument
  size_t argumentAlign = 1; ///< of the kernarg segment
  size_t kernargBytes = 0;  ///< the whole segment, with what the runtime adds
  int maxThreads = 0, waveSize = 0;
  int registers = 0, sharedBytes = 0, localBytes = 0;
};

struct CodeObject {
  std::string target; ///< "gfx942", without modes
  std::vector<CodeObjectKernel> kernels;
};

/// Bytes of the ELF file that begins at `image`, by its own headers; 0 where
/// none does.
size_t codeObjectBytes(const void *image);

/// Reads a linked code object: its header, the metadata note (AMDGPU usage
/// guide of LLVM, "Code Object V3" and later), a descriptor a kernel. Returns
/// what is wrong, or "".
std::string readCodeObject(const std::string &bytes, CodeObject &into);

} // namespace wf::driver

#endif // WARPFOLD_STUBS_HIP_CODEOBJECT_H
