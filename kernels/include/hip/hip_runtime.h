//===- hip_runtime.h - device.h by the vendor's name ------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
#include "../../device.h"
