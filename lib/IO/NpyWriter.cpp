//===- NpyWriter.cpp - From an array to a .npy file ----------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The header is byte for byte what numpy.save writes, so that files can be
// compared.
//===----------------------------------------------------------------------===//
#include "IO/Elements.h"
#include "IO/Npy.h"
#include "IO/OutputFile.h"
#include "IO/Shape.h"

using namespace wf;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

static StringRef descrOf(ScalarType type) {
  switch (type) {
#define X(E, N, B, D, ...)                                                     \
  case ScalarType::E:                                                          \
    return D;
    WF_SCALAR_TYPES(X)
#undef X
  }
  return "";
}

std::string wf::npyHeader(ScalarType type, llvm::ArrayRef<int64_t> shape) {
  std::string dict = "{'descr': '";
  dict += byteSize(type) == 1 ? '|' : '<';
  dict += descrOf(type);
  dict += "', 'fortran_order': False, 'shape': " + formatShape(shape) + ", }";
  // Magic, version and length are 10 bytes; the data start at a multiple of
  // 64. maxRank sizes of 20 characters stay below the 65535 of version 1.0.
  size_t length = (10 + dict.size() + 1 + 63) / 64 * 64 - 10;
  dict.resize(length - 1, ' ');
  dict += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  header += char(length & 255);
  header += char(length >> 8);
  return header + dict;
}

Error wf::writeNpy(StringRef path, const Array &array) {
  Expected<OutputFile> file = OutputFile::create(path);
  if (!file)
    return file.takeError();
  if (Error error = file->write(npyHeader(array.type, array.shape)))
    return error;
  if (Error error = forEachPiece(
          array, [&](StringRef piece) { return file->write(piece); }))
    return error;
  return file->commit();
}
