//===- Analyse.cpp - All of the analysis, in order ------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Flow/Internal.h"

using namespace wf::explain;

/// Where nothing names the parameters, those that the code reads are arg0,
/// arg1 and so on.
static void nameParameters(Analysis &a) {
  Kernel &kernel = a.program.kernel;
  if (!kernel.parameters.empty() || !kernel.entry)
    return;
  std::map<int64_t, uint32_t> bytesAt;
  for (const Value &v : a.values)
    if (v.kind == Value::Kind::Parameter && v.imm >= 0 && bitsOf(v.type) <= 64)
      bytesAt[v.imm] = std::max(bytesAt[v.imm], bitsOf(v.type) / 8);
  int64_t end = 0;
  for (auto [offset, bytes] : bytesAt) {
    bool hidden = false; // what the runtime appends has names
    for (const Parameter &p : kernel.hidden)
      hidden = hidden || offset >= int64_t(p.offset);
    if (hidden || offset < end || offset > 1 << 16)
      continue;
    Parameter parameter;
    parameter.name = "arg" + std::to_string(kernel.parameters.size());
    parameter.offset = uint32_t(offset);
    parameter.bytes = std::max(bytes, 1u);
    end = offset + parameter.bytes;
    kernel.parameters.push_back(std::move(parameter));
  }
}

Analysis wf::explain::analyse(Program program) {
  Analysis a;
  a.program = std::move(program);
  a.program.code.resize(a.program.kernel.code.size());
  buildBlocks(a);
  buildDominators(a);
  findLoops(a);
  buildValues(a);
  nameParameters(a);
  describeLoops(a);
  buildWebs(a);
  return a;
}
