//===- SassMemory.cpp - Loads, stores and atomics of SASS -----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Machine/Sass.h"

#include "Explain/Read/Lines.h"

using namespace wf::explain;

namespace {

struct SpaceRow {
  std::string_view name;
  Space space;
};
constexpr SpaceRow spaces[] = {
    {"LDG", Space::Global},   {"STG", Space::Global},
    {"LDU", Space::Global},   {"LDGMC", Space::Global},
    {"ATOMG", Space::Global}, {"REDG", Space::Global},
    {"RED", Space::Global},   {"LDS", Space::Shared},
    {"STS", Space::Shared},   {"LDSM", Space::Shared},
    {"STSM", Space::Shared},  {"ATOMS", Space::Shared},
    {"LDSLK", Space::Shared}, {"STSCUL", Space::Shared},
    {"STSUL", Space::Shared}, {"REDS", Space::Shared},
    {"LDL", Space::Local},    {"STL", Space::Local},
    {"STAS", Space::Cluster}, {"REDAS", Space::Cluster},
    {"LDTM", Space::None},    {"STTM", Space::None},
    {"LDT", Space::None},     {"STT", Space::None}};

Space spaceOf(std::string_view name) {
  for (const SpaceRow &row : spaces)
    if (row.name == name)
      return row.space;
  return Space::Generic;
}

/// What suffixes say of order, caches and scope.
void setQualities(const SassContext &c, Memory &memory) {
  struct Row {
    std::string_view suffix, scope;
  };
  // .SYS alone stands on every plain access of sm_70 and sm_75; with .STRONG
  // it is a scope.
  static constexpr Row scopes[] = {{"CTA", "block"},  {"SM", "block"},
                                   {"GPU", "device"}, {"VC", "device"},
                                   {"SYS", "system"}, {"CGA", "cluster"}};
  static constexpr std::string_view caches[] = {
      "EF", "EL", "LU",     "EU",     "NA",     "CG",      "CV",      "CS",
      "CA", "WT", "BYPASS", "ACCESS", "LTC64B", "LTC128B", "LTC256B", "ZD"};
  memory.strong = c.suffix("STRONG") || c.suffix("MMIO");
  memory.readOnly = c.suffix("CONSTANT") || c.suffix("CI");
  for (std::string_view suffix : c.suffixes) {
    if (memory.strong)
      for (const Row &row : scopes)
        if (row.suffix == suffix)
          memory.scope = row.scope;
    for (std::string_view cache : caches)
      if (cache == suffix)
        memory.cache.append(memory.cache.empty() ? "" : ".").append(suffix);
  }
}

/// An address operand as a memory reference.
Memory memoryAt(const SassContext &c, const SassOperand &operand, Space space) {
  Memory memory;
  memory.space = space;
  memory.offset = operand.offset;
  memory.base = operand.base;
  memory.uniform = operand.uniform;
  const bool wide = space == Space::Global || space == Space::Generic;
  const bool extended = c.suffix("E") || c.sm >= 70;
  if (memory.base) {
    memory.base->count = 1;
    // A pair, though sm_70 and older print no .64: .E says so.
    if (wide && extended && !operand.unsized &&
        (!memory.uniform || operand.paired))
      memory.base->count = 2;
  }
  if (memory.uniform)
    memory.uniform->count = wide && extended ? 2 : 1;
  setQualities(c, memory);
  return memory;
}

const SassOperand *takeAddress(SassContext &c) {
  while (c.more() && c.peek()->kind != SassOperand::Kind::Address)
    ++c.next;
  return c.more() ? &c.operands[c.next++] : nullptr;
}

void useDescriptor(const SassOperand &operand, Effect &effect) {
  if (operand.descriptor)
    effect.in.push_back(*operand.descriptor);
}

/// LDSM.16.M88.4: how many 8 × 8 tiles, one register each.
unsigned tilesOf(const SassContext &c) {
  if (c.row.name == "LDSM" || c.row.name == "STSM")
    for (std::string_view suffix : c.suffixes)
      if (suffix == "2" || suffix == "4")
        return static_cast<unsigned>(suffix[0] - '0');
  return 1;
}

Type typeOfAccess(const SassContext &c) {
  const unsigned tiles = tilesOf(c);
  if (tiles > 1)
    return tiles == 2 ? Type::B64 : Type::B128;
  // LDTM.x16: tensor memory's columns, 256 bits at most are told apart.
  return c.accessType();
}

/// Values that follow the address, as `words` registers.
Source takeData(SassContext &c, unsigned words) {
  Source source = c.take(Type::B32);
  if (source.kind == Source::Kind::Register)
    source.count = static_cast<uint8_t>(words);
  return source;
}

Type atomicType(const SassContext &c) {
  for (const auto &[name, type] :
       {std::pair<std::string_view, Type>{"F32", Type::F32},
        {"F64", Type::F64},
        {"F16x2", Type::F16x2},
        {"BF16x2", Type::BF16x2},
        {"BF16_V2", Type::BF16x2},
        {"F16", Type::F16},
        {"BF16", Type::BF16}})
    if (c.suffix(name))
      return type;
  if (c.suffix("128"))
    return Type::B128;
  return c.integerType(Type::U32);
}

std::string atomicName(const SassContext &c) {
  struct Row {
    std::string_view suffix, name;
  };
  // POPC.INC adds one for each lane; CAST is a compare-and-swap that may fail.
  static constexpr Row rows[] = {
      {"POPC", "add"},    {"CAST", "cas"},     {"CAS", "cas"}, {"EXCH", "exch"},
      {"ADD", "add"},     {"MIN", "min"},      {"MAX", "max"}, {"INC", "inc"},
      {"DEC", "dec"},     {"AND", "and"},      {"OR", "or"},   {"XOR", "xor"},
      {"SAFEADD", "add"}, {"ARRIVE", "arrive"}};
  for (const Row &row : rows)
    if (c.suffix(row.suffix))
      return std::string(row.name);
  return "add";
}

/// The address and what follows it, of ATOM and RED.
void takeAtomic(SassContext &c, Effect &effect) {
  const SassOperand *at = takeAddress(c);
  if (!at)
    return;
  Memory memory = memoryAt(c, *at, spaceOf(c.row.name));
  // Red and atom on a generic address print .E without G since sm_70.
  if (c.row.name == "ATOM")
    memory.space = Space::Generic;
  useDescriptor(*at, effect);
  memory.atomic = atomicName(c);
  memory.bytes = bitsOf(effect.type) / 8;
  memory.returns = effect.def.has_value();
  if (memory.scope.empty() && memory.space == Space::Shared)
    memory.scope = "block";
  const unsigned words = wordsOf(effect.type);
  if (c.suffix("POPC")) {
    memory.data = immediate(1);
    effect.detail = "one for each lane";
    c.mean("add one, counting the lanes of one address together");
  } else if (memory.atomic == "cas") {
    if (c.peek(1)) {
      memory.compare = takeData(c, words);
      memory.data = takeData(c, words);
    } else { // both in one group of registers
      memory.data = takeData(c, words * 2);
    }
  } else if (c.more()) {
    memory.data = takeData(c, words);
  }
  effect.memory = std::move(memory);
}

} // namespace

void sass::load(SassContext &c) {
  const Type type = typeOfAccess(c);
  Effect effect = c.effect(Op::Load, type);
  // LDG.E.ENL2.256 has two groups of four registers, the upper half's first;
  // STG.E.ENL2.256 names the lower one first.
  const bool split = c.peek(1) && c.peek(1)->isRegister() &&
                     c.peek(1)->kind == SassOperand::Kind::Value;
  const unsigned words = wordsOf(type) / (split ? 2 : 1);
  while (c.peekPredicate())
    ++c.next;
  effect.def = c.takeDef(words);
  std::optional<Def> second;
  if (split)
    second = c.takeDef(words);
  const SassOperand *at = takeAddress(c);
  if (at) {
    Memory memory = memoryAt(c, *at, spaceOf(c.row.name));
    memory.bytes = bitsOf(type) / 8;
    useDescriptor(*at, effect);
    if (memory.readOnly)
      c.mean("global load through the read-only cache");
    if (second) {
      memory.bytes /= 2;
      Effect upper = effect;
      effect.def = second;
      upper.memory = memory;
      upper.memory->offset += memory.bytes;
      effect.type = upper.type = Type::B128;
      c.push(std::move(upper));
    }
    effect.memory = std::move(memory);
  }
  c.push(std::move(effect));
}

void sass::store(SassContext &c) {
  const Type type = typeOfAccess(c);
  Effect effect = c.effect(Op::Store, type);
  if (const SassOperand *at = takeAddress(c)) {
    Memory memory = memoryAt(c, *at, spaceOf(c.row.name));
    memory.bytes = bitsOf(type) / 8;
    memory.async = c.row.name == "STAS";
    useDescriptor(*at, effect);
    const bool split = type == Type::B256 && c.peek(1);
    memory.data = takeData(c, wordsOf(type) / (split ? 2 : 1));
    if (split) {
      memory.bytes /= 2;
      effect.type = Type::B128;
      Effect upper = effect;
      upper.memory = memory;
      upper.memory->data = takeData(c, 4);
      upper.memory->offset += memory.bytes;
      c.push(std::move(upper));
    }
    effect.memory = std::move(memory);
  }
  c.push(std::move(effect));
}

void sass::atomic(SassContext &c) {
  Effect effect = c.effect(Op::Atomic, atomicType(c));
  std::optional<Def> predicate;
  if (c.peekPredicate())
    predicate = c.takeDef();
  const bool cast = c.suffix("CAST");
  effect.def = c.takeDef(wordsOf(effect.type));
  takeAtomic(c, effect);
  if (cast)
    c.mean("compare and swap, repeated until it succeeds");
  if (predicate) { // whether the access could be done
    Effect done = effect;
    done.def = predicate;
    done.op = Op::ClassTest;
    done.type = Type::Pred;
    done.memory.reset();
    done.detail = "atomic";
    c.push(std::move(effect));
    c.push(std::move(done));
    return;
  }
  c.push(std::move(effect));
}

void sass::reduction(SassContext &c) {
  Effect effect = c.effect(Op::Atomic, atomicType(c));
  takeAtomic(c, effect);
  c.push(std::move(effect));
}

/// LDGSTS [shared], [global]: the first is the written one.
void sass::copyAsync(SassContext &c) {
  const Type type = c.accessType();
  Effect load = c.effect(Op::Load, type), store = c.effect(Op::Store, type);
  const SassOperand *to = takeAddress(c);
  const SassOperand *from = takeAddress(c);
  if (to && from) {
    store.memory = memoryAt(c, *to, Space::Shared);
    load.memory = memoryAt(c, *from, Space::Global);
    for (Effect *effect : {&load, &store}) {
      effect->memory->bytes = bitsOf(type) / 8;
      effect->memory->async = true;
    }
    useDescriptor(*from, load);
    if (c.peekPredicate()) // zeros are written where it is false
      load.in.push_back(c.takePredicate());
  }
  c.push(std::move(load));
  c.push(std::move(store));
}

/// UBLKCP, UTMALDG: the engine's copies, of a size that no opcode tells.
void sass::bulkCopy(SassContext &c) {
  const std::string_view name = c.row.name;
  const bool bulk = name.substr(0, 4) == "UBLK";
  const bool out = bulk ? !c.suffixes.empty() && c.suffixes[0] == "G"
                        : name == "UTMASTG" || name == "UTMAREDG";
  Effect load = c.effect(Op::Load, Type::None);
  Effect store = c.effect(Op::Store, Type::None);
  const SassOperand *first = takeAddress(c), *second = takeAddress(c);
  // Stores to global name the tensor map last, loads too: the first address is
  // the shared one but for UBLKCP.G.S.
  const SassOperand *global = bulk && out ? first : second;
  const SassOperand *shared = bulk && out ? second : first;
  const auto set = [&](Effect &effect, const SassOperand *at, Space space) {
    if (!at)
      return;
    effect.memory = memoryAt(c, *at, space);
    effect.memory->bytes = 0;
    effect.memory->async = true;
    if (!bulk && effect.memory->uniform)
      effect.memory->uniform->count =
          space == Space::Global ? 2 : static_cast<uint8_t>(4);
  };
  set(out ? store : load, global, Space::Global);
  set(out ? load : store, shared, Space::Shared);
  for (; c.more(); ++c.next)
    if (c.operands[c.next].isRegister())
      load.in.push_back(c.operands[c.next].source);
  if (c.row.op == Op::Prefetch) {
    load.op = Op::Prefetch;
    if (first && !second)
      set(load, first, Space::Global);
    c.push(std::move(load));
    return;
  }
  if (c.row.op == Op::Atomic) {
    store.op = Op::Atomic;
    if (store.memory)
      store.memory->atomic = atomicName(c);
  }
  c.push(std::move(load));
  c.push(std::move(store));
}

/// QSPC.E.S P, R, [R2]: is the address in shared memory.
void sass::query(SassContext &c) {
  Effect effect = c.effect(Op::ClassTest, Type::Pred);
  effect.def = c.takeDef();
  const auto other = c.takeDef();
  if (const SassOperand *at = takeAddress(c)) {
    if (at->base) {
      Source pair = *at->base;
      pair.count = 2;
      effect.in.push_back(pair);
    } else if (at->uniform) {
      Source pair = *at->uniform;
      pair.count = 2;
      effect.in.push_back(pair);
    }
  }
  effect.detail = c.suffix("S") ? "shared" : c.suffix("L") ? "local" : "global";
  if (other) {
    Effect more = effect;
    more.def = other;
    c.push(std::move(more));
  }
  c.push(std::move(effect));
}

/// Textures and surfaces: which registers, roughly.
void sass::texture(SassContext &c) {
  const std::string_view name = c.row.name;
  const bool writes = name == "SUST" || name == "SURED";
  Effect effect = c.effect(writes ? Op::Store : Op::Texture, Type::B32);
  if (name == "SULD")
    effect.op = Op::Load;
  // The last immediate is the mask of components.
  unsigned components = 1;
  if (!c.operands.empty() && c.operands.back().hex && !writes) {
    const auto mask = static_cast<uint32_t>(c.operands.back().source.imm) & 0xf;
    components = std::max(1, __builtin_popcount(mask));
  }
  if (name == "SULD" || name == "SUATOM")
    components = wordsOf(c.accessType());
  std::optional<Def> upper;
  if (!writes) {
    while (c.peekPredicate())
      ++c.next;
    const bool two = c.sm >= 70 && name.substr(0, 1) == "T" && c.peek(2) &&
                     c.peek(1)->kind == SassOperand::Kind::Value &&
                     c.peek(2)->kind == SassOperand::Kind::Value;
    if (two)
      upper = c.takeDef(components > 2 ? components - 2 : 1);
    effect.def = c.takeDef(two ? std::min(2u, components) : components);
  }
  Memory memory;
  memory.space = Space::Texture;
  memory.bytes = components * 4;
  for (; c.more(); ++c.next) {
    const SassOperand &operand = c.operands[c.next];
    if (operand.kind == SassOperand::Kind::Address) {
      memory.base = operand.base;
      memory.uniform = operand.uniform;
      memory.offset = operand.offset;
    } else if (operand.isRegister()) {
      if (writes && !memory.data)
        memory.data = operand.source;
      else
        effect.in.push_back(operand.source);
    }
  }
  effect.memory = std::move(memory);
  if (upper) {
    Effect more = effect;
    more.def = upper;
    more.memory.reset();
    more.op = Op::Texture;
    c.push(std::move(more));
  }
  c.push(std::move(effect));
}

/// Barriers that live in shared memory: SYNCS.EXCH makes one, ARRIVE counts,
/// PHASECHK waits.
void sass::syncs(SassContext &c) {
  Effect effect = c.effect(Op::BarrierArrive, Type::B64);
  if (c.suffix("PHASECHK")) {
    effect.op = Op::BarrierWait;
    c.mean("wait for a shared-memory barrier's phase");
  } else if (c.suffix("EXCH")) {
    effect.op = Op::Atomic;
    c.mean("set up a shared-memory barrier");
  } else if (c.suffix("CCTL")) {
    effect.op = Op::CacheControl;
  } else if (c.row.name == "SYNCS") {
    c.mean("arrive at a shared-memory barrier");
  }
  std::optional<Def> predicate;
  if (c.peekPredicate())
    predicate = c.takeDef();
  if (c.more() && c.peek()->kind == SassOperand::Kind::Value)
    effect.def = c.takeDef(effect.op == Op::Atomic ? 2 : 1);
  if (const SassOperand *at = takeAddress(c)) {
    effect.memory = memoryAt(c, *at, Space::Shared);
    effect.memory->bytes = 8;
    if (effect.op == Op::Atomic) {
      effect.memory->atomic = "exch";
      effect.memory->returns = effect.def.has_value();
      if (c.more())
        effect.memory->data = takeData(c, 2);
    }
  }
  for (; c.more(); ++c.next)
    if (c.operands[c.next].isRegister())
      effect.in.push_back(c.operands[c.next].source);
  if (predicate) {
    if (!effect.def) {
      effect.def = predicate;
    } else {
      Effect more = effect;
      more.def = predicate;
      more.memory.reset();
      c.push(std::move(more));
    }
  }
  c.push(std::move(effect));
}
