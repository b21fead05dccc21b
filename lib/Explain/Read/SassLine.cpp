//===- SassLine.cpp - One line of SASS, split -----------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The line's grammar is the same since sm_50: an address in a comment, a
// guard, a mnemonic, operands, a semicolon, and the encoding in comments. sm_20
// puts the encoding first; nvdisasm's life ranges follow in a `//` comment.
//===----------------------------------------------------------------------===//
#include "Explain/Read/SassLine.h"

#include "Explain/Read/Lines.h"

using namespace wf::explain;

namespace {

/// Takes "/* … */" off the front of `text`; its inside.
std::optional<std::string_view> takeComment(std::string_view &text) {
  if (text.substr(0, 2) != "/*")
    return std::nullopt;
  const size_t end = text.find("*/", 2);
  if (end == std::string_view::npos)
    return std::nullopt;
  const std::string_view inside = trimmed(text.substr(2, end - 2));
  text = trimmed(text.substr(end + 2));
  return inside;
}

bool allHex(std::string_view text) {
  for (char c : text)
    if (!isDigit(c) && !(c >= 'a' && c <= 'f') && !(c >= 'A' && c <= 'F'))
      return false;
  return !text.empty();
}

/// The word in "0x00000a00ff017624".
std::optional<uint64_t> wordOf(std::string_view inside) {
  if (inside.size() < 10 || inside.size() > 18 || inside.substr(0, 2) != "0x")
    return std::nullopt;
  inside.remove_prefix(2);
  if (!allHex(inside))
    return std::nullopt;
  return takeNumber(inside, 16);
}

bool isGuard(std::string_view name) {
  if (name.substr(0, 1) == "U")
    name.remove_prefix(1);
  return name.size() == 2 && (name[0] == 'P' || name[0] == 'p') &&
         ((name[1] >= '0' && name[1] <= '7') || name[1] == 'T' ||
          name[1] == 't');
}

bool isMnemonic(std::string_view text) {
  if (text.empty() || !isUpper(text.front()))
    return false;
  bool start = false;
  for (char c : text.substr(1)) {
    if (c == '.' ? start : !isWord(c))
      return false;
    start = c == '.';
  }
  return !start;
}

/// Before a bracket: what goes on as one operand, c[0x0][0x8] and desc[UR4].
bool takesBracket(std::string_view atom) {
  while (!atom.empty() && (atom.front() == '-' || atom.front() == '|' ||
                           atom.front() == '!' || atom.front() == '~'))
    atom.remove_prefix(1);
  if (atom.empty())
    return true;
  const size_t bracket = atom.find('[');
  if (bracket != std::string_view::npos)
    // c[0x0] and desc[UR4] have a second part, [R2] has none.
    return bracket != 0 &&
           atom.find('[', bracket + 1) == std::string_view::npos;
  return atom.front() >= 'a' && atom.front() <= 'z';
}

/// Collects operands, one atom after another.
class OperandSplitter {
public:
  OperandSplitter(std::string_view text, std::vector<std::string> &out)
      : text(text), out(out) {}

  bool run() {
    for (; at < text.size(); ++at)
      if (!step(text[at]))
        return false;
    flush();
    return depth == 0;
  }

private:
  std::string_view text;
  std::vector<std::string> &out;
  std::string atom;
  size_t at = 0;
  int depth = 0;

  void flush() {
    if (!atom.empty())
      out.push_back(std::move(atom));
    atom.clear();
  }

  /// `(symbol), 32@lo(symbol): to the matching parenthesis.
  bool symbol() {
    int open = 0;
    for (; at < text.size(); ++at) {
      atom += text[at];
      open += text[at] == '(';
      open -= text[at] == ')';
      if (text[at] == ')' && open == 0)
        return true;
    }
    return false;
  }

  char nextVisible() const {
    for (size_t i = at + 1; i < text.size(); ++i)
      if (!isBlank(text[i]))
        return text[i];
    return 0;
  }

  bool step(char c) {
    if (c == '(' && depth == 0)
      return symbol();
    if (c == '{' || c == '}') { // DEPBAR {3,1}
      depth += c == '{' ? 1 : -1;
      atom += c;
      return depth >= 0;
    }
    if (c == '[') {
      if (depth == 0 && !takesBracket(atom))
        flush();
      ++depth;
    } else if (c == ']') {
      if (--depth < 0)
        return false;
    } else if (isBlank(c)) {
      if (depth == 0 && !(nextVisible() == '[' && takesBracket(atom)))
        flush();
      return true;
    } else if (depth == 0 && c == ',') {
      flush();
      return true;
    } else if (depth == 0 && isWord(c) && !atom.empty() && atom.back() == ']') {
      flush(); // [UR4]R5: some printers lose the comma
    }
    atom += c;
    return true;
  }
};

/// "(*"BRANCH_TARGETS .L_x_29,.L_x_30"*)" at the end of `text`, taken off.
void takeBranchTargets(std::string_view &text,
                       std::vector<std::string_view> *targets) {
  const size_t start = text.find("(*");
  if (start == std::string_view::npos)
    return;
  std::string_view inside = text.substr(start + 2);
  text = trimmed(text.substr(0, start));
  constexpr std::string_view word = "BRANCH_TARGETS";
  const size_t at = inside.find(word);
  if (!targets || at == std::string_view::npos)
    return;
  inside.remove_prefix(at + word.size());
  inside = inside.substr(0, inside.find_first_of("\"*"));
  while (!inside.empty()) {
    const size_t comma = inside.find(',');
    const std::string_view target = trimmed(inside.substr(0, comma));
    if (!target.empty())
      targets->push_back(target);
    inside = comma == std::string_view::npos ? std::string_view()
                                             : inside.substr(comma + 1);
  }
}

/// A line's list, quote and code marks of Markdown and mail, taken off.
std::string_view withoutMarkup(std::string_view text) {
  while (!text.empty() && (text.front() == '>' || text.front() == '`' ||
                           text.front() == '-' || isBlank(text.front())))
    text.remove_prefix(1);
  if (text.substr(0, 2) == "* ")
    text.remove_prefix(2);
  while (!text.empty() && (text.back() == '`' || isBlank(text.back())))
    text.remove_suffix(1);
  return text;
}

/// "0010:" and "0x0010:" before an instruction, as some pages print it.
std::optional<uint64_t> takeAddress(std::string_view &text) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon < 2 || colon > 18)
    return std::nullopt;
  std::string_view digits = text.substr(0, colon);
  if (digits.substr(0, 2) == "0x")
    digits.remove_prefix(2);
  if (!allHex(digits) || digits.size() > 16)
    return std::nullopt;
  Instruction unused;
  const std::string_view rest = trimmed(text.substr(colon + 1));
  const size_t end = rest.find_first_of(";/");
  if (!splitSass(rest.substr(0, end), unused) ||
      !isSassOpcode(std::string_view(unused.mnemonic)
                        .substr(0, unused.mnemonic.find('.'))))
    return std::nullopt;
  text = rest;
  return takeNumber(digits, 16);
}

/// Reads the words after an instruction's text.
void takeWords(std::string_view rest, Instruction &out) {
  rest = trimmed(rest);
  while (auto inside = takeComment(rest))
    if (auto word = wordOf(*inside))
      out.encoding.push_back(*word);
}

/// Where the instruction's text ends: a semicolon, a comment, or the line.
size_t endOfCode(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] == ';' || (text[i] == '/' && i + 1 < text.size() &&
                           (text[i + 1] == '*' || text[i + 1] == '/')))
      return i;
  return text.size();
}

} // namespace

bool wf::explain::splitSassOperands(std::string_view text,
                                    std::vector<std::string> &out) {
  return OperandSplitter(text, out).run();
}

void wf::explain::composeText(Instruction &instruction) {
  std::string &text = instruction.text;
  text.clear();
  if (!instruction.guard.empty())
    text.append("@")
        .append(instruction.guardNegated ? "!" : "")
        .append(instruction.guard)
        .append(" ");
  text += instruction.mnemonic;
  // Jumps through registers are printed without a comma.
  const std::string_view base = std::string_view(instruction.mnemonic)
                                    .substr(0, instruction.mnemonic.find('.'));
  const bool jump = base == "BRX" || base == "BRXU" || base == "JMX" ||
                    base == "JMXU" || base == "CALL" || base == "RET";
  for (size_t i = 0; i < instruction.operands.size(); ++i)
    text.append(i && !jump ? ", " : " ").append(instruction.operands[i]);
}

bool wf::explain::splitSass(std::string_view text, Instruction &out,
                            std::vector<std::string_view> *branchTargets) {
  text = trimmed(text);
  if (!text.empty() && text.front() == '@') {
    text.remove_prefix(1);
    if (!text.empty() && text.front() == '!') {
      out.guardNegated = true;
      text.remove_prefix(1);
    }
    const size_t end = text.find_first_of(" \t");
    const std::string_view guard = text.substr(0, end);
    if (!isGuard(guard) || end == std::string_view::npos)
      return false;
    out.guard = guard;
    for (char &c : out.guard)
      if (c == 'p' || c == 't')
        c = static_cast<char>(c - 'a' + 'A');
    text = trimmed(text.substr(end));
  }
  takeBranchTargets(text, branchTargets);
  const size_t end = text.find_first_of(" \t");
  const std::string_view mnemonic = text.substr(0, end);
  if (!isMnemonic(mnemonic))
    return false;
  out.mnemonic = mnemonic;
  if (end != std::string_view::npos &&
      !splitSassOperands(text.substr(end), out.operands))
    return false;
  composeText(out);
  return true;
}

bool wf::explain::looksLikeSassOperand(std::string_view operand) {
  while (!operand.empty() &&
         (operand.front() == '-' || operand.front() == '|' ||
          operand.front() == '!' || operand.front() == '~' ||
          operand.front() == '+'))
    operand.remove_prefix(1);
  if (operand.empty())
    return false;
  if (operand.front() == '`' || isDigit(operand.front()))
    return true;
  for (std::string_view prefix :
       {"c[0x", "cx[UR", "desc[UR", "gdesc[UR", "idesc[UR", "tmem[UR", "SR_",
        "SRZ", "gsb", "INF", "QNAN", "[0x"})
    if (operand.substr(0, prefix.size()) == prefix)
      return true;
  if (operand.front() == '[')
    operand.remove_prefix(1);
  if (operand.substr(0, 2) == "UR" || operand.substr(0, 2) == "UP" ||
      operand.substr(0, 2) == "SB")
    operand.remove_prefix(1);
  if (operand.size() < 2 ||
      (operand[0] != 'R' && operand[0] != 'P' && operand[0] != 'B'))
    return false;
  if (operand[1] == 'Z' || operand[1] == 'T' || operand[1] == 'R')
    return operand.size() == 2 || !isWord(operand[2]);
  size_t i = 1;
  while (i < operand.size() && isDigit(operand[i]))
    ++i;
  return i > 1 && (i == operand.size() || !isWord(operand[i]));
}

SassLine wf::explain::readSassLine(std::string_view line, bool loose) {
  SassLine out;
  std::string_view text = trimmed(line);
  if (loose)
    text = withoutMarkup(text);
  if (text.substr(0, 2) == "//")
    return out;
  std::optional<uint64_t> first;
  if (auto inside = takeComment(text)) {
    if (const auto word = wordOf(*inside)) {
      if (text.empty() || text.substr(0, 2) == "//") {
        out.kind = SassLine::Kind::Encoding;
        out.word = *word;
      }
      return out;
    }
    if (inside->size() < 4 || inside->size() > 16 || !allHex(*inside))
      return out;
    std::string_view digits = *inside;
    out.instruction.address = *takeNumber(digits, 16);
    out.addressed = true;
    std::string_view after = text;
    if (auto second = takeComment(after))
      if (auto word = wordOf(*second)) { // sm_20: the encoding first
        first = word;
        text = after;
      }
  } else if (!loose) {
    return out;
  } else if (auto address = takeAddress(text)) {
    out.instruction.address = *address;
    out.addressed = true;
  }

  // sm_50 marks two instructions issued together by braces.
  if (!text.empty() && text.front() == '{' && out.addressed)
    text = trimmed(text.substr(1));
  if (out.addressed && !text.empty() && text.front() == '.')
    return out; // .byte, .word: data
  const size_t end = endOfCode(text);
  std::string_view code = trimmed(text.substr(0, end));
  std::string_view rest = text.substr(end);
  const bool semicolon = !rest.empty() && rest.front() == ';';
  if (semicolon)
    rest.remove_prefix(1);
  if (code.size() > 1 && code.back() == '}' && code.find('{') == code.npos)
    code = trimmed(code.substr(0, code.size() - 1));
  if (code.empty())
    return out;

  const bool split = splitSass(code, out.instruction, &out.branchTargets);
  if (first)
    out.instruction.encoding.push_back(*first);
  takeWords(rest, out.instruction);
  if (out.addressed) {
    out.kind = split ? SassLine::Kind::Code : SassLine::Kind::Unreadable;
    if (!split)
      out.instruction.text = code;
    return out;
  }
  // Prose has capitals too: only opcodes with operands of SASS are taken.
  const Instruction &made = out.instruction;
  if (!split ||
      !isSassOpcode(
          std::string_view(made.mnemonic).substr(0, made.mnemonic.find('.'))))
    return out;
  for (const std::string &operand : made.operands)
    if (!looksLikeSassOperand(operand))
      return out;
  if (made.operands.empty() && !semicolon)
    return out;
  out.kind = SassLine::Kind::Code;
  return out;
}

Control wf::explain::controlOfBits(uint32_t bits) {
  const auto barrier = [](uint32_t field) {
    return static_cast<int8_t>(field == 7 ? -1 : static_cast<int>(field));
  };
  Control control;
  control.stall = bits & 0xf;
  control.yield = bits >> 4 & 1;
  control.writeBarrier = barrier(bits >> 5 & 7);
  control.readBarrier = barrier(bits >> 8 & 7);
  control.waits = bits >> 11 & 0x3f;
  control.reuse = bits >> 17 & 0xf;
  return control;
}

Control wf::explain::controlOfHigh(uint64_t high) {
  return controlOfBits(static_cast<uint32_t>(high >> 41 & 0x1fffff));
}

int wf::explain::smNumber(std::string_view target) {
  if (target.substr(0, 3) != "sm_")
    return 0;
  target.remove_prefix(3);
  const auto number = takeNumber(target, 10);
  return number && *number < 1000 ? static_cast<int>(*number) : 0;
}
