//===- Region.h - A reduction's combine, and its laws -----------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The region is interpreted on small states. Floats are evaluated in double, so
// that a difference is the operation's and not rounding's.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_INSPECT_REGION_H
#define WARPFOLD_EXPLAIN_INSPECT_REGION_H

#include "Explain/Inspect/Inspect.h"

namespace wf::explain::ir {

/// A float or, in `i`, an integer of any width.
struct Scalar {
  double f = 0;
  int64_t i = 0;
};
using State = std::vector<Scalar>;

struct RegionOp {
  std::string name; ///< "arith.addf"
  std::vector<std::string> results, operands;
  std::string type, toType; ///< of the operands, of the result
  std::string predicate;    ///< of compares: "oeq", or a generic form's number
  std::optional<Scalar> constant;
  std::vector<int> in; ///< slots
  int out = -1;
};

/// What is known of the states that elements become, by operand.
struct Leaf {
  enum class Kind { Free, Constant, Position } kind = Kind::Free;
  Scalar constant;
};

struct Region {
  std::vector<std::string> arguments; ///< a's, b's, then counts of ours
  std::vector<std::string> types;     ///< of the arguments
  std::vector<RegionOp> operations;
  std::vector<std::string> returned;
  std::map<std::string, RegionOp> constants; ///< of the function around it
  std::vector<Leaf> leaves;
  /// Two more arguments say how many elements each state stands for.
  bool counts = false;

  /// Resolves names to slots; false with `problem` where it cannot run.
  bool link(std::string &problem);
  size_t width() const { return returned.size(); }
  /// What it computes, whatever its values are called.
  std::string signature() const;
  /// `na`, `nb`: how many elements a and b hold.
  State apply(const State &a, const State &b, int64_t na, int64_t nb) const;

private:
  std::vector<int> outputs;
  int slots = 0;
};

/// Fills the laws and counter-examples. Regions that compute alike are looked
/// at once, and of a text with many different ones only the first hundreds.
class Laws {
public:
  void find(Region &region, Reduction &reduction);

private:
  std::map<std::string, Reduction> known; ///< by what the region computes
};

/// Where one operation does it all, its name without the dialect.
void nameCombiner(const Region &region, Reduction &reduction);

/// What a sum in a narrow type comes to; "" of types wide enough.
std::string accumulatorWarning(std::string_view type, int64_t length);

double roundedTo(double value, std::string_view type);
int64_t wrappedTo(int64_t value, std::string_view type);
bool isFloatType(std::string_view type);

/// Evaluates one operation; false where it is not known.
bool evaluate(const RegionOp &op, const std::vector<Scalar> &in, Scalar &out);
bool canEvaluate(const RegionOp &op);

} // namespace wf::explain::ir

#endif // WARPFOLD_EXPLAIN_INSPECT_REGION_H
