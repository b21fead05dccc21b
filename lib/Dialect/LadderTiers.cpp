//===- LadderTiers.cpp - The ladder's tiers: verifiers --------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Dialect/Fold.h"
#include "Dialect/Signatures.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace wf::fold;

using Effects =
    llvm::SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

static void readsAndWrites(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

/// `combine` joins states of exactly these types, and `result` is one.
static LogicalResult verifyJoin(Operation *op, SymbolTableCollection &symbols,
                                FlatSymbolRefAttr combine, TypeRange from,
                                TypeRange result, TypeRange params) {
  auto f = lookupFunction(op, symbols, combine, "combine");
  if (failed(f))
    return failure();
  llvm::SmallVector<Type> state(f->getResultTypes());
  if (failed(checkCombine(op, *f, state, params)))
    return failure();
  if (from != TypeRange(state) || result != TypeRange(state))
    return op->emitOpError() << "takes " << from.size() << " and gives "
                             << result.size() << " values, which are not the "
                             << state.size() << " members of @" << f->getName();
  return success();
}

LogicalResult LaneStrideOp::verify() {
  if (getOffsets().size() != getInputs().size() ||
      getInner().size() != getInputs().size())
    return emitOpError("has one offset and one inner stride an input");
  if (getStrides().size() != getInputs().size() * getSizes().size() ||
      getSizes().empty())
    return emitOpError("has a stride for every input and reduced axis");
  int64_t vector = int64_t(getVector()), flight = int64_t(getFlight());
  if (!llvm::isPowerOf2_64(uint64_t(vector)) || vector > 16 || flight < 1 ||
      flight > 64)
    return emitOpError() << "reads " << vector << " elements at a time, "
                         << flight << " loads ahead; 1 to 16 (a power of two) "
                         << "and 1 to 64 can be";
  return success();
}

LogicalResult
LaneStrideOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto map = lookupFunction(*this, symbols, getMapAttr(), "map");
  if (failed(map))
    return failure();
  size_t takes = getInputs().size() + 1 + getParams().size();
  if (map->getNumArguments() != takes)
    return emitOpError() << "map @" << map->getName() << " takes "
                         << map->getNumArguments() << " values, not " << takes;
  auto update = lookupFunction(*this, symbols, getUpdateAttr(), "update");
  if (failed(update))
    return failure();
  if (getStates().getTypes() != TypeRange(map->getResultTypes()) ||
      update->getResultTypes() != map->getResultTypes())
    return emitOpError() << "gives other members than map @" << map->getName()
                         << " and update @" << update->getName() << " do";
  return success();
}

void LaneStrideOp::getEffects(Effects &effects) {
  for (OpOperand &operand : getInputsMutable())
    effects.emplace_back(MemoryEffects::Read::get(), &operand);
}

LogicalResult
LanePartialsOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (getPartials().size() != getStates().size())
    return emitOpError("has one partials pointer a member");
  return verifyJoin(*this, symbols, getCombineAttr(), getStates().getTypes(),
                    getStates().getTypes(), getParams().getTypes());
}

void LanePartialsOp::getEffects(Effects &effects) {
  for (OpOperand &operand : getPartialsMutable())
    effects.emplace_back(MemoryEffects::Read::get(), &operand);
}

LogicalResult BlockExchangeOp::verify() {
  int64_t warps = int64_t(getWarps());
  if (warps < 1 || warps > 32)
    return emitOpError() << "joins " << warps << " warps; 1 to 32 can be";
  bool rounds = getTree() == ExchangeKind::Halving ||
                getTree() == ExchangeKind::Pairs;
  if (rounds && !llvm::isPowerOf2_64(uint64_t(warps)))
    return emitOpError() << "has tree " << stringifyExchangeKind(getTree())
                         << ", which wants a power of two of warps, not "
                         << warps;
  return success();
}

LogicalResult
BlockExchangeOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyJoin(*this, symbols, getCombineAttr(), getFrom().getTypes(),
                    getStates().getTypes(), getParams().getTypes());
}

void BlockExchangeOp::getEffects(Effects &effects) { readsAndWrites(effects); }

LogicalResult GridAtomicOp::verify() {
  Type type = getFrom().getType();
  if (!type.isIntOrFloat() || (type.getIntOrFloatBitWidth() != 32 &&
                               type.getIntOrFloatBitWidth() != 64))
    return emitOpError() << "joins a " << type
                         << "; an atomic takes 4 or 8 bytes";
  return success();
}

LogicalResult
GridAtomicOp::verifySymbolUses(SymbolTableCollection &symbols) {
  Type type = getFrom().getType();
  return verifyJoin(*this, symbols, getCombineAttr(), type, type,
                    getParams().getTypes());
}

void GridAtomicOp::getEffects(Effects &effects) { readsAndWrites(effects); }

void LastBlockOp::getEffects(Effects &effects) { readsAndWrites(effects); }
