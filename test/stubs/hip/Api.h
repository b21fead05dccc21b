//===- Api.h - What the stub of HIP is made of -------------------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_STUBS_HIP_API_H
#define WARPFOLD_STUBS_HIP_API_H

#include "Runtime/Hip/Functions.h"

#define WF_STUB_FUNCTIONS WARPFOLD_HIP_FUNCTIONS
#define WF_STUB_MODE "WARPFOLD_STUB_HIP"

namespace wf::driver {
using namespace hip;
}

#endif // WARPFOLD_STUBS_HIP_API_H
