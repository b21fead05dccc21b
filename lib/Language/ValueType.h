//===- ValueType.h - Scalars and records while checking ---------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Records exist until the checker has taken them apart: a value is a node or a
// list of named values, its type a scalar type or a list of named types.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_LANGUAGE_VALUETYPE_H
#define WARPFOLD_LANGUAGE_VALUETYPE_H

#include "Language/Program.h"

#include <string>
#include <utility>
#include <vector>

namespace wf {

/// A scalar type where `fields` is empty, else a record.
struct ValueType {
  ScalarType scalar = ScalarType::F32;
  std::vector<std::pair<std::string, ValueType>> fields;

  ValueType() = default;
  ValueType(ScalarType scalar) : scalar(scalar) {}
  bool isRecord() const { return !fields.empty(); }
  bool operator==(const ValueType &other) const {
    if (isRecord() || other.isRecord())
      return fields == other.fields;
    return scalar == other.scalar;
  }
};

/// A node of the function being built where `fields` is empty, else a record.
struct Value {
  uint32_t node = 0;
  std::vector<std::pair<std::string, Value>> fields;

  Value() = default;
  Value(uint32_t node) : node(node) {}
  bool isRecord() const { return !fields.empty(); }
};

/// A record of more scalars or levels than this is refused: with a chain of
/// lets it could otherwise double, or deepen, with every line.
constexpr size_t MaxRecordScalars = 64, MaxRecordLevels = 8;

/// "f32" or "(v: f32, at: i64)".
std::string shown(const ValueType &type);
/// The scalars of a type, named "v", "at" or "v.x"; one unnamed for a scalar.
std::vector<Field> flattened(const ValueType &type);
/// The nodes of a value, in the order of flattened().
std::vector<uint32_t> flattened(const Value &value);
/// 0 for a scalar, 1 for a record of scalars, …
size_t levels(const Value &value);

} // namespace wf

#endif // WARPFOLD_LANGUAGE_VALUETYPE_H
