//===- Diagnosis.h - What a kernel's dumps come to --------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Internal to inspect.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_INSPECT_DIAGNOSIS_H
#define WARPFOLD_EXPLAIN_INSPECT_DIAGNOSIS_H

#include "Explain/Inspect/Inspect.h"

namespace wf::explain::ir {

/// Fills causes of conversions, warnings and the paragraph.
void diagnose(InspectedKernel &kernel, std::vector<Dump> &dumps);

/// "a sum", "1 barrier", "5 barriers"
std::string counted(uint64_t count, std::string_view what);

/// "8,192"
std::string grouped(uint64_t number);

/// "1 = 0.5, …": how a counter-example reads.
std::string groupingText(const CounterExample &example);
std::string swappingText(const CounterExample &example);
/// Three states or two.
std::string exampleText(const CounterExample &example);

/// "a sum (addf)", "3 operations (mulf, mulf, addf)"
std::string regionText(const Reduction &r);

/// "5 shuffles, 1 barrier, …"; "nothing crosses lanes" where none.
std::string trafficText(const Traffic &traffic);

/// "make.py:91", or "line 12" of the dump.
std::string placeText(const SourceLine &source, uint32_t line);

} // namespace wf::explain::ir

#endif // WARPFOLD_EXPLAIN_INSPECT_DIAGNOSIS_H
