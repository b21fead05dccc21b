//===- Construct.cpp - Values of registers along the graph ----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// A walk over the dominator tree. A join of forward edges knows its arguments;
// a loop's phi is at first taken for what enters the loop, and where a step
// disproves that, the walk is done again with a real phi. So a register that a
// step leaves as it was, AMD's exec above all, needs none.
//===----------------------------------------------------------------------===//
#include "Explain/Flow/Lowering.h"

#include <algorithm>
#include <unordered_set>

using namespace wf::explain;

using Kind = Value::Kind;

ValueId ValueTable::join(size_t block, std::vector<ValueId> args, Reg reg) {
  ValueId same = noValue;
  bool isOne = true;
  for (ValueId arg : args) {
    if (values[arg].kind == Kind::Undefined)
      continue;
    if (same == noValue)
      same = arg;
    isOne = isOne && arg == same;
  }
  if (same == noValue)
    return args.empty() ? undefined(reg) : args[0];
  if (isOne)
    return same;
  Value v;
  v.kind = Kind::Phi;
  v.type = isPredicate(values[same]) ? Type::Pred : values[same].type;
  v.args = std::move(args);
  v.block = block;
  v.reg = reg;
  return intern(std::move(v));
}

namespace {

class Construction {
public:
  explicit Construction(Analysis &a)
      : a(a), table(a), registers(a.program), live(liveness(a, registers)),
        tree(a), position(a.blocks.size(), 0),
        lowering(a, table, registers, held, joinCount) {
    std::vector<size_t> order = reversePostOrder(a);
    for (size_t i = 0; i < order.size(); ++i)
      position[order[i]] = i;
  }

  void run() {
    constexpr int rounds = 12;
    for (int round = 0;; ++round) {
      allReal = round == rounds;
      pass();
      if (allReal || !disprove())
        break;
    }
    fillPhis();
  }

private:
  struct Undo {
    uint32_t reg;
    Held before;
  };
  struct Frame {
    size_t block, child = 0, undoSize = 0;
    uint32_t joinBefore = 0;
  };

  bool retreats(size_t from, size_t to) const {
    return position[from] >= position[to];
  }
  bool isHeader(size_t block) const {
    return std::any_of(a.blocks[block].previous.begin(),
                       a.blocks[block].previous.end(),
                       [&](size_t p) { return retreats(p, block); });
  }
  static uint64_t key(size_t block, uint32_t reg) {
    return uint64_t(block) << 32 | reg;
  }

  void pass() {
    table.clear();
    a.code.assign(a.program.code.size(), {});
    held.assign(registers.size(), {});
    undo.clear();
    arguments.assign(a.blocks.size(), {});
    assumed.clear();
    joinCount = nextJoin = 0;
    enterKernel();
    std::vector<Frame> path;
    auto enter = [&](size_t block) {
      path.push_back({block, 0, undo.size(), joinCount});
      visit(block);
    };
    if (!a.blocks.empty())
      enter(0);
    while (!path.empty()) {
      Frame &top = path.back();
      if (top.child < tree.children[top.block].size()) {
        enter(tree.children[top.block][top.child++]);
        continue;
      }
      for (; undo.size() > top.undoSize; undo.pop_back())
        held[undo.back().reg] = undo.back().before;
      joinCount = top.joinBefore;
      path.pop_back();
    }
  }

  void enterKernel() {
    set(registers.number({RegClass::Flag, flags::exec}), table.truth(true));
    set(registers.number({RegClass::Flag, flags::execHi}),
        table.high(table.truth(true)));
    for (const EntryValue &entry : a.program.entry) {
      ValueId value =
          table.symbol(entry.name, entry.count == 2 ? Type::B64 : Type::B32);
      for (uint32_t k = 0; k < entry.count; ++k) {
        uint32_t reg = registers.number({entry.reg.cls, entry.reg.index + k});
        if (reg != UINT32_MAX && held[reg].value == noValue)
          set(reg, k == 0 ? table.low(value) : table.high(value));
      }
    }
  }

  void set(uint32_t reg, ValueId value) {
    if (reg == UINT32_MAX)
      return;
    undo.push_back({reg, held[reg]});
    held[reg] = {value, joinCount};
  }

  ValueId get(uint32_t reg) { return lowering.now(registers.reg(reg)); }

  void visit(size_t block) {
    const auto &previous = a.blocks[block].previous;
    if (previous.size() > 1 || isHeader(block))
      joinValues(block);
    Lowering::Writes writes;
    for (size_t i = a.blocks[block].first; i < a.blocks[block].last; ++i) {
      lowering.instruction(i, writes);
      for (auto [reg, value] : writes)
        set(reg, value);
    }
    size_t last = a.blocks[block].last - 1;
    if (leaving(a.program, last).kind == Flow::Kind::Call)
      clobber(last);
    for (size_t next : a.blocks[block].next)
      handOver(block, next);
  }

  /// Leaves the values that `next` needs where it will look for them.
  void handOver(size_t block, size_t next) {
    const auto &previous = a.blocks[next].previous;
    if (previous.size() < 2 && !retreats(block, next))
      return;
    auto &slots = arguments[next];
    const auto &needed = live.in[next];
    if (slots.empty())
      slots.assign(needed.size() * previous.size(), noValue);
    size_t k = size_t(std::find(previous.begin(), previous.end(), block) -
                      previous.begin());
    for (size_t n = 0; n < needed.size(); ++n)
      slots[n * previous.size() + k] = get(needed[n]);
  }

  void joinValues(size_t block) {
    const auto &previous = a.blocks[block].previous;
    const auto &needed = live.in[block];
    const bool header = isHeader(block);
    const Branching branching = header ? Branching() : branchInto(block);
    uint32_t join = ++nextJoin;
    std::vector<ValueId> merged(needed.size()), args;
    for (size_t n = 0; n < needed.size(); ++n) {
      args.clear();
      for (size_t k = 0; k < previous.size(); ++k)
        if (!retreats(previous[k], block) && !arguments[block].empty())
          args.push_back(arguments[block][n * previous.size() + k]);
      if (block == 0) // a loop around the whole kernel
        args.push_back(get(needed[n]));
      merged[n] = merge(block, std::move(args), needed[n], branching);
      args = {};
      if (header)
        merged[n] = loopValue(block, needed[n], merged[n]);
    }
    joinCount = join;
    for (size_t n = 0; n < needed.size(); ++n)
      set(needed[n], merged[n]);
  }

  /// The branch that two ways into a join come from.
  struct Branching {
    ValueId condition = noValue; ///< true on the way `taken`
    size_t taken = 0, other = 0; ///< indices into `previous`
  };

  Branching branchInto(size_t block) const {
    const auto &previous = a.blocks[block].previous;
    size_t from = a.blocks[block].dominator;
    const Block &source = a.blocks[from];
    if (previous.size() != 2 || source.next.size() != 2)
      return {};
    size_t last = source.last - 1;
    if (leaving(a.program, last).kind != Flow::Kind::Jump ||
        a.code[last].condition == noValue)
      return {};
    auto isVia = [&](size_t side, size_t p) {
      return side == block ? p == from
                           : a.blocks[side].previous.size() == 1 &&
                                 tree.dominates(side, p);
    };
    // The way on comes first.
    for (size_t k = 0; k < 2; ++k)
      if (isVia(source.next[1], previous[k]) &&
          isVia(source.next[0], previous[1 - k]))
        return {a.code[last].condition, k, 1 - k};
    return {};
  }

  ValueId merge(size_t block, std::vector<ValueId> args, uint32_t reg,
                const Branching &branching) {
    if (args.size() == 2 && branching.condition != noValue)
      return table.gamma(branching.condition, args[branching.taken],
                         args[branching.other], registers.reg(reg));
    return table.join(block, std::move(args), registers.reg(reg));
  }

  ValueId loopValue(size_t block, uint32_t reg, ValueId entered) {
    auto found = real.find(key(block, reg));
    if (!allReal && found == real.end()) {
      assumed.push_back({block, reg, entered});
      return entered;
    }
    Value v;
    v.kind = Kind::Phi;
    bool isTruth =
        isPredicate(table[entered]) || (found != real.end() && found->second);
    v.type = isTruth ? Type::Pred : table[entered].type;
    v.block = block;
    v.reg = registers.reg(reg);
    ValueId phi = table.intern(std::move(v));
    table.loopEntry[phi] = entered;
    return phi;
  }

  size_t indexOf(size_t block, uint32_t reg) const {
    const auto &needed = live.in[block];
    return size_t(std::lower_bound(needed.begin(), needed.end(), reg) -
                  needed.begin());
  }

  /// Finds assumptions that a step does not keep.
  bool disprove() {
    bool any = false;
    for (const Assumption &it : assumed) {
      const auto &previous = a.blocks[it.block].previous;
      size_t n = indexOf(it.block, it.reg);
      for (size_t k = 0; k < previous.size(); ++k) {
        ValueId arg = arguments[it.block].empty()
                          ? it.value
                          : arguments[it.block][n * previous.size() + k];
        if (!retreats(previous[k], it.block) || arg == it.value ||
            arg == noValue)
          continue;
        real.emplace(key(it.block, it.reg), isPredicate(table[arg]));
        any = true;
        break;
      }
    }
    return any;
  }

  void fillPhis() {
    std::vector<std::pair<ValueId, std::vector<ValueId>>> filled;
    auto argsOf = [&](ValueId id) {
      const Value phi = table[id];
      size_t count = a.blocks[phi.block].previous.size();
      size_t n = indexOf(phi.block, registers.number(phi.reg));
      std::vector<ValueId> args;
      for (size_t k = 0; k < count; ++k) {
        ValueId arg = arguments[phi.block][n * count + k];
        args.push_back(arg == noValue ? table.undefined(phi.reg) : arg);
      }
      if (phi.block == 0)
        args.push_back(table.loopEntry.count(id) ? table.loopEntry[id]
                                                 : table.undefined(phi.reg));
      return args;
    };
    // Pairing arguments may make further wide phis.
    for (size_t w = 0; w < table.widePhis.size(); ++w) {
      auto wide = table.widePhis[w];
      std::vector<ValueId> low = argsOf(wide.low), high = argsOf(wide.high),
                           args;
      for (size_t k = 0; k < low.size(); ++k)
        args.push_back(halvesOf(wide, low[k], high[k], k));
      filled.push_back({wide.whole, std::move(args)});
    }
    const size_t count = a.values.size();
    for (ValueId id = 0; id < count; ++id) {
      const Value v = a.values[id];
      if (v.kind == Kind::Phi && v.args.empty() && (isPtx(a) || !isWide(v)))
        filled.push_back({id, argsOf(id)});
    }
    for (auto &[id, args] : filled)
      a.values[id].args = std::move(args);
  }

  ValueId halvesOf(const ValueTable::WidePhi &wide, ValueId low, ValueId high,
                   size_t way) {
    size_t block = a.values[wide.whole].block;
    const auto &previous = a.blocks[block].previous;
    bool back = way < previous.size() && retreats(previous[way], block);
    ValueId given = back ? wide.stepGiven : wide.entryGiven;
    if (given == noValue)
      return table.pair(low, high);
    return table.pair(table.under(low, given), table.under(high, given), given);
  }

  /// A call gives new values to what its callee writes; where the callee is
  /// not here, to the registers that conventions leave to it.
  void clobber(size_t call) {
    const auto &targets = a.program.code[call].flow.targets;
    std::vector<Reg> written;
    if (targets.empty()) {
      for (uint32_t index = 0; index < 32; ++index)
        written.push_back({RegClass::Vector, index});
    }
    for (size_t target : targets)
      if (target < a.blockOf.size())
        written.insert(written.end(), writtenBy(a.blockOf[target]).begin(),
                       writtenBy(a.blockOf[target]).end());
    for (Reg reg : written) {
      uint32_t number = registers.number(reg);
      if (number == UINT32_MAX || isPtx(a))
        continue;
      Value v;
      v.kind = Kind::Result;
      v.op = Op::Call;
      v.type = reg.cls == RegClass::Predicate ? Type::Pred : Type::B32;
      v.instruction = call;
      v.imm = int64_t(number) << 16;
      set(number, table.intern(std::move(v)));
    }
  }

  const std::vector<Reg> &writtenBy(size_t callee) {
    auto [at, isNew] = calleeWrites.try_emplace(callee);
    if (!isNew)
      return at->second;
    std::vector<bool> seen(a.blocks.size(), false);
    std::vector<size_t> work = {callee};
    seen[callee] = true;
    std::unordered_set<uint32_t> numbers;
    while (!work.empty()) {
      const Block &block = a.blocks[work.back()];
      work.pop_back();
      for (size_t i = block.first; i < block.last; ++i)
        for (const Effect &e : a.program.code[i].effects)
          for (uint32_t k = 0; e.def && k < e.def->count; ++k)
            numbers.insert(
                registers.number({e.def->reg.cls, e.def->reg.index + k}));
      for (size_t next : block.next)
        if (!seen[next]) {
          seen[next] = true;
          work.push_back(next);
        }
    }
    std::vector<uint32_t> sorted(numbers.begin(), numbers.end());
    std::sort(sorted.begin(), sorted.end());
    for (uint32_t number : sorted)
      at->second.push_back(registers.reg(number));
    return at->second;
  }

  struct Assumption {
    size_t block;
    uint32_t reg;
    ValueId value;
  };

  Analysis &a;
  ValueTable table;
  RegisterTable registers;
  Liveness live;
  DominatorTree tree;
  std::vector<size_t> position;
  std::vector<Held> held;
  std::vector<Undo> undo;
  uint32_t joinCount = 0, nextJoin = 0;
  Lowering lowering;
  std::vector<std::vector<ValueId>> arguments; ///< by block, register, way
  std::vector<Assumption> assumed;
  std::unordered_map<uint64_t, bool> real; ///< whether a truth value
  std::unordered_map<size_t, std::vector<Reg>> calleeWrites;
  bool allReal = false;
};

} // namespace

void wf::explain::buildValues(Analysis &a) {
  a.code.assign(a.program.code.size(), {});
  if (!a.blocks.empty())
    Construction(a).run();
}
