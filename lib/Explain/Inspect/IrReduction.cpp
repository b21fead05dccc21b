//===- IrReduction.cpp - Reads one reduction with its region --------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Inspect/IrReader.h"
#include "Explain/Inspect/IrTypes.h"

#include <algorithm>

namespace wf::explain::ir {

/// Finds "axis = 0", "axis 0" and "axes [1]" between two tokens.
static int64_t axisWithin(const Tokens &t, size_t from, size_t to) {
  for (size_t i = from; i + 1 < std::min(to, t.size()); ++i) {
    if (!t.word(i, "axis") && !t.word(i, "axes"))
      continue;
    size_t at = i + 1;
    while (t.is(at, "=") || t.is(at, "["))
      ++at;
    return numberAt(t, at);
  }
  return -1;
}

void addTensors(const Tokens &t, size_t from, size_t to,
                std::vector<TensorType> &types) {
  for (size_t i = from; i < std::min(to, t.size()); ++i)
    if (t[i].kind == Token::Kind::Word)
      if (auto type = readTensor(t[i].text))
        types.push_back(std::move(*type));
}

/// Our own: fold.reduce ins(%x : memref<…>) outs(…) axes [1] … combine @f.
static void
readFoldReduce(const Tokens &t, const Head &head, size_t limit,
               const std::unordered_map<std::string_view, size_t> &functions,
               ReductionText &out) {
  size_t end = head.at + 1;
  std::string_view combine, map;
  while (end < limit && !t.startsOperation(end) && !t.word(end, "return") &&
         !t.is(end, "}")) {
    if (end + 1 < limit && t[end + 1].kind == Token::Kind::Symbol) {
      if (t.word(end, "combine"))
        combine = t[end + 1].text;
      else if (t.word(end, "map"))
        map = t[end + 1].text;
    }
    if (t.word(end, "ins") && t.is(end + 1, "("))
      addTensors(t, end + 1, t.close[end + 1], out.reduction.operands);
    ++end;
  }
  out.reduction.axis = axisWithin(t, head.at, end);
  out.end = end;
  auto function = functions.find(combine);
  if (function == functions.end())
    return;
  size_t body = bodyOf(t, function->second, t.size());
  if (body < t.size())
    readRegion(t, function->second, body,
               t.close[body] == body ? t.size() : t.close[body], out.region);
  size_t width = out.region.returned.size();
  out.region.counts = out.region.arguments.size() == 2 * width + 2;
  // The map says which parts of a state are the element's position.
  auto mapping = functions.find(map);
  if (mapping == functions.end())
    return;
  Region element;
  size_t at = bodyOf(t, mapping->second, t.size());
  if (at < t.size())
    readRegion(t, mapping->second, at,
               t.close[at] == at ? t.size() : t.close[at], element);
  for (const std::string &value : element.returned) {
    Leaf leaf;
    auto constant = element.constants.find(value);
    if (!element.arguments.empty() && value == element.arguments.back())
      leaf.kind = Leaf::Kind::Position;
    else if (constant != element.constants.end() && constant->second.constant)
      leaf = {Leaf::Kind::Constant, *constant->second.constant};
    out.region.leaves.push_back(leaf);
  }
}

ReductionText
readReduction(const Tokens &t, const Head &head, size_t limit,
              const std::unordered_map<std::string_view, size_t> &functions) {
  ReductionText out;
  Reduction &r = out.reduction;
  r.name = head.name;
  r.line = t[head.at].line;
  out.operands = head.operands;
  if (head.name == "fold.reduce") {
    readFoldReduce(t, head, limit, functions, out);
    return out;
  }
  // Up to the region's block: attributes, and where a text has its types
  // first, they.
  size_t block = head.at + 1;
  while (block < limit && t[block].kind != Token::Kind::Block &&
         !t.startsOperation(block))
    ++block;
  r.axis = axisWithin(t, head.at, block);
  addTensors(t, head.at, block, r.operands);
  size_t end = block;
  if (block < limit && t[block].kind == Token::Kind::Block &&
      t.is(block + 1, "(")) {
    size_t close = t.close[block + 1];
    end = close == block + 1
              ? limit
              : readRegion(t, block + 1, close + 1, limit, out.region);
  }
  // Behind the region's brace: older forms' attributes, then the types.
  while (end < limit && !t.is(end, "}") && !t.startsOperation(end))
    ++end;
  size_t rest = end + 1;
  while (rest < limit && !t.startsOperation(rest) && !t.word(rest, "loc") &&
         !t.is(rest, "}")) {
    if (t.is(rest, "{") && t.close[rest] != rest) {
      if (r.axis < 0)
        r.axis = axisWithin(t, rest, t.close[rest]);
      rest = t.close[rest];
    }
    ++rest;
  }
  if (end < limit)
    addTensors(t, end, rest, r.operands);
  // Operands come before results.
  if (r.operands.size() > head.operands.size() && !head.operands.empty())
    r.operands.resize(head.operands.size());
  out.end = std::min(rest, limit);
  return out;
}

} // namespace wf::explain::ir
