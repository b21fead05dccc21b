//===- DecodeInstructions.cpp - Arithmetic, casts, vectors, addresses -----===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Simulator/Decoder.h"

#include "Error/Error.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"

using namespace wf;
using namespace wf::sim;
using llvm::Error;
using llvm::Instruction;

Error Decoder::instruction(const Instruction &i) {
  switch (i.getOpcode()) {
  case Instruction::ICmp:
  case Instruction::FCmp:
    return compare(llvm::cast<llvm::CmpInst>(i));
  case Instruction::AddrSpaceCast:
    return spaceCast(llvm::cast<llvm::AddrSpaceCastInst>(i));
  case Instruction::Select:
    return select(llvm::cast<llvm::SelectInst>(i));
  case Instruction::ExtractElement:
  case Instruction::InsertElement:
  case Instruction::ShuffleVector:
    return elements(i);
  case Instruction::ExtractValue:
  case Instruction::InsertValue:
  case Instruction::Freeze:
    return aggregates(i);
  case Instruction::GetElementPtr:
    return address(llvm::cast<llvm::GetElementPtrInst>(i));
  case Instruction::Load:
    return load(llvm::cast<llvm::LoadInst>(i));
  case Instruction::Store:
    return store(llvm::cast<llvm::StoreInst>(i));
  case Instruction::AtomicRMW:
    return rmw(llvm::cast<llvm::AtomicRMWInst>(i));
  case Instruction::AtomicCmpXchg:
    return compareExchange(llvm::cast<llvm::AtomicCmpXchgInst>(i));
  case Instruction::Fence:
    return fence(llvm::cast<llvm::FenceInst>(i));
  case Instruction::Call:
    return call(llvm::cast<llvm::CallInst>(i));
  default:
    if (auto *c = llvm::dyn_cast<llvm::CastInst>(&i))
      return cast(*c);
    return arithmetic(i);
  }
}

Error Decoder::arithmetic(const Instruction &i) {
  auto to = define(i);
  if (!to)
    return to.takeError();
  auto types = scalars(i);
  auto a = use(i.getOperand(0));
  if (!a)
    return a.takeError();
  auto b = i.getNumOperands() > 1 ? use(i.getOperand(1)) : use(i.getOperand(0));
  if (!b)
    return b.takeError();
  for (size_t n = 0; n < to->size(); ++n) {
    Handler run = binaryHandler(lanes, i.getOpcode(), (*types)[n].slot);
    if (!run)
      return unknown(i, llvm::Twine("the instruction ") + i.getOpcodeName());
    Inst &inst = emit(run);
    inst.d = (*to)[n];
    inst.a = (*a)[n];
    inst.b = (*b)[n];
    inst.imm = (*types)[n].bits;
  }
  return Error::success();
}

Error Decoder::compare(const llvm::CmpInst &i) {
  auto to = define(i);
  if (!to)
    return to.takeError();
  auto types = scalars(*i.getOperand(0));
  if (!types)
    return types.takeError();
  auto a = use(i.getOperand(0)), b = use(i.getOperand(1));
  if (!a)
    return a.takeError();
  if (!b)
    return b.takeError();
  for (size_t n = 0; n < to->size(); ++n) {
    Handler run = compareHandler(lanes, i.getPredicate(), (*types)[n].slot);
    if (!run)
      return unknown(i, "this comparison");
    Inst &inst = emit(run);
    inst.d = (*to)[n];
    inst.a = (*a)[n];
    inst.b = (*b)[n];
    inst.imm = (*types)[n].bits;
  }
  return Error::success();
}

Error Decoder::cast(const llvm::CastInst &i) {
  auto to = define(i);
  if (!to)
    return to.takeError();
  auto toTypes = scalars(i), fromTypes = scalars(*i.getOperand(0));
  if (!fromTypes)
    return fromTypes.takeError();
  auto from = use(i.getOperand(0));
  if (!from)
    return from.takeError();
  unsigned opcode = i.getOpcode();
  if (opcode == Instruction::BitCast)
    return bitcast(i, *from, *fromTypes, *to, *toTypes);
  for (size_t n = 0; n < to->size(); ++n) {
    Scalar s = (*fromTypes)[n], d = (*toTypes)[n];
    unsigned does = opcode;
    if (opcode == Instruction::PtrToInt || opcode == Instruction::IntToPtr)
      does = s.wide() && !d.wide()   ? unsigned(Instruction::Trunc)
             : !s.wide() && d.wide() ? unsigned(Instruction::ZExt)
                                     : 0;
    Handler run = does == 0 ? copyHandler(lanes, s.wide())
                            : castHandler(lanes, does, s.slot, d.slot);
    if (!run)
      return unknown(i, llvm::Twine("the instruction ") + i.getOpcodeName());
    Inst &inst = emit(run);
    inst.d = (*to)[n];
    inst.a = (*from)[n];
    inst.imm = int64_t(s.bits) | int64_t(d.bits) << 8;
  }
  return Error::success();
}

// Through the bytes: components of other sizes are cut out and put together.
Error Decoder::bitcast(const Instruction &i, const Operands &from,
                       const Scalars &fromTypes, const Operands &to,
                       const Scalars &toTypes) {
  if (from.size() == to.size()) {
    for (size_t n = 0; n < to.size(); ++n) {
      Inst &inst = emit(copyHandler(lanes, toTypes[n].wide()));
      inst.d = to[n];
      inst.a = from[n];
    }
    return Error::success();
  }
  int fromBits = fromTypes[0].bits, toBits = toTypes[0].bits;
  auto op = [&](unsigned opcode, Operand d, Operand a, Operand b, bool wide,
                int64_t bits) {
    Inst &inst =
        emit(binaryHandler(lanes, opcode, wide ? Slot::I64 : Slot::I32));
    inst.d = d, inst.a = a, inst.b = b, inst.imm = bits;
  };
  auto convert = [&](Operand d, Operand a, bool fromWide, bool toWide,
                     int64_t bits) {
    if (fromWide == toWide && (toWide || bits == 32)) {
      Inst &inst = emit(copyHandler(lanes, toWide));
      inst.d = d, inst.a = a;
      return;
    }
    unsigned opcode = toWide ? Instruction::ZExt : Instruction::Trunc;
    Inst &inst =
        emit(castHandler(lanes, opcode, fromWide ? Slot::I64 : Slot::I32,
                         toWide ? Slot::I64 : Slot::I32));
    inst.d = d, inst.a = a;
    inst.imm = (fromWide ? 64 : 32) | bits << 8;
  };
  if (fromBits > toBits) {
    if (fromBits % toBits)
      return unknown(i, "this bitcast");
    int parts = fromBits / toBits;
    bool wide = fromTypes[0].wide();
    for (size_t n = 0; n < to.size(); ++n) {
      Operand shifted = newSlot(wide);
      op(Instruction::LShr, shifted, from[n / size_t(parts)],
         constantSlot(uint64_t(int(n) % parts * toBits), wide), wide, 32);
      convert(to[n], shifted, wide, toTypes[n].wide(), toBits);
      (wide ? freeWide : freeNarrow).push_back(shifted);
    }
    return Error::success();
  }
  if (toBits % fromBits)
    return unknown(i, "this bitcast");
  int parts = toBits / fromBits;
  bool wide = toTypes[0].wide();
  Operand piece = newSlot(wide), moved = newSlot(wide);
  for (size_t n = 0; n < to.size(); ++n)
    for (int p = 0; p < parts; ++p) {
      Operand part = from[n * size_t(parts) + size_t(p)];
      convert(p ? piece : to[n], part, fromTypes[0].wide(), wide,
              wide ? 64 : 32);
      if (!p)
        continue;
      op(Instruction::Shl, moved, piece,
         constantSlot(uint64_t(p * fromBits), wide), wide, 32);
      op(Instruction::Or, piece, to[n], moved, wide, 32);
      Inst &back = emit(copyHandler(lanes, wide));
      back.d = to[n], back.a = piece;
    }
  (wide ? freeWide : freeNarrow).push_back(piece);
  (wide ? freeWide : freeNarrow).push_back(moved);
  return Error::success();
}

// A generic address says by its upper bits which memory it is in.
Error Decoder::spaceCast(const llvm::AddrSpaceCastInst &i) {
  auto to = define(i), from = use(i.getOperand(0));
  if (!to)
    return to.takeError();
  if (!from)
    return from.takeError();
  unsigned s = i.getSrcAddressSpace(), d = i.getDestAddressSpace();
  auto regionOf = [](unsigned space) -> uint64_t {
    return space == 3 ? sharedRegion : space == 5 ? privateRegion : 0;
  };
  uint64_t rs = regionOf(s), rd = regionOf(d);
  Handler run = copyHandler(lanes, true);
  uint64_t other = 0;
  if (d == 0 && rs) {
    run = binaryHandler(lanes, Instruction::Or, Slot::I64);
    other = rs << regionShift;
  } else if (s == 0 && rd) {
    run = binaryHandler(lanes, Instruction::And, Slot::I64);
    other = regionMask;
  }
  Inst &inst = emit(run);
  inst.d = to->front();
  inst.a = from->front();
  inst.b = constantSlot(other, true);
  return Error::success();
}

Error Decoder::select(const llvm::SelectInst &i) {
  auto to = define(i), c = use(i.getCondition()), a = use(i.getTrueValue()),
       b = use(i.getFalseValue());
  for (auto *e : {&to, &c, &a, &b})
    if (!*e)
      return e->takeError();
  auto types = scalars(i);
  for (size_t n = 0; n < to->size(); ++n) {
    Inst &inst = emit(selectHandler(lanes, (*types)[n].wide()));
    inst.d = (*to)[n];
    inst.a = c->size() == 1 ? c->front() : (*c)[n];
    inst.b = (*a)[n];
    inst.c = (*b)[n];
  }
  return Error::success();
}

/// Choosing a component costs a GPU nothing: it is not counted.
void Decoder::choose(Operand d, Operand a, bool wide) {
  Inst &inst = emit(copyHandler(lanes, wide), InstKind::Other);
  inst.d = d, inst.a = a;
  --kernel->blocks[current].instructions;
  --kernel->blocks[current].kinds[size_t(InstKind::Other)];
}

Error Decoder::elements(const Instruction &i) {
  auto to = define(i);
  if (!to)
    return to.takeError();
  auto types = scalars(i);
  auto v = use(i.getOperand(0));
  if (!v)
    return v.takeError();
  if (auto *s = llvm::dyn_cast<llvm::ShuffleVectorInst>(&i)) {
    auto w = use(s->getOperand(1));
    if (!w)
      return w.takeError();
    for (size_t n = 0; n < to->size(); ++n) {
      int from = s->getMaskValue(unsigned(n));
      if (from < 0)
        continue;
      size_t at = size_t(from);
      choose((*to)[n], at < v->size() ? (*v)[at] : (*w)[at - v->size()],
             (*types)[n].wide());
    }
    return Error::success();
  }
  bool extract = llvm::isa<llvm::ExtractElementInst>(i);
  const llvm::Value *index = i.getOperand(extract ? 1 : 2);
  int64_t at;
  bool known = constantInt(index, at);
  if (known && (at < 0 || size_t(at) >= v->size()))
    return unknown(i, "an index past the end of a vector");
  if (extract && known) {
    choose(to->front(), (*v)[size_t(at)], types->front().wide());
    return Error::success();
  }
  Operands value;
  if (!extract) {
    auto got = use(i.getOperand(1));
    if (!got)
      return got.takeError();
    value = *got;
  }
  if (known) {
    for (size_t n = 0; n < to->size(); ++n)
      choose((*to)[n], n == size_t(at) ? value.front() : (*v)[n],
             (*types)[n].wide());
    return Error::success();
  }
  // An index that the lanes compute: compared with every component's.
  auto where = use(index);
  if (!where)
    return where.takeError();
  bool wideIndex = index->getType()->getIntegerBitWidth() > 32;
  Operand hit = newSlot(false);
  for (size_t n = 0; n < v->size(); ++n) {
    Inst &test = emit(compareHandler(lanes, llvm::CmpInst::ICMP_EQ,
                                     wideIndex ? Slot::I64 : Slot::I32));
    test.d = hit, test.a = where->front(), test.imm = 32;
    test.b = constantSlot(n, wideIndex);
    bool wide = types->front().wide();
    Operand before = extract ? (n ? to->front() : (*v)[0]) : (*v)[n];
    Operand chosen = newSlot(wide);
    Inst &pick = emit(selectHandler(lanes, wide));
    pick.d = chosen, pick.a = hit, pick.c = before;
    pick.b = extract ? (*v)[n] : value.front();
    choose(extract ? to->front() : (*to)[n], chosen, wide);
    (wide ? freeWide : freeNarrow).push_back(chosen);
  }
  freeNarrow.push_back(hit);
  return Error::success();
}

/// Where the member with these indices begins among a type's components.
static size_t componentOf(llvm::Type *type, llvm::ArrayRef<unsigned> indices,
                          llvm::function_ref<size_t(llvm::Type *)> count) {
  size_t at = 0;
  for (unsigned index : indices) {
    if (auto *s = llvm::dyn_cast<llvm::StructType>(type)) {
      for (unsigned n = 0; n < index; ++n)
        at += count(s->getElementType(n));
      type = s->getElementType(index);
    } else {
      type = llvm::cast<llvm::ArrayType>(type)->getElementType();
      at += index * count(type);
    }
  }
  return at;
}

Error Decoder::aggregates(const Instruction &i) {
  auto to = define(i), from = use(i.getOperand(0));
  if (!to)
    return to.takeError();
  if (!from)
    return from.takeError();
  auto types = scalars(i);
  auto count = [&](llvm::Type *t) {
    Scalars parts;
    scalarsOf(t, parts);
    return parts.size();
  };
  size_t first = 0;
  Operands value;
  if (auto *x = llvm::dyn_cast<llvm::ExtractValueInst>(&i)) {
    first = componentOf(x->getAggregateOperand()->getType(), x->getIndices(),
                        count);
    for (size_t n = 0; n < to->size(); ++n)
      choose((*to)[n], (*from)[first + n], (*types)[n].wide());
    return Error::success();
  }
  if (auto *x = llvm::dyn_cast<llvm::InsertValueInst>(&i)) {
    first = componentOf(x->getType(), x->getIndices(), count);
    auto got = use(x->getInsertedValueOperand());
    if (!got)
      return got.takeError();
    value = *got;
  }
  for (size_t n = 0; n < to->size(); ++n) {
    bool inserted = n >= first && n < first + value.size();
    choose((*to)[n], inserted ? value[n - first] : (*from)[n],
           (*types)[n].wide());
  }
  return Error::success();
}

Error Decoder::address(const llvm::GetElementPtrInst &i) {
  if (i.getType()->isVectorTy())
    return unknown(i, "a vector of addresses");
  auto to = define(i), from = use(i.getPointerOperand());
  if (!to)
    return to.takeError();
  if (!from)
    return from.takeError();
  int64_t constantPart = 0;
  struct Term {
    Operand index;
    bool wide;
    int64_t scale;
  };
  llvm::SmallVector<Term, 2> terms;
  for (auto at = llvm::gep_type_begin(i), end = llvm::gep_type_end(i);
       at != end; ++at) {
    int64_t n;
    if (llvm::StructType *s = at.getStructTypeOrNull()) {
      constantInt(at.getOperand(), n);
      constantPart +=
          int64_t(data.getStructLayout(s)->getElementOffset(unsigned(n)));
      continue;
    }
    int64_t scale =
        int64_t(at.getSequentialElementStride(data).getFixedValue());
    if (constantInt(at.getOperand(), n)) {
      constantPart += n * scale;
      continue;
    }
    auto index = use(at.getOperand());
    if (!index)
      return index.takeError();
    unsigned bits = at.getOperand()->getType()->getIntegerBitWidth();
    if (bits != 32 && bits != 64)
      return unknown(i, "an index of " + llvm::Twine(bits) + " bits");
    terms.push_back({index->front(), bits == 64, scale});
  }
  Operand base = from->front();
  llvm::SmallVector<Operand, 2> temporaries;
  for (size_t n = 0; n < terms.size(); ++n) {
    bool last = n + 1 == terms.size() && constantPart == 0;
    Operand d = to->front();
    if (!last)
      temporaries.push_back(d = newSlot(true));
    Inst &inst = emit(scaleAddHandler(lanes, terms[n].wide));
    inst.d = d;
    inst.a = base;
    inst.b = terms[n].index;
    inst.imm = terms[n].scale;
    base = inst.d;
  }
  if (constantPart != 0 || terms.empty()) {
    Inst &inst = emit(addImmediateHandler(lanes));
    inst.d = to->front();
    inst.a = base;
    inst.imm = constantPart;
  }
  freeWide.insert(freeWide.end(), temporaries.begin(), temporaries.end());
  return Error::success();
}
