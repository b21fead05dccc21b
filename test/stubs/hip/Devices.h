//===- Devices.h - Devices of the stub of HIP --------------------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_STUBS_HIP_DEVICES_H
#define WARPFOLD_STUBS_HIP_DEVICES_H

#include "driver/State.h"

namespace wf::driver {

/// "gfx942".
std::string targetOf(int device);

} // namespace wf::driver

#endif // WARPFOLD_STUBS_HIP_DEVICES_H
