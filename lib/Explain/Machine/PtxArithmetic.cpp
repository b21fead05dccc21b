//===- PtxArithmetic.cpp - PTX's arithmetic, compares and moves -----------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Machine/PtxDecode.h"

#include <algorithm>
#include <iterator>

namespace wf::explain::ptx {

namespace {
struct Row {
  std::string_view root;
  Op op;
  std::string_view detail = {};
};
struct CmpRow {
  std::string_view name;
  Cmp cmp;
  bool unordered = false;
};
} // namespace

/// Opcodes whose first operand is the result and whose others are sources.
static constexpr Row plainOps[] = {
    {"add", Op::Add},
    {"sub", Op::Sub},
    {"mul", Op::Mul},
    {"mul24", Op::Mul, "24"},
    {"mad", Op::Mad},
    {"mad24", Op::Mad, "24"},
    {"fma", Op::Fma},
    {"div", Op::Div},
    {"rem", Op::Rem},
    {"abs", Op::Abs},
    {"neg", Op::Neg},
    {"min", Op::Min},
    {"max", Op::Max},
    {"sad", Op::AbsDiff},
    {"and", Op::And},
    {"or", Op::Or},
    {"xor", Op::Xor},
    {"not", Op::Not},
    {"shl", Op::Shl},
    {"shf", Op::FunnelShift},
    {"prmt", Op::Permute},
    {"bfe", Op::BitField},
    {"bfi", Op::BitInsert},
    {"bfind", Op::LeadingBit},
    {"clz", Op::LeadingBit, "clz"},
    {"popc", Op::PopCount},
    {"brev", Op::BitReverse},
    {"fns", Op::LeadingBit, "fns"},
    {"szext", Op::BitField, "szext"},
    {"bmsk", Op::BitField, "bmsk"},
    {"dp4a", Op::Dot},
    {"dp2a", Op::Dot},
    {"selp", Op::Select},
    {"slct", Op::Select, "slct"},
    {"rcp", Op::Rcp},
    {"sqrt", Op::Sqrt},
    {"rsqrt", Op::Rsqrt},
    {"sin", Op::Sin},
    {"cos", Op::Cos},
    {"lg2", Op::Log2},
    {"ex2", Op::Exp2},
    {"tanh", Op::Tanh},
    {"copysign", Op::BitInsert, "copysign"},
    {"testp", Op::ClassTest},
    {"isspacep", Op::ClassTest},
    {"mapa", Op::ClusterAddress},
    {"getctarank", Op::ClusterAddress, "rank"},
    {"vadd", Op::Add, "video"},
    {"vsub", Op::Sub, "video"},
    {"vabsdiff", Op::AbsDiff, "video"},
    {"vmin", Op::Min, "video"},
    {"vmax", Op::Max, "video"},
    {"vmad", Op::Mad, "video"},
    {"vshl", Op::Shl, "video"},
    {"vshr", Op::ShrLogical, "video"},
    {"vadd2", Op::Add, "video"},
    {"vsub2", Op::Sub, "video"},
    {"vavrg2", Op::Add, "average"},
    {"vabsdiff2", Op::AbsDiff, "video"},
    {"vmin2", Op::Min, "video"},
    {"vmax2", Op::Max, "video"},
    {"vadd4", Op::Add, "video"},
    {"vsub4", Op::Sub, "video"},
    {"vavrg4", Op::Add, "average"},
    {"vabsdiff4", Op::AbsDiff, "video"},
    {"vmin4", Op::Min, "video"},
    {"vmax4", Op::Max, "video"},
};

static constexpr CmpRow comparisons[] = {
    {"eq", Cmp::Eq},        {"ne", Cmp::Ne},        {"lt", Cmp::Lt},
    {"le", Cmp::Le},        {"gt", Cmp::Gt},        {"ge", Cmp::Ge},
    {"lo", Cmp::Lt},        {"ls", Cmp::Le},        {"hi", Cmp::Gt},
    {"hs", Cmp::Ge},        {"equ", Cmp::Eq, true}, {"neu", Cmp::Ne, true},
    {"ltu", Cmp::Lt, true}, {"leu", Cmp::Le, true}, {"gtu", Cmp::Gt, true},
    {"geu", Cmp::Ge, true}, {"num", Cmp::Ordered},  {"nan", Cmp::Unordered},
};

/// The carry of add.cc and its kin: one register, and never named in the text.
static Source carry(Context &c) {
  Source s;
  s.kind = Source::Kind::Register;
  s.reg = c.names.reg("CC.CF");
  s.reg.cls = RegClass::Predicate;
  return s;
}

static void carryOut(Context &c, Op op) {
  Effect copy = c.out.effects.back();
  copy.op = op;
  copy.type = Type::Pred;
  copy.from = c.m.type();
  copy.def = Def{carry(c).reg, 1};
  c.out.effects.push_back(std::move(copy));
}

static Type widened(Type type) {
  switch (type) {
  case Type::U16:
    return Type::U32;
  case Type::S16:
    return Type::S32;
  case Type::U32:
    return Type::U64;
  case Type::S32:
    return Type::S64;
  default:
    return type;
  }
}

static void multiply(Context &c, Effect &e) {
  if (c.m.has("wide")) {
    e.from = c.m.type();
    e.type = widened(c.m.type());
    e.wide = true;
  } else if (c.m.has("hi")) {
    if (e.op == Op::Mul)
      e.op = Op::MulHi;
    else
      e.detail = "hi";
  }
  // mad of floats is fused on every chip still supported.
  if (e.op == Op::Mad && !c.m.has("lo") && !c.m.has("hi") && !e.wide &&
      c.m.root == "mad")
    e.op = Op::Fma;
}

static bool isLogical(std::string_view part) {
  return part == "and" || part == "or" || part == "xor";
}

/// setp.lt.and.s32 p|q, a, b, c: p = (a < b) & c, q = !(a < b) & c.
static bool compare(Context &c) {
  const CmpRow *row = nullptr;
  for (std::string_view part : c.m.parts) {
    auto found = std::find_if(std::begin(comparisons), std::end(comparisons),
                              [&](const CmpRow &r) { return r.name == part; });
    if (found != std::end(comparisons)) {
      row = found;
      break;
    }
  }
  if (!row)
    return false;
  bool set = c.m.root == "set";
  std::string_view target = c.operand(0);
  size_t bar = target.find('|');
  Effect &e =
      c.plain(Op::Compare, c.m.types.empty() ? Type::B32 : c.m.types.back());
  e.cmp = row->cmp;
  e.unordered = row->unordered;
  e.def = c.names.def(target.substr(0, bar));
  for (std::string_view part : c.m.parts)
    if (isLogical(part))
      e.detail = part;
  if (set)
    e.detail += e.detail.empty() ? "set" : ".set";
  if (bar == std::string_view::npos)
    return true;
  Effect second = e;
  second.def = c.names.def(target.substr(bar + 1));
  second.cmp = inverse(row->cmp);
  bool partial = row->cmp != Cmp::Ordered && row->cmp != Cmp::Unordered;
  second.unordered = isFloat(second.type) && partial && !row->unordered;
  c.out.effects.push_back(std::move(second));
  return true;
}

static Op roundingOf(const Mnemonic &m) {
  if (m.has("rni"))
    return Op::Round;
  if (m.has("rzi"))
    return Op::Trunc;
  if (m.has("rmi"))
    return Op::Floor;
  return m.has("rpi") ? Op::Ceil : Op::Convert;
}

static void convert(Context &c) {
  if (c.m.has("pack")) {
    c.plain(Op::Pack, c.m.type()).detail = c.m.rest();
    return;
  }
  Type to = c.m.type(0), from = c.m.type(1);
  Op op = to == from && isFloat(to) ? roundingOf(c.m) : Op::Convert;
  Effect &e = c.plain(op, to);
  e.from = from;
  e.detail = c.m.rest();
}

/// mov also packs and unpacks: {%r1, %r2} of %rd1, and back.
static void move(Context &c) {
  std::string_view to = c.operand(0), from = c.operand(1);
  bool unpacks = !to.empty() && to[0] == '{';
  bool packs = !from.empty() && from[0] == '{';
  Type type = c.m.type();
  if (unpacks && !packs) {
    auto defs = c.names.defs(to);
    unsigned bits = bitsOf(type), each = defs.empty() ? 0 : bits / defs.size();
    for (size_t i = 0; i < defs.size(); ++i) {
      Effect &e = c.add(Op::Move, each == 8    ? Type::B8
                                  : each == 16 ? Type::B16
                                  : each == 32 ? Type::B32
                                               : Type::B64);
      e.def = defs[i];
      Source s = c.names.source(from);
      s.part = each == 8 ? "b" : each == 16 ? "h" : each == 32 ? "w" : "d";
      s.part += std::to_string(i);
      e.in.push_back(std::move(s));
    }
    return;
  }
  if (unpacks) { // a vector's move, element by element
    auto defs = c.names.defs(to);
    auto sources = c.names.sources(from);
    for (size_t i = 0; i < std::min(defs.size(), sources.size()); ++i) {
      Effect &e = c.add(Op::Move, type);
      e.def = defs[i];
      e.in.push_back(sources[i]);
    }
    return;
  }
  Effect &e = c.plain(packs ? Op::Pack : Op::Move, type);
  if (e.in.size() == 1 && e.in[0].kind == Source::Kind::Special)
    e.op = Op::Special;
}

static bool carries(Context &c) {
  std::string_view root = c.m.root;
  bool out = c.m.has("cc") &&
             (root.substr(0, 3) == "add" || root.substr(0, 3) == "sub" ||
              root.substr(0, 3) == "mad");
  bool in = root == "addc" || root == "subc" || root == "madc";
  if (!out && !in)
    return false;
  bool subtracts = root[0] == 's';
  Op op = root[0] == 'a' ? Op::Add : subtracts ? Op::Sub : Op::Mad;
  Effect &e = c.plain(op, c.m.type());
  if (op == Op::Mad && c.m.has("hi"))
    e.detail = "hi";
  if (in) {
    e.carryIn = true;
    e.in.push_back(carry(c));
  }
  if (out)
    carryOut(c, subtracts ? Op::BorrowOut : Op::CarryOut);
  return true;
}

bool decodeArithmetic(Context &c) {
  std::string_view root = c.m.root;
  if (root == "mov") {
    move(c);
    return true;
  }
  if (root == "setp" || root == "set")
    return compare(c);
  if (root == "cvt") {
    convert(c);
    return true;
  }
  if (root == "cvta") {
    c.plain(Op::Move, c.m.type()).detail = c.m.rest();
    return true;
  }
  if (root == "shr") {
    c.plain(isSigned(c.m.type()) ? Op::ShrArith : Op::ShrLogical, c.m.type());
    return true;
  }
  if (root == "cnot") { // 1 where the operand is 0
    Effect &e = c.plain(Op::Compare, c.m.type());
    e.cmp = Cmp::Eq;
    e.detail = "set";
    e.in.emplace_back();
    return true;
  }
  if (root == "lop3") {
    Effect &e = c.plain(Op::Lop3, c.m.type());
    if (e.in.size() >= 4) {
      e.lut = static_cast<uint8_t>(e.in[3].imm);
      e.in.erase(e.in.begin() + 3);
    }
    return true;
  }
  if (carries(c))
    return true;
  auto row = std::find_if(std::begin(plainOps), std::end(plainOps),
                          [&](const Row &r) { return r.root == root; });
  if (row == std::end(plainOps))
    return false;
  Effect &e = c.plain(row->op, c.m.type());
  std::string said(row->detail);
  if (said.empty())
    said = c.m.rest();
  if (said == "lo" || said == "hi" || said == "wide")
    said.clear(); // the operation says it
  e.detail = said;
  if (row->op == Op::Mul || row->op == Op::Mad)
    multiply(c, e);
  bool isTest = row->op == Op::ClassTest;
  if (isTest)
    e.type = Type::Pred;
  return true;
}

} // namespace wf::explain::ptx
