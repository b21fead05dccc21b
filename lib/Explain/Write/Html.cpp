//===- Html.cpp - Reports as one self-contained page ----------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Write/Html.h"
#include "Explain/Write/Palette.h"
#include "Explain/Write/Summaries.h"
#include "Explain/Write/Words.h"
#include "Explain/Write/Write.h"

using namespace wf::explain;
using html::escaped;

/// Bytes of the UTF-8 sequence that starts at `at`; 0: there is none.
static size_t sequence(std::string_view text, size_t at) {
  unsigned char c = static_cast<unsigned char>(text[at]);
  size_t n = c < 0x80                ? 1
             : c >= 0xc2 && c < 0xe0 ? 2
             : (c & 0xf0) == 0xe0    ? 3
             : c >= 0xf0 && c < 0xf5 ? 4
                                     : 0;
  if (n == 0 || at + n > text.size())
    return 0;
  for (size_t k = 1; k < n; ++k)
    if ((static_cast<unsigned char>(text[at + k]) & 0xc0) != 0x80)
      return 0;
  return n;
}

std::string html::escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    size_t n = sequence(text, i);
    char c = text[i];
    if (n == 0 ||
        (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t')) {
      out += "\xef\xbf\xbd";
      ++i;
      continue;
    }
    switch (c) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    case '\'':
      out += "&#39;";
      break;
    default:
      out += text.substr(i, n);
    }
    i += n;
  }
  return out;
}

static std::string paragraph(std::string_view text, const char *cls = "") {
  if (text.empty())
    return "";
  return "<p" + (*cls ? " class=\"" + std::string(cls) + "\"" : "") + ">" +
         escaped(text) + "</p>\n";
}

static std::string list(std::string_view title,
                        const std::vector<std::string> &items,
                        const char *cls = "") {
  if (items.empty())
    return "";
  std::string out = "<h3>" + escaped(title) + "</h3>\n<ul" +
                    (*cls ? " class=\"" + std::string(cls) + "\"" : "") + ">\n";
  for (const std::string &item : items)
    out += "<li>" + escaped(words::sentence(item)) + "</li>\n";
  return out + "</ul>\n";
}

namespace {
class Page {
public:
  Page(const std::vector<Report> &reports, const WriteOptions &options)
      : reports(reports), options(options) {}

  std::string run() {
    std::string title = reports.size() == 1
                            ? words::shortName(reports[0].kernel())
                            : std::to_string(reports.size()) + " kernels";
    out = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta "
          "charset=\"utf-8\">\n<meta name=\"viewport\" "
          "content=\"width=device-width, initial-scale=1\">\n<title>" +
          escaped(title) + "</title>\n<style>" + html::style() +
          "</style>\n</head>\n<body>\n<main>\n<h1>" + escaped(title) +
          "</h1>\n";
    if (!options.file.empty())
      out += paragraph("Read from " + options.file, "facts");
    if (reports.size() != 1)
      index();
    for (size_t n = 0; n < reports.size(); ++n)
      kernel(reports[n], n);
    out += "</main>\n<script>" + std::string(html::script()) +
           "</script>\n</body>\n</html>\n";
    return std::move(out);
  }

private:
  void index() {
    out += "<table class=\"index\">\n<tr><th>kernel</th><th>target</th>"
           "<th>materialised</th><th>patterns</th><th>instructions</th></tr>\n";
    for (size_t n = 0; n < reports.size(); ++n) {
      const Report &r = reports[n];
      std::vector<std::pair<std::string, size_t>> found;
      for (const PatternMatch &m : r.patterns) {
        size_t at = 0;
        while (at < found.size() && found[at].first != m.name)
          ++at;
        if (at == found.size())
          found.push_back({m.name, 0});
        ++found[at].second;
      }
      std::string patterns;
      for (const auto &[name, times] : found)
        patterns += (patterns.empty() ? "" : ", ") + name +
                    (times > 1 ? " ×" + std::to_string(times) : "");
      out += "<tr><td><a href=\"#k" + std::to_string(n) + "\">" +
             escaped(words::shortName(r.kernel())) + "</a></td><td>" +
             escaped(r.kernel().target) + "</td><td>" +
             escaped(r.materialised) + "</td><td>" +
             escaped(patterns.empty() ? "none" : patterns) + "</td><td>" +
             std::to_string(words::living(r).size()) + "</td></tr>\n";
    }
    out += "</table>\n";
  }

  void kernel(const Report &r, size_t n) {
    const Kernel &k = r.kernel();
    const Shorthand names(r);
    out += "<section id=\"k" + std::to_string(n) + "\">\n<h2>" +
           escaped(demangled(k.name)) + "</h2>\n";
    out +=
        paragraph(std::string(words::isaName(k.isa)) +
                      (k.target.empty() ? "" : " for " + k.target) +
                      (k.targetInferred ? " (inferred from its opcodes)" : "") +
                      ": " + resourceLine(r) + ".",
                  "facts");
    for (const Occupancy &o : r.occupancy)
      out += paragraph(words::sentence(occupancyLine(o)), "facts");
    out += paragraph(r.summary, "verdict");
    out += "<p><span class=\"tag\">Materialised:</span> " +
           escaped(r.materialised.empty() ? "none" : r.materialised) + "</p>\n";
    std::vector<std::string> warnings, notes;
    for (const Finding &f : r.findings)
      (f.kind == Finding::Kind::Warning ? warnings : notes)
          .push_back(findingLine(r, f));
    out += list("Warnings", warnings, "warning");
    if (std::string picture = html::memoryPath(r, names); !picture.empty())
      out += "<h3>Memory path</h3>\n" + picture + "\n";
    out += list("Accumulation", accumulatorLines(r));
    out += list("Patterns", patternLines(r));
    out += list("Barriers", barrierLines(r));
    out += list("What the compiler did", buildLines(r));
    out += list("Notes", notes);
    pseudo(r);
    if (std::string picture = html::timeline(r, names); !picture.empty())
      out += "<h3>Registers</h3>\n" + picture + "\n";
    listing(r, names);
    out += "</section>\n";
  }

  void pseudo(const Report &r) {
    std::vector<std::string> lines = pseudoCode(r);
    if (lines.empty())
      return;
    out += "<h3>Pseudo-code</h3>\n<pre>";
    for (const std::string &line : lines)
      out += escaped(line) + "\n";
    out += "</pre>\n";
  }

  void legend(const Report &r) {
    std::set<std::string> present;
    for (const InstructionRole &role : r.roles)
      present.insert(groupOf(role.role).name);
    out += "<div class=\"legend\">";
    for (const RoleGroup &g : roleGroups())
      if (present.count(g.name))
        out += "<button type=\"button\" aria-pressed=\"false\" data-group=\"" +
               std::string(g.name) + "\" class=\"g-" + g.name + "\"><i></i>" +
               escaped(g.says) + "</button>";
    out += "</div>\n";
  }

  void listing(const Report &r, const Shorthand &names) {
    const Kernel &k = r.kernel();
    std::vector<std::string> waits = words::waitsOf(r);
    out += "<h3>Listing</h3>\n";
    if (!names.name().empty())
      out += paragraph("Here " + names.name() + " is " + names.meaning() + ".",
                       "facts");
    legend(r);
    out += "<div class=\"scroll\"><table class=\"listing\">\n";
    for (size_t i = 0; i < k.code.size(); ++i) {
      if (!k.code[i].label.empty() && k.code[i].label != k.name)
        out += "<tr class=\"label\"><td colspan=\"5\">" +
               escaped(k.code[i].label) + ":</td></tr>\n";
      row(r, i, waits[i], names);
    }
    out += "</table></div>\n";
  }

  void row(const Report &r, size_t i, const std::string &wait,
           const Shorthand &names) {
    const Instruction &in = r.kernel().code[i];
    Role role = i < r.roles.size() ? r.roles[i].role : Role::Unknown;
    std::string title = names.apply(hover(r, i));
    out += "<tr class=\"i g-" + std::string(groupOf(role).name) +
           "\" data-i=\"" + std::to_string(i) + "\"" +
           (title.empty() ? "" : " title=\"" + escaped(title) + "\"") +
           "><td>" + escaped(words::at(r, i)) + "</td><td class=\"text\">" +
           escaped(in.text) + "</td><td>" + escaped(roleName(role)) +
           "</td><td class=\"says\">" +
           escaped(i < r.roles.size() ? said(r, i, names) : "") +
           "</td><td class=\"wait\">" + escaped(wait) + "</td></tr>\n";
  }

  static std::string said(const Report &r, size_t i, const Shorthand &names) {
    const std::string &says = r.roles[i].says;
    return says.ends_with(" = " + names.meaning()) ? says : names.apply(says);
  }

  /// What a reader sees over a line: idiom, guard, values, source line.
  std::string hover(const Report &r, size_t i) const {
    const Analysis &a = r.analysis;
    std::string text;
    auto add = [&](const std::string &line) {
      if (!line.empty())
        text += (text.empty() ? "" : "\n") + line;
    };
    add(a.program.code[i].meaning);
    if (i < a.code.size()) {
      if (a.code[i].guard < a.values.size())
        add("only if " + condition(a, a.code[i].guard));
      const auto &effects = a.program.code[i].effects;
      for (size_t e = 0; e < a.code[i].effects.size() && e < effects.size();
           ++e) {
        ValueId id = a.code[i].effects[e].result;
        if (effects[e].def && id < a.values.size())
          add(a.program.registerName(effects[e].def->reg) + " = " +
              expression(a, id, 6));
      }
    }
    const SourceLine &source = r.kernel().code[i].source;
    if (source.line)
      add(source.file + ":" + std::to_string(source.line));
    return text;
  }

  const std::vector<Report> &reports;
  const WriteOptions &options;
  std::string out;
};
} // namespace

std::string wf::explain::htmlOf(const std::vector<Report> &reports,
                                const WriteOptions &options) {
  return Page(reports, options).run();
}
