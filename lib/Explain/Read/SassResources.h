//===- SassResources.h - What a listing says beside the code ----*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_READ_SASSRESOURCES_H
#define WARPFOLD_EXPLAIN_READ_SASSRESOURCES_H

#include "Explain/Read/Listing.h"

#include <unordered_map>

namespace wf::explain {

/// Registers, shared memory and stack from nvdisasm's section attributes, from
/// the .nv.info that it prints without -c, from cuobjdump -res-usage and from
/// ptxas -v; some of them stand before the kernel, some after it.
class SassResources {
public:
  /// A line of cuobjdump -res-usage or ptxas -v.
  bool usage(std::string_view line);
  /// A line of .nv.info, which is data with comments.
  bool note(std::string_view line);
  void section(std::string_view name);
  void data(std::string_view line);
  /// .sectioninfo and .sectionflags of a kernel's own section.
  void directive(std::string_view line, Resources &out);
  void apply(std::vector<Kernel> &kernels) const;

private:
  struct Found {
    Resources resources;
    std::vector<Parameter> parameters; ///< by ordinal, of unknown type
  };
  std::unordered_map<std::string, Found> byKernel;
  std::string usageOf;     ///< the kernel that the next line is about
  std::string sectionOf;   ///< of .nv.info.NAME and .nv.shared.NAME
  bool shared = false;     ///< in .nv.shared.NAME
  std::string attribute;   ///< "REGCOUNT" of EIATTR_REGCOUNT
  std::string attributeOf; ///< index@(NAME) within it
  std::vector<uint32_t> words;

  void attributeWord(uint32_t word);
};

} // namespace wf::explain

#endif // WARPFOLD_EXPLAIN_READ_SASSRESOURCES_H
