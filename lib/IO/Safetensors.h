//===- Safetensors.h - Reading .safetensors files ---------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// A file of model weights: a length, a JSON object, the data.
//
//   u64 length | {"w": {"dtype": "F32", "shape": [2, 3],
//                       "data_offsets": [0, 24]}, …} | data
//
// The file is mapped and tensors are views of it. The header is checked whole
// on opening: the tensors must cover the data exactly, without holes or
// overlap, each with shape × element size bytes. Tensors of types that
// Warpfold does not read are listed, and refused when they are selected.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_IO_SAFETENSORS_H
#define WARPFOLD_IO_SAFETENSORS_H

#include "IO/Array.h"
#include "IO/Mapping.h"

#include "llvm/ADT/ArrayRef.h"

#include <optional>
#include <string>
#include <vector>

namespace wf {

/// An array and what messages and results call it.
struct NamedArray {
  std::string name;
  Array array;
};

/// One tensor as the header describes it.
struct Tensor {
  std::string name;
  std::string dtype;              ///< as in the file: "F32", "BF16"
  std::optional<ScalarType> type; ///< nothing if it is not supported
  std::vector<int64_t> shape;
  uint64_t begin = 0, end = 0; ///< bytes from the start of the data
};

class SafetensorsFile {
public:
  /// All tensors in the byte order of their names.
  llvm::ArrayRef<Tensor> tensors() const { return list; }

  /// The tensors whose names match `glob` (* is any characters, ? is one), in
  /// the byte order of their names. None, or one of an unsupported type, is an
  /// error that names what there is.
  llvm::Expected<std::vector<NamedArray>> select(llvm::StringRef glob) const;

private:
  friend llvm::Expected<SafetensorsFile> parseSafetensors(const Bytes &,
                                                          llvm::StringRef);
  std::string file;
  Bytes data; // what follows the header
  std::vector<Tensor> list;
};

/// True if the bytes start as a safetensors file does: a length that fits in
/// them, then an opening brace.
bool looksLikeSafetensors(const Bytes &bytes);

/// Checks the header in these bytes; `name` is what messages call them.
llvm::Expected<SafetensorsFile> parseSafetensors(const Bytes &bytes,
                                                 llvm::StringRef name);

/// The file at `path`, mapped.
llvm::Expected<SafetensorsFile> openSafetensors(llvm::StringRef path);

} // namespace wf

#endif // WARPFOLD_IO_SAFETENSORS_H
