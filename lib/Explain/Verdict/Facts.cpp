//===- Facts.cpp - Numbers that patterns and assertions ask for -----------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Verdict/Parts.h"

#include <algorithm>

using namespace wf::explain;
using Kind = Value::Kind;

namespace {
struct Name {
  const char *name, *says;
};
const Name names[] = {
    {"instructions", "instructions that can be reached"},
    {"registers", "vector registers, where the listing says or names them"},
    {"shared_bytes", "static shared memory, where the listing says"},
    {"stack_bytes", "stack of a thread, where the listing says"},
    {"ldg", "global loads"},
    {"ldg.32", "global loads of 4 bytes a lane; also .8 .16 .64 .128"},
    {"stg", "global stores; also stg.32 …"},
    {"lds", "shared loads"},
    {"sts", "shared stores"},
    {"ldl", "loads from local memory (spills, arrays of a thread)"},
    {"stl", "stores to local memory"},
    {"atom", "global atomics whose old value is used"},
    {"red", "global atomics whose old value is not used"},
    {"atoms", "atomics on shared memory"},
    {"shfl", "exchanges between lanes: SHFL, DPP, permlane, bpermute, swizzle"},
    {"redux", "reductions of a whole warp in one instruction"},
    {"vote", "votes and ballots"},
    {"barriers", "barriers of the block"},
    {"cluster_barriers", "barriers of the cluster"},
    {"fences", "memory fences"},
    {"loops", "loops"},
    {"mma", "matrix instructions"},
    {"async_copies", "asynchronous copies to shared memory"},
    {"spills", "local stores: values that found no register, or arrays"},
    {"ftz", "operations that flush subnormal numbers"},
    {"fma", "fused multiplications and additions of floats"},
    {"exp2", "exponentials"},
    {"divisions", "reciprocals"},
    {"calls", "calls"},
    {"texture", "texture and surface accesses"},
    {"loads_in_flight", "most global loads issued before the first is used"},
    {"accumulators", "accumulations"},
    {"exchanges_through_shared",
     "lane exchanges whose values come out of shared memory"},
    {"grid_stride", "1 where a loop goes on by the grid's threads"},
    {"tickets", "atomics whose old value decides who goes on"},
    {"aggregated", "atomics whose operand joins a whole warp's elements"},
    {"transposed", "1 where loads and stores walk an array along other axes"},
    {"unknown_opcodes", "instructions that no table has"},
    {"early_exits", "exits before the last one"},
    {"bank_conflicts", "shared accesses with conflicts"},
};

class FactJudge {
public:
  FactJudge(Report &r, const Slices &s, const std::vector<Touch> &touches)
      : r(r), s(s), a(r.analysis), touches(touches) {}

  void run() {
    for (const Name &name : names)
      if (std::string_view(name.name) != "shared_bytes" &&
          std::string_view(name.name) != "stack_bytes" &&
          std::string_view(name.name) != "registers")
        r.facts[name.name];
    for (const char *kind : {"ldg", "stg"})
      for (const char *bits : {".8", ".16", ".32", ".64", ".128"})
        r.facts[std::string(kind) + bits];
    resources();
    for (size_t i = 0; i < a.program.code.size(); ++i)
      if (s.reachable(i) && !a.program.code[i].never)
        instruction(i);
    memory();
    r.facts["loops"].value = double(a.loops.size());
    for (const Loop &loop : a.loops)
      r.facts["loops"].proof.push_back(a.blocks[loop.header].first);
    for (const Accumulator &acc : r.accumulators) {
      add("accumulators", acc.all.front());
      if (acc.gridStride)
        set("grid_stride", acc.all.front());
      if (acc.handedOver && acc.through.count(Through::Lanes))
        add("exchanges_through_shared", acc.all.front());
    }
    inFlight();
    transposed();
  }

private:
  void add(const std::string &name, size_t proof) {
    Fact &fact = r.facts[name];
    ++fact.value;
    fact.proof.push_back(proof);
  }
  void set(const std::string &name, size_t proof) {
    r.facts[name].value = 1;
    r.facts[name].proof.push_back(proof);
  }

  void resources() {
    const Resources &res = r.kernel().resources;
    if (res.registers)
      r.facts["registers"].value = *res.registers;
    if (res.sharedBytes)
      r.facts["shared_bytes"].value = *res.sharedBytes;
    if (res.stackBytes)
      r.facts["stack_bytes"].value = *res.stackBytes;
  }

  void instruction(size_t i) {
    const Decoded &d = a.program.code[i];
    add("instructions", i);
    if (!d.known)
      add("unknown_opcodes", i);
    if (d.flow.kind == Flow::Kind::Call)
      add("calls", i);
    if (d.flow.kind == Flow::Kind::Exit && d.flow.conditional)
      add("early_exits", i);
    bool ftz = false;
    for (const Effect &e : d.effects) {
      ftz |= e.flushes;
      if (e.shuffle != ShuffleKind::None || e.op == Op::Shuffle)
        add("shfl", i);
      count(i, e);
    }
    if (ftz)
      add("ftz", i);
  }

  void count(size_t i, const Effect &e) {
    switch (e.op) {
    case Op::WarpReduce:
      return add("redux", i);
    case Op::Vote:
    case Op::Ballot:
      return add("vote", i);
    case Op::Barrier:
    case Op::BarrierWait:
      return add("barriers", i);
    case Op::ClusterWait:
      return add("cluster_barriers", i);
    case Op::Fence:
      return add("fences", i);
    case Op::Matrix:
      return add("mma", i);
    case Op::Exp2:
      return add("exp2", i);
    case Op::Rcp:
    case Op::Div:
      return add("divisions", i);
    case Op::Texture:
      return add("texture", i);
    case Op::Fma:
      if (isFloat(e.type))
        add("fma", i);
      return;
    default:
      return;
    }
  }

  void memory() {
    size_t last = SIZE_MAX;
    bool lastLoad = false;
    for (const Touch &t : touches) {
      const Effect &e = a.program.code[t.instruction].effects[t.effect];
      size_t i = t.instruction;
      if (t.atomic) {
        atomic(t, e);
        continue;
      }
      // A vector access of PTX is an effect an element: it counts once.
      if (i == last && t.load == lastLoad)
        continue;
      last = i;
      lastLoad = t.load;
      uint32_t bytes = e.memory->whole ? e.memory->whole : t.bytes;
      bool global = t.space == Space::Global || t.space == Space::Generic;
      if (global) {
        std::string name = t.load ? "ldg" : "stg";
        add(name, i);
        add(name + "." + std::to_string(bytes * 8), i);
      } else if (t.space == Space::Shared) {
        add(t.load ? "lds" : "sts", i);
        if (e.memory->async)
          add("async_copies", i);
      } else if (t.space == Space::Local) {
        add(t.load ? "ldl" : "stl", i);
        if (t.store)
          add("spills", i);
      }
    }
    for (const Access &access : r.accesses)
      if (access.conflicts > 1)
        add("bank_conflicts", access.instruction);
  }

  void atomic(const Touch &t, const Effect &e) {
    size_t i = t.instruction;
    if (t.space == Space::Shared) {
      add("atoms", i);
    } else {
      bool used = t.result != noValue && e.memory->returns;
      add(used ? "atom" : "red", i);
      if (isTicket(s, t))
        add("tickets", i);
    }
    for (ValueId origin : s.origins(t.data)) {
      const Value &v = s.value(origin);
      bool joined = v.op == Op::PopCount || v.op == Op::Ballot ||
                    v.op == Op::WarpReduce || v.op == Op::ReadLane ||
                    v.op == Op::ReadFirstLane;
      for (ValueId arg : v.args)
        for (ValueId under : s.origins(arg))
          joined |= s.value(under).op == Op::PopCount ||
                    s.value(under).op == Op::WarpReduce;
      if (joined && v.kind != Kind::Load) {
        add("aggregated", i);
        return;
      }
    }
  }

  /// Loads before the first use of one of them, within a block.
  void inFlight() {
    std::map<size_t, ValueId> loads;
    for (const Touch &t : touches)
      if (t.load && t.space == Space::Global)
        loads[t.instruction] = t.result;
    Fact &best = r.facts["loads_in_flight"];
    for (const Block &block : a.blocks) {
      if (!block.reachable)
        continue;
      std::set<ValueId> open;
      std::vector<size_t> proof;
      for (size_t i = block.first; i < block.last; ++i) {
        bool used = false;
        for (const EffectValues &ev : a.code[i].effects) {
          for (ValueId in : ev.in)
            used |= open.count(in) != 0;
          used |= open.count(ev.data) != 0;
        }
        if (used) {
          open.clear();
          proof.clear();
        }
        if (auto it = loads.find(i); it != loads.end()) {
          open.insert(it->second);
          proof.push_back(i);
          if (double(proof.size()) > best.value) {
            best.value = double(proof.size());
            best.proof = proof;
          }
        }
      }
    }
  }

  /// A transpose reads lanes side by side and writes them a row apart, or does
  /// so with shared memory.
  void transposed() {
    std::set<int64_t> loads, stores;
    size_t proof = 0;
    bool uneven = false;
    for (const Access &access : r.accesses) {
      if (access.space == Space::Global && access.store && access.laneStride &&
          access.loopDepth >= 0)
        proof = access.instruction;
      if (access.space != Space::Global || access.uniform)
        continue;
      if (!access.laneStride)
        uneven = true;
      else
        // In elements: converting a type changes the bytes alone.
        (access.load ? loads : stores)
            .insert(*access.laneStride /
                    std::max(int64_t(access.bytes), int64_t(1)));
    }
    bool direct = !loads.empty() && !stores.empty() && loads != stores;
    std::set<int64_t> in, out;
    for (const Access &access : r.accesses)
      if (access.space == Space::Shared && access.laneStride)
        // Backwards is no other axis.
        (access.load ? out : in).insert(std::abs(*access.laneStride));
    bool tiled =
        r.accumulators.empty() && !in.empty() && !out.empty() && in != out;
    if ((direct || tiled) && r.accumulators.empty() && !uneven)
      set("transposed", proof);
  }

  Report &r;
  const Slices &s;
  const Analysis &a;
  const std::vector<Touch> &touches;
};
} // namespace

std::vector<std::pair<std::string, std::string>> wf::explain::factNames() {
  std::vector<std::pair<std::string, std::string>> all;
  for (const Name &name : names)
    all.push_back({name.name, name.says});
  return all;
}

void wf::explain::judgeFacts(Report &r, const Slices &s,
                             const std::vector<Touch> &touches) {
  FactJudge(r, s, touches).run();
}
