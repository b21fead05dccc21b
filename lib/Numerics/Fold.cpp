//===- Fold.cpp - The reference fold --------------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Numerics/Fold.h"
#include "Error/Error.h"
#include "Numerics/Evaluate.h"
#include "Numerics/ReducedView.h"
#include "Numerics/TreeFold.h"
#include "Numerics/Value.h"

#include "llvm/ADT/STLExtras.h"

using namespace wf;

namespace {
/// A subtree: its state and the number of elements in it.
struct Partial {
  Scalars state;
  int64_t count = 0;
};
} // namespace

/// The three functions of the fold, bound to a program; then the walk.
static std::optional<Partial> foldStates(const Program &program, Order order,
                                         llvm::ArrayRef<uint64_t> params,
                                         int64_t count, ElementAccess element) {
  auto operandsAt = [&](int64_t k, Scalars &elements) {
    for (unsigned i = 0; i < program.inputs.size(); ++i)
      elements.push_back(element(i, k));
    Operands in;
    in.inputs = elements;
    in.index = k;
    in.params = params;
    return in;
  };
  auto lift = [&](int64_t k) {
    Scalars elements;
    return Partial{evaluate(program.map, operandsAt(k, elements)), 1};
  };
  auto update = [&](Partial &partial, int64_t k) {
    Scalars elements;
    Operands in = operandsAt(k, elements);
    in.stateA = partial.state;
    in.countA = partial.count;
    partial.state = evaluate(program.update, in);
    ++partial.count;
  };
  auto combine = [&](const Partial &left, const Partial &right) {
    Operands in;
    in.stateA = left.state;
    in.stateB = right.state;
    in.countA = left.count;
    in.countB = right.count;
    in.params = params;
    return Partial{evaluate(program.combine, in), left.count + right.count};
  };
  return foldTree<Partial>(order, orderShape(program), count, lift, update,
                           combine);
}

/// The run-time scalars, or the error about the first without a value.
static llvm::Expected<Scalars> valuesOfParams(const Program &program) {
  Scalars values;
  for (const Param &param : program.params) {
    if (!param.value)
      return userError("param '" + param.name + "' has no value",
                       "give one with --param " + param.name + "=VALUE");
    values.push_back(*param.value);
  }
  return values;
}

/// foldOne() of a verified program; `output` says which output an error is
/// about.
static llvm::Expected<std::vector<uint64_t>>
foldVerified(const Program &program, Order order,
             llvm::ArrayRef<uint64_t> params, int64_t count,
             ElementAccess element, const std::string &output) {
  Operands in;
  in.params = params;
  Scalars results;
  if (std::optional<Partial> all =
          foldStates(program, order, params, count, element)) {
    in.stateA = all->state;
    in.countA = all->count;
    results = evaluate(program.finish, in);
  } else if (program.empty) {
    results = evaluate(*program.empty, in);
  } else {
    return userError("empty reduction: output " + output + " of '" +
                         program.name + "' has no elements",
                     "give a `neutral` or say what `empty` is");
  }
  std::vector<uint64_t> stored;
  for (auto [payload, field] : llvm::zip_equal(results, program.results))
    stored.push_back(asStored(field.type, payload));
  return stored;
}

llvm::Expected<std::vector<uint64_t>> wf::foldOne(const Program &program,
                                                  Order order, int64_t count,
                                                  ElementAccess element) {
  if (llvm::Error e = verify(program))
    return e;
  llvm::Expected<Scalars> params = valuesOfParams(program);
  if (!params)
    return params.takeError();
  return foldVerified(program, order, *params, count, element, "()");
}

/// The inputs as the program wants them: their number, types and one shape.
static llvm::Error verifyInputs(const Program &program,
                                llvm::ArrayRef<Array> inputs) {
  if (inputs.size() != program.inputs.size())
    return internalError("'" + program.name + "' takes " +
                         llvm::Twine(program.inputs.size()) + " inputs, not " +
                         llvm::Twine(inputs.size()));
  for (auto [i, array] : llvm::enumerate(inputs)) {
    if (array.type != program.inputs[i])
      return internalError("input " + llvm::Twine(i) + " is " +
                           std::string(name(array.type)) + ", not " +
                           std::string(name(program.inputs[i])));
    if (array.shape != inputs[0].shape ||
        array.strides.size() != array.shape.size())
      return internalError("input " + llvm::Twine(i) +
                           " is not broadcast to the shape of input 0");
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<Array>> wf::foldArrays(const Program &program,
                                                  Order order,
                                                  llvm::ArrayRef<Array> inputs,
                                                  llvm::ArrayRef<int64_t> axes,
                                                  bool keepDims) {
  if (llvm::Error e = verify(program))
    return e;
  if (llvm::Error e = verifyInputs(program, inputs))
    return e;
  if (llvm::Error e = verifyAxes(inputs[0].rank(), axes))
    return e;
  llvm::Expected<Scalars> params = valuesOfParams(program);
  if (!params)
    return params.takeError();

  std::vector<ReducedView> views;
  for (const Array &array : inputs)
    views.emplace_back(array, axes);
  std::vector<Array> results;
  std::vector<char *> memory(program.results.size());
  for (auto [field, data] : llvm::zip_equal(program.results, memory))
    results.push_back(ownedArray(
        field.type, resultShape(inputs[0].shape, axes, keepDims), &data));

  for (int64_t output = 0; output < views[0].outputs(); ++output) {
    auto element = [&](unsigned input, int64_t k) {
      return views[input].value(output, k);
    };
    llvm::Expected<std::vector<uint64_t>> values =
        foldVerified(program, order, *params, views[0].perOutput(), element,
                     views[0].outputIndex(output));
    if (!values)
      return values.takeError();
    for (auto [value, data, field] :
         llvm::zip_equal(*values, memory, program.results)) {
      const size_t bytes = size_t(byteSize(field.type));
      std::memcpy(data + output * int64_t(bytes), &value, bytes);
    }
  }
  return results;
}
