//===- LaneExchange.cpp - Values between lanes and through memory ---------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Lowering/LaneExchange.h"

#include "Dialect/Signatures.h"
#include "Lowering/KernelFrame.h"
#include "Lowering/LaneArrays.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mlir;
using namespace wf;

using Values = llvm::SmallVector<Value>;

const TargetInfo &wf::targetOf(ModuleOp module) {
  auto name = module->getAttrOfType<StringAttr>(kTargetAttribute);
  const TargetInfo *target = targetNamed(name ? name.getValue() : "null");
  if (!target)
    llvm::report_fatal_error("no lowering for the module's target");
  return *target;
}

/// `value` of any scalar type through `move`, which moves one 32-bit word.
static Value throughWords(Emitter &e, Value value,
                          llvm::function_ref<Value(Value)> move) {
  Type type = value.getType();
  unsigned bits = type.getIntOrFloatBitWidth();
  Type word = e.b.getI32Type(), raw = e.b.getIntegerType(bits);
  Value v = value;
  if (type != raw)
    v = arith::BitcastOp::create(e.b, e.loc, raw, v);
  if (bits == 64) {
    Value low = arith::TruncIOp::create(e.b, e.loc, word, v);
    Value high = arith::TruncIOp::create(
        e.b, e.loc, word, arith::ShRUIOp::create(e.b, e.loc, v, e.i64(32)));
    low = move(low);
    high = move(high);
    Value top = arith::ShLIOp::create(
        e.b, e.loc, arith::ExtUIOp::create(e.b, e.loc, raw, high), e.i64(32));
    v = arith::OrIOp::create(
        e.b, e.loc, top, arith::ExtUIOp::create(e.b, e.loc, raw, low));
  } else if (bits == 32) {
    v = move(v);
  } else {
    v = move(arith::ExtUIOp::create(e.b, e.loc, word, v));
    v = arith::TruncIOp::create(e.b, e.loc, raw, v);
  }
  return type == raw ? v : Value(arith::BitcastOp::create(e.b, e.loc, type, v));
}

Value wf::exchange(Emitter &e, const TargetInfo &target, Value value,
                   int32_t mask) {
  return throughWords(e, value, [&](Value word) {
    return target.exchange(e, word, mask);
  });
}

Value wf::exchangeDown(Emitter &e, const TargetInfo &target, Value value,
                       int32_t delta) {
  return throughWords(e, value, [&](Value word) {
    return target.exchangeDown(e, word, delta);
  });
}

/// An array of `count` elements in shared memory, called <name>_<n>.
static LLVM::GlobalOp sharedArray(Emitter &e, ModuleOp module, unsigned space,
                                  Type element, int64_t count,
                                  llvm::StringRef name, bool reuse) {
  for (int n = 0;; ++n) {
    std::string symbol = (name + "_" + llvm::Twine(n)).str();
    auto existing = module.lookupSymbol<LLVM::GlobalOp>(symbol);
    if (!existing) {
      OpBuilder::InsertionGuard guard(e.b);
      e.b.setInsertionPointToStart(module.getBody());
      return LLVM::GlobalOp::create(
          e.b, e.loc, LLVM::LLVMArrayType::get(element, uint64_t(count)),
          /*isConstant=*/false, LLVM::Linkage::Internal, symbol, Attribute(),
          /*alignment=*/16, space);
    }
    auto type = cast<LLVM::LLVMArrayType>(existing.getGlobalType());
    if (reuse && type.getElementType() == element &&
        int64_t(type.getNumElements()) >= count)
      return existing;
  }
}

Values wf::sharedArrays(Emitter &e, const TargetInfo &target, TypeRange types,
                        int64_t count, llvm::StringRef name, bool reuse) {
  auto module = e.b.getInsertionBlock()
                    ->getParentOp()
                    ->getParentOfType<ModuleOp>();
  Values arrays;
  auto pointer =
      LLVM::LLVMPointerType::get(e.b.getContext(), target.sharedSpace());
  for (auto [m, type] : llvm::enumerate(types)) {
    LLVM::GlobalOp global = sharedArray(
        e, module, target.sharedSpace(), fold::storageType(type), count,
        (name + "_" + llvm::Twine(m)).str(), reuse);
    arrays.push_back(
        LLVM::AddressOfOp::create(e.b, e.loc, pointer, global.getSymName()));
  }
  return arrays;
}

Values wf::arraysFrom(Emitter &e, ValueRange arrays, Value at,
                      TypeRange types) {
  Values from;
  for (auto [array, type] : llvm::zip(arrays, types))
    from.push_back(advance(e, array, fold::storageType(type), at));
  return from;
}

unsigned wf::storedBytes(Type stored) {
  return stored.getIntOrFloatBitWidth() / 8;
}

void wf::storeState(Emitter &e, ValueRange arrays, Value at,
                    ValueRange state) {
  for (auto [array, v] : llvm::zip(arrays, state)) {
    Value stored = toStorage(e, v);
    LLVM::StoreOp::create(e.b, e.loc, stored,
                          advance(e, array, stored.getType(), at),
                          storedBytes(stored.getType()));
  }
}

Values wf::loadState(Emitter &e, ValueRange arrays, Value at,
                     TypeRange types) {
  Values state;
  for (auto [array, type] : llvm::zip(arrays, types)) {
    Type stored = fold::storageType(type);
    Value v =
        LLVM::LoadOp::create(e.b, e.loc, stored, advance(e, array, stored, at),
                             storedBytes(stored));
    state.push_back(fromStorage(e, v, type));
  }
  return state;
}

Values wf::joinStates(Emitter &e, llvm::StringRef combine, bool counted,
                      ValueRange left, ValueRange right, ValueRange params) {
  if (!counted)
    return e.combine(combine, 0, left, right, {}, {}, params);
  Values state = e.combine(combine, 0, left.drop_back(), right.drop_back(),
                           left.back(), right.back(), params);
  state.push_back(e.add(left.back(), right.back()));
  return state;
}

Values wf::joinTree(Emitter &e, llvm::StringRef combine, bool counted,
                    std::vector<Values> states, Value present, Value firstSlot,
                    int64_t span, ValueRange params) {
  int64_t n = int64_t(states.size());
  for (int64_t m = 1; m < n; m *= 2)
    for (int64_t i = 0; i + m < n; i += 2 * m) {
      Values joined = joinStates(e, combine, counted, states[size_t(i)],
                                 states[size_t(i + m)], params);
      if (present) {
        Value slot = e.index((i + m) * span);
        if (firstSlot)
          slot = e.add(firstSlot, slot);
        joined =
            selectAll(e, e.less(slot, present), joined, states[size_t(i)]);
      }
      states[size_t(i)] = joined;
    }
  return states[0];
}

Values wf::zeros(Emitter &e, TypeRange types) {
  Values all;
  for (Type t : types)
    all.push_back(
        arith::ConstantOp::create(e.b, e.loc, e.b.getZeroAttr(t)));
  return all;
}

// Bodies are built in place: a target may look for the module around them.
void wf::onlyIf(Emitter &e, Value condition,
                llvm::function_ref<void()> body) {
  // A branch that is always taken is none: what comes before it would be moved
  // into it, behind all loads.
  if (matchPattern(condition, m_One()))
    return body();
  auto op = scf::IfOp::create(e.b, e.loc, TypeRange(), condition,
                              /*addThenBlock=*/true, /*addElseBlock=*/false);
  OpBuilder::InsertionGuard guard(e.b);
  e.b.setInsertionPointToStart(op.thenBlock());
  body();
  scf::YieldOp::create(e.b, e.loc);
}

Values wf::valuesIf(Emitter &e, Value condition, TypeRange types,
                    llvm::function_ref<Values()> body) {
  auto op = scf::IfOp::create(e.b, e.loc, types, condition,
                              /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(e.b);
  e.b.setInsertionPointToStart(op.thenBlock());
  scf::YieldOp::create(e.b, e.loc, body());
  e.b.setInsertionPointToStart(op.elseBlock());
  scf::YieldOp::create(e.b, e.loc, zeros(e, types));
  return Values(op.getResults());
}

Value wf::isLastBlock(Emitter &e, const TargetInfo &target, Value tickets,
                      Value ticket, Value runs, Value thread) {
  Value flag = sharedArrays(e, target, e.b.getI32Type(), 1, "last")[0];
  Value counter = advance(e, tickets, e.b.getI32Type(), ticket);
  onlyIf(e, e.equal(thread, e.index(0)), [&] {
    Value before = target.drawTicket(e, counter);
    Value all = arith::IndexCastOp::create(e.b, e.loc, e.b.getI32Type(), runs);
    Value last = e.equal(e.add(before, e.i32(1)), all);
    // Nobody else draws any more, so the ticket can be made ready here.
    onlyIf(e, last, [&] {
      LLVM::StoreOp::create(e.b, e.loc, e.i32(0), counter);
    });
    LLVM::StoreOp::create(
        e.b, e.loc,
        arith::ExtUIOp::create(e.b, e.loc, e.b.getI32Type(), last), flag);
  });
  target.barrier(e);
  Value read = LLVM::LoadOp::create(e.b, e.loc, e.b.getI32Type(), flag);
  return arith::CmpIOp::create(e.b, e.loc, arith::CmpIPredicate::ne, read,
                               e.i32(0));
}
