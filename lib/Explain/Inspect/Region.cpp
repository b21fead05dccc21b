//===- Region.cpp - A reduction's combine, and its laws -------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Inspect/Region.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace wf::explain::ir {

bool Region::link(std::string &problem) {
  std::map<std::string, int, std::less<>> slot;
  slots = 0;
  for (const std::string &name : arguments)
    slot[name] = slots++;
  // Constants of the function around it come first, where they are used.
  std::vector<RegionOp> linked;
  auto resolve = [&](const std::string &name) {
    auto found = slot.find(name);
    if (found != slot.end())
      return found->second;
    auto constant = constants.find(name);
    if (constant == constants.end()) {
      problem = "'" + name + "' comes from outside of the region";
      return -1;
    }
    RegionOp op = constant->second;
    op.out = slots;
    linked.push_back(std::move(op));
    return slot[name] = slots++;
  };
  for (RegionOp &op : operations) {
    op.in.clear();
    for (const std::string &name : op.operands) {
      int at = resolve(name);
      if (at < 0)
        return false;
      op.in.push_back(at);
    }
    if (!canEvaluate(op)) {
      problem = "'" + op.name + "' is not evaluated";
      return false;
    }
    op.out = slots++;
    for (const std::string &name : op.results)
      slot[name] = op.out;
    linked.push_back(op);
  }
  outputs.clear();
  for (const std::string &name : returned) {
    int at = resolve(name);
    if (at < 0)
      return false;
    outputs.push_back(at);
  }
  operations = std::move(linked);
  size_t expected = 2 * returned.size() + (counts ? 2 : 0);
  if (returned.empty() || arguments.size() != expected) {
    problem = "it takes " + std::to_string(arguments.size()) +
              " arguments and returns " + std::to_string(returned.size());
    return false;
  }
  return true;
}

State Region::apply(const State &a, const State &b, int64_t na,
                    int64_t nb) const {
  State values(static_cast<size_t>(slots));
  std::copy(a.begin(), a.end(), values.begin());
  std::copy(b.begin(), b.end(), values.begin() + a.size());
  if (counts) {
    values[2 * width()].i = na;
    values[2 * width() + 1].i = nb;
  }
  std::vector<Scalar> in;
  for (const RegionOp &op : operations) {
    in.clear();
    for (int at : op.in)
      in.push_back(values[static_cast<size_t>(at)]);
    evaluate(op, in, values[static_cast<size_t>(op.out)]);
  }
  State result;
  for (int at : outputs)
    result.push_back(values[static_cast<size_t>(at)]);
  return result;
}

static bool roundsFloats(const RegionOp &op) {
  for (std::string_view name :
       {"arith.addf", "arith.subf", "arith.mulf", "arith.divf",
        "tt.precise_divf", "tt.precise_sqrt", "arith.truncf", "tt.fp_to_fp"})
    if (op.name == name)
      return true;
  return op.name.rfind("math.", 0) == 0 && op.name != "math.absf" &&
         op.name != "math.absi" && op.name != "math.floor" &&
         op.name != "math.ceil";
}

namespace {
/// Looks for states that tell two groupings apart.
class Search {
public:
  explicit Search(const Region &region) : region(region) {}
  void run(Reduction &reduction);

private:
  const Region &region;
  uint64_t random = 1;

  Scalar candidate(size_t operand, size_t choice, size_t position) const;
  State leaf(size_t round, size_t position, bool withNan);
  bool same(const State &l, const State &r, double scale) const;
  bool finite(const State &s) const;
  std::string text(const State &s) const;
  bool isFloat(size_t operand) const {
    return isFloatType(region.types[operand]);
  }
  void tryThree(size_t round, Reduction &reduction, size_t &tried);
  void tryNan(Reduction &reduction);
};
} // namespace

/// Small numbers, exact in every type; the plainest first. States of several
/// parts get positive ones: their parts are counts and squares, mostly.
Scalar Search::candidate(size_t operand, size_t choice, size_t position) const {
  static constexpr double floats[] = {1, 2, 4, 3, 0.5, 5, 7, 0, -1, -2.5};
  static constexpr int64_t integers[] = {1, 2, 4, 3, 5, 7, 12, 0, -1, -6};
  const Leaf known =
      operand < region.leaves.size() ? region.leaves[operand] : Leaf();
  if (known.kind == Leaf::Kind::Constant)
    return known.constant;
  Scalar value;
  size_t count = region.width() > 1 ? 7 : 10;
  if (known.kind == Leaf::Kind::Position) {
    value.i = static_cast<int64_t>(position);
    value.f = static_cast<double>(position);
  } else if (isFloat(operand)) {
    value.f = floats[choice % count];
  } else {
    value.i = region.types[operand] == "i1" ? static_cast<int64_t>(choice % 2)
                                            : integers[choice % count];
  }
  return value;
}

State Search::leaf(size_t round, size_t position, bool withNan) {
  State state;
  for (size_t k = 0; k < region.width(); ++k) {
    size_t choice;
    if (region.width() == 1) {
      static constexpr size_t power[] = {1, 10, 100};
      // The first round is 1, 2, 4.
      choice = round / power[position % 3] % 10 + position;
    } else {
      random = random * 6364136223846793005ull + 1442695040888963407ull;
      choice = static_cast<size_t>(random >> 33);
    }
    Scalar value = candidate(k, choice, position);
    bool free =
        k >= region.leaves.size() || region.leaves[k].kind == Leaf::Kind::Free;
    if (withNan && free && isFloat(k))
      value.f = std::numeric_limits<double>::quiet_NaN();
    state.push_back(value);
  }
  return state;
}

bool Search::finite(const State &s) const {
  for (size_t k = 0; k < s.size(); ++k)
    if (isFloat(k) && !std::isfinite(s[k].f))
      return false;
  return true;
}

bool Search::same(const State &l, const State &r, double scale) const {
  for (size_t k = 0; k < l.size(); ++k) {
    if (!isFloat(k)) {
      if (l[k].i != r[k].i)
        return false;
      continue;
    }
    double a = l[k].f, b = r[k].f;
    if (std::isnan(a) || std::isnan(b)) {
      if (std::isnan(a) != std::isnan(b))
        return false;
      continue;
    }
    // Far above what double rounds, far below what an operation does.
    double size = std::max({std::fabs(a), std::fabs(b), scale});
    if (a != b && !(std::fabs(a - b) <= 1e-9 * size))
      return false;
  }
  return true;
}

static std::string numberText(double value) {
  if (std::isnan(value))
    return "NaN";
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.9g", value);
  return buffer;
}

std::string Search::text(const State &s) const {
  std::string all;
  for (size_t k = 0; k < s.size(); ++k)
    all += (k ? ", " : "") +
           (isFloat(k) ? numberText(s[k].f) : std::to_string(s[k].i));
  return s.size() == 1 ? all : "(" + all + ")";
}

void Search::tryThree(size_t round, Reduction &reduction, size_t &tried) {
  State a = leaf(round, 0, false), b = leaf(round, 1, false),
        c = leaf(round, 2, false);
  State ab = region.apply(a, b, 1, 1), bc = region.apply(b, c, 1, 1);
  State left = region.apply(ab, c, 2, 1), right = region.apply(a, bc, 1, 2);
  State ba = region.apply(b, a, 1, 1);
  if (!finite(ab) || !finite(bc) || !finite(left) || !finite(right) ||
      !finite(ba))
    return;
  ++tried;
  double scale = 0;
  for (const State &s : {a, b, c, ab, bc})
    for (size_t k = 0; k < s.size(); ++k)
      scale = std::max(scale, isFloat(k) ? std::fabs(s[k].f) : 0.0);
  if (!reduction.grouping && !same(left, right, scale))
    reduction.grouping =
        CounterExample{{text(a), text(b), text(c)}, text(left), text(right)};
  if (!reduction.swapping && !same(ab, ba, scale))
    reduction.swapping = CounterExample{{text(a), text(b)}, text(ab), text(ba)};
}

/// One NaN among three: a select lets whichever operand it favours through.
void Search::tryNan(Reduction &reduction) {
  for (size_t where = 0; where < 3; ++where) {
    State s[3];
    for (size_t i = 0; i < 3; ++i)
      s[i] = leaf(1, i, i == where);
    State ab = region.apply(s[0], s[1], 1, 1);
    State ba = region.apply(s[1], s[0], 1, 1);
    if (where < 2 && !same(ab, ba, 0)) {
      reduction.nanGrouping =
          CounterExample{{text(s[0]), text(s[1])}, text(ab), text(ba)};
      return;
    }
    State bc = region.apply(s[1], s[2], 1, 1);
    State left = region.apply(ab, s[2], 2, 1);
    State right = region.apply(s[0], bc, 1, 2);
    if (!same(left, right, 0)) {
      reduction.nanGrouping = CounterExample{
          {text(s[0]), text(s[1]), text(s[2])}, text(left), text(right)};
      return;
    }
  }
}

void Search::run(Reduction &reduction) {
  constexpr size_t rounds = 1000;
  size_t tried = 0;
  for (size_t round = 0; round < rounds; ++round) {
    tryThree(round, reduction, tried);
    if (reduction.grouping && reduction.swapping)
      break;
  }
  if (tried == 0) {
    reduction.notEvaluated = "every trial gave NaN or infinity";
    return;
  }
  bool inexact = false, floats = false;
  for (const RegionOp &op : region.operations)
    inexact = inexact || roundsFloats(op);
  for (size_t k = 0; k < region.width(); ++k)
    floats = floats || isFloat(k);
  Law holds = inexact ? Law::Rounding : Law::Exact;
  reduction.associative = reduction.grouping ? Law::Broken : holds;
  reduction.commutative = reduction.swapping ? Law::Broken : holds;
  // a + b and b + a round alike.
  if (!reduction.swapping && region.operations.size() == 1)
    reduction.commutative = Law::Exact;
  if (floats && !reduction.grouping && !reduction.swapping)
    tryNan(reduction);
}

std::string Region::signature() const {
  std::string text;
  auto add = [&](const auto &part) {
    text += part;
    text += ' ';
  };
  auto addScalar = [&](const Scalar &s) {
    add(std::to_string(s.f));
    add(std::to_string(s.i));
  };
  for (const std::string &type : types)
    add(type);
  for (const RegionOp &op : operations) {
    add(op.name);
    add(op.type);
    add(op.toType);
    add(op.predicate);
    if (op.constant)
      addScalar(*op.constant);
    for (int at : op.in)
      add(std::to_string(at));
  }
  for (int at : outputs)
    add(std::to_string(at));
  for (const Leaf &leaf : leaves) {
    add(std::to_string(static_cast<int>(leaf.kind)));
    addScalar(leaf.constant);
  }
  return text;
}

void Laws::find(Region &region, Reduction &reduction) {
  constexpr size_t longest = 400, most = 200;
  if (region.operations.size() > longest) {
    reduction.notEvaluated = "the region is long";
    return;
  }
  if (!region.link(reduction.notEvaluated))
    return;
  std::string signature = region.signature();
  auto found = known.find(signature);
  if (found == known.end()) {
    if (known.size() >= most) {
      reduction.notEvaluated = "the text holds many different regions";
      return;
    }
    Reduction fresh;
    Search(region).run(fresh);
    found = known.emplace(std::move(signature), std::move(fresh)).first;
  }
  const Reduction &laws = found->second;
  reduction.associative = laws.associative;
  reduction.commutative = laws.commutative;
  reduction.grouping = laws.grouping;
  reduction.swapping = laws.swapping;
  reduction.nanGrouping = laws.nanGrouping;
  reduction.notEvaluated = laws.notEvaluated;
}

void nameCombiner(const Region &region, Reduction &reduction) {
  if (region.operations.size() != 1 || region.returned.size() != 1 ||
      region.arguments.size() < 2)
    return;
  const RegionOp &op = region.operations[0];
  if (op.operands.size() != 2 || op.results.size() != 1 ||
      op.results[0] != region.returned[0])
    return;
  const std::string &a = region.arguments[0], &b = region.arguments[1];
  bool straight = op.operands[0] == a && op.operands[1] == b;
  reduction.swapped = op.operands[0] == b && op.operands[1] == a;
  if (straight || reduction.swapped)
    reduction.combiner = op.name.substr(op.name.find('.') + 1);
}

std::string accumulatorWarning(std::string_view type, int64_t length) {
  std::string over =
      length > 0 ? " over " + std::to_string(length) + " elements" : "";
  if (type == "i8" || type == "i16") {
    int64_t most = type == "i8" ? 127 : 32767;
    if (length > 0 && length <= most)
      return "";
    return "adds in " + std::string(type) + over + ": ones wrap around at " +
           std::to_string(most + 1);
  }
  if (type != "f16" && type != "bf16")
    return "";
  double stall = 1;
  while (roundedTo(stall + 1, type) != stall)
    stall = stall < 4 ? stall + 1 : stall * 2;
  double most = stall;
  while (std::isfinite(roundedTo(most * 2, type)))
    most *= 2;
  // The largest: all bits of the significand set.
  most = 2 * most - 2 * most / stall;
  std::string said = "adds in " + std::string(type) + over +
                     ": ones added one after the other stall at " +
                     numberText(stall) + " (" + numberText(stall) +
                     " + 1 rounds back)";
  if (most < 1e9) {
    said += ", and a sum above " + numberText(most) + " is infinite";
    if (length > 1)
      said += ": here, once elements average " +
              numberText(std::ceil(most / static_cast<double>(length)));
  }
  return said;
}

} // namespace wf::explain::ir
