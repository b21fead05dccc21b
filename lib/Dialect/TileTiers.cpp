//===- TileTiers.cpp - fold.tile_rows, tile_slots, tile_chunks ------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Dialect/Fold.h"
#include "Dialect/Signatures.h"

using namespace mlir;
using namespace wf::fold;

using Effects =
    llvm::SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

static void touch(MutableOperandRange operands, Effects &effects) {
  for (OpOperand &operand : operands) {
    effects.emplace_back(MemoryEffects::Read::get(), &operand);
    effects.emplace_back(MemoryEffects::Write::get(), &operand);
  }
}

/// A tile or counter: one memref of rank 1 a state member, in storage types.
static LogicalResult verifyMembers(Operation *op, TypeRange memrefs,
                                   llvm::ArrayRef<Type> state,
                                   llvm::StringRef what) {
  if (memrefs.size() != state.size())
    return op->emitOpError() << "has " << memrefs.size() << " " << what
                             << " memrefs for " << state.size()
                             << " state members";
  for (auto [i, type] : llvm::enumerate(memrefs)) {
    auto memref = cast<MemRefType>(type);
    if (memref.getRank() != 1 ||
        memref.getElementType() != storageType(state[i]))
      return op->emitOpError()
             << what << " memref " << i << " is " << memref
             << ", but state member " << i << " is stored as rank 1 of "
             << storageType(state[i]);
  }
  return success();
}

static LogicalResult verifyJoin(Operation *op, SymbolTableCollection &symbols,
                                FlatSymbolRefAttr symbol, TypeRange tile,
                                TypeRange counter, TypeRange params) {
  auto combine = lookupFunction(op, symbols, symbol, "combine");
  if (failed(combine))
    return failure();
  llvm::SmallVector<Type> state(combine->getResultTypes());
  if (failed(checkCombine(op, *combine, state, params)) ||
      failed(verifyMembers(op, tile, state, "tile")))
    return failure();
  return verifyMembers(op, counter, state, "counter");
}

static LogicalResult verifyCounts(Operation *op, Value counts) {
  auto type = cast<MemRefType>(counts.getType());
  if (type.getRank() != 1 || !type.getElementType().isInteger(64))
    return op->emitOpError()
           << "counts are " << type << ", but should be of rank 1 and i64";
  return success();
}

/// Inputs need dimensions for k and, innermost, the outputs.
static LogicalResult verifyTileInputs(Operation *op, ValueRange inputs,
                                      size_t indices) {
  if (inputs.empty())
    return op->emitOpError("needs at least one input");
  int64_t rank = cast<MemRefType>(inputs[0].getType()).getRank();
  for (auto [i, v] : llvm::enumerate(inputs)) {
    auto type = cast<MemRefType>(v.getType());
    if (type.getRank() < int64_t(indices) + 2 || type.getRank() != rank)
      return op->emitOpError()
             << "input " << i << " has rank " << type.getRank()
             << ", but needs dimensions for k and the outputs after "
             << indices << " indices, and input 0 has rank " << rank << ": "
             << type;
    auto [strides, offset] = type.getStridesAndOffset();
    if (strides.back() != 1 && strides.back() != 0)
      return op->emitOpError()
             << "input " << i
             << " must have stride 1 or 0 along the outputs: " << type;
  }
  return success();
}

/// A positive number of an op's attributes.
static LogicalResult verifyPositive(Operation *op, int64_t n,
                                    llvm::StringRef what) {
  if (n < 1 || n > (int64_t(1) << 30))
    return op->emitOpError() << what << " " << n << " is out of range";
  return success();
}

LogicalResult TileRowsOp::verify() {
  if (failed(verifyOrderConstants(*this, int64_t(getVector()),
                                  int64_t(getAccumulators()))) ||
      failed(verifyPositive(*this, int64_t(getSimd()), "simd")))
    return failure();
  if (int64_t(getRows()) < 0 || int64_t(getRows()) > 32)
    return emitOpError() << "rows " << int64_t(getRows())
                         << " is out of range";
  return verifyTileInputs(*this, getInputs(), getIndices().size());
}

LogicalResult TileLiftOp::verify() {
  if (failed(verifyPositive(*this, int64_t(getSimd()), "simd")))
    return failure();
  return verifyTileInputs(*this, getInputs(), getIndices().size());
}

LogicalResult TileLiftOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto state = checkElementFunctions(*this, symbols, getMapAttr(), {},
                                     getInputs().getTypes(),
                                     getParams().getTypes());
  if (failed(state))
    return failure();
  return verifyMembers(*this, getTile().getTypes(), *state, "tile");
}

void TileLiftOp::getEffects(Effects &effects) {
  for (OpOperand &operand : getInputsMutable())
    effects.emplace_back(MemoryEffects::Read::get(), &operand);
  touch(getTileMutable(), effects);
}

LogicalResult TileRowsOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto state = checkElementFunctions(*this, symbols, getMapAttr(),
                                     getUpdateAttr(), getInputs().getTypes(),
                                     getParams().getTypes());
  if (failed(state))
    return failure();
  return verifyMembers(*this, getTile().getTypes(), *state, "tile");
}

void TileRowsOp::getEffects(Effects &effects) {
  for (OpOperand &operand : getInputsMutable())
    effects.emplace_back(MemoryEffects::Read::get(), &operand);
  touch(getTileMutable(), effects);
}

LogicalResult PanelRowsOp::verify() {
  int64_t simd = int64_t(getSimd());
  if (failed(verifyOrderConstants(*this, int64_t(getVector()),
                                  int64_t(getVector()))) ||
      failed(verifyPositive(*this, simd, "simd")))
    return failure();
  if ((simd & (simd - 1)) || simd > 32 * int64_t(getVector()))
    return emitOpError() << "simd " << simd << " does not divide a row";
  int64_t rank = int64_t(getIndices().size()) + 2;
  if (getInputs().empty())
    return emitOpError("needs at least one input");
  for (auto [i, v] : llvm::enumerate(getInputs())) {
    auto type = cast<MemRefType>(v.getType());
    auto [strides, offset] = type.getStridesAndOffset();
    if (type.getRank() < rank ||
        type.getRank() != cast<MemRefType>(getInputs()[0].getType()).getRank())
      return emitOpError() << "input " << i << " has rank " << type.getRank()
                           << ", but needs dimensions for the outputs and k "
                              "after "
                           << getIndices().size() << " indices: " << type;
    if (strides.back() != 1)
      return emitOpError() << "input " << i
                           << " must have stride 1 along k: " << type;
  }
  return success();
}

LogicalResult PanelRowsOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto state = checkElementFunctions(*this, symbols, getMapAttr(),
                                     getUpdateAttr(), getInputs().getTypes(),
                                     getParams().getTypes());
  if (failed(state))
    return failure();
  return verifyMembers(*this, getPanel().getTypes(), *state, "panel");
}

void PanelRowsOp::getEffects(Effects &effects) {
  for (OpOperand &operand : getInputsMutable())
    effects.emplace_back(MemoryEffects::Read::get(), &operand);
  touch(getPanelMutable(), effects);
}

LogicalResult TileSlotsOp::verify() {
  if (failed(verifyPositive(*this, int64_t(getCapacity()), "capacity")) ||
      failed(verifyPositive(*this, int64_t(getSimd()), "simd")))
    return failure();
  return verifyCounts(*this, getCounts());
}

LogicalResult TileSlotsOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyJoin(*this, symbols, getCombineAttr(), getTile().getTypes(),
                    getCounter().getTypes(), getParams().getTypes());
}

void TileSlotsOp::getEffects(Effects &effects) {
  touch(getTileMutable(), effects);
  touch(getCounterMutable(), effects);
  touch(getCountsMutable(), effects);
}

LogicalResult TileChunksOp::verify() {
  if (failed(verifyPositive(*this, int64_t(getCapacity()), "capacity")) ||
      failed(verifyPositive(*this, int64_t(getSimd()), "simd")))
    return failure();
  return verifyCounts(*this, getCounts());
}

LogicalResult TileChunksOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyJoin(*this, symbols, getCombineAttr(), getTile().getTypes(),
                    getCounter().getTypes(), getParams().getTypes());
}

void TileChunksOp::getEffects(Effects &effects) {
  touch(getTileMutable(), effects);
  touch(getCounterMutable(), effects);
  touch(getCountsMutable(), effects);
}
