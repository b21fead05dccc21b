//===- Parameters.cpp - A kernel's signature and its layout ---------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Both vendors lay parameters out as a C struct: each at a multiple of its own
// alignment. With the offsets, c[0x0][0x170] or a kernarg load gets its name.
//===----------------------------------------------------------------------===//
#include "Explain/Read/Lines.h"
#include "Explain/Read/Listing.h"

using namespace wf::explain;

namespace {

struct TypeRow {
  std::string_view name;
  std::string_view c; ///< as C writes it
  uint32_t bytes;
};

constexpr TypeRow types[] = {{"f16", "half", 2},
                             {"bf16", "bfloat16", 2},
                             {"f32", "float", 4},
                             {"f64", "double", 8},
                             {"i1", "bool", 1},
                             {"i8", "signed char", 1},
                             {"i16", "short", 2},
                             {"i32", "int", 4},
                             {"i64", "long long", 8},
                             {"u8", "unsigned char", 1},
                             {"u16", "unsigned short", 2},
                             {"u32", "unsigned int", 4},
                             {"u64", "unsigned long long", 8},
                             {"s8", "signed char", 1},
                             {"s16", "short", 2},
                             {"s32", "int", 4},
                             {"s64", "long long", 8},
                             {"fp16", "half", 2},
                             {"fp32", "float", 4},
                             {"fp64", "double", 8},
                             {"half", "half", 2},
                             {"__half", "half", 2},
                             {"_Float16", "half", 2},
                             {"__half2", "half2", 4},
                             {"half2", "half2", 4},
                             {"__nv_bfloat16", "bfloat16", 2},
                             {"__hip_bfloat16", "bfloat16", 2},
                             {"bfloat16", "bfloat16", 2},
                             {"float", "float", 4},
                             {"double", "double", 8},
                             {"bool", "bool", 1},
                             {"char", "char", 1},
                             {"signed char", "signed char", 1},
                             {"unsigned char", "unsigned char", 1},
                             {"short", "short", 2},
                             {"unsigned short", "unsigned short", 2},
                             {"int", "int", 4},
                             {"signed", "int", 4},
                             {"signed int", "int", 4},
                             {"unsigned", "unsigned int", 4},
                             {"unsigned int", "unsigned int", 4},
                             {"uint", "unsigned int", 4},
                             {"long", "long", 8},
                             {"long int", "long", 8},
                             {"unsigned long", "unsigned long", 8},
                             {"long long", "long long", 8},
                             {"long long int", "long long", 8},
                             {"unsigned long long", "unsigned long long", 8},
                             {"size_t", "size_t", 8},
                             {"std::size_t", "size_t", 8},
                             {"index", "size_t", 8},
                             {"int8_t", "int8_t", 1},
                             {"int16_t", "int16_t", 2},
                             {"int32_t", "int32_t", 4},
                             {"int64_t", "int64_t", 8},
                             {"uint8_t", "uint8_t", 1},
                             {"uint16_t", "uint16_t", 2},
                             {"uint32_t", "uint32_t", 4},
                             {"uint64_t", "uint64_t", 8},
                             {"float2", "float2", 8},
                             {"float4", "float4", 16},
                             {"int2", "int2", 8},
                             {"int4", "int4", 16},
                             {"uint2", "uint2", 8},
                             {"uint4", "uint4", 16},
                             {"double2", "double2", 16},
                             {"void", "void", 0}};

const TypeRow *typeNamed(std::string_view name) {
  for (const TypeRow &row : types)
    if (row.name == name)
      return &row;
  return nullptr;
}

/// The words of a declaration with `*` apart; qualifiers that change no layout
/// are left out, "const" of what is pointed to is kept.
struct Words {
  std::vector<std::string> base; ///< before the first *
  std::vector<std::string> name; ///< after the last *, where there is one
  size_t stars = 0;
  bool constant = false;
};

Words wordsOf(std::string_view text) {
  Words out;
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '*' || c == '&' || c == '[') {
      out.stars += 1;
      if (c == '[')
        i = std::min(text.find(']', i), text.size() - 1);
      ++i;
      continue;
    }
    if (!isWord(c) && c != ':') {
      ++i;
      continue;
    }
    size_t end = i;
    while (end < text.size() && (isWord(text[end]) || text[end] == ':'))
      ++end;
    const std::string_view word = text.substr(i, end - i);
    i = end;
    if (word == "const") {
      out.constant |= out.stars == 0;
      continue;
    }
    if (word == "__restrict__" || word == "__restrict" || word == "restrict" ||
        word == "volatile" || word == "__global" || word == "__constant" ||
        word == "struct")
      continue;
    (out.stars ? out.name : out.base).emplace_back(word);
  }
  return out;
}

std::string joined(const std::vector<std::string> &words) {
  std::string out;
  for (const std::string &word : words)
    out.append(out.empty() ? "" : " ").append(word);
  return out;
}

Fault unknownType(std::string_view name, std::string_view type) {
  return {"parameter '" + std::string(name) + "' has the unknown type '" +
              std::string(type) + "'",
          "types are f16, bf16, f32, f64, i8 to i64, u8 to u64, C's own, and "
          "pointers to them: 'x: f32*, n: i32'"};
}

/// "x: f32*" or "const float *x" without a layout.
Result<Parameter> readOne(std::string_view text, size_t index) {
  Parameter out;
  std::string_view type = text;
  const size_t colon = text.find(':');
  // A:: of std::size_t is no name's colon.
  const bool named =
      colon != std::string_view::npos && text.substr(colon, 2) != "::";
  if (named) {
    out.name = trimmed(text.substr(0, colon));
    type = trimmed(text.substr(colon + 1));
  }
  Words words = wordsOf(type);
  if (!named) {
    if (!words.name.empty()) {
      out.name = words.name.back();
    } else if (words.base.size() > 1 && !typeNamed(joined(words.base))) {
      out.name = words.base.back();
      words.base.pop_back();
    } else if (words.stars && words.base.size() > 1 &&
               text.find('[') != std::string_view::npos) {
      out.name = words.base.back();
      words.base.pop_back();
    }
  }
  if (out.name.empty())
    out.name = "arg" + std::to_string(index);
  const std::string base = joined(words.base);
  const TypeRow *row = typeNamed(base);
  const std::string_view written = row ? row->c : std::string_view(base);
  if (words.stars) {
    // What a pointer points to need not be known.
    if (base.empty())
      return unknownType(out.name, trimmed(type));
    out.type = (words.constant ? "const " : "") + std::string(written) + " " +
               std::string(words.stars, '*');
    out.bytes = 8;
    return out;
  }
  if (!row || row->bytes == 0)
    return unknownType(out.name, trimmed(type));
  out.type = written;
  out.bytes = row->bytes;
  return out;
}

} // namespace

Result<std::vector<Parameter>>
wf::explain::readParameters(std::string_view text) {
  std::vector<Parameter> out;
  text = trimmed(text);
  if (!text.empty() && text.front() == '(' && text.back() == ')')
    text = trimmed(text.substr(1, text.size() - 2));
  uint32_t offset = 0;
  while (!text.empty()) {
    size_t end = 0;
    for (int depth = 0; end < text.size(); ++end) {
      depth += text[end] == '<' || text[end] == '(';
      depth -= text[end] == '>' || text[end] == ')';
      if (text[end] == ',' && depth <= 0)
        break;
    }
    std::string part(trimmed(text.substr(0, end)));
    for (char &c : part)
      if (c == '\n')
        c = ' ';
    text = end < text.size() ? text.substr(end + 1) : std::string_view();
    if (trimmed(part).empty())
      return Fault{"a parameter is missing between commas",
                   "write them as 'x: f32*, y: f32*, n: i32'"};
    auto one = readOne(part, out.size());
    if (!one)
      return one.fault();
    offset = (offset + one->bytes - 1) / one->bytes * one->bytes;
    one->offset = offset;
    offset += one->bytes;
    out.push_back(std::move(*one));
  }
  return out;
}
