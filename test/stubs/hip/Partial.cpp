//===- Partial.cpp - A HIP runtime that lacks functions -------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT int hipInit(unsigned) { return 0; }
EXPORT int hipRuntimeGetVersion(int *version) {
  *version = 70125424;
  return 0;
}
EXPORT int hipDrvGetErrorName(int, const char **) { return 1; }
EXPORT int hipDrvGetErrorString(int, const char **) { return 1; }
