//===- AmdgcnLine.cpp - One line of an AMD listing ------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Operands are split at commas outside brackets; what follows an operand after
// a blank is a modifier. Prose that begins with an opcode's name is told apart
// by its words, which are neither.
//===----------------------------------------------------------------------===//
#include "Explain/Read/AmdgcnLine.h"

#include <algorithm>
#include <charconv>

using namespace wf::explain;
using namespace wf::explain::amdgcn;

static constexpr std::string_view prefixes[] = {
    "s_",     "v_",     "ds_",      "global_",  "flat_", "buffer_", "scratch_",
    "image_", "tensor", "tbuffer_", "cluster_", "exp",   "lds_",    "export"};

/// Modifiers without a value.
static constexpr std::string_view bareModifiers[] = {"glc",
                                                     "slc",
                                                     "dlc",
                                                     "scc",
                                                     "sc0",
                                                     "sc1",
                                                     "nt",
                                                     "nv",
                                                     "gds",
                                                     "lds",
                                                     "offen",
                                                     "idxen",
                                                     "addr64",
                                                     "tfe",
                                                     "lwe",
                                                     "da",
                                                     "unorm",
                                                     "a16",
                                                     "r128",
                                                     "d16",
                                                     "clamp",
                                                     "done",
                                                     "vm",
                                                     "compr",
                                                     "row_en",
                                                     "high",
                                                     "scale_offset",
                                                     "row_mirror",
                                                     "inst_offset",
                                                     "row_half_mirror",
                                                     "noglc",
                                                     "fi",
                                                     "matrix_a_reuse",
                                                     "matrix_b_reuse",
                                                     "write"};

std::string_view amdgcn::trimmed(std::string_view text) {
  size_t first = text.find_first_not_of(" \t\r\v\f");
  if (first == std::string_view::npos)
    return {};
  size_t last = text.find_last_not_of(" \t\r\v\f");
  return text.substr(first, last - first + 1);
}

static bool isLower(char c) { return c >= 'a' && c <= 'z'; }
static bool isDigit(char c) { return c >= '0' && c <= '9'; }
static bool isHex(char c) {
  return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
static bool isWord(char c) {
  return isLower(c) || isDigit(c) || c == '_' || (c >= 'A' && c <= 'Z');
}

std::string_view amdgcn::hexPrefix(std::string_view text) {
  size_t n = 0;
  while (n < text.size() && isHex(text[n]))
    ++n;
  return text.substr(0, n);
}

std::optional<uint64_t> amdgcn::hexNumber(std::string_view digits) {
  uint64_t value = 0;
  const char *end = digits.data() + digits.size();
  auto [rest, error] = std::from_chars(digits.data(), end, value, 16);
  if (digits.empty() || error != std::errc() || rest != end)
    return std::nullopt;
  return value;
}

std::optional<int64_t> amdgcn::integer(std::string_view text) {
  bool negative = text.starts_with('-');
  if (negative)
    text.remove_prefix(1);
  uint64_t value = 0;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    auto hex = hexNumber(text.substr(2));
    if (!hex)
      return std::nullopt;
    value = *hex;
  } else {
    const char *end = text.data() + text.size();
    auto [rest, error] = std::from_chars(text.data(), end, value, 10);
    if (text.empty() || error != std::errc() || rest != end)
      return std::nullopt;
  }
  return static_cast<int64_t>(negative ? 0 - value : value);
}

bool amdgcn::isMnemonic(std::string_view word) {
  if (!std::all_of(word.begin(), word.end(),
                   [](char c) { return isLower(c) || isDigit(c) || c == '_'; }))
    return false;
  if (word == "exp" || word == "export")
    return true;
  for (std::string_view prefix : prefixes)
    if (prefix.ends_with('_') && word.starts_with(prefix))
      return word.size() > prefix.size();
  return word.starts_with("tensor_") && word.size() > 7;
}

/// Where the code ends and a comment begins.
static size_t codeEnd(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] == ';' || (text[i] == '/' && i + 1 < text.size() &&
                           (text[i + 1] == '/' || text[i + 1] == '*')))
      return i;
  return text.size();
}

/// "encoding: [0x80,0x00,0x00,0xf4]", as llvm-mc prints it.
static void readBytes(std::string_view text, Instruction &out) {
  uint64_t word = 0;
  int bytes = 0;
  while (true) {
    size_t at = text.find("0x");
    if (at == std::string_view::npos)
      return;
    text.remove_prefix(at + 2);
    auto byte = hexNumber(hexPrefix(text));
    if (!byte || *byte > 0xff)
      return;
    word |= *byte << (8 * bytes);
    if (++bytes == 4) {
      out.encoding.push_back(word);
      word = 0;
      bytes = 0;
    }
  }
}

/// "000000005638: BFA5000D <reduce_sum+0x70>", or an encoding of llvm-mc's.
static void readComment(std::string_view comment, Line &line) {
  while (!comment.empty() && (comment[0] == '/' || comment[0] == ';' ||
                              comment[0] == ' ' || comment[0] == '\t'))
    comment.remove_prefix(1);
  if (comment.starts_with("encoding:"))
    return readBytes(comment, line.instruction);
  std::string_view digits = hexPrefix(comment);
  if (digits.size() < 4 || comment.size() <= digits.size() ||
      comment[digits.size()] != ':')
    return;
  line.address = hexNumber(digits);
  comment = trimmed(comment.substr(digits.size() + 1));
  while (true) {
    std::string_view word = hexPrefix(comment);
    auto value = hexNumber(word);
    if (word.size() != 8 || !value)
      break;
    line.instruction.encoding.push_back(*value);
    comment = trimmed(comment.substr(8));
  }
  if (!comment.starts_with('<') || !comment.ends_with('>'))
    return;
  comment = comment.substr(1, comment.size() - 2);
  size_t plus = comment.rfind("+0x");
  if (plus != std::string_view::npos)
    if (auto offset = hexNumber(comment.substr(plus + 3))) {
      line.symbolOffset = *offset;
      comment = comment.substr(0, plus);
    }
  line.symbol = comment;
}

/// Blanks to one each.
static std::string squeezed(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (char c : text) {
    bool blank = c == ' ' || c == '\t';
    if (blank && (out.empty() || out.back() == ' '))
      continue;
    out += blank ? ' ' : c;
  }
  if (!out.empty() && out.back() == ' ')
    out.pop_back();
  return out;
}

static bool isModifier(std::string_view word) {
  size_t colon = word.find(':');
  if (colon == std::string_view::npos)
    return std::find(std::begin(bareModifiers), std::end(bareModifiers),
                     word) != std::end(bareModifiers);
  return colon > 0 && colon + 1 < word.size() && isLower(word[0]) &&
         std::all_of(word.begin(), word.begin() + colon, isWord);
}

/// "s", "ttmp" or "acc" and a number, or the same of a range in brackets.
static bool isIndexed(std::string_view text) {
  for (std::string_view file : {"v", "s", "a", "ttmp", "acc"}) {
    if (!text.starts_with(file))
      continue;
    std::string_view rest = text.substr(file.size());
    if (rest.ends_with(".l") || rest.ends_with(".h"))
      rest.remove_suffix(2);
    if (rest.starts_with('[') && rest.ends_with(']'))
      rest = rest.substr(1, rest.size() - 2);
    if (!rest.empty() && isDigit(rest[0]) &&
        std::all_of(rest.begin(), rest.end(),
                    [](char c) { return isDigit(c) || c == ':'; }))
      return true;
  }
  return false;
}

static bool isNamed(std::string_view text) {
  static constexpr std::string_view names[] = {
      "vcc",  "vcc_lo", "vcc_hi", "exec",       "exec_lo",  "exec_hi",
      "scc",  "m0",     "null",   "off",        "vccz",     "execz",
      "tba",  "tma",    "tba_lo", "tba_hi",     "tma_lo",   "tma_hi",
      "prim", "vm",     "done",   "lds_direct", "sgpr_null"};
  for (std::string_view start :
       {"src_", "flat_scratch", "xnack_mask", "mrt", "pos", "param",
        "dual_src_blend", "invalid_target", "attr", "p0", "p10", "p20"})
    if (text.starts_with(start) &&
        std::all_of(text.begin(), text.end(),
                    [](char c) { return isWord(c) || c == '.'; }))
      return true;
  return std::find(std::begin(names), std::end(names), text) != std::end(names);
}

/// Every bracket of `text` has its partner.
static bool isBalanced(std::string_view text) {
  int depth = 0;
  for (char c : text) {
    depth += c == '[' || c == '(';
    depth -= c == ']' || c == ')';
    if (depth < 0)
      return false;
  }
  return depth == 0 && std::count(text.begin(), text.end(), '|') % 2 == 0;
}

/// A branch's or a relocated operand: a label or an expression of symbols.
static bool isSymbolic(std::string_view text) {
  return !text.empty() && std::none_of(text.begin(), text.end(), [](char c) {
    return c == ' ' || c == '\t' || c == ',';
  });
}

static bool isOperand(std::string_view text, bool symbols) {
  if (text.empty() || !isBalanced(text))
    return false;
  std::string_view core = text;
  if (core.starts_with('-'))
    core.remove_prefix(1);
  for (std::string_view wrap : {"neg(", "abs(", "sext(", "lit(", "lit64("})
    if (core.starts_with(wrap) && core.ends_with(')'))
      core = core.substr(wrap.size(), core.size() - wrap.size() - 1);
  if (core.size() > 2 && core.starts_with('|') && core.ends_with('|'))
    core = core.substr(1, core.size() - 2);
  if (core.empty())
    return false;
  if (isIndexed(core) || isNamed(core) || isDigit(core[0]) ||
      (core[0] == '-' && core.size() > 1 && isDigit(core[1])))
    return true;
  if (core.starts_with('[') && core.ends_with(']'))
    return true; // a list of registers
  size_t open = core.find('(');
  if (open != std::string_view::npos && open > 0 && core.ends_with(')'))
    return std::all_of(core.begin(), core.begin() + open, isWord);
  bool expression = core.find('@') != std::string_view::npos ||
                    core.starts_with(".L") || core.starts_with("L");
  return (symbols || expression) && isSymbolic(core);
}

/// One piece between commas: an operand and what follows it.
static bool addPiece(std::string_view piece, bool symbols, Instruction &out) {
  piece = trimmed(piece);
  bool first = true;
  while (!piece.empty()) {
    size_t end = 0;
    int depth = 0;
    for (; end < piece.size(); ++end) {
      char c = piece[end];
      depth += c == '[' || c == '(';
      depth -= c == ']' || c == ')';
      if (depth <= 0 && (c == ' ' || c == '\t'))
        break;
    }
    std::string_view word = piece.substr(0, end);
    piece = trimmed(piece.substr(end));
    if (word == "&" || word == "|")
      continue; // between counters
    bool counter = word.ends_with(')') && word.find('(') != word.npos;
    if (isModifier(word) && isBalanced(word))
      out.modifiers.emplace_back(word);
    else if ((first || counter) && isOperand(word, symbols))
      out.operands.emplace_back(word);
    else
      return false;
    first = false;
  }
  return true;
}

/// What follows the mnemonic.
static bool addOperands(std::string_view mnemonic, std::string_view text,
                        Instruction &out) {
  text = trimmed(text);
  if (text.empty())
    return true;
  if (mnemonic == "s_delay_alu" || mnemonic == "s_wait_alu") {
    out.operands.push_back(squeezed(text));
    return isBalanced(text.substr(0, text.find('|'))) &&
           (isDigit(text[0]) || text.find('(') != text.npos);
  }
  bool symbols = mnemonic.starts_with("s_branch") ||
                 mnemonic.starts_with("s_cbranch") ||
                 mnemonic.starts_with("s_call") || mnemonic == ".long" ||
                 mnemonic.starts_with("s_subvector_loop");
  int depth = 0;
  size_t start = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    bool end = i == text.size();
    if (!end) {
      depth += text[i] == '[' || text[i] == '(';
      depth -= text[i] == ']' || text[i] == ')';
    }
    if (!end && (text[i] != ',' || depth > 0))
      continue;
    std::string_view piece = text.substr(start, i - start);
    start = i + 1;
    if (trimmed(piece).empty() || !addPiece(piece, symbols, out))
      return false;
  }
  return true;
}

/// An address before the instruction, as debuggers and other disassemblers
/// print it: "/*000000000100*/", "0x7f00 <+4>:".
static std::string_view withoutAddress(std::string_view text, Line &line) {
  if (text.starts_with("/*")) {
    size_t end = text.find("*/");
    if (end == std::string_view::npos)
      return text;
    line.address = hexNumber(trimmed(text.substr(2, end - 2)));
    return trimmed(text.substr(end + 2));
  }
  std::string_view rest = text;
  if (rest.starts_with("=>"))
    rest = trimmed(rest.substr(2));
  if (!rest.starts_with("0x"))
    return text;
  std::string_view digits = hexPrefix(rest.substr(2));
  size_t colon = rest.find(':');
  if (digits.empty() || colon == std::string_view::npos || colon > 200)
    return text;
  line.address = hexNumber(digits);
  return trimmed(rest.substr(colon + 1));
}

static bool readHalf(std::string_view code, bool second, Instruction &out) {
  code = trimmed(code);
  size_t end = std::min(code.find_first_of(" \t"), code.size());
  std::string_view mnemonic = code.substr(0, end);
  if (second) {
    if (!isMnemonic(mnemonic))
      return false;
    out.operands.emplace_back("::");
    out.operands.emplace_back(mnemonic);
  } else {
    out.mnemonic = mnemonic;
  }
  return addOperands(mnemonic, code.substr(end), out);
}

Line amdgcn::parseLine(std::string_view text) {
  Line line;
  text = withoutAddress(trimmed(text), line);
  size_t end = std::min(text.find_first_of(" \t;/"), text.size());
  std::string_view word = text.substr(0, end);
  bool data = word == ".long";
  if (!data && !isMnemonic(word))
    return line;
  size_t code = codeEnd(text);
  if (code < text.size())
    readComment(text.substr(code), line);
  // Data has a place in the code only where the listing shows its address.
  if (data && !line.address)
    return line;
  std::string_view body = text.substr(0, code);
  line.instruction.text = squeezed(body);
  size_t pair = body.find("::");
  bool read = readHalf(body.substr(0, pair), false, line.instruction);
  if (read && pair != std::string_view::npos)
    read = readHalf(body.substr(pair + 2), true, line.instruction);
  line.kind = read ? Line::Kind::Instruction : Line::Kind::Unread;
  return line;
}
