//===- LaneArrays.cpp - A lane's elements of arrays behind pointers -------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Lowering/LaneArrays.h"

#include "Dialect/Signatures.h"

using namespace mlir;
using namespace wf;

using Values = llvm::SmallVector<Value>;

Value wf::advance(Emitter &e, Value pointer, Type element, Value elements) {
  llvm::APInt known;
  if (matchPattern(elements, m_ConstantInt(&known)))
    return advance(e, pointer, element, known.getSExtValue());
  return LLVM::GEPOp::create(
      e.b, e.loc, pointer.getType(), element, pointer,
      llvm::ArrayRef<LLVM::GEPArg>{e.toI64(elements)},
      LLVM::GEPNoWrapFlags::inbounds);
}

Value wf::advance(Emitter &e, Value pointer, Type element, int64_t elements) {
  if (elements == 0)
    return pointer;
  LLVM::GEPArg by = elements <= INT32_MAX && elements >= INT32_MIN
                        ? LLVM::GEPArg(int32_t(elements))
                        : LLVM::GEPArg(e.i64(elements));
  return LLVM::GEPOp::create(e.b, e.loc, pointer.getType(), element, pointer,
                             llvm::ArrayRef<LLVM::GEPArg>{by},
                             LLVM::GEPNoWrapFlags::inbounds);
}

Type LaneArrays::stored(size_t i) {
  return fold::storageType(map.getArgumentTypes()[i]);
}

int64_t LaneArrays::bytes(size_t i) {
  return int64_t(stored(i).getIntOrFloatBitWidth()) / 8;
}

Value LaneArrays::stride(size_t i, size_t axis) {
  if (axis + 1 == rank() && inner[i] >= 0)
    return e.index(inner[i]);
  return strides[i * rank() + axis];
}

Value LaneArrays::start(size_t i) {
  return advance(e, inputs[i], stored(i), offsets[i]);
}

Values LaneArrays::digits(Value k) {
  Values all(rank());
  for (size_t d = rank() - 1; d > 0; --d) {
    all[d] = e.rem(k, sizes[d]);
    k = e.div(k, sizes[d]);
  }
  all[0] = k;
  return all;
}

Value LaneArrays::pointer(size_t i, llvm::ArrayRef<Value> digits) {
  Value at = offsets[i];
  for (auto [axis, digit] : llvm::enumerate(digits))
    at = e.add(at, e.mul(digit, stride(i, axis)));
  return advance(e, inputs[i], stored(i), at);
}

Value LaneArrays::pointer(size_t i, Value k) { return pointer(i, digits(k)); }

Value LaneArrays::loadOne(Type type, Value pointer) {
  // Inputs are not written while a kernel runs: the read-only path may be used.
  unsigned bytes = type.getIntOrFloatBitWidth() / 8;
  return LLVM::LoadOp::create(e.b, e.loc, type, pointer, bytes,
                              /*isVolatile=*/false, /*isNonTemporal=*/false,
                              /*isInvariant=*/!keepsOrder);
}

/// Elements of 8 and 16 bits come as words, and are taken apart here: vectors
/// of bytes are loaded one by one where the back end loses their alignment.
Values LaneArrays::loadSide(size_t i, Value pointer, int64_t lanes) {
  Type type = stored(i);
  if (lanes == 1)
    return {loadOne(type, pointer)};
  int64_t all = lanes * bytes(i);
  Type part = type;
  int64_t perPart = 1;
  if (bytes(i) < 4) {
    perPart = std::min<int64_t>(lanes, 4 / bytes(i));
    part = e.b.getIntegerType(unsigned(perPart * bytes(i) * 8));
  }
  Values parts;
  int64_t count = lanes / perPart;
  if (count == 1) {
    parts.push_back(LLVM::LoadOp::create(e.b, e.loc, part, pointer,
                                         unsigned(all), false, false,
                                         !keepsOrder));
  } else {
    Value v = LLVM::LoadOp::create(e.b, e.loc, VectorType::get({count}, part),
                                   pointer, unsigned(all), false, false,
                                   !keepsOrder);
    for (int64_t n = 0; n < count; ++n)
      parts.push_back(vector::ExtractOp::create(e.b, e.loc, v, n));
  }
  if (perPart == 1)
    return parts;
  Values elements;
  for (Value word : parts)
    for (int64_t n = 0; n < perPart; ++n) {
      Value bits = arith::ConstantOp::create(
          e.b, e.loc, e.b.getIntegerAttr(part, n * bytes(i) * 8));
      elements.push_back(arith::TruncIOp::create(
          e.b, e.loc, type,
          n ? Value(arith::ShRUIOp::create(e.b, e.loc, word, bits)) : word));
    }
  return elements;
}

Value LaneArrays::position(Value k) {
  if (map.getArgumentTypes()[count()].isInteger(32))
    return arith::IndexCastOp::create(e.b, e.loc, e.b.getI32Type(), k);
  return e.toI64(k);
}

Values wf::selectAll(Emitter &e, Value predicate, ValueRange a, ValueRange b) {
  Values chosen;
  for (auto [x, y] : llvm::zip(a, b))
    chosen.push_back(
        x == y ? x
               : Value(arith::SelectOp::create(e.b, e.loc, predicate, x, y)));
  return chosen;
}
