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
  for (auto [i, type] : llvm::enumerate(slots)) {
    auto vector = cast<VectorType>(type);
    size_t member = i / perMember;
    Type expected = member < state.size()
                        ? state[member]
                        : IntegerType::get(op->getContext(), 64);
    if (vector.getRank() != 1 || vector.getNumElements() != width ||
        vector.getElementType() != expected)
      return op->emitOpError()
             << "slot vector " << i << " of member " << member << " is "
             << vector << ", but should be vector<" << width << "x" << expected
             << ">";
  }
  if (pieces)
    *pieces = int64_t(perMember) * width;
  return success();
}

LogicalResult RowsOp::verify() {
  if (getInputs().empty())
    return emitOpError("needs at least one input");
  for (auto [i, v] : llvm::enumerate(getInputs())) {
    auto type = cast<MemRefType>(v.getType());
    if (type.getRank() < int64_t(getIndices().size()) + 1)
      return emitOpError() << "input " << i << " has rank " << type.getRank()
                           << ", but there are " << getIndices().size()
                           << " indices before k: " << type;
    auto [strides, offset] = type.getStridesAndOffset();
    if (strides.back() != 1 && strides.back() != 0)
      return emitOpError() << "input " << i
                           << " must have stride 1 or 0 along k: " << type;
  }
  if (!llvm::isPowerOf2_64(getVector()) ||
      !llvm::isPowerOf2_64(getAccumulators()) ||
      getAccumulators() > getVector())
    return emitOpError() << "vector " << getVector() << " and accumulators "
                         << getAccumulators()
                         << " must be powers of two, the second not larger";
  if (getSlots().empty())
    return emitOpError("gives no slots");
  return success();
}

LogicalResult RowsOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto map = lookupFunction(*this, symbols, getMapAttr(), "map");
  auto update = lookupFunction(*this, symbols, getUpdateAttr(), "update");
  if (failed(map) || failed(update))
    return failure();
  TypeRange params = getParams().getTypes();
  auto state = checkMap(*this, *map, getInputs().getTypes(), params);
  if (failed(state) ||
      failed(checkUpdate(*this, *update, *state, getInputs().getTypes(),
                         params)))
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
  for (auto [i, v] : llvm::enumerate(getInputs())) {
    auto type = cast<MemRefType>(v.getType());
    if (type.getRank() < int64_t(getIndices().size()) + 1)
      return emitOpError() << "input " << i << " has rank " << type.getRank()
                           << ", but there are " << getIndices().size()
                           << " indices before k: " << type;
  }
  return success();
}

LogicalResult LiftOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto map = lookupFunction(*this, symbols, getMapAttr(), "map");
  if (failed(map))
    return failure();
  auto state = checkMap(*this, *map, getInputs().getTypes(),
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
  for (auto [i, v] : llvm::enumerate(getInputs())) {
    auto type = cast<MemRefType>(v.getType());
    if (type.getRank() != int64_t(getIndices().size()) + 1)
      return emitOpError() << "input " << i << " has rank " << type.getRank()
                           << ", but there are " << getIndices().size()
                           << " indices before k: " << type;
  }
  if (!getFrom().empty() && getFrom().getTypes() != getStates().getTypes())
    return emitOpError() << "goes on from (" << getFrom().getTypes()
                         << "), but gives (" << getStates().getTypes() << ")";
  return success();
}

LogicalResult ChainOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto map = lookupFunction(*this, symbols, getMapAttr(), "map");
  auto update = lookupFunction(*this, symbols, getUpdateAttr(), "update");
  if (failed(map) || failed(update))
    return failure();
  TypeRange params = getParams().getTypes();
  auto state = checkMap(*this, *map, getInputs().getTypes(), params);
  if (failed(state) ||
      failed(checkUpdate(*this, *update, *state, getInputs().getTypes(),
                         params)))
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
  return success();
}

LogicalResult ChunksOp::verify() {
  size_t yields = cast<YieldOp>(getBody().front().getTerminator())
                      .getStates()
                      .size();
  if (yields != getStates().size())
    return emitOpError() << "yields " << yields << " values, but has "
                         << getStates().size() << " results";
  return success();
}

LogicalResult ChunksOp::verifyRegions() {
  Block &block = getBody().front();
  if (block.getNumArguments() != 1 || !block.getArgument(0).getType().isIndex())
    return emitOpError("its region takes the chunk's number, an index");
  auto yield = dyn_cast<YieldOp>(block.getTerminator());
  if (!yield)
    return emitOpError("its region ends with fold.yield");
  if (yield.getStates().getTypes() != getStates().getTypes())
    return emitOpError() << "yields (" << yield.getStates().getTypes()
                         << "), but its results are ("
                         << getStates().getTypes() << ")";
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
