//===- IrRegion.cpp - Operations, places and regions of MLIR's text -------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Inspect/IrReader.h"
#include "Explain/Inspect/IrTypes.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdlib>

namespace wf::explain::ir {

Head headAt(const Tokens &t, size_t at, size_t limit) {
  Head head;
  size_t i = at;
  if (t[i].kind == Token::Kind::Value) {
    head.result = t[i++].text;
    if (t.is(i, ":"))
      i += 2;
    if (t.is(i, "="))
      ++i;
  }
  if (i >= limit) {
    head.at = head.end = limit;
    return head;
  }
  head.at = i;
  head.name = t[i++].text;
  for (; i < limit; ++i) {
    if (t.is(i, ":") || t.startsOperation(i) || t.word(i, "loc") ||
        t.kind(i, Token::Kind::Block))
      break;
    if (t.is(i, "{")) { // attributes; a region's bracket ends the operands
      if (t.close[i] == i || t.kind(i + 1, Token::Kind::Block) ||
          t.startsOperation(i + 1))
        break;
      i = t.close[i];
    } else if (t[i].kind == Token::Kind::Value) {
      head.operands.push_back(t[i].text);
    }
  }
  head.end = i;
  return head;
}

std::vector<std::string_view> typesFrom(const Tokens &t, size_t from,
                                        size_t limit) {
  std::vector<std::string_view> types;
  for (size_t i = from; i < limit; ++i) {
    if (t.startsOperation(i) || t.word(i, "loc") || t.is(i, "{") ||
        t.is(i, "}") || t[i].kind == Token::Kind::Block)
      break;
    if (t[i].kind == Token::Kind::Type ||
        (t[i].kind == Token::Kind::Word && t[i].text != "to"))
      types.push_back(t[i].text);
  }
  return types;
}

/// The place that tokens [from, to) give.
bool Places::resolve(size_t from, size_t to, int &steps,
                     SourceLine &place) const {
  if (from >= to || --steps < 0)
    return false;
  const Token &first = t[from];
  if (first.kind == Token::Kind::Attribute) {
    auto found = at.find(first.text);
    return found != at.end() &&
           resolve(found->second + 1, t.close[found->second], steps, place);
  }
  if (first.kind == Token::Kind::String) {
    if (t.is(from + 1, ":") && t.kind(from + 2, Token::Kind::Number)) {
      place.file = first.text;
      std::string_view n = t[from + 2].text;
      std::from_chars(n.data(), n.data() + n.size(), place.line);
      return true;
    }
    return t.is(from + 1, "(") &&
           resolve(from + 2, t.close[from + 1], steps, place);
  }
  if (first.text == "callsite" && t.is(from + 1, "(")) {
    size_t end = t.close[from + 1];
    size_t middle = from + 2;
    for (int depth = 0; middle < end; ++middle) {
      depth += t.is(middle, "(") ? 1 : t.is(middle, ")") ? -1 : 0;
      if (depth == 0 && t.word(middle, "at"))
        break;
    }
    return resolve(middle + 1, end, steps, place) ||
           resolve(from + 2, middle, steps, place);
  }
  if (first.text == "fused" || first.is("["))
    for (size_t i = from + 1; i < to; ++i)
      if (t[i].kind == Token::Kind::Attribute ||
          t[i].kind == Token::Kind::String)
        return resolve(i, to, steps, place);
  if (first.text == "loc" && t.is(from + 1, "("))
    return resolve(from + 2, t.close[from + 1], steps, place);
  return false;
}

SourceLine Places::find(size_t open) const {
  SourceLine place;
  int steps = 200;
  if (!t.is(open, "(") || !resolve(open + 1, t.close[open], steps, place))
    return {};
  return place;
}

/// "5.0e-01", "0x7F800000" (bits, where the type is a float's), "true", "-1".
static Scalar scalarOf(std::string_view text, std::string_view type) {
  Scalar value;
  if (text == "true" || text == "false") {
    value.i = text == "true";
    return value;
  }
  bool minus = text.substr(0, 1) == "-";
  std::string_view digits = minus ? text.substr(1) : text;
  bool hex = digits.substr(0, 2) == "0x";
  uint64_t whole = 0;
  std::from_chars(digits.data() + (hex ? 2 : 0), digits.data() + digits.size(),
                  whole, hex ? 16 : 10);
  value.i = static_cast<int64_t>(minus ? 0 - whole : whole);
  if (!isFloatType(type))
    return value;
  if (!hex) {
    value.f = std::strtod(std::string(text).c_str(), nullptr);
  } else if (type == "f64") {
    value.f = std::bit_cast<double>(whole);
  } else if (type == "bf16") {
    value.f = std::bit_cast<float>(static_cast<uint32_t>(whole) << 16);
  } else if (type == "f16") { // infinities and NaN are printed so
    bool nan = (whole & 0x3ff) != 0;
    value.f = nan ? __builtin_nan("") : __builtin_inf();
    value.f = (whole & 0x8000) != 0 ? -value.f : value.f;
  } else {
    value.f = std::bit_cast<float>(static_cast<uint32_t>(whole));
  }
  return value;
}

std::optional<Scalar> constantAt(const Tokens &t, const Head &head,
                                 std::string_view type) {
  for (size_t i = head.at + 1; i < t.size() && i < head.at + 8; ++i) {
    const Token &token = t[i];
    if (token.kind == Token::Kind::Number || token.text == "true" ||
        token.text == "false")
      return scalarOf(token.text, type);
    if (token.kind == Token::Kind::Word &&
        token.text.substr(0, 6) == "dense<") {
      std::string_view inner = token.text.substr(6, token.text.size() - 7);
      if (inner.find('[') != std::string_view::npos)
        return std::nullopt;
      return scalarOf(inner, type);
    }
    if (i > head.at + 1 && t.startsOperation(i))
      break;
  }
  return std::nullopt;
}

size_t bodyOf(const Tokens &t, size_t arguments, size_t limit) {
  size_t i = t.close[arguments] == arguments ? limit : t.close[arguments] + 1;
  for (; i < limit; ++i) {
    if (t.word(i, "attributes") && t.is(i + 1, "{")) {
      i = std::max<size_t>(i + 1, t.close[i + 1]);
      continue;
    }
    if (t.is(i, "{"))
      return i;
    if (t.startsOperation(i) || t[i].text == "func.func")
      break; // a declaration
  }
  return limit;
}

static void readArguments(const Tokens &t, size_t open, Region &region) {
  for (size_t i = open + 1; i < t.close[open]; ++i)
    if (t[i].kind == Token::Kind::Value && t.is(i + 1, ":") &&
        i + 2 < t.size()) {
      region.arguments.emplace_back(t[i].text);
      region.types.emplace_back(t[i + 2].text);
    }
}

/// One operation of a region with its types.
static RegionOp regionOp(const Tokens &t, const Head &head, size_t limit) {
  RegionOp op;
  op.name = head.name;
  if (!head.result.empty())
    op.results.emplace_back(head.result);
  op.operands.assign(head.operands.begin(), head.operands.end());
  auto types = typesFrom(t, head.end, limit);
  if (!types.empty()) {
    op.type = types.front();
    op.toType = types.back();
  }
  if (op.name == "arith.cmpf" || op.name == "arith.cmpi") {
    op.toType = "i1";
    // "oeq, %a, %b", or "predicate = 1" of the generic form.
    for (size_t i = head.at + 1; i < std::min(limit, head.end); ++i) {
      if (t.word(i, "predicate") && t.is(i + 1, "="))
        ++i;
      else if (t[i].kind != Token::Kind::Word)
        continue;
      else {
        op.predicate = t[i].text;
        break;
      }
      if (i + 1 < limit && t[i + 1].kind == Token::Kind::Number)
        op.predicate = t[i + 1].text;
      break;
    }
  }
  return op;
}

namespace {
/// An scf.if whose branches are being read: both run, and a select picks.
struct Choice {
  std::string result, condition;
  std::vector<std::string> then;
  bool inElse = false;
};
} // namespace

static bool returns(std::string_view name) {
  return name == "tt.reduce.return" || name == "tt.scan.return" ||
         name == "func.return" || name == "tt.return" ||
         name == "triton.reduce.return";
}

/// An scf.yield: the first of a pair is kept, the second makes the selects.
static void yields(const Head &head, std::vector<Choice> &open,
                   Region &region) {
  if (open.empty())
    return;
  Choice &choice = open.back();
  std::vector<std::string> values(head.operands.begin(), head.operands.end());
  if (!choice.inElse) {
    choice.then = std::move(values);
    choice.inElse = true;
    return;
  }
  for (size_t k = 0; k < std::min(values.size(), choice.then.size()); ++k) {
    RegionOp select;
    select.name = "arith.select";
    std::string name = choice.result;
    if (values.size() > 1)
      name += "#" + std::to_string(k);
    select.results.push_back(name);
    select.operands = {choice.condition, choice.then[k], values[k]};
    region.operations.push_back(std::move(select));
  }
  open.pop_back();
}

size_t readRegion(const Tokens &t, size_t arguments, size_t body, size_t limit,
                  Region &region) {
  readArguments(t, arguments, region);
  std::vector<Choice> open;
  constexpr size_t most = 1000; // a combine is a handful of operations
  for (size_t i = body; i < limit && region.operations.size() < most; ++i) {
    bool plainReturn = t.word(i, "return");
    if (!plainReturn && !t.startsOperation(i))
      continue;
    Head head;
    if (plainReturn) {
      head.name = t[i].text;
      head.at = i;
      size_t j = i + 1;
      for (; j < limit && !t.is(j, ":") && !t.is(j, "}"); ++j)
        if (t[j].kind == Token::Kind::Value)
          head.operands.push_back(t[j].text);
      head.end = j;
    } else {
      head = headAt(t, i, limit);
    }
    if (plainReturn || returns(head.name)) {
      region.returned.assign(head.operands.begin(), head.operands.end());
      return head.end;
    }
    i = std::max(i, head.at);
    if (head.name == "scf.if") {
      open.push_back(
          {std::string(head.result),
           head.operands.empty() ? "" : std::string(head.operands[0]),
           {},
           false});
      continue;
    }
    if (head.name == "scf.yield") {
      yields(head, open, region);
      continue;
    }
    RegionOp op = regionOp(t, head, limit);
    if (op.name == "arith.constant") {
      op.constant = constantAt(t, head, op.toType);
      region.constants[std::string(head.result)] = op;
      continue;
    }
    region.operations.push_back(std::move(op));
  }
  return limit;
}

} // namespace wf::explain::ir
