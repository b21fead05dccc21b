//===- LowerAtomic.cpp - fold.grid_atomic to atomics ----------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Relaxed, device-wide: only the one word is shared, and it is read when the
// kernel is over.
//===----------------------------------------------------------------------===//
#include "Lowering/LowerLadder.h"

#include "Lowering/KernelFrame.h"
#include "Lowering/LaneArrays.h"
#include "Lowering/LaneExchange.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace wf;

using Values = llvm::SmallVector<Value>;
using LLVM::AtomicBinOp;
using LLVM::AtomicOrdering;

/// The machine's atomic for a combine that is nothing but one operation on both
/// states, if it has one.
static std::optional<AtomicBinOp> machineAtomic(func::FuncOp combine) {
  Block &body = combine.getBody().front();
  auto ret = cast<func::ReturnOp>(body.getTerminator());
  Operation *op = ret.getOperand(0).getDefiningOp();
  if (!op || op->getNumOperands() != 2)
    return std::nullopt;
  auto isState = [&](unsigned operand, unsigned state) {
    return op->getOperand(operand) == combine.getArgument(state);
  };
  if (!(isState(0, 0) && isState(1, 1)) && !(isState(0, 1) && isState(1, 0)))
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, std::optional<AtomicBinOp>>(op)
      .Case([](arith::AddIOp) { return AtomicBinOp::add; })
      .Case([](arith::AndIOp) { return AtomicBinOp::_and; })
      .Case([](arith::OrIOp) { return AtomicBinOp::_or; })
      .Case([](arith::XOrIOp) { return AtomicBinOp::_xor; })
      .Case([](arith::MaxSIOp) { return AtomicBinOp::max; })
      .Case([](arith::MinSIOp) { return AtomicBinOp::min; })
      .Case([](arith::MaxUIOp) { return AtomicBinOp::umax; })
      .Case([](arith::MinUIOp) { return AtomicBinOp::umin; })
      .Case([](arith::AddFOp) { return AtomicBinOp::fadd; })
      .Default([](Operation *) { return std::nullopt; });
}

namespace {
struct Swap {
  Emitter &e;
  fold::GridAtomicOp op;
  const TargetInfo &target;
  Value pointer;
  Type type = op.getFrom().getType();
  Type bits = e.b.getIntegerType(type.getIntOrFloatBitWidth());

  Value cast(Type to, Value v) {
    return v.getType() == to ? v
                             : Value(arith::BitcastOp::create(e.b, e.loc, to,
                                                              v));
  }
  Value yes() {
    return arith::ConstantOp::create(e.b, e.loc, e.b.getBoolAttr(true));
  }
  Value joined(Value seen);
  void lower();
};
} // namespace

/// What has to be in memory if `seen` was there before, as bits.
Value Swap::joined(Value seen) {
  Values state =
      joinStates(e, op.getCombine(), /*counted=*/false, cast(type, seen),
                 op.getFrom(), op.getParams());
  // Nobody finishes this state, so its NaNs are made the one here.
  return cast(bits, canonicalNan(e, state[0]));
}

void Swap::lower() {
  unsigned bytes = bits.getIntOrFloatBitWidth() / 8;
  Value first = LLVM::LoadOp::create(
      e.b, e.loc, bits, pointer, bytes, /*isVolatile=*/false,
      /*isNonTemporal=*/false, /*isInvariant=*/false,
      /*isInvariantGroup=*/false, AtomicOrdering::monotonic,
      target.deviceScope());
  scf::WhileOp::create(
      e.b, e.loc, bits, first,
      [&](OpBuilder &, Location, ValueRange args) {
        Value seen = args[0], wanted = joined(seen);
        // Bits that would not change need not be written.
        auto tried = scf::IfOp::create(
            e.b, e.loc, e.equal(wanted, seen),
            [&](OpBuilder &, Location) {
              scf::YieldOp::create(e.b, e.loc, ValueRange{seen, yes()});
            },
            [&](OpBuilder &, Location) {
              auto swap = LLVM::AtomicCmpXchgOp::create(
                  e.b, e.loc, pointer, seen, wanted,
                  AtomicOrdering::monotonic, AtomicOrdering::monotonic,
                  target.deviceScope(), bytes);
              Value there = LLVM::ExtractValueOp::create(
                  e.b, e.loc, swap, llvm::ArrayRef<int64_t>{0});
              Value done = LLVM::ExtractValueOp::create(
                  e.b, e.loc, swap, llvm::ArrayRef<int64_t>{1});
              scf::YieldOp::create(e.b, e.loc, ValueRange{there, done});
            });
        Value again = arith::XOrIOp::create(e.b, e.loc, tried.getResult(1),
                                            yes());
        scf::ConditionOp::create(e.b, e.loc, again, tried.getResult(0));
      },
      [&](OpBuilder &, Location, ValueRange args) {
        scf::YieldOp::create(e.b, e.loc, args);
      });
}

void wf::lowerAtomic(Emitter &e, fold::GridAtomicOp op,
                     const TargetInfo &target) {
  Type type = op.getFrom().getType();
  Value pointer = advance(e, op.getMemory(), type, op.getAt());
  auto combine = e.symbols.lookup<func::FuncOp>(op.getCombine());
  if (auto machine = machineAtomic(combine))
    LLVM::AtomicRMWOp::create(e.b, e.loc, *machine, pointer, op.getFrom(),
                              AtomicOrdering::monotonic, target.deviceScope(),
                              type.getIntOrFloatBitWidth() / 8);
  else
    Swap{e, op, target, pointer}.lower();
  op.erase();
}
