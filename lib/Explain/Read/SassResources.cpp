//===- SassResources.cpp - What a listing says beside the code ------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Read/SassResources.h"

#include "Explain/Read/Lines.h"

#include <algorithm>

using namespace wf::explain;

namespace {

/// The number right after `key`.
std::optional<uint32_t> numberAfter(std::string_view text,
                                    std::string_view key) {
  const size_t at = text.find(key);
  if (at == std::string_view::npos)
    return std::nullopt;
  text.remove_prefix(at + key.size());
  const auto value = takeNumber(text, 10);
  return value && *value <= UINT32_MAX
             ? std::optional(static_cast<uint32_t>(*value))
             : std::nullopt;
}

/// The number right before `unit`: "10 registers".
std::optional<uint32_t> numberBefore(std::string_view text,
                                     std::string_view unit) {
  const size_t at = text.find(unit);
  if (at == std::string_view::npos)
    return std::nullopt;
  size_t start = at;
  while (start > 0 && isDigit(text[start - 1]))
    --start;
  std::string_view digits = text.substr(start, at - start);
  const auto value = takeNumber(digits, 10);
  return value && *value <= UINT32_MAX
             ? std::optional(static_cast<uint32_t>(*value))
             : std::nullopt;
}

void setIf(std::optional<uint32_t> &out, std::optional<uint32_t> value) {
  if (value)
    out = value;
}

} // namespace

bool SassResources::usage(std::string_view line) {
  if (line.substr(0, 9) == "Function " && line.back() == ':') {
    usageOf = trimmed(line.substr(9, line.size() - 10));
    return true;
  }
  if (line.substr(0, 10) == "ptxas info") {
    for (std::string_view word :
         {"Compiling entry function '", "Function properties for "}) {
      const size_t at = line.find(word);
      if (at == std::string_view::npos)
        continue;
      const std::string_view rest = line.substr(at + word.size());
      usageOf = trimmed(rest.substr(0, rest.find('\'')));
    }
    if (usageOf.empty())
      return true;
    Resources &out = byKernel[usageOf].resources;
    setIf(out.registers, numberBefore(line, " registers"));
    setIf(out.sharedBytes, numberBefore(line, " bytes smem"));
    setIf(out.barriers, numberBefore(line, " barriers"));
    return true;
  }
  if (!usageOf.empty() && has(line, " bytes stack frame")) {
    Resources &out = byKernel[usageOf].resources;
    setIf(out.stackBytes, numberBefore(line, " bytes stack frame"));
    setIf(out.spillBytes, numberBefore(line, " bytes spill stores"));
    return true;
  }
  if (usageOf.empty() || line.substr(0, 4) != "REG:")
    return false;
  Resources &out = byKernel[usageOf].resources;
  setIf(out.registers, numberAfter(line, "REG:"));
  setIf(out.stackBytes, numberAfter(line, "STACK:"));
  setIf(out.sharedBytes, numberAfter(line, "SHARED:"));
  return true;
}

void SassResources::section(std::string_view name) {
  name = name.substr(0, name.find(",\""));
  sectionOf.clear();
  attribute.clear();
  shared = name.substr(0, 11) == ".nv.shared.";
  if (shared)
    sectionOf = name.substr(11);
  else if (name.substr(0, 9) == ".nv.info.")
    sectionOf = name.substr(9);
}

bool SassResources::note(std::string_view line) {
  constexpr std::string_view word = "EIATTR_";
  if (line.substr(0, 2) == "//") {
    const size_t at = line.find(word);
    if (at == std::string_view::npos)
      return false;
    attribute = trimmed(line.substr(at + word.size()));
    attributeOf.clear();
    words.clear();
    return true;
  }
  if (attribute.empty() || line.substr(0, 2) != "/*")
    return false;
  const size_t at = line.find("*/");
  if (at == std::string_view::npos)
    return false;
  data(trimmed(line.substr(at + 2)));
  return true;
}

void SassResources::data(std::string_view line) {
  if (shared && line.substr(0, 5) == ".zero" && !sectionOf.empty()) {
    const auto bytes = wholeNumber(trimmed(line.substr(5)));
    if (bytes && *bytes >= 0 && *bytes < (1 << 24)) {
      auto &out = byKernel[sectionOf].resources.sharedBytes;
      out = out.value_or(0) + static_cast<uint32_t>(*bytes);
    }
    return;
  }
  if (attribute.empty())
    return;
  if (line.substr(0, 5) == ".byte") { // a word, by its bytes
    uint32_t word = 0;
    int count = 0;
    for (std::string_view rest = line.substr(5); !rest.empty(); ++count) {
      const size_t comma = rest.find(',');
      const auto byte = wholeNumber(trimmed(rest.substr(0, comma)));
      if (!byte || count == 4)
        return;
      word |= static_cast<uint32_t>(*byte & 0xff) << 8 * count;
      rest = comma == rest.npos ? std::string_view() : rest.substr(comma + 1);
    }
    if (count == 4)
      attributeWord(word);
    return;
  }
  const bool half = line.substr(0, 6) == ".short";
  if (!half && line.substr(0, 5) != ".word")
    return;
  const std::string_view value = trimmed(line.substr(half ? 6 : 5));
  if (value.substr(0, 7) == "index@(") {
    attributeOf = value.substr(7, value.rfind(')') - 7);
    return;
  }
  if (const auto word = wholeNumber(value))
    attributeWord(static_cast<uint32_t>(*word));
}

/// One value of an attribute; those of KPARAM_INFO are index, ordinal, offset
/// and a word with the size from bit 18 up.
void SassResources::attributeWord(uint32_t word) {
  if (attribute == "KPARAM_INFO" && !sectionOf.empty()) {
    words.push_back(word);
    if (words.size() == 4) {
      auto &parameters = byKernel[sectionOf].parameters;
      if (words[1] < 1024) {
        if (parameters.size() <= words[1])
          parameters.resize(words[1] + 1);
        Parameter &made = parameters[words[1]];
        made.name = "arg" + std::to_string(words[1]);
        made.offset = words[2];
        made.bytes = words[3] >> 18;
      }
      words.clear();
    }
    return;
  }
  if (attributeOf.empty())
    return;
  Resources &out = byKernel[attributeOf].resources;
  if (attribute == "REGCOUNT")
    out.registers = word;
  else if (attribute == "FRAME_SIZE" || attribute == "MIN_STACK_SIZE")
    out.stackBytes = std::max(out.stackBytes.value_or(0), word);
  attributeOf.clear();
}

void SassResources::directive(std::string_view line, Resources &out) {
  if (line.substr(0, 8) != ".section")
    return;
  setIf(out.registers, numberAfter(line, "SHI_REGISTERS="));
  setIf(out.barriers, numberAfter(line, "SHF_BARRIERS="));
}

void SassResources::apply(std::vector<Kernel> &kernels) const {
  for (Kernel &kernel : kernels) {
    const auto found = byKernel.find(kernel.name);
    if (found == byKernel.end())
      continue;
    const Resources &from = found->second.resources;
    Resources &to = kernel.resources;
    setIf(to.registers, from.registers);
    setIf(to.sharedBytes, from.sharedBytes);
    setIf(to.stackBytes, from.stackBytes);
    setIf(to.spillBytes, from.spillBytes);
    setIf(to.barriers, from.barriers);
    const auto &parameters = found->second.parameters;
    const bool whole =
        std::all_of(parameters.begin(), parameters.end(),
                    [](const Parameter &p) { return p.bytes > 0; });
    if (kernel.parameters.empty() && whole)
      kernel.parameters = parameters;
  }
}
