//===- SassWarp.cpp - Lanes, barriers and special registers of SASS -------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Machine/Sass.h"

#include "Explain/Read/Lines.h"

using namespace wf::explain;

namespace {

/// Everything left that is read, addresses' registers among it.
void takeRest(SassContext &c, Effect &effect) {
  for (; c.more(); ++c.next) {
    const SassOperand &operand = c.operands[c.next];
    for (const auto *part :
         {&operand.descriptor, &operand.base, &operand.uniform})
      if (*part)
        effect.in.push_back(**part);
    // A target is Flow's, and no operand.
    if ((effect.op == Op::Branch || effect.op == Op::Call ||
         effect.op == Op::Return || effect.op == Op::ReconvergeSet) &&
        !operand.isRegister())
      continue;
    switch (operand.kind) {
    case SassOperand::Kind::Value:
    case SassOperand::Kind::Predicate:
    case SassOperand::Kind::Special:
    case SassOperand::Kind::Barrier:
      effect.in.push_back(operand.source);
      // Code addresses in registers are pairs.
      if (operand.isRegister() && operand.kind == SassOperand::Kind::Value &&
          (effect.op == Op::Branch || effect.op == Op::Call ||
           effect.op == Op::Return))
        effect.in.back().count = 2;
      break;
    case SassOperand::Kind::Symbol:
      effect.in.push_back(operand.source);
      break;
    default:
      break;
    }
  }
}

} // namespace

void sass::simple(SassContext &c) {
  const Type type =
      isFloat(c.row.type) ? c.row.type : c.integerType(c.row.type);
  Effect effect = c.effect(c.row.op, type);
  effect.def = c.takeDef(wordsOf(type));
  for (; c.more() && c.peek()->kind != SassOperand::Kind::Address;)
    effect.in.push_back(c.peekPredicate() ? c.takePredicate() : c.take(type));
  takeRest(c, effect);
  if (c.row.name == "FLO" && c.suffix("SH")) {
    effect.detail = "sh";
    c.mean("count leading zeros");
  }
  if (c.row.name == "IDP" || c.row.name == "IDP4A" || c.row.name == "MOVM")
    for (std::string_view suffix : c.suffixes)
      effect.detail.append(effect.detail.empty() ? "" : ".").append(suffix);
  c.push(std::move(effect));
}

void sass::none(SassContext &c) {
  Effect effect = c.effect(c.row.op, c.row.type);
  takeRest(c, effect);
  if (c.row.name == "BPT" && !c.suffix("TRAP") && !c.suffixes.empty())
    effect.op = Op::Hint;
  if (c.row.name == "WARPGROUP" && c.suffix("DEPBAR")) {
    effect.op = Op::WaitCounter;
    c.mean("wait for the warp group's matrix work");
  }
  if (effect.op == Op::WaitCounter)
    for (const SassOperand &operand : c.operands)
      effect.detail.append(effect.detail.empty() ? "" : ", ")
          .append(operand.text);
  if (effect.op == Op::CacheControl)
    effect.detail = c.code.mnemonic.substr(c.code.mnemonic.find('.') + 1);
  c.push(std::move(effect));
}

/// An opcode that no table has: its first register is taken to be written.
void sass::unknown(SassContext &c) {
  Effect effect = c.effect(Op::Unknown, Type::B32);
  effect.guess = true;
  if (c.more() && c.peek()->isRegister())
    effect.def = c.takeDef();
  takeRest(c, effect);
  c.push(std::move(effect));
}

void sass::move(SassContext &c) {
  Type type = c.row.op == Op::Move && isFloat(c.row.type)
                  ? c.row.type
                  : c.integerType(Type::B32);
  if (c.suffix("64"))
    type = Type::B64;
  Effect effect = c.effect(c.row.op, type);
  if (c.row.name == "RRO")
    effect.detail = "range reduction";
  while (c.peekPredicate())
    ++c.next;
  effect.def = c.takeDef(wordsOf(type));
  const bool symbol = c.more() && c.peek()->kind == SassOperand::Kind::Symbol;
  effect.in = {c.take(type)};
  if (symbol)
    c.mean("address of code, or of a symbol");
  c.push(std::move(effect));
}

void sass::special(SassContext &c) {
  const bool wide = c.row.type == Type::B64 && !c.suffix("32");
  Effect effect = c.effect(Op::Special, wide ? Type::B64 : Type::B32);
  effect.def = c.takeDef(wide ? 2 : 1);
  if (!c.more()) {
    effect.in.push_back({});
    effect.in[0].kind = Source::Kind::Special;
    effect.in[0].name = "programCounter";
    c.push(std::move(effect));
    return;
  }
  const bool isSpecial = c.peek()->kind == SassOperand::Kind::Special;
  Source source = c.take(effect.type);
  if (isSpecial)
    source.count = wide ? 2 : 1;
  if (!isSpecial) {
    effect.op = Op::Move; // CS2R R2, SRZ
    c.mean(wide ? "zero a pair" : "zero");
  } else if (source.name == "clusterCtaRank") {
    effect.op = Op::ClusterAddress;
    c.mean("the block's rank in its cluster: a part of a shared address");
  } else {
    c.mean(source.name);
  }
  effect.in = {std::move(source)};
  c.push(std::move(effect));
}

/// LDC, ULDC, LDCU. A pair of things that are no pair, blockDim.x and .y, is
/// loaded by two effects.
void sass::loadConstant(SassContext &c) {
  const Type type = c.accessType();
  const unsigned words = wordsOf(type);
  Effect effect = c.effect(Op::LoadConstant, type);
  effect.def = c.takeDef(words);
  if (!c.more()) {
    c.push(std::move(effect));
    return;
  }
  const SassOperand &operand = c.operands[c.next];
  Source source = operand.source;
  if (operand.descriptor)
    effect.in.push_back(*operand.descriptor);
  if (operand.base || operand.uniform) {
    Memory memory;
    memory.space = Space::Constant;
    memory.bytes = bitsOf(type) / 8;
    memory.base = operand.base;
    memory.uniform = operand.uniform;
    memory.offset = source.imm;
    memory.readOnly = true;
    effect.op = Op::Load;
    effect.memory = std::move(memory);
    source.count = 1;
    effect.in.insert(effect.in.begin(), source);
    c.mean("load from a table of constants");
    c.push(std::move(effect));
    return;
  }
  const bool split = effect.def && words > 1 && source.count == 1 &&
                     source.kind == Source::Kind::Special;
  if (!split) {
    source.count = static_cast<uint8_t>(words);
    effect.in.insert(effect.in.begin(), source);
    c.push(std::move(effect));
    return;
  }
  effect.type = Type::B32;
  const Def whole = *effect.def;
  for (unsigned i = 0; i < words; ++i) {
    Effect part = effect;
    part.def = Def{{whole.reg.cls, whole.reg.index + i}, 1};
    part.in = {sassConstant(0, operand.offset + 4 * i, c.sm)};
    c.push(std::move(part));
  }
}

/// P2R R, PR, R, mask: bits of the mask are predicates.
void sass::predicatesToRegister(SassContext &c) {
  Effect effect = c.effect(Op::Pack, Type::B32);
  effect.def = c.takeDef();
  if (c.more()) // PR
    ++c.next;
  const Source below = c.take();
  const Source mask = c.take();
  const bool uniform = effect.def && effect.def->reg.cls == RegClass::Uniform;
  effect.in = {below};
  for (uint32_t i = 0; i < 7; ++i)
    if (mask.kind != Source::Kind::Immediate || mask.imm >> i & 1) {
      Source source;
      source.kind = Source::Kind::Register;
      source.reg = {uniform ? RegClass::UniformPredicate : RegClass::Predicate,
                    i};
      effect.in.push_back(source);
    }
  c.push(std::move(effect));
}

void sass::registerToPredicates(SassContext &c) {
  if (c.more()) // PR
    ++c.next;
  const Source value = c.take(), mask = c.take();
  for (uint32_t i = 0; i < 7; ++i)
    if (mask.kind != Source::Kind::Immediate || mask.imm >> i & 1) {
      Effect effect = c.effect(Op::BitField, Type::Pred);
      effect.def =
          Def{{value.reg.cls == RegClass::Uniform ? RegClass::UniformPredicate
                                                  : RegClass::Predicate,
               i},
              1};
      effect.in = {value, immediate(i), immediate(1)};
      c.push(std::move(effect));
    }
}

/// BMOV R0, B1 saves a convergence barrier, BMOV B1, R0 brings it back.
void sass::barrierMove(SassContext &c) {
  Effect effect = c.effect(Op::Move, Type::B32);
  if (c.more()) {
    const SassOperand &to = c.operands[c.next++];
    if (to.source.kind == Source::Kind::Register)
      effect.def = Def{to.source.reg, 1};
  }
  takeRest(c, effect);
  c.push(std::move(effect));
}

/// B2R.RESULT R[, P]: what BAR.RED found.
void sass::barrierResult(SassContext &c) {
  const auto value = c.takeDef(), holds = c.takeDef();
  for (const auto &def : {value, holds}) {
    if (!def)
      continue;
    Effect effect =
        c.effect(Op::Special,
                 def->reg.cls == RegClass::Predicate ? Type::Pred : Type::B32);
    effect.def = def;
    Source source;
    source.kind = Source::Kind::Special;
    source.name = "barrier.result";
    effect.in = {source};
    c.push(std::move(effect));
  }
}

/// SHFL.DOWN P, R, value, lane, clamp and mask.
void sass::shuffle(SassContext &c) {
  struct Row {
    std::string_view suffix;
    ShuffleKind kind;
    std::string_view meaning;
  };
  static constexpr Row rows[] = {
      {"IDX", ShuffleKind::Index, "value of a given lane"},
      {"UP", ShuffleKind::Up, "value of a lane below"},
      {"DOWN", ShuffleKind::Down, "value of a lane above"},
      {"BFLY", ShuffleKind::Xor,
       "value of the lane with an index bit flipped"}};
  Effect effect = c.effect(Op::Shuffle, Type::B32);
  for (const Row &row : rows)
    if (c.suffix(row.suffix)) {
      effect.shuffle = row.kind;
      c.mean(row.meaning);
    }
  std::optional<Def> inRange;
  if (c.peekPredicate())
    inRange = c.takeDef();
  effect.def = c.takeDef();
  effect.in = {c.take(), c.take(), c.take()};
  if (inRange) {
    Effect valid = effect;
    valid.def = inRange;
    valid.type = Type::Pred;
    valid.detail = "in range";
    if (effect.def)
      c.push(effect);
    c.push(std::move(valid));
    return;
  }
  c.push(std::move(effect));
}

/// VOTE.ANY R, P, P has the lanes' bits in R; VOTE.ANY P, P has no R.
void sass::vote(SassContext &c) {
  std::optional<Def> bits, holds;
  const bool ballot = c.more() && !c.peekPredicate();
  if (ballot)
    bits = c.takeDef();
  if (!ballot || c.peek(1))
    holds = c.takeDef();
  const Source source = c.takePredicate();
  const std::string_view kind = c.suffix("ALL")  ? "all"
                                : c.suffix("EQ") ? "eq"
                                                 : "any";
  if (bits) {
    Effect effect = c.effect(Op::Ballot, Type::B32);
    effect.def = bits;
    effect.in = {source};
    c.mean(isTrue(source) ? "the lanes that are active"
                          : "the lanes where it holds");
    c.push(std::move(effect));
  }
  if (holds || !bits) {
    Effect effect = c.effect(Op::Vote, Type::Pred);
    effect.def = holds;
    effect.in = {source};
    effect.detail = kind;
    c.push(std::move(effect));
  }
}

void sass::match(SassContext &c) {
  std::optional<Def> all;
  if (c.peekPredicate())
    all = c.takeDef();
  const bool wide = c.suffix("U64");
  Effect effect = c.effect(Op::Match, Type::B32);
  effect.def = c.takeDef();
  effect.in = {c.take(wide ? Type::B64 : Type::B32)};
  effect.detail = c.suffix("ALL") ? "all" : "any";
  if (all) {
    Effect more = effect;
    more.def = all;
    more.type = Type::Pred;
    c.push(std::move(more));
  }
  c.push(std::move(effect));
}

void sass::reduceWarp(SassContext &c) {
  Type type = c.suffix("F32")   ? Type::F32
              : c.suffix("S32") ? Type::S32
                                : Type::U32;
  Effect effect = c.effect(Op::WarpReduce, type);
  static constexpr std::pair<std::string_view, std::string_view> names[] = {
      {"SUM", "add"}, {"MIN", "min"}, {"MAX", "max"},
      {"OR", "or"},   {"XOR", "xor"}, {"AND", "and"}};
  effect.detail = "and"; // which no suffix says
  for (const auto &[suffix, name] : names)
    if (c.suffix(suffix))
      effect.detail = name;
  while (c.peekPredicate())
    ++c.next;
  effect.def = c.takeDef();
  effect.in = {c.take(type)};
  c.push(std::move(effect));
}

void sass::elect(SassContext &c) {
  Effect effect = c.effect(Op::Elect, Type::Pred);
  effect.def = c.takeDef();
  const auto lane = c.takeDef();
  effect.in = {c.takePredicate()};
  if (lane) {
    Effect index = effect;
    index.def = lane;
    index.type = Type::B32;
    c.push(std::move(index));
  }
  c.push(std::move(effect));
}

void sass::barrier(SassContext &c) {
  Effect effect = c.effect(Op::Barrier, Type::None);
  if (c.suffix("ARV")) {
    effect.op = Op::BarrierArrive;
    c.mean("arrive at a barrier of the block, without waiting");
  } else if (c.suffix("RED")) {
    c.mean("barrier of the block that counts or joins a predicate");
  }
  // The number, then how many threads, then a predicate to reduce.
  if (c.more())
    effect.detail = c.peek()->text;
  takeRest(c, effect);
  c.push(std::move(effect));
}

void sass::fence(SassContext &c) {
  Effect effect = c.effect(Op::Fence, Type::None);
  static constexpr std::pair<std::string_view, std::string_view> scopes[] = {
      {"CTA", "block"},  {"SM", "block"},  {"GPU", "device"}, {"GL", "device"},
      {"SYS", "system"}, {"VC", "device"}, {"ASYNC", "async"}};
  for (const auto &[suffix, scope] : scopes)
    if (c.suffix(suffix))
      effect.detail = scope;
  c.push(std::move(effect));
}

void sass::reconvergeSet(SassContext &c) {
  Effect effect = c.effect(Op::ReconvergeSet, Type::None);
  if (c.more() && c.peek()->source.kind == Source::Kind::Register)
    effect.def = Def{c.peek()->source.reg, 1};
  c.push(std::move(effect));
}

void sass::reconverge(SassContext &c) {
  Effect effect = c.effect(Op::Reconverge, Type::None);
  takeRest(c, effect);
  c.push(std::move(effect));
}
