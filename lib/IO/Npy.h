//===- Npy.h - Reading and writing NumPy's .npy and .npz --------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// A .npy file is a magic string, a version, a header that is a Python dict
// (descr, fortran_order, shape), and the elements:
//
//   \x93NUMPY 1 0 | u16 length | {'descr': '<f4', … }  \n | data
//
// Reading maps the file and gives a view of it; nothing is copied. Versions 1,
// 2 and 3, both orders, any shape, the types of WF_SCALAR_TYPES in
// little-endian. Everything else is refused by name. Bytes after the data are
// ignored, as NumPy does. Writing is whole or not at all: a temporary file in
// the same folder is renamed when every byte is written.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_IO_NPY_H
#define WARPFOLD_IO_NPY_H

#include "IO/Array.h"
#include "IO/Mapping.h"

#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <utility>

namespace wf {

/// True if the bytes start as every .npy file does.
bool looksLikeNpy(const Bytes &bytes);

/// The array in these bytes; `name` is what messages call them. `data` of the
/// result need not be aligned: it is where the header ends.
llvm::Expected<Array> parseNpy(const Bytes &bytes, llvm::StringRef name);

/// The array in the file at `path`, mapped.
llvm::Expected<Array> readNpy(llvm::StringRef path);

/// The array from the position of an open descriptor on: mapped if it is a
/// regular file, otherwise read to its end.
llvm::Expected<Array> readNpyFromDescriptor(int fd, llvm::StringRef name);
llvm::Expected<Array> readNpyFromStdin();

/// The bytes before the elements of a version 1.0 file in C order.
std::string npyHeader(ScalarType type, llvm::ArrayRef<int64_t> shape);

/// Writes any array (any strides, generated too) in C order. On an error the
/// file that was at `path` is untouched and no temporary is left. A device or
/// a pipe at `path` is written directly.
llvm::Error writeNpy(llvm::StringRef path, const Array &array);

/// Writes an uncompressed zip of name.npy entries, as numpy.savez does; an
/// empty name is called arr_<position>. Same rule on errors.
llvm::Error writeNpz(llvm::StringRef path,
                     llvm::ArrayRef<std::pair<std::string, Array>> arrays);

} // namespace wf

#endif // WARPFOLD_IO_NPY_H
