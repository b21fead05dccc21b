//===- ShapeText.cpp - Reads shapes ---------------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Patterns/Shape.h"
#include "Explain/Patterns/Words.h"

#include <charconv>

using namespace wf::explain;

namespace {
struct Word {
  std::string_view name;
  Shape::Kind kind;
  Op op = Op::Unknown;
  size_t least = 0, most = 0; ///< arguments; an operation may have none
};

constexpr Word words[] = {
    {"any", Shape::Kind::Any},
    {"load", Shape::Kind::Load},
    {"shared", Shape::Kind::Shared},
    {"local", Shape::Kind::Local},
    {"param", Shape::Kind::Parameter},
    {"constant", Shape::Kind::Constant},
    {"scalar", Shape::Kind::Scalar},
    {"index", Shape::Kind::Index},
    {"atomic", Shape::Kind::Atomic},
    {"shuffle", Shape::Kind::Shuffle},
    {"float", Shape::Kind::Float, Op::Unknown, 1, 1},
    {"has", Shape::Kind::Has, Op::Unknown, 1, 1},
    {"all", Shape::Kind::All, Op::Unknown, 1, 8},
    {"one", Shape::Kind::One, Op::Unknown, 1, 8},
    {"add", Shape::Kind::Operation, Op::Add, 2, 4},
    {"sub", Shape::Kind::Operation, Op::Sub, 2, 2},
    {"mul", Shape::Kind::Operation, Op::Mul, 2, 4},
    {"fma", Shape::Kind::Operation, Op::Fma, 3, 3},
    {"div", Shape::Kind::Operation, Op::Div, 2, 2},
    {"max", Shape::Kind::Operation, Op::Max, 2, 4},
    {"min", Shape::Kind::Operation, Op::Min, 2, 4},
    {"neg", Shape::Kind::Operation, Op::Neg, 1, 1},
    {"abs", Shape::Kind::Operation, Op::Abs, 1, 1},
    {"and", Shape::Kind::Operation, Op::And, 2, 4},
    {"or", Shape::Kind::Operation, Op::Or, 2, 4},
    {"xor", Shape::Kind::Operation, Op::Xor, 2, 4},
    {"not", Shape::Kind::Operation, Op::Not, 1, 1},
    {"shl", Shape::Kind::Operation, Op::Shl, 2, 2},
    {"rcp", Shape::Kind::Operation, Op::Rcp, 1, 1},
    {"sqrt", Shape::Kind::Operation, Op::Sqrt, 1, 1},
    {"rsqrt", Shape::Kind::Operation, Op::Rsqrt, 1, 1},
    {"exp2", Shape::Kind::Operation, Op::Exp2, 1, 1},
    {"log2", Shape::Kind::Operation, Op::Log2, 1, 1},
    {"sin", Shape::Kind::Operation, Op::Sin, 1, 1},
    {"cos", Shape::Kind::Operation, Op::Cos, 1, 1},
    {"tanh", Shape::Kind::Operation, Op::Tanh, 1, 1},
    {"convert", Shape::Kind::Operation, Op::Convert, 1, 1},
    {"popcount", Shape::Kind::Operation, Op::PopCount, 1, 1},
};

class Reader {
public:
  explicit Reader(std::string_view text) : text(text) {}

  bool run(Shape &shape) {
    if (!read(shape, 0))
      return false;
    blanks();
    if (at < text.size())
      return fail(at, text.size() - at, "nothing may follow a shape",
                  "put each shape on a `stores` line of its own");
    return true;
  }
  ShapeFault fault;

private:
  bool fail(size_t where, size_t length, std::string message,
            std::string hint) {
    fault = {where, std::max<size_t>(length, 1), std::move(message),
             std::move(hint)};
    return false;
  }
  void blanks() {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t'))
      ++at;
  }

  bool read(Shape &shape, int depth) {
    blanks();
    size_t start = at;
    while (at < text.size() && text[at] != '(' && text[at] != ')' &&
           text[at] != ',' && text[at] != ' ' && text[at] != '\t')
      ++at;
    std::string_view name = text.substr(start, at - start);
    if (depth > 16)
      return fail(start, name.size(), "the shape is nested too deeply",
                  "16 levels are enough for a pattern");
    if (name.empty())
      return fail(start, 1, "a shape is missing here",
                  "write a leaf such as `load`, a number, or an operation "
                  "such as `max(load, 0)`");
    char first = name[0];
    if ((first >= '0' && first <= '9') || first == '-' || first == '.') {
      shape.kind = Shape::Kind::Number;
      auto [end, error] =
          std::from_chars(name.data(), name.data() + name.size(), shape.number);
      if (error != std::errc() || end != name.data() + name.size())
        return fail(start, name.size(),
                    "'" + std::string(name) + "' is no number", "");
      return true;
    }
    for (const Word &word : words)
      if (word.name == name)
        return arguments(shape, word, start, depth);
    std::vector<std::string_view> names;
    for (const Word &word : words)
      names.push_back(word.name);
    return fail(start, name.size(),
                "no shape is called '" + std::string(name) + "'",
                suggestion(name, names));
  }

  bool arguments(Shape &shape, const Word &word, size_t start, int depth) {
    shape.kind = word.kind;
    shape.op = word.op;
    blanks();
    bool open = at < text.size() && text[at] == '(';
    if (open) {
      if (word.most == 0)
        return fail(start, at - start + 1,
                    "'" + std::string(word.name) + "' takes no arguments", "");
      do {
        ++at;
        if (!read(shape.args.emplace_back(), depth + 1))
          return false;
        blanks();
      } while (at < text.size() && text[at] == ',');
      if (at >= text.size() || text[at] != ')')
        return fail(at, 1, "')' is missing here",
                    "each '(' of a shape needs its ')'");
      ++at;
    }
    size_t count = shape.args.size();
    bool bare = !open && word.kind == Shape::Kind::Operation;
    if (!bare && (count < word.least || count > word.most)) {
      std::string wants = std::to_string(word.least);
      if (word.most > word.least)
        wants += " to " + std::to_string(word.most);
      return fail(start, at - start,
                  "'" + std::string(word.name) + "' takes " + wants +
                      (wants == "1" ? " argument" : " arguments") + ", not " +
                      std::to_string(count),
                  "`any` stands for an argument that does not matter");
    }
    return true;
  }

  std::string_view text;
  size_t at = 0;
};
} // namespace

std::optional<ShapeFault> wf::explain::readShape(std::string_view text,
                                                 Shape &shape) {
  Reader reader(text);
  if (reader.run(shape))
    return std::nullopt;
  return reader.fault;
}
