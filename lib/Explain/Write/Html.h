//===- Html.h - Parts of the page -------------------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_WRITE_HTML_H
#define WARPFOLD_EXPLAIN_WRITE_HTML_H

#include "Explain/Write/Statements.h"

namespace wf::explain::html {

/// Text as an element's or a quoted attribute's content. Control characters
/// and bytes that are no UTF-8 become U+FFFD.
std::string escaped(std::string_view text);

std::string style();
std::string_view script();

/// Registers by instructions, each life a bar in the colour of its role.
std::string timeline(const Report &r, const Shorthand &names);
/// The memory path from space to space.
std::string memoryPath(const Report &r, const Shorthand &names);

} // namespace wf::explain::html

#endif // WARPFOLD_EXPLAIN_WRITE_HTML_H
