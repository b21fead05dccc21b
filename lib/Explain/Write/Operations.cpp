//===- Operations.cpp - Operations as pseudo-code writes them -------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Write/Statements.h"
#include "Explain/Write/Words.h"

using namespace wf::explain;

namespace {
/// $0, $1, $2 stand for operands.
struct Form {
  Op op;
  const char *text;
};
} // namespace

static const Form forms[] = {
    {Op::Move, "$0"},
    {Op::Special, "$0"},
    {Op::LoadConstant, "$0"},
    {Op::Select, "$0 ? $1 : $2"},
    {Op::Add, "$0 + $1"},
    {Op::Sub, "$0 - $1"},
    {Op::Mul, "$0 * $1"},
    {Op::Mad, "$0 * $1 + $2"},
    {Op::Fma, "fma($0, $1, $2)"},
    {Op::Div, "$0 / $1"},
    {Op::Shl, "$0 << $1"},
    {Op::ShrLogical, "$0 >> $1"},
    {Op::ShrArith, "$0 >> $1"},
    {Op::And, "$0 & $1"},
    {Op::Or, "$0 | $1"},
    {Op::Xor, "$0 ^ $1"},
    {Op::Not, "~$0"},
    {Op::Neg, "-$0"},
    {Op::Abs, "abs($0)"},
    {Op::Min, "min($0, $1)"},
    {Op::Max, "max($0, $1)"},
    {Op::MulHi, "mulhi($0, $1)"},
    {Op::Rcp, "1 / $0"},
    {Op::Rsqrt, "rsqrt($0)"},
    {Op::Sqrt, "sqrt($0)"},
    {Op::Exp2, "exp2($0)"},
    {Op::Log2, "log2($0)"},
    {Op::PopCount, "popcount($0)"},
    {Op::LeadingBit, "highest_bit($0)"},
    {Op::TrailingBit, "lowest_bit($0)"},
    {Op::LaneMask, "lanes_below()"},
    {Op::LaneCount, "lanes_below($0, $1)"},
};

static const char *comparison(Cmp cmp) {
  switch (cmp) {
  case Cmp::Eq:
    return " == ";
  case Cmp::Ne:
    return " != ";
  case Cmp::Lt:
    return " < ";
  case Cmp::Le:
    return " <= ";
  case Cmp::Gt:
    return " > ";
  case Cmp::Ge:
    return " >= ";
  default:
    return "";
  }
}

static std::string call(std::string_view name,
                        const std::vector<std::string> &args) {
  std::string out(name);
  for (char &c : out)
    if (c == ' ')
      c = '_';
  out += "(";
  for (size_t n = 0; n < args.size(); ++n)
    out += (n ? ", " : "") + args[n];
  return out + ")";
}

/// An operand that is itself an operation is put in parentheses.
static std::string grouped(const std::string &text) {
  int depth = 0;
  for (size_t n = 0; n + 1 < text.size(); ++n) {
    char c = text[n];
    depth += c == '(' || c == '[';
    depth -= c == ')' || c == ']';
    if (c == ' ' && depth == 0)
      return "(" + text + ")";
  }
  return text;
}

std::string wf::explain::operationText(Op op, Type type, Cmp cmp,
                                       const std::vector<std::string> &args) {
  if (op == Op::Compare && args.size() >= 2 && *comparison(cmp))
    return grouped(args[0]) + comparison(cmp) + grouped(args[1]);
  if (op == Op::Convert && args.size() == 1)
    return "(" + std::string(words::typeName(type)) + ")" + grouped(args[0]);
  // Three-operand forms of associative operations.
  if ((op == Op::Add || op == Op::And || op == Op::Or || op == Op::Xor) &&
      args.size() > 2) {
    const char *sign = op == Op::Add   ? " + "
                       : op == Op::And ? " & "
                       : op == Op::Or  ? " | "
                                       : " ^ ";
    std::string out;
    for (size_t n = 0; n < args.size(); ++n)
      out += (n ? sign : "") + grouped(args[n]);
    return out;
  }
  for (const Form &form : forms) {
    if (form.op != op)
      continue;
    std::string out;
    bool inCall =
        std::string_view(form.text).find('(') != std::string_view::npos;
    bool whole = std::string_view(form.text) == "$0";
    for (const char *c = form.text; *c; ++c) {
      if (*c != '$') {
        out += *c;
        continue;
      }
      size_t n = size_t(*++c - '0');
      if (n >= args.size())
        return call(opName(op), args);
      out += inCall || whole ? args[n] : grouped(args[n]);
    }
    return out;
  }
  return call(opName(op), args);
}
