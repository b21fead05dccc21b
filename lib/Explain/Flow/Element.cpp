//===- Element.cpp - Loads as elements of arrays --------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Flow/Printer.h"

#include <algorithm>

using namespace wf::explain;

using Kind = Value::Kind;

static const Parameter *parameterAt(const std::vector<Parameter> &list,
                                    int64_t offset) {
  for (const Parameter &p : list)
    if (offset >= int64_t(p.offset) &&
        offset < int64_t(p.offset) + std::max<int64_t>(p.bytes, 1))
      return &p;
  return nullptr;
}

std::string wf::explain::parameterName(const Analysis &a, int64_t offset) {
  const Kernel &kernel = a.program.kernel;
  for (const auto *list : {&kernel.parameters, &kernel.hidden})
    if (const Parameter *p = parameterAt(*list, offset)) {
      std::string name =
          p->name.empty() ? "arg" + std::to_string(p - list->data()) : p->name;
      int64_t inside = offset - int64_t(p->offset);
      return inside ? name + "+" + std::to_string(inside) : name;
    }
  return "param[" + std::to_string(offset) + "]";
}

std::string wf::explain::parameterText(const Analysis &a, const Value &v) {
  const Parameter *p = parameterAt(a.program.kernel.parameters, v.imm);
  if (!p || p->bytes != 8 || isWide(v))
    return parameterName(a, v.imm);
  return (v.imm == int64_t(p->offset) ? "low(" : "high(") +
         parameterName(a, p->offset) + ")";
}

std::string wf::explain::parameterType(const Analysis &a, int64_t offset) {
  const Parameter *p = parameterAt(a.program.kernel.parameters, offset);
  return p ? p->type : "";
}

/// Bytes of what a pointer's type points to; 0: unknown.
static int64_t elementBytes(std::string_view type) {
  struct Row {
    std::string_view name;
    int64_t bytes;
  };
  static constexpr Row rows[] = {
      {"float4", 16}, {"int4", 16},    {"double2", 16}, {"uint4", 16},
      {"float2", 8},  {"int2", 8},     {"uint2", 8},    {"half2", 4},
      {"double", 8},  {"long", 8},     {"float", 4},    {"int64", 8},
      {"half", 2},    {"bfloat", 2},   {"short", 2},    {"int16", 2},
      {"char", 1},    {"int8", 1},     {"bool", 1},     {"f64", 8},
      {"i64", 8},     {"f32", 4},      {"i32", 4},      {"f16", 2},
      {"i8", 1},      {"unsigned", 4}, {"int", 4}};
  if (type.find('*') == type.npos)
    return 0;
  for (const Row &row : rows)
    if (type.find(row.name) != type.npos)
      return row.bytes;
  return 0;
}

std::string Printer::element(const Value &load, int depth) {
  Space space = Space::Global;
  uint32_t accessBytes = 4;
  if (load.instruction < a.program.code.size())
    for (const Effect &e : a.program.code[load.instruction].effects)
      if (e.memory && e.op == Op::Load) {
        space = e.memory->space;
        accessBytes = e.memory->bytes;
        break;
      }
  Address address = splitAddress(a, load.args[0], space);
  int64_t offset = int64_t(uint64_t(address.offset) + uint64_t(load.imm));
  // By the elements of the pointer's type; else of what is loaded, where a
  // wide load brings several.
  int64_t width = bitsOf(load.type) / 8;
  if (width == 0 || width > 8)
    width = std::clamp<int64_t>(accessBytes, 1, 4);
  std::string name = std::string(spaceName(space));
  if (address.root == Address::Root::Parameter) {
    int64_t at = a.value(address.base).imm;
    name = parameterName(a, at);
    if (int64_t bytes = elementBytes(parameterType(a, at));
        bytes && bytes <= width)
      width = bytes;
  } else if (address.base != noValue &&
             a.value(address.base).name != "shared" &&
             a.value(address.base).name != "stack") {
    name = text(address.base, depth - 1, 13);
  } else if (address.root == Address::Root::None && address.terms.empty()) {
    name = std::string(spaceName(space));
  }
  bool even = offset % width == 0;
  for (const auto &term : address.terms)
    even = even && (term.second % width == 0);
  const int64_t by = even ? width : 1;
  struct Term {
    ValueId id;
    int64_t factor;
  };
  // What is scaled first: "blockIdx.x * blockDim.x + threadIdx.x".
  std::vector<Term> terms;
  for (bool scaled : {true, false})
    for (const auto &[id, factor] : address.terms) {
      const Value &v = a.value(id);
      bool product = v.kind == Kind::Operation && v.op == Op::Mul;
      if ((factor != by || product) == scaled)
        terms.push_back({id, factor / by});
    }
  std::string index;
  for (const Term &term : terms) {
    int64_t size = term.factor < 0 ? -term.factor : term.factor;
    std::string one = text(term.id, depth - 1, size == 1 ? 10 : 11);
    if (size != 1)
      one += " * " + std::to_string(size);
    if (index.empty())
      index = (term.factor < 0 ? "-" : "") + one;
    else
      index += (term.factor < 0 ? " - " : " + ") + one;
  }
  int64_t rest = offset / by;
  if (index.empty())
    index = std::to_string(rest);
  else if (rest)
    index +=
        (rest < 0 ? " - " : " + ") + std::to_string(rest < 0 ? -rest : rest);
  return name + "[" + index + (even ? "]" : " bytes]");
}
