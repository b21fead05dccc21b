//===- Traffic.h - Counts lane and shared traffic in low stages -*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Internal to inspect.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_INSPECT_TRAFFIC_H
#define WARPFOLD_EXPLAIN_INSPECT_TRAFFIC_H

#include "Explain/Inspect/Inspect.h"
#include "Explain/Inspect/IrTokens.h"

namespace wf::explain::ir {

std::vector<Dump> readLlvm(const Tokens &t, std::string_view file);
std::vector<Dump> readPtxTraffic(std::string_view text, std::string_view file,
                                 std::vector<Remark> &remarks);
std::vector<Dump> readAmdAssembly(std::string_view text, std::string_view file);

/// Counts what a called function or an operation is known for by its name:
/// "llvm.nvvm.shfl.sync.bfly.i32", "nvvm.barrier0", "gpu.shuffle".
void countName(std::string_view name, Traffic &traffic);
/// Counts the instructions of PTX or AMD assembly within an inline asm string.
void countAssembly(std::string_view text, Traffic &traffic);
/// Of one of our own stages past the tiers: MLIR's operations by name.
Traffic mlirTraffic(const Tokens &t);

bool any(const Traffic &traffic);

} // namespace wf::explain::ir

#endif // WARPFOLD_EXPLAIN_INSPECT_TRAFFIC_H
