//===- ExplainFuzzer.cpp - Any bytes through explain ----------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The bytes are a listing. Whatever can be read goes all the way to documents
// of every form; a Fault is fine and says something, a crash or a hang is not.
//===----------------------------------------------------------------------===//
#include "Explain/Inspect/Inspect.h"
#include "Explain/Write/Write.h"

#include <cstdlib>

using namespace wf::explain;

static void require(bool holds) {
  if (!holds)
    std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > 16384)
    return 0;
  std::string_view bytes(reinterpret_cast<const char *>(data), size);
  auto listing = readListing(bytes, "fuzz.sass");
  if (!listing) {
    require(!listing.fault().message.empty());
    auto inspection = inspect({{"fuzz.ttgir", std::string(bytes)}});
    if (inspection)
      require(!inspectionText(*inspection).empty());
    return 0;
  }
  for (Kernel &kernel : listing->kernels) {
    size_t instructions = kernel.code.size();
    Report report = judge(analyse(decode(std::move(kernel))));
    require(report.roles.size() == instructions);
    matchPatterns(report, builtinPatterns());
    WriteOptions options;
    require(!textOf(report, options).empty());
    require(!markdownOf(report, options).empty());
    std::vector<Report> reports;
    reports.push_back(std::move(report));
    require(!jsonOf(reports, options).empty());
    require(!htmlOf(reports, options).empty());
    require(!compare(reports[0], reports[0], options).empty());
  }
  return 0;
}
