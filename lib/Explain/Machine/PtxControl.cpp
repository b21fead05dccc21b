//===- PtxControl.cpp - PTX's lane exchange, barriers and branches --------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Machine/PtxDecode.h"

#include <algorithm>

namespace wf::explain::ptx {

/// "%r1|%p1" into its two results.
static std::pair<std::optional<Def>, std::optional<Def>>
twoResults(Context &c, std::string_view text) {
  size_t bar = text.find('|');
  if (bar == std::string_view::npos)
    return {c.names.def(text), std::nullopt};
  return {c.names.def(text.substr(0, bar)), c.names.def(text.substr(bar + 1))};
}

static ShuffleKind shuffleKind(const Mnemonic &m) {
  if (m.has("up"))
    return ShuffleKind::Up;
  if (m.has("down"))
    return ShuffleKind::Down;
  return m.has("bfly") ? ShuffleKind::Xor : ShuffleKind::Index;
}

static void shuffle(Context &c) {
  auto [value, inRange] = twoResults(c, c.operand(0));
  Effect &e = c.plain(Op::Shuffle, c.m.type());
  e.def = value;
  e.shuffle = shuffleKind(c.m);
  if (e.in.size() > 3)
    e.in.resize(3); // the mask of lanes says who takes part, and no value
  if (!inRange)
    return;
  Effect valid = e;
  valid.op = Op::ClassTest;
  valid.type = Type::Pred;
  valid.def = inRange;
  valid.detail = "in range";
  c.out.effects.push_back(std::move(valid));
}

bool decodeLanes(Context &c) {
  std::string_view root = c.m.root;
  if (root == "shfl") {
    shuffle(c);
  } else if (root == "vote") {
    Effect &e = c.plain(c.m.has("ballot") ? Op::Ballot : Op::Vote, c.m.type());
    e.in.resize(std::min<size_t>(e.in.size(), 1));
    for (std::string_view kind : {"all", "any", "uni"})
      if (c.m.has(kind))
        e.detail = kind;
  } else if (root == "activemask") {
    c.plain(Op::Ballot, Type::B32).detail = "activemask";
  } else if (root == "match") {
    auto [value, all] = twoResults(c, c.operand(0));
    Effect &e = c.plain(Op::Match, Type::B32);
    e.def = value;
    e.in.resize(std::min<size_t>(e.in.size(), 1));
    e.detail = c.m.has("all") ? "all" : "any";
    if (all) {
      Effect &p = c.plain(Op::ClassTest, Type::Pred);
      p.def = all;
      p.detail = "all lanes match";
    }
  } else if (root == "redux") {
    Effect &e = c.plain(Op::WarpReduce, c.m.type());
    e.in.resize(std::min<size_t>(e.in.size(), 1));
    for (std::string_view op : {"add", "min", "max", "and", "or", "xor"})
      if (c.m.has(op))
        e.detail = op;
  } else if (root == "elect") {
    auto [lane, elected] = twoResults(c, c.operand(0));
    if (lane) {
      Effect &e = c.plain(Op::Elect, Type::B32);
      e.def = lane;
    }
    Effect &p = c.plain(Op::Elect, Type::Pred);
    p.def = elected;
  } else {
    return false;
  }
  return true;
}

/// bar.red gives a result, all others of a block's barriers none.
static void barrier(Context &c) {
  if (c.m.has("cluster")) {
    c.add(c.m.has("wait") ? Op::ClusterWait : Op::ClusterArrive, Type::None)
        .detail = c.m.rest();
    return;
  }
  if (c.m.has("warp")) {
    Effect &e = c.add(Op::WarpSync, Type::None);
    e.in = c.names.sources(c.operand(0));
    return;
  }
  if (c.m.has("red")) {
    Effect &e = c.plain(Op::Barrier, c.m.type());
    e.detail = c.m.rest();
    return;
  }
  Effect &e =
      c.add(c.m.has("arrive") ? Op::BarrierArrive : Op::Barrier, Type::None);
  e.detail = c.operand(0).empty() ? "0" : std::string(c.operand(0));
  for (size_t i = 0; i < c.count(); ++i)
    e.in.push_back(c.names.source(c.operand(i)));
}

static void targetsOf(Context &c, Flow &flow) {
  const Kernel &kernel = c.names.kernel();
  // The reader makes an instruction's address its index.
  if (c.instruction.target)
    flow.targets.push_back(static_cast<size_t>(*c.instruction.target));
  for (uint64_t to : c.instruction.targets)
    flow.targets.push_back(static_cast<size_t>(to));
  if (!flow.targets.empty() || c.m.root == "brx")
    return;
  auto label = kernel.labels.find(std::string(c.operand(0)));
  if (label != kernel.labels.end())
    flow.targets.push_back(label->second);
}

static void flowOf(Context &c, Op op, Flow::Kind kind) {
  c.add(op, Type::None);
  Flow &flow = c.out.flow;
  flow.kind = kind;
  flow.conditional = c.out.guard.has_value();
  flow.condition = c.out.guard;
}

/// call (result), name, (arguments): the callee is the first bare operand.
static void call(Context &c) {
  flowOf(c, Op::Call, Flow::Kind::Call);
  Effect &e = c.out.effects.back();
  for (size_t i = 0; i < c.count(); ++i) {
    std::string_view operand = c.operand(i);
    if (operand.empty() || operand[0] == '(')
      continue;
    Source callee = c.names.source(operand);
    if (c.out.flow.callee.empty())
      c.out.flow.callee = std::string(operand);
    if (callee.kind == Source::Kind::Register)
      e.in.push_back(std::move(callee));
    break;
  }
  e.detail = c.out.flow.callee;
}

static bool hints(Context &c) {
  std::string_view root = c.m.root;
  if (root == "nanosleep") {
    c.add(Op::Sleep, Type::None).in = c.names.sources(c.operand(0));
  } else if (root == "pmevent" || root == "setmaxnreg" ||
             root == "griddepcontrol") {
    c.add(Op::Hint, Type::None).detail = c.instruction.mnemonic;
  } else if (root == "alloca" || root == "stacksave" ||
             root == "stackrestore") {
    c.plain(Op::Special, c.m.type()).detail = root;
  } else if (root == "membar" || root == "fence") {
    Effect &e = c.add(Op::Fence, Type::None);
    e.detail = c.m.rest();
  } else {
    return false;
  }
  return true;
}

bool decodeControl(Context &c) {
  std::string_view root = c.m.root;
  if (root == "bar" || root == "barrier") {
    barrier(c);
  } else if (root == "bra") {
    flowOf(c, Op::Branch, Flow::Kind::Jump);
    targetsOf(c, c.out.flow);
  } else if (root == "brx") {
    flowOf(c, Op::Branch, Flow::Kind::Indirect);
    c.out.effects.back().in = c.names.sources(c.operand(0));
    targetsOf(c, c.out.flow);
  } else if (root == "ret") {
    // A kernel's return is its end.
    bool entry = c.names.kernel().entry;
    flowOf(c, entry ? Op::Exit : Op::Return,
           entry ? Flow::Kind::Exit : Flow::Kind::Return);
  } else if (root == "exit") {
    flowOf(c, Op::Exit, Flow::Kind::Exit);
  } else if (root == "trap") {
    flowOf(c, Op::Trap, Flow::Kind::Trap);
  } else if (root == "brkpt") {
    c.add(Op::Trap, Type::None);
  } else if (root == "call") {
    call(c);
  } else {
    return hints(c);
  }
  return true;
}

} // namespace wf::explain::ptx
