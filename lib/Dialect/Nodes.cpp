//===- Nodes.cpp - One node of the language as arith operations -----------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Dialect/Nodes.h"

#include "Dialect/Import.h"

using namespace mlir;
using namespace wf;

namespace {
/// Builds one node; small helpers so that each case reads as its definition.
struct NodeBuilder {
  OpBuilder &b;
  Location loc;
  const Node &node;
  llvm::ArrayRef<ScalarType> types;
  ValueRange in;

  ScalarType type() const { return types[0]; }
  Value constant(Type t, int64_t v) {
    if (isa<FloatType>(t))
      return arith::ConstantOp::create(b, loc, b.getFloatAttr(t, double(v)));
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(t, v));
  }
  Value zero() { return constant(in[0].getType(), 0); }
  Value cmpi(arith::CmpIPredicate p, Value x, Value y) {
    return arith::CmpIOp::create(b, loc, p, x, y);
  }
  Value cmpf(arith::CmpFPredicate p, Value x, Value y) {
    return arith::CmpFOp::create(b, loc, p, x, y);
  }
  Value select(Value c, Value x, Value y) {
    return arith::SelectOp::create(b, loc, c, x, y);
  }
  Value logicalAnd(Value x, Value y) {
    return arith::AndIOp::create(b, loc, x, y);
  }
  Value logicalOr(Value x, Value y) { return arith::OrIOp::create(b, loc, x, y); }
  Value isNan(Value x) { return cmpf(arith::CmpFPredicate::UNO, x, x); }

  Value build();
  Value literal();
  Value divide(bool remainder);
  Value shift();
  Value compare();
  Value totalOrder();
  Value cast();
  Value floatToInteger(Value x, ScalarType to);
  Value arithmetic();
  Value minMax();
};
} // namespace

Value NodeBuilder::literal() {
  Type t = functionType(b.getContext(), node.type);
  if (auto f = dyn_cast<FloatType>(t)) {
    llvm::APInt bits(f.getWidth(), node.payload, false, true);
    return arith::ConstantOp::create(
        b, loc, b.getFloatAttr(t, llvm::APFloat(f.getFloatSemantics(), bits)));
  }
  llvm::APInt bits(t.getIntOrFloatBitWidth(), node.payload, false, true);
  return arith::ConstantOp::create(b, loc, b.getIntegerAttr(t, bits));
}

/// The divisor is made safe before dividing: under vectors both sides of a
/// select are computed, and a division by zero traps on x86.
Value NodeBuilder::divide(bool remainder) {
  Value x = in[0], y = in[1];
  if (isFloat(type()))
    return arith::DivFOp::create(b, loc, x, y);
  Value none = zero(), one = constant(x.getType(), 1);
  Value byZero = cmpi(arith::CmpIPredicate::eq, y, none);
  if (!isSigned(type())) {
    Value safe = select(byZero, one, y);
    if (remainder)
      return select(byZero, x, arith::RemUIOp::create(b, loc, x, safe));
    return select(byZero, none, arith::DivUIOp::create(b, loc, x, safe));
  }
  Value minusOne = constant(x.getType(), -1);
  Value byMinusOne = cmpi(arith::CmpIPredicate::eq, y, minusOne);
  Value safe = select(logicalOr(byZero, byMinusOne), one, y);
  if (remainder) {
    Value r = arith::RemSIOp::create(b, loc, x, safe);
    return select(byZero, x, select(byMinusOne, none, r));
  }
  Value negated = arith::SubIOp::create(b, loc, none, x);
  Value q = arith::DivSIOp::create(b, loc, x, safe);
  return select(byZero, none, select(byMinusOne, negated, q));
}

Value NodeBuilder::shift() {
  Type t = in[0].getType();
  Value mask = constant(t, t.getIntOrFloatBitWidth() - 1);
  Value amount = arith::AndIOp::create(b, loc, in[1], mask);
  if (node.op == NodeOp::Shl)
    return arith::ShLIOp::create(b, loc, in[0], amount);
  if (isSigned(type()))
    return arith::ShRSIOp::create(b, loc, in[0], amount);
  return arith::ShRUIOp::create(b, loc, in[0], amount);
}

Value NodeBuilder::compare() {
  using F = arith::CmpFPredicate;
  using I = arith::CmpIPredicate;
  struct Row {
    NodeOp op;
    F f;
    I s, u;
  };
  static const Row rows[] = {{NodeOp::Eq, F::OEQ, I::eq, I::eq},
                             {NodeOp::Ne, F::UNE, I::ne, I::ne},
                             {NodeOp::Lt, F::OLT, I::slt, I::ult},
                             {NodeOp::Le, F::OLE, I::sle, I::ule},
                             {NodeOp::Gt, F::OGT, I::sgt, I::ugt},
                             {NodeOp::Ge, F::OGE, I::sge, I::uge}};
  for (const Row &row : rows)
    if (row.op == node.op)
      return isFloat(type())    ? cmpf(row.f, in[0], in[1])
             : isSigned(type()) ? cmpi(row.s, in[0], in[1])
                                : cmpi(row.u, in[0], in[1]);
  return {};
}

/// more, less, same: NaN stands first and is equal to itself, -0 is equal +0.
Value NodeBuilder::totalOrder() {
  Value x = in[0], y = in[1];
  if (!isFloat(type())) {
    Node plain = node;
    plain.op = node.op == NodeOp::More   ? NodeOp::Gt
               : node.op == NodeOp::Less ? NodeOp::Lt
                                         : NodeOp::Eq;
    return NodeBuilder{b, loc, plain, types, in}.compare();
  }
  if (node.op == NodeOp::Same)
    return logicalOr(cmpf(arith::CmpFPredicate::OEQ, x, y),
                     logicalAnd(isNan(x), isNan(y)));
  auto p = node.op == NodeOp::More ? arith::CmpFPredicate::UGT
                                   : arith::CmpFPredicate::ULT;
  // x first if y is a number, and x is NaN or beyond y.
  Value yIsNumber = cmpf(arith::CmpFPredicate::ORD, y, y);
  return logicalAnd(yIsNumber, cmpf(p, x, y));
}

/// Saturating, NaN -> 0, without an undefined conversion on the way.
Value NodeBuilder::floatToInteger(Value x, ScalarType to) {
  Type t = functionType(b.getContext(), to);
  auto f = mlir::cast<FloatType>(x.getType());
  unsigned width = t.getIntOrFloatBitWidth();
  bool sign = isSigned(to);
  llvm::APFloat low(f.getFloatSemantics()), high(f.getFloatSemantics());
  llvm::APInt lowBits = sign ? llvm::APInt::getSignedMinValue(width)
                             : llvm::APInt::getZero(width);
  llvm::APInt highBits = sign ? llvm::APInt::getSignedMaxValue(width)
                              : llvm::APInt::getMaxValue(width);
  low.convertFromAPInt(lowBits, sign, llvm::APFloat::rmTowardZero);
  // 2^n exactly: the first value that does not fit.
  high = llvm::APFloat(f.getFloatSemantics(), 1);
  high = llvm::scalbn(high, int(sign ? width - 1 : width),
                      llvm::APFloat::rmNearestTiesToEven);
  auto number = [&](const llvm::APFloat &v) -> Value {
    return arith::ConstantOp::create(b, loc, b.getFloatAttr(f, v));
  };
  auto integer = [&](const llvm::APInt &v) -> Value {
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(t, v));
  };
  Value tooHigh = cmpf(arith::CmpFPredicate::OGE, x, number(high));
  Value inside = logicalAnd(cmpf(arith::CmpFPredicate::OLT, x, number(high)),
                            cmpf(arith::CmpFPredicate::OGE, x, number(low)));
  Value tooLow = cmpf(arith::CmpFPredicate::OLT, x, number(low));
  Value safe = select(inside, x, number(llvm::APFloat(f.getFloatSemantics(), 0)));
  Value converted = sign ? Value(arith::FPToSIOp::create(b, loc, t, safe))
                         : Value(arith::FPToUIOp::create(b, loc, t, safe));
  Value saturated = select(tooHigh, integer(highBits), converted);
  return select(tooLow, integer(lowBits), saturated);
}

Value NodeBuilder::cast() {
  Value x = in[0];
  ScalarType from = type(), to = node.type;
  Type t = functionType(b.getContext(), to);
  if (from == to)
    return x;
  if (to == ScalarType::Bool)
    return isFloat(from) ? cmpf(arith::CmpFPredicate::UNE, x, zero())
                         : cmpi(arith::CmpIPredicate::ne, x, zero());
  if (isFloat(from) && isFloat(to))
    return byteSize(to) > byteSize(from)
               ? Value(arith::ExtFOp::create(b, loc, t, x))
               : Value(arith::TruncFOp::create(b, loc, t, x));
  if (isFloat(from))
    return floatToInteger(x, to);
  if (isFloat(to))
    return isSigned(from) ? Value(arith::SIToFPOp::create(b, loc, t, x))
                          : Value(arith::UIToFPOp::create(b, loc, t, x));
  unsigned have = x.getType().getIntOrFloatBitWidth();
  unsigned want = t.getIntOrFloatBitWidth();
  if (have == want)
    return x;
  if (have > want)
    return arith::TruncIOp::create(b, loc, t, x);
  return isSigned(from) ? Value(arith::ExtSIOp::create(b, loc, t, x))
                        : Value(arith::ExtUIOp::create(b, loc, t, x));
}

Value NodeBuilder::minMax() {
  bool min = node.op == NodeOp::Min;
  Value x = in[0], y = in[1];
  // llvm.minimum/maximum: NaN wins, -0 below +0.
  if (isFloat(type()))
    return min ? Value(arith::MinimumFOp::create(b, loc, x, y))
               : Value(arith::MaximumFOp::create(b, loc, x, y));
  if (isSigned(type()))
    return min ? Value(arith::MinSIOp::create(b, loc, x, y))
               : Value(arith::MaxSIOp::create(b, loc, x, y));
  return min ? Value(arith::MinUIOp::create(b, loc, x, y))
             : Value(arith::MaxUIOp::create(b, loc, x, y));
}

Value NodeBuilder::arithmetic() {
  Value x = in[0], y = in.size() > 1 ? in[1] : Value();
  bool f = isFloat(type());
  Type t = x.getType();
  switch (node.op) {
  case NodeOp::Add:
    return f ? Value(arith::AddFOp::create(b, loc, x, y))
             : Value(arith::AddIOp::create(b, loc, x, y));
  case NodeOp::Sub:
    return f ? Value(arith::SubFOp::create(b, loc, x, y))
             : Value(arith::SubIOp::create(b, loc, x, y));
  case NodeOp::Mul:
    return f ? Value(arith::MulFOp::create(b, loc, x, y))
             : Value(arith::MulIOp::create(b, loc, x, y));
  case NodeOp::And:
    return logicalAnd(x, y);
  case NodeOp::Or:
    return logicalOr(x, y);
  case NodeOp::Xor:
    return arith::XOrIOp::create(b, loc, x, y);
  case NodeOp::Neg:
    return f ? Value(arith::NegFOp::create(b, loc, x))
             : Value(arith::SubIOp::create(b, loc, zero(), x));
  case NodeOp::Not:
    return arith::XOrIOp::create(b, loc, x, constant(t, -1));
  case NodeOp::Abs:
    if (f)
      return LLVM::FAbsOp::create(b, loc, x);
    if (!isSigned(type()))
      return x;
    return arith::MaxSIOp::create(b, loc, x,
                                  arith::SubIOp::create(b, loc, zero(), x));
  case NodeOp::Sqrt:
    return LLVM::SqrtOp::create(b, loc, x);
  case NodeOp::Rsqrt:
    return arith::DivFOp::create(b, loc, constant(t, 1),
                                 LLVM::SqrtOp::create(b, loc, x));
  case NodeOp::Fma:
    return LLVM::FMAOp::create(b, loc, x, y, in[2]);
  case NodeOp::Floor:
    return f ? Value(LLVM::FFloorOp::create(b, loc, x)) : x;
  case NodeOp::Ceil:
    return f ? Value(LLVM::FCeilOp::create(b, loc, x)) : x;
  default:
    return {};
  }
}

Value NodeBuilder::build() {
  switch (node.op) {
  case NodeOp::Constant:
    return literal();
  case NodeOp::Div:
  case NodeOp::Rem:
    return divide(node.op == NodeOp::Rem);
  case NodeOp::Shl:
  case NodeOp::Shr:
    return shift();
  case NodeOp::Eq:
  case NodeOp::Ne:
  case NodeOp::Lt:
  case NodeOp::Le:
  case NodeOp::Gt:
  case NodeOp::Ge:
    return compare();
  case NodeOp::More:
  case NodeOp::Less:
  case NodeOp::Same:
    return totalOrder();
  case NodeOp::Select:
    return select(in[0], in[1], in[2]);
  case NodeOp::Cast:
    return cast();
  case NodeOp::Bitcast: {
    Type t = functionType(b.getContext(), node.type);
    return in[0].getType() == t ? Value(in[0])
                                : arith::BitcastOp::create(b, loc, t, in[0]);
  }
  case NodeOp::Min:
  case NodeOp::Max:
    return minMax();
  case NodeOp::IsNan:
    return isFloat(type())
               ? isNan(in[0])
               : arith::ConstantOp::create(b, loc, b.getBoolAttr(false));
  default:
    return arithmetic();
  }
}

Value wf::buildNode(OpBuilder &b, Location loc, const Node &node,
                    llvm::ArrayRef<ScalarType> types, ValueRange operands) {
  return NodeBuilder{b, loc, node, types, operands}.build();
}
