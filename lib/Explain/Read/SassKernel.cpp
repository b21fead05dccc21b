//===- SassKernel.cpp - Collecting one kernel's lines ---------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Read/SassKernel.h"

#include "Explain/Read/Lines.h"

#include <algorithm>
#include <numeric>

using namespace wf::explain;

SassKernel::SassKernel(std::string name, uint32_t line) {
  kernel.name = std::move(name);
  kernel.line = line;
  kernel.isa = Isa::Sass;
  kernel.lanes = 32;
}

void SassKernel::addLabel(std::string_view label) {
  pending.emplace_back(label);
}

void SassKernel::addWord(uint64_t word) {
  words.emplace_back(kernel.code.size(), word);
}

void SassKernel::add(SassLine line, uint32_t number) {
  Instruction &made = line.instruction;
  made.line = number;
  made.source = source;
  made.ptxLine = ptxLine;
  for (const std::string &label : pending)
    kernel.labels.emplace(label, kernel.code.size());
  // The compiler's own label is what branches name.
  for (const std::string &label : pending)
    if (made.label.empty() || label.compare(0, 2, ".L") == 0)
      made.label = label;
  pending.clear();
  if (!line.branchTargets.empty())
    branches.emplace_back(kernel.code.size(),
                          std::vector<std::string>(line.branchTargets.begin(),
                                                   line.branchTargets.end()));
  kernel.code.push_back(std::move(made));
}

bool SassKernel::addPasted(SassLine &line, uint32_t number) {
  pasted = true;
  if (!line.addressed) {
    kernel.addressed = false;
    line.instruction.address =
        kernel.code.empty() ? 0 : kernel.code.back().address + 16;
  } else {
    const auto [place, fresh] =
        byAddress.emplace(line.instruction.address, kernel.code.size());
    if (!fresh) {
      Instruction &known = kernel.code[place->second];
      // The same branch is printed with a label and with an address.
      if (known.mnemonic != line.instruction.mnemonic ||
          known.guard != line.instruction.guard ||
          (known.text != line.instruction.text &&
           known.text.find('`') == std::string::npos &&
           line.instruction.text.find('`') == std::string::npos))
        return false;
      if (known.encoding.empty())
        known.encoding = line.instruction.encoding;
      return true;
    }
  }
  add(std::move(line), number);
  return true;
}

/// A note's order is the reader's; the program's is that of the addresses.
void SassKernel::sortPasted() {
  std::vector<size_t> order(kernel.code.size()), place(kernel.code.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::pair(kernel.code[a].address, a) <
           std::pair(kernel.code[b].address, b);
  });
  std::vector<Instruction> sorted;
  sorted.reserve(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    sorted.push_back(std::move(kernel.code[order[i]]));
  }
  kernel.code = std::move(sorted);
  for (auto &[label, index] : kernel.labels)
    index = place[index];
  for (auto &[index, targets] : branches)
    index = place[index];
  for (auto &[after, word] : words)
    if (after > 0)
      after = place[after - 1] + 1;
}

void SassKernel::bindWords(bool byThree) {
  for (const auto &[after, word] : words) {
    if (byThree) {
      // The word controls the three instructions after it: 21 bits each.
      for (size_t i = 0; i < 3 && after + i < kernel.code.size(); ++i)
        kernel.code[after + i].control =
            controlOfBits(static_cast<uint32_t>(word >> 21 * i & 0x1fffff));
    } else if (after > 0 && kernel.code[after - 1].encoding.size() < 2) {
      kernel.code[after - 1].encoding.push_back(word);
    }
  }
  if (byThree)
    return;
  for (Instruction &made : kernel.code)
    if (made.encoding.size() == 2)
      made.control = controlOfHigh(made.encoding[1]);
}

void SassKernel::bindBranches() {
  for (const auto &[index, targets] : branches)
    for (const std::string &target : targets) {
      const auto place = kernel.labels.find(target);
      if (place != kernel.labels.end())
        kernel.code[index].targets.push_back(place->second);
    }
}

Kernel SassKernel::finish(std::string_view hint) {
  if (pasted)
    sortPasted();
  for (const std::string &label : pending)
    kernel.labels.emplace(label, kernel.code.size());
  pending.clear();
  if (kernel.target.empty())
    kernel.target = hint;
  if (kernel.target.empty()) {
    kernel.target = inferSassTarget(kernel);
    kernel.targetInferred = true;
  }
  const int sm = smNumber(kernel.target);
  bindWords(sm >= 50 && sm < 70);
  bindBranches();
  for (auto label = kernel.labels.begin(); label != kernel.labels.end();)
    label = label->second >= kernel.code.size() ? kernel.labels.erase(label)
                                                : std::next(label);
  return std::move(kernel);
}

std::string wf::explain::inferSassTarget(const Kernel &kernel) {
  struct Sign {
    std::string_view mnemonic; ///< its front
    std::string_view operand;  ///< a part of an operand's
    std::string_view target;
  };
  // From the newest on: a later one may use an older one's spelling.
  static constexpr Sign signs[] = {
      {"LDCU", "", "sm_100"},          {"UTC", "", "sm_100"},
      {"FADD2", "", "sm_100"},         {"FFMA2", "", "sm_100"},
      {"", "c[0x0][0x37c]", "sm_100"}, {"", "desc[", "sm_90"},
      {"HGMMA", "", "sm_90"},          {"UCGABAR", "", "sm_90"},
      {"SYNCS", "", "sm_90"},          {"VIADD", "", "sm_90"},
      {"", "c[0x0][0x210]", "sm_90"},  {"", "SR_CgaCtaId", "sm_90"},
      {"LDGSTS", "", "sm_80"},         {"REDUX", "", "sm_80"},
      {"HFMA2.MMA", "", "sm_80"},      {"F2FP", "", "sm_80"},
      {"", "[R*.64", "sm_80"},         {"BAR.SYNC.DEFER_BLOCKING", "", "sm_80"},
      {"ULDC", "", "sm_75"},           {"UMOV", "", "sm_75"},
      {"USHF", "", "sm_75"},           {"BSSY", "", "sm_70"},
      {"IMAD.MOV", "", "sm_70"},       {"IMAD.WIDE", "", "sm_70"},
      {"LOP3.LUT", "", "sm_70"},       {"IADD3", "", "sm_70"},
      {"XMAD", "", "sm_61"},           {"LDG.E.CI", "", "sm_61"},
      {"", "c[0x0][0x20]", "sm_61"}};
  size_t best = std::size(signs);
  bool eights = false;
  for (const Instruction &made : kernel.code) {
    eights |= made.address % 16 == 8;
    for (size_t i = 0; i < best; ++i) {
      const Sign &sign = signs[i];
      bool found =
          !sign.mnemonic.empty() &&
          made.mnemonic.compare(0, sign.mnemonic.size(), sign.mnemonic) == 0;
      if (!sign.operand.empty())
        for (const std::string &operand : made.operands)
          found |= sign.operand == "[R*.64"
                       ? operand.front() == '[' && has(operand, ".64")
                       : has(operand, sign.operand);
      if (found)
        best = i;
    }
  }
  // Instructions of 8 bytes ended with Pascal.
  if (eights)
    return "sm_61";
  return best < std::size(signs) ? std::string(signs[best].target) : "sm_80";
}

std::string_view wf::explain::targetIn(std::string_view text) {
  for (size_t at = text.find("sm_"); at != std::string_view::npos;
       at = text.find("sm_", at + 3)) {
    size_t end = at + 3;
    while (end < text.size() && isDigit(text[end]))
      ++end;
    if (end - at < 5 || end - at > 6)
      continue;
    if (end < text.size() && (text[end] == 'a' || text[end] == 'f') &&
        (end + 1 == text.size() || !isWord(text[end + 1])))
      ++end;
    return text.substr(at, end - at);
  }
  return {};
}
