//===- SassDecode.cpp - SASS kernels to effects and flow ------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Machine/Sass.h"
#include "Explain/Read/Lines.h"
#include "Explain/Read/SassLine.h"

#include <algorithm>

using namespace wf::explain;

namespace {

constexpr SassOpcode unknownRow = {"", sass::unknown, Op::Unknown, Type::B32,
                                   "unknown opcode"};

/// A place that SSY, PBK, PCNT and BSSY lead to, still to be reached.
struct Pending {
  Reg barrier; ///< of BSSY
  std::string_view opcode;
  size_t target;
};

class SassDecoder {
public:
  explicit SassDecoder(Program &program)
      : program(program), sm(smNumber(program.kernel.target)) {}

  void run();

private:
  Program &program;
  int sm;
  std::vector<std::pair<uint64_t, size_t>> places; ///< address → instruction
  std::vector<Pending> pending;
  bool copiesAsync = false;

  void decodeOne(size_t index);
  void guard(const Instruction &code, Decoded &out) const;
  std::optional<size_t> placeOf(const SassOperand &operand) const;
  void flow(const SassContext &c, size_t index, Decoded &out);
  void jump(const SassContext &c, Decoded &out);
  void call(const SassContext &c, Decoded &out) const;
  void meeting(const SassContext &c, size_t index, Decoded &out);
};

/// @P0, @!UP1; @PT is no guard, and @!PT never runs.
void SassDecoder::guard(const Instruction &code, Decoded &out) const {
  if (code.guard.empty())
    return;
  Source source = parseSassOperand(code.guard, sm).source;
  source.invert = code.guardNegated;
  if (source.kind == Source::Kind::True)
    out.never = code.guardNegated;
  else if (source.kind == Source::Kind::Register)
    out.guard = source;
}

/// The instruction that a label or an address names.
std::optional<size_t> SassDecoder::placeOf(const SassOperand &operand) const {
  const auto &labels = program.kernel.labels;
  if (operand.kind == SassOperand::Kind::Symbol) {
    const auto label = labels.find(operand.source.name);
    return label == labels.end() ? std::nullopt : std::optional(label->second);
  }
  if (!operand.hex || operand.source.imm < 0)
    return std::nullopt;
  const auto address = static_cast<uint64_t>(operand.source.imm);
  auto place = std::lower_bound(places.begin(), places.end(),
                                std::pair<uint64_t, size_t>(address, 0));
  // Before sm_70 a target may be the control word before an instruction.
  if (place == places.end() ||
      (place->first != address &&
       !(sm < 70 && address % 32 == 0 && place->first == address + 8)))
    return std::nullopt;
  return place->second;
}

void SassDecoder::jump(const SassContext &c, Decoded &out) {
  const std::string_view name = c.row.name;
  out.flow.kind = Flow::Kind::Jump;
  out.flow.condition = out.guard;
  for (const SassOperand &operand : c.operands)
    if (operand.kind == SassOperand::Kind::Predicate &&
        operand.source.kind == Source::Kind::Register && !out.guard)
      out.flow.condition = operand.source;
  // BRA.DIV UR4 leaves where lanes have parted.
  out.flow.conditional =
      out.flow.condition.has_value() || c.suffix("DIV") || c.suffix("CONV");
  if (name == "BRX" || name == "BRXU" || name == "JMX" || name == "JMXU") {
    out.flow.kind = Flow::Kind::Indirect;
    out.flow.targets = c.code.targets;
    return;
  }
  if (!c.operands.empty())
    if (const auto target = placeOf(c.operands.back()))
      out.flow.targets.push_back(*target);
}

void SassDecoder::call(const SassContext &c, Decoded &out) const {
  out.flow.kind = Flow::Kind::Call;
  out.flow.condition = out.guard;
  out.flow.conditional = out.guard.has_value();
  if (c.operands.empty())
    return;
  const SassOperand &callee = c.operands.back();
  // With a register before it, the symbol is only where it is counted from.
  const bool direct = c.operands.size() == 1;
  if (callee.kind == SassOperand::Kind::Symbol && direct)
    out.flow.callee = callee.source.name;
  if (direct)
    if (const auto target = placeOf(callee))
      out.flow.targets.push_back(*target);
}

/// BSYNC, SYNC, BRK, CONT go where the last BSSY, SSY, PBK, PCNT said.
void SassDecoder::meeting(const SassContext &c, size_t index, Decoded &out) {
  const std::string_view name = c.row.name;
  if (name == "BSSY" || name == "SSY" || name == "PBK" || name == "PCNT") {
    const std::optional<size_t> target =
        c.operands.empty() ? std::nullopt : placeOf(c.operands.back());
    if (!target || pending.size() > 256)
      return;
    const Reg barrier = c.operands.front().source.reg;
    pending.push_back({barrier, name, *target});
    return;
  }
  while (!pending.empty() && pending.back().target < index)
    pending.pop_back();
  const std::string_view setter = name == "BSYNC"  ? "BSSY"
                                  : name == "SYNC" ? "SSY"
                                  : name == "BRK"  ? "PBK"
                                                   : "PCNT";
  for (auto last = pending.rbegin(); last != pending.rend(); ++last) {
    if (last->opcode != setter ||
        (name == "BSYNC" && last->barrier != c.operands.front().source.reg))
      continue;
    const bool next = last->target == index + 1;
    if (name == "BSYNC" && (next || last->target == index))
      return;
    if (next && !out.guard)
      return;
    out.flow.kind = Flow::Kind::Jump;
    out.flow.targets = {last->target};
    out.flow.condition = out.guard;
    out.flow.conditional = out.guard.has_value();
    return;
  }
}

void SassDecoder::flow(const SassContext &c, size_t index, Decoded &out) {
  const std::string_view name = c.row.name;
  const auto leave = [&](Flow::Kind kind) {
    out.flow.kind = kind;
    out.flow.condition = out.guard;
    out.flow.conditional = out.guard.has_value();
  };
  if (name == "BSSY" || name == "BSYNC" || name == "SSY" || name == "SYNC" ||
      name == "PBK" || name == "BRK" || name == "PCNT" || name == "CONT") {
    if (name != "BSYNC" || !c.operands.empty())
      meeting(c, index, out);
    return;
  }
  switch (c.row.op) {
  case Op::Branch:
    return jump(c, out);
  case Op::Exit:
    return leave(Flow::Kind::Exit);
  case Op::Call:
    return call(c, out);
  case Op::Return:
    return leave(Flow::Kind::Return);
  case Op::Trap:
    if (name != "BPT" || c.suffix("TRAP"))
      leave(Flow::Kind::Trap);
    return;
  default:
    return;
  }
}

void SassDecoder::decodeOne(size_t index) {
  const Instruction &code = program.kernel.code[index];
  Decoded &out = program.code[index];
  const std::string_view base =
      std::string_view(code.mnemonic).substr(0, code.mnemonic.find('.'));
  const SassOpcode *row = sassOpcode(base);
  out.known = row && row->op != Op::Unknown;
  guard(code, out);
  SassContext context(code, row ? *row : unknownRow, sm, out);
  context.row.decode(context);
  if (out.meaning.empty())
    out.meaning = context.row.meaning;
  copiesAsync |= base == "LDGDEPBAR";
  if (!out.never)
    flow(context, index, out);
}

void SassDecoder::run() {
  const auto &code = program.kernel.code;
  program.code.assign(code.size(), {});
  places.reserve(code.size());
  for (size_t i = 0; i < code.size(); ++i)
    places.emplace_back(code[i].address, i);
  std::sort(places.begin(), places.end());
  for (size_t i = 0; i < code.size(); ++i)
    decodeOne(i);
  // LDGDEPBAR's groups are waited for by DEPBAR.LE SB0, which alone may wait
  // for other things.
  if (!copiesAsync)
    return;
  for (size_t i = 0; i < code.size(); ++i)
    if (code[i].mnemonic == "DEPBAR.LE" && !code[i].operands.empty() &&
        code[i].operands[0] == "SB0" && !program.code[i].effects.empty()) {
      program.code[i].effects[0].op = Op::AsyncCopyWait;
      program.code[i].meaning = "wait for groups of async copies";
    }
}

} // namespace

void wf::explain::decodeSass(Program &program) { SassDecoder(program).run(); }
