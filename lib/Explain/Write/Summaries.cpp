//===- Summaries.cpp - Verdicts as single sentences -----------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Write/Summaries.h"
#include "Explain/Write/Words.h"

#include <algorithm>
#include <utility>

using namespace wf::explain;

/// Fillers behind the code; a trap that is never reached is none.
static size_t paddingOf(const Report &r) {
  size_t n = 0;
  for (size_t i = 0; i < r.roles.size(); ++i) {
    const Decoded &d = r.analysis.program.code[i];
    bool nothing = d.flow.kind == Flow::Kind::Next;
    for (const Effect &e : d.effects)
      nothing &= e.op == Op::Nop || e.op == Op::Hint;
    n += nothing && r.roles[i].role == Role::Padding;
  }
  return n;
}

std::string wf::explain::resourceLine(const Report &r) {
  const Kernel &k = r.kernel();
  size_t padding = paddingOf(r);
  std::vector<std::string> parts{
      std::to_string(k.code.size() - padding) + " instructions" +
      (padding ? " (and " + std::to_string(padding) + " of padding)" : "")};
  const Resources &res = k.resources;
  auto say = [&](const std::optional<uint32_t> &n, const char *what) {
    if (n && *n)
      parts.push_back(std::to_string(*n) + " " + what);
  };
  say(res.registers, k.isa == Isa::Amdgcn ? "vector registers" : "registers");
  say(res.uniformRegisters,
      k.isa == Isa::Amdgcn ? "scalar registers" : "uniform registers");
  say(res.accumulators, "accumulation registers");
  say(res.sharedBytes, "bytes of shared memory");
  say(res.stackBytes, "bytes of stack a thread");
  say(res.spillBytes, "bytes of spills a thread");
  return words::listed(parts);
}

std::string wf::explain::occupancyLine(const Occupancy &o) {
  std::string out = o.chip + " holds " +
                    words::counted(size_t(std::max(o.blocks, 0)), "block") +
                    " of " + std::to_string(o.blockThreads) +
                    " threads at once";
  if (o.maxWarps > 0)
    out += " (" + std::to_string(o.warps) + " of " +
           std::to_string(o.maxWarps) + " warps)";
  if (!o.limit.empty())
    out += "; what limits it: " + o.limit;
  return out;
}

std::string wf::explain::pathLine(const Report &r) {
  // A long path's middle repeats what its ends say.
  constexpr size_t most = 16;
  std::string out;
  for (size_t n = 0; n < r.memoryPath.size(); ++n) {
    if (r.memoryPath.size() > most && n == most - 4) {
      out += " → …";
      n = r.memoryPath.size() - 3;
    }
    // "shared shared[i]" says it twice.
    std::string_view step = r.memoryPath[n];
    for (std::string_view twice : {"shared shared", "local local"})
      if (step.starts_with(twice))
        step.remove_prefix(twice.find(' ') + 1);
    out += (out.empty() ? "" : " → ") + std::string(step);
  }
  return out;
}

std::string wf::explain::operationNoun(const Accumulator &acc) {
  static const std::pair<const char *, const char *> nouns[] = {
      {"add", "addition"},     {"max", "maximum"},
      {"min", "minimum"},      {"multiply", "multiplication"},
      {"fma", "multiply-add"}, {"and", "bitwise and"},
      {"or", "bitwise or"},    {"xor", "bitwise exclusive or"},
      {"select", "selection"}};
  for (auto [name, noun] : nouns)
    if (acc.operation == name)
      return noun;
  return acc.operation;
}

bool wf::explain::materialises(const Accumulator &acc) {
  return acc.through.count(Through::Shared) ||
         acc.through.count(Through::Local) ||
         acc.through.count(Through::Global);
}

std::string wf::explain::throughText(const Accumulator &acc) {
  std::vector<std::string> parts;
  for (Through t : acc.through)
    switch (t) {
    case Through::Register:
      parts.push_back("registers");
      break;
    case Through::Lanes:
      parts.push_back("an exchange between lanes");
      break;
    case Through::Shared:
      parts.push_back("shared memory");
      break;
    case Through::Local:
      parts.push_back("local memory");
      break;
    case Through::Global:
      parts.push_back("global memory");
      break;
    case Through::Atomic:
      parts.push_back("an atomic");
      break;
    }
  return words::listed(parts);
}

std::string wf::explain::costText(const Accumulator &acc) {
  std::vector<std::string> parts;
  if (acc.barriers > 0)
    parts.push_back(words::counted(size_t(acc.barriers), "barrier"));
  if (acc.exchanges > 0)
    parts.push_back(words::counted(size_t(acc.exchanges), "exchange"));
  if (acc.bytesRead && acc.bytesWritten)
    parts.push_back(std::to_string(acc.bytesRead) + " bytes read and " +
                    std::to_string(acc.bytesWritten) + " written by a lane");
  else if (acc.bytesRead || acc.bytesWritten)
    parts.push_back(std::to_string(acc.bytesRead + acc.bytesWritten) +
                    " bytes " + (acc.bytesRead ? "read" : "written") +
                    " by a lane");
  return words::listed(parts);
}

std::string wf::explain::accumulatorLine(const Report &r,
                                         const Accumulator &acc) {
  std::string out = acc.source.empty() ? acc.operation : acc.source;
  out += ": " + (acc.verdict.empty()
                     ? acc.operation + " through " + throughText(acc)
                     : acc.verdict);
  while (!out.empty() && out.back() == '.')
    out.pop_back();
  std::vector<std::string> more;
  if (std::string cost = costText(acc);
      !cost.empty() && acc.verdict.find("bytes") == std::string::npos)
    more.push_back("a step costs " + cost);
  if (acc.copies > 1)
    more.push_back("written out ×" + std::to_string(acc.copies));
  if (acc.halving)
    more.push_back("the distance halves");
  if (acc.rescaled)
    more.push_back("rescaled by each step");
  for (const std::string &part : more)
    out += "; " + part;
  if (!acc.step.empty())
    out += " (" + words::at(r, acc.step) + ")";
  return out;
}

std::vector<std::string> wf::explain::accumulatorLines(const Report &r) {
  std::vector<std::string> out;
  for (const Accumulator &acc : r.accumulators)
    out.push_back(accumulatorLine(r, acc));
  return out;
}

std::vector<std::string> wf::explain::patternLines(const Report &r) {
  std::vector<std::string> out;
  for (const PatternMatch &match : r.patterns)
    out.push_back(match.name +
                  (match.detail.empty() ? "" : " (" + match.detail + ")") +
                  (match.title.empty() ? "" : ": " + match.title));
  if (out.empty() && r.nearest) {
    std::string line = "none matches; the nearest is " + r.nearest->name;
    if (!r.nearest->failed.empty())
      line +=
          ", for which this does not hold: " + words::listed(r.nearest->failed);
    out.push_back(line);
  }
  return out;
}

std::vector<std::string> wf::explain::barrierLines(const Report &r) {
  std::vector<std::string> out;
  for (const BarrierFact &b : r.barriers)
    out.push_back(words::at(r, b.instruction) + ": " +
                  (b.redundant ? "looks redundant: " : "") + b.why);
  return out;
}

std::vector<std::string> wf::explain::buildLines(const Report &r) {
  std::vector<std::string> out;
  for (const BuildFact &b : r.build)
    out.push_back(b.says + (b.proof.empty()
                                ? ""
                                : " (" + words::at(r, b.proof, 4) + ")"));
  return out;
}

std::string wf::explain::findingLine(const Report &r, const Finding &f) {
  return f.says + " [" + f.name + "]" +
         (f.proof.empty() ? "" : " (" + words::at(r, f.proof, 4) + ")");
}
