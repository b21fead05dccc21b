//===- device_launch_parameters.h - a vendor's name -------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
#include "../device.h"
