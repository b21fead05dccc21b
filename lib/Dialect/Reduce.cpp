//===- Reduce.cpp - fold.reduce: verifier and canonicalisation ------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Dialect/Fold.h"
#include "Dialect/Signatures.h"

using namespace mlir;
using namespace wf::fold;

static MemRefType memrefOf(Value v) { return cast<MemRefType>(v.getType()); }

static bool sameLength(int64_t a, int64_t b) {
  return ShapedType::isDynamic(a) || ShapedType::isDynamic(b) || a == b;
}

/// (C1) one shape for all inputs.
static LogicalResult verifyInputs(ReduceOp op) {
  if (op.getInputs().empty())
    return op.emitOpError("(C1) needs at least one input");
  MemRefType first = memrefOf(op.getInputs()[0]);
  for (auto [i, v] : llvm::enumerate(op.getInputs())) {
    MemRefType type = memrefOf(v);
    if (type.getRank() != first.getRank())
      return op.emitOpError() << "(C1) input " << i << " has rank "
                              << type.getRank() << ", but input 0 has rank "
                              << first.getRank() << ": " << type;
    for (int64_t d = 0; d < type.getRank(); ++d)
      if (!sameLength(type.getDimSize(d), first.getDimSize(d)))
        return op.emitOpError()
               << "(C1) input " << i << " has length " << type.getDimSize(d)
               << " along axis " << d << ", but input 0 has "
               << first.getDimSize(d);
  }
  return success();
}

/// (C2) axes distinct and in range.
static LogicalResult verifyAxes(ReduceOp op, llvm::SmallVector<bool> &reduced) {
  int64_t rank = memrefOf(op.getInputs()[0]).getRank();
  reduced.assign(rank, false);
  for (int64_t axis : op.getAxes()) {
    int64_t a = axis < 0 ? axis + rank : axis;
    if (a < 0 || a >= rank)
      return op.emitOpError()
             << "(C2) axis " << axis << " is out of range for rank " << rank;
    if (reduced[a])
      return op.emitOpError() << "(C2) axis " << axis << " is named twice";
    reduced[a] = true;
  }
  return success();
}

/// (C3) the outputs' shape.
static LogicalResult verifyOutputs(ReduceOp op,
                                   llvm::ArrayRef<bool> reduced) {
  if (op.getOutputs().empty())
    return op.emitOpError("(C3) needs at least one output");
  llvm::SmallVector<int64_t> expected;
  MemRefType in = memrefOf(op.getInputs()[0]);
  for (int64_t d = 0; d < in.getRank(); ++d) {
    if (!reduced[d])
      expected.push_back(in.getDimSize(d));
    else if (op.getKeepDims())
      expected.push_back(1);
  }
  for (auto [i, v] : llvm::enumerate(op.getOutputs())) {
    MemRefType type = memrefOf(v);
    if (type.getRank() != int64_t(expected.size()))
      return op.emitOpError()
             << "(C3) output " << i << " has rank " << type.getRank()
             << ", but the inputs and axes give rank " << expected.size()
             << ": " << type;
    for (auto [d, n] : llvm::enumerate(expected))
      if (!sameLength(type.getDimSize(d), n))
        return op.emitOpError()
               << "(C3) output " << i << " has length " << type.getDimSize(d)
               << " along axis " << d << ", but the inputs give " << n;
  }
  return success();
}

LogicalResult ReduceOp::verify() {
  llvm::SmallVector<bool> reduced;
  if (failed(verifyInputs(*this)) || failed(verifyAxes(*this, reduced)))
    return failure();
  return verifyOutputs(*this, reduced);
}

/// (C4) the functions.
LogicalResult ReduceOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto map = lookupFunction(*this, symbols, getMapAttr(), "(C4) map");
  auto combine =
      lookupFunction(*this, symbols, getCombineAttr(), "(C4) combine");
  auto update = lookupFunction(*this, symbols, getUpdateAttr(), "(C4) update");
  auto finish = lookupFunction(*this, symbols, getFinishAttr(), "(C4) finish");
  if (failed(map) || failed(combine) || failed(update) || failed(finish))
    return failure();
  TypeRange params = getParams().getTypes();
  auto state = checkMap(*this, *map, getInputs().getTypes(), params);
  // An i32 position counts within a chunk, and a reduce knows no chunks.
  size_t position = getInputs().size();
  if (succeeded(state) && !map->getArgumentTypes()[position].isInteger(64))
    return emitOpError() << "@" << map->getName() << " argument " << position
                         << " is " << map->getArgumentTypes()[position]
                         << ", but the position 0 is "
                         << IntegerType::get(getContext(), 64);
  if (failed(state) || failed(checkCombine(*this, *combine, *state, params)) ||
      failed(checkUpdate(*this, *update, *state, getInputs().getTypes(),
                         params)) ||
      failed(checkFinish(*this, *finish, *state, params)))
    return failure();
  TypeRange results = finish->getResultTypes();
  if (results.size() != getOutputs().size())
    return emitOpError() << "(C4) @" << finish->getName() << " gives "
                         << results.size() << " results, but there are "
                         << getOutputs().size() << " outputs";
  for (auto [i, type] : llvm::enumerate(results))
    if (storageType(type) != memrefOf(getOutputs()[i]).getElementType())
      return emitOpError() << "(C4) @" << finish->getName() << " result " << i
                           << " is " << type << ", but output " << i << " is "
                           << memrefOf(getOutputs()[i]);
  return success();
}

void ReduceOp::getEffects(
    llvm::SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : getInputsMutable())
    effects.emplace_back(MemoryEffects::Read::get(), &operand);
  for (OpOperand &operand : getOutputsMutable())
    effects.emplace_back(MemoryEffects::Write::get(), &operand);
}

namespace {
/// Negative axes count from the end and their order means nothing, so both are
/// put in one form: non-negative, increasing.
struct NormaliseAxes : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReduceOp op,
                                PatternRewriter &rewriter) const override {
    int64_t rank = memrefOf(op.getInputs()[0]).getRank();
    llvm::SmallVector<int64_t> axes(op.getAxes());
    for (int64_t &axis : axes)
      axis = axis < 0 ? axis + rank : axis;
    llvm::sort(axes);
    if (llvm::ArrayRef<int64_t>(axes) == op.getAxes())
      return failure();
    rewriter.modifyOpInPlace(op, [&] { op.setAxes(axes); });
    return success();
  }
};
} // namespace

void ReduceOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<NormaliseAxes>(context);
}
