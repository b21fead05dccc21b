//===- NvidiaImage.cpp - NVIDIA's code by NVIDIA's tools ------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "ExplainImages/Parts.h"

#include "llvm/Support/Endian.h"

#include <algorithm>

using namespace wf::explain;
using namespace wf::explain::images;
using llvm::StringRef;

std::string images::smOf(const Header &header) {
  // From version 8 on the number moved up a byte.
  uint32_t sm =
      header.abiVersion >= 8 ? header.flags >> 8 & 0xff : header.flags & 0xff;
  return "sm_" + std::to_string(sm);
}

/// The length of an ELF image by its section table, which cubins end with.
static uint64_t lengthOf(StringRef bytes) {
  namespace endian = llvm::support::endian;
  uint64_t segments = endian::read64le(bytes.data() + 32);
  uint64_t sections = endian::read64le(bytes.data() + 40);
  uint64_t end = segments + uint64_t(endian::read16le(bytes.data() + 54)) *
                                endian::read16le(bytes.data() + 56);
  uint64_t table = sections + uint64_t(endian::read16le(bytes.data() + 58)) *
                                  endian::read16le(bytes.data() + 60);
  return std::max(end, table);
}

std::vector<StringRef> images::cubinsIn(StringRef bytes) {
  std::vector<StringRef> found;
  StringRef magic("\x7f"
                  "ELF");
  for (size_t at = bytes.find(magic); at != StringRef::npos;) {
    StringRef image = bytes.drop_front(at);
    auto header = headerOf(image);
    uint64_t length = 0;
    if (header && header->is64 && header->machine == machineCuda)
      length = lengthOf(image);
    if (length >= 64 && length <= image.size()) {
      found.push_back(image.take_front(length));
      at = bytes.find(magic, at + length);
    } else {
      at = bytes.find(magic, at + 4);
    }
  }
  return found;
}

/// "sm_80 and sm_90" of the images, without repetition.
static std::string chipsOf(llvm::ArrayRef<StringRef> cubins) {
  std::vector<std::string> names;
  for (StringRef cubin : cubins)
    if (auto header = headerOf(cubin)) {
      std::string name = smOf(*header);
      if (std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
    }
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

static Fault missing(StringRef name, llvm::ArrayRef<StringRef> cubins,
                     bool compressed) {
  std::string chips = chipsOf(cubins);
  std::string what =
      "NVIDIA machine code" + (chips.empty() ? "" : " for " + chips);
  if (compressed)
    return {
        "it holds NVIDIA code in a compressed fat binary, which needs "
        "cuobjdump, and cuobjdump is not on PATH",
        "pip install nvidia-cuda-cuobjdump nvidia-cuda-nvdisasm, or install "
        "the CUDA toolkit; then put both on PATH; a listing made elsewhere "
        "with cuobjdump -sass " +
            name.str() + " is read too"};
  return {"it holds " + what +
              ", which needs nvdisasm or cuobjdump, and neither is on PATH",
          "pip install nvidia-cuda-nvdisasm, or install the CUDA toolkit; then "
          "put nvdisasm on PATH or name it with WARPFOLD_NVDISASM; a listing "
          "made elsewhere with cuobjdump -sass " +
              name.str() + " is read too"};
}

static std::optional<Fault> append(Result<std::string> printed,
                                   std::string &text) {
  if (!printed)
    return printed.fault();
  text += *printed;
  if (!text.empty() && text.back() != '\n')
    text += '\n';
  return std::nullopt;
}

std::optional<Fault> images::nvidiaListing(StringRef bytes, StringRef name,
                                           llvm::ArrayRef<StringRef> cubins,
                                           std::string &text) {
  std::string cuobjdump = programNamed("WARPFOLD_CUOBJDUMP", "cuobjdump");
  std::string nvdisasm = programNamed("WARPFOLD_NVDISASM", "nvdisasm");
  // cuobjdump opens every container, and prints control codes.
  if (!cuobjdump.empty())
    return append(runOn(cuobjdump, {"-sass"}, bytes, "image"), text);
  if (nvdisasm.empty() || cubins.empty())
    return missing(name, cubins, cubins.empty());
  for (StringRef cubin : cubins)
    if (auto fault =
            append(runOn(nvdisasm, {"-c", "-hex"}, cubin, "cubin"), text))
      return fault;
  return std::nullopt;
}
