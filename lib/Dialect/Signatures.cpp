//===- Signatures.cpp - What a reduction's functions take and give --------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Dialect/Signatures.h"

using namespace mlir;
using namespace wf::fold;

Type wf::fold::storageType(Type functionType) {
  if (functionType.isInteger(1))
    return IntegerType::get(functionType.getContext(), 8);
  return functionType;
}

FailureOr<func::FuncOp> wf::fold::lookupFunction(Operation *op,
                                                 SymbolTableCollection &symbols,
                                                 FlatSymbolRefAttr symbol,
                                                 llvm::StringRef role) {
  auto f = symbols.lookupNearestSymbolFrom<func::FuncOp>(op, symbol);
  if (!f)
    return op->emitOpError()
           << role << " " << symbol << " is not a function of this module";
  if (f.isExternal() || !f.getBody().hasOneBlock())
    return op->emitOpError() << role << " " << symbol
                             << " needs a body of one block, to be cloned onto "
                                "vectors and inlined";
  if (!f->getParentOfType<ModuleOp>() || !f.isPrivate())
    return op->emitOpError() << role << " " << symbol << " must be private";
  return f;
}

/// Compares a function's arguments from `at` on with one expected list, and
/// moves `at` past it.
static LogicalResult expectArguments(Operation *op, func::FuncOp f,
                                     unsigned &at, TypeRange expected,
                                     llvm::StringRef what, bool fromMemory) {
  for (auto [i, type] : llvm::enumerate(expected)) {
    if (at >= f.getNumArguments())
      return op->emitOpError() << "@" << f.getName() << " takes "
                               << f.getNumArguments() << " arguments; " << what
                               << " " << i << " (" << type << ") is missing";
    Type have = f.getArgumentTypes()[at];
    Type compared = fromMemory ? storageType(have) : have;
    if (compared != type)
      return op->emitOpError()
             << "@" << f.getName() << " argument " << at << " is " << have
             << ", but " << what << " " << i << " is " << type;
    ++at;
  }
  return success();
}

static LogicalResult expectEnd(Operation *op, func::FuncOp f, unsigned at,
                               llvm::ArrayRef<Type> results) {
  if (at != f.getNumArguments())
    return op->emitOpError()
           << "@" << f.getName() << " takes " << f.getNumArguments()
           << " arguments, but " << at << " are given";
  if (TypeRange(f.getResultTypes()) != TypeRange(results))
    return op->emitOpError()
           << "@" << f.getName() << " must return the state's types (" << TypeRange(results)
           << "), but returns (" << TypeRange(f.getResultTypes()) << ")";
  return success();
}

static llvm::SmallVector<Type> elementTypes(TypeRange memrefs) {
  llvm::SmallVector<Type> types;
  for (Type t : memrefs)
    types.push_back(cast<MemRefType>(t).getElementType());
  return types;
}

/// A position is i64, or i32 where it counts within a chunk.
static Type positionType(func::FuncOp f, unsigned at, Type i64) {
  if (at < f.getNumArguments() && f.getArgumentTypes()[at].isInteger(32))
    return f.getArgumentTypes()[at];
  return i64;
}

FailureOr<llvm::SmallVector<Type>>
wf::fold::checkMap(Operation *op, func::FuncOp map, TypeRange inputMemrefs,
                   TypeRange params) {
  unsigned at = 0;
  Type i64 = IntegerType::get(op->getContext(), 64);
  if (failed(expectArguments(op, map, at, elementTypes(inputMemrefs),
                             "the element of input", true)) ||
      failed(expectArguments(op, map, at, positionType(map, at, i64),
                             "the position", false)) ||
      failed(expectArguments(op, map, at, params, "param", false)))
    return failure();
  llvm::SmallVector<Type> state(map.getResultTypes());
  if (state.empty())
    return op->emitOpError() << "@" << map.getName()
                             << " gives a state without members";
  if (failed(expectEnd(op, map, at, state)))
    return failure();
  return state;
}

LogicalResult wf::fold::checkCombine(Operation *op, func::FuncOp f,
                                     llvm::ArrayRef<Type> state,
                                     TypeRange params) {
  unsigned at = 0;
  Type i64 = IntegerType::get(op->getContext(), 64);
  if (failed(expectArguments(op, f, at, state, "left state member", false)) ||
      failed(expectArguments(op, f, at, state, "right state member", false)) ||
      failed(expectArguments(op, f, at, {i64, i64}, "count", false)) ||
      failed(expectArguments(op, f, at, params, "param", false)))
    return failure();
  return expectEnd(op, f, at, state);
}

LogicalResult wf::fold::checkFinish(Operation *op, func::FuncOp f,
                                    llvm::ArrayRef<Type> state,
                                    TypeRange params) {
  unsigned at = 0;
  Type i64 = IntegerType::get(op->getContext(), 64);
  if (failed(expectArguments(op, f, at, state, "state member", false)) ||
      failed(expectArguments(op, f, at, i64, "count", false)) ||
      failed(expectArguments(op, f, at, params, "param", false)))
    return failure();
  llvm::SmallVector<Type> results(f.getResultTypes());
  return expectEnd(op, f, at, results);
}

LogicalResult wf::fold::checkUpdate(Operation *op, func::FuncOp f,
                                    llvm::ArrayRef<Type> state,
                                    TypeRange inputMemrefs, TypeRange params) {
  unsigned at = 0;
  Type i64 = IntegerType::get(op->getContext(), 64);
  if (failed(expectArguments(op, f, at, state, "state member", false)) ||
      failed(expectArguments(op, f, at, i64, "count", false)) ||
      failed(expectArguments(op, f, at, elementTypes(inputMemrefs),
                             "the element of input", true)) ||
      failed(expectArguments(op, f, at, positionType(f, at, i64),
                             "the position", false)) ||
      failed(expectArguments(op, f, at, params, "param", false)))
    return failure();
  return expectEnd(op, f, at, state);
}

FailureOr<llvm::SmallVector<Type>> wf::fold::checkElementFunctions(
    Operation *op, SymbolTableCollection &symbols, FlatSymbolRefAttr map,
    FlatSymbolRefAttr update, TypeRange inputMemrefs, TypeRange params) {
  auto mapping = lookupFunction(op, symbols, map, "map");
  if (failed(mapping))
    return failure();
  auto state = checkMap(op, *mapping, inputMemrefs, params);
  if (failed(state) || !update)
    return state;
  auto updating = lookupFunction(op, symbols, update, "update");
  if (failed(updating) ||
      failed(checkUpdate(op, *updating, *state, inputMemrefs, params)))
    return failure();
  return state;
}
