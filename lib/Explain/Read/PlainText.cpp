//===- PlainText.cpp - Any file's bytes as plain UTF-8 lines --------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Listings arrive through PowerShell redirections (UTF-16), Windows editors
// (CRLF), terminals (colours) and web pages (entities). Every step keeps the
// number of lines, so that messages point into the file that the user has.
//===----------------------------------------------------------------------===//
#include "Explain/Read/Lines.h"
#include "Explain/Read/Listing.h"

#include <algorithm>
#include <charconv>

using namespace wf::explain;

std::optional<uint64_t> wf::explain::takeNumber(std::string_view &text,
                                                int base) {
  uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || text.empty())
    return std::nullopt;
  text.remove_prefix(end - text.data());
  return value;
}

std::optional<int64_t> wf::explain::wholeNumber(std::string_view text) {
  bool negative = false;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    negative = text.front() == '-';
    text.remove_prefix(1);
  }
  int base = 10;
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    base = 16;
    text.remove_prefix(2);
  }
  const auto value = takeNumber(text, base);
  if (!value || !text.empty())
    return std::nullopt;
  return negative ? static_cast<int64_t>(0 - *value)
                  : static_cast<int64_t>(*value);
}

namespace {

void appendUtf8(std::string &out, uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xc0 | (code >> 6));
    out += static_cast<char>(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xe0 | (code >> 12));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (code & 0x3f));
  } else {
    out += static_cast<char>(0xf0 | (code >> 18));
    out += static_cast<char>(0x80 | ((code >> 12) & 0x3f));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (code & 0x3f));
  }
}

enum class Encoding { Utf8, Utf16Little, Utf16Big };

/// Without a BOM, text of mostly ASCII has a zero in every other byte.
Encoding encodingOf(std::string_view bytes) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(bytes[i]); };
  if (bytes.size() < 2)
    return Encoding::Utf8;
  if (byte(0) == 0xff && byte(1) == 0xfe)
    return Encoding::Utf16Little;
  if (byte(0) == 0xfe && byte(1) == 0xff)
    return Encoding::Utf16Big;
  const size_t looked = std::min<size_t>(bytes.size() & ~size_t(1), 4096);
  size_t even = 0, odd = 0, both = 0;
  for (size_t i = 0; i < looked; i += 2) {
    even += byte(i) == 0;
    odd += byte(i + 1) == 0;
    both += byte(i) == 0 && byte(i + 1) == 0;
  }
  const size_t most = looked / 2 * 3 / 4;
  if (both == 0 && odd > most && even == 0)
    return Encoding::Utf16Little;
  if (both == 0 && even > most && odd == 0)
    return Encoding::Utf16Big;
  return Encoding::Utf8;
}

std::string fromUtf16(std::string_view bytes, bool big) {
  std::string out;
  out.reserve(bytes.size() / 2);
  const auto unit = [&](size_t i) -> uint32_t {
    const uint8_t a = bytes[i], b = bytes[i + 1];
    return big ? a << 8 | b : b << 8 | a;
  };
  for (size_t i = 0; i + 1 < bytes.size(); i += 2) {
    uint32_t code = unit(i);
    if (code == 0xfeff && i == 0)
      continue;
    if (code >= 0xd800 && code < 0xdc00 && i + 3 < bytes.size()) {
      const uint32_t low = unit(i + 2);
      if (low >= 0xdc00 && low < 0xe000) {
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        i += 2;
      }
    }
    appendUtf8(out, code >= 0xd800 && code < 0xe000 ? 0xfffd : code);
  }
  return out;
}

struct Entity {
  std::string_view name, text;
};
constexpr Entity entities[] = {{"lt", "<"},    {"gt", ">"},   {"amp", "&"},
                               {"quot", "\""}, {"apos", "'"}, {"nbsp", " "},
                               {"sol", "/"},   {"ast", "*"},  {"lsqb", "["},
                               {"rsqb", "]"},  {"comma", ","}};

/// Undoes the entity at the front of `text`; how many bytes it was, or 0.
size_t entityAt(std::string_view text, std::string &out) {
  const size_t end = text.substr(0, 12).find(';');
  if (end == std::string_view::npos || end < 2)
    return 0;
  std::string_view name = text.substr(1, end - 1);
  if (name.front() == '#') {
    name.remove_prefix(1);
    const bool hex = !name.empty() && (name[0] == 'x' || name[0] == 'X');
    if (hex)
      name.remove_prefix(1);
    const auto code = takeNumber(name, hex ? 16 : 10);
    // A line feed written so is a blank: lines are the input's.
    if (!code || !name.empty() || *code == 0 || *code > 0x10ffff)
      return 0;
    appendUtf8(out, *code < 0x20 || *code == 0xa0 ? ' ' : uint32_t(*code));
    return end + 1;
  }
  for (const Entity &entity : entities)
    if (entity.name == name) {
      out += entity.text;
      return end + 1;
    }
  return 0;
}

/// The length of a terminal's escape sequence at the front of `text`.
size_t escapeLength(std::string_view text) {
  if (text.size() < 2)
    return 1;
  if (text[1] == '[') { // CSI: parameters, then one letter
    size_t i = 2;
    while (i < text.size() && text[i] >= 0x20 && text[i] < 0x40)
      ++i;
    return i < text.size() && text[i] >= 0x40 && text[i] < 0x7f ? i + 1 : i;
  }
  if (text[1] == ']') { // OSC: until BEL or ESC backslash, on one line
    size_t i = 2;
    while (i < text.size() && text[i] != '\a' && text[i] != '\n' &&
           text[i] != '\x1b')
      ++i;
    if (i < text.size() && text[i] == '\a')
      return i + 1;
    return i + 1 < text.size() && text[i] == '\x1b' && text[i + 1] == '\\'
               ? i + 2
               : i;
  }
  return text[1] == '\n' ? 1 : 2;
}

} // namespace

std::string wf::explain::plainText(std::string_view bytes) {
  std::string wide;
  const Encoding encoding = encodingOf(bytes);
  if (encoding != Encoding::Utf8) {
    wide = fromUtf16(bytes, encoding == Encoding::Utf16Big);
    bytes = wide;
  }
  if (bytes.substr(0, 3) == "\xef\xbb\xbf")
    bytes.remove_prefix(3);

  // C++ sources, PTX and IR hold `&lt;` nowhere; one shows that a page's text
  // was pasted.
  const bool fromPage = has(bytes, "&lt;") || has(bytes, "&gt;") ||
                        has(bytes, "&amp;") || has(bytes, "&#") ||
                        has(bytes, "&nbsp;") || has(bytes, "&quot;");
  std::string out;
  out.reserve(bytes.size());
  for (size_t i = 0; i < bytes.size();) {
    const char c = bytes[i];
    if (c == '\r') { // CRLF, and a lone CR of old editors
      if (i + 1 >= bytes.size() || bytes[i + 1] != '\n')
        out += '\n';
      ++i;
    } else if (c == '\x1b') {
      i += escapeLength(bytes.substr(i));
    } else if (c == '\xc2' && i + 1 < bytes.size() && bytes[i + 1] == '\xa0') {
      out += ' ';
      i += 2;
    } else if (size_t used; c == '&' && fromPage &&
                            (used = entityAt(bytes.substr(i), out)) != 0) {
      i += used;
    } else {
      out += c;
      ++i;
    }
  }
  return out;
}
