//===- Summaries.h - Verdicts as single sentences ---------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// What the terminal, the page and the note say alike. Plain text, no markup.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_WRITE_SUMMARIES_H
#define WARPFOLD_EXPLAIN_WRITE_SUMMARIES_H

#include "Explain/Verdict/Report.h"

namespace wf::explain {

/// "36 instructions and 12 of padding, 10 registers, no stack".
std::string resourceLine(const Report &r);
/// "sm_86 holds 6 blocks of 256 threads at once (48 of 48 warps): warps limit".
std::string occupancyLine(const Occupancy &o);
/// "global x[i] → register R0 → …".
std::string pathLine(const Report &r);
/// One of an accumulator: what, through what, a step's cost, proof.
std::vector<std::string> accumulatorLines(const Report &r);
std::string accumulatorLine(const Report &r, const Accumulator &acc);
/// "addition", "maximum".
std::string operationNoun(const Accumulator &acc);
/// "registers", "shared memory and registers".
std::string throughText(const Accumulator &acc);
/// "two barriers, 8 bytes read and 4 written a lane"; "" where it costs none.
std::string costText(const Accumulator &acc);
std::vector<std::string> patternLines(const Report &r);
std::vector<std::string> barrierLines(const Report &r);
std::vector<std::string> buildLines(const Report &r);
std::string findingLine(const Report &r, const Finding &f);

/// Is a partial result kept in memory between steps?
bool materialises(const Accumulator &acc);

} // namespace wf::explain

#endif // WARPFOLD_EXPLAIN_WRITE_SUMMARIES_H
