//===- PtxFragment.cpp - PTX pasted without its kernel --------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Read/PtxScan.h"

#include <algorithm>
#include <iterator>

namespace wf::explain::ptx {

/// Opcodes that articles quote. An instruction of another one stands between
/// two of these, and is kept for that.
static constexpr std::string_view roots[] = {"abs",
                                             "activemask",
                                             "add",
                                             "and",
                                             "atom",
                                             "bar",
                                             "barrier",
                                             "bfe",
                                             "bfi",
                                             "bra",
                                             "brev",
                                             "call",
                                             "clz",
                                             "cp",
                                             "cvt",
                                             "cvta",
                                             "div",
                                             "elect",
                                             "ex2",
                                             "exit",
                                             "fence",
                                             "fma",
                                             "griddepcontrol",
                                             "ld",
                                             "ldmatrix",
                                             "lg2",
                                             "lop3",
                                             "mad",
                                             "mapa",
                                             "match",
                                             "max",
                                             "mbarrier",
                                             "membar",
                                             "min",
                                             "mma",
                                             "mov",
                                             "mul",
                                             "neg",
                                             "not",
                                             "or",
                                             "popc",
                                             "prmt",
                                             "rcp",
                                             "red",
                                             "redux",
                                             "rem",
                                             "ret",
                                             "rsqrt",
                                             "selp",
                                             "setp",
                                             "shf",
                                             "shfl",
                                             "shl",
                                             "shr",
                                             "sin",
                                             "sqrt",
                                             "st",
                                             "stmatrix",
                                             "sub",
                                             "tanh",
                                             "vote",
                                             "wgmma",
                                             "wmma",
                                             "xor"};

static std::string_view trimmed(std::string_view line) {
  size_t start = line.find_first_not_of(" \t\r>*`");
  if (start == std::string_view::npos)
    return {};
  line.remove_prefix(start);
  if (size_t comment = line.find("//"); comment != std::string_view::npos)
    line = line.substr(0, comment);
  size_t end = line.find_last_not_of(" \t\r`");
  return line.substr(0, end == std::string_view::npos ? 0 : end + 1);
}

/// "@%p1 bra $L__BB0_3;" and "ld.global.f32 %f1, [%rd1];", but no C.
static bool isInstruction(std::string_view line) {
  if (line.empty() || line.back() != ';')
    return false;
  if (line[0] == '@') {
    size_t blank = line.find(' ');
    if (blank == std::string_view::npos)
      return false;
    line.remove_prefix(blank + 1);
  }
  size_t end = line.find_first_of(" \t;");
  std::string_view mnemonic = line.substr(0, end);
  std::string_view root = mnemonic.substr(0, mnemonic.find('.'));
  if (std::find(std::begin(roots), std::end(roots), root) == std::end(roots))
    return false;
  std::string_view rest = line.substr(mnemonic.size());
  bool bare = root == "ret" || root == "exit" || root == "bra";
  if (bare)
    return rest.find('=') == std::string_view::npos &&
           rest.find('(') == std::string_view::npos;
  return mnemonic.find('.') != std::string_view::npos &&
         mnemonic.find('(') == std::string_view::npos &&
         rest.find('=') == std::string_view::npos;
}

static bool isLabel(std::string_view line) {
  return line.size() > 1 && line.back() == ':' &&
         std::all_of(line.begin(), line.end() - 1, isIdentifier) &&
         (line[0] == '$' || line[0] == 'L' || line[0] == 'B');
}

std::string fragmentAsKernel(std::string_view text) {
  std::string kernel = ".entry fragment() {";
  bool any = false;
  while (!text.empty()) {
    size_t end = text.find('\n');
    std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    bool instruction = isInstruction(line);
    bool declares = line.substr(0, 5) == ".reg " ||
                    line.substr(0, 8) == ".shared " ||
                    line.substr(0, 5) == ".loc ";
    any = any || instruction;
    if (instruction || isLabel(line) ||
        (declares && (line.back() == ';' || line[1] == 'l')))
      kernel += line;
    kernel += '\n'; // lines keep their numbers
  }
  return any ? kernel + "}" : std::string();
}

} // namespace wf::explain::ptx
