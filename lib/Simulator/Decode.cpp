//===- Decode.cpp - Slots, blocks and flow --------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Simulator/Decoder.h"

#include "Error/Error.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"

#include <cstring>

using namespace wf;
using namespace wf::sim;
using llvm::Error;
using llvm::Expected;

Decoder::Decoder(Program &program, const llvm::Function &function)
    : program(program), machine(program.machine()), function(function),
      data(function.getParent()->getDataLayout()),
      kernel(std::make_unique<Kernel>()), lanes(machine.lanes) {
  kernel->function = &function;
  kernel->name = function.getName().str();
}

/// "tree.cu:17", of where an instruction comes from.
static std::string placeOf(const llvm::Instruction &i) {
  const llvm::DILocation *at = i.getDebugLoc().get();
  return at ? at->getFilename().str() + ":" + std::to_string(at->getLine())
            : "";
}

Error Decoder::unknown(const llvm::Instruction &i,
                       const llvm::Twine &what) const {
  std::string text, place = placeOf(i);
  llvm::raw_string_ostream(text) << i;
  return userError("the simulator does not know " + what + ", which kernel " +
                       sourceName(kernel->name) + " has" +
                       (place.empty() ? "" : " at " + place) + ":" + text,
                   "write it another way; docs/simulator.md lists what it "
                   "knows");
}

bool Decoder::scalarsOf(llvm::Type *type, Scalars &into) const {
  if (auto *v = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    for (unsigned n = 0; n < v->getNumElements(); ++n)
      if (!scalarsOf(v->getElementType(), into))
        return false;
    return true;
  }
  if (auto *a = llvm::dyn_cast<llvm::ArrayType>(type)) {
    for (uint64_t n = 0; n < a->getNumElements(); ++n)
      if (!scalarsOf(a->getElementType(), into))
        return false;
    return true;
  }
  if (auto *s = llvm::dyn_cast<llvm::StructType>(type)) {
    for (llvm::Type *t : s->elements())
      if (!scalarsOf(t, into))
        return false;
    return true;
  }
  if (type->isIntegerTy() && type->getIntegerBitWidth() <= 32)
    into.push_back({Slot::I32, uint8_t(type->getIntegerBitWidth())});
  else if (type->isIntegerTy(64) || type->isPointerTy())
    into.push_back({Slot::I64, 64});
  else if (type->isFloatTy())
    into.push_back({Slot::F32, 32});
  else if (type->isDoubleTy())
    into.push_back({Slot::F64, 64});
  else
    return false;
  return true;
}

Expected<Scalars> Decoder::scalars(const llvm::Value &v) const {
  Scalars result;
  if (scalarsOf(v.getType(), result))
    return result;
  std::string text;
  llvm::raw_string_ostream(text) << *v.getType();
  if (auto *i = llvm::dyn_cast<llvm::Instruction>(&v))
    return unknown(*i, "the type " + text);
  return userError("the simulator does not know the type " + text +
                       ", which kernel " + sourceName(kernel->name) + " takes",
                   "integers up to 64 bits, float, double and pointers");
}

Operand Decoder::newSlot(bool wide) {
  auto &unused = wide ? freeWide : freeNarrow;
  if (!unused.empty()) {
    Operand slot = unused.back();
    unused.pop_back();
    return slot;
  }
  Operand slot = Operand(kernel->frameBytes);
  kernel->frameBytes += lanes * (wide ? 8 : 4);
  return slot;
}

Operand Decoder::constantSlot(uint64_t bits, bool wide) {
  auto [it, fresh] = constants.try_emplace({bits, wide}, 0);
  if (!fresh)
    return it->second;
  size_t at = kernel->sharedSlots.size();
  kernel->sharedSlots.resize(at + size_t(lanes * (wide ? 8 : 4)));
  for (int l = 0; l < lanes; ++l)
    std::memcpy(&kernel->sharedSlots[at + size_t(l * (wide ? 8 : 4))], &bits,
                wide ? 8 : 4);
  return it->second = Operand(at) | sharedOperand;
}

Error Decoder::constant(const llvm::Constant &c, Operands &into) {
  Scalars types;
  if (!scalarsOf(c.getType(), types))
    return userError(
        "the simulator does not know a constant's type in kernel " +
        sourceName(kernel->name));
  if (llvm::isa<llvm::UndefValue>(c) || c.isNullValue()) {
    for (const Scalar &s : types)
      into.push_back(constantSlot(0, s.wide()));
    return Error::success();
  }
  if (auto *i = llvm::dyn_cast<llvm::ConstantInt>(&c)) {
    if (!types.empty() && types.size() == 1)
      into.push_back(constantSlot(i->getZExtValue(), types[0].wide()));
    else // a splat
      for (const Scalar &s : types)
        into.push_back(constantSlot(i->getZExtValue(), s.wide()));
    return Error::success();
  }
  if (auto *f = llvm::dyn_cast<llvm::ConstantFP>(&c)) {
    uint64_t bits = f->getValueAPF().bitcastToAPInt().getZExtValue();
    for (const Scalar &s : types)
      into.push_back(constantSlot(bits, s.wide()));
    return Error::success();
  }
  if (auto *g = llvm::dyn_cast<llvm::GlobalVariable>(&c)) {
    auto shared = sharedAt.find(g);
    into.push_back(constantSlot(
        shared != sharedAt.end() ? shared->second : program.globals.lookup(g),
        true));
    return Error::success();
  }
  if (llvm::isa<llvm::ConstantAggregate, llvm::ConstantDataSequential>(c)) {
    for (unsigned n = 0;; ++n) {
      const llvm::Constant *part = c.getAggregateElement(n);
      if (!part)
        return Error::success();
      if (Error e = constant(*part, into))
        return e;
    }
  }
  std::string text;
  llvm::raw_string_ostream(text) << c;
  return userError("the simulator does not know the constant " + text +
                   " in kernel " + sourceName(kernel->name));
}

Expected<Operands> Decoder::use(const llvm::Value *v) {
  auto it = slots.find(v);
  if (it != slots.end())
    return it->second;
  Operands result;
  if (auto *c = llvm::dyn_cast<llvm::Constant>(v)) {
    if (Error e = constant(*c, result))
      return std::move(e);
    return result;
  }
  return internalError("the simulator meets a value before its definition");
}

bool Decoder::constantInt(const llvm::Value *v, int64_t &value) const {
  auto *c = llvm::dyn_cast<llvm::ConstantInt>(v);
  if (c)
    value = c->getSExtValue();
  return c != nullptr;
}

/// Slots of a result: permanent ones, or of the block's pool.
Expected<Operands> Decoder::define(const llvm::Instruction &i) {
  auto it = slots.find(&i);
  if (it != slots.end())
    return it->second;
  auto types = scalars(i);
  if (!types)
    return types.takeError();
  Operands result;
  for (const Scalar &s : *types)
    result.push_back(newSlot(s.wide()));
  slots[&i] = result;
  return result;
}

/// Values that lived in one block only give their slots back.
void Decoder::releaseAfter(const llvm::Instruction &i) {
  auto it = diesAt.find(&i);
  if (it == diesAt.end())
    return;
  for (const llvm::Value *v : it->second) {
    Scalars types;
    scalarsOf(v->getType(), types);
    auto at = slots.find(v);
    if (at == slots.end())
      continue;
    for (size_t n = 0; n < types.size(); ++n)
      (types[n].wide() ? freeWide : freeNarrow).push_back(at->second[n]);
  }
}

/// Finds out which values stay in their block, and gives the others slots.
void Decoder::permanentSlots() {
  for (const llvm::BasicBlock &bb : function)
    for (const llvm::Instruction &i : bb) {
      if (i.getType()->isVoidTy() || llvm::isa<llvm::AllocaInst>(i))
        continue;
      bool local = !llvm::isa<llvm::PHINode>(i);
      const llvm::Instruction *last = &i;
      for (const llvm::User *user : i.users()) {
        auto *u = llvm::cast<llvm::Instruction>(user);
        if (u->getParent() != &bb || llvm::isa<llvm::PHINode>(u)) {
          local = false;
          break;
        }
        if (last->comesBefore(u))
          last = u;
      }
      // A bitcast of one component may share the slot of what it casts.
      if (local)
        diesAt[last].push_back(&i);
      else
        llvm::consumeError(define(i).takeError());
    }
}

Inst &Decoder::emit(Handler run, InstKind kind) {
  kernel->code.emplace_back();
  Inst &inst = kernel->code.back();
  inst.run = run;
  inst.source = source;
  BlockInfo &info = kernel->blocks[current];
  ++info.instructions;
  ++info.kinds[size_t(kind)];
  return inst;
}

Operand Decoder::table(std::vector<int64_t> entries, Inst &inst) {
  inst.imm = int64_t(kernel->tables.size());
  kernel->tables.push_back(std::move(entries));
  return 0;
}

Error Decoder::arguments() {
  uint32_t offset = 0;
  unsigned n = 0;
  for (const llvm::Argument &a : function.args()) {
    auto types = scalars(a);
    if (!types)
      return types.takeError();
    if (types->size() != 1)
      return userError("argument " + llvm::Twine(n) + " of kernel " +
                           sourceName(kernel->name) + " is no scalar",
                       "pass its members one by one");
    const Scalar &s = types->front();
    Argument argument;
    argument.bytes = s.wide() ? 8 : s.bits == 1 ? 1 : s.bits / 8u;
    if (argument.bytes == 0 || (argument.bytes & (argument.bytes - 1)))
      return userError("argument " + llvm::Twine(n) + " of kernel " +
                       sourceName(kernel->name) + " is an integer of " +
                       llvm::Twine(s.bits) + " bits");
    offset = (offset + argument.bytes - 1) / argument.bytes * argument.bytes;
    argument.offset = offset;
    offset += argument.bytes;
    argument.pointer = a.getType()->isPointerTy();
    argument.written = false;
    argument.name = "argument " + std::to_string(n);
    if (a.hasName())
      argument.name += " (" + a.getName().str() + ")";
    // A slot of its own among what all warps share; the launch fills it.
    size_t at = kernel->sharedSlots.size();
    kernel->sharedSlots.resize(at + size_t(lanes * (s.wide() ? 8 : 4)));
    argument.slot = Operand(at) | sharedOperand;
    slots[&a] = {argument.slot};
    kernel->arguments.push_back(argument);
    ++n;
  }
  kernel->argumentBytes = offset;
  return Error::success();
}

/// Places shared arrays and a thread's own.
Error Decoder::layout() {
  auto align = [](int64_t at, uint64_t to) {
    return int64_t((uint64_t(at) + to - 1) / to * to);
  };
  std::vector<const llvm::GlobalVariable *> dynamic;
  for (const llvm::GlobalVariable &g : function.getParent()->globals()) {
    if (g.getAddressSpace() != 3)
      continue;
    bool used = llvm::any_of(g.users(), [&](const llvm::User *u) {
      auto *i = llvm::dyn_cast<llvm::Instruction>(u);
      return i && i->getFunction() == &function;
    });
    if (!used)
      continue;
    uint64_t bytes = data.getTypeAllocSize(g.getValueType());
    uint64_t alignment =
        std::max<uint64_t>(data.getPreferredAlign(&g).value(), 1);
    if (bytes == 0) {
      dynamic.push_back(&g);
      continue;
    }
    kernel->sharedBytes = align(kernel->sharedBytes, alignment);
    sharedAt[&g] = uint64_t(kernel->sharedBytes);
    kernel->sharedBytes += int64_t(bytes);
  }
  kernel->dynamicStart = align(kernel->sharedBytes, 16);
  kernel->dynamicShared = !dynamic.empty();
  for (const llvm::GlobalVariable *g : dynamic)
    sharedAt[g] = uint64_t(kernel->dynamicStart);
  for (const llvm::BasicBlock &bb : function)
    for (const llvm::Instruction &i : bb)
      if (auto *a = llvm::dyn_cast<llvm::AllocaInst>(&i)) {
        auto size = a->getAllocationSize(data);
        if (!size || size->isScalable())
          return unknown(i,
                         "an array of a size that is known at run time only");
        kernel->privateBytes =
            align(kernel->privateBytes, a->getAlign().value());
        uint64_t at = uint64_t(kernel->privateBytes);
        // Where a thread's own memory has no space of its own, the address
        // says.
        if (a->getAddressSpace() != 5)
          at |= privateRegion << regionShift;
        slots[a] = {constantSlot(at, true)};
        kernel->privateBytes += int64_t(size->getFixedValue());
      }
  kernel->privateBytes = align(kernel->privateBytes, 16);
  return Error::success();
}

Error Decoder::edge(const llvm::BasicBlock &from, const llvm::BasicBlock &to,
                    Edge &edge) {
  edge.block = blockNumbers[&to];
  std::vector<Copy> copies;
  for (const llvm::PHINode &phi : to.phis()) {
    auto target = define(phi);
    if (!target)
      return target.takeError();
    auto value = use(phi.getIncomingValueForBlock(&from));
    if (!value)
      return value.takeError();
    auto types = scalars(phi);
    for (size_t n = 0; n < target->size(); ++n)
      if ((*target)[n] != (*value)[n])
        copies.push_back({(*target)[n], (*value)[n], (*types)[n].wide()});
  }
  // All phis read before any is written: through temporaries where one reads
  // what another one writes.
  std::vector<Copy> late;
  for (Copy &c : copies) {
    bool clash = llvm::any_of(
        copies, [&](const Copy &o) { return &o != &c && o.to == c.from; });
    if (!clash)
      continue;
    Operand temporary = Operand(kernel->frameBytes);
    kernel->frameBytes += lanes * (c.wide ? 8 : 4);
    edge.copies.push_back({temporary, c.from, c.wide});
    c.from = temporary;
  }
  edge.copies.insert(edge.copies.end(), copies.begin(), copies.end());
  return Error::success();
}

Error Decoder::terminator(const llvm::Instruction &i) {
  const llvm::BasicBlock &bb = *i.getParent();
  Terminator t;
  Inst inst;
  inst.source = source;
  inst.b = Operand(current);
  if (llvm::isa<llvm::ReturnInst>(i)) {
    inst.control = Control::Return;
  } else if (llvm::isa<llvm::UnreachableInst>(i)) {
    inst.control = Control::Unreachable;
  } else if (auto *br = llvm::dyn_cast<llvm::BranchInst>(&i)) {
    inst.control = Control::Branch;
    if (br->isConditional()) {
      auto condition = use(br->getCondition());
      if (!condition)
        return condition.takeError();
      inst.a = condition->front();
    }
    // Both ways to one block are one way, unless phis tell them apart, which
    // they cannot.
    unsigned ways =
        br->isConditional() && br->getSuccessor(0) != br->getSuccessor(1) ? 2
                                                                          : 1;
    for (unsigned n = 0; n < ways; ++n) {
      t.edges.emplace_back();
      if (Error e = edge(bb, *br->getSuccessor(n), t.edges.back()))
        return e;
    }
  } else if (auto *sw = llvm::dyn_cast<llvm::SwitchInst>(&i)) {
    inst.control = Control::Switch;
    auto value = use(sw->getCondition());
    if (!value)
      return value.takeError();
    inst.a = value->front();
    t.wide = sw->getCondition()->getType()->getIntegerBitWidth() > 32;
    t.edges.emplace_back();
    if (Error e = edge(bb, *sw->getDefaultDest(), t.edges.back()))
      return e;
    for (auto c : sw->cases()) {
      t.cases.push_back(c.getCaseValue()->getZExtValue());
      t.edges.emplace_back();
      if (Error e = edge(bb, *c.getCaseSuccessor(), t.edges.back()))
        return e;
    }
  } else {
    return unknown(i, "this end of a basic block");
  }
  inst.imm = int64_t(kernel->terminators.size());
  kernel->terminators.push_back(std::move(t));
  kernel->code.push_back(inst);
  BlockInfo &info = kernel->blocks[current];
  ++info.instructions;
  ++info.kinds[size_t(InstKind::Branch)];
  return Error::success();
}

Error Decoder::block(const llvm::BasicBlock &bb) {
  current = blockNumbers[&bb];
  BlockInfo &info = kernel->blocks[current];
  info.first = uint32_t(kernel->code.size());
  info.name =
      bb.hasName() ? bb.getName().str() : "block " + std::to_string(current);
  for (const llvm::Instruction &i : bb) {
    if (llvm::isa<llvm::PHINode, llvm::AllocaInst>(i) ||
        i.isDebugOrPseudoInst())
      continue;
    source = uint32_t(kernel->sources.size());
    kernel->sources.push_back(&i);
    if (Error e = i.isTerminator() ? terminator(i) : instruction(i))
      return e;
    releaseAfter(i);
  }
  return Error::success();
}

Expected<std::unique_ptr<Kernel>> Decoder::decode() {
  if (Error e = arguments())
    return std::move(e);
  if (Error e = layout())
    return std::move(e);
  uint32_t n = 0;
  for (const llvm::BasicBlock &bb : function)
    blockNumbers[&bb] = n++;
  kernel->blocks.resize(n);
  llvm::PostDominatorTree dominators(const_cast<llvm::Function &>(function));
  for (const llvm::BasicBlock &bb : function) {
    const auto *node = dominators.getNode(&bb);
    const auto *up = node ? node->getIDom() : nullptr;
    if (up && up->getBlock())
      kernel->blocks[blockNumbers[&bb]].reconverge =
          int32_t(blockNumbers[up->getBlock()]);
  }
  permanentSlots();
  for (const llvm::BasicBlock &bb : function)
    if (Error e = block(bb))
      return std::move(e);
  return std::move(kernel);
}
