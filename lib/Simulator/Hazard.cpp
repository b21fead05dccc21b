//===- Hazard.cpp - What a kernel does wrong ------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Simulator/Hazard.h"

#include "llvm/Support/FormatVariadic.h"

using namespace wf;
using namespace wf::sim;

const char *sim::hazardName(HazardKind kind) {
  switch (kind) {
#define X(NAME, TEXT)                                                          \
  case HazardKind::NAME:                                                       \
    return TEXT;
    WF_HAZARDS(X)
#undef X
  }
  return "";
}

std::string Hazard::text() const {
  std::string out = hazardName(kind);
  out += ": " + detail;
  out += llvm::formatv("\n  by thread {0} of block {1} in {2}", thread, block,
                       kernel)
             .str();
  if (!source.empty())
    out += " at " + source;
  if (!instruction.empty())
    out += "\n  " + instruction;
  if (times > 1)
    out += llvm::formatv("\n  {0} times", times).str();
  return out;
}
