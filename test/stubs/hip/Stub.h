//===- Stub.h - What a test asks of the stub of HIP --------------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// libamdhip64.so of the tests. Launches are checked against the metadata of the
// code object, noted, and handed to Run.cpp.
//
// Environment, read at every call:
//   WARPFOLD_STUB_HIP          lost      every call after the first launch
//   fails
//                              oom       no memory
//                              old       the runtime of ROCm 5.2
//                              nodevice  hipInit finds none
//                              badimage  no module loads
//   WARPFOLD_STUB_HIP_DEVICES  how many (1)
//   WARPFOLD_STUB_HIP_TARGET   what they are (gfx942); a comma between several
//   WARPFOLD_STUB_HIP_WAVE     lanes of a wave, if not the architecture's
//   WARPFOLD_STUB_SKIP_RUN=1   launches succeed though no kernel is run
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_STUBS_HIP_STUB_H
#define WARPFOLD_STUBS_HIP_STUB_H

#include "driver/Stub.h"

#endif // WARPFOLD_STUBS_HIP_STUB_H
