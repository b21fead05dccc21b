//===- Truths.cpp - Bits, comparisons, guards -----------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Flow/Internal.h"
#include "Explain/Flow/ValueTable.h"

#include <utility>

using namespace wf::explain;

using Kind = Value::Kind;

ValueId ValueTable::invert(ValueId x, Type type) {
  if (type == Type::Pred || isPredicate(values[x]))
    return notOf(x);
  if (auto c = integer(x))
    return constant(~*c, type);
  if (is(values[x], Op::Not))
    return values[x].args[0];
  return plain(Op::Not, type, {x});
}

ValueId ValueTable::notOf(ValueId truth) {
  const Value v = values[truth];
  if (v.kind == Kind::Constant)
    return this->truth(v.imm == 0);
  if (is(v, Op::Not))
    return v.args[0];
  if (is(v, Op::Compare)) {
    bool partial = v.cmp != Cmp::Ordered && v.cmp != Cmp::Unordered;
    return compare(inverse(v.cmp), v.type, v.args[0], v.args[1],
                   isFloat(v.type) && partial && !v.unordered);
  }
  return plain(Op::Not, Type::Pred, {truth});
}

ValueId ValueTable::andOfTruths(ValueId x, ValueId y) {
  for (int turn = 0; turn < 2; ++turn, std::swap(x, y)) {
    if (values[x].kind == Kind::Constant)
      return values[x].imm == 0 ? truth(false) : y;
    // What x already asks for.
    if (auto holds = known(y, x))
      return *holds ? x : truth(false);
    // x & (x | …)
    if (is(values[y], Op::Or) &&
        (values[y].args[0] == x || values[y].args[1] == x))
      return x;
    // x & !(x & c) is x & !c: lanes that break out of what they are in.
    if (is(values[y], Op::Not)) {
      const Value inner = values[values[y].args[0]];
      if (is(inner, Op::And))
        for (int k = 0; k < 2; ++k)
          if (inner.args[k] == x)
            return andOfTruths(x, notOf(inner.args[1 - k]));
    }
  }
  if (x > y)
    std::swap(x, y);
  return plain(Op::And, Type::Pred, {x, y});
}

ValueId ValueTable::orOfTruths(ValueId x, ValueId y) {
  if (ValueId all = brokenLanes(x, y); all != noValue)
    return all;
  for (int turn = 0; turn < 2; ++turn, std::swap(x, y)) {
    if (values[x].kind == Kind::Constant)
      return values[x].imm == 0 ? y : truth(true);
    if (x == y || known(x, y).value_or(false))
      return x; // y implies x
    if (is(values[y], Op::And))
      for (int k = 0; k < 2; ++k) {
        ValueId part = values[y].args[k], other = values[y].args[1 - k];
        // (a & c) | (a & !c), the two sides of an if, are a again.
        if (is(values[x], Op::And))
          for (int l = 0; l < 2; ++l)
            if (values[x].args[l] == part &&
                notOf(values[x].args[1 - l]) == other)
              return part;
      }
  }
  if (notOf(x) == y)
    return truth(true);
  if (x > y)
    std::swap(x, y);
  return plain(Op::Or, Type::Pred, {x, y});
}

/// Lanes leave a loop one by one: `broken` gathers them, exec loses them. Both
/// together are the lanes that entered: Or(And(exec, Not(broken')), broken')
/// with broken' = Or(…, broken), for phis exec and broken of one header.
ValueId ValueTable::brokenLanes(ValueId x, ValueId y) {
  for (int turn = 0; turn < 2; ++turn, std::swap(x, y)) {
    const Value left = values[x];
    if (!is(left, Op::And))
      continue;
    ValueId running = noValue;
    for (int k = 0; k < 2; ++k)
      if (left.args[k] == notOf(y))
        running = left.args[1 - k];
    if (running == noValue || values[running].kind != Kind::Phi)
      continue;
    const Value gathered = values[y];
    if (!is(gathered, Op::Or))
      continue;
    for (ValueId arg : gathered.args)
      if (values[arg].kind == Kind::Phi &&
          values[arg].block == values[running].block) {
        auto entered = loopEntry.find(running), none = loopEntry.find(arg);
        if (entered != loopEntry.end() && none != loopEntry.end() &&
            isConstant(none->second, 0))
          return entered->second;
      }
  }
  return noValue;
}

/// A field of ten bits of "threadIdx.packed" (or of threadIdx.x, which such a
/// register is called where only that is used).
ValueId ValueTable::packedIndex(ValueId id) {
  const Value v = values[id];
  int64_t from = 0;
  std::string name = v.name;
  if (is(v, Op::ShrLogical) && integer(v.args[1])) {
    from = *integer(v.args[1]);
    name = values[v.args[0]].name;
  } else if (v.kind != Kind::Symbol) {
    return noValue;
  }
  if (a.program.kernel.isa != Isa::Amdgcn ||
      (name != "threadIdx.packed" && name != "threadIdx.x") || from % 10 != 0 ||
      from > 20)
    return noValue;
  static constexpr const char *axes[] = {"threadIdx.x", "threadIdx.y",
                                         "threadIdx.z"};
  return symbol(axes[from / 10]);
}

ValueId ValueTable::bitwise(Op op, ValueId x, ValueId y, Type type) {
  auto isTruth = [&](ValueId id) {
    return isPredicate(values[id]) || isConstant(id, 0) || isConstant(id, -1);
  };
  bool anyMask = isPredicate(values[x]) || isPredicate(values[y]);
  if (type == Type::Pred || (anyMask && isTruth(x) && isTruth(y))) {
    // A mask of all lanes or none.
    for (ValueId *side : {&x, &y})
      if (auto c = integer(*side); c && values[*side].type != Type::Pred)
        if (*c == 0 || *c == -1)
          *side = truth(*c != 0);
    if (op == Op::And)
      return andOfTruths(x, y);
    if (op == Op::Or)
      return orOfTruths(x, y);
    if (x == y)
      return truth(false);
    for (int turn = 0; turn < 2; ++turn, std::swap(x, y)) {
      if (isConstant(x, 0))
        return y;
      if (isConstant(x, 1))
        return notOf(y);
      // The other side of an if: saved ^ (saved & c).
      const Value v = values[y];
      if (is(v, Op::And))
        for (int k = 0; k < 2; ++k)
          if (v.args[k] == x)
            return andOfTruths(x, notOf(v.args[1 - k]));
    }
    if (x > y)
      std::swap(x, y);
    return plain(op, Type::Pred, {x, y});
  }
  auto cx = integer(x), cy = integer(y);
  if (cx && cy)
    return constant(op == Op::And  ? *cx & *cy
                    : op == Op::Or ? *cx | *cy
                                   : *cx ^ *cy,
                    type);
  if (cx) {
    std::swap(x, y);
    std::swap(cx, cy);
  }
  if (x == y)
    return op == Op::Xor ? constant(0, type) : x;
  if (cy && *cy == 0)
    return op == Op::And ? constant(0, type) : x;
  if (cy && *cy == -1)
    return op == Op::And  ? x
           : op == Op::Or ? constant(-1, type)
                          : invert(x, type);
  // The block's size shares a word of AMD's arguments.
  if (op == Op::And && cy && *cy == 0xffff && values[x].kind == Kind::Parameter)
    if (ValueId size = hidden(values[x].imm, 2); size != noValue)
      return size;
  // The thread's index in three dimensions shares a register.
  if (op == Op::And && cy && *cy == 0x3ff)
    if (ValueId index = packedIndex(x); index != noValue)
      return index;
  // Masked first, scaled then: (x & m) · 2^k.
  const Value vx = values[x];
  auto scale = is(vx, Op::Mul) ? integer(vx.args[1]) : std::nullopt;
  if (op == Op::And && cy && *cy > 0 && scale && *scale > 1 &&
      (*scale & (*scale - 1)) == 0 && type == Type::B32)
    return mul(bitwise(op, vx.args[0], constant(*cy / *scale), type),
               vx.args[1], false);
  if (cy && is(values[x], op))
    if (auto c = integer(values[x].args[1]))
      return bitwise(op, values[x].args[0],
                     constant(op == Op::And  ? *c & *cy
                              : op == Op::Or ? *c | *cy
                                             : *c ^ *cy,
                              type),
                     type);
  if (!cy && x > y)
    std::swap(x, y);
  return plain(op, type, {x, y});
}

namespace {
/// A table of three inputs as two operations: `first` of two of them, then
/// `second` of that and the third.
struct Lut {
  uint8_t table;
  Op first;
  int x, y;
  Op second;
  int z;
};
} // namespace

static constexpr uint8_t lutOf[3] = {0xf0, 0xcc, 0xaa};
static constexpr Lut luts[] = {
    {0x80, Op::And, 0, 1, Op::And, 2}, {0xfe, Op::Or, 0, 1, Op::Or, 2},
    {0x96, Op::Xor, 0, 1, Op::Xor, 2}, {0xf8, Op::And, 1, 2, Op::Or, 0},
    {0xec, Op::And, 0, 2, Op::Or, 1},  {0xea, Op::And, 0, 1, Op::Or, 2},
    {0xe0, Op::Or, 1, 2, Op::And, 0},  {0xc8, Op::Or, 0, 2, Op::And, 1},
    {0xa8, Op::Or, 0, 1, Op::And, 2},  {0x78, Op::And, 1, 2, Op::Xor, 0},
    {0x6c, Op::And, 0, 2, Op::Xor, 1}, {0x6a, Op::And, 0, 1, Op::Xor, 2},
    {0x60, Op::Xor, 1, 2, Op::And, 0}, {0x48, Op::Xor, 0, 2, Op::And, 1},
    {0x28, Op::Xor, 0, 1, Op::And, 2}, {0xf6, Op::Xor, 1, 2, Op::Or, 0},
    {0xde, Op::Xor, 0, 2, Op::Or, 1},  {0xbe, Op::Xor, 0, 1, Op::Or, 2},
};

ValueId ValueTable::lop3(uint8_t lut, ValueId x, ValueId y, ValueId z,
                         Type type) {
  ValueId in[3] = {x, y, z};
  const uint8_t all = 0xff;
  // A constant input makes the table one of the others.
  for (int k = 0; k < 3; ++k) {
    auto c = integer(in[k]);
    if (!c || (*c != 0 && *c != (type == Type::Pred ? 1 : -1)))
      continue;
    uint8_t where = *c == 0 ? uint8_t(~lutOf[k]) : lutOf[k];
    uint8_t kept = lut & where;
    int shift = 4 >> k;
    lut = uint8_t(kept | (*c == 0 ? kept << shift : kept >> shift));
  }
  if (lut == 0 || lut == all)
    return constant(lut == 0 ? 0 : type == Type::Pred ? 1 : -1, type);
  for (int k = 0; k < 3; ++k) {
    if (lut == lutOf[k])
      return in[k];
    if (lut == uint8_t(~lutOf[k]))
      return invert(in[k], type);
  }
  for (int k = 0; k < 3; ++k)
    for (int l = k + 1; l < 3; ++l)
      for (int negated = 0; negated < 4; ++negated) {
        uint8_t tk = negated & 1 ? ~lutOf[k] : lutOf[k];
        uint8_t tl = negated & 2 ? ~lutOf[l] : lutOf[l];
        bool isAnd = lut == (tk & tl), isOr = lut == (tk | tl);
        if (!isAnd && !isOr && lut != (tk ^ tl))
          continue;
        ValueId left = negated & 1 ? invert(in[k], type) : in[k];
        ValueId right = negated & 2 ? invert(in[l], type) : in[l];
        return bitwise(isAnd  ? Op::And
                       : isOr ? Op::Or
                              : Op::Xor,
                       left, right, type);
      }
  for (const Lut &l : luts)
    if (l.table == lut)
      return bitwise(l.second, bitwise(l.first, in[l.x], in[l.y], type),
                     in[l.z], type);
  return plain(type == Type::Pred ? Op::PredicateLogic : Op::Lop3, type,
               {x, y, z}, lut);
}
