//===- Amdgcn.cpp - AMD instructions to effects ---------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Machine/Amdgcn.h"

#include <algorithm>
#include <unordered_map>

using namespace wf::explain;
using namespace wf::explain::amdgcn;

/// An opcode that no table has: its first operand is taken for the destination.
static void decodeUnknown(Context &c) {
  c.out.known = false;
  Effect &effect = c.add(Op::Unknown, Type::B32);
  effect.guess = true;
  effect.def = c.def(0);
  for (size_t i = effect.def ? 1 : 0; i < c.size(); ++i)
    effect.in.push_back(c.source(i));
}

static void decodeHalf(Context &c) {
  static constexpr bool (*families[])(Context &) = {
      decodeFlow,    decodeSync,  decodeLanes,  decodeAtomic, decodeMemory,
      decodeCompare, decodeCarry, decodeScalar, decodeVector, decodeTable};
  for (auto *family : families)
    if (family(c))
      return;
  decodeUnknown(c);
}

/// Whether exec guards `effect`: lanes outside it keep what they have, or give
/// 0 to a comparison's mask. Scalars are written whole.
static bool isMasked(const Effect &effect, std::string_view mnemonic) {
  if (effect.op == Op::WriteLane || effect.op == Op::Fence)
    return false;
  if (effect.memory)
    return !mnemonic.starts_with("s_");
  if (effect.op == Op::Compare || effect.op == Op::ClassTest)
    return mnemonic.starts_with("v_") && effect.then == Op::Nop;
  return effect.def && (effect.def->reg.cls == RegClass::Vector ||
                        effect.def->reg.cls == RegClass::Accumulator);
}

static void applyOutputModifiers(Context &c, size_t firstEffect) {
  bool clamp = c.has("clamp");
  std::string_view multiplied = c.value("mul"), divided = c.value("div");
  for (size_t e = firstEffect; e < c.out.effects.size(); ++e) {
    Effect &effect = c.out.effects[e];
    effect.saturates |= clamp;
    if (!multiplied.empty())
      effect.detail +=
          (effect.detail.empty() ? "mul:" : " mul:") + std::string(multiplied);
    if (!divided.empty())
      effect.detail +=
          (effect.detail.empty() ? "div:" : " div:") + std::string(divided);
    effect.masked = isMasked(effect, c.mnemonic);
  }
}

static void decodeOne(const Kernel &kernel, const Instruction &instruction,
                      Decoded &out) {
  std::string_view mnemonic = instruction.mnemonic;
  size_t at = 0;
  const auto &all = instruction.operands;
  while (true) {
    Context c{kernel, instruction, mnemonic, {}, out, kernel.lanes / 32};
    while (at < all.size() && all[at] != "::")
      c.operands.emplace_back(all[at++]);
    size_t before = out.effects.size();
    decodeHalf(c);
    applyLaneModifiers(c);
    applyOutputModifiers(c, before);
    if (at + 1 >= all.size())
      return;
    mnemonic = all[at + 1];
    at += 2;
  }
}

namespace {
/// Instructions by their address.
using Places = std::unordered_map<uint64_t, size_t>;
} // namespace

static void resolveTargets(const Kernel &kernel, const Places &places,
                           size_t index, Decoded &decoded) {
  const Instruction &i = kernel.code[index];
  Flow &flow = decoded.flow;
  if (flow.kind != Flow::Kind::Jump && flow.kind != Flow::Kind::Call)
    return;
  std::optional<uint64_t> address = i.target;
  const std::string &operand =
      i.operands.empty() ? std::string() : i.operands.back();
  if (auto label = kernel.labels.find(operand); label != kernel.labels.end()) {
    flow.targets = {label->second};
    return;
  }
  // 16 bits, signed, in dwords from the next instruction.
  if (!address && kernel.addressed && !operand.empty()) {
    Source distance = sourceOf(operand, Type::None);
    if (distance.kind == Source::Kind::Immediate)
      address = i.address + 4 +
                4 * static_cast<uint64_t>(static_cast<int64_t>(
                        static_cast<int16_t>(distance.imm)));
  }
  if (address)
    if (auto found = places.find(*address); found != places.end())
      flow.targets = {found->second};
  if (flow.targets.empty() && flow.kind == Flow::Kind::Jump &&
      !flow.conditional)
    flow.kind = Flow::Kind::Indirect;
}

void wf::explain::decodeAmdgcn(Program &program) {
  const Kernel &kernel = program.kernel;
  program.code.assign(kernel.code.size(), {});
  Places places;
  if (kernel.addressed)
    for (size_t i = 0; i < kernel.code.size(); ++i)
      places.emplace(kernel.code[i].address, i);
  for (size_t i = 0; i < kernel.code.size(); ++i) {
    decodeOne(kernel, kernel.code[i], program.code[i]);
    resolveTargets(kernel, places, i, program.code[i]);
  }
  findEntry(program);
}
