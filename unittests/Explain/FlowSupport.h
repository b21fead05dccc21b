//===- FlowSupport.h - Programs written by hand -----------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_UNITTESTS_EXPLAIN_FLOWSUPPORT_H
#define WARPFOLD_UNITTESTS_EXPLAIN_FLOWSUPPORT_H

#include "Support.h"

namespace wf::explain {

/// The seed's kernel of a listing, its parameters called x, y and n.
inline Analysis seed(const std::string &listing) {
  auto read = readListing(listingText(listing), listing);
  auto parameters = readParameters("x: f32*, y: f32*, n: i32");
  if (!read || !parameters) {
    ADD_FAILURE() << "cannot read " << listing;
    return {};
  }
  for (Kernel &kernel : read->kernels)
    if (kernel.name.find("reduce_sum") != std::string::npos) {
      kernel.parameters = *parameters;
      return analyse(decode(std::move(kernel)));
    }
  ADD_FAILURE() << listing << " has no reduce_sum";
  return {};
}

/// The instruction at an address.
inline size_t at(const Analysis &a, uint64_t address) {
  const auto &code = a.program.kernel.code;
  for (size_t i = 0; i < code.size(); ++i)
    if (code[i].address == address)
      return i;
  ADD_FAILURE() << "no instruction at " << address;
  return 0;
}

inline std::vector<uint64_t> addresses(const Analysis &a,
                                       const std::vector<size_t> &list) {
  std::vector<uint64_t> out;
  for (size_t i : list)
    out.push_back(a.program.kernel.code[i].address);
  return out;
}

/// The lives of a register, by its printed name.
inline std::vector<Web> lives(const Analysis &a, const std::string &name) {
  std::vector<Web> out;
  for (const Web &web : a.webs)
    if (a.program.registerName(web.reg) == name)
      out.push_back(web);
  return out;
}

/// Builds a program effect by effect.
struct Builder {
  Program program;

  explicit Builder(Isa isa = Isa::Sass) {
    program.kernel.isa = isa;
    program.kernel.name = "built";
  }

  static Reg vector(uint32_t index) { return {RegClass::Vector, index}; }
  static Reg predicate(uint32_t index) { return {RegClass::Predicate, index}; }
  static Reg exec() { return {RegClass::Flag, flags::exec}; }

  static Source reg(Reg reg, uint8_t count = 1) {
    Source s;
    s.kind = Source::Kind::Register;
    s.reg = reg;
    s.count = count;
    return s;
  }
  static Source imm(int64_t value) {
    Source s;
    s.imm = value;
    return s;
  }
  static Source special(std::string name) {
    Source s;
    s.kind = Source::Kind::Special;
    s.name = std::move(name);
    return s;
  }
  static Source parameter(int64_t offset, uint8_t count = 1) {
    Source s;
    s.kind = Source::Kind::Parameter;
    s.imm = offset;
    s.count = count;
    return s;
  }

  static Effect effect(Op op, Type type, std::optional<Reg> def,
                       std::vector<Source> in, uint8_t count = 1) {
    Effect e;
    e.op = op;
    e.type = type;
    e.in = std::move(in);
    if (def)
      e.def = Def{*def, count};
    return e;
  }

  Decoded &add(std::vector<Effect> effects = {}) {
    Instruction instruction;
    instruction.address = 16 * program.code.size();
    program.kernel.code.push_back(std::move(instruction));
    program.code.emplace_back();
    program.code.back().effects = std::move(effects);
    return program.code.back();
  }
  Decoded &add(Effect effect) {
    return add(std::vector<Effect>{std::move(effect)});
  }
  Decoded &guarded(Effect effect, Reg guard, bool inverted) {
    Decoded &d = add(std::move(effect));
    d.guard = reg(guard);
    d.guard->invert = inverted;
    return d;
  }
  Decoded &jump(std::vector<size_t> targets,
                std::optional<Reg> guard = std::nullopt) {
    Decoded &d = add();
    d.flow.kind = Flow::Kind::Jump;
    d.flow.targets = std::move(targets);
    if (guard) {
      d.guard = reg(*guard);
      d.flow.condition = d.guard;
      d.flow.conditional = true;
    }
    return d;
  }
  Decoded &exit() {
    Decoded &d = add(effect(Op::Exit, Type::None, std::nullopt, {}));
    d.flow.kind = Flow::Kind::Exit;
    return d;
  }
  Decoded &compare(Reg def, Cmp cmp, Source x, Source y) {
    Effect e = effect(Op::Compare, Type::S32, def, {x, y});
    e.cmp = cmp;
    return add(std::move(e));
  }

  Analysis analysed() { return analyse(std::move(program)); }
};

/// What a register holds after instruction `i`.
inline std::string written(const Analysis &a, size_t i, size_t effect = 0) {
  return expression(a, a.code[i].effects[effect].written);
}

} // namespace wf::explain

#endif // WARPFOLD_UNITTESTS_EXPLAIN_FLOWSUPPORT_H
