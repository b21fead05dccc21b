//===- WriteSupport.h - Reports for the tests of writers --------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_UNITTESTS_EXPLAIN_WRITESUPPORT_H
#define WARPFOLD_UNITTESTS_EXPLAIN_WRITESUPPORT_H

#include "Support.h"

#include "Explain/Write/Write.h"

namespace wf::explain {

/// The report of a listing's kernel whose name contains `part`.
inline Report reported(const std::string &listing, const std::string &part,
                       const std::string &parameters = "") {
  auto read = readListing(listingText(listing), listing);
  if (!read) {
    ADD_FAILURE() << read.fault().message;
    return {};
  }
  for (Kernel &kernel : read->kernels) {
    if (kernel.name.find(part) == std::string::npos)
      continue;
    if (!parameters.empty()) {
      auto named = readParameters(parameters);
      EXPECT_TRUE(bool(named));
      if (named)
        kernel.parameters = *named;
    }
    Report report = judge(analyse(decode(std::move(kernel))));
    matchPatterns(report, builtinPatterns());
    return report;
  }
  ADD_FAILURE() << listing << " has no kernel " << part;
  return {};
}

/// The seed's kernel as nvdisasm prints it for a chip, encodings included.
inline Report seedReport() {
  return reported("nvidia/seed_reduce_sum.sm_86.nvdisasm-hex.sass", "reduce",
                  "x: f32*, y: f32*, n: i32");
}

inline bool has(const std::string &text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

inline std::string joined(const std::vector<std::string> &lines) {
  std::string out;
  for (const std::string &line : lines)
    out += line + "\n";
  return out;
}

} // namespace wf::explain

#endif // WARPFOLD_UNITTESTS_EXPLAIN_WRITESUPPORT_H
