//===- OpsTables.h - The parts of the handlers' tables -----------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_SIMULATOR_OPSTABLES_H
#define WARPFOLD_SIMULATOR_OPSTABLES_H

#include "Simulator/Ops.h"

namespace wf::sim {

Handler integerBinary(int lanes, unsigned opcode, bool wide);
Handler integerCompare(int lanes, llvm::CmpInst::Predicate p, bool wide);
Handler integerIntrinsic(int lanes, llvm::Intrinsic::ID id, bool wide);
Handler floatBinary(int lanes, unsigned opcode, bool wide);
Handler floatCompare(int lanes, llvm::CmpInst::Predicate p, bool wide);
Handler floatIntrinsic(int lanes, llvm::Intrinsic::ID id, bool wide);

} // namespace wf::sim

#endif // WARPFOLD_SIMULATOR_OPSTABLES_H
