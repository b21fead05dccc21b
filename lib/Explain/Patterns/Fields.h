//===- Fields.h - An accumulator's fields by name ---------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_PATTERNS_FIELDS_H
#define WARPFOLD_EXPLAIN_PATTERNS_FIELDS_H

#include "Explain/Patterns/Pattern.h"

namespace wf::explain {

enum class FieldKind : uint8_t { Flag, Count, Text, Set, Shape };

struct Field {
  std::string_view name;
  FieldKind kind;
};

const std::vector<Field> &accumulatorFields();
const Field *accumulatorField(std::string_view name);

double countOf(const Accumulator &acc, std::string_view field);
std::string wordOf(const Accumulator &acc, std::string_view field);
std::set<std::string> setOf(const Accumulator &acc, std::string_view field);

/// "f32"
std::string_view typeWord(Type type);
/// The words of `through`: "register", "lanes", "shared" …
extern const std::string_view throughWords[throughCount];

} // namespace wf::explain

#endif // WARPFOLD_EXPLAIN_PATTERNS_FIELDS_H
