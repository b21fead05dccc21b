//===- SanitizerOptions.cpp - What the asan preset must leave alone -------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// LLVM's allocators poison what they have not handed out, in headers that we
// compile with the sanitizer; Debian's libraries are built without it and hand
// out the same memory without unpoisoning. So poisoning by the program is off,
// and everything else is checked.
//===----------------------------------------------------------------------===//
extern "C" const char *__asan_default_options();
const char *__asan_default_options() { return "allow_user_poisoning=0"; }
