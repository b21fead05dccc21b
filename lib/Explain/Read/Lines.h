//===- Lines.h - Walking a text by its lines --------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_READ_LINES_H
#define WARPFOLD_EXPLAIN_READ_LINES_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace wf::explain {

/// Hands out a text's lines without their \n, counting from 1.
class Lines {
public:
  explicit Lines(std::string_view text) : rest(text) {}

  bool next(std::string_view &line) {
    if (rest.empty())
      return false;
    ++count;
    const size_t end = rest.find('\n');
    line = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view()
                                         : rest.substr(end + 1);
    return true;
  }
  uint32_t number() const { return count; }

private:
  std::string_view rest;
  uint32_t count = 0;
};

inline bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
inline bool isDigit(char c) { return c >= '0' && c <= '9'; }
inline bool isUpper(char c) { return c >= 'A' && c <= 'Z'; }
inline bool isWord(char c) {
  return isDigit(c) || isUpper(c) || (c >= 'a' && c <= 'z') || c == '_';
}

inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && isBlank(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && isBlank(text.back()))
    text.remove_suffix(1);
  return text;
}

inline bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// The digits at the front of `text`, of base 10 or 16, taken off it. Nothing
/// where there are none or too many for 64 bits.
std::optional<uint64_t> takeNumber(std::string_view &text, int base);

/// All of `text` as a number: "0x1f", "-0x30", "42".
std::optional<int64_t> wholeNumber(std::string_view text);

} // namespace wf::explain

#endif // WARPFOLD_EXPLAIN_READ_LINES_H
