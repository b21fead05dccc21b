//===- Fields.cpp - An accumulator's fields by name -----------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Patterns/Fields.h"

using namespace wf::explain;

const std::string_view wf::explain::throughWords[throughCount] = {
    "register", "lanes", "shared", "local", "global", "atomic"};

const std::vector<Field> &wf::explain::accumulatorFields() {
  static const std::vector<Field> fields = {
      {"operation", FieldKind::Text},   {"type", FieldKind::Text},
      {"through", FieldKind::Set},      {"shape", FieldKind::Shape},
      {"loop", FieldKind::Flag},        {"halving", FieldKind::Flag},
      {"grid_stride", FieldKind::Flag}, {"warp_wide", FieldKind::Flag},
      {"handed_over", FieldKind::Flag}, {"rescaled", FieldKind::Flag},
      {"matrix", FieldKind::Flag},      {"ticket", FieldKind::Flag},
      {"ascending", FieldKind::Flag},   {"copies", FieldKind::Count},
      {"barriers", FieldKind::Count},   {"bytes_read", FieldKind::Count},
      {"exchanges", FieldKind::Count},  {"bytes_written", FieldKind::Count},
  };
  return fields;
}

const Field *wf::explain::accumulatorField(std::string_view name) {
  for (const Field &field : accumulatorFields())
    if (field.name == name)
      return &field;
  return nullptr;
}

double wf::explain::countOf(const Accumulator &acc, std::string_view field) {
  const std::pair<std::string_view, double> values[] = {
      {"loop", acc.loop},
      {"halving", acc.halving},
      {"grid_stride", acc.gridStride},
      {"warp_wide", acc.warpWide},
      {"handed_over", acc.handedOver},
      {"rescaled", acc.rescaled},
      {"matrix", acc.matrix},
      {"ticket", acc.ticket},
      {"ascending", acc.ascending},
      {"copies", acc.copies},
      {"barriers", acc.barriers},
      {"bytes_read", acc.bytesRead},
      {"bytes_written", acc.bytesWritten},
      {"exchanges", acc.exchanges},
  };
  for (auto [name, value] : values)
    if (name == field)
      return value;
  return 0;
}

std::string wf::explain::wordOf(const Accumulator &acc,
                                std::string_view field) {
  return field == "type" ? std::string(typeWord(acc.type)) : acc.operation;
}

std::set<std::string> wf::explain::setOf(const Accumulator &acc,
                                         std::string_view) {
  std::set<std::string> words;
  for (Through through : acc.through)
    if (size_t(through) < throughCount)
      words.insert(std::string(throughWords[size_t(through)]));
  return words;
}

std::string_view wf::explain::typeWord(Type type) {
  switch (type) {
  case Type::F16:
    return "f16";
  case Type::F16x2:
    return "f16x2";
  case Type::BF16:
    return "bf16";
  case Type::BF16x2:
    return "bf16x2";
  case Type::F32:
    return "f32";
  case Type::F32x2:
    return "f32x2";
  case Type::F64:
    return "f64";
  case Type::S8:
  case Type::U8:
  case Type::B8:
    return "i8";
  case Type::S16:
  case Type::U16:
  case Type::B16:
    return "i16";
  case Type::S32:
  case Type::U32:
  case Type::B32:
    return "i32";
  case Type::S64:
  case Type::U64:
  case Type::B64:
    return "i64";
  default:
    return "other";
  }
}
