//===- Expression.cpp - A value as a reader would write it ----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Flow/Printer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>

using namespace wf::explain;

using Kind = Value::Kind;

/// Nodes of one text; what is longer nobody reads.
constexpr int mostNodes = 160;

namespace {
struct Infix {
  Op op;
  const char *sign;
  Precedence precedence;
};
} // namespace

static constexpr Infix infixes[] = {
    {Op::And, "&", bitAnd},        {Op::Or, "|", bitOr},
    {Op::Xor, "^", bitXor},        {Op::Shl, "<<", shift},
    {Op::ShrLogical, ">>", shift}, {Op::ShrArith, ">>", shift},
    {Op::Div, "/", product},       {Op::Rem, "%", product},
};

static std::string integerText(int64_t imm, bool asBits) {
  char text[32];
  uint64_t size = imm < 0 ? 0 - uint64_t(imm) : uint64_t(imm);
  if (asBits ? size > 9 : size > 65536)
    std::snprintf(text, sizeof text, "0x%llx",
                  (unsigned long long)(imm < 0 && imm >= INT32_MIN
                                           ? uint64_t(uint32_t(imm))
                                           : uint64_t(imm)));
  else
    std::snprintf(text, sizeof text, "%lld", (long long)imm);
  return text;
}

static std::string floatText(double number) {
  if (std::isnan(number))
    return "NaN";
  if (std::isinf(number))
    return number < 0 ? "-INFINITY" : "INFINITY";
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", number);
  std::string out = text;
  if (out.find_first_of(".e") == std::string::npos)
    out += ".0";
  return out;
}

std::string Printer::wrapped(std::string text, int have, int need) const {
  return have < need ? "(" + text + ")" : text;
}

/// Pointers first, then what is scaled, then what is not, then constants.
int Printer::rankInSum(ValueId id) const {
  const Value &v = a.value(id);
  if (v.kind == Kind::Constant)
    return 3;
  if (isWide(v) && (v.kind == Kind::Parameter || v.kind == Kind::Load))
    return 0;
  if (v.kind == Kind::Symbol && (v.name == "shared" || v.name == "stack" ||
                                 (isPtx(a) && v.name.find('.') == v.name.npos)))
    return 0;
  while (true) {
    const Value &inner = a.value(id);
    if (inner.kind != Kind::Operation || inner.op != Op::Convert)
      break;
    id = inner.args[0];
  }
  const Value &inner = a.value(id);
  return inner.kind == Kind::Operation && inner.op == Op::Mul ? 1 : 2;
}

std::string Printer::sumText(ValueId id, int depth, int need) {
  struct Term {
    ValueId id;
    bool minus;
  };
  std::vector<Term> terms, work = {{id, false}};
  const Type type = a.value(id).type;
  while (!work.empty() && terms.size() < 16) {
    Term top = work.back();
    work.pop_back();
    const Value &v = a.value(top.id);
    bool opens = v.kind == Kind::Operation && v.type == type &&
                 (v.op == Op::Add || v.op == Op::Sub) &&
                 (!isFloat(type) || top.id == id) && !renamed(top.id) &&
                 v.name.empty();
    if (!opens) {
      terms.push_back(top);
      continue;
    }
    for (size_t k = v.args.size(); k-- > 0;)
      work.push_back({v.args[k], top.minus != (v.op == Op::Sub && k > 0)});
  }
  const bool cut = !work.empty();
  if (!isFloat(type)) {
    std::vector<Term> ordered;
    for (int rank = 0; rank < 4; ++rank)
      for (const Term &term : terms)
        if (rankInSum(term.id) == rank)
          ordered.push_back(term);
    terms = std::move(ordered);
  }
  if (terms.empty())
    return "0";
  if (terms[0].minus)
    for (size_t k = 1; k < terms.size(); ++k)
      if (!terms[k].minus && a.value(terms[k].id).kind != Kind::Constant) {
        std::swap(terms[0], terms[k]);
        break;
      }
  std::string out;
  for (size_t k = 0; k < terms.size(); ++k) {
    const Value &v = a.value(terms[k].id);
    bool minus = terms[k].minus;
    std::string term;
    if (v.kind == Kind::Constant && v.imm < 0 && v.imm > INT32_MIN && k > 0) {
      minus = !minus;
      term = integerText(-v.imm, false);
    } else if (isPredicate(v)) {
      term = "carry"; // of the words below
    } else {
      term = text(terms[k].id, depth - 1, minus ? product : sum);
    }
    if (k == 0)
      out = (minus ? "-" : "") + term;
    else
      out += (minus ? " - " : " + ") + term;
  }
  if (cut)
    out += " + …";
  return wrapped(out, sum, need);
}

std::string Printer::productText(const Value &v, int depth, int need) {
  ValueId x = v.args[0], y = v.args[1];
  const Value &second = a.value(y);
  if (second.kind == Kind::Symbol && second.name.starts_with("blockIdx"))
    std::swap(x, y);
  return wrapped(text(x, depth - 1, product) + " * " +
                     text(y, depth - 1, product + 1),
                 product, need);
}

std::string Printer::call(std::string name, const std::vector<ValueId> &args,
                          int depth) {
  std::string out = std::move(name) + "(";
  for (size_t k = 0; k < args.size() && k < 4; ++k)
    out += (k ? ", " : "") + text(args[k], depth - 1, 0);
  return out + (args.size() > 4 ? ", …)" : ")");
}

static const char *castOf(Type type) {
  switch (type) {
  case Type::F16:
    return "(half)";
  case Type::BF16:
    return "(bfloat16)";
  case Type::F32:
    return "(float)";
  case Type::F64:
    return "(double)";
  case Type::U32:
    return "(unsigned)";
  case Type::U64:
    return "(uint64_t)";
  case Type::S64:
    return "(int64_t)";
  default:
    return "(int)";
  }
}

/// Names of C's library, or the operation's own in lower case.
static std::string functionName(const Value &v) {
  switch (v.op) {
  case Op::Rcp:
    return "rcp";
  case Op::Exp2:
    return "exp2";
  case Op::Log2:
    return "log2";
  case Op::PopCount:
    return "popcount";
  case Op::Mad:
    return "mad";
  case Op::TrailingBit:
    return "ctz";
  default:
    break;
  }
  std::string name(opName(v.op));
  std::string out;
  for (char c : name)
    if (c >= 'A' && c <= 'Z')
      out += char(c - 'A' + 'a');
    else
      out += (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c : '_';
  return out.empty() ? "op" : out;
}

std::string Printer::operation(ValueId id, const Value &v, int depth,
                               int need) {
  if (isPredicate(v) && v.op != Op::CarryOut && v.op != Op::BorrowOut &&
      (v.op == Op::Compare || v.op == Op::Not || v.op == Op::And ||
       v.op == Op::Or))
    return truth(id, false, depth, need);
  const bool saved = reals;
  reals = isFloat(v.type);
  std::string out;
  if (v.op == Op::Add || v.op == Op::Sub) {
    out = sumText(id, depth, need);
  } else if (v.op == Op::Mul && v.args.size() == 2) {
    out = productText(v, depth, need);
  } else if (v.op == Op::Fma && v.args.size() == 3) {
    out = wrapped(text(v.args[0], depth - 1, product) + " * " +
                      text(v.args[1], depth - 1, product + 1) + " + " +
                      text(v.args[2], depth - 1, sum),
                  sum, need);
  } else if (v.op == Op::Select && v.args.size() == 3) {
    reals = reals || looksReal(v.args[1]) || looksReal(v.args[2]);
    out = choice(v, depth, need);
  } else if (v.op == Op::Convert && v.args.size() == 1) {
    bool widens = bitsOf(v.type) == 64 && !isFloat(v.type) && !isFloat(v.from);
    out = widens ? text(v.args[0], depth, need)
                 : castOf(v.type) + text(v.args[0], depth - 1, unary);
  } else if ((v.op == Op::Neg || v.op == Op::Not) && v.args.size() == 1) {
    out = wrapped((v.op == Op::Neg ? "-" : "~") +
                      text(v.args[0], depth - 1, unary),
                  unary, need);
  } else {
    const auto *infix =
        std::find_if(std::begin(infixes), std::end(infixes),
                     [&](const Infix &row) { return row.op == v.op; });
    if (infix != std::end(infixes) && v.args.size() == 2) {
      bits = v.op == Op::And || v.op == Op::Or || v.op == Op::Xor;
      // C would take a sum within a shift; a reader would not.
      std::string left =
          text(v.args[0], depth - 1,
               infix->precedence == shift ? product : infix->precedence);
      bits = v.op == Op::And || v.op == Op::Or || v.op == Op::Xor;
      out = wrapped(left + " " + infix->sign + " " +
                        text(v.args[1], depth - 1, infix->precedence + 1),
                    infix->precedence, need);
      bits = false;
    } else {
      out = call(functionName(v), v.args, depth);
    }
  }
  reals = saved;
  return out;
}

std::string Printer::choice(const Value &v, int depth, int need) {
  std::string out = truth(v.args[0], false, depth - 1, orElse) + " ? " +
                    text(v.args[1], depth - 1, orElse) + " : " +
                    text(v.args[2], depth - 1, ternary);
  return wrapped(out, ternary, need);
}

std::string Printer::leaf(const Value &v) {
  switch (v.kind) {
  case Kind::Constant:
    if (reals && v.type != Type::Pred && bitsOf(v.type) == 32)
      return floatText(double(std::bit_cast<float>(uint32_t(v.imm))));
    if (v.type == Type::Pred)
      return v.imm ? "true" : "false";
    return integerText(v.imm, bits);
  case Kind::Float:
    return floatText(v.number);
  case Kind::Symbol:
    return v.name;
  case Kind::Parameter:
    return parameterText(a, v);
  default:
    return a.program.registerName(v.reg);
  }
}

std::string Printer::text(ValueId id, int depth, int need) {
  if (id >= a.values.size())
    return "?";
  if (const std::string *name = renamed(id))
    return *name;
  const Value &v = a.value(id);
  if (v.kind == Kind::Constant || v.kind == Kind::Float ||
      v.kind == Kind::Symbol || v.kind == Kind::Parameter ||
      v.kind == Kind::Undefined)
    return leaf(v);
  bits = false;
  bool shifts = v.kind == Kind::Operation &&
                (v.op == Op::ShrLogical || v.op == Op::ShrArith);
  if (shifts && !v.name.empty())
    return v.name; // a stride
  if (v.kind == Kind::Phi)
    return v.name.empty() ? "phi(" + a.program.registerName(v.reg) + ")"
                          : v.name;
  if (depth <= 0 || budget-- <= 0)
    return "…";
  switch (v.kind) {
  case Kind::Load:
    return element(v, depth);
  case Kind::Operation:
    return operation(id, v, depth, need);
  case Kind::Gamma: {
    bool saved = reals;
    reals = reals || looksReal(v.args[1]) || looksReal(v.args[2]);
    std::string out = choice(v, depth, need);
    reals = saved;
    return out;
  }
  case Kind::High:
    return "high(" + text(v.args[0], depth - 1, 0) + ")";
  case Kind::Low:
    return "low(" + text(v.args[0], depth - 1, 0) + ")";
  case Kind::Pair:
    return "{" + text(v.args[1], depth - 1, 0) + ", " +
           text(v.args[0], depth - 1, 0) + "}";
  default: // a Result
    return call(functionName(v), v.args, depth);
  }
}

/// Whether a value's bits are a float's: by what made it, or by the type of
/// the parameter that it was loaded through.
bool Printer::looksReal(ValueId id, int depth) const {
  const Value &v = a.value(id);
  if (isFloat(v.type) && v.kind != Kind::Symbol)
    return !isPredicate(v);
  if (v.kind == Kind::Load) {
    Address address = splitAddress(a, v.args[0], Space::Global);
    return address.root == Address::Root::Parameter &&
           parameterType(a, a.value(address.base).imm).find("float") !=
               std::string::npos;
  }
  if (v.kind == Kind::Gamma && depth > 0)
    return looksReal(v.args[1], depth - 1) || looksReal(v.args[2], depth - 1);
  return false;
}

const std::string *Printer::renamed(ValueId id) const {
  for (const auto &[value, name] : names)
    if (value == id)
      return &name;
  return nullptr;
}

std::string wf::explain::expression(const Analysis &a, ValueId id, int depth) {
  Printer printer{a, mostNodes};
  return printer.text(id, depth, 0);
}

std::string wf::explain::condition(const Analysis &a, ValueId id,
                                   bool negated) {
  if (id >= a.values.size())
    return negated ? "false" : "true";
  Printer printer{a, mostNodes};
  return printer.truth(id, negated, 8, 0);
}
