//===- Webs.cpp - The separate lives of registers -------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// A use belongs to every definition that may reach it; what shares a use is
// one life. A guarded definition lets older ones through, but not to a use
// under the same guard.
//===----------------------------------------------------------------------===//
#include "Explain/Flow/Webs.h"

#include <algorithm>

using namespace wf::explain;

namespace {

constexpr uint32_t none = UINT32_MAX;
/// Guarded definitions that one use looks behind, and places in all; beyond
/// them a register has one life.
constexpr int mostGuarded = 64;
constexpr size_t mostPlaces = size_t(1) << 19;

class WebFinder {
public:
  explicit WebFinder(Analysis &a)
      : a(a), registers(a.program), current(registers.size(), none),
        inBlock(registers.size(), SIZE_MAX) {}

  std::vector<FoundWeb> run() {
    for (size_t b = 0; b < a.blocks.size(); ++b)
      if (a.blocks[b].reachable)
        scan(b);
    while (!work.empty()) {
      Place place = work.back();
      work.pop_back();
      follow(place);
    }
    return collect();
  }

private:
  struct Node {
    uint32_t reg;
    size_t block;
    size_t instruction = SIZE_MAX, effect = 0; ///< of a definition
    uint8_t word = 0;
    ValueId guard = noValue;
    uint32_t before = none; ///< the definition that this may let through
  };
  struct Place {
    size_t block;
    uint32_t reg;
    ValueId guard;
    uint32_t node;
  };
  struct Use {
    uint32_t node;
    size_t instruction;
  };

  uint32_t addNode(Node node) {
    nodes.push_back(node);
    parent.push_back(uint32_t(parent.size()));
    return uint32_t(nodes.size() - 1);
  }

  uint32_t root(uint32_t node) {
    while (parent[node] != node) {
      parent[node] = parent[parent[node]];
      node = parent[node];
    }
    return node;
  }

  void unite(uint32_t x, uint32_t y) {
    x = root(x);
    y = root(y);
    // The older node leads, so that the result has one order.
    if (x != y)
      parent[std::max(x, y)] = std::min(x, y);
  }

  ValueId guardOf(size_t i, size_t effect) const {
    const Decoded &d = a.program.code[i];
    if (effect >= d.effects.size())
      return noValue;
    return a.code[i].guard;
  }

  void scan(size_t block) {
    for (size_t i = a.blocks[block].first; i < a.blocks[block].last; ++i) {
      const Decoded &d = a.program.code[i];
      if (d.never)
        continue;
      forEachSource(d, [&](const Source &s, size_t effect) {
        if (s.kind == Source::Kind::Register)
          for (uint32_t k = 0; k < s.count; ++k)
            use(registers.number({s.reg.cls, s.reg.index + k}), block, i,
                guardOf(i, effect));
      });
      for (size_t e = 0; e < d.effects.size(); ++e)
        if (d.effects[e].def)
          for (uint8_t k = 0; k < d.effects[e].def->count; ++k)
            define(block, i, e, k);
    }
    // What the block leaves in each register is found by its key.
    for (uint32_t r : touched)
      if (current[r] != none)
        atEnd[uint64_t(block) << 32 | r] = current[r];
    touched.clear();
  }

  uint32_t &currentOf(uint32_t r, size_t block) {
    if (inBlock[r] != block) {
      inBlock[r] = block;
      current[r] = none;
      touched.push_back(r);
    }
    return current[r];
  }

  void define(size_t block, size_t i, size_t effect, uint8_t word) {
    const Effect &e = a.program.code[i].effects[effect];
    Reg reg{e.def->reg.cls, e.def->reg.index + word};
    uint32_t r = registers.number(reg);
    bool scalar = a.program.kernel.isa == Isa::Amdgcn &&
                  (reg.cls == RegClass::Uniform || reg.cls == RegClass::Flag);
    Node node;
    node.reg = r;
    node.block = block;
    node.instruction = i;
    node.effect = effect;
    node.word = word;
    bool guarded = a.program.code[i].guard || (e.masked && !scalar);
    node.guard = guarded ? guardOf(i, effect) : noValue;
    uint32_t &now = currentOf(r, block);
    node.before = now;
    now = addNode(node);
  }

  void use(uint32_t r, size_t block, size_t i, ValueId guard) {
    uint32_t node = reach(currentOf(r, block), block, r, guard, none);
    uses.push_back({node, i});
  }

  /// Unites what may reach a use under `guard`, from `node` on; `with` is a
  /// node that it shall be united with.
  uint32_t reach(uint32_t node, size_t block, uint32_t r, ValueId guard,
                 uint32_t with) {
    int steps = 0;
    while (node != none) {
      const Node &n = nodes[node];
      if (with != none)
        unite(node, with);
      with = node;
      if (n.guard == noValue || (n.guard == guard && steps < mostGuarded))
        return with;
      ++steps;
      node = n.before;
    }
    uint32_t entry = entryOf(block, r, steps < mostGuarded ? guard : noValue);
    if (with != none)
      unite(entry, with);
    return entry;
  }

  uint32_t entryOf(size_t block, uint32_t r, ValueId guard) {
    if (places.size() > mostPlaces)
      return onlyLife(r, block);
    uint64_t place = uint64_t(block) << 32 | r;
    auto [at, isNew] = places.try_emplace({place, guard}, none);
    if (isNew) {
      Node node;
      node.reg = r;
      node.block = block;
      at->second = addNode(node);
      work.push_back({block, r, guard, at->second});
    }
    return at->second;
  }

  uint32_t onlyLife(uint32_t r, size_t block) {
    auto [at, isNew] = lives.try_emplace(r, none);
    if (isNew) {
      Node node;
      node.reg = r;
      node.block = block;
      at->second = addNode(node);
    }
    return at->second;
  }

  void follow(const Place &place) {
    if (place.block == 0)
      atStart.push_back(place.node);
    for (size_t p : a.blocks[place.block].previous) {
      auto at = atEnd.find(uint64_t(p) << 32 | place.reg);
      reach(at == atEnd.end() ? none : at->second, p, place.reg, place.guard,
            place.node);
    }
  }

  std::vector<FoundWeb> collect() {
    std::unordered_map<uint32_t, size_t> webOf;
    std::vector<FoundWeb> webs;
    auto webAt = [&](uint32_t node) -> FoundWeb & {
      auto [at, isNew] = webOf.try_emplace(root(node), webs.size());
      if (isNew) {
        webs.emplace_back();
        webs.back().web.reg = registers.reg(nodes[node].reg);
      }
      return webs[at->second];
    };
    for (uint32_t n = 0; n < nodes.size(); ++n) {
      const Node &node = nodes[n];
      if (node.instruction == SIZE_MAX)
        continue;
      FoundWeb &found = webAt(n);
      found.web.defs.push_back(node.instruction);
      found.places.push_back({node.instruction, node.effect, node.word});
    }
    for (const Use &use : uses)
      webAt(use.node).web.uses.push_back(use.instruction);
    for (uint32_t node : atStart)
      if (webOf.count(root(node)))
        webAt(node).fromStart = true;
    std::vector<bool> isHeader(a.blocks.size(), false);
    for (const Loop &loop : a.loops)
      isHeader[loop.header] = true;
    for (const auto &[place, node] : places)
      if (isHeader[nodes[node].block] && webOf.count(root(node)))
        webAt(node).joins.push_back(nodes[node].block);
    for (FoundWeb &found : webs)
      for (auto *list : {&found.web.defs, &found.web.uses, &found.joins}) {
        std::sort(list->begin(), list->end());
        list->erase(std::unique(list->begin(), list->end()), list->end());
      }
    return webs;
  }

  struct KeyHash {
    size_t operator()(const std::pair<uint64_t, ValueId> &key) const {
      return size_t((key.first ^ uint64_t(key.second) << 20) *
                    0x9e3779b97f4a7c15ull);
    }
  };

  Analysis &a;
  RegisterTable registers;
  std::vector<uint32_t> current, touched;
  std::vector<size_t> inBlock;
  std::vector<Node> nodes;
  std::vector<uint32_t> parent;
  std::vector<Use> uses;
  std::vector<Place> work;
  std::vector<uint32_t> atStart;
  std::unordered_map<uint64_t, uint32_t> atEnd;
  std::unordered_map<uint32_t, uint32_t> lives;
  std::unordered_map<std::pair<uint64_t, ValueId>, uint32_t, KeyHash> places;
};

} // namespace

void wf::explain::buildWebs(Analysis &a) {
  if (a.blocks.empty())
    return;
  std::vector<FoundWeb> found = WebFinder(a).run();
  auto firstOf = [](const FoundWeb &w) {
    return !w.web.defs.empty()   ? w.web.defs[0] + 1
           : !w.web.uses.empty() ? size_t(0)
                                 : SIZE_MAX;
  };
  std::sort(found.begin(), found.end(),
            [&](const FoundWeb &x, const FoundWeb &y) {
              if (x.web.reg != y.web.reg)
                return x.web.reg < y.web.reg;
              return firstOf(x) < firstOf(y);
            });
  describeWebs(a, found);
  for (FoundWeb &f : found)
    a.webs.push_back(std::move(f.web));
}
