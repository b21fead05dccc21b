//===- LaneTiers.cpp - The lane form of the tiers: verifiers --------------===//
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

static void readsInputs(MutableOperandRange inputs, Effects &effects) {
  for (OpOperand &operand : inputs)
    effects.emplace_back(MemoryEffects::Read::get(), &operand);
}

/// `values` are `each` states a member of `state`, member by member, then with
/// `counted` as many i64 counts.
static LogicalResult verifyMembers(Operation *op, TypeRange values,
                                   TypeRange state, int64_t each,
                                   int64_t counts, llvm::StringRef what) {
  size_t members = state.size();
  if (int64_t(values.size()) != int64_t(members) * each + counts)
    return op->emitOpError()
           << "has " << values.size() << " " << what << ", but " << each
           << " of " << members << " members"
           << (counts ? " and their counts" : "") << " make "
           << int64_t(members) * each + counts;
  for (auto [i, type] : llvm::enumerate(values)) {
    Type should = i < members * size_t(each)
                      ? state[i / size_t(each)]
                      : Type(IntegerType::get(op->getContext(), 64));
    if (type != should)
      return op->emitOpError() << what << " " << i << " is " << type
                               << ", but should be " << should;
  }
  return success();
}

/// The state's types, by map's results; its arguments are elements, k, params.
static FailureOr<TypeRange> mapState(Operation *op,
                                     SymbolTableCollection &symbols,
                                     FlatSymbolRefAttr map, size_t inputs,
                                     size_t params) {
  auto f = lookupFunction(op, symbols, map, "map");
  if (failed(f))
    return failure();
  if (f->getNumArguments() != inputs + 1 + params)
    return op->emitOpError()
           << "map @" << f->getName() << " takes " << f->getNumArguments()
           << " values, but " << inputs << " elements, k and " << params
           << " params make " << inputs + 1 + params;
  return TypeRange(f->getResultTypes());
}

static LogicalResult
verifyCombine(Operation *op, SymbolTableCollection &symbols,
              FlatSymbolRefAttr symbol, TypeRange from, int64_t eachFrom,
              TypeRange to, int64_t eachTo, bool counted, int64_t countsFrom,
              int64_t countsTo, TypeRange params) {
  auto combine = lookupFunction(op, symbols, symbol, "combine");
  if (failed(combine))
    return failure();
  llvm::SmallVector<Type> state(combine->getResultTypes());
  if (failed(checkCombine(op, *combine, state, params)))
    return failure();
  if (failed(verifyMembers(op, from, state, eachFrom, counted ? countsFrom : 0,
                           "operands")))
    return failure();
  return verifyMembers(op, to, state, eachTo, counted ? countsTo : 0,
                       "results");
}

/// What every op that reads arrays has: an offset and an inner stride an input,
/// and a stride for every input and reduced axis.
template <typename Op> static LogicalResult verifyArrays(Op op) {
  if (op.getInputs().empty())
    return op.emitOpError("needs at least one input");
  if (op.getOffsets().size() != op.getInputs().size() ||
      op.getInner().size() != op.getInputs().size())
    return op.emitOpError("has one offset and one inner stride an input");
  if (op.getStrides().size() != op.getInputs().size() * op.getSizes().size() ||
      op.getSizes().empty())
    return op.emitOpError("has a stride for every input and reduced axis");
  return success();
}

/// Numbers that shape the code: at least one, and a power of two where said.
static LogicalResult verifyCount(Operation *op, llvm::StringRef name,
                                 uint64_t value, uint64_t most,
                                 bool powerOfTwo = false) {
  if (value < 1 || value > most || (powerOfTwo && !llvm::isPowerOf2_64(value)))
    return op->emitOpError()
           << name << " " << int64_t(value) << " is no "
           << (powerOfTwo ? "power of two" : "number") << " from 1 to " << most;
  return success();
}

/// The function that goes on from a state: members, count, elements, k, params.
template <typename Op>
static LogicalResult verifyUpdate(Op op, SymbolTableCollection &symbols,
                                  TypeRange state) {
  auto f = lookupFunction(op, symbols, op.getUpdateAttr(), "update");
  if (failed(f))
    return failure();
  size_t takes =
      state.size() + 1 + op.getInputs().size() + 1 + op.getParams().size();
  if (f->getNumArguments() != takes || TypeRange(f->getResultTypes()) != state)
    return op.emitOpError()
           << "update @" << f->getName()
           << " does not go on from the state of map @" << op.getMap();
  return success();
}

LogicalResult LaneRowsOp::verify() {
  if (failed(verifyOrderConstants(*this, int64_t(getVector()),
                                  int64_t(getAccumulators()))) ||
      failed(verifyArrays(*this)))
    return failure();
  if (int64_t(getRows()) < 1 || int64_t(getRows()) > 32 ||
      int64_t(getFlight()) < 1)
    return emitOpError("has 1 to 32 rows, and at least one in flight");
  if (getRest() && getTail())
    return emitOpError("is short by a rest or a tail, not both");
  return success();
}

LogicalResult LaneRowsOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto state = mapState(*this, symbols, getMapAttr(), getInputs().size(),
                        getParams().size());
  if (failed(state))
    return failure();
  if (failed(verifyUpdate(*this, symbols, *state)))
    return failure();
  int64_t each = int64_t(getAccumulators());
  return verifyMembers(*this, getSlots().getTypes(), *state, each,
                       getCounted() ? each : 0, "slots");
}

void LaneRowsOp::getEffects(Effects &effects) {
  readsInputs(getInputsMutable(), effects);
}

LogicalResult LaneLiftOp::verify() {
  if (failed(verifyArrays(*this)) ||
      failed(verifyCount(*this, "vector", getVector(), 16, true)))
    return failure();
  return verifyCount(*this, "rows", getRows(), 32);
}

LogicalResult LaneLiftOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto state = mapState(*this, symbols, getMapAttr(), getInputs().size(),
                        getParams().size());
  if (failed(state))
    return failure();
  return verifyMembers(*this, getSlots().getTypes(), *state,
                       int64_t(getVector() * getRows()), 0, "slots");
}

void LaneLiftOp::getEffects(Effects &effects) {
  readsInputs(getInputsMutable(), effects);
}

/// The numbers that fold.lane_column and fold.lane_ahead share.
template <typename Op> static LogicalResult verifyColumn(Op op) {
  if (failed(verifyArrays(op)) ||
      failed(verifyCount(op, "outputs", op.getOutputs(), 32)) ||
      failed(verifyCount(op, "leaves", op.getLeaves(), 64, true)) ||
      failed(verifyCount(op, "rows", op.getRows(), 32)) ||
      failed(verifyCount(op, "elements", op.getElements(), 16)) ||
      failed(verifyCount(op, "gap", op.getGap(), 16)) ||
      failed(verifyCount(op, "step", op.getStep(), 1 << 20)))
    return failure();
  return verifyCount(op, "flight", op.getFlight(), 64);
}

/// How many values the first `flight` elements are, output by output.
template <typename Op> static size_t aheadValues(Op op) {
  uint64_t all = op.getLeaves() * op.getRows() * op.getElements();
  return size_t(std::min<uint64_t>(op.getFlight(), all) * op.getOutputs()) *
         op.getInputs().size();
}

LogicalResult LaneAheadOp::verify() {
  if (failed(verifyColumn(*this)))
    return failure();
  if (getAhead().size() != aheadValues(*this))
    return emitOpError() << "gives " << getAhead().size()
                         << " values, but reads " << aheadValues(*this);
  return success();
}

LogicalResult LaneAheadOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto map = lookupFunction(*this, symbols, getMapAttr(), "map");
  if (failed(map))
    return failure();
  if (map->getNumArguments() < getInputs().size())
    return emitOpError() << "map @" << map->getName()
                         << " does not take an element of every input";
  for (auto [i, type] : llvm::enumerate(getAhead().getTypes())) {
    size_t input = i / getOutputs() % getInputs().size();
    Type should = storageType(map->getArgumentTypes()[input]);
    if (type != should)
      return emitOpError() << "value " << i << " is " << type
                           << ", but should be " << should;
  }
  return success();
}

LogicalResult LaneColumnOp::verify() {
  if (failed(verifyColumn(*this)))
    return failure();
  if (!getAhead().empty() && getAhead().size() != aheadValues(*this))
    return emitOpError() << "was read " << getAhead().size()
                         << " values ahead, but " << aheadValues(*this)
                         << " are its first";
  if (bool(getNext()) != !getAhead().empty() ||
      getStates().size() < getAhead().size())
    return emitOpError("reads ahead from `next` what `ahead` holds");
  return success();
}

LogicalResult LaneColumnOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto state = mapState(*this, symbols, getMapAttr(), getInputs().size(),
                        getParams().size());
  if (failed(state))
    return failure();
  if (failed(verifyUpdate(*this, symbols, *state)))
    return failure();
  size_t own = getStates().size() - getAhead().size();
  return verifyMembers(*this,
                       ValueRange(getStates()).take_front(own).getTypes(),
                       *state, int64_t(getOutputs() * getLeaves()),
                       getCounted() ? int64_t(getLeaves()) : 0, "states");
}

void LaneAheadOp::getEffects(Effects &effects) {
  readsInputs(getInputsMutable(), effects);
}

void LaneColumnOp::getEffects(Effects &effects) {
  readsInputs(getInputsMutable(), effects);
}

LogicalResult LaneChainOp::verify() {
  if (failed(verifyArrays(*this)))
    return failure();
  return verifyCount(*this, "flight", getFlight(), 64);
}

LogicalResult LaneChainOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto state = mapState(*this, symbols, getMapAttr(), getInputs().size(),
                        getParams().size());
  if (failed(state) || failed(verifyUpdate(*this, symbols, *state)))
    return failure();
  return verifyMembers(*this, getStates().getTypes(), *state, 1, 0, "states");
}

void LaneChainOp::getEffects(Effects &effects) {
  readsInputs(getInputsMutable(), effects);
}

LogicalResult LaneSlotsOp::verify() {
  int64_t lanes = int64_t(getLanes()), stride = int64_t(getStride());
  if (lanes < 1 || stride < 1 || !llvm::isPowerOf2_64(uint64_t(lanes)) ||
      !llvm::isPowerOf2_64(uint64_t(stride)) || lanes * stride > 64)
    return emitOpError() << "lanes " << lanes << " at stride " << stride
                         << " are no powers of two within a wave";
  int64_t deal = int64_t(getDeal());
  if (deal < 1 || deal > lanes || !llvm::isPowerOf2_64(uint64_t(deal)))
    return emitOpError() << "deals " << deal << " outputs to " << lanes
                         << " lanes";
  if (deal > 1 && getLoose())
    return emitOpError("deals to all lanes, so none is loose");
  return success();
}

LogicalResult LaneSlotsOp::verifySymbolUses(SymbolTableCollection &symbols) {
  int64_t members = int64_t(getStates().size());
  int64_t each = members ? int64_t(getSlots().size()) / members : 0;
  if (each < 1 || !llvm::isPowerOf2_64(uint64_t(each)) ||
      each % int64_t(getDeal()))
    return emitOpError() << "has " << getSlots().size() << " slots for "
                         << members << " results";
  return verifyCombine(*this, symbols, getCombineAttr(), getSlots().getTypes(),
                       each, getStates().getTypes(), 1, getCounted(), each, 1,
                       getParams().getTypes());
}

LogicalResult BlockOp::verify() {
  return verifyCount(*this, "warps", getWarps(), 32, true);
}

LogicalResult BlockOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyCombine(*this, symbols, getCombineAttr(), getFrom().getTypes(),
                       1, getStates().getTypes(), 1, getCounted(), 1, 1,
                       getParams().getTypes());
}

/// Shared memory is the block's own, but a barrier keeps its place.
void BlockOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get());
  effects.emplace_back(MemoryEffects::Read::get());
}

LogicalResult BlockColumnsOp::verify() {
  if (failed(verifyCount(*this, "threads", getThreads(), 1024)) ||
      failed(verifyCount(*this, "columns", getColumns(), getThreads(), true)) ||
      failed(verifyCount(*this, "slots", getSlots(), 1024, true)))
    return failure();
  return verifyCount(*this, "each", getEach(), 32);
}

LogicalResult BlockColumnsOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyCombine(*this, symbols, getCombineAttr(), getFrom().getTypes(),
                       int64_t(getEach()), getStates().getTypes(), 1,
                       getCounted(), 1, 1, getParams().getTypes());
}

void BlockColumnsOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get());
  effects.emplace_back(MemoryEffects::Read::get());
}

LogicalResult GridOp::verify() {
  if (failed(verifyCount(*this, "warps", getWarps(), 32, true)) ||
      failed(
          verifyCount(*this, "columns", getColumns(), 32 * getWarps(), true)))
    return failure();
  return verifyCount(*this, "most", getMost(), 1 << 20);
}

LogicalResult GridOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (getPartials().size() != getFrom().size())
    return emitOpError("has one partials pointer a member");
  return verifyCombine(*this, symbols, getCombineAttr(), getFrom().getTypes(),
                       1, getStates().getTypes(), 1, getCounted(), 1, 1,
                       getParams().getTypes());
}

void GridOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get());
  effects.emplace_back(MemoryEffects::Read::get());
}
