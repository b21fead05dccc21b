//===- Registers.cpp - Names of registers, operations and types -----------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Machine/Effect.h"

using namespace wf::explain;

namespace {

std::string numbered(std::string_view prefix, uint32_t index) {
  return std::string(prefix) + std::to_string(index);
}

std::string sassName(Reg reg) {
  switch (reg.cls) {
  case RegClass::Vector:
    return numbered("R", reg.index);
  case RegClass::Uniform:
    return numbered("UR", reg.index);
  case RegClass::Predicate:
    return numbered("P", reg.index);
  case RegClass::UniformPredicate:
    return numbered("UP", reg.index);
  case RegClass::Barrier:
    return numbered("B", reg.index);
  case RegClass::Accumulator:
    return numbered("A", reg.index);
  case RegClass::Flag:
    break;
  }
  return "CC"; // the carry of sm_61 and before
}

/// In a wave of 64 vcc and exec are named as wholes, their lower word first.
std::string amdFlagName(uint32_t index, bool wide) {
  switch (index) {
  case flags::vcc:
    return wide ? "vcc" : "vcc_lo";
  case flags::vccHi:
    return "vcc_hi";
  case flags::exec:
    return wide ? "exec" : "exec_lo";
  case flags::execHi:
    return "exec_hi";
  case flags::scc:
    return "scc";
  case flags::m0:
    return "m0";
  default:
    return numbered("flag", index);
  }
}

std::string amdName(Reg reg, bool wide) {
  switch (reg.cls) {
  case RegClass::Vector:
    return numbered("v", reg.index);
  case RegClass::Uniform:
    if (reg.index >= 1100) // as the decoder of operands numbers them
      return std::string(reg.index < 1102 ? "flat_scratch" : "xnack_mask") +
             (reg.index % 2 ? "_hi" : "_lo");
    return reg.index >= 1000 ? numbered("ttmp", reg.index - 1000)
                             : numbered("s", reg.index);
  case RegClass::Accumulator:
    return numbered("a", reg.index);
  case RegClass::Flag:
    return amdFlagName(reg.index, wide);
  default:
    return numbered("p", reg.index);
  }
}

} // namespace

std::string Program::registerName(Reg reg) const {
  switch (kernel.isa) {
  case Isa::Sass:
    return sassName(reg);
  case Isa::Amdgcn:
    return amdName(reg, kernel.lanes == 64);
  case Isa::Ptx:
    break;
  }
  if (reg.index < names.size())
    return names[reg.index];
  return numbered(reg.cls == RegClass::Predicate ? "%p" : "%r", reg.index);
}

unsigned wf::explain::bitsOf(Type type) {
  switch (type) {
  case Type::None:
    return 0;
  case Type::Pred:
    return 1;
  case Type::B8:
  case Type::U8:
  case Type::S8:
    return 8;
  case Type::B16:
  case Type::U16:
  case Type::S16:
  case Type::F16:
  case Type::BF16:
    return 16;
  case Type::B32:
  case Type::U32:
  case Type::S32:
  case Type::F16x2:
  case Type::BF16x2:
  case Type::F32:
    return 32;
  case Type::B64:
  case Type::U64:
  case Type::S64:
  case Type::F32x2:
  case Type::F64:
    return 64;
  case Type::B96:
    return 96;
  case Type::B128:
    return 128;
  case Type::B256:
    return 256;
  }
  return 0;
}

bool wf::explain::isFloat(Type type) { return type >= Type::F16; }

bool wf::explain::isSigned(Type type) {
  return type == Type::S8 || type == Type::S16 || type == Type::S32 ||
         type == Type::S64 || isFloat(type);
}

Cmp wf::explain::inverse(Cmp cmp) {
  switch (cmp) {
  case Cmp::None:
    return Cmp::None;
  case Cmp::Eq:
    return Cmp::Ne;
  case Cmp::Ne:
    return Cmp::Eq;
  case Cmp::Lt:
    return Cmp::Ge;
  case Cmp::Le:
    return Cmp::Gt;
  case Cmp::Gt:
    return Cmp::Le;
  case Cmp::Ge:
    return Cmp::Lt;
  case Cmp::Ordered:
    return Cmp::Unordered;
  case Cmp::Unordered:
    return Cmp::Ordered;
  case Cmp::True:
    return Cmp::False;
  case Cmp::False:
    return Cmp::True;
  }
  return Cmp::None;
}

std::string_view wf::explain::spaceName(Space space) {
  switch (space) {
  case Space::None:
    return "none";
  case Space::Global:
    return "global";
  case Space::Shared:
    return "shared";
  case Space::Local:
    return "local";
  case Space::Constant:
    return "constant";
  case Space::Generic:
    return "generic";
  case Space::Parameter:
    return "parameter";
  case Space::Cluster:
    return "cluster";
  case Space::Texture:
    return "texture";
  }
  return "none";
}
