//===- SafetensorsFuzzer.cpp - Any bytes as a .safetensors file ----------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// A header that places tensors outside the data must be an error, never an
// access outside the bytes: the first and last element of what is accepted are
// read from a copy of exactly the input's size.
//===----------------------------------------------------------------------===//
#include "IO/Elements.h"
#include "IO/Safetensors.h"

#include <cstring>

static void readEnds(const wf::Array &array) {
  if (array.elements() == 0)
    return;
  char element[8];
  wf::copyElements(array, 0, 1, element);
  wf::copyElements(array, array.elements() - 1, 1, element);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // Its own allocation, so that the sanitizer sees the exact end.
  std::shared_ptr<char[]> copy(new char[size]);
  std::memcpy(copy.get(), data, size);
  wf::Bytes bytes{copy.get(), size, copy};
  llvm::Expected<wf::SafetensorsFile> file =
      wf::parseSafetensors(bytes, "fuzzed");
  if (!file) {
    llvm::consumeError(file.takeError());
    return 0;
  }
  for (const wf::Tensor &tensor : file->tensors()) {
    // The name as a glob matches at least the tensor itself.
    auto selected = file->select(tensor.name);
    if (!selected) {
      llvm::consumeError(selected.takeError());
      continue;
    }
    for (const wf::NamedArray &item : *selected)
      readEnds(item.array);
  }
  return 0;
}
