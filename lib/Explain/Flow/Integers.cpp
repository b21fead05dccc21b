//===- Integers.cpp - Integer arithmetic in one form ----------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Constants to the right and outermost; a shift to the left is a Mul by a power
// of two; operands of what commutes are ordered by age.
//===----------------------------------------------------------------------===//
#include "Explain/Flow/Internal.h"
#include "Explain/Flow/ValueTable.h"

#include <bit>
#include <utility>

using namespace wf::explain;

using Kind = Value::Kind;

static Type typeOf(bool wide) { return wide ? Type::B64 : Type::B32; }

static int64_t wrapped(uint64_t bits, bool wide) {
  return wide ? int64_t(bits) : int64_t(int32_t(uint32_t(bits)));
}

static bool isInteger(const Value &v, bool wide) {
  return v.type == typeOf(wide);
}

ValueId ValueTable::add(ValueId x, ValueId y, bool wide) {
  auto cx = integer(x), cy = integer(y);
  if (cx && cy)
    return constant(wrapped(uint64_t(*cx) + uint64_t(*cy), wide), typeOf(wide));
  if (cx) {
    std::swap(x, y);
    std::swap(cx, cy);
  }
  if (cy && *cy == 0)
    return x;
  const Value vx = values[x], vy = values[y];
  // (a + c) + y: the constant goes out.
  if (is(vx, Op::Add) && isInteger(vx, wide) && vx.args.size() == 2)
    if (auto c = integer(vx.args[1])) {
      if (cy)
        return add(
            vx.args[0],
            constant(wrapped(uint64_t(*c) + uint64_t(*cy), wide), typeOf(wide)),
            wide);
      return add(add(vx.args[0], y, wide), vx.args[1], wide);
    }
  if (!cy && is(vy, Op::Add) && isInteger(vy, wide) && vy.args.size() == 2 &&
      integer(vy.args[1]))
    return add(add(x, vy.args[0], wide), vy.args[1], wide);
  if (is(vy, Op::Neg) && isInteger(vy, wide))
    return sub(x, vy.args[0], wide);
  if (is(vx, Op::Neg) && isInteger(vx, wide) && !cy)
    return sub(y, vx.args[0], wide);
  // A block's shared memory on sm_90 and later: its rank in the cluster in the
  // upper byte, and 0x400 that the driver keeps.
  if (cy && *cy == 0x400 && is(vx, Op::Mul) &&
      isConstant(vx.args[1], 1 << 24) &&
      values[vx.args[0]].kind == Kind::Symbol)
    return symbol("shared");
  if (!cy && x > y)
    std::swap(x, y);
  return plain(Op::Add, typeOf(wide), {x, y});
}

ValueId ValueTable::sub(ValueId x, ValueId y, bool wide) {
  if (auto c = integer(y))
    return add(x, constant(wrapped(-uint64_t(*c), wide), typeOf(wide)), wide);
  if (x == y)
    return constant(0, typeOf(wide));
  if (isConstant(x, 0))
    return neg(y, wide);
  const Value vy = values[y];
  if (is(vy, Op::Neg) && isInteger(vy, wide))
    return add(x, vy.args[0], wide);
  return plain(Op::Sub, typeOf(wide), {x, y});
}

ValueId ValueTable::neg(ValueId x, bool wide) {
  if (auto c = integer(x))
    return constant(wrapped(-uint64_t(*c), wide), typeOf(wide));
  const Value v = values[x];
  if (is(v, Op::Neg) && isInteger(v, wide))
    return v.args[0];
  if (is(v, Op::Sub) && isInteger(v, wide))
    return sub(v.args[1], v.args[0], wide);
  return plain(Op::Neg, typeOf(wide), {x});
}

ValueId ValueTable::mul(ValueId x, ValueId y, bool wide) {
  auto cx = integer(x), cy = integer(y);
  if (cx && cy)
    return constant(wrapped(uint64_t(*cx) * uint64_t(*cy), wide), typeOf(wide));
  if (cx) {
    std::swap(x, y);
    std::swap(cx, cy);
  }
  if (cy && *cy == 0)
    return constant(0, typeOf(wide));
  if (cy && *cy == 1)
    return x;
  if (cy && *cy == -1)
    return neg(x, wide);
  const Value vx = values[x];
  if (cy && is(vx, Op::Mul) && isInteger(vx, wide))
    if (auto c = integer(vx.args[1]))
      return mul(
          vx.args[0],
          constant(wrapped(uint64_t(*c) * uint64_t(*cy), wide), typeOf(wide)),
          wide);
  if (!cy && x > y)
    std::swap(x, y);
  return plain(Op::Mul, typeOf(wide), {x, y});
}

ValueId ValueTable::shl(ValueId x, ValueId n, bool wide) {
  auto by = integer(n);
  if (!by)
    return plain(Op::Shl, typeOf(wide), {x, n});
  if (*by < 0 || *by >= (wide ? 64 : 32))
    return constant(0, typeOf(wide));
  return mul(x, constant(wrapped(uint64_t(1) << *by, wide), typeOf(wide)),
             wide);
}

ValueId ValueTable::shr(ValueId x, ValueId n, bool arithmetic, bool wide) {
  auto by = integer(n), of = integer(x);
  if (by && *by == 0)
    return x;
  const int width = wide ? 64 : 32;
  Op op = arithmetic ? Op::ShrArith : Op::ShrLogical;
  if (!by)
    return plain(op, typeOf(wide), {x, n});
  int64_t distance = *by < 0 || *by > width ? width : *by;
  if (of) {
    if (arithmetic)
      return constant(*of >> std::min<int64_t>(distance, 63), typeOf(wide));
    uint64_t bits = wide ? uint64_t(*of) : uint32_t(*of);
    return constant(distance >= width ? 0 : wrapped(bits >> distance, wide),
                    typeOf(wide));
  }
  if (!arithmetic && distance >= width)
    return constant(0, typeOf(wide));
  if (arithmetic && isNonNegative(x)) {
    op = Op::ShrLogical;
    arithmetic = false;
  }
  // Bits 31 and up of what has no sign and is no more than a small count.
  if (!arithmetic && !wide && distance == 31 && isNonNegative(x))
    return constant(0);
  const Value v = values[x];
  if (!wide && distance == 16 && v.kind == Kind::Parameter)
    if (ValueId size = hidden(v.imm + 2, 2); size != noValue)
      return size;
  if (is(v, op) && isInteger(v, wide))
    if (auto before = integer(v.args[1]);
        before && *before >= 0 && *before + distance < width)
      return shr(v.args[0], constant(*before + distance), arithmetic, wide);
  return plain(op, typeOf(wide), {x, constant(distance)});
}

bool ValueTable::isNonNegative(ValueId id, int depth) const {
  const Value &v = values[id];
  if (v.kind == Kind::Constant)
    return v.imm >= 0;
  if (v.kind == Kind::Symbol) {
    std::string_view name = v.name;
    return name.starts_with("threadIdx") || name.starts_with("blockIdx") ||
           name.starts_with("blockDim") || name.starts_with("gridDim") ||
           name == "laneId" || name == "warpId";
  }
  if (v.kind != Kind::Operation || depth == 0)
    return false;
  switch (v.op) {
  case Op::ShrLogical: {
    auto by = integer(v.args[1]);
    return by && *by > 0;
  }
  case Op::And:
    return isNonNegative(v.args[0], depth - 1) ||
           isNonNegative(v.args[1], depth - 1);
  case Op::Convert:
    return v.from == Type::U32 && bitsOf(v.type) == 64;
  case Op::PopCount:
  case Op::BitField:
    return !isSigned(v.type);
  default:
    return false;
  }
}

ValueId ValueTable::extend(ValueId x, bool isSigned) {
  if (auto c = integer(x))
    return constant(isSigned ? *c : int64_t(uint32_t(*c)), Type::B64);
  if (isNonNegative(x))
    isSigned = false;
  Value v;
  v.kind = Kind::Operation;
  v.op = Op::Convert;
  v.type = Type::B64;
  v.from = isSigned ? Type::S32 : Type::U32;
  v.args = {x};
  return intern(std::move(v));
}

ValueId ValueTable::widened(ValueId id, bool isSigned) {
  return isWide(values[id]) ? id : extend(id, isSigned);
}

/// The 32 bits from bit 32 of high:low after a shift to the left, or from bit
/// 0 after one to the right.
ValueId ValueTable::funnel(ValueId low, ValueId high, ValueId n, bool left) {
  auto by = integer(n);
  if (by) {
    *by &= 31;
    if (*by == 0)
      return left ? high : low;
    ValueId count = constant(*by), rest = constant(32 - *by);
    if (isConstant(low, 0))
      return left ? shl(high, count, false) : shl(high, rest, false);
    if (isConstant(high, 0))
      return left ? shr(low, rest, false, false)
                  : shr(low, count, false, false);
    n = count;
  }
  // `imm` says the direction.
  return plain(Op::FunnelShift, Type::B32, {low, high, n}, left ? 1 : 0);
}

ValueId ValueTable::bits(ValueId x, unsigned offset, unsigned width,
                         bool isSigned) {
  if (offset >= 32 || width == 0)
    return constant(0);
  width = std::min(width, 32 - offset);
  if (auto c = integer(x)) {
    uint64_t field = uint32_t(*c) >> offset;
    field &= (uint64_t(1) << width) - 1;
    if (isSigned && (field >> (width - 1) & 1))
      field |= ~uint64_t(0) << width;
    return constant(int64_t(field));
  }
  ValueId shifted = shr(x, constant(offset), isSigned, false);
  if (offset + width == 32)
    return shifted;
  if (!isSigned)
    return bitwise(Op::And, shifted,
                   constant(int64_t((uint64_t(1) << width) - 1)), Type::B32);
  return plain(Op::BitField, Type::S32, {x, constant(offset), constant(width)});
}
