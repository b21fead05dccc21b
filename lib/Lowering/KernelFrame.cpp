//===- KernelFrame.cpp - The function around a planned reduction ----------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Lowering/KernelFrame.h"

#include "Dialect/Import.h"
#include "Dialect/Signatures.h"
#include "Lowering/Launch.h"

using namespace mlir;
using namespace wf;

using Values = llvm::SmallVector<Value>;

KernelFrame::KernelFrame(Emitter &e, fold::ReduceOp reduce, Plan plan)
    : e(e), reduce(reduce), plan(std::move(plan)) {
  function = reduce->getParentOfType<func::FuncOp>();
  combineFunction = e.symbols.lookup<func::FuncOp>(reduce.getCombine());
  state.assign(combineFunction.getResultTypes().begin(),
               combineFunction.getResultTypes().end());
  counted = readsArguments(combineFunction, 2 * unsigned(state.size()), 2);
  params.assign(reduce.getParams().begin(), reduce.getParams().end());
  bool near = this->plan.nearIndex;
  rowMap = near ? kNearMap : reduce.getMap().str();
  rowUpdate = near ? kNearUpdate : reduce.getUpdate().str();
  rowCombine = near ? kNearCombine : reduce.getCombine().str();
  auto f = e.symbols.lookup<func::FuncOp>(rowCombine);
  rowState.assign(f.getResultTypes().begin(), f.getResultTypes().end());
}

llvm::SmallVector<Type> KernelFrame::rowStateAndCount() {
  llvm::SmallVector<Type> types(rowState);
  if (counted)
    types.push_back(e.b.getI64Type());
  return types;
}

Values KernelFrame::fromRowState(ValueRange states, Value firstOfChunk) {
  Values wide(states);
  for (auto [m, type] : llvm::enumerate(state)) {
    if (rowState[m] == type)
      continue;
    auto vector = dyn_cast<VectorType>(wide[m].getType());
    int64_t lanes = vector ? vector.getNumElements() : 0;
    Type to = vector ? Type(VectorType::get({lanes}, type)) : type;
    wide[m] = arith::AddIOp::create(
        e.b, e.loc, arith::ExtUIOp::create(e.b, e.loc, to, wide[m]),
        e.splat(e.toI64(firstOfChunk), lanes));
  }
  return wide;
}

llvm::SmallVector<Type> KernelFrame::stateAndCount() {
  llvm::SmallVector<Type> types(state);
  if (counted)
    types.push_back(e.b.getI64Type());
  return types;
}

Value KernelFrame::appendArgument(Type type) {
  Block &block = function.getBody().front();
  llvm::SmallVector<Type> types(function.getArgumentTypes());
  types.push_back(type);
  function.setType(e.b.getFunctionType(types, {}));
  return block.addArgument(type, e.loc);
}

static MemRefType flat(Type element) {
  return MemRefType::get({ShapedType::kDynamic}, element);
}

void KernelFrame::makeFold() {
  // A fresh function: the given one has the arguments of fold.reduce only.
  e.b.setInsertionPoint(function);
  auto kernel = func::FuncOp::create(e.b, e.loc, kFoldFunction,
                                     e.b.getFunctionType({}, {}));
  kernel.addEntryBlock();
  function = kernel;
  fold::ReduceOp old = reduce;
  Type index = e.b.getIndexType();
  if (plan.load == Load::Pack) {
    source = appendArgument(LLVM::LLVMPointerType::get(e.b.getContext()));
    for (Value v : old.getInputs())
      inputs.push_back(appendArgument(
          flat(cast<MemRefType>(v.getType()).getElementType())));
  } else {
    for (Value v : old.getInputs())
      inputs.push_back(appendArgument(v.getType()));
  }
  for (Value v : old.getOutputs())
    outputs.push_back(appendArgument(v.getType()));
  for (Type t : stateAndCount())
    partials.push_back(appendArgument(flat(fold::storageType(t))));
  for (Value &p : params)
    p = appendArgument(p.getType());
  begin = appendArgument(index);
  end = appendArgument(index);
  runs = appendArgument(index);
  runChunks = appendArgument(index);
  elements = appendArgument(index);
  if (plan.tile > 0) {
    scratch = appendArgument(flat(e.b.getI8Type()));
    levels = appendArgument(index);
  }
  function->setAttr("llvm.emit_c_interface", e.b.getUnitAttr());
  e.b.setInsertionPointToStart(&function.getBody().front());
}

void KernelFrame::makeJoin() {
  e.b.setInsertionPointAfter(function);
  auto join = func::FuncOp::create(e.b, e.loc, kJoinFunction,
                                   e.b.getFunctionType({}, {}));
  join.addEntryBlock();
  function = join;
  Type index = e.b.getIndexType();
  inputs.clear();
  for (Value &v : outputs)
    v = appendArgument(v.getType());
  for (Value &v : partials)
    v = appendArgument(v.getType());
  for (Value &v : params)
    v = appendArgument(v.getType());
  begin = appendArgument(index);
  end = appendArgument(index);
  runs = appendArgument(index);
  runElements = appendArgument(index);
  elements = appendArgument(index);
  function->setAttr("llvm.emit_c_interface", e.b.getUnitAttr());
  e.b.setInsertionPointToStart(&function.getBody().front());
}

Value KernelFrame::outputCount() {
  Value n = e.index(1);
  int64_t rank = cast<MemRefType>(outputs[0].getType()).getRank();
  for (int64_t d = 0; d < rank; ++d)
    n = e.mul(n, memref::DimOp::create(e.b, e.loc, outputs[0], d));
  return n;
}

Value KernelFrame::partialIndex(Value output, Value run) {
  return e.add(e.mul(run, outputCount()), output);
}

Values KernelFrame::outputIndices(Value linear) {
  int64_t rank = cast<MemRefType>(outputs[0].getType()).getRank();
  Values indices(rank);
  for (int64_t d = rank - 1; d > 0; --d) {
    Value size = memref::DimOp::create(e.b, e.loc, outputs[0], d);
    indices[d] = e.rem(linear, size);
    linear = e.div(linear, size);
  }
  if (rank)
    indices[0] = linear;
  return indices;
}

// On the bits, since LLVM takes the payload of a computed NaN to be any and
// folds a select on it away.
Value wf::canonicalNan(Emitter &e, Value v) {
  auto f = dyn_cast<FloatType>(getElementTypeOrSelf(v.getType()));
  if (!f)
    return v;
  Type bits = e.b.getIntegerType(f.getWidth());
  if (auto vector = dyn_cast<VectorType>(v.getType()))
    bits = VectorType::get(vector.getShape(), bits);
  const llvm::fltSemantics &semantics = f.getFloatSemantics();
  auto constant = [&](const llvm::APInt &value) -> Value {
    TypedAttr attribute =
        e.b.getIntegerAttr(getElementTypeOrSelf(bits), value);
    if (auto vector = dyn_cast<VectorType>(bits))
      attribute = DenseElementsAttr::get(vector, Attribute(attribute));
    return arith::ConstantOp::create(e.b, e.loc, attribute);
  };
  Value raw = arith::BitcastOp::create(e.b, e.loc, bits, v);
  Value magnitude = arith::AndIOp::create(
      e.b, e.loc, raw,
      constant(llvm::APInt::getSignedMaxValue(f.getWidth())));
  Value isNan = arith::CmpIOp::create(
      e.b, e.loc, arith::CmpIPredicate::ugt, magnitude,
      constant(llvm::APFloat::getInf(semantics).bitcastToAPInt()));
  Value quiet = constant(llvm::APFloat::getQNaN(semantics).bitcastToAPInt());
  return arith::BitcastOp::create(
      e.b, e.loc, v.getType(),
      arith::SelectOp::create(e.b, e.loc, isNan, quiet, raw));
}

Value wf::toStorage(Emitter &e, Value v) {
  if (!getElementTypeOrSelf(v.getType()).isInteger(1))
    return v;
  Type stored = e.b.getI8Type();
  if (auto vector = dyn_cast<VectorType>(v.getType()))
    stored = VectorType::get(vector.getShape(), stored);
  return arith::ExtUIOp::create(e.b, e.loc, stored, v);
}

Values KernelFrame::finish(ValueRange states, int64_t lanes) {
  Values arguments(states.take_front(state.size()));
  arguments.push_back(e.splat(e.toI64(elements), lanes));
  for (Value p : params)
    arguments.push_back(e.splat(p, lanes));
  Values results = e.call(reduce.getFinish(), lanes, arguments);
  for (Value &r : results)
    r = toStorage(e, canonicalNan(e, r));
  return results;
}

void KernelFrame::storeOutputs(ValueRange results, ValueRange indices) {
  for (auto [memref, v] : llvm::zip(outputs, results))
    memref::StoreOp::create(e.b, e.loc, v, memref, indices);
}

void KernelFrame::storePartials(ValueRange states, Value at) {
  for (auto [memref, v] : llvm::zip(partials, states))
    memref::StoreOp::create(e.b, e.loc, toStorage(e, v), memref, at);
}

Values KernelFrame::loadPartials(Value at) {
  Values loaded;
  for (auto [memref, type] : llvm::zip(partials, stateAndCount()))
    loaded.push_back(fromStorage(
        e, memref::LoadOp::create(e.b, e.loc, memref, at), type));
  return loaded;
}

void wf::emitJoin(KernelFrame &f) {
  Emitter &e = f.e;
  auto loop = scf::ForOp::create(e.b, e.loc, f.begin, f.end, e.index(1));
  e.b.setInsertionPointToStart(loop.getBody());
  Value out = loop.getInductionVar();
  auto chunks = fold::ChunksOp::create(e.b, e.loc, f.stateAndCount(), f.runs,
                                       ValueRange(), f.params, f.reduce.getCombine(),
                                       f.counted, /*levels=*/IntegerAttr());
  Block *body = e.b.createBlock(&chunks.getBody(), {}, e.b.getIndexType(),
                                {e.loc});
  Value at = f.partialIndex(out, body->getArgument(0));
  fold::YieldOp::create(e.b, e.loc, f.loadPartials(at));
  e.b.setInsertionPointAfter(chunks);
  f.storeOutputs(f.finish(chunks.getStates(), 0), f.outputIndices(out));
  e.b.setInsertionPointToEnd(&f.function.getBody().front());
  func::ReturnOp::create(e.b, e.loc);
}
