//===- Support.h - What the tests of lib/Explain share ----------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_UNITTESTS_EXPLAIN_SUPPORT_H
#define WARPFOLD_UNITTESTS_EXPLAIN_SUPPORT_H

#include "Explain/Flow/Analysis.h"

#include "gtest/gtest.h"

#include <fstream>
#include <sstream>

namespace wf::explain {

/// The text of a listing of test/Explain/listings: "nvidia/….sass".
inline std::string listingText(const std::string &name) {
  std::ifstream in(std::string(WARPFOLD_LISTINGS "/") + name,
                   std::ios::binary);
  EXPECT_TRUE(in.good()) << "no listing " << name;
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Its kernel whose name contains `part`, analysed.
inline Analysis analysed(const std::string &listing, const std::string &part) {
  auto read = readListing(listingText(listing), listing);
  if (!read) {
    ADD_FAILURE() << read.fault().message;
    return {};
  }
  for (Kernel &kernel : read->kernels)
    if (kernel.name.find(part) != std::string::npos)
      return analyse(decode(std::move(kernel)));
  ADD_FAILURE() << listing << " has no kernel " << part;
  return {};
}

} // namespace wf::explain

#endif // WARPFOLD_UNITTESTS_EXPLAIN_SUPPORT_H
