//===- Value.cpp - A scalar as a 64-bit payload ---------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// How messages show a scalar: its value and the bits behind it.
//===----------------------------------------------------------------------===//
#include "Numerics/Value.h"
#include "Numerics/Operation.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace wf;

std::string wf::describe(ScalarType t, uint64_t payload) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (isFloat(t)) {
    // 9 and 17 significant digits tell any two values apart.
    const int digits = t == ScalarType::F32 ? 9 : 17;
    const double x = t == ScalarType::F32 ? double(valueOf<float>(payload))
                                          : valueOf<double>(payload);
    os << llvm::format("%.*g", digits, x);
  } else if (t == ScalarType::Bool) {
    os << (payload == 0 ? "false" : payload == 1 ? "true" : "not a bool");
  } else if (isSigned(t)) {
    os << int64_t(apply(NodeOp::Cast, ScalarType::I64, t, payload));
  } else {
    os << payload;
  }
  os << " (" << llvm::format_hex(payload, unsigned(2 + 2 * byteSize(t))) << ")";
  return text;
}
