//===- NarrowSum.cpp - Sums of narrow integers in narrow partials ---------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// An i8 sum accumulates in i64, eight bytes of state for one of input: literal
// i64 slots run at a third of memory speed. A chunk has 32 rows, and 32 values
// of 8 bits fit 16; a chunk's slots then join in 32 bits, and only its one
// state is widened to the user's.
//===----------------------------------------------------------------------===//
#include "Lowering/KernelFrame.h"

using namespace mlir;
using namespace wf;

static func::FuncOp addFunction(Emitter &e, func::FuncOp like,
                                llvm::StringRef name, TypeRange arguments,
                                Type result) {
  auto f = func::FuncOp::create(e.b, like.getLoc(), name,
                                e.b.getFunctionType(arguments, result));
  f.setPrivate();
  f.addEntryBlock();
  e.symbols.insert(f);
  e.b.setInsertionPointToStart(&f.getBody().front());
  return f;
}

Value NarrowSum::widen(Emitter &e, Value v, Type element) const {
  Type type = element;
  if (auto vector = dyn_cast<VectorType>(v.getType()))
    type = VectorType::get(vector.getShape(), element);
  if (type == v.getType())
    return v;
  if (isSigned)
    return arith::ExtSIOp::create(e.b, e.loc, type, v);
  return arith::ExtUIOp::create(e.b, e.loc, type, v);
}

NarrowSum::NarrowSum(KernelFrame &f, ScalarType partial) {
  Emitter &e = f.e;
  rows = e.b.getIntegerType(8 * unsigned(byteSize(partial)));
  slots = e.b.getI32Type();
  OpBuilder::InsertionGuard guard(e.b);
  auto userMap = e.symbols.lookup<func::FuncOp>(f.reduce.getMap());
  userMap.walk([&](arith::ExtUIOp) { isSigned = false; });
  e.b.setInsertionPointAfter(userMap);

  llvm::SmallVector<Type> arguments(userMap.getArgumentTypes());
  auto mapping = addFunction(e, userMap, "map.narrow", arguments, rows);
  func::ReturnOp::create(e.b, e.loc, widen(e, mapping.getArgument(0), rows));
  e.b.setInsertionPointAfter(mapping);

  llvm::SmallVector<Type> more{rows, e.b.getI64Type()};
  llvm::append_range(more, arguments);
  auto updating = addFunction(e, userMap, "update.narrow", more, rows);
  Value x = widen(e, updating.getArgument(2), rows);
  func::ReturnOp::create(e.b, e.loc, e.add(updating.getArgument(0), x));
  e.b.setInsertionPointAfter(updating);

  llvm::SmallVector<Type> two{slots, slots};
  llvm::append_range(two,
                     f.combineFunction.getArgumentTypes().drop_front(2));
  auto joining = addFunction(e, userMap, "combine.narrow", two, slots);
  func::ReturnOp::create(
      e.b, e.loc, e.add(joining.getArgument(0), joining.getArgument(1)));
  map = mapping.getName();
  update = updating.getName();
  combineSlots = joining.getName();
}
