//===- PseudoCode.cpp - A kernel as nested statements ---------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Blocks become ifs and loops by post-dominators; guards become ifs around runs
// of instructions that share them. What fits neither (irreducible flow, nesting
// past a limit) is a goto to a label. Each block is written once, so that the
// text is as long as the code.
//===----------------------------------------------------------------------===//
#include "Explain/Write/Excerpt.h"
#include "Explain/Write/GuardedLines.h"
#include "Explain/Write/Words.h"
#include "Explain/Write/Write.h"

#include <algorithm>
#include <unordered_set>

using namespace wf::explain;

namespace {
constexpr size_t none = SIZE_MAX;
constexpr int deepest = 32;

class Nesting : private GuardedLines {
public:
  explicit Nesting(const Report &report)
      : GuardedLines(report), visited(a.blocks.size()),
        placed(a.blocks.size(), none), indentOf(a.blocks.size()),
        wanted(a.blocks.size()), loopAt(a.blocks.size(), -1),
        opened(a.loops.size()), left(a.loops.size(), none),
        bottom(a.loops.size(), none) {
    for (size_t l = 0; l < a.loops.size(); ++l)
      if (a.loops[l].header < loopAt.size())
        loopAt[a.loops[l].header] = int(l);
    for (const Value &v : a.values)
      if (v.kind == Value::Kind::Phi && v.block < loopAt.size() &&
          loopAt[v.block] >= 0)
        carriedOn.insert(v.args.begin(), v.args.end());
    for (size_t l = 0; l < a.loops.size(); ++l) {
      beforeStep.push_back(testsBeforeStep(a.loops[l]));
      if (a.loops[l].guardInstruction >= 0 && !beforeStep[l])
        zeroTrip.push_back(size_t(a.loops[l].guardInstruction));
    }
    std::sort(zeroTrip.begin(), zeroTrip.end());
  }

  std::vector<std::string> run() {
    if (a.blocks.empty())
      return {};
    sequence(0, none, -1);
    for (size_t n = 0; n < a.blocks.size(); ++n) {
      while (!later.empty()) {
        size_t b = later.back();
        later.pop_back();
        if (!visited[b])
          apart(b);
      }
      if (!visited[n] && a.blocks[n].reachable && printsAnything(n))
        apart(n);
    }
    closeGuards(0);
    return finished(r, withLabels(), later.empty());
  }

  std::vector<std::string> runLoop(size_t l) {
    writeLoop(int(l));
    closeGuards(0);
    return finished(r, withLabels(), later.empty());
  }

private:
  /// Does the test at a loop's end ask for a value that the step has replaced
  /// by then? As the head of a while it would say something else.
  bool testsBeforeStep(const Loop &loop) const {
    if (!loop.rotated || loop.latches.size() != 1)
      return false;
    const Block &latch = a.blocks[loop.latches[0]];
    if (latch.last == latch.first || latch.last > a.code.size())
      return false;
    std::vector<ValueId> work{a.code[latch.last - 1].condition};
    for (size_t steps = 0; !work.empty() && steps < 64; ++steps) {
      ValueId id = work.back();
      work.pop_back();
      if (id >= a.values.size() || carriedOn.count(id))
        continue;
      const Value &v = a.values[id];
      if (v.kind == Value::Kind::Phi) {
        if (v.block == loop.header && v.reg.cls != RegClass::Flag)
          return true;
        continue;
      }
      work.insert(work.end(), v.args.begin(), v.args.end());
    }
    return false;
  }

  /// A block that no structure leads to.
  void apart(size_t b) {
    closeGuards(0);
    nested = 0;
    wanted[b] = true;
    sequence(b, none, -1);
    closeGuards(0);
  }

  bool printsAnything(size_t b) const {
    for (size_t i = a.blocks[b].first; i < a.blocks[b].last; ++i)
      if (!statements.of(i).empty())
        return true;
    return false;
  }

  // Structure.

  bool inLoop(size_t b, int loop) const {
    const auto &blocks = a.loops[loop].blocks;
    return std::binary_search(blocks.begin(), blocks.end(), b);
  }

  void jump(size_t b) {
    wanted[b] = true;
    line("goto " + label(b) + ";");
    if (!visited[b])
      later.push_back(b);
  }
  std::string label(size_t b) const {
    return "L_" +
           words::hex(r.kernel().code[a.blocks[b].first].address).substr(2);
  }

  void sequence(size_t b, size_t stop, int loop) {
    while (b != none && b != stop && b < a.blocks.size()) {
      if (loopAt[b] >= 0 && !opened[loopAt[b]]) {
        b = writeLoop(loopAt[b]);
        continue;
      }
      if (visited[b]) {
        jump(b);
        return;
      }
      visited[b] = true;
      if (placed[b] == none) {
        placed[b] = out.size();
        indentOf[b] = depth();
      }
      blockStatements(b);
      b = leave(b, stop, loop);
    }
  }

  /// Where the loop's own test is: a block with one way out of the loop.
  void findTest(int l) {
    const Loop &loop = a.loops[l];
    auto exitOf = [&](size_t b) {
      for (size_t next : a.blocks[b].next)
        if (!inLoop(next, l))
          return next;
      return none;
    };
    if (loop.latches.size() == 1 && exitOf(loop.latches[0]) != none) {
      bottom[l] = loop.latches[0];
      left[l] = exitOf(loop.latches[0]);
      return;
    }
    left[l] = exitOf(loop.header);
    for (size_t n = 0; n < loop.blocks.size() && left[l] == none; ++n)
      left[l] = exitOf(loop.blocks[n]);
  }

  size_t writeLoop(int l) {
    opened[l] = true;
    const Loop &loop = a.loops[l];
    findTest(l);
    closeGuards(0);
    bool guarded = loop.guardInstruction >= 0 && !beforeStep[size_t(l)];
    std::string test = loop.condition;
    if (beforeStep[size_t(l)] && !test.empty())
      test += " before the step";
    if (test.empty() && bottom[l] != none)
      test = bottomTest(l);
    bool atTop = bottom[l] == none && !loop.condition.empty() &&
                 left[l] != none && !printsAnything(loop.header);
    bool tested = !test.empty();
    placed[loop.header] = out.size();
    indentOf[loop.header] = depth();
    if (bottom[l] != none && !guarded)
      line("do {");
    else if (tested && (guarded || atTop))
      line("while (" + test + ") {");
    else
      line("for (;;) {");
    topTest = atTop ? loop.header : none;
    if (++nested > deepest) {
      jump(loop.header);
    } else {
      sequence(loop.header, none, l);
    }
    closeGuards(0);
    --nested;
    line(bottom[l] != none && !guarded
             ? "} while (" + (tested ? test : std::string("…")) + ");"
             : "}");
    return left[l];
  }

  std::string bottomTest(int l) const {
    size_t last = a.blocks[bottom[l]].last - 1;
    if (last >= a.code.size())
      return "";
    ValueId taken = a.code[last].condition;
    bool again = false;
    for (size_t t : a.program.code[last].flow.targets)
      again |= t < a.blockOf.size() && a.blockOf[t] == a.loops[l].header;
    return taken < a.values.size() ? condition(a, taken, !again) : "";
  }

  /// Writes how block `b` ends; the block to go on with, or none.
  size_t leave(size_t b, size_t stop, int loop) {
    const Block &block = a.blocks[b];
    if (block.last == block.first)
      return next(b);
    size_t last = block.last - 1;
    const Flow &flow = a.program.code[last].flow;
    if (a.program.code[last].never)
      return next(b);
    switch (flow.kind) {
    case Flow::Kind::Next:
    case Flow::Kind::Call:
      return go(next(b), stop, loop);
    case Flow::Kind::Exit:
    case Flow::Kind::Return:
      return leaveKernel(last, b, stop, loop);
    case Flow::Kind::Trap:
      line("trap();");
      return none;
    case Flow::Kind::Indirect:
      return leaveIndirect(b, stop, loop);
    case Flow::Kind::Jump:
      break;
    }
    if (block.next.size() < 2)
      return go(next(b), stop, loop);
    return leaveBranch(b, stop, loop);
  }

  size_t next(size_t b) const {
    return a.blocks[b].next.empty() ? none : a.blocks[b].next[0];
  }

  size_t leaveKernel(size_t last, size_t b, size_t stop, int loop) {
    bool goesOn = !a.blocks[b].next.empty();
    const char *word = a.program.code[last].flow.kind == Flow::Kind::Exit
                           ? "exit;"
                           : "return;";
    if (!goesOn) {
      bool leavesKernel = a.program.code[last].flow.kind == Flow::Kind::Exit;
      if (depth() > 0 || !later.empty() || !leavesKernel)
        line(word);
      return none;
    }
    ValueId when = last < a.code.size() ? a.code[last].guard : noValue;
    if (when >= a.values.size() && last < a.code.size())
      when = a.code[last].condition;
    closeGuards(0);
    line("if (" + statements.conditionOf(last, when) + ") " + word);
    return go(next(b), stop, loop);
  }

  size_t leaveIndirect(size_t b, size_t stop, int loop) {
    closeGuards(0);
    const std::vector<size_t> targets = a.blocks[b].next;
    size_t join = a.blocks[b].postDominator;
    if (targets.empty()) {
      line("goto a place that the listing does not name;");
      return none;
    }
    line("switch (…) {");
    ++nested;
    for (size_t t : targets) {
      line("case: {");
      ++nested;
      if (nested > deepest || t == join || t == stop || visited[t]) {
        if (t != join && t != stop)
          jump(t);
      } else {
        sequence(t, join, loop);
      }
      closeGuards(0);
      --nested;
      line("}");
    }
    --nested;
    line("}");
    return go(join, stop, loop);
  }

  /// An edge that is no branch: to the loop's start or out of it said so.
  size_t go(size_t to, size_t stop, int loop) {
    if (to == none || to == stop || loop < 0)
      return to;
    if (to == a.loops[loop].header)
      return none; // the end of the body
    if (!inLoop(to, loop)) {
      if (to == left[loop])
        line("break;");
      else
        jump(to);
      return none;
    }
    return to;
  }

  bool special(size_t to, int loop) const {
    return loop >= 0 && (to == a.loops[loop].header || !inLoop(to, loop));
  }
  std::string leaving(size_t to, int loop) {
    if (to == a.loops[loop].header)
      return "continue;";
    if (to == left[loop])
      return "break;";
    wanted[to] = true;
    if (!visited[to])
      later.push_back(to);
    return "goto " + label(to) + ";";
  }

  size_t leaveBranch(size_t b, size_t stop, int loop) {
    const Block &block = a.blocks[b];
    size_t last = block.last - 1;
    const Flow &flow = a.program.code[last].flow;
    size_t taken = none, fall = none;
    for (size_t t : flow.targets)
      if (t < a.blockOf.size())
        taken = a.blockOf[t];
    for (size_t n : block.next)
      if (n != taken)
        fall = n;
    if (taken == none || fall == none)
      return go(next(b), stop, loop);
    size_t join = block.postDominator;
    if (loop >= 0 && bottom[loop] == b)
      return none;
    if (loop >= 0 && topTest == b) {
      topTest = none;
      return inLoop(taken, loop) ? taken : fall;
    }
    if (std::binary_search(zeroTrip.begin(), zeroTrip.end(), last))
      return go(taken == join || taken == stop ? fall : taken, stop, loop);
    ValueId when = last < a.code.size() ? a.code[last].condition : noValue;
    // A jump over code that no lane would run: the guards of that code say it.
    bool shortcut = flow.condition &&
                    flow.condition->kind == Source::Kind::Register &&
                    flow.condition->reg.cls == RegClass::Flag &&
                    (flow.condition->reg.index == flags::exec ||
                     flow.condition->reg.index == flags::execHi);
    if (shortcut && flow.onZero && !special(fall, loop))
      return fall;
    auto text = [&](bool negated) { return test(last, when, negated); };
    closeGuards(0);
    if (special(taken, loop)) {
      line("if (" + text(false) + ") " + leaving(taken, loop));
      return go(fall, stop, loop);
    }
    if (special(fall, loop)) {
      line("if (" + text(true) + ") " + leaving(fall, loop));
      return taken;
    }
    if (nested >= deepest) {
      line("if (" + text(false) + ") goto " + label(taken) + ";");
      wanted[taken] = true;
      later.push_back(taken);
      return fall;
    }
    return branchArms({taken, fall, join, stop, loop}, when, text(false),
                      text(true));
  }

  /// A flag that comes from the step before reads as what it was then.
  std::string test(size_t i, ValueId when, bool negated) const {
    if (when >= a.values.size())
      return "…";
    const Value &v = a.values[when];
    bool carried = v.kind == Value::Kind::Phi && v.args.size() == 2 &&
                   v.block < loopAt.size() && loopAt[v.block] >= 0;
    if (!carried)
      return statements.conditionOf(i, when, negated);
    const Block &header = a.blocks[v.block];
    size_t inner = header.previous.size() == 2 &&
                           inLoop(header.previous[0], loopAt[v.block])
                       ? 0
                       : 1;
    return condition(a, v.args[1 - inner], negated) +
           " at first, then: " + condition(a, v.args[inner], negated) +
           " in the step before";
  }

  struct Arms {
    size_t taken, fall, join, stop;
    int loop;
  };

  size_t branchArms(const Arms &arms, ValueId when, const std::string &yes,
                    const std::string &no) {
    auto [taken, fall, join, stop, loop] = arms;
    size_t end = join == none ? stop : join;
    if (taken == end || fall == end) {
      size_t arm = taken == end ? fall : taken;
      line("if (" + (taken == end ? no : yes) + ") {");
      writeArm(arm, end, loop, arm == taken ? when : noValue);
      line("}");
      return go(end, stop, loop);
    }
    line("if (" + yes + ") {");
    writeArm(taken, end, loop, when);
    // An arm that leaves the kernel needs no else.
    if (join == none) {
      line("}");
      return go(fall, stop, loop);
    }
    line("} else {");
    writeArm(fall, end, loop, noValue);
    line("}");
    return go(end, stop, loop);
  }

  void writeArm(size_t b, size_t end, int loop, ValueId holds) {
    ++nested;
    enclosing.push_back(holds);
    sequence(b, end, loop);
    closeGuards(0);
    enclosing.pop_back();
    --nested;
  }

  std::vector<std::string> withLabels() {
    std::vector<std::pair<size_t, size_t>> labels; // line, block
    for (size_t b = 0; b < wanted.size(); ++b)
      if (wanted[b] && placed[b] != none)
        labels.push_back({placed[b], b});
    std::sort(labels.begin(), labels.end());
    std::vector<std::string> text;
    size_t n = 0;
    for (size_t at = 0; at <= out.size(); ++at) {
      for (; n < labels.size() && labels[n].first == at; ++n)
        text.push_back(
            std::string(size_t(2 * indentOf[labels[n].second]), ' ') +
            label(labels[n].second) + ":");
      if (at < out.size())
        text.push_back(std::move(out[at]));
    }
    return text;
  }

  std::vector<bool> visited;
  std::vector<size_t> placed;
  std::vector<int> indentOf;
  std::vector<bool> wanted;
  std::vector<int> loopAt;
  std::vector<bool> opened;
  std::unordered_set<ValueId> carriedOn; ///< what loops' phis are made of
  std::vector<bool> beforeStep;          ///< by loop
  std::vector<size_t> left, bottom;      ///< by loop
  std::vector<size_t> zeroTrip;
  std::vector<size_t> later;
  size_t topTest = none;
};
} // namespace

std::vector<std::string> wf::explain::loopCode(const Report &r, size_t loop) {
  return loop < r.analysis.loops.size() ? Nesting(r).runLoop(loop)
                                        : std::vector<std::string>{};
}

std::vector<std::string> wf::explain::pseudoCode(const Report &report) {
  return Nesting(report).run();
}
