//===- IrReader.cpp - Kernels in the text of MLIR -------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Inspect/IrReader.h"

#include "Explain/Inspect/Diagnosis.h"
#include "Explain/Inspect/IrTypes.h"

#include <algorithm>
#include <charconv>

namespace wf::explain::ir {

int64_t numberAt(const Tokens &t, size_t i) {
  int64_t n = -1;
  if (i < t.size() && t[i].kind == Token::Kind::Number)
    std::from_chars(t[i].text.data(), t[i].text.data() + t[i].text.size(), n);
  return n;
}

namespace {
class Reader {
public:
  Reader(const Tokens &t, std::string_view file, Stage stage)
      : t(t), file(file), stage(stage), places(t) {}
  std::vector<Dump> read();

private:
  const Tokens &t;
  std::string_view file;
  Stage stage;
  Places places;
  std::vector<Layout> layouts;
  Laws laws;
  Dump module; ///< what the module says of all its kernels
  std::unordered_map<std::string_view, size_t> functions;
  std::vector<Dump> dumps;

  // Of the function being read.
  std::unordered_map<std::string_view, RegionOp> constants;
  std::unordered_map<std::string_view, Leaf> leaves;
  std::unordered_map<std::string_view, std::pair<int, int>> converted;
  std::unordered_map<std::string_view, std::string> carried; ///< element type

  void header();
  void attribute(size_t i);
  void keepLayouts(Dump &dump) const;
  void function(size_t from, size_t to, std::string_view name);
  size_t operation(size_t i, size_t limit, Dump &dump);
  void reduction(const Head &head, size_t limit, Dump &dump, size_t &end);
  void conversion(const Head &head, size_t limit, Dump &dump);
  void value(const Head &head, size_t limit, Dump &dump);
  void loop(const Head &head, size_t limit);
  SourceLine placeBehind(size_t from, size_t limit) const;
};
} // namespace

/// "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", fold.target = "sm_90".
void Reader::attribute(size_t i) {
  std::string_view key = t[i].text;
  auto ends = [&](std::string_view tail) {
    return key.size() >= tail.size() &&
           key.substr(key.size() - tail.size()) == tail;
  };
  if (ends(".num-warps"))
    module.warps =
        static_cast<int>(std::clamp<int64_t>(numberAt(t, i + 2), 0, 1 << 16));
  else if (ends(".threads-per-warp"))
    module.lanes =
        static_cast<int>(std::clamp<int64_t>(numberAt(t, i + 2), 0, 1 << 16));
  else if (ends(".num-ctas"))
    module.blocks =
        static_cast<int>(std::clamp<int64_t>(numberAt(t, i + 2), 0, 1 << 16));
  else if (ends("g.shared") || ends("_gpu.shared"))
    module.sharedBytes =
        static_cast<uint64_t>(std::max<int64_t>(0, numberAt(t, i + 2)));
  else if (ends(".target") && t.kind(i + 2, Token::Kind::String)) {
    std::string_view target = t[i + 2].text;
    size_t colon = target.find(':');
    std::string_view chip =
        colon == std::string_view::npos ? target : target.substr(colon + 1);
    module.target = target.substr(0, 5) == "cuda:" ? "sm_" + std::string(chip)
                                                   : std::string(chip);
  }
}

/// Aliases, places, attributes of the module, and functions by name.
void Reader::header() {
  for (size_t i = 0; i + 1 < t.size(); ++i) {
    const Token &token = t[i];
    if (token.kind == Token::Kind::Attribute && t.is(i + 1, "=")) {
      if (t.word(i + 2, "loc") && t.is(i + 3, "(")) {
        places.define(token.text, i + 3);
      } else if (t.kind(i + 2, Token::Kind::Attribute) &&
                 layouts.size() < 512) {
        layouts.push_back(readLayout(t[i + 2].text));
        layouts.back().name = token.text;
      }
    } else if ((token.kind == Token::Kind::String || token.dotted()) &&
               t.is(i + 1, "=")) {
      attribute(i);
    } else if (token.kind == Token::Kind::Symbol && t.is(i + 1, "(") && i > 0 &&
               (t[i - 1].text == "private" || t[i - 1].text == "public" ||
                t[i - 1].text == "func.func" || t[i - 1].text == "tt.func")) {
      functions.emplace(token.text, i + 1);
    }
  }
}

SourceLine Reader::placeBehind(size_t from, size_t limit) const {
  for (size_t i = from; i < limit; ++i) {
    if (t.word(i, "loc"))
      return places.find(i + 1);
    if (t.startsOperation(i) || t.is(i, "{") || t.is(i, "}"))
      break;
  }
  return {};
}

void Reader::reduction(const Head &head, size_t limit, Dump &dump,
                       size_t &end) {
  ReductionText read = readReduction(t, head, limit, functions);
  Reduction &r = read.reduction;
  r.source = placeBehind(read.end, limit);
  for (const RegionOp &op : read.region.operations)
    r.region.push_back(op.name.substr(op.name.find('.') + 1));
  // Only the constants that the region names: there may be many.
  auto outer = [&](const std::string &name) {
    auto found = constants.find(name);
    if (found != constants.end())
      read.region.constants.emplace(name, found->second);
  };
  for (const RegionOp &op : read.region.operations)
    for (const std::string &name : op.operands)
      outer(name);
  for (const std::string &name : read.region.returned)
    outer(name);
  if (read.region.leaves.empty())
    for (std::string_view operand : read.operands) {
      auto leaf = leaves.find(operand);
      read.region.leaves.push_back(leaf == leaves.end() ? Leaf()
                                                        : leaf->second);
    }
  nameCombiner(read.region, r);
  for (const RegionOp &op : read.region.operations)
    if (op.name == "arith.addf" || op.name == "arith.addi") {
      int64_t length = -1;
      if (!r.operands.empty() && r.axis >= 0 &&
          r.axis < static_cast<int64_t>(r.operands[0].shape.size()))
        length = r.operands[0].shape[static_cast<size_t>(r.axis)];
      std::string said = accumulatorWarning(op.type, length);
      if (!said.empty() && std::find(r.warnings.begin(), r.warnings.end(),
                                     said) == r.warnings.end())
        r.warnings.push_back(said);
    }
  if (!r.operands.empty() && r.axis >= 0) {
    const auto &shape = r.operands[0].shape;
    if (r.axis < static_cast<int64_t>(shape.size()))
      r.length = shape[static_cast<size_t>(r.axis)];
    r.spread = spreadOf(layouts, r.operands[0], r.axis);
  }
  if (read.region.returned.empty())
    r.notEvaluated = "its region is not in the text";
  else
    laws.find(read.region, r);
  dump.reductions.push_back(std::move(r));
  end = std::max(end, read.end);
}

void Reader::conversion(const Head &head, size_t limit, Dump &dump) {
  Conversion c;
  c.line = t[head.at].line;
  c.result = head.result;
  c.value = head.operands.empty() ? "" : std::string(head.operands[0]);
  std::vector<TensorType> types;
  size_t i = head.end;
  for (; i < limit && types.size() < 2 && !t.startsOperation(i); ++i)
    addTensors(t, i, i + 1, types);
  if (types.size() == 2) {
    c.from = types[0];
    c.to = types[1];
  }
  c.source = placeBehind(i, limit);
  if (!head.operands.empty())
    if (auto found = converted.find(head.operands[0]);
        found != converted.end()) {
      c.follows = found->second.first;
      c.between = found->second.second;
    }
  converted[head.result] = {static_cast<int>(dump.conversions.size()), 0};
  dump.conversions.push_back(std::move(c));
}

/// for … iter_args(%acc = %zero) -> (tensor<4xf16>)
void Reader::loop(const Head &head, size_t limit) {
  size_t i = head.at;
  while (i < limit && !t.word(i, "iter_args") && !t.is(i, "{"))
    ++i;
  if (!t.word(i, "iter_args") || !t.is(i + 1, "("))
    return;
  std::vector<std::string_view> names;
  for (size_t k = i + 2; k < t.close[i + 1]; ++k)
    if (t[k].kind == Token::Kind::Value && t.is(k + 1, "="))
      names.push_back(t[k].text);
  size_t arrow = t.close[i + 1] + 1;
  size_t next = 0;
  for (size_t k = arrow; k < limit && next < names.size() && !t.is(k, "{");
       ++k) {
    if (t[k].kind != Token::Kind::Word && t[k].kind != Token::Kind::Type)
      continue;
    auto type = readTensor(t[k].text);
    carried[names[next++]] = type ? type->element : std::string(t[k].text);
  }
}

/// What is known of an operation's result.
void Reader::value(const Head &head, size_t limit, Dump &dump) {
  if (head.name == "arith.constant") {
    RegionOp op;
    op.name = head.name;
    auto types = typesFrom(t, head.end, limit);
    op.toType = types.empty() ? "" : types.back();
    if (auto tensor = readTensor(op.toType))
      op.toType = tensor->element;
    op.type = op.toType;
    op.constant = constantAt(t, head, op.toType);
    if (op.constant)
      leaves[head.result] = {Leaf::Kind::Constant, *op.constant};
    if (types.empty() || readTensor(types.back()) == std::nullopt)
      constants[head.result] = std::move(op);
    return;
  }
  if (head.name == "tt.make_range") {
    leaves[head.result].kind = Leaf::Kind::Position;
    return;
  }
  if (head.name == "scf.for") {
    loop(head, limit);
    return;
  }
  if (head.name == "arith.addf")
    for (std::string_view operand : head.operands) {
      auto type = carried.find(operand);
      if (type == carried.end())
        continue;
      std::string said = accumulatorWarning(type->second, -1);
      if (!said.empty() && dump.warnings.size() < 64)
        dump.warnings.push_back(
            placeText(placeBehind(head.end, limit), t[head.at].line) +
            ": a loop " + said);
    }
  if (head.operands.empty() || head.name == "tt.load")
    return;
  for (std::string_view through :
       {"tt.splat", "tt.expand_dims", "tt.broadcast", "tt.reshape", "tt.trans",
        "ttg.convert_layout"})
    if (head.name == through)
      if (auto leaf = leaves.find(head.operands[0]); leaf != leaves.end())
        leaves[head.result] = Leaf(leaf->second);
  for (std::string_view operand : head.operands)
    if (auto found = converted.find(operand);
        found != converted.end() && found->second.second == 0)
      if (std::string &user =
              dump.conversions[size_t(found->second.first)].usedBy;
          user.empty())
        user = head.name;
  // The nearest conversion on the way here.
  constexpr int far = 8;
  std::optional<std::pair<int, int>> nearest;
  for (std::string_view operand : head.operands)
    if (auto found = converted.find(operand); found != converted.end())
      if (!nearest || found->second.second < nearest->second)
        nearest = found->second;
  if (nearest && nearest->second < far && !head.result.empty())
    converted[head.result] = {nearest->first, nearest->second + 1};
}

/// Returns the index to go on from.
size_t Reader::operation(size_t i, size_t limit, Dump &dump) {
  Head head = headAt(t, i, limit);
  size_t end = std::max(i, head.at);
  std::string_view name = head.name;
  // Prose names tt.reduce, too, but gives it no operands.
  bool reduces = name == "tt.reduce" || name == "tt.scan" ||
                 name == "fold.reduce" || name == "triton.reduce";
  if (reduces && !head.operands.empty()) {
    reduction(head, limit, dump, end);
    value(head, limit, dump);
    return std::max(i, end > 0 ? end - 1 : end);
  }
  if (name == "ttg.convert_layout" || name == "triton_gpu.convert_layout") {
    conversion(head, limit, dump);
    if (!head.operands.empty())
      if (auto leaf = leaves.find(head.operands[0]); leaf != leaves.end())
        leaves[head.result] = Leaf(leaf->second);
    return end;
  }
  if (name.substr(0, 5) == "fold.")
    ++dump.tiers[std::string(name)];
  value(head, limit, dump);
  return end;
}

/// Those that the kernel's reductions and conversions name, parents included.
void Reader::keepLayouts(Dump &dump) const {
  auto keep = [&](std::string text) {
    for (int depth = 0; depth < 8 && !text.empty(); ++depth) {
      Layout layout = layoutOf(layouts, text);
      bool fresh =
          std::none_of(dump.layouts.begin(), dump.layouts.end(),
                       [&](const Layout &l) { return l.name == layout.name; });
      text = layout.parent;
      if (!layout.name.empty() && fresh && dump.layouts.size() < 64)
        dump.layouts.push_back(std::move(layout));
    }
  };
  for (const Reduction &r : dump.reductions)
    for (const TensorType &type : r.operands)
      keep(type.layout);
  for (const Conversion &c : dump.conversions) {
    keep(c.from.layout);
    keep(c.to.layout);
  }
}

void Reader::function(size_t from, size_t to, std::string_view name) {
  constants.clear();
  leaves.clear();
  converted.clear();
  carried.clear();
  Dump dump = module;
  dump.file = file;
  dump.stage = stage;
  dump.kernel = name.substr(0, 1) == "@" ? name.substr(1) : name;
  for (size_t i = from; i < to; ++i)
    if (t.startsOperation(i))
      i = operation(i, to, dump);
  keepLayouts(dump);
  dumps.push_back(std::move(dump));
}

std::vector<Dump> Reader::read() {
  header();
  bool any = false;
  for (size_t i = 0; i < t.size(); ++i) {
    bool starts = t[i].kind == Token::Kind::Word &&
                  (t[i].text == "tt.func" || t[i].text == "func.func" ||
                   t[i].text == "llvm.func" || t[i].text == "gpu.func");
    if (!starts)
      continue;
    bool isPrivate = t.word(i + 1, "private");
    size_t symbol = i + 1;
    while (symbol < t.size() && symbol < i + 6 &&
           t[symbol].kind != Token::Kind::Symbol)
      ++symbol;
    if (symbol >= t.size() || t[symbol].kind != Token::Kind::Symbol ||
        !t.is(symbol + 1, "("))
      continue;
    size_t body = bodyOf(t, symbol + 1, t.size());
    if (body >= t.size())
      continue;
    size_t end = t.close[body] == body ? t.size() : t.close[body];
    any = true;
    if (!isPrivate) {
      function(body + 1, end, t[symbol].text);
    } else if (stage != Stage::Mlir) {
      size_t before = dumps.size();
      function(body + 1, end, t[symbol].text);
      if (dumps[before].reductions.empty() && dumps[before].conversions.empty())
        dumps.pop_back(); // a helper
    }
    i = end;
  }
  if (!any) { // operations without a function around them
    function(0, t.size(), "");
    if (dumps[0].reductions.empty() && dumps[0].conversions.empty())
      dumps.clear();
  }
  return std::move(dumps);
}

std::vector<Dump> readIr(const Tokens &t, std::string_view file, Stage stage) {
  return Reader(t, file, stage).read();
}

} // namespace wf::explain::ir
