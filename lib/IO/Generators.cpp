//===- Generators.cpp - Inputs that need no file -------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// gen:NAME(ARGUMENTS): the arguments are cut at the commas outside brackets,
// bound to the generator's parameters, and read one by one.
//===----------------------------------------------------------------------===//
#include "IO/Generators.h"

#include "Error/Error.h"
#include "IO/Elements.h"
#include "IO/Scalar.h"
#include "IO/Shape.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace wf;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

static Error wrong(const llvm::Twine &what, StringRef usage) {
  return userError(what, "usage: " + usage);
}

/// The pieces between commas that stand in no bracket; a comma at the end adds
/// none.
static std::vector<StringRef> splitAtCommas(StringRef text) {
  std::vector<StringRef> pieces;
  size_t start = 0;
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' || text[i] == '[';
    depth -= text[i] == ')' || text[i] == ']';
    if (text[i] != ',' || depth != 0)
      continue;
    pieces.push_back(text.slice(start, i).trim());
    start = i + 1;
  }
  if (!text.drop_front(start).trim().empty())
    pieces.push_back(text.drop_front(start).trim());
  return pieces;
}

namespace {

/// The arguments of one call, in the order of its parameters; absent ones are
/// empty optionals.
struct Call {
  StringRef usage;
  llvm::SmallVector<std::optional<StringRef>, 4> arguments;

  Expected<ScalarType> type(size_t i) const {
    std::optional<ScalarType> type = scalarTypeNamed(*arguments[i]);
    if (!type)
      return userError("type '" + *arguments[i] + "' is unknown",
                       "supported: " + supportedTypes());
    return *type;
  }
  /// A shape whose elements can be counted in bytes.
  Expected<std::vector<int64_t>> shape(size_t i, ScalarType type) const {
    Expected<std::vector<int64_t>> shape = parseShape(*arguments[i]);
    if (shape && !checkedBytes(*shape, byteSize(type)))
      return tooLarge("an array", *shape, name(type));
    return shape;
  }
};

} // namespace

/// Binds the argument text to `parameters`, of which the first `required` must
/// be given.
static Expected<Call> bindArguments(StringRef text,
                                    ArrayRef<StringRef> parameters,
                                    size_t required, StringRef usage) {
  Call call{usage, {}};
  call.arguments.resize(parameters.size());
  bool named = false;
  size_t position = 0;
  for (StringRef piece : splitAtCommas(text)) {
    StringRef key = piece.take_while(llvm::isAlpha), value = piece;
    StringRef after = piece.drop_front(key.size()).ltrim();
    size_t slot = position;
    if (!key.empty() && after.consume_front("=")) {
      named = true;
      value = after.trim();
      slot = size_t(llvm::find(parameters, key) - parameters.begin());
      if (slot == parameters.size())
        return wrong("there is no argument called '" + key + "'", usage);
    } else if (named) {
      return wrong("'" + piece + "' has no name but stands after a named one",
                   usage);
    } else if (position++ == parameters.size()) {
      return wrong("there are too many arguments, from '" + piece + "' on",
                   usage);
    }
    if (call.arguments[slot])
      return wrong("argument '" + parameters[slot] + "' is given twice", usage);
    if (value.empty())
      return wrong("argument '" + parameters[slot] + "' is empty", usage);
    call.arguments[slot] = value;
  }
  for (size_t i = 0; i < required; ++i)
    if (!call.arguments[i])
      return wrong("argument '" + parameters[i] + "' is missing", usage);
  return call;
}

static Expected<Array> makeFull(const Call &call) {
  Expected<ScalarType> type = call.type(2);
  if (!type)
    return type.takeError();
  Expected<std::vector<int64_t>> shape = call.shape(1, *type);
  if (!shape)
    return shape.takeError();
  auto element = std::make_shared<uint64_t>(0);
  if (Error error = parseScalar(*call.arguments[0], *type, element.get()))
    return error;
  Array array;
  array.type = *type;
  array.strides.assign(shape->size(), 0);
  array.shape = std::move(*shape);
  array.data = element.get();
  array.owner = std::move(element);
  return array;
}

static Array generated(ScalarType type, std::vector<int64_t> shape,
                       std::shared_ptr<const ElementSource> source) {
  Array array;
  array.type = type;
  array.strides = rowMajorStrides(shape);
  array.shape = std::move(shape);
  array.source = std::move(source);
  return array;
}

/// How many of 0, 1, 2, … the type holds exactly, or rounded for a float.
static Int128 countThatFits(ScalarType type) {
  if (type == ScalarType::Bool)
    return 2;
  if (isFloat(type))
    return Int128(1) << 64;
  return Int128(1) << (8 * byteSize(type) - isSigned(type));
}

static Expected<Array> makeArange(const Call &call) {
  Expected<ScalarType> type = call.type(1);
  if (!type)
    return type.takeError();
  Expected<Int128> count = parseInteger(*call.arguments[0]);
  if (!count)
    return count.takeError();
  if (*count < 0 || *count > INT64_MAX)
    return wrong("the count of arange must go from 0 to 2**63 - 1", call.usage);
  if (*count > countThatFits(*type))
    return userError("arange(" + *call.arguments[0] +
                         ") has values that do not fit " +
                         StringRef(name(*type)),
                     "take a wider type");
  std::vector<int64_t> shape{int64_t(*count)};
  if (call.arguments[2]) {
    Expected<std::vector<int64_t>> given = parseShape(*call.arguments[2]);
    if (!given)
      return given.takeError();
    shape = std::move(*given);
  }
  std::optional<int64_t> bytes = checkedBytes(shape, byteSize(*type));
  if (!bytes)
    return tooLarge("an array", shape, name(*type));
  if (*bytes / byteSize(*type) != *count)
    return userError("shape " + formatShape(shape) + " has " +
                         llvm::Twine(*bytes / byteSize(*type)) +
                         " elements, but arange makes " +
                         llvm::Twine(int64_t(*count)),
                     "the product of the sizes must be the count");
  return generated(*type, std::move(shape), arangeSource(*type));
}

static Expected<Array> makeRandom(const Call &call) {
  Expected<ScalarType> type = call.type(1);
  if (!type)
    return type.takeError();
  Expected<std::vector<int64_t>> shape = call.shape(0, *type);
  if (!shape)
    return shape.takeError();
  uint64_t seed = 0;
  if (call.arguments[2])
    if (Error error = parseScalar(*call.arguments[2], ScalarType::U64, &seed))
      return error;
  return generated(*type, std::move(*shape), randomSource(*type, seed));
}

namespace {

/// Reads nested lists; the sizes of the first list at each depth are the shape
/// that all others must have.
class ListReader {
public:
  ListReader(ScalarType type, StringRef usage) : type(type), usage(usage) {}

  Error read(StringRef text, size_t depth) {
    if (!text.starts_with("["))
      return element(text, depth);
    if (!text.ends_with("]"))
      return wrong("a ']' is missing at '" + text.take_back(20) + "'", usage);
    if (int64_t(depth) >= maxRank)
      return wrong("lists nest deeper than " + llvm::Twine(maxRank), usage);
    std::vector<StringRef> items = splitAtCommas(text.drop_front().drop_back());
    if (depth == shape.size() && !elementDepth)
      shape.push_back(int64_t(items.size()));
    if (depth >= shape.size() || shape[depth] != int64_t(items.size()))
      return ragged(text);
    for (StringRef item : items)
      if (Error error = read(item, depth + 1))
        return error;
    return Error::success();
  }

  std::vector<int64_t> shape;
  std::string stored; // the elements' bytes, row-major

private:
  Error ragged(StringRef text) const {
    return userError("lists differ in length or depth at '" +
                         text.take_front(30) + "'",
                     "all lists of one level must have the same length");
  }
  Error element(StringRef text, size_t depth) {
    if (depth != shape.size())
      return ragged(text);
    elementDepth = true;
    char bytes[8];
    if (Error error = parseScalar(text, type, bytes))
      return error;
    stored.append(bytes, size_t(byteSize(type)));
    return Error::success();
  }

  ScalarType type;
  StringRef usage;
  bool elementDepth = false; // an element has been seen: the depth is known
};

} // namespace

static Expected<Array> makeValues(const Call &call) {
  Expected<ScalarType> type = call.type(1);
  if (!type)
    return type.takeError();
  ListReader reader(*type, call.usage);
  if (Error error = reader.read(*call.arguments[0], 0))
    return error;
  void *memory = nullptr;
  Expected<Array> array = allocateArray(*type, reader.shape, memory);
  if (array)
    llvm::copy(reader.stored, static_cast<char *>(memory));
  return array;
}

namespace {
struct Generator {
  StringRef name;
  std::vector<StringRef> parameters;
  size_t required;
  StringRef usage;
  Expected<Array> (*make)(const Call &);
};
} // namespace

Expected<Array> wf::parseGenerator(StringRef text) {
  const Generator generators[] = {
      {"full",
       {"value", "shape", "dtype"},
       3,
       "gen:full(1, 2**31+5, i8) is value, shape, dtype",
       makeFull},
      {"arange",
       {"count", "dtype", "shape"},
       2,
       "gen:arange(12, f32, 3x4) is count, dtype and, if wanted, shape",
       makeArange},
      {"random",
       {"shape", "dtype", "seed"},
       2,
       "gen:random(1024x4096, f32, seed=7) is shape, dtype and, if wanted, "
       "seed",
       makeRandom},
      {"values",
       {"values", "dtype"},
       2,
       "gen:values([[1, nan], [3, 4]], f32) is nested lists and dtype",
       makeValues},
  };
  StringRef body = text.trim();
  body.consume_front("gen:");
  auto [name, rest] = body.split('(');
  for (const Generator &generator : generators) {
    if (generator.name != name.trim())
      continue;
    if (!rest.consume_back(")") || !body.contains('('))
      return wrong("'" + text + "' does not end with ')'", generator.usage);
    Expected<Call> call = bindArguments(rest, generator.parameters,
                                        generator.required, generator.usage);
    if (!call)
      return call.takeError();
    return generator.make(*call);
  }
  return userError("there is no generator called '" + name.trim() + "'",
                   "there are gen:full, gen:arange, gen:random and gen:values");
}
