//===- Diagnostics.cpp - Errors with a caret ------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// In: an id, a place, arguments. Out: message, hint and excerpt as text that a
// terminal can show whatever bytes the source holds.
//===----------------------------------------------------------------------===//
#include "Language/Diagnostics.h"

#include "Error/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"

#include <algorithm>

using namespace wf;

static constexpr DiagText texts[] = {
#define X(ID, MESSAGE, HINT) {#ID, MESSAGE, HINT},
#include "Language/Diagnostics.def"
#undef X
};

llvm::ArrayRef<DiagText> wf::diagTexts() { return texts; }

static std::string substitute(llvm::StringRef form,
                              llvm::ArrayRef<std::string> arguments) {
  std::string out;
  while (!form.empty()) {
    if (form.size() >= 3 && form[0] == '{' && form[2] == '}' &&
        llvm::isDigit(form[1])) {
      size_t i = size_t(form[1] - '0');
      if (i < arguments.size())
        out += arguments[i];
      form = form.drop_front(3);
      continue;
    }
    out += form.front();
    form = form.drop_front();
  }
  return out;
}

static bool isContinuation(char c) { return ((unsigned char)c & 0xC0) == 0x80; }

/// A long line is cut to what is near the caret; `column` moves along.
static std::string nearCaret(llvm::StringRef line, uint32_t &column) {
  constexpr size_t before = 60, shown = 120;
  if (line.size() <= shown)
    return line.str();
  size_t start = column > before ? column - before : 0;
  size_t end = std::min(line.size(), start + shown);
  while (start != 0 && start < line.size() && isContinuation(line[start]))
    --start;
  while (end < line.size() && isContinuation(line[end]))
    ++end;
  std::string out = line.slice(start, end).str();
  if (start != 0) {
    out = "..." + out;
    column = uint32_t(column - start + 3);
  }
  return end == line.size() ? out : out + "...";
}

/// The line's text, and the same number of screen columns of padding up to the
/// caret: tabs stay tabs, a UTF-8 sequence counts once.
static std::string excerptLines(llvm::StringRef whole, uint32_t column) {
  std::string line = nearCaret(whole, column);
  const auto *begin = reinterpret_cast<const llvm::UTF8 *>(line.data());
  bool isUtf8 = llvm::isLegalUTF8String(&begin, begin + line.size());
  std::string shown, padding;
  for (size_t i = 0; i != line.size(); ++i) {
    unsigned char c = (unsigned char)line[i];
    bool printable =
        c == '\t' || (c >= 0x20 && c < 0x7F) || (c >= 0x80 && isUtf8);
    shown += printable ? char(c) : '?';
    if (i + 1 < column && !(isUtf8 && isContinuation(line[i])))
      padding += c == '\t' ? '\t' : ' ';
  }
  return "\n  " + shown + "\n  " + padding + "^";
}

static std::string excerptAt(const SourceLocation &where, Sources sources,
                             const std::string &message) {
  if (where.line == 0)
    return "";
  const auto *source = llvm::find_if(
      sources, [&](const auto &s) { return s->file == where.file; });
  if (source == sources.end())
    return "";
  llvm::StringRef rest = (*source)->text;
  for (uint32_t n = 1; n != where.line; ++n)
    rest = rest.split('\n').second;
  llvm::StringRef line = rest.split('\n').first.rtrim('\r');
  return where.file + ":" + std::to_string(where.line) + ":" +
         std::to_string(where.column) + ": error: " + message +
         excerptLines(line, where.column);
}

llvm::Error wf::diagnose(Diag id, const SourceLocation &where, Sources sources,
                         std::vector<std::string> arguments) {
  const DiagText &text = texts[unsigned(id)];
  std::string message = substitute(text.message, arguments);
  std::string excerpt = excerptAt(where, sources, message);
  return llvm::make_error<WarpfoldError>(ErrorKind::User, std::move(message),
                                         substitute(text.hint, arguments),
                                         std::move(excerpt));
}

std::string wf::nearestHint(llvm::StringRef name,
                            llvm::ArrayRef<std::string> candidates,
                            std::string otherwise) {
  // A third of the name's length, at least one letter: far enough for a slip,
  // too near for a guess.
  unsigned limit = std::max<unsigned>(1, unsigned(name.size()) / 3 + 1);
  std::vector<std::pair<unsigned, std::string>> near;
  for (const std::string &c : candidates) {
    unsigned d = name.edit_distance(c, true, limit + 1);
    if (d <= limit && d < std::max(name.size(), c.size()))
      near.emplace_back(d, c);
  }
  if (near.empty())
    return otherwise;
  llvm::sort(near);
  if (near.size() > 3)
    near.resize(3);
  std::string out = "did you mean ";
  for (size_t i = 0; i != near.size(); ++i)
    out += (i ? " or '" : "'") + near[i].second + "'";
  return out + "?";
}

std::string wf::counted(size_t n, llvm::StringRef noun) {
  static constexpr const char *words[] = {"no", "one", "two", "three", "four"};
  std::string number = n < std::size(words) ? words[n] : std::to_string(n);
  return number + " " + noun.str() + (n == 1 ? "" : "s");
}
