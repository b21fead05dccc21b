//===- Raw.h - Files of bare numbers ----------------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// `--raw f32:1024x4096` says what a file without a header holds: the type, then
// the shape (see Shape.h; nothing after the colon is one number). Row-major,
// little-endian, from the first byte to the last: the size must match exactly.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_IO_RAW_H
#define WARPFOLD_IO_RAW_H

#include "IO/Array.h"
#include "IO/Mapping.h"

namespace wf {

/// The array in these bytes; `name` is what messages call them.
llvm::Expected<Array> parseRaw(const Bytes &bytes, llvm::StringRef name,
                               llvm::StringRef spec);

/// The array in the file at `path`, mapped.
llvm::Expected<Array> readRaw(llvm::StringRef path, llvm::StringRef spec);

} // namespace wf

#endif // WARPFOLD_IO_RAW_H
