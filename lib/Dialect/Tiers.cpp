//===- Tiers.cpp - fold.rows, fold.slots, fold.chunks: verifiers ----------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Dialect/Fold.h"
#include "Dialect/Signatures.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace wf::fold;

/// Groups a flat list of vectors into members: runs of equal count whose types
/// are the state's (i1 lanes for bool), then i64 counts if counted.
static LogicalResult verifySlotLists(Operation *op, TypeRange slots,
                                     llvm::ArrayRef<Type> state, bool counted,
                                     int64_t *pieces = nullptr) {
  size_t members = state.size() + counted;
  if (members == 0 || slots.empty() || slots.size() % members)
    return op->emitOpError() << "has " << slots.size() << " slot vectors for "
                             << members << " state members";
  size_t perMember = slots.size() / members;
  int64_t width = cast<VectorType>(slots[0]).getNumElements();
  if (!llvm::isPowerOf2_64(uint64_t(width)))
    return op->emitOpError() << "slot vectors are " << width
                             << " wide, which is no power of two";
  for (auto [i, type] : llvm::enumerate(slots)) {
    auto vector = cast<VectorType>(type);
    size_t member = i / perMember;
    Type expected = member < state.size()
                        ? state[member]
                        : IntegerType::get(op->getContext(), 64);
    auto should = VectorType::get({width}, expected);
    if (vector != should)
      return op->emitOpError() << "slot vector " << i << " of member " << member
                               << " is " << vector << ", but should be "
                               << should;
  }
  if (pieces)
    *pieces = int64_t(perMember) * width;
  return success();
}

/// Inputs of one rank, the first `indices` dimensions picked, k along the rest
/// with stride 1 or 0 in the innermost.
static LogicalResult verifyInputsAlongK(Operation *op, ValueRange inputs,
                                        size_t indices, bool unitStride) {
  if (inputs.empty())
    return op->emitOpError("needs at least one input");
  int64_t rank = cast<MemRefType>(inputs[0].getType()).getRank();
  for (auto [i, v] : llvm::enumerate(inputs)) {
    auto type = cast<MemRefType>(v.getType());
    if (type.getRank() < int64_t(indices) + 1 || type.getRank() != rank)
      return op->emitOpError()
             << "input " << i << " has rank " << type.getRank()
             << ", but there are " << indices
             << " indices before k, and input 0 has rank " << rank << ": "
             << type;
    auto [strides, offset] = type.getStridesAndOffset();
    if (unitStride && strides.back() != 1 && strides.back() != 0)
      return op->emitOpError() << "input " << i
                               << " must have stride 1 or 0 along k: " << type;
  }
  return success();
}

LogicalResult wf::fold::verifyOrderConstants(Operation *op, int64_t vector,
                                             int64_t accumulators) {
  if (vector < 1 || vector > 16 || !llvm::isPowerOf2_64(uint64_t(vector)) ||
      accumulators < 1 || accumulators > vector ||
      !llvm::isPowerOf2_64(uint64_t(accumulators)))
    return op->emitOpError()
           << "vector " << vector << " and accumulators " << accumulators
           << " must be powers of two up to 16, the second not larger";
  return success();
}

LogicalResult RowsOp::verify() {
  if (failed(verifyInputsAlongK(*this, getInputs(), getIndices().size(), true)))
    return failure();
  if (failed(verifyOrderConstants(*this, int64_t(getVector()),
                                  int64_t(getAccumulators()))))
    return failure();
  if (int64_t(getRows()) < 1 || int64_t(getRows()) > 32)
    return emitOpError() << "rows " << int64_t(getRows())
                         << " is out of range";
  if (getSlots().empty())
    return emitOpError("gives no slots");
  return success();
}

LogicalResult RowsOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto state = checkElementFunctions(*this, symbols, getMapAttr(),
                                     getUpdateAttr(), getInputs().getTypes(),
                                     getParams().getTypes());
  if (failed(state))
    return failure();
  int64_t slots = 0;
  if (failed(verifySlotLists(*this, getSlots().getTypes(), *state, getCounted(),
                             &slots)))
    return failure();
  int64_t all = 32 * int64_t(getAccumulators());
  if (getPartialRow() ? slots > all : slots != all)
    return emitOpError() << "gives " << slots << " slots a member, but 32 x "
                         << getAccumulators() << " accumulators make " << all;
  return success();
}

void RowsOp::getEffects(
    llvm::SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : getInputsMutable())
    effects.emplace_back(MemoryEffects::Read::get(), &operand);
}

LogicalResult LiftOp::verify() {
  return verifyInputsAlongK(*this, getInputs(), getIndices().size(), true);
}

LogicalResult LiftOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto state = checkElementFunctions(*this, symbols, getMapAttr(), {},
                                     getInputs().getTypes(),
                                     getParams().getTypes());
  if (failed(state))
    return failure();
  return verifySlotLists(*this, getSlots().getTypes(), *state, false);
}

void LiftOp::getEffects(
    llvm::SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : getInputsMutable())
    effects.emplace_back(MemoryEffects::Read::get(), &operand);
}

LogicalResult ChainOp::verify() {
  if (failed(
          verifyInputsAlongK(*this, getInputs(), getIndices().size(), false)))
    return failure();
  if (!getFrom().empty() && getFrom().getTypes() != getStates().getTypes())
    return emitOpError() << "goes on from (" << getFrom().getTypes()
                         << "), but gives (" << getStates().getTypes() << ")";
  return success();
}

LogicalResult ChainOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto state = checkElementFunctions(*this, symbols, getMapAttr(),
                                     getUpdateAttr(), getInputs().getTypes(),
                                     getParams().getTypes());
  if (failed(state))
    return failure();
  if (getStates().getTypes() != TypeRange(llvm::ArrayRef<Type>(*state)))
    return emitOpError() << "results are (" << getStates().getTypes()
                         << "), but the state is (" << *state << ")";
  return success();
}

void ChainOp::getEffects(
    llvm::SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : getInputsMutable())
    effects.emplace_back(MemoryEffects::Read::get(), &operand);
}

LogicalResult SlotsOp::verify() {
  if (getSlots().empty())
    return emitOpError("needs slots");
  if (getGroups() < 1 || !llvm::isPowerOf2_64(getGroups()))
    return emitOpError() << "groups " << getGroups()
                         << " is not a power of two";
  if (bool(getSpan()) != bool(getPresent()))
    return emitOpError("has present and span together, or neither");
  if (getSpan() && !llvm::isPowerOf2_64(*getSpan()))
    return emitOpError() << "present of " << int64_t(*getSpan())
                         << ", which is no power of two";
  return success();
}

/// One group: scalars. Several: vectors that hold `groups` lanes a member, as
/// wide as the slots where that many groups are left.
static LogicalResult verifyStates(SlotsOp op, llvm::ArrayRef<Type> state,
                                  int64_t groups) {
  TypeRange results = op.getStates().getTypes();
  if (groups == 1) {
    if (results != TypeRange(state))
      return op.emitOpError() << "gives (" << results
                              << "), but the state is (" << TypeRange(state)
                              << ")";
    return success();
  }
  auto slots = cast<VectorType>(op.getSlots()[0].getType());
  int64_t lanes = std::min(groups, slots.getNumElements());
  size_t each = size_t(groups / lanes);
  if (results.size() != each * state.size())
    return op.emitOpError() << "gives " << results.size() << " vectors for "
                            << state.size() << " state members, but " << groups
                            << " groups take " << each << " a member";
  for (auto [i, type] : llvm::enumerate(results)) {
    auto should = VectorType::get({lanes}, state[i / each]);
    if (type != should)
      return op.emitOpError() << "result " << i << " is " << type
                              << ", but should be " << should;
  }
  return success();
}

LogicalResult SlotsOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto combine = lookupFunction(*this, symbols, getCombineAttr(), "combine");
  if (failed(combine))
    return failure();
  llvm::SmallVector<Type> state(combine->getResultTypes());
  if (failed(checkCombine(*this, *combine, state, getParams().getTypes())))
    return failure();
  int64_t slots = 0;
  if (failed(verifySlotLists(*this, getSlots().getTypes(), state, getCounted(),
                             &slots)))
    return failure();
  if (!llvm::isPowerOf2_64(slots) || slots < int64_t(getGroups()))
    return emitOpError() << slots << " slots cannot be joined into "
                         << getGroups() << " groups";
  if (getCounted())
    state.push_back(IntegerType::get(getContext(), 64));
  return verifyStates(*this, state, int64_t(getGroups()));
}

LogicalResult ChunksOp::verify() {
  if (!(*this)->getParentOfType<func::FuncOp>())
    return emitOpError("must be in a function, which holds its counter");
  if (!isa<YieldOp>(getBody().front().getTerminator()))
    return emitOpError("its region ends with fold.yield");
  return success();
}

LogicalResult ChunksOp::verifyRegions() {
  Block &block = getBody().front();
  if (block.getNumArguments() != 1 + getCarried().size() ||
      !block.getArgument(0).getType().isIndex())
    return emitOpError("its region takes the chunk's number, an index, and "
                       "what is carried");
  llvm::SmallVector<Type> yields(getStates().getTypes());
  llvm::append_range(yields, getCarried().getTypes());
  auto yield = cast<YieldOp>(block.getTerminator());
  if (yield.getStates().getTypes() != TypeRange(yields))
    return emitOpError() << "yields (" << yield.getStates().getTypes()
                         << "), but its results are (" << TypeRange(yields)
                         << ")";
  for (auto [argument, value] :
       llvm::zip(block.getArguments().drop_front(), getCarried()))
    if (argument.getType() != value.getType())
      return emitOpError() << "carries " << value.getType()
                           << " into a region that takes "
                           << argument.getType();
  if (getLevels() && (int64_t(*getLevels()) < 1 || int64_t(*getLevels()) > 40))
    return emitOpError() << "levels " << int64_t(*getLevels())
                         << " is no number from 1 to 40";
  if (!getCarried().empty() && !getLevels())
    return emitOpError("carries values only with its counter in values");
  return success();
}

LogicalResult ChunksOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto combine = lookupFunction(*this, symbols, getCombineAttr(), "combine");
  if (failed(combine))
    return failure();
  llvm::SmallVector<Type> state(combine->getResultTypes());
  if (failed(checkCombine(*this, *combine, state, getParams().getTypes())))
    return failure();
  if (getCounted())
    state.push_back(IntegerType::get(getContext(), 64));
  if (getStates().getTypes() != TypeRange(llvm::ArrayRef<Type>(state)))
    return emitOpError() << "results are (" << getStates().getTypes()
                         << "), but the state is (" << state << ")";
  return success();
}

void PackOp::getEffects(
    llvm::SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(MemoryEffects::Write::get());
  effects.emplace_back(MemoryEffects::Read::get());
}
