//===- AmdgcnEntry.cpp - What AMD's registers hold at the start -----------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// A kernel descriptor says which scalar registers the hardware fills. Without
// one, registers that are read before anything is written to them tell: the
// base of a scalar load is the arguments' address, and what follows it is the
// block's index.
//===----------------------------------------------------------------------===//
#include "Explain/Machine/Amdgcn.h"
#include "Explain/Machine/AmdgcnArguments.h"

#include <algorithm>
#include <bitset>
#include <set>

using namespace wf::explain;
using namespace wf::explain::amdgcn;

namespace {

/// What the code expects in its registers.
struct LiveIn {
  std::set<uint32_t> scalars; ///< read before they are written
  std::set<uint32_t> bases;   ///< of them: first of a pair that loads go from
  std::set<uint32_t> offsets; ///< of them: added to the stack's address
  bool ttmp9 = false, ttmp7 = false, scratch = false, packed = false;
  std::set<uint32_t> vectors; ///< of v0 to v31
};

/// The descriptor's user registers, in the hardware's order.
struct UserRegister {
  const char *key, *name;
  uint8_t count;
};
constexpr UserRegister userRegisters[] = {
    {"user_sgpr_private_segment_buffer", "scratchDescriptor", 4},
    {"user_sgpr_dispatch_ptr", "dispatchPacket", 2},
    {"user_sgpr_queue_ptr", "queue", 2},
    {"user_sgpr_kernarg_segment_ptr", "kernarg", 2},
    {"user_sgpr_dispatch_id", "dispatchId", 2},
    {"user_sgpr_flat_scratch_init", "scratchInit", 2},
    {"user_sgpr_private_segment_size", "scratchSize", 1}};

} // namespace

static bool isField(const Effect &e, int64_t offset, int64_t width) {
  return e.op == Op::BitField && e.in.size() == 3 && e.in[1].imm == offset &&
         e.in[2].imm == width && e.in[1].kind == Source::Kind::Immediate;
}

static bool isFirstVector(const Source &s) {
  return s.kind == Source::Kind::Register && s.count == 1 &&
         s.reg == Reg{RegClass::Vector, 0};
}

/// Ten bits each of x, y and z in one register.
static bool takesPacked(const Effect &e) {
  if (e.in.size() < 2)
    return false;
  if (e.op == Op::And)
    for (size_t i : {0, 1})
      if (e.in[i].imm == 0x3ff && isFirstVector(e.in[1 - i]))
        return true;
  return isFirstVector(e.in[0]) && (isField(e, 10, 10) || isField(e, 20, 10));
}

/// Scalars 0 to 127, then vectors 0 to 31.
using Registers = std::bitset<160>;

static void addRegister(Registers &set, Reg reg, unsigned count) {
  uint32_t base = reg.cls == RegClass::Vector ? 128 : 0;
  uint32_t limit = reg.cls == RegClass::Vector ? 32 : 128;
  if (reg.cls != RegClass::Vector && reg.cls != RegClass::Uniform)
    return;
  for (uint32_t r = reg.index; r < reg.index + count && r < limit; ++r)
    set.set(base + r);
}

static void addSource(Registers &set, const Source &s) {
  // The upper half of an addend may be whatever it is: where only the lower
  // half of a result is used, the compiler gives any register for it.
  bool vector = s.reg.cls == RegClass::Vector;
  if (s.kind == Source::Kind::Register)
    addRegister(set, s.reg, vector ? 1 : s.count);
}

static Registers readBy(const Decoded &decoded) {
  Registers set;
  for (const Effect &e : decoded.effects) {
    for (const Source &s : e.in)
      addSource(set, s);
    if (e.memory)
      for (const auto *part : {&e.memory->base, &e.memory->uniform})
        if (*part)
          addSource(set, **part);
  }
  return set;
}

static Registers writtenBy(const Decoded &decoded) {
  Registers set;
  for (const Effect &e : decoded.effects)
    if (e.def)
      addRegister(set, e.def->reg, e.def->count);
  return set;
}

/// What is live where the kernel starts. A few rounds suffice for loops as
/// compilers nest them; more would only add registers.
static Registers liveAtStart(const Program &program) {
  size_t n = program.code.size();
  if (n == 0)
    return {};
  std::vector<Registers> live(n + 1);
  bool changed = true;
  for (int round = 0; changed && round < 8; ++round) {
    changed = false;
    for (size_t i = n; i-- > 0;) {
      const Decoded &decoded = program.code[i];
      const Flow &flow = decoded.flow;
      Registers after;
      if (flow.kind == Flow::Kind::Next || flow.kind == Flow::Kind::Call ||
          flow.conditional)
        after = live[i + 1];
      for (size_t target : flow.targets)
        if (flow.kind == Flow::Kind::Jump && target < n)
          after |= live[target];
      after = (after & ~writtenBy(decoded)) | readBy(decoded);
      changed |= after != live[i];
      live[i] = after;
    }
  }
  return live[0];
}

/// s_add_u32 s0, s0, s7 and s_add_u32 flat_scratch_lo, s6, s7: the wave's place
/// in scratch memory.
static void noteStack(const Effect &e, LiveIn &live) {
  if (e.op != Op::Add || !e.def || e.in.size() != 2 ||
      e.def->reg.cls != RegClass::Uniform)
    return;
  bool descriptor = e.def->reg.index == 0 && live.scratch &&
                    e.in[0].kind == Source::Kind::Register &&
                    e.in[0].reg == e.def->reg;
  if (!descriptor && e.def->reg.index != 1100)
    return;
  for (const Source &s : e.in)
    if (s.kind == Source::Kind::Register && s.reg.cls == RegClass::Uniform)
      live.offsets.insert(s.reg.index);
}

static void noteSpecial(const Source &s, LiveIn &live) {
  if (s.kind != Source::Kind::Register || s.reg.cls != RegClass::Uniform)
    return;
  live.ttmp9 |= s.reg.index == 1009;
  live.ttmp7 |= s.reg.index == 1007;
}

/// A scalar load goes from a pair that still holds what it held at the start.
static void noteBase(const Effect &e, LiveIn &live, const Registers &written,
                     const Registers &start) {
  if (e.op != Op::Load || !e.memory || !e.memory->base)
    return;
  const Source &s = *e.memory->base;
  uint32_t r = s.reg.index;
  if (s.kind == Source::Kind::Register && s.reg.cls == RegClass::Uniform &&
      s.count == 2 && r < 127 && start[r] && start[r + 1] && !written[r] &&
      !written[r + 1])
    live.bases.insert(r);
}

static LiveIn findLiveIn(const Program &program) {
  LiveIn live;
  Registers start = liveAtStart(program), written;
  for (const Decoded &decoded : program.code)
    for (const Effect &e : decoded.effects)
      live.scratch |= e.memory && e.memory->space == Space::Local;
  for (const Decoded &decoded : program.code) {
    for (const Effect &e : decoded.effects) {
      for (const Source &s : e.in)
        noteSpecial(s, live);
      noteStack(e, live);
      noteBase(e, live, written, start);
      live.packed |= takesPacked(e) && !written[128];
    }
    written |= writtenBy(decoded);
  }
  for (uint32_t r = 0; r < 128; ++r)
    if (start[r])
      live.scalars.insert(r);
  for (uint32_t r = 0; r < 32; ++r)
    if (start[128 + r])
      live.vectors.insert(r);
  return live;
}

static void addScalar(Program &program, uint32_t index, unsigned count,
                      std::string name) {
  program.entry.push_back({{RegClass::Uniform, index},
                           static_cast<uint8_t>(count),
                           std::move(name)});
}

static int64_t fieldOf(const Kernel &kernel, const std::string &key,
                       int64_t otherwise) {
  auto found = kernel.descriptor.find(key);
  return found == kernel.descriptor.end() ? otherwise : found->second;
}

static void addBlockIndices(Program &program, uint32_t first) {
  uint32_t next = first;
  for (const char *axis : {"x", "y", "z"})
    if (fieldOf(program.kernel, std::string("system_sgpr_workgroup_id_") + axis,
                axis[0] == 'x'))
      addScalar(program, next++, 1, std::string("blockIdx.") + axis);
  if (fieldOf(program.kernel, "system_sgpr_workgroup_info", 0))
    ++next;
  if (fieldOf(program.kernel, "enable_private_segment", 0) ||
      fieldOf(program.kernel, "system_sgpr_private_segment_wavefront_offset",
              0))
    addScalar(program, next, 1, "scratchOffset");
}

static bool isGfx12(const Kernel &kernel) {
  return kernel.target.starts_with("gfx12");
}

static void addDescribed(Program &program) {
  uint32_t next = 0;
  for (const UserRegister &row : userRegisters)
    if (fieldOf(program.kernel, row.key, 0)) {
      addScalar(program, next, row.count, row.name);
      next += row.count;
    }
  int64_t users = fieldOf(program.kernel, "user_sgpr_count", next);
  if (!isGfx12(program.kernel) && users >= 0 && users < 128)
    addBlockIndices(program, static_cast<uint32_t>(users));
}

static void addInferred(Program &program, const LiveIn &live) {
  // The higher of two bases: the launch packet's address comes first.
  uint32_t kernarg = live.bases.empty() ? UINT32_MAX : *live.bases.rbegin();
  if (kernarg != UINT32_MAX)
    addScalar(program, kernarg, 2, "kernarg");
  if (live.bases.size() > 1)
    addScalar(program, *live.bases.begin(), 2, "dispatchPacket");
  if (!live.offsets.empty())
    addScalar(program, *live.offsets.rbegin(), 1, "scratchOffset");
  if (isGfx12(program.kernel))
    return;
  bool old = program.kernel.target.starts_with("gfx9") ||
             program.kernel.target.starts_with("gfx10");
  if (live.scratch && old && kernarg > 3 && live.scalars.contains(0))
    addScalar(program, 0, 4, "scratchDescriptor");
  const char *axes[] = {"blockIdx.x", "blockIdx.y", "blockIdx.z"};
  size_t axis = 0;
  for (uint32_t index : live.scalars) {
    bool stack = live.offsets.contains(index) ||
                 (live.scratch && old && index < 4) || index == 32 ||
                 index == 33;
    bool base = live.bases.contains(index) ||
                (index > 0 && live.bases.contains(index - 1));
    if (index >= 106 || stack || base ||
        (kernarg != UINT32_MAX && index < kernarg) || axis == 3)
      continue;
    addScalar(program, index, 1, axes[axis++]);
  }
}

/// By the calling convention of LLVM's device functions.
static void addFunction(Program &program, const LiveIn &live) {
  if (live.scalars.contains(8))
    addScalar(program, 8, 2, "implicitArguments");
  const char *axes[] = {"blockIdx.x", "blockIdx.y", "blockIdx.z"};
  for (uint32_t axis = 0; axis < 3; ++axis)
    if (live.scalars.contains(12 + axis))
      addScalar(program, 12 + axis, 1, axes[axis]);
  if (live.scalars.contains(30))
    addScalar(program, 30, 2, "returnAddress");
  if (live.scalars.contains(32))
    addScalar(program, 32, 1, "stack");
  if (live.vectors.contains(31))
    program.entry.push_back({{RegClass::Vector, 31}, 1, "threadIdx.packed"});
}

static void addThreads(Program &program, const LiveIn &live) {
  auto add = [&](uint32_t index, const char *name) {
    program.entry.push_back({{RegClass::Vector, index}, 1, name});
  };
  const std::string &target = program.kernel.target;
  int64_t described = fieldOf(program.kernel, "system_vgpr_workitem_id", -1);
  bool packs = target == "gfx90a" || target.starts_with("gfx94") ||
               target.starts_with("gfx95") || target.starts_with("gfx11") ||
               target.starts_with("gfx12") || target.starts_with("gfx13");
  if (live.packed || (packs && described > 0)) {
    add(0, "threadIdx.packed");
    return;
  }
  add(0, "threadIdx.x");
  if (packs)
    return;
  if (described > 0 || (described < 0 && live.vectors.contains(1)))
    add(1, "threadIdx.y");
  if (described > 1 || (described < 0 && live.vectors.contains(2)))
    add(2, "threadIdx.z");
}

void amdgcn::findEntry(Program &program) {
  LiveIn live = findLiveIn(program);
  const Kernel &kernel = program.kernel;
  if (live.ttmp9 && (isGfx12(kernel) || kernel.target.empty()))
    addScalar(program, 1009, 1, "blockIdx.x");
  if (live.ttmp7 && (isGfx12(kernel) || kernel.target.empty()))
    addScalar(program, 1007, 1, "blockIdx.yz");
  if (!kernel.entry) {
    addFunction(program, live);
  } else {
    if (kernel.descriptor.contains("user_sgpr_kernarg_segment_ptr"))
      addDescribed(program);
    else
      addInferred(program, live);
    addThreads(program, live);
  }
  followArguments(program);
}
