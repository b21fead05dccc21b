//===- Calls.cpp - Calls of the user's functions, also on vectors ---------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Lowering/Calls.h"

using namespace mlir;
using namespace wf;

Value Emitter::index(int64_t v) {
  return arith::ConstantIndexOp::create(b, loc, v);
}
Value Emitter::i64(int64_t v) {
  return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(v));
}
Value Emitter::i32(int32_t v) {
  return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(v));
}
Value Emitter::add(Value x, Value y) {
  return b.createOrFold<arith::AddIOp>(loc, x, y);
}
Value Emitter::sub(Value x, Value y) {
  return b.createOrFold<arith::SubIOp>(loc, x, y);
}
Value Emitter::mul(Value x, Value y) {
  return b.createOrFold<arith::MulIOp>(loc, x, y);
}
Value Emitter::div(Value x, Value y) {
  return b.createOrFold<arith::DivUIOp>(loc, x, y);
}
Value Emitter::rem(Value x, Value y) {
  return b.createOrFold<arith::RemUIOp>(loc, x, y);
}
Value Emitter::less(Value x, Value y) {
  return b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ult, x, y);
}
Value Emitter::equal(Value x, Value y) {
  return b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, x, y);
}
Value Emitter::minimum(Value x, Value y) {
  return b.createOrFold<arith::MinUIOp>(loc, x, y);
}
Value Emitter::toI64(Value index) {
  return arith::IndexCastOp::create(b, loc, b.getI64Type(), index);
}

Value Emitter::splat(Value scalar, int64_t lanes) {
  if (lanes == 0)
    return scalar;
  auto type = VectorType::get({lanes}, scalar.getType());
  return vector::BroadcastOp::create(b, loc, type, scalar);
}

Value Emitter::constantLanes(llvm::ArrayRef<int64_t> values) {
  auto type = VectorType::get({int64_t(values.size())}, b.getI64Type());
  return arith::ConstantOp::create(b, loc,
                                   DenseElementsAttr::get(type, values));
}

static Type onLanes(Type t, int64_t lanes) {
  return VectorType::get({lanes}, t);
}

func::FuncOp Emitter::vectorClone(func::FuncOp f, int64_t lanes) {
  std::string name = (f.getName() + ".v" + llvm::Twine(lanes)).str();
  if (auto existing = symbols.lookup<func::FuncOp>(name))
    return existing;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointAfter(f);
  llvm::SmallVector<Type> arguments, results;
  for (Type t : f.getArgumentTypes())
    arguments.push_back(onLanes(t, lanes));
  for (Type t : f.getResultTypes())
    results.push_back(onLanes(t, lanes));
  auto clone = func::FuncOp::create(b, f.getLoc(), name,
                                    b.getFunctionType(arguments, results));
  clone.setPrivate();
  symbols.insert(clone);
  Block *block = clone.addEntryBlock();
  b.setInsertionPointToStart(block);
  IRMapping map;
  for (auto [from, to] :
       llvm::zip(f.getArguments(), block->getArguments()))
    map.map(from, to);
  for (Operation &op : f.getBody().front()) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      auto type = VectorType::get({lanes}, constant.getType());
      map.map(constant.getResult(),
              arith::ConstantOp::create(
                  b, op.getLoc(),
                  DenseElementsAttr::get(type, constant.getValue()))
                  .getResult());
      continue;
    }
    Operation *copy = b.clone(op, map);
    for (OpResult r : copy->getResults())
      r.setType(onLanes(r.getType(), lanes));
  }
  return clone;
}

llvm::SmallVector<Value> Emitter::call(llvm::StringRef symbol, int64_t lanes,
                                       ValueRange arguments) {
  auto f = symbols.lookup<func::FuncOp>(symbol);
  if (lanes)
    f = vectorClone(f, lanes);
  auto call = func::CallOp::create(b, loc, f, arguments);
  return llvm::SmallVector<Value>(call.getResults());
}

llvm::SmallVector<Value> Emitter::combine(llvm::StringRef symbol, int64_t lanes,
                                          ValueRange a, ValueRange b2,
                                          Value countA, Value countB,
                                          ValueRange params) {
  llvm::SmallVector<Value> arguments(a);
  llvm::append_range(arguments, b2);
  Value unread = countA && countB ? Value() : splat(i64(0), lanes);
  arguments.push_back(countA ? countA : unread);
  arguments.push_back(countB ? countB : unread);
  for (Value p : params)
    arguments.push_back(splat(p, lanes));
  return call(symbol, lanes, arguments);
}

Value wf::fromStorage(Emitter &e, Value stored, Type functionType) {
  if (!functionType.isInteger(1))
    return stored;
  Value zero = arith::ConstantOp::create(e.b, e.loc,
                                         e.b.getZeroAttr(stored.getType()));
  return arith::CmpIOp::create(e.b, e.loc, arith::CmpIPredicate::ne, stored,
                               zero);
}

bool wf::readsArguments(func::FuncOp f, unsigned first, unsigned n) {
  for (unsigned i = first; i < first + n; ++i)
    if (!f.getArgument(i).use_empty())
      return true;
  return false;
}
