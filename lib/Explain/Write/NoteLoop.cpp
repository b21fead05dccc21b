//===- NoteLoop.cpp - Loops, accumulators, strides ------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Write/NoteParts.h"
#include "Explain/Write/Summaries.h"
#include "Explain/Write/Words.h"

#include <algorithm>

using namespace wf::explain;

/// The instructions of a loop, loops within it included.
static std::vector<size_t> bodyOf(const Analysis &a, const Loop &loop) {
  std::vector<size_t> out;
  for (size_t b : loop.blocks)
    for (size_t i = a.blocks[b].first; i < a.blocks[b].last; ++i)
      out.push_back(i);
  return words::sorted(out);
}

/// "x >> 1 == 0" is said as what it asks of x: "x < 2".
static std::string plainer(const Analysis &a, ValueId id,
                           const Shorthand &names) {
  if (id >= a.values.size())
    return "";
  const Value &v = a.values[id];
  if (v.kind != Value::Kind::Operation || v.op != Op::Compare ||
      v.cmp != Cmp::Eq || v.args.size() < 2)
    return "";
  for (int side = 0; side < 2; ++side) {
    ValueId x = v.args[size_t(side)], y = v.args[size_t(1 - side)];
    if (x >= a.values.size() || y >= a.values.size())
      continue;
    const Value &shift = a.values[x], &zero = a.values[y];
    if (zero.kind == Value::Kind::Constant && zero.imm == 0 &&
        shift.kind == Value::Kind::Operation && shift.op == Op::ShrLogical &&
        shift.args.size() == 2 && shift.args[1] < a.values.size() &&
        a.values[shift.args[1]].kind == Value::Kind::Constant &&
        a.values[shift.args[1]].imm > 0 && a.values[shift.args[1]].imm < 31)
      return names.apply(expression(a, shift.args[0])) + " < " +
             std::to_string(1u << a.values[shift.args[1]].imm);
  }
  return "";
}

std::string Note::loopShape(const Loop &loop) const {
  std::string out;
  std::vector<size_t> tests;
  for (size_t b : loop.latches)
    if (a.blocks[b].last > a.blocks[b].first)
      tests.push_back(a.blocks[b].last - 1);
  if (loop.rotated && !tests.empty()) {
    out += "The compiler turned the loop round: the test stands at its end "
           "(the " +
           words::code(opcode(tests.back())) + " at " + at(tests.back()) + ")";
    if (loop.guardInstruction >= 0) {
      size_t guard = size_t(loop.guardInstruction);
      ValueId when = guard < a.code.size() ? a.code[guard].condition : noValue;
      out += ", and since a loop of that form runs at least once, a test of "
             "its own stands before it. The " +
             words::code(guardText(guard) + opcode(guard)) + " at " +
             at(guard) + " skips the whole loop";
      if (when < a.values.size()) {
        out += " where " + code(condition(a, when));
        if (std::string text = plainer(a, when, names); !text.empty())
          out += ", which is where " + words::code(text);
      }
      out += ": the guard against zero trips. The source's one condition is "
             "therefore computed twice.\n";
    } else {
      out += ".\n";
    }
  }
  if (loop.unrolled > 1)
    out += std::string(out.empty() ? "" : "\n") + "The body holds the step " +
           words::number(size_t(loop.unrolled)) +
           " times: the loop is unrolled ×" + std::to_string(loop.unrolled) +
           ".\n";
  return out;
}

void Note::loops(std::vector<Section> &out) const {
  size_t told = 0;
  for (size_t loopIndex = 0; loopIndex < a.loops.size(); ++loopIndex) {
    const Loop &loop = a.loops[loopIndex];
    if (++told > 6)
      break;
    std::vector<size_t> body = bodyOf(a, loop);
    std::string text = fenced(body, 44);
    std::vector<std::string> lines = loopCode(r, loopIndex);
    if (lines.size() > 60) {
      lines.resize(60);
      lines.push_back("…");
    }
    text += "\nBy role:\n\n" + words::fenced(lines);
    if (std::string shape = loopShape(loop); !shape.empty())
      text += "\n" + shape;
    std::string title = "The loop";
    if (a.loops.size() > 1)
      title += " at " + at(a.blocks[loop.header].first);
    if (loop.depth > 1)
      title += ", " + words::number(size_t(loop.depth)) + " deep";
    for (const Accumulator &acc : r.accumulators)
      if (acc.loopIndex >= 0 && &a.loops[size_t(acc.loopIndex)] == &loop &&
          acc.loop) {
        std::vector<size_t> heart = stepOf(acc);
        for (size_t i : body)
          if (r.roles[i].role == Role::Barrier)
            heart.push_back(i);
        std::vector<std::string> step;
        for (size_t i : words::sorted(heart))
          step.push_back(opcode(i));
        if (step.size() > 1 && step.size() < 12) {
          std::string arrows;
          for (const std::string &name : step)
            arrows += (arrows.empty() ? "" : " → ") + name;
          text += "\nIts heart is " + words::code(arrows) + ".\n";
        }
        if (a.loops.size() == 1)
          title = "The reduction loop";
        break;
      }
    out.push_back({title, text});
  }
  if (a.loops.size() > 6 && !out.empty())
    out.back().body +=
        "\n" + words::capital(words::counted(a.loops.size() - 6, "more loop")) +
        " are not shown.\n";
}

/// A load of what the same thread stored a step before.
std::string Note::redundantLoad(const Accumulator &acc) const {
  if (!acc.loop || !acc.through.count(Through::Shared) || acc.copies > 1)
    return "";
  for (size_t i : acc.step) {
    const Access *load = access(i, false);
    if (!load || !load->load || load->what.empty())
      continue;
    for (size_t j : acc.step) {
      const Access *store = access(j, true);
      if (!store || !store->store || store->what != load->what || i >= j)
        continue;
      return "The load at " + at(i) +
             " is redundant from one step to the "
             "next: for the same thread it brings back what the store at " +
             at(j) + " put into " + code(load->what) +
             " a step before, and no other thread writes there. A partial "
             "result kept in a register would save it, and with it " +
             std::to_string(load->bytes) + " of the " +
             std::to_string(acc.bytesRead) +
             " bytes that a lane reads; the store would still be needed for "
             "the other threads, which makes the mixed form.\n";
    }
  }
  return "";
}

static std::string costSentence(const Accumulator &acc) {
  std::string cost = costText(acc);
  return cost.empty() ? "" : "A step costs " + cost + ".";
}

void Note::accumulators(std::vector<Section> &out) const {
  size_t told = 0;
  for (const Accumulator &acc : r.accumulators) {
    if (acc.through == std::set<Through>{Through::Atomic})
      continue; // a section of its own says it
    if (++told > 8)
      break;
    std::vector<size_t> lines = stepOf(acc);
    std::string text = fenced(lines, 32);
    if (std::string say = meaning(lines); !say.empty())
      text += "\nThey say:\n\n" + say;
    if (acc.source.size() < 140)
      text += "\nwhich is " + words::code(sourceOf(acc)) + ".\n";
    if (acc.copies > 1)
      text +=
          "\n" +
          (acc.loop ? "The loop's body holds "
                    : std::string("There is no loop: the code holds ")) +
          words::number(size_t(acc.copies)) + " such steps (" +
          (acc.loop ? "unrolled ×" : "written out ×") +
          std::to_string(acc.copies) + "), of which this is the first" +
          (acc.halving ? "; from one to the next the distance halves" : "") +
          ".\n";
    text += "\n" + words::sentence(words::marked(brief(acc.verdict))) + "\n";
    if (acc.through == std::set<Through>{Through::Shared})
      text +=
          "\nThe accumulator is not kept in a register for long: at each "
          "step it is loaded, combined and stored again. So this is not\n\n" +
          words::fenced(std::vector<std::string>{"register accumulation"}) +
          "\nbut\n\n" +
          words::fenced(std::vector<std::string>{
              "accumulation materialised in shared memory"});
    if (std::string cost = costSentence(acc);
        !cost.empty() && acc.verdict.find("bytes") == std::string::npos)
      text += "\n" + cost + "\n";
    if (std::string load = redundantLoad(acc); !load.empty())
      text += "\n" + load;
    if (acc.rescaled)
      text += "\nThe accumulator is multiplied by a correction at each step: "
              "the online form, in which the maximum may still grow.\n";
    std::string title = "The accumulator's update";
    if (r.accumulators.size() > 1)
      title = "The accumulation by " + operationNoun(acc) + ", through " +
              throughText(acc) +
              (lines.empty() ? "" : " (" + at(lines.front()) + ")");
    out.push_back({title, text});
  }
  if (r.accumulators.size() > 8 && !out.empty())
    out.back().body += "\n" +
                       words::capital(words::counted(r.accumulators.size() - 8,
                                                     "more accumulation")) +
                       " of the kernel are not shown.\n";
}

/// The step's own address was computed before the stride changed.
std::string Note::strideOrder(size_t stride) const {
  if (!inLoop(stride) || !guardText(stride).empty())
    return "";
  const Block &block = a.blocks[a.blockOf[stride]];
  for (uint32_t w : statements.lives().defined(stride)) {
    const Web &web = a.webs[w];
    for (size_t address : web.uses) {
      if (address < block.first || address >= stride ||
          r.roles[address].role != Role::Address)
        continue;
      for (uint32_t d : statements.lives().defined(address))
        for (size_t use : a.webs[d].uses) {
          if (use <= stride || use >= block.last || !access(use, false))
            continue;
          size_t before = 0;
          for (size_t i = address + 1; i < stride; ++i)
            if (access(i, false))
              before = i;
          return "The " + words::code(opcode(stride)) + " at " + at(stride) +
                 " is not guarded and stands in the midst of the step" +
                 (before ? ", between the loads at " + at(before) + " and " +
                               at(use)
                         : "") +
                 ". That is safe: the address for " + at(use) +
                 " was computed before, by the " +
                 words::code(opcode(address)) + " at " + at(address) +
                 ", which had read " +
                 words::code(a.program.registerName(web.reg)) +
                 " while it held the old stride; and every thread needs the "
                 "new one, not only those that take part in the step.\n";
        }
    }
  }
  return "";
}

Section Note::strides() const {
  std::vector<size_t> all = withRole(Role::Stride);
  std::vector<const Loop *> inductive;
  for (const Loop &loop : a.loops)
    if (!loop.induction.empty())
      inductive.push_back(&loop);
  if (all.empty())
    return {"", ""};
  // With what the first of them rests on.
  std::vector<size_t> lines = all;
  for (size_t i : statements.lives().slice(all, 16))
    if (r.roles[i].role == Role::Parameter && !inLoop(i))
      lines.push_back(i);
  std::string out = fenced(lines, 20);
  std::vector<std::string> said;
  for (size_t i : words::sorted(lines)) {
    std::string says = brief(r.roles[i].says);
    if (!says.empty() && says.size() < 80)
      said.push_back(says + (inLoop(i) ? "  // in the loop" : ""));
  }
  if (said.size() > 20)
    said.resize(20);
  if (!said.empty())
    out += "\nBy role:\n\n" + words::fenced(said);
  if (!inductive.empty()) {
    std::vector<std::string> texts;
    for (const Loop *loop : inductive)
      if (texts.size() < 6)
        texts.push_back(code(loop->induction));
    out += "\nFrom step to step it is " + words::listed(texts) + ".\n";
  }
  bool uniform = false, vector = false;
  std::string example, other;
  for (size_t i : all)
    for (const Effect &e : a.program.code[i].effects)
      if (e.def && r.kernel().isa == Isa::Sass) {
        (e.def->reg.cls == RegClass::Uniform ? uniform : vector) = true;
        (e.def->reg.cls == RegClass::Uniform ? example : other) = opcode(i);
      }
  if (uniform && vector)
    out += "\n" + words::code(example) +
           " works on a uniform register (one "
           "value for the warp), " +
           words::code(other) + " on a thread's own.\n";
  for (size_t i : all)
    if (std::string text = strideOrder(i); !text.empty()) {
      out += "\n" + text;
      break;
    }
  return {inductive.size() == 1 &&
                  inductive[0]->induction.find("stride") != std::string::npos
              ? "How the stride changes"
              : "Counters and strides",
          out};
}
