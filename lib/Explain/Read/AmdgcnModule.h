//===- AmdgcnModule.h - What surrounds AMD code in a text -------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Kernel descriptors (.amdhsa_ directives), metadata (YAML), symbols that the
// compiler sets, and a file's footer comments; a text may hold several modules.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_READ_AMDGCNMODULE_H
#define WARPFOLD_EXPLAIN_READ_AMDGCNMODULE_H

#include "Explain/Read/Listing.h"

namespace wf::explain::amdgcn {

/// A kernel by its metadata.
struct Metadata {
  std::map<std::string, std::string, std::less<>> fields; ///< ".vgpr_count" …
  std::vector<std::map<std::string, std::string, std::less<>>> arguments;
};

/// Reads the YAML of `amdhsa.kernels`, line by line.
class MetadataReader {
public:
  void line(std::string_view text);
  std::string target; ///< of amdhsa.target
  std::vector<Metadata> kernels;

private:
  void field(size_t indent, std::string_view key, std::string_view value);
  bool inKernels = false, inArguments = false;
  size_t kernelIndent = SIZE_MAX;
};

struct Module {
  std::string target, fileName;
  std::map<std::string, std::map<std::string, int64_t>, std::less<>>
      descriptors; ///< by kernel, then directive
  std::map<std::string, int64_t, std::less<>> symbols; ///< .set
  MetadataReader metadata;
};

/// "amdgcn-amd-amdhsa--gfx90a:xnack-" → "gfx90a"; "" where there is none.
std::string chipIn(std::string_view text);

/// Fills a kernel's facts from its module.
void describe(Kernel &kernel, const Module &module);

/// The chip and the wave's width where nothing says them, from what is used.
void inferTarget(Kernel &kernel);

} // namespace wf::explain::amdgcn

#endif // WARPFOLD_EXPLAIN_READ_AMDGCNMODULE_H
