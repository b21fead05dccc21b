//===- NpyHeader.cpp - The dict at the head of a .npy file ---------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// A reader of just the Python literals that the format uses: strings, True and
// False, and tuples of integers. A list or tuple as descr is a structured type
// and is refused before it is read.
//===----------------------------------------------------------------------===//
#include "IO/NpyHeader.h"

#include "Error/Error.h"
#include "IO/Shape.h"
#include "llvm/ADT/StringExtras.h"

#include <optional>

using namespace wf;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

/// Printable ASCII of a piece of a file, for messages.
static std::string shown(StringRef text) {
  std::string out;
  for (char c : text.take_front(40))
    out += llvm::isPrint(c) ? c : '?';
  return out + (text.size() > 40 ? "…" : "");
}

/// What kind of element an unsupported descr stands for.
static StringRef kindOf(StringRef code) {
  if (code == "f2")
    return "half-precision floats";
  if (code.starts_with("f"))
    return "long doubles";
  if (code.starts_with("c"))
    return "complex numbers";
  if (code.starts_with("O"))
    return "Python objects";
  if (code.starts_with("S") || code.starts_with("a"))
    return "byte strings";
  if (code.starts_with("U"))
    return "text";
  if (code.starts_with("M") || code.starts_with("m"))
    return "dates or time spans";
  if (code.starts_with("V"))
    return "opaque bytes (bfloat16 and 8-bit floats are stored so)";
  return "a type that Warpfold does not know";
}

static Error refuse(StringRef file, StringRef descr, const llvm::Twine &kind) {
  return userError(file + " holds " + kind + " (dtype " + shown(descr) +
                       "), which are not supported",
                   "supported: little-endian " + supportedTypes() +
                       "; convert with numpy.save(path, x.astype(…))");
}

static Expected<ScalarType> typeOf(StringRef descr, StringRef file) {
  StringRef code = descr;
  char order = '=';
  if (!code.empty() && StringRef("<>|=").contains(code.front())) {
    order = code.front();
    code = code.drop_front();
  }
  if (code == "?")
    code = "b1";
  std::optional<ScalarType> type;
#define X(E, N, B, D, ...)                                                     \
  if (code == D)                                                               \
    type = ScalarType::E;
  WF_SCALAR_TYPES(X)
#undef X
  std::string quoted = "'" + shown(descr) + "'";
  if (!type)
    return refuse(file, quoted, kindOf(code));
  if (order == '>' && byteSize(*type) > 1)
    return refuse(file, quoted, "big-endian numbers");
  return *type;
}

namespace {

class DictReader {
public:
  DictReader(StringRef text, StringRef file) : rest(text), file(file) {}

  Expected<NpyHeader> read() {
    if (!consume('{'))
      return malformed("a '{' was expected");
    while (!consume('}')) {
      if (Error error = entry())
        return error;
      if (consume(','))
        continue;
      if (!consume('}'))
        return malformed("a ',' or '}' was expected");
      break;
    }
    if (!rest.trim().empty())
      return malformed("there is text after the dict");
    if (!type || !fortran || !shape)
      return malformed("descr, fortran_order and shape must all be there");
    return NpyHeader{*type, *fortran, std::move(*shape)};
  }

private:
  Error malformed(const llvm::Twine &what) const {
    return userError(file + " has a malformed .npy header: " + what +
                         (rest.empty() ? llvm::Twine(" at its end")
                                       : " at " + shown(rest.take_front(20))),
                     "the file may be damaged; write it again with "
                     "numpy.save");
  }

  bool consume(char c) {
    rest = rest.ltrim();
    if (!rest.starts_with(StringRef(&c, 1)))
      return false;
    rest = rest.drop_front();
    return true;
  }

  /// A quoted string without escapes.
  std::optional<StringRef> string() {
    rest = rest.ltrim();
    if (rest.empty() || (rest.front() != '\'' && rest.front() != '"'))
      return std::nullopt;
    size_t end = rest.find(rest.front(), 1);
    if (end == StringRef::npos)
      return std::nullopt;
    StringRef text = rest.slice(1, end);
    rest = rest.drop_front(end + 1);
    return text;
  }

  Error entry() {
    std::optional<StringRef> key = string();
    if (!key)
      return malformed("a quoted key was expected");
    if (!consume(':'))
      return malformed("a ':' was expected");
    rest = rest.ltrim();
    if (*key == "descr" && !type)
      return readType();
    if (*key == "fortran_order" && !fortran)
      return readOrder();
    if (*key == "shape" && !shape)
      return readShape();
    return malformed("key '" + shown(*key) + "' is unknown or there twice");
  }

  Error readType() {
    if (rest.starts_with("[") || rest.starts_with("("))
      return refuse(file, rest.split('\n').first, "structured records");
    std::optional<StringRef> descr = string();
    if (!descr)
      return malformed("descr must be a string");
    Expected<ScalarType> parsed = typeOf(*descr, file);
    if (!parsed)
      return parsed.takeError();
    type = *parsed;
    return Error::success();
  }

  Error readOrder() {
    if (rest.consume_front("True"))
      fortran = true;
    else if (rest.consume_front("False"))
      fortran = false;
    else
      return malformed("fortran_order must be True or False");
    return Error::success();
  }

  Error readShape() {
    if (!consume('('))
      return malformed("shape must be a tuple");
    std::vector<int64_t> sizes;
    bool comma = true; // "(3 4)" and "(3)" are no tuples
    while (!consume(')')) {
      if (!comma)
        return malformed("a ',' was expected in shape");
      if (rest.starts_with("-"))
        return malformed("shape has a negative size");
      StringRef digits = rest.take_while(llvm::isDigit);
      int64_t size;
      if (digits.empty())
        return malformed("shape must hold integers");
      if (digits.getAsInteger(10, size))
        return malformed("shape has a size that does not fit in 64 bits");
      rest = rest.drop_front(digits.size());
      rest.consume_front("L"); // Python 2 wrote 3L
      if (int64_t(sizes.size()) == maxRank)
        return malformed("shape has more than " + llvm::Twine(maxRank) +
                         " axes");
      sizes.push_back(size);
      comma = consume(',');
    }
    if (sizes.size() == 1 && !comma)
      return malformed("shape must be a tuple, such as (3,)");
    shape = std::move(sizes);
    return Error::success();
  }

  StringRef rest, file;
  std::optional<ScalarType> type;
  std::optional<bool> fortran;
  std::optional<std::vector<int64_t>> shape;
};

} // namespace

Expected<NpyHeader> wf::parseNpyHeader(StringRef dict, StringRef file) {
  return DictReader(dict, file).read();
}
