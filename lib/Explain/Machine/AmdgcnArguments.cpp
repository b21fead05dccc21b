//===- AmdgcnArguments.cpp - Loads of a kernel's arguments ----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The runtime appends the sizes of the grid and the block to the arguments. A
// kernel loads 32 bits of them and takes 16: s_load_b32 s2, s[0:1], 0x24 and
// s_and_b32 s2, s2, 0xffff are blockDim.x after arguments of 0x18 bytes.
//===----------------------------------------------------------------------===//
#include "Explain/Machine/AmdgcnArguments.h"

#include <algorithm>
#include <unordered_map>

using namespace wf::explain;
using namespace wf::explain::amdgcn;

namespace {

enum class Root : uint8_t { Kernarg, Dispatch, Implicit, Word, Packed };

/// What is known of a register: an address's half, or a word loaded from it.
struct Known {
  Root root = Root::Kernarg;
  Root of = Root::Kernarg; ///< of a word: whose
  bool high = false;
  int64_t offset = 0;
  bool operator==(const Known &) const = default;
};

/// Few registers are known at a time.
using State = std::vector<std::pair<Reg, Known>>;

class Follower {
public:
  Follower(Program &program) : program(program) {}
  void run();

private:
  const Known *find(Reg reg) const;
  void kill(const Def &def);
  void set(Reg reg, const Known &known);
  void instruction(Decoded &decoded);
  void effect(Effect &e, State &made);
  void load(Effect &e, State &made);
  void take(Effect &e);
  void infer();
  void note(const Known &word);
  std::string wordName(const Known &word, int64_t part) const;

  Program &program;
  State state;
  std::unordered_map<size_t, State> at; ///< at branch targets
  bool rewriting = false;
  int64_t blockWord = -1; ///< offset of a word of which 16 bits are taken
};

} // namespace

const Known *Follower::find(Reg reg) const {
  for (const auto &[known, value] : state)
    if (known == reg)
      return &value;
  return nullptr;
}

void Follower::kill(const Def &def) {
  std::erase_if(state, [&](const auto &entry) {
    return entry.first.cls == def.reg.cls &&
           entry.first.index >= def.reg.index &&
           entry.first.index < def.reg.index + def.count;
  });
}

void Follower::set(Reg reg, const Known &known) {
  if (state.size() < 64)
    state.emplace_back(reg, known);
}

static bool isRegister(const Source &s) {
  return s.kind == Source::Kind::Register && !s.negate && !s.invert;
}

static Reg next(Reg reg, uint32_t by = 1) {
  reg.index += by;
  return reg;
}

/// Names of hidden arguments, by their place after the explicit ones; since
/// version 5 of code objects.
static constexpr struct {
  const char *name;
  uint8_t offset, bytes;
} hiddenLayout[] = {{"gridDim.x", 0, 4},       {"gridDim.y", 4, 4},
                    {"gridDim.z", 8, 4},       {"blockDim.x", 12, 2},
                    {"blockDim.y", 14, 2},     {"blockDim.z", 16, 2},
                    {"lastBlockDim.x", 18, 2}, {"lastBlockDim.y", 20, 2},
                    {"lastBlockDim.z", 22, 2}, {"globalOffset.x", 40, 8},
                    {"globalOffset.y", 48, 8}, {"globalOffset.z", 56, 8},
                    {"gridDims", 64, 2}};

std::string Follower::wordName(const Known &word, int64_t part) const {
  int64_t offset = word.offset + part;
  if (word.of == Root::Dispatch) {
    static constexpr std::pair<int64_t, const char *> packet[] = {
        {4, "blockDim.x"},     {6, "blockDim.y"},     {8, "blockDim.z"},
        {12, "threadCount.x"}, {16, "threadCount.y"}, {20, "threadCount.z"}};
    for (auto [place, name] : packet)
      if (place == offset)
        return name;
    return "";
  }
  if (word.of == Root::Implicit) {
    for (const auto &row : hiddenLayout)
      if (row.offset == offset)
        return row.name;
    return "";
  }
  for (const Parameter &hidden : program.kernel.hidden)
    if (hidden.offset == offset)
      return hidden.name;
  return "";
}

void Follower::load(Effect &e, State &made) {
  Memory &memory = *e.memory;
  const std::optional<Source> &address =
      memory.uniform && memory.uniform->count == 2 ? memory.uniform
                                                   : memory.base;
  if (!address || !isRegister(*address))
    return;
  const Known *known = find(address->reg);
  if (!known || known->high || known->root == Root::Word)
    return;
  memory.space = Space::Constant;
  memory.readOnly = true;
  bool plain = !memory.uniform || memory.uniform->count == 2;
  if (!e.def || e.def->reg.cls != RegClass::Uniform || !plain)
    return;
  for (uint32_t w = 0; w < e.def->count && w < 16; ++w) {
    Known word{Root::Word, known->root, false,
               known->offset + memory.offset + 4 * w};
    made.emplace_back(next(e.def->reg, w), word);
  }
  Known first{Root::Word, known->root, false, known->offset + memory.offset};
  if (memory.bytes == 2 && !rewriting)
    note(first);
  if (rewriting && e.detail.empty())
    e.detail = wordName(first, 0);
}

void Follower::note(const Known &word) {
  if (word.of == Root::Kernarg && blockWord < 0 && word.offset >= 12 &&
      (word.offset - 12) % 8 == 0)
    blockWord = word.offset;
}

static void become(Effect &e, const std::string &name) {
  Source special;
  special.kind = Source::Kind::Special;
  special.name = name;
  e.op = Op::Special;
  e.detail = name;
  e.in = {special};
}

/// Low or high half of a word, or ten bits of the packed thread indices.
void Follower::take(Effect &e) {
  if (e.in.size() < 2 || e.then != Op::Nop)
    return;
  size_t constant = e.in[1].kind == Source::Kind::Immediate ? 1 : 0;
  if (e.in[constant].kind != Source::Kind::Immediate ||
      !isRegister(e.in[1 - constant]))
    return;
  const Known *known = find(e.in[1 - constant].reg);
  if (!known)
    return;
  int64_t value = e.in[constant].imm;
  bool low = e.op == Op::And;
  if (known->root == Root::Word) {
    bool high = e.op == Op::ShrLogical && constant == 1 && value == 16;
    if (!(low && value == 0xffff) && !high)
      return;
    if (!rewriting)
      return low ? note(*known) : void();
    if (std::string name = wordName(*known, high ? 2 : 0); !name.empty())
      become(e, name);
  } else if (known->root == Root::Packed && rewriting) {
    bool field = e.op == Op::BitField && e.in.size() == 3 && e.in[2].imm == 10;
    if (low && value == 0x3ff)
      become(e, "threadIdx.x");
    else if (field && (value == 0 || value == 10 || value == 20))
      become(e, value == 0    ? "threadIdx.x"
                : value == 10 ? "threadIdx.y"
                              : "threadIdx.z");
  }
}

void Follower::effect(Effect &e, State &made) {
  if (e.op == Op::Load && e.memory)
    return load(e, made);
  if (!e.def || e.in.empty() || e.then != Op::Nop)
    return;
  bool move = e.op == Op::Move && isRegister(e.in[0]);
  if (move)
    for (uint32_t w = 0; w < e.def->count && w < e.in[0].count; ++w)
      if (const Known *known = find(next(e.in[0].reg, w)))
        made.emplace_back(next(e.def->reg, w), *known);
  if (e.op == Op::Add && e.in.size() >= 2 && isRegister(e.in[0]) &&
      e.in[1].kind == Source::Kind::Immediate)
    for (uint32_t w = 0; w < e.def->count && w < e.in[0].count; ++w)
      if (const Known *known = find(next(e.in[0].reg, w));
          known && known->root != Root::Word && known->root != Root::Packed) {
        Known moved = *known;
        moved.offset += e.carryIn ? 0 : e.in[1].imm;
        made.emplace_back(next(e.def->reg, w), moved);
      }
  take(e);
}

void Follower::instruction(Decoded &decoded) {
  State made;
  for (Effect &e : decoded.effects)
    effect(e, made);
  for (const Effect &e : decoded.effects)
    if (e.def)
      kill(*e.def);
  for (const auto &[reg, known] : made)
    set(reg, known);
}

void Follower::run() {
  for (bool second : {false, true}) {
    rewriting = second;
    if (second)
      infer();
    state.clear();
    at.clear();
    for (const EntryValue &entry : program.entry) {
      static constexpr std::pair<const char *, Root> roots[] = {
          {"kernarg", Root::Kernarg},
          {"dispatchPacket", Root::Dispatch},
          {"implicitArguments", Root::Implicit},
          {"threadIdx.packed", Root::Packed}};
      for (auto [name, root] : roots)
        if (entry.name == name)
          for (uint32_t w = 0; w < entry.count; ++w)
            set(next(entry.reg, w), {root, root, w == 1, 0});
    }
    bool falls = true;
    for (size_t i = 0; i < program.code.size(); ++i) {
      // Code after a jump is reached from elsewhere.
      if (auto found = at.find(i); found != at.end()) {
        if (!falls)
          state = std::move(found->second);
        at.erase(found);
      }
      Decoded &decoded = program.code[i];
      instruction(decoded);
      const Flow &flow = decoded.flow;
      for (size_t target : flow.targets)
        if (flow.kind == Flow::Kind::Jump && target > i)
          at.emplace(target, state);
      falls = flow.kind == Flow::Kind::Next || flow.kind == Flow::Kind::Call ||
              flow.conditional;
    }
  }
}

/// Where a listing names no arguments: 16 bits of a word are the block's size.
void Follower::infer() {
  Kernel &kernel = program.kernel;
  if (blockWord < 0 || !kernel.hidden.empty() || !kernel.entry)
    return;
  auto base = static_cast<uint32_t>(blockWord - 12);
  for (const auto &row : hiddenLayout) {
    Parameter hidden;
    hidden.name = row.name;
    hidden.offset = base + row.offset;
    hidden.bytes = row.bytes;
    kernel.hidden.push_back(std::move(hidden));
  }
}

void amdgcn::followArguments(Program &program) { Follower(program).run(); }
