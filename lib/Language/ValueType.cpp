//===- ValueType.cpp - Scalars and records while checking -----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// In: record types and values. Out: their text for messages, their scalars in
// order.
//===----------------------------------------------------------------------===//
#include "Language/ValueType.h"

#include <algorithm>

using namespace wf;

std::string wf::shown(const ValueType &type) {
  if (!type.isRecord())
    return std::string(name(type.scalar));
  std::string out = "(";
  for (const auto &[field, fieldType] : type.fields)
    out += (out.size() > 1 ? ", " : "") + field + ": " + shown(fieldType);
  return out + ")";
}

static void flattenInto(const ValueType &type, const std::string &name,
                        std::vector<Field> &out) {
  if (!type.isRecord()) {
    out.push_back({name, type.scalar});
    return;
  }
  for (const auto &[field, fieldType] : type.fields)
    flattenInto(fieldType, name.empty() ? field : name + "." + field, out);
}

std::vector<Field> wf::flattened(const ValueType &type) {
  std::vector<Field> out;
  flattenInto(type, "", out);
  return out;
}

static void flattenInto(const Value &value, std::vector<uint32_t> &out) {
  if (!value.isRecord())
    out.push_back(value.node);
  for (const auto &[field, fieldValue] : value.fields)
    flattenInto(fieldValue, out);
}

std::vector<uint32_t> wf::flattened(const Value &value) {
  std::vector<uint32_t> out;
  flattenInto(value, out);
  return out;
}

size_t wf::levels(const Value &value) {
  size_t below = 0;
  for (const auto &[field, fieldValue] : value.fields)
    below = std::max(below, levels(fieldValue) + 1);
  return below;
}
