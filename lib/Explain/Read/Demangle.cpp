//===- Demangle.cpp - Kernel names for readers ----------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Read/Lines.h"
#include "Explain/Read/Listing.h"

#include <cstdlib>
#include <cxxabi.h>

using namespace wf::explain;

std::string wf::explain::demangled(std::string_view name) {
  // The demangler's time grows fast with back references: real names are short.
  if (name.substr(0, 2) != "_Z" || name.size() > 4096)
    return std::string(name);
  int status = -1;
  char *text =
      abi::__cxa_demangle(std::string(name).c_str(), nullptr, nullptr, &status);
  std::string out(status == 0 && text ? std::string_view(text) : name);
  std::free(text);
  return out;
}

std::vector<Parameter> wf::explain::parametersOfName(std::string_view mangled) {
  if (mangled.substr(0, 2) != "_Z")
    return {};
  const std::string whole = demangled(mangled);
  // The argument list is the last parenthesis that closes at depth 0.
  const size_t close = whole.rfind(')');
  if (close == std::string::npos)
    return {};
  size_t open = close;
  for (int depth = 0; open != std::string::npos; --open) {
    depth += whole[open] == ')';
    depth -= whole[open] == '(';
    if (depth == 0 || open == 0)
      break;
  }
  if (whole[open] != '(')
    return {};
  const std::string_view list =
      std::string_view(whole).substr(open + 1, close - open - 1);
  if (list.empty() || list == "void")
    return {};
  std::string named;
  int depth = 0, index = 0;
  const auto name = [&] { named += " arg" + std::to_string(index++); };
  for (char c : list) {
    depth += c == '<' || c == '(' || c == '[';
    depth -= c == '>' || c == ')' || c == ']';
    if (c == ',' && depth == 0)
      name();
    named += c;
  }
  name();
  auto read = readParameters(named);
  return read ? std::move(*read) : std::vector<Parameter>();
}
