//===- Decode.cpp - Effects by instruction set ----------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Machine/Effect.h"

using namespace wf::explain;

Program wf::explain::decode(Kernel kernel) {
  Program program;
  program.kernel = std::move(kernel);
  program.code.resize(program.kernel.code.size());
  switch (program.kernel.isa) {
  case Isa::Sass:
    decodeSass(program);
    break;
  case Isa::Amdgcn:
    decodeAmdgcn(program);
    break;
  case Isa::Ptx:
    decodePtx(program);
    break;
  }
  return program;
}
