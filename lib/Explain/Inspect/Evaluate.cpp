//===- Evaluate.cpp - One scalar operation of arith or math ---------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Inspect/IrTypes.h"
#include "Explain/Inspect/Region.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace wf::explain::ir {

bool isFloatType(std::string_view type) {
  return type.substr(0, 1) == "f" || type.substr(0, 2) == "bf" ||
         type.substr(0, 2) == "tf";
}

/// To `bits` of significand; beyond `most` to infinity, below 2^least coarser.
static double rounded(double value, int bits, int least, double most) {
  if (value == 0 || !std::isfinite(value))
    return value;
  int exponent = std::max(std::ilogb(value), least);
  double unit = std::ldexp(1.0, exponent - bits + 1);
  double result = std::nearbyint(value / unit) * unit;
  if (std::fabs(result) > most)
    return std::copysign(std::numeric_limits<double>::infinity(), value);
  return result;
}

double roundedTo(double value, std::string_view type) {
  if (type == "f16")
    return rounded(value, 11, -14, 65504);
  if (type == "bf16")
    return rounded(value, 8, -126, 3.3895313892515355e38);
  if (type == "f32")
    return static_cast<double>(static_cast<float>(value));
  if (type == "f8E5M2")
    return rounded(value, 3, -14, 57344);
  if (type == "f8E4M3FN")
    return rounded(value, 4, -6, 448);
  return value;
}

int64_t wrappedTo(int64_t value, std::string_view type) {
  unsigned bits = bitsOfElement(type);
  if (bits == 0 || bits >= 64)
    return value;
  uint64_t low = static_cast<uint64_t>(value) & ((1ull << bits) - 1);
  if (bits > 1 && (low >> (bits - 1)) != 0)
    low |= ~((1ull << bits) - 1);
  return static_cast<int64_t>(low);
}

static uint64_t asUnsigned(int64_t value, std::string_view type) {
  unsigned bits = bitsOfElement(type);
  uint64_t u = static_cast<uint64_t>(value);
  return bits == 0 || bits >= 64 ? u : u & ((1ull << bits) - 1);
}

namespace {
using FloatOp = double (*)(double, double);
using UnaryOp = double (*)(double);
using IntOp = int64_t (*)(int64_t, int64_t);
struct FloatRow {
  std::string_view name;
  FloatOp apply;
};
struct UnaryRow {
  std::string_view name;
  UnaryOp apply;
};
struct IntRow {
  std::string_view name;
  IntOp apply;
  bool isUnsigned = false;
};
} // namespace

static double maximum(double a, double b) {
  return std::isnan(a) ? a : std::isnan(b) ? b : std::fmax(a, b);
}
static double minimum(double a, double b) {
  return std::isnan(a) ? a : std::isnan(b) ? b : std::fmin(a, b);
}

static constexpr FloatRow floatRows[] = {
    {"arith.addf", [](double a, double b) { return a + b; }},
    {"arith.subf", [](double a, double b) { return a - b; }},
    {"arith.mulf", [](double a, double b) { return a * b; }},
    {"arith.divf", [](double a, double b) { return a / b; }},
    {"tt.precise_divf", [](double a, double b) { return a / b; }},
    {"arith.remf", [](double a, double b) { return std::fmod(a, b); }},
    {"arith.maxnumf", [](double a, double b) { return std::fmax(a, b); }},
    {"arith.minnumf", [](double a, double b) { return std::fmin(a, b); }},
    {"arith.maxf", [](double a, double b) { return std::fmax(a, b); }},
    {"arith.minf", [](double a, double b) { return std::fmin(a, b); }},
    {"arith.maximumf", maximum},
    {"arith.minimumf", minimum},
    {"math.powf", [](double a, double b) { return std::pow(a, b); }},
    {"math.copysign", [](double a, double b) { return std::copysign(a, b); }},
    {"math.atan2", [](double a, double b) { return std::atan2(a, b); }},
};

static constexpr UnaryRow unaryRows[] = {
    {"arith.negf", [](double a) { return -a; }},
    {"math.absf", [](double a) { return std::fabs(a); }},
    {"math.exp", [](double a) { return std::exp(a); }},
    {"math.exp2", [](double a) { return std::exp2(a); }},
    {"math.log", [](double a) { return std::log(a); }},
    {"math.log2", [](double a) { return std::log2(a); }},
    {"math.log1p", [](double a) { return std::log1p(a); }},
    {"math.expm1", [](double a) { return std::expm1(a); }},
    {"math.sqrt", [](double a) { return std::sqrt(a); }},
    {"tt.precise_sqrt", [](double a) { return std::sqrt(a); }},
    {"math.rsqrt", [](double a) { return 1 / std::sqrt(a); }},
    {"math.sin", [](double a) { return std::sin(a); }},
    {"math.cos", [](double a) { return std::cos(a); }},
    {"math.tanh", [](double a) { return std::tanh(a); }},
    {"math.erf", [](double a) { return std::erf(a); }},
    {"math.floor", [](double a) { return std::floor(a); }},
    {"math.ceil", [](double a) { return std::ceil(a); }},
    {"arith.extf", [](double a) { return a; }},
    {"arith.truncf", [](double a) { return a; }},
    {"tt.fp_to_fp", [](double a) { return a; }},
};

static int64_t wrapped(uint64_t value) { return static_cast<int64_t>(value); }
static int64_t divide(int64_t a, int64_t b) {
  return b == 0 || (b == -1 && a == INT64_MIN) ? 0 : a / b;
}
static int64_t remainder(int64_t a, int64_t b) {
  return b == 0 || b == -1 ? 0 : a % b;
}

static constexpr IntRow intRows[] = {
    {"arith.addi",
     [](int64_t a, int64_t b) { return wrapped(uint64_t(a) + uint64_t(b)); }},
    {"arith.subi",
     [](int64_t a, int64_t b) { return wrapped(uint64_t(a) - uint64_t(b)); }},
    {"arith.muli",
     [](int64_t a, int64_t b) { return wrapped(uint64_t(a) * uint64_t(b)); }},
    {"arith.divsi", divide},
    {"arith.remsi", remainder},
    {"arith.divui",
     [](int64_t a, int64_t b) {
       return b == 0 ? 0 : wrapped(uint64_t(a) / uint64_t(b));
     },
     true},
    {"arith.remui",
     [](int64_t a, int64_t b) {
       return b == 0 ? 0 : wrapped(uint64_t(a) % uint64_t(b));
     },
     true},
    {"arith.andi", [](int64_t a, int64_t b) { return a & b; }},
    {"arith.ori", [](int64_t a, int64_t b) { return a | b; }},
    {"arith.xori", [](int64_t a, int64_t b) { return a ^ b; }},
    {"arith.shli",
     [](int64_t a, int64_t b) {
       return b < 0 || b > 63 ? 0 : wrapped(uint64_t(a) << b);
     }},
    {"arith.shrsi",
     [](int64_t a, int64_t b) { return a >> std::clamp<int64_t>(b, 0, 63); }},
    {"arith.shrui",
     [](int64_t a, int64_t b) {
       return b < 0 || b > 63 ? 0 : wrapped(uint64_t(a) >> b);
     },
     true},
    {"arith.maxsi", [](int64_t a, int64_t b) { return std::max(a, b); }},
    {"arith.minsi", [](int64_t a, int64_t b) { return std::min(a, b); }},
    {"arith.maxui",
     [](int64_t a, int64_t b) { return uint64_t(a) > uint64_t(b) ? a : b; },
     true},
    {"arith.minui",
     [](int64_t a, int64_t b) { return uint64_t(a) < uint64_t(b) ? a : b; },
     true},
};

template <typename Rows>
static auto rowNamed(const Rows &rows, std::string_view name)
    -> decltype(&rows[0]) {
  for (const auto &row : rows)
    if (row.name == name)
      return &row;
  return nullptr;
}

static constexpr std::string_view floatPredicates[] = {
    "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
    "ueq",   "ugt", "uge", "ult", "ule", "une", "uno", "true"};
static constexpr std::string_view intPredicates[] = {
    "eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"};

/// The predicate's name where the generic form gives its number.
template <size_t n>
static std::string_view predicateName(const std::string_view (&names)[n],
                                      std::string_view text) {
  if (text.empty() || text[0] < '0' || text[0] > '9')
    return text;
  size_t value = 0;
  for (char c : text.substr(0, 2))
    value = c >= '0' && c <= '9' ? value * 10 + size_t(c - '0') : value;
  return value < n ? names[value] : text;
}

static bool compareFloats(std::string_view p, double a, double b) {
  p = predicateName(floatPredicates, p);
  bool unordered = std::isnan(a) || std::isnan(b);
  if (p == "ord" || p == "uno")
    return unordered == (p == "uno");
  if (p == "true" || p == "false" || p.size() != 3)
    return p == "true";
  if (unordered)
    return p[0] == 'u';
  std::string_view what = p.substr(1);
  return what == "eq"   ? a == b
         : what == "ne" ? a != b
         : what == "lt" ? a < b
         : what == "le" ? a <= b
         : what == "gt" ? a > b
                        : a >= b;
}

static bool compareIntegers(std::string_view p, int64_t a, int64_t b,
                            std::string_view type) {
  p = predicateName(intPredicates, p);
  if (p == "eq" || p == "ne")
    return (a == b) == (p == "eq");
  if (p.empty())
    return false;
  std::string_view what = p.substr(1);
  bool less = p[0] == 'u' ? asUnsigned(a, type) < asUnsigned(b, type) : a < b;
  return what == "lt"   ? less
         : what == "le" ? less || a == b
         : what == "gt" ? !less && a != b
                        : !less;
}

/// Between integers and floats, and widths of integers.
static bool convert(const RegionOp &op, const Scalar &in, Scalar &out) {
  std::string_view name = op.name;
  if (name == "arith.sitofp") {
    out.f = static_cast<double>(in.i);
  } else if (name == "arith.uitofp") {
    out.f = static_cast<double>(asUnsigned(in.i, op.type));
  } else if (name == "arith.fptosi" || name == "arith.fptoui") {
    bool fits = std::fabs(in.f) < 9.2e18;
    out.i = fits ? static_cast<int64_t>(in.f) : 0;
  } else if (name == "arith.extui" || name == "arith.index_castui") {
    out.i = static_cast<int64_t>(asUnsigned(in.i, op.type));
  } else if (name == "arith.extsi" || name == "arith.trunci" ||
             name == "arith.index_cast") {
    // i1 is kept as 0 or 1; its sign extension is all ones.
    bool ones = name == "arith.extsi" && op.type == "i1" && in.i != 0;
    out.i = ones ? -1 : in.i;
  } else if (name == "arith.bitcast" || name == "tt.bitcast") {
    if (isFloatType(op.type) != isFloatType(op.toType))
      return false;
    out = in;
  } else {
    return false;
  }
  return true;
}

bool canEvaluate(const RegionOp &op) {
  Scalar ignored;
  return evaluate(op,
                  std::vector<Scalar>(std::max<size_t>(op.operands.size(), 1)),
                  ignored);
}

bool evaluate(const RegionOp &op, const std::vector<Scalar> &in, Scalar &out) {
  std::string_view name = op.name;
  if (op.constant) {
    out = *op.constant;
    return true;
  }
  const FloatRow *two = rowNamed(floatRows, name);
  const UnaryRow *one = rowNamed(unaryRows, name);
  const IntRow *whole = rowNamed(intRows, name);
  if (two && in.size() == 2) {
    out.f = two->apply(in[0].f, in[1].f);
  } else if (one && in.size() == 1) {
    out.f = one->apply(in[0].f);
  } else if (whole && in.size() == 2) {
    int64_t a = in[0].i, b = in[1].i;
    if (whole->isUnsigned) {
      a = static_cast<int64_t>(asUnsigned(a, op.type));
      b = static_cast<int64_t>(asUnsigned(b, op.type));
    }
    out.i = whole->apply(a, b);
  } else if (name == "math.fma" && in.size() == 3) {
    out.f = std::fma(in[0].f, in[1].f, in[2].f);
  } else if (name == "tt.clampf" && in.size() == 3) {
    out.f = std::fmin(std::fmax(in[0].f, in[1].f), in[2].f);
  } else if (name == "math.absi" && in.size() == 1) {
    out.i = in[0].i < 0 ? wrapped(0 - uint64_t(in[0].i)) : in[0].i;
  } else if (name == "arith.cmpf" && in.size() == 2) {
    out.i = compareFloats(op.predicate, in[0].f, in[1].f);
    return true;
  } else if (name == "arith.cmpi" && in.size() == 2) {
    out.i = compareIntegers(op.predicate, in[0].i, in[1].i, op.type);
    return true;
  } else if (name == "arith.select" && in.size() == 3) {
    out = in[0].i != 0 ? in[1] : in[2];
    return true;
  } else if (in.size() != 1 || !convert(op, in[0], out)) {
    return false;
  }
  std::string_view type = op.toType.empty() ? op.type : op.toType;
  if (type == "i1")
    out.i &= 1;
  else if (!isFloatType(type))
    out.i = wrappedTo(out.i, type);
  return true;
}

} // namespace wf::explain::ir
