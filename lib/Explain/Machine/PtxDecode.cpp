//===- PtxDecode.cpp - What an instruction of PTX does --------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Machine/PtxDecode.h"

using namespace wf::explain;
using namespace wf::explain::ptx;

namespace wf::explain::ptx {

Effect &Context::add(Op op, Type type) {
  Effect e;
  e.op = op;
  e.type = type;
  out.effects.push_back(std::move(e));
  return out.effects.back();
}

Effect &Context::plain(Op op, Type type) {
  Effect &e = add(op, type);
  e.def = names.def(operand(0));
  for (size_t i = 1; i < count(); ++i)
    for (Source &s : names.sources(operand(i)))
      e.in.push_back(std::move(s));
  e.flushes = m.has("ftz");
  e.saturates = m.has("sat") || m.has("satfinite");
  return e;
}

} // namespace wf::explain::ptx

/// An opcode of no table: its first operand is taken for the result.
static void guess(Context &c) {
  c.out.known = false;
  Effect &e = c.plain(Op::Unknown, c.m.type());
  e.guess = true;
  e.detail = c.instruction.mnemonic;
}

void wf::explain::decodePtx(Program &program) {
  Names names(program);
  for (size_t i = 0; i < program.kernel.code.size(); ++i) {
    const Instruction &instruction = program.kernel.code[i];
    Decoded &out = program.code[i];
    if (!instruction.guard.empty()) {
      Source guard;
      guard.kind = Source::Kind::Register;
      guard.reg = names.reg(instruction.guard);
      guard.reg.cls = RegClass::Predicate;
      guard.invert = instruction.guardNegated;
      out.guard = guard;
    }
    Mnemonic m = cutMnemonic(instruction.mnemonic);
    Context c{names, instruction, m, out};
    if (!decodeArithmetic(c) && !decodeMemory(c) && !decodeAsync(c) &&
        !decodeLanes(c) && !decodeControl(c))
      guess(c);
  }
}
