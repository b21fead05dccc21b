//===- Excerpt.cpp - Chosen instructions as pseudo-code -------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Write/Excerpt.h"
#include "Explain/Write/Words.h"

#include <algorithm>

using namespace wf::explain;

/// Is the guard no more than the mask of a loop's running lanes?
static bool isLoopMask(const Analysis &a, ValueId id) {
  return a.values[id].kind == Value::Kind::Phi &&
         a.values[id].reg.cls == RegClass::Flag;
}

std::vector<std::string>
wf::explain::excerpt(const Report &r, const Statements &statements,
                     const Shorthand &shorthand,
                     const std::vector<size_t> &instructions) {
  const Analysis &a = r.analysis;
  struct Item {
    size_t at;
    ValueId guard;
  };
  std::vector<Item> items;
  for (size_t i : instructions) {
    if (i >= a.code.size() || statements.of(i).empty())
      continue;
    ValueId guard = a.code[i].guard;
    if (guard < a.values.size() && isLoopMask(a, guard))
      guard = noValue;
    // An unguarded one between two of a guard goes behind where it may.
    if (guard < a.values.size() && items.size() > 1 &&
        items.back().guard == noValue &&
        items[items.size() - 2].guard == guard &&
        statements.commute(items.back().at, i)) {
      items.insert(items.end() - 1, {i, guard});
      continue;
    }
    items.push_back({i, guard});
  }
  bool used = false;
  for (const Item &item : items) {
    const std::string &text = statements.of(item.at);
    std::string guard = item.guard < a.values.size()
                            ? statements.conditionOf(item.at, item.guard)
                            : "";
    used |= shorthand.apply(guard) != guard ||
            (!text.ends_with(" = " + shorthand.meaning()) &&
             shorthand.apply(text) != text);
  }
  std::vector<std::string> out;
  ValueId open = noValue;
  for (const Item &item : items) {
    if (item.guard != open && open != noValue)
      out.push_back("}");
    if (item.guard != open && item.guard < a.values.size())
      out.push_back(
          "if (" +
          shorthand.apply(statements.conditionOf(item.at, item.guard)) + ") {");
    open = item.guard < a.values.size() ? item.guard : noValue;
    std::string text = statements.of(item.at);
    if (!text.ends_with(" = " + shorthand.meaning()) ||
        shorthand.name().empty())
      text = shorthand.apply(text) + ";";
    else
      text += used ? ";  // " + shorthand.name() : ";";
    out.push_back((open == noValue ? "" : "  ") + text);
  }
  if (open != noValue)
    out.push_back("}");
  return out;
}

/// "the address of x[i]" of a register that a memory access takes as its base.
static std::string addressedBy(const Statements &statements, const Report &r,
                               const Web &web) {
  for (size_t use : web.uses)
    for (const Effect &e : r.analysis.program.code[use].effects) {
      if (!e.memory || !e.memory->base)
        continue;
      const Source &base = *e.memory->base;
      const Access *access = statements.accessAt(use, e.op == Op::Store);
      if (!access || access->what.empty() || base.scale != 1 ||
          base.kind != Source::Kind::Register || base.reg.cls != web.reg.cls ||
          web.reg.index < base.reg.index ||
          web.reg.index >= base.reg.index + base.count)
        continue;
      const char *half = web.reg.index > base.reg.index ? "the upper half of "
                         : base.count > 1               ? "the lower half of "
                                                        : "";
      return half + ("the address of " + access->what);
    }
  return "";
}

std::string wf::explain::holds(const Statements &statements, const Report &r,
                               const Web &web, const Shorthand &shorthand) {
  Role role = web.defs.empty() || web.defs.front() >= r.roles.size()
                  ? Role::Unknown
                  : r.roles[web.defs.front()].role;
  if (role == Role::Address)
    if (std::string address = addressedBy(statements, r, web); !address.empty())
      return shorthand.apply(address);
  std::string text = shorthand.apply(web.role);
  if (role == Role::Accumulate && text.find('[') != std::string::npos)
    return "the new partial result";
  if (!shorthand.name().empty() && text == shorthand.name())
    return shorthand.name() + " = " + shorthand.meaning();
  if (text.size() > 72 || text.empty() || text.find("…") != std::string::npos) {
    if (std::string address = addressedBy(statements, r, web); !address.empty())
      return shorthand.apply(address);
    if (role == Role::Exchange)
      return "what another lane held";
    if (role == Role::Accumulate)
      return "the new partial result";
    return role == Role::Unknown
               ? "a value"
               : "a value (" + std::string(roleName(role)) + ")";
  }
  return text;
}

static bool carries(Role role) {
  switch (role) {
  case Role::LoadGlobal:
  case Role::StoreGlobal:
  case Role::LoadShared:
  case Role::StoreShared:
  case Role::LoadLocal:
  case Role::StoreLocal:
  case Role::LoadGeneric:
  case Role::StoreGeneric:
  case Role::Atomic:
  case Role::Accumulate:
  case Role::Compute:
  case Role::Convert:
  case Role::Exchange:
  case Role::Barrier:
  case Role::LoopBranch:
  case Role::Matrix:
  case Role::Texture:
    return true;
  default:
    return false;
  }
}

namespace {
struct SkeletonItem {
  std::string opcode;
  size_t count = 1;
  int loop = -1;
  bool branch = false;
};
} // namespace

static std::vector<SkeletonItem> skeletonItems(const Report &r) {
  const Analysis &a = r.analysis;
  std::vector<SkeletonItem> items;
  for (size_t i : words::living(r)) {
    if (i >= r.roles.size() || !carries(r.roles[i].role))
      continue;
    int loop =
        a.blockOf[i] < a.blocks.size() ? a.blocks[a.blockOf[i]].loop : -1;
    std::string opcode = words::opcode(r.kernel(), i);
    if (!items.empty() && items.back().opcode == opcode &&
        items.back().loop == loop)
      ++items.back().count;
    else
      items.push_back({opcode, 1, loop, r.roles[i].role == Role::LoopBranch});
  }
  return items;
}

/// Runs of one pattern of opcodes, as unrolled loops leave, said once.
static std::vector<std::string> folded(const std::vector<SkeletonItem> &items,
                                       size_t from, size_t to) {
  auto text = [&](size_t n) {
    return items[n].opcode +
           (items[n].count > 1 ? " ×" + std::to_string(items[n].count) : "");
  };
  std::vector<std::string> out;
  size_t n = from;
  while (n < to) {
    size_t best = 0, times = 1;
    for (size_t length = 2; length <= 12 && n + 2 * length <= to; ++length) {
      size_t repeats = 1;
      while (n + (repeats + 1) * length <= to) {
        bool same = true;
        for (size_t k = 0; k < length && same; ++k)
          same = text(n + k) == text(n + repeats * length + k);
        if (!same)
          break;
        ++repeats;
      }
      if (repeats > 1 && repeats * length > best * times) {
        best = length;
        times = repeats;
      }
    }
    if (times == 1) {
      out.push_back(text(n++));
      continue;
    }
    std::string group;
    for (size_t k = 0; k < best; ++k)
      group += (k ? " → " : "") + text(n + k);
    out.push_back("(" + group + ") ×" + std::to_string(times));
    n += best * times;
  }
  return out;
}

std::vector<std::string> wf::explain::skeleton(const Report &r) {
  const Analysis &a = r.analysis;
  std::vector<SkeletonItem> items = skeletonItems(r);
  std::vector<std::string> out;
  size_t n = 0;
  while (n < items.size()) {
    size_t end = n;
    while (end < items.size() && items[end].loop == items[n].loop)
      ++end;
    int loop = items[n].loop;
    int depth = loop >= 0 ? a.loops[loop].depth : 0;
    if (loop >= 0)
      out.push_back(std::string(size_t(4 * (depth - 1)), ' ') + "loop:");
    for (const std::string &line : folded(items, n, end))
      out.push_back(std::string(size_t(4 * depth), ' ') + line);
    n = end;
  }
  return out;
}

std::string wf::explain::skeletonLine(const Report &r) {
  constexpr size_t most = 24;
  std::vector<SkeletonItem> items = skeletonItems(r);
  std::string out;
  size_t n = 0, told = 0;
  while (n < items.size()) {
    size_t end = n;
    while (end < items.size() && items[end].loop == items[n].loop)
      ++end;
    std::string part;
    std::vector<SkeletonItem> straight;
    for (size_t k = n; k < end; ++k)
      if (!items[k].branch)
        straight.push_back(items[k]);
    for (const std::string &one : folded(straight, 0, straight.size())) {
      if (++told > most)
        continue;
      part += (part.empty() ? "" : " → ") + one;
    }
    if (!part.empty())
      out += (out.empty() ? "" : " → ") +
             (items[n].loop >= 0 ? "(" + part + ")*" : part);
    n = end;
  }
  return told > most ? out + " → …" : out;
}
