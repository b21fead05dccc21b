//===- Users.cpp - Combines that users write, and values that bite --------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Selftest/Matrix.h"
#include "Selftest/Reductions.h"
#include "Selftest/Views.h"

#include "llvm/ADT/StringExtras.h"

using namespace wf;
using namespace wf::selftest;

namespace {
struct Form {
  const char *name;
  std::vector<int64_t> shape, axes;
  bool quick;
};
} // namespace

static const std::vector<Form> &forms() {
  static const std::vector<Form> all = {
      {"full-7", {7}, {0}, false},
      {"full-4099", {4099}, {0}, false},
      {"full-100003", {100003}, {0}, true},
      {"rows-19x4098", {19, 4098}, {1}, false},
      {"rows-400x29", {400, 29}, {1}, true},
      {"columns-1027x50", {1027, 50}, {0}, true},
      {"middle-4x300x33", {4, 300, 33}, {1}, false},
      {"outer-11x130x65", {11, 130, 65}, {0, 2}, false},
  };
  return all;
}

static Case formed(std::string name, llvm::StringRef reduction,
                   std::vector<ScalarType> types, const Form &form) {
  Case c = makeCase(std::move(name) + "/" + form.name, reduction,
                    std::move(types), form.shape);
  c.axes = form.axes;
  c.allAxes = false;
  return c;
}

static std::string joined(llvm::StringRef types) {
  std::string text = types.str();
  for (char &c : text)
    c = c == ',' ? '_' : c;
  return text;
}

void selftest::addUserCases(std::vector<Case> &cases) {
  for (const UserReduction &r : userReductions()) {
    bool firstTypes = true;
    for (llvm::StringRef types : llvm::split(r.types, ';')) {
      const std::string head =
          std::string("users/") + r.name + "-" + joined(types) + "/";
      for (const Form &form : forms())
        for (const char *order : {"strongest", "ordered", "sequential"}) {
          Case c = formed(head + order, r.name, typesOf(types), form);
          const bool strongest = llvm::StringRef(order) == "strongest";
          if (!strongest)
            c.order = order;
          // The second input of several repeats: a weight for each row.
          if (c.inputs.size() > 1 && form.shape.size() > 1)
            c.inputs[1].view = repeated(c.inputs[1].view, 1);
          c.quick = form.quick && firstTypes &&
                    (strongest || form.axes == std::vector<int64_t>{1});
          cases.push_back(std::move(c));
        }
      firstTypes = false;
    }
  }
}

/// What --acc changes.
static void addAccumulators(std::vector<Case> &cases) {
  for (llvm::StringRef op : {"sum", "prod", "mean", "max", "argmin"})
    for (llvm::StringRef pair : {"f32 f64", "f64 f32", "i8 i16", "i8 i32",
                                 "u8 u8", "i32 f64", "u16 f32", "i64 i32"}) {
      auto [type, acc] = pair.split(' ');
      for (const Form &form : forms()) {
        Case c = formed("values/acc-" + op.str() + "-" + type.str() + "-as-" +
                            acc.str(),
                        op, typesOf(type), form);
        c.acc = typesOf(acc)[0];
        c.quick = form.quick && op == "sum";
        if (accepts(c))
          cases.push_back(std::move(c));
      }
    }
}

static void addParams(std::vector<Case> &cases) {
  for (const char *ddof : {"1", "5000", "-3"})
    for (const Form &form : forms()) {
      Case c = formed(std::string("values/ddof") + ddof, "var",
                      {ScalarType::F32}, form);
      c.params = {{"ddof", ddof}};
      cases.push_back(std::move(c));
    }
}

/// Nothing to fold, and nothing to give.
static void addEmpties(std::vector<Case> &cases) {
  const Form empties[] = {{"empty-0", {0}, {0}, true},
                          {"empty-5x0", {5, 0}, {1}, true},
                          {"empty-0x5", {0, 5}, {0}, true},
                          {"none-0x5", {0, 5}, {1}, true}};
  for (llvm::StringRef op : {"sum", "max", "mean", "how_many", "halves"})
    for (const Form &form : empties) {
      Case c = formed("values/empty-" + op.str(), op, {ScalarType::I32}, form);
      c.quick = form.quick;
      cases.push_back(std::move(c));
    }
}

/// Orders that promise less than the strongest. What no tree changes is
/// compared under them.
static void addWeakOrders(std::vector<Case> &cases) {
  for (const char *order : {"fixed", "any"})
    for (auto [op, type] :
         {std::pair<const char *, ScalarType>{"sum", ScalarType::I32},
          {"argmax", ScalarType::F32},
          {"max", ScalarType::F64},
          {"xor", ScalarType::U16}})
      for (const Form &form : forms()) {
        Case c = formed(std::string("values/order-") + order + "-" + op, op,
                        {type}, form);
        c.order = order;
        cases.push_back(std::move(c));
      }
}

void selftest::addValueCases(std::vector<Case> &cases) {
  const struct {
    const char *name;
    Values values;
    bool nanIgnore, quick;
  } kinds[] = {
      {"ties", Values::Ties, false, true},
      {"special", Values::Special, false, true},
      {"nans", Values::WithNans, false, true},
      {"mostly-nan", Values::Nans, false, false},
      {"zeros", Values::Zeros, false, false},
      {"ignore", Values::WithNans, true, true},
      {"ignore-most", Values::Nans, true, false},
      {"ignore-none", Values::Plain, true, false},
  };
  for (llvm::StringRef op :
       {"sum", "prod", "min", "max", "argmin", "argmax", "aminmax", "mean",
        "var", "norm1", "norm2", "all", "count_nonzero", "witness", "last"})
    for (llvm::StringRef type : {"f32", "f64", "i8", "bool"})
      for (const auto &kind : kinds) {
        const bool isFloat = type.starts_with("f");
        if (!isFloat && kind.values != Values::Ties &&
            kind.values != Values::Special)
          continue;
        for (const Form &form : forms()) {
          Case c = formed(std::string("values/") + kind.name + "-" + op.str() +
                              "-" + type.str(),
                          op, typesOf(type), form);
          c.inputs[0].values = kind.values;
          c.nanIgnore = kind.nanIgnore;
          c.quick = kind.quick && type == "f32" && form.quick &&
                    (form.axes[0] == 1 || op.starts_with("arg"));
          if (accepts(c))
            cases.push_back(std::move(c));
        }
      }
  addAccumulators(cases);
  addParams(cases);
  addEmpties(cases);
  addWeakOrders(cases);
}
