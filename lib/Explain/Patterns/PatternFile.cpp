//===- PatternFile.cpp - Reads pattern files ------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Patterns/ConditionText.h"
#include "Explain/Patterns/Words.h"

#include <algorithm>

using namespace wf::explain;

namespace {
constexpr std::string_view keywords[] = {
    "pattern", "title", "when",  "accumulator", "each", "no",     "stores",
    "hides",   "cuda",  "roles", "meaning",     "note", "similar"};

class FileReader {
public:
  FileReader(std::string_view text, std::string_view file)
      : text(text), file(file) {}

  bool run() {
    for (size_t at = 0; at < text.size();) {
      size_t end = std::min(text.find('\n', at), text.size());
      line = text.substr(at, end - at);
      if (line.ends_with('\r'))
        line.remove_suffix(1);
      ++number;
      if (!takeLine())
        return false;
      at = end + 1;
    }
    if (!finish())
      return false;
    if (!patterns.empty())
      return true;
    return fail(0, 1, "the file has no pattern",
                "its first line is `pattern NAME`");
  }

  std::vector<Pattern> patterns;
  Fault fault;

private:
  bool fail(size_t at, size_t length, const std::string &message,
            std::string hint) {
    std::string place =
        std::string(file) + ":" + std::to_string(std::max(number, 1u));
    std::string excerpt;
    if (!withoutBlanks(line).empty() && line.size() <= 400) {
      place += ":" + std::to_string(at + 1);
      excerpt = "\n  " + std::string(line) + "\n  ";
      // Tabs stay, so that the mark stands below its text.
      for (size_t i = 0; i < at && i < line.size(); ++i)
        if ((line[i] & 0xc0) != 0x80)
          excerpt += line[i] == '\t' ? '\t' : ' ';
      excerpt += "^" + std::string(std::min<size_t>(length, 100) - 1, '~');
    }
    fault = {place + ": " + message + excerpt, std::move(hint)};
    return false;
  }

  bool fail(std::string_view where, const std::string &message,
            std::string hint) {
    size_t at =
        where.data() >= line.data() && where.data() <= line.data() + line.size()
            ? size_t(where.data() - line.data())
            : line.size();
    return fail(at, std::max<size_t>(where.size(), 1), message,
                std::move(hint));
  }

  bool failWithin(std::string_view rest, const ShapeFault &wrong) {
    return fail(rest.data() - line.data() + wrong.at, wrong.length,
                wrong.message, wrong.hint);
  }

  bool takeLine() {
    bool indented = !line.empty() && (line[0] == ' ' || line[0] == '\t');
    if (indented || withoutBlanks(line).empty()) {
      if (block) {
        block->append(line).push_back('\n');
        return true;
      }
      if (withoutBlanks(line).empty())
        return true;
      return fail(withoutBlanks(line), "an indented line belongs to no text",
                  "start conditions in the first column; indented lines "
                  "continue `cuda`, `roles`, `meaning` or `note`");
    }
    block = nullptr;
    if (line[0] == '#')
      return true;
    size_t end = std::min(line.find_first_of(" \t"), line.size());
    std::string_view word = line.substr(0, end);
    std::string_view rest = withoutBlanks(line.substr(end));
    if (rest.empty())
      rest = line.substr(line.size());
    if (word == "pattern")
      return startPattern(rest);
    std::vector<std::string_view> names(std::begin(keywords),
                                        std::end(keywords));
    if (std::find(names.begin(), names.end(), word) == names.end())
      return fail(word, "no line starts with '" + std::string(word) + "'",
                  suggestion(word, names));
    if (patterns.empty())
      return fail(word, "'" + std::string(word) + "' stands before a pattern",
                  "write `pattern NAME` above it");
    return takeWord(word, rest);
  }

  bool startPattern(std::string_view name) {
    if (!finish())
      return false;
    if (name.empty())
      return fail(name, "the pattern has no name", "write `pattern NAME`");
    for (char c : name)
      if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'))
        return fail(name, "'" + std::string(name) + "' is no pattern's name",
                    "use a-z, 0-9 and _: it names a file of the documents");
    auto [before, isNew] = lineOf.insert({std::string(name), number});
    if (!isNew)
      return fail(name,
                  "the file has a pattern '" + std::string(name) +
                      "' already, in line " + std::to_string(before->second),
                  "give this one another name");
    Pattern &p = patterns.emplace_back();
    p.name = std::string(name);
    p.line = number;
    p.file = std::string(file);
    groups = 0;
    return true;
  }

  bool takeWord(std::string_view word, std::string_view rest) {
    Pattern &p = patterns.back();
    if (word == "cuda" || word == "roles" || word == "meaning") {
      block = word == "cuda"    ? &p.cuda
              : word == "roles" ? &p.roles
                                : &p.meaning;
      if (!block->empty())
        return fail(word, "'" + std::string(word) + "' stands here twice",
                    "join both texts");
      if (!rest.empty())
        block->append(rest).push_back('\n');
      return true;
    }
    if (rest.empty())
      return fail(rest,
                  "something is missing after '" + std::string(word) + "'",
                  "docs/patterns.md says what each line holds");
    if (word == "title") {
      p.title = std::string(rest);
      return true;
    }
    if (word == "note") {
      block = &p.notes.emplace_back(rest);
      block->push_back('\n');
      return true;
    }
    if (word == "hides" || word == "similar")
      return takeNames(word == "hides" ? p.hides : p.similar, rest);
    if (word == "stores") {
      bool some = rest.starts_with("some ");
      std::string_view form = some ? withoutBlanks(rest.substr(5)) : rest;
      Shape shape;
      if (auto wrong = readShape(form, shape))
        return failWithin(form, *wrong);
      (some ? p.storesSome : p.stores).push_back(std::string(form));
      return true;
    }
    return takeConditions(p, word, rest);
  }

  bool takeNames(std::vector<std::string> &names, std::string_view rest) {
    for (size_t at = 0; at <= rest.size();) {
      size_t comma = std::min(rest.find(',', at), rest.size());
      std::string_view name = withoutBlanks(rest.substr(at, comma - at));
      if (name.empty())
        return fail(rest, "a name is missing here",
                    "separate patterns' names by commas");
      names.push_back(std::string(name));
      at = comma + 1;
    }
    return true;
  }

  bool takeConditions(Pattern &p, std::string_view word,
                      std::string_view rest) {
    bool ofAccumulator = word != "when", none = word == "no";
    uint32_t group = 0;
    if (word == "each" || word == "no") {
      if (!rest.starts_with("accumulator"))
        return fail(
            rest, "'" + std::string(word) + "' is followed by `accumulator`",
            "write `" + std::string(word) + " accumulator operation = add`");
      rest = withoutBlanks(rest.substr(std::string_view("accumulator").size()));
      if (rest.empty())
        rest = line.substr(line.size());
      if (word == "each" && p.perAccumulator)
        return fail(word, "the pattern has an `each` line already",
                    "make the other a plain `accumulator` line");
    }
    if (ofAccumulator) {
      group = word == "each" ? 0 : ++groups;
      p.perAccumulator |= word == "each";
    }
    if (auto wrong =
            readConditions(rest, ofAccumulator, group, none, p.conditions))
      return failWithin(rest, *wrong);
    return true;
  }

  /// Ends the current pattern: texts are freed of their indentation.
  bool finish() {
    block = nullptr;
    if (patterns.empty())
      return true;
    Pattern &p = patterns.back();
    for (std::string *t : {&p.cuda, &p.roles, &p.meaning})
      *t = outdented(*t);
    for (std::string &note : p.notes)
      note = joined(note);
    if (p.conditions.empty() && p.stores.empty() && p.storesSome.empty()) {
      line = {};
      number = p.line;
      return fail(0, 1, "pattern '" + p.name + "' has no conditions",
                  "it would match every kernel; add `when`, `accumulator` or "
                  "`stores` lines");
    }
    if (p.title.empty())
      p.title = p.name;
    return true;
  }

  static std::string outdented(std::string_view block) {
    size_t least = SIZE_MAX;
    auto eachLine = [&](auto &&use) {
      for (size_t at = 0; at < block.size();) {
        size_t end = std::min(block.find('\n', at), block.size());
        use(block.substr(at, end - at));
        at = end + 1;
      }
    };
    eachLine([&](std::string_view l) {
      if (size_t blanks = l.find_first_not_of(" \t");
          blanks != std::string_view::npos)
        least = std::min(least, blanks);
    });
    std::string out;
    eachLine([&](std::string_view l) {
      out += std::string(withoutBlanks(l).empty() ? std::string_view()
                                                  : l.substr(least)) +
             "\n";
    });
    while (out.ends_with("\n\n"))
      out.pop_back();
    return out == "\n" ? std::string() : out;
  }

  static std::string joined(std::string_view block) {
    std::string out;
    for (size_t at = 0; at < block.size();) {
      size_t end = std::min(block.find('\n', at), block.size());
      if (std::string_view l = withoutBlanks(block.substr(at, end - at));
          !l.empty())
        out += (out.empty() ? "" : " ") + std::string(l);
      at = end + 1;
    }
    return out;
  }

  std::string_view text, file, line;
  uint32_t number = 0, groups = 0;
  std::map<std::string, uint32_t> lineOf; ///< of each pattern
  std::string *block = nullptr;           ///< that indented lines continue
};
} // namespace

Result<std::vector<Pattern>> wf::explain::readPatterns(std::string_view text,
                                                       std::string_view file) {
  if (text.starts_with("\xef\xbb\xbf"))
    text.remove_prefix(3);
  FileReader reader(text, file);
  if (!reader.run())
    return std::move(reader.fault);
  return std::move(reader.patterns);
}
