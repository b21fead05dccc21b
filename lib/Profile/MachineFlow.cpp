//===- MachineFlow.cpp - How often machine blocks ran ---------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Profile/MachineFlow.h"

#include "llvm/ADT/STLExtras.h"

using namespace wf;

namespace {

using Count = std::optional<uint64_t>;

/// Waves along a branch from one node to another.
struct Edge {
  size_t from, to;
  Count count;
};

/// Blocks that follow each other whatever happens are one node.
struct Flow {
  std::vector<size_t> nodeOf; ///< by block
  std::vector<Count> nodes;
  std::vector<Edge> edges;

  Flow(const std::vector<MachineBlock> &blocks, const BlockExecutions &ran);
  bool settle(size_t node, bool incoming);
  void solve();
};

} // namespace

Flow::Flow(const std::vector<MachineBlock> &blocks,
           const BlockExecutions &ran) {
  std::vector<unsigned> predecessors(blocks.size(), 0);
  for (const MachineBlock &block : blocks)
    for (size_t next : block.successors)
      ++predecessors[next];
  auto joinsPrevious = [&](size_t b) {
    return b && predecessors[b] == 1 && blocks[b - 1].successors.size() == 1 &&
           blocks[b - 1].successors[0] == b;
  };
  for (size_t b = 0; b < blocks.size(); ++b) {
    bool head = !joinsPrevious(b);
    if (head)
      nodes.emplace_back();
    nodeOf.push_back(nodes.size() - 1);
    // The head's count is the node's: where the jump around a short block was
    // left out, waves without an active lane run it too, and the simulator
    // counts those only that have one.
    auto known = ran.find(blocks[b].irBlock);
    if (head && known != ran.end())
      nodes.back() = known->second;
  }
  for (size_t b = 0; b < blocks.size(); ++b)
    for (size_t next : blocks[b].successors)
      if (!joinsPrevious(next))
        edges.push_back({nodeOf[b], nodeOf[next], std::nullopt});
}

/// What one side of a node says: of its own count, or of one edge there. True
/// if that is new.
bool Flow::settle(size_t node, bool incoming) {
  uint64_t sum = 0;
  Edge *unknown = nullptr;
  unsigned all = 0, missing = 0;
  for (Edge &edge : edges) {
    if ((incoming ? edge.to : edge.from) != node)
      continue;
    ++all;
    if (edge.count) {
      sum += *edge.count;
    } else {
      unknown = &edge;
      ++missing;
    }
  }
  if (!all)
    return false; // the kernel's start or end
  if (!missing && !nodes[node]) {
    nodes[node] = sum;
    return true;
  }
  if (missing != 1 || !nodes[node])
    return false;
  unknown->count = *nodes[node] > sum ? *nodes[node] - sum : 0;
  return true;
}

void Flow::solve() {
  for (bool more = true; more;) {
    more = false;
    for (size_t node = 0; node < nodes.size(); ++node) {
      // Waves come to the first node from outside as well.
      if (node)
        more |= settle(node, /*incoming=*/true);
      more |= settle(node, /*incoming=*/false);
    }
  }
}

std::vector<std::optional<uint64_t>>
wf::machineExecutions(const std::vector<MachineBlock> &blocks,
                      const BlockExecutions &ran) {
  Flow flow(blocks, ran);
  // Without all jumps nothing follows from them.
  if (llvm::none_of(blocks, [](const MachineBlock &b) { return b.jumpsFar; }))
    flow.solve();
  std::vector<Count> executions;
  for (size_t b = 0; b < blocks.size(); ++b) {
    executions.push_back(flow.nodes[flow.nodeOf[b]]);
    auto known = ran.find(blocks[b].irBlock);
    if (!executions.back() && known != ran.end())
      executions.back() = known->second;
  }
  return executions;
}
