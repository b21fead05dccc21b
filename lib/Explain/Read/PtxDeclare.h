//===- PtxDeclare.h - PTX's declarations ------------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Internal to the reader.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_READ_PTXDECLARE_H
#define WARPFOLD_EXPLAIN_READ_PTXDECLARE_H

#include <cstdint>
#include <string>
#include <string_view>

namespace wf::explain::ptx {

uint64_t number(std::string_view text);
uint32_t bytesOfType(std::string_view type);

/// What a declaration says: ".param .u64 .ptr .global .align 1 name[16]".
struct Declared {
  std::string space, type, name;
  bool pointer = false, external = false;
  uint32_t align = 0;
  uint64_t elements = 1;
  uint32_t range = 0; ///< "%r<270>"

  uint64_t bytes() const {
    uint64_t each = bytesOfType(type);
    return elements > (1ull << 40) ? 0 : each * elements;
  }
};

Declared declared(std::string_view statement);

/// The C type of a parameter, as near as PTX tells it.
std::string cType(const Declared &d);

} // namespace wf::explain::ptx

#endif // WARPFOLD_EXPLAIN_READ_PTXDECLARE_H
