//===- PtxScan.h - PTX cut into statements ----------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// PTX is a token language: a statement may span lines and several may share
// one. Internal to the reader.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_READ_PTXSCAN_H
#define WARPFOLD_EXPLAIN_READ_PTXSCAN_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wf::explain::ptx {

struct Statement {
  enum class Kind {
    End,
    Open,      ///< {
    Close,     ///< }
    Label,     ///< text: the name
    Directive, ///< one that no semicolon ends: text is ".loc", `words` follow
    Header,    ///< .entry or .func, up to its body or semicolon
    Other      ///< an instruction or a declaration, without its semicolon
  };
  Kind kind = Kind::End;
  std::string text; ///< comments gone, blanks single
  std::vector<std::string> words;
  uint32_t line = 0;
  bool complete = true; ///< false: the text ends, or a body does, before it
};

class Scanner {
public:
  explicit Scanner(std::string_view text) : text(text) {}
  /// The next statement. At module level (`inBody` false) a line that starts
  /// no directive is skipped: prose may surround a listing.
  Statement next(bool inBody);

private:
  std::string_view text;
  size_t at = 0;
  uint32_t line = 1;

  void advance(size_t count);
  void skipBlanks();
  void skipLine();
  void skipSection();
  size_t identifierEnd(size_t from) const;
  std::string word();
  Statement directive(std::string name);
  Statement until(bool header);
};

/// Cuts at commas outside of brackets of every kind; blanks at the ends gone.
std::vector<std::string> splitOperands(std::string_view text);

/// Blanks within brackets, braces and around + gone: "[%rd1+4]".
std::string tightened(std::string_view text);

bool isIdentifier(char c);

/// Lines of prose blanked, and a kernel put around the instructions that are
/// left; "" where there are none.
std::string fragmentAsKernel(std::string_view text);

} // namespace wf::explain::ptx

#endif // WARPFOLD_EXPLAIN_READ_PTXSCAN_H
