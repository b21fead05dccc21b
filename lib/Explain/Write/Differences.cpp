//===- Differences.cpp - What sets two kernels apart, in words ------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Write/Differences.h"
#include "Explain/Write/Words.h"

#include <algorithm>
#include <cmath>

using namespace wf::explain;

namespace {
/// How a kernel gets at what the launch gives it.
struct Constants {
  size_t loads = 0, operands = 0;
  std::set<std::string> opcodes;
};

/// A change of a number that is said with one sentence.
struct Counted {
  const char *fact, *noun;
};
} // namespace

static const Counted countedFacts[] = {
    {"barriers", "barrier of the block"},
    {"cluster_barriers", "barrier of the cluster"},
    {"fences", "memory fence"},
    {"ldg", "global load"},
    {"stg", "global store"},
    {"lds", "shared load"},
    {"sts", "shared store"},
    {"ldl", "local load"},
    {"stl", "local store"},
    {"atom", "atomic with a result"},
    {"red", "atomic without a result"},
    {"atoms", "shared atomic"},
    {"shfl", "lane exchange"},
    {"redux", "warp reduction"},
    {"vote", "vote"},
    {"mma", "matrix instruction"},
    {"async_copies", "asynchronous copy"},
    {"loops", "loop"},
    {"calls", "call"},
    {"exp2", "exponential"},
    {"divisions", "reciprocal"},
    {"fma", "fused multiply-add"},
    {"bank_conflicts", "access with bank conflicts"},
};

static double factOf(const Report &r, const std::string &name) {
  auto it = r.facts.find(name);
  return it == r.facts.end() ? 0 : it->second.value;
}

static Constants constantsOf(const Report &r) {
  Constants out;
  for (size_t i : words::living(r))
    for (const Effect &e : r.analysis.program.code[i].effects) {
      bool load = e.op == Op::LoadConstant ||
                  (e.memory && (e.memory->space == Space::Constant ||
                                e.memory->space == Space::Parameter));
      if (load) {
        ++out.loads;
        out.opcodes.insert(words::opcode(r.kernel(), i));
        continue;
      }
      for (const Source &s : e.in)
        out.operands += s.kind == Source::Kind::Parameter ||
                        s.kind == Source::Kind::Constant;
    }
  return out;
}

static std::string naming(const Constants &c) {
  return words::listed({c.opcodes.begin(), c.opcodes.end()}) + " ×" +
         std::to_string(c.loads);
}

static std::string nameOf(const Report &r, const char *side) {
  return r.kernel().target.empty() ? side : r.kernel().target;
}

namespace {
class Differ {
public:
  Differ(const Report &a, const Report &b)
      : a(a), b(b), nameA(nameOf(a, "A")), nameB(nameOf(b, "B")) {
    if (nameA == nameB) {
      nameA = "A";
      nameB = "B";
    }
  }

  std::vector<std::string> run() {
    targets();
    materialised();
    patterns();
    sizes();
    constants();
    sharedBase();
    widths();
    counts();
    loops();
    build();
    findings();
    opcodes();
    return std::move(out);
  }

private:
  void say(std::string text) { out.push_back(std::move(text)); }

  void targets() {
    if (a.kernel().isa != b.kernel().isa)
      say("A is " + std::string(words::isaName(a.kernel().isa)) + ", B is " +
          std::string(words::isaName(b.kernel().isa)));
    else if (a.kernel().target != b.kernel().target &&
             !a.kernel().target.empty() && !b.kernel().target.empty())
      say("A is built for " + a.kernel().target + ", B for " +
          b.kernel().target);
  }

  void materialised() {
    auto text = [](const Report &r) {
      return r.materialised.empty() ? std::string("none") : r.materialised;
    };
    if (text(a) != text(b))
      say("the partial results are materialised elsewhere: " + nameA + " " +
          text(a) + ", " + nameB + " " + text(b));
    else if (!a.accumulators.empty())
      say("the verdict is the same: materialised " +
          (text(a) == "none" ? "nowhere" : "in: " + text(a)));
  }

  static std::multiset<std::string> patternsOf(const Report &r) {
    std::multiset<std::string> names;
    for (const PatternMatch &m : r.patterns)
      names.insert(m.name);
    return names;
  }

  void patterns() {
    auto mine = patternsOf(a), theirs = patternsOf(b);
    if (mine == theirs)
      return;
    auto text = [](const std::multiset<std::string> &names) {
      return names.empty() ? std::string("none")
                           : words::listed({names.begin(), names.end()});
    };
    say("the patterns differ: " + nameA + " " + text(mine) + ", " + nameB +
        " " + text(theirs));
  }

  void sizes() {
    size_t x = words::living(a).size(), y = words::living(b).size();
    if (x != y)
      say(nameB + " has " + std::to_string(y) +
          " instructions that can be reached, " + nameA + " " +
          std::to_string(x));
    auto resource = [&](const std::optional<uint32_t> &x,
                        const std::optional<uint32_t> &y, const char *what) {
      if (x && y && *x != *y)
        say(nameB + " takes " + std::to_string(*y) + " " + what + ", " + nameA +
            " " + std::to_string(*x));
    };
    const Resources &p = a.kernel().resources, &q = b.kernel().resources;
    resource(p.registers, q.registers, "registers");
    resource(p.sharedBytes, q.sharedBytes, "bytes of shared memory");
    resource(p.stackBytes, q.stackBytes, "bytes of stack");
    resource(p.spillBytes, q.spillBytes, "bytes of spills");
  }

  void constants() {
    Constants x = constantsOf(a), y = constantsOf(b);
    if (y.loads > x.loads && y.operands < x.operands)
      say(nameB + " loads constants into registers first (" + naming(y) +
          "), where " + nameA + " reads them as operands (" +
          std::to_string(x.operands) + " of them)");
    else if (x.loads > y.loads && x.operands < y.operands)
      say(nameA + " loads constants into registers first (" + naming(x) +
          "), where " + nameB + " reads them as operands (" +
          std::to_string(y.operands) + " of them)");
    else if (x.loads != y.loads)
      say("constants are loaded " + std::to_string(x.loads) + " times in " +
          nameA + " and " + std::to_string(y.loads) + " times in " + nameB);
  }

  static std::vector<size_t> baseOf(const Report &r) {
    std::vector<size_t> proof;
    for (size_t i : words::living(r))
      for (const Effect &e : r.analysis.program.code[i].effects) {
        bool cluster = e.op == Op::ClusterAddress;
        for (const Source &s : e.in)
          cluster |= s.kind == Source::Kind::Special &&
                     (s.name.find("CgaCtaId") != std::string::npos ||
                      s.name.find("cgaCtaId") != std::string::npos ||
                      s.name.find("clusterCtaId") != std::string::npos);
        if (cluster)
          proof.push_back(i);
      }
    return words::sorted(proof);
  }

  void sharedBase() {
    std::vector<size_t> x = baseOf(a), y = baseOf(b);
    if (x.empty() == y.empty())
      return;
    const Report &r = x.empty() ? b : a;
    const std::vector<size_t> &proof = x.empty() ? y : x;
    say((x.empty() ? nameB : nameA) +
        " computes the base of shared memory (from " + words::at(r, proof, 2) +
        "), which is the literal 0 in " + (x.empty() ? nameA : nameB));
  }

  /// Bytes a global load moves, by how many there are.
  void widths() {
    for (const char *kind : {"ldg", "stg"}) {
      auto most = [&](const Report &r) {
        for (int bits : {128, 64, 32, 16, 8})
          if (factOf(r, std::string(kind) + "." + std::to_string(bits)) > 0)
            return bits;
        return 0;
      };
      int x = most(a), y = most(b);
      if (!x || !y || x == y)
        continue;
      const std::string what =
          kind[0] == 'l' ? "global loads" : "global stores";
      say(what + " are " + (y > x ? "widened" : "narrowed") + " in " + nameB +
          ": " + std::to_string(y / 8) + " bytes a lane at most, " +
          std::to_string(x / 8) + " in " + nameA);
    }
  }

  void counts() {
    for (const Counted &c : countedFacts) {
      double x = factOf(a, c.fact), y = factOf(b, c.fact);
      if (x == y)
        continue;
      size_t m = size_t(std::max(x, 0.0)), n = size_t(std::max(y, 0.0));
      say(words::counted(m, c.noun) + " in " + nameA + ", " + words::number(n) +
          " in " + nameB);
    }
  }

  void loops() {
    auto most = [](const Report &r) {
      int copies = 1;
      for (const Accumulator &acc : r.accumulators)
        copies = std::max(copies, acc.copies);
      for (const Loop &loop : r.analysis.loops)
        copies = std::max(copies, loop.unrolled);
      return copies;
    };
    int x = most(a), y = most(b);
    if (x == y)
      return;
    const std::string &more = x > y ? nameA : nameB;
    const std::string &less = x > y ? nameB : nameA;
    say("the step of the accumulation is written out ×" +
        std::to_string(std::max(x, y)) + " in " + more +
        (std::min(x, y) == 1
             ? ", and once in " + less
             : " and ×" + std::to_string(std::min(x, y)) + " in " + less));
  }

  template <typename Items, typename Key>
  void onlyIn(const Items &x, const Items &y, Key key) {
    for (int side = 0; side < 2; ++side) {
      const Items &these = side ? y : x, &those = side ? x : y;
      std::set<std::string> told;
      for (const auto &item : these) {
        bool there =
            std::any_of(those.begin(), those.end(), [&](const auto &other) {
              return key(other) == key(item);
            });
        if (!there && told.insert(item.name).second)
          say("only in " + (side ? nameB : nameA) + ": " + item.says);
      }
    }
  }

  void build() {
    onlyIn(a.build, b.build, [](const BuildFact &f) { return f.name; });
  }
  void findings() {
    onlyIn(a.findings, b.findings, [](const Finding &f) { return f.name; });
  }

  static std::map<std::string, size_t> opcodesOf(const Report &r) {
    std::map<std::string, size_t> count;
    for (size_t i : words::living(r))
      ++count[words::opcode(r.kernel(), i)];
    return count;
  }

  void opcodes() {
    if (a.kernel().isa != b.kernel().isa)
      return; // all of them are
    auto x = opcodesOf(a), y = opcodesOf(b);
    for (int side = 0; side < 2; ++side) {
      const auto &these = side ? y : x, &those = side ? x : y;
      std::vector<std::string> only;
      for (const auto &[name, n] : these)
        if (!those.count(name))
          only.push_back(name + (n > 1 ? " ×" + std::to_string(n) : ""));
      if (only.size() > 12) {
        size_t rest = only.size() - 11;
        only.resize(11);
        only.push_back(std::to_string(rest) + " more");
      }
      if (!only.empty())
        say("opcodes that only " + (side ? nameB : nameA) +
            " has: " + words::listed(only));
    }
  }

  const Report &a, &b;
  std::string nameA, nameB;
  std::vector<std::string> out;
};
} // namespace

std::vector<std::string> wf::explain::differences(const Report &a,
                                                  const Report &b) {
  return Differ(a, b).run();
}
