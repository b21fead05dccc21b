//===- ElementLoads.cpp - Elements as lanes of vectors --------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Lowering/ElementLoads.h"

using namespace mlir;
using namespace wf;

using Values = llvm::SmallVector<Value>;

Value ElementLoads::mask(Value limit, llvm::ArrayRef<int64_t> offsets) {
  return arith::CmpIOp::create(
      e.b, e.loc, arith::CmpIPredicate::ult, e.constantLanes(offsets),
      e.splat(e.toI64(limit), int64_t(offsets.size())));
}

Values ElementLoads::rowIndices(Value memref, Value at) {
  Values all(indices);
  int64_t rank = cast<MemRefType>(memref.getType()).getRank();
  size_t firstOfK = all.size();
  all.resize(size_t(rank));
  for (size_t d = size_t(rank) - 1; d > firstOfK; --d) {
    Value size = memref::DimOp::create(e.b, e.loc, memref, int64_t(d));
    all[d] = e.rem(at, size);
    at = e.div(at, size);
  }
  all[firstOfK] = at;
  return all;
}

Value ElementLoads::load(Value memref, Value start, int64_t at, int64_t lanes,
                         Value limit) {
  auto type = cast<MemRefType>(memref.getType());
  Values where = rowIndices(memref, start);
  auto [strides, base] = type.getStridesAndOffset();
  if (strides.back() == 0)
    return e.splat(memref::LoadOp::create(e.b, e.loc, memref, where), lanes);
  where.back() = e.add(where.back(), e.index(at));
  auto vectorType = VectorType::get({lanes}, type.getElementType());
  if (!limit)
    return vector::LoadOp::create(e.b, e.loc, vectorType, memref, where);
  llvm::SmallVector<int64_t> offsets;
  for (int64_t i = 0; i < lanes; ++i)
    offsets.push_back(at + i);
  Value zero =
      arith::ConstantOp::create(e.b, e.loc, e.b.getZeroAttr(vectorType));
  return vector::MaskedLoadOp::create(e.b, e.loc, vectorType, memref, where,
                                      mask(limit, offsets), zero);
}

Value ElementLoads::positions(Value start, llvm::ArrayRef<int64_t> offsets) {
  Value k = e.toI64(e.add(e.sub(start, first), position));
  Value lanes = e.constantLanes(offsets);
  if (map.getArgumentTypes()[inputs.size()].isInteger(32)) {
    k = arith::TruncIOp::create(e.b, e.loc, e.b.getI32Type(), k);
    auto type = VectorType::get({int64_t(offsets.size())}, e.b.getI32Type());
    llvm::SmallVector<int32_t> narrow(offsets.begin(), offsets.end());
    lanes = arith::ConstantOp::create(
        e.b, e.loc,
        DenseElementsAttr::get(type, llvm::ArrayRef<int32_t>(narrow)));
  }
  return arith::AddIOp::create(e.b, e.loc,
                               e.splat(k, int64_t(offsets.size())), lanes);
}

Values ElementLoads::apply(llvm::StringRef function, ValueRange state,
                           Value count, ValueRange elements, Value k) {
  Values arguments(state);
  if (count)
    arguments.push_back(e.splat(count, width));
  llvm::append_range(arguments, elements);
  arguments.push_back(k);
  for (Value p : params)
    arguments.push_back(e.splat(p, width));
  return e.call(function, width, arguments);
}
