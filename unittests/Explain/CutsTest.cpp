//===- CutsTest.cpp - Listings that end anywhere --------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Support.h"

#include "Explain/Write/Write.h"

#include <filesystem>

using namespace wf::explain;

/// Everything but the documents of huge kernels: those of a cut are its
/// prefix's, and the whole is done once.
static void explainAll(const std::string &text, const std::string &name,
                       bool documents) {
  auto listing = readListing(text, name);
  if (!listing) {
    EXPECT_FALSE(listing.fault().message.empty());
    return;
  }
  for (Kernel &kernel : listing->kernels) {
    Report report = judge(analyse(decode(std::move(kernel))));
    matchPatterns(report, builtinPatterns());
    if (!documents)
      continue;
    WriteOptions options;
    EXPECT_FALSE(textOf(report, options).empty());
    EXPECT_FALSE(markdownOf(report, options).empty());
  }
}

static std::vector<std::string> allListings() {
  std::vector<std::string> names;
  for (const char *folder : {"nvidia", "amd"})
    for (const auto &entry : std::filesystem::directory_iterator(
             std::string(WARPFOLD_LISTINGS "/") + folder)) {
      std::string ending = entry.path().extension().string();
      if (ending != ".cu" && ending != ".cl" && ending != ".dot")
        names.push_back(std::string(folder) + "/" +
                        entry.path().filename().string());
    }
  std::sort(names.begin(), names.end());
  return names;
}

TEST(CutsTest, WholeListingsGoAllTheWay) {
  ASSERT_GT(allListings().size(), 50u);
  for (const std::string &name : allListings())
    explainAll(listingText(name), name, /*documents=*/true);
}

// Each cut within the last kernel that the prefix holds: what is before it was
// explained by the cut before.
TEST(CutsTest, EachNinetySeventhByte) {
  for (const std::string &name : allListings()) {
    std::string text = listingText(name);
    size_t window = 6000; // of text before a cut
    for (size_t cut = 97; cut < text.size(); cut += 97) {
      size_t from = cut > window ? cut - window : 0;
      // Every cut of the small listings, every 31st of the large ones' windows.
      if (text.size() > 20000 && (cut / 97) % 31 != 0)
        continue;
      explainAll(text.substr(from, cut - from), name, cut % 5 == 0);
    }
  }
}
