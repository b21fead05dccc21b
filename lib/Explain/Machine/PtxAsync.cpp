//===- PtxAsync.cpp - PTX's asynchronous copies and their barriers --------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Machine/PtxDecode.h"

namespace wf::explain::ptx {

static Space sideOf(std::string_view part) {
  if (part == "global")
    return Space::Global;
  if (part == "shared" || part == "shared::cta")
    return Space::Shared;
  return part == "shared::cluster" ? Space::Cluster : Space::None;
}

/// cp.async.cg.shared.global [to], [from], 16: a load and a store.
static void copy(Context &c) {
  Memory to, from;
  for (std::string_view part : c.m.parts) {
    Space side = sideOf(part);
    if (side == Space::None)
      continue;
    if (to.space == Space::None)
      to.space = side;
    else if (from.space == Space::None)
      from.space = side;
  }
  if (from.space == Space::None) // a prefetch names its source alone
    from.space = to.space;
  c.names.address(c.operand(0), to);
  c.names.address(c.operand(1), from);
  uint32_t bytes = 0; // of a tensor's tile the text does not say
  if (!c.m.has("tensor"))
    if (Source size = c.names.source(c.operand(2));
        size.kind == Source::Kind::Immediate)
      bytes = static_cast<uint32_t>(size.imm);
  to.bytes = from.bytes = bytes;
  to.async = from.async = true;
  Effect &load = c.add(Op::Load, Type::None);
  load.memory = from;
  load.detail = c.m.rest();
  bool reduces = c.m.has("reduce") || c.m.root == "red";
  Effect &store = c.add(reduces ? Op::Atomic : Op::Store, Type::None);
  store.memory = to;
  store.detail = c.m.rest();
  if (!reduces)
    return;
  for (std::string_view op : {"add", "min", "max", "and", "or", "xor", "inc"})
    if (c.m.has(op))
      store.memory->atomic = op;
}

static void barrierObject(Context &c) {
  std::string what = c.m.rest();
  Effect *e = nullptr;
  if (c.m.has("test_wait") || c.m.has("try_wait")) {
    e = &c.add(Op::BarrierWait, Type::Pred);
    e->def = c.names.def(c.operand(0));
  } else if (c.m.has("init") || c.m.has("inval")) {
    e = &c.add(Op::Store, Type::B64);
  } else {
    // arrive, arrive_drop, expect_tx, complete_tx, pending_count
    e = &c.add(Op::BarrierArrive, Type::B64);
    e->def = c.names.def(c.operand(0));
  }
  e->detail = "mbarrier." + what;
  for (size_t i = 0; i < c.count(); ++i)
    if (!c.operand(i).empty() && c.operand(i)[0] == '[') {
      Memory memory;
      memory.space =
          c.m.has("shared::cluster") ? Space::Cluster : Space::Shared;
      memory.bytes = 8;
      memory.strong = true;
      c.names.address(c.operand(i), memory);
      e->memory = memory;
    }
  // Only init writes what a load could see.
  if (e->op == Op::Store && e->memory && c.count() > 1) {
    e->memory->data = c.names.source(c.operand(1));
    e->in.push_back(*e->memory->data);
  }
}

static bool copies(Context &c) {
  if (c.m.has("commit_group")) {
    c.add(Op::AsyncCopyCommit, Type::None).detail = c.m.rest();
  } else if (c.m.has("wait_group") || c.m.has("wait_all")) {
    Effect &e = c.add(Op::AsyncCopyWait, Type::None);
    e.detail = c.count() ? std::string(c.operand(0)) : c.m.rest();
  } else if (c.m.has("mbarrier")) {
    c.add(Op::BarrierArrive, Type::None).detail = c.m.rest();
  } else if (c.m.has("prefetch")) {
    c.add(Op::Prefetch, Type::None).detail = c.m.rest();
  } else {
    copy(c);
  }
  return true;
}

bool decodeAsync(Context &c) {
  std::string_view root = c.m.root;
  if (root == "cp")
    return copies(c);
  if (root == "st" || root == "red") { // st.async, red.async
    Effect &e = c.add(root == "st" ? Op::Store : Op::Atomic, c.m.type());
    Memory memory;
    memory.space = Space::Cluster;
    memory.bytes = bitsOf(c.m.type()) / 8 * c.m.vector;
    memory.async = true;
    c.names.address(c.operand(0), memory);
    memory.data = c.names.source(c.operand(1));
    e.in = c.names.sources(c.operand(1));
    e.memory = memory;
    return true;
  }
  if (root == "mbarrier") {
    barrierObject(c);
    return true;
  }
  if (root == "wgmma") { // fence, commit_group, wait_group
    Op op = c.m.has("fence")          ? Op::Fence
            : c.m.has("commit_group") ? Op::AsyncCopyCommit
                                      : Op::AsyncCopyWait;
    c.add(op, Type::None).detail = "wgmma." + c.m.rest();
    return true;
  }
  if (root == "tcgen05" || root == "tensormap") {
    bool waits = c.m.has("wait") || c.m.has("commit");
    Effect &e = c.plain(waits ? Op::AsyncCopyWait : Op::Matrix, c.m.type());
    e.detail = c.instruction.mnemonic;
    return true;
  }
  return false;
}

} // namespace wf::explain::ptx
