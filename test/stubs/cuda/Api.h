//===- Api.h - What the stub of CUDA is made of ------------------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_STUBS_CUDA_API_H
#define WARPFOLD_STUBS_CUDA_API_H

#include "Runtime/Cuda/Functions.h"

#include <string>

#define WF_STUB_FUNCTIONS WARPFOLD_CUDA_FUNCTIONS
#define WF_STUB_MODE "WARPFOLD_STUB_CUDA"

namespace wf::driver {
using namespace cuda;
}

namespace wf::cuda {
struct LinkStateObject {
  Context context;
  std::string text, cubin;
  char *log = nullptr;
  size_t logBytes = 0;
};
} // namespace wf::cuda

#endif // WARPFOLD_STUBS_CUDA_API_H
