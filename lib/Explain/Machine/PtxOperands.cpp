//===- PtxOperands.cpp - Registers, immediates, addresses of PTX ----------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Machine/PtxDecode.h"

#include "Explain/Read/PtxScan.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdlib>

namespace wf::explain::ptx {

namespace {
struct SpecialName {
  std::string_view ptx, meaning;
};
struct TypeName {
  std::string_view ptx;
  Type type;
};
} // namespace

static constexpr SpecialName specials[] = {
    {"%tid.x", "threadIdx.x"},
    {"%tid.y", "threadIdx.y"},
    {"%tid.z", "threadIdx.z"},
    {"%ntid.x", "blockDim.x"},
    {"%ntid.y", "blockDim.y"},
    {"%ntid.z", "blockDim.z"},
    {"%ctaid.x", "blockIdx.x"},
    {"%ctaid.y", "blockIdx.y"},
    {"%ctaid.z", "blockIdx.z"},
    {"%nctaid.x", "gridDim.x"},
    {"%nctaid.y", "gridDim.y"},
    {"%nctaid.z", "gridDim.z"},
    {"%laneid", "laneId"},
    {"%warpid", "warpId"},
    {"%nwarpid", "warpCount"},
    {"%smid", "smId"},
    {"%nsmid", "smCount"},
    {"%gridid", "gridId"},
    {"%lanemask_eq", "laneMask.eq"},
    {"%lanemask_lt", "laneMask.lt"},
    {"%lanemask_le", "laneMask.le"},
    {"%lanemask_gt", "laneMask.gt"},
    {"%lanemask_ge", "laneMask.ge"},
    {"%clock", "clock"},
    {"%clock_hi", "clock.high"},
    {"%clock64", "clock64"},
    {"%globaltimer", "globalTimer"},
    {"%globaltimer_lo", "globalTimer"},
    {"%globaltimer_hi", "globalTimer.high"},
    {"%cluster_ctarank", "clusterCtaRank"},
    {"%cluster_nctarank", "clusterSize"},
    {"%cluster_ctaid.x", "clusterBlockIdx.x"},
    {"%cluster_ctaid.y", "clusterBlockIdx.y"},
    {"%cluster_ctaid.z", "clusterBlockIdx.z"},
    {"%cluster_nctaid.x", "clusterDim.x"},
    {"%cluster_nctaid.y", "clusterDim.y"},
    {"%cluster_nctaid.z", "clusterDim.z"},
    {"%clusterid.x", "clusterIdx.x"},
    {"%clusterid.y", "clusterIdx.y"},
    {"%clusterid.z", "clusterIdx.z"},
    {"%nclusterid.x", "clusterGridDim.x"},
    {"%nclusterid.y", "clusterGridDim.y"},
    {"%nclusterid.z", "clusterGridDim.z"},
    {"%is_explicit_cluster", "isExplicitCluster"},
    {"%dynamic_smem_size", "dynamicSharedBytes"},
    {"%total_smem_size", "sharedBytes"},
    {"%aggr_smem_size", "aggregatedSharedBytes"},
    {"%reserved_smem_offset_begin", "reservedSharedBegin"},
    {"%current_graph_exec", "currentGraph"},
};

static constexpr TypeName typeNames[] = {
    {"pred", Type::Pred},   {"b8", Type::B8},         {"b16", Type::B16},
    {"b32", Type::B32},     {"b64", Type::B64},       {"b96", Type::B96},
    {"b128", Type::B128},   {"b256", Type::B256},     {"u8", Type::U8},
    {"s8", Type::S8},       {"u16", Type::U16},       {"s16", Type::S16},
    {"u32", Type::U32},     {"s32", Type::S32},       {"u64", Type::U64},
    {"s64", Type::S64},     {"f16", Type::F16},       {"f16x2", Type::F16x2},
    {"bf16", Type::BF16},   {"bf16x2", Type::BF16x2}, {"f32", Type::F32},
    {"f32x2", Type::F32x2}, {"f64", Type::F64},       {"tf32", Type::F32},
    {"u16x2", Type::B32},   {"s16x2", Type::B32},     {"e4m3x2", Type::B16},
    {"e5m2x2", Type::B16},  {"e2m1x2", Type::B8},     {"ue8m0x2", Type::B16},
    {"e4m3", Type::B8},     {"e5m2", Type::B8},
};

Type typeNamed(std::string_view part) {
  for (const TypeName &t : typeNames)
    if (t.ptx == part)
      return t.type;
  return Type::None;
}

Mnemonic cutMnemonic(std::string_view text) {
  Mnemonic m;
  size_t dot = text.find('.');
  m.root = text.substr(0, dot);
  while (dot != std::string_view::npos) {
    size_t next = text.find('.', dot + 1);
    std::string_view part = text.substr(
        dot + 1, next == std::string_view::npos ? next : next - dot - 1);
    m.parts.push_back(part);
    if (Type t = typeNamed(part); t != Type::None)
      m.types.push_back(t);
    else if (part == "v2" || part == "v4" || part == "v8")
      m.vector = static_cast<uint32_t>(part[1] - '0');
    dot = next;
  }
  return m;
}

bool Mnemonic::has(std::string_view part) const {
  for (std::string_view p : parts)
    if (p == part)
      return true;
  return false;
}

std::string Mnemonic::rest() const {
  std::string joined;
  for (std::string_view p : parts) {
    if (typeNamed(p) != Type::None || p == "ftz" || p == "sat" ||
        p == "satfinite")
      continue; // the effect has these apart
    joined += joined.empty() ? "" : ".";
    joined += p;
  }
  return joined;
}

std::string scopeOf(const Mnemonic &m) {
  if (m.has("cta"))
    return "block";
  if (m.has("cluster"))
    return "cluster";
  if (m.has("gpu") || m.has("gl"))
    return "device";
  return m.has("sys") ? "system" : "";
}

Names::Names(Program &program) : program(program) {
  // Parameters may have been renamed since; the text has the declared names.
  for (const Declaration &d : program.kernel.declarations)
    if (d.space == "reg")
      predicates[d.name] = d.type == "pred";
    else if (d.space == "argument")
      parameters[d.name] = static_cast<uint32_t>(d.bytes);
}

/// Declared so by name, or within a declared range: "%p12" of "%p<40>".
bool Names::isPredicate(std::string_view name) const {
  auto exact = predicates.find(std::string(name));
  if (exact != predicates.end())
    return exact->second;
  while (!name.empty() && name.back() >= '0' && name.back() <= '9')
    name.remove_suffix(1);
  auto range = predicates.find(std::string(name));
  return range != predicates.end() ? range->second : name == "%p";
}

Reg Names::reg(std::string_view name) {
  auto [found, fresh] =
      indices.emplace(name, static_cast<uint32_t>(program.names.size()));
  if (fresh)
    program.names.emplace_back(name);
  return {isPredicate(name) ? RegClass::Predicate : RegClass::Vector,
          found->second};
}

std::optional<Source> Names::parameter(std::string_view name) const {
  auto found = parameters.find(std::string(name));
  if (found == parameters.end())
    return std::nullopt;
  Source s;
  s.kind = Source::Kind::Parameter;
  s.imm = found->second;
  s.name = name;
  return s;
}

/// Integers in every radix and 0f…, 0d…; false where `text` is none.
static bool immediate(std::string_view text, Source &s) {
  bool minus = !text.empty() && text[0] == '-';
  if (minus)
    text.remove_prefix(1);
  if (text.empty() || text[0] < '0' || text[0] > '9')
    return false;
  if (text.size() > 2 &&
      (text[1] == 'f' || text[1] == 'F' || text[1] == 'd' || text[1] == 'D') &&
      text[0] == '0') {
    bool single = text[1] == 'f' || text[1] == 'F';
    uint64_t bits = 0;
    std::from_chars(text.data() + 2, text.data() + text.size(), bits, 16);
    s.kind = Source::Kind::Float;
    s.imm = static_cast<int64_t>(bits);
    s.number = single ? std::bit_cast<float>(static_cast<uint32_t>(bits))
                      : std::bit_cast<double>(bits);
    if (minus)
      s.number = -s.number;
    return true;
  }
  if (text.find('.') != std::string_view::npos && text.substr(0, 2) != "0x") {
    s.kind = Source::Kind::Float;
    s.number = std::strtod(std::string(text).c_str(), nullptr);
    if (minus)
      s.number = -s.number;
    return true;
  }
  int base = 10;
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
    base = 16;
  else if (text.size() > 2 && text[0] == '0' &&
           (text[1] == 'b' || text[1] == 'B'))
    base = 2;
  if (base != 10)
    text.remove_prefix(2);
  else if (text.size() > 1 && text[0] == '0')
    base = 8;
  uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, base);
  s.kind = Source::Kind::Immediate;
  s.imm = static_cast<int64_t>(minus ? 0 - value : value);
  return true;
}

Source Names::source(std::string_view text) {
  Source s;
  while (!text.empty() && (text[0] == '!' || text[0] == '~')) {
    s.invert = !s.invert;
    text.remove_prefix(1);
  }
  if (immediate(text, s))
    return s;
  if (text == "WARP_SZ") {
    s.kind = Source::Kind::Immediate;
    s.imm = 32;
    return s;
  }
  if (!text.empty() && text[0] == '-') {
    s.negate = true;
    text.remove_prefix(1);
  }
  for (const SpecialName &special : specials)
    if (special.ptx == text) {
      s.kind = Source::Kind::Special;
      s.name = special.meaning;
      return s;
    }
  if (text.substr(0, 7) == "%envreg" || text.substr(0, 3) == "%pm") {
    s.kind = Source::Kind::Special;
    s.name = text.substr(1);
    return s;
  }
  // "%v.x" is an element; "sym+4" an address; anything else with % or declared
  // as a register is one.
  std::string_view base = text.substr(0, text.find_first_of("+|"));
  std::string_view element;
  if (size_t dot = base.rfind('.'); dot != std::string_view::npos && dot > 0 &&
                                    base.size() - dot <= 3 && base[0] == '%') {
    element = base.substr(dot + 1);
    base = base.substr(0, dot);
  }
  if (!base.empty() &&
      (base[0] == '%' || predicates.count(std::string(base)))) {
    s.kind = Source::Kind::Register;
    s.reg = reg(base);
    s.part = element;
    return s;
  }
  s.kind = Source::Kind::Symbol;
  s.name = base;
  if (size_t plus = text.find('+'); plus != std::string_view::npos) {
    Source offset;
    if (immediate(text.substr(plus + 1), offset))
      s.imm = offset.imm;
  }
  return s;
}

static std::vector<std::string> elements(std::string_view operand) {
  if (operand.size() < 2 || operand.front() != '{')
    return {std::string(operand)};
  std::vector<std::string> all = splitOperands(
      operand.substr(1, operand.size() - (operand.back() == '}' ? 2 : 1)));
  constexpr size_t most = 1024; // the largest matrix fragment has 256
  if (all.size() > most)
    all.resize(most);
  return all;
}

std::vector<Source> Names::sources(std::string_view operand) {
  std::vector<Source> all;
  for (const std::string &e : elements(operand))
    all.push_back(source(e));
  return all;
}

std::optional<Def> Names::def(std::string_view operand) {
  if (operand.empty() || operand == "_" || operand[0] == '[')
    return std::nullopt;
  Source s = source(operand);
  if (s.kind != Source::Kind::Register)
    return std::nullopt;
  return Def{s.reg, 1};
}

std::vector<std::optional<Def>> Names::defs(std::string_view operand) {
  std::vector<std::optional<Def>> all;
  for (const std::string &e : elements(operand))
    all.push_back(def(e));
  return all;
}

void Names::address(std::string_view text, Memory &memory) {
  if (!text.empty() && text.front() == '[')
    text.remove_prefix(1);
  if (!text.empty() && text.back() == ']')
    text.remove_suffix(1);
  text = text.substr(0, text.find(',')); // a tensor map, then coordinates
  // "+-4" is how a negative offset is printed.
  size_t plus = text.find('+', 1);
  std::string_view offset;
  if (plus != std::string_view::npos) {
    offset = text.substr(plus + 1);
    text = text.substr(0, plus);
  } else if (size_t minus = text.find('-', 1);
             minus != std::string_view::npos) {
    offset = text.substr(minus);
    text = text.substr(0, minus);
  }
  Source s;
  // Bounded, so that adding a vector's elements stays a number.
  constexpr int64_t far = int64_t(1) << 48;
  auto bounded = [&] { return std::clamp(s.imm, -far, far); };
  if (!offset.empty() && immediate(offset, s))
    memory.offset = bounded();
  if (immediate(text, s) && s.kind == Source::Kind::Immediate) {
    memory.offset += bounded();
    return;
  }
  if (!text.empty())
    memory.base = source(text);
}

} // namespace wf::explain::ptx
