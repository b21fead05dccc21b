//===- Ncu.h - Counters that a vendor's profiler measured --------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// NVIDIA's ncu and AMD's rocprofv3, run as children where they are installed;
// their counters under the names of our own, so that both stand side by side.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_PROFILE_NCU_H
#define WARPFOLD_PROFILE_NCU_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <map>
#include <string>
#include <vector>

namespace wf {

/// By our name of a counter, summed over the kernels: "FETCH_SIZE" in KB.
using MeasuredCounters = std::map<std::string, double>;

/// Rows of a CSV text; quoted fields may hold commas and doubled quotes.
std::vector<std::vector<std::string>> readCsv(llvm::StringRef text);

/// From `ncu --csv`: one row a kernel and metric; kernels that are not ours are
/// left out. Lines before the header (the program's own output) are skipped. A
/// user error where there is no header.
llvm::Expected<MeasuredCounters> readNcu(llvm::StringRef csv);

/// From rocprofv3's counter_collection.csv.
llvm::Expected<MeasuredCounters> readRocprof(llvm::StringRef csv);

/// Runs `command` (a warpfold reduce …) under the vendor's profiler. A user
/// error where it is not installed, a device error where it fails.
llvm::Expected<MeasuredCounters>
measureCounters(llvm::ArrayRef<std::string> command, bool nvidia);

} // namespace wf

#endif // WARPFOLD_PROFILE_NCU_H
