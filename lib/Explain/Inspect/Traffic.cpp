//===- Traffic.cpp - Counts lane and shared traffic in low stages ---------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Inspect/Traffic.h"

#include "Explain/Machine/Effect.h"

#include <algorithm>

namespace wf::explain::ir {

namespace {
struct Counter {
  std::string_view part; ///< of a name
  uint64_t Traffic::*count;
};
} // namespace

/// The first that a name holds is it.
static constexpr Counter counters[] = {
    {"shfl.sync", &Traffic::shuffles},
    {"gpu.shuffle", &Traffic::shuffles},
    {"redux.sync", &Traffic::redux},
    {"vote.", &Traffic::votes},
    {"update.dpp", &Traffic::dpp},
    {"mov.dpp", &Traffic::dpp},
    {"amdgpu.dpp", &Traffic::dpp},
    {"ds.bpermute", &Traffic::permutes},
    {"ds_bpermute", &Traffic::permutes},
    {"ds.permute", &Traffic::permutes},
    {"ds.swizzle", &Traffic::permutes},
    {"ds_swizzle", &Traffic::permutes},
    {"permlane", &Traffic::permutes},
    {"readlane", &Traffic::readLanes},
    {"readfirstlane", &Traffic::readLanes},
    {"buffer.load", &Traffic::globalLoads},
    {"buffer.store", &Traffic::globalStores},
    {"buffer.atomic", &Traffic::atomics},
    {"cluster.", nullptr}, // a cluster's barriers are not a block's
    {"bar.warp", nullptr},
    {"mbarrier", nullptr},
    {"s.barrier.signal", nullptr}, // its wait is counted
    {"nvvm.barrier", &Traffic::barriers},
    {"gpu.barrier", &Traffic::barriers},
    {"s.barrier", &Traffic::barriers},
};

void countName(std::string_view name, Traffic &traffic) {
  for (const Counter &c : counters)
    if (name.find(c.part) != std::string_view::npos) {
      if (c.count)
        ++(traffic.*c.count);
      return;
    }
}

bool any(const Traffic &t) {
  return t.shuffles + t.redux + t.votes + t.dpp + t.permutes + t.readLanes +
             t.sharedLoads + t.sharedStores + t.barriers + t.globalLoads +
             t.globalStores + t.atomics >
         0;
}

static void countSpace(Space space, bool store, uint32_t bytes, Traffic &out) {
  if (space == Space::Shared || space == Space::Cluster)
    ++(store ? out.sharedStores : out.sharedLoads);
  else if (space == Space::Global || space == Space::Generic)
    ++(store ? out.globalStores : out.globalLoads);
  else if (space == Space::Local)
    ++out.localAccesses;
  if (!store && (space == Space::Global || space == Space::Generic))
    out.widestLoad = std::max<uint64_t>(out.widestLoad, bytes);
}

/// An instruction counts once, however many effects its vector makes.
static void countDecoded(const Decoded &d, Traffic &out) {
  bool load = false, store = false;
  for (const Effect &e : d.effects) {
    switch (e.op) {
    case Op::Load:
    case Op::Store:
      if (!e.memory)
        break;
      if (bool &seen = e.op == Op::Load ? load : store; !seen) {
        seen = true;
        countSpace(e.memory->space, e.op == Op::Store,
                   std::max(e.memory->whole, e.memory->bytes), out);
      }
      break;
    case Op::Atomic:
      out.atomics += &e == &d.effects.front();
      break;
    case Op::Shuffle:
      ++out.shuffles;
      break;
    case Op::WarpReduce:
      ++out.redux;
      break;
    case Op::Vote:
    case Op::Ballot:
      ++out.votes;
      break;
    case Op::Barrier:
      ++out.barriers;
      break;
    default:
      break;
    }
  }
}

/// The statements of an inline asm, read as PTX is.
void countAssembly(std::string_view text, Traffic &traffic) {
  // As LLVM escapes it: \0A is a line's end, \09 a tab, $0 an operand.
  std::string body;
  for (size_t i = 0; i < text.size(); ++i) {
    bool escape =
        text[i] == '\\' && i + 2 < text.size() &&
        (text.substr(i + 1, 2) == "0A" || text.substr(i + 1, 2) == "09" ||
         text.substr(i + 1, 2) == "0a");
    body += escape           ? (text[i + 2] == '9' ? '\t' : '\n')
            : text[i] == '$' ? '%'
                             : text[i];
    i += escape ? 2 : 0;
  }
  auto listing = readPtx(".entry asm() {" + body + "\n;}", "asm");
  if (!listing)
    return;
  for (Kernel &k : listing->kernels)
    for (const Decoded &d : decode(std::move(k)).code)
      countDecoded(d, traffic);
}

std::vector<Dump> readPtxTraffic(std::string_view text, std::string_view file,
                                 std::vector<Remark> &remarks) {
  std::vector<Dump> dumps;
  auto listing = readPtx(text, file);
  if (!listing)
    return dumps;
  for (Remark &r : listing->remarks)
    remarks.push_back({r.line, std::string(file) + ": " + r.text});
  for (Kernel &k : listing->kernels) {
    Dump dump;
    dump.file = file;
    dump.stage = Stage::Ptx;
    dump.kernel = k.name;
    dump.target = k.target;
    dump.lanes = 32;
    if (k.resources.maxThreads)
      dump.warps = static_cast<int>((*k.resources.maxThreads + 31) / 32);
    if (k.resources.sharedBytes.value_or(0) != 0)
      dump.sharedBytes = *k.resources.sharedBytes;
    bool entry = k.entry;
    dump.traffic.emplace();
    for (const Decoded &d : decode(std::move(k)).code)
      countDecoded(d, *dump.traffic);
    if (entry || any(*dump.traffic))
      dumps.push_back(std::move(dump));
  }
  return dumps;
}

namespace {
/// A statement of LLVM IR that touches memory.
struct Access {
  enum class Kind { None, Load, Store, Atomic } kind = Kind::None;
  int space = 0;
};
} // namespace

static void closeAccess(Access &access, Traffic &out) {
  Space space = access.space == 3   ? Space::Shared
                : access.space == 5 ? Space::Local
                : access.space == 4 ? Space::Constant
                                    : Space::Global;
  if (access.kind == Access::Kind::Atomic)
    ++out.atomics;
  else if (access.kind != Access::Kind::None)
    countSpace(space, access.kind == Access::Kind::Store, 0, out);
  access = {};
}

static Access::Kind accessNamed(std::string_view word) {
  if (word == "load")
    return Access::Kind::Load;
  if (word == "store")
    return Access::Kind::Store;
  return word == "atomicrmw" || word == "cmpxchg" ? Access::Kind::Atomic
                                                  : Access::Kind::None;
}

/// Any other opcode that starts a statement without a result.
static bool endsStatement(const Tokens &t, size_t i) {
  if (t[i].kind == Token::Kind::Value)
    return t.is(i + 1, "=");
  if (t[i].kind != Token::Kind::Word)
    return false;
  for (std::string_view word : {"call", "tail", "br", "ret", "switch", "define",
                                "declare", "fence", "unreachable"})
    if (t[i].text == word)
      return true;
  return false;
}

/// The target of a module: its triple, and "target-cpu" of attributes.
static std::string llvmTarget(const Tokens &t) {
  for (size_t i = 0; i + 2 < t.size(); ++i)
    if (t.kind(i, Token::Kind::String) && t[i].text == "target-cpu" &&
        t.is(i + 1, "=") && t.kind(i + 2, Token::Kind::String))
      return std::string(t[i + 2].text);
  return "";
}

static int threadsOf(const Tokens &t) {
  for (size_t i = 0; i + 2 < t.size(); ++i) {
    if (!t.kind(i, Token::Kind::String) || !t.is(i + 1, "="))
      continue;
    bool nvidia = t[i].text == "nvvm.reqntid" || t[i].text == "nvvm.maxntid";
    if (!nvidia)
      continue;
    std::string_view value = t[i + 2].text; // "128", "128,1,1"
    int n = 0;
    for (char c : value) {
      if (c < '0' || c > '9' || n > 4096)
        break;
      n = n * 10 + (c - '0');
    }
    return n;
  }
  return 0;
}

std::vector<Dump> readLlvm(const Tokens &t, std::string_view file) {
  std::vector<Dump> dumps;
  std::string target = llvmTarget(t);
  int threads = threadsOf(t);
  Dump *dump = nullptr;
  Access access;
  int depth = 0;
  for (size_t i = 0; i < t.size(); ++i) {
    if (t.word(i, "define") || t.word(i, "declare")) {
      if (dump)
        closeAccess(access, *dump->traffic);
      dump = nullptr;
      if (t[i].text == "declare")
        continue;
      while (i < t.size() && t[i].kind != Token::Kind::Symbol && !t.is(i, "{"))
        ++i;
      if (i >= t.size() || t[i].kind != Token::Kind::Symbol)
        break;
      Dump &fresh = dumps.emplace_back();
      fresh.file = file;
      fresh.stage = Stage::LlvmIr;
      fresh.kernel = t[i].text.substr(1);
      fresh.target = target;
      if (threads > 0)
        fresh.warps = (threads + 31) / 32;
      fresh.traffic.emplace();
      dump = &fresh;
      depth = 0;
      continue;
    }
    if (!dump)
      continue;
    if (t.is(i, "(") || t.is(i, ")"))
      depth += t.is(i, "(") ? 1 : -1;
    if (endsStatement(t, i)) {
      closeAccess(access, *dump->traffic);
      depth = 0;
    }
    if (t[i].kind == Token::Kind::Symbol) {
      // What is called, and not an operand.
      if (access.kind == Access::Kind::None &&
          t[i].text.substr(0, 6) == "@llvm.")
        countName(t[i].text, *dump->traffic);
    } else if (t.word(i, "asm")) {
      while (i + 1 < t.size() && t[i + 1].kind == Token::Kind::Word)
        ++i;
      if (t.kind(i + 1, Token::Kind::String))
        countAssembly(t[++i].text, *dump->traffic);
    } else if (t.word(i, "addrspace") && depth == 0 && t.is(i + 1, "(")) {
      if (i + 2 < t.size() && t[i + 2].text.size() == 1)
        access.space = t[i + 2].text[0] - '0';
    } else if (t[i].kind == Token::Kind::Word) {
      if (auto kind = accessNamed(t[i].text); kind != Access::Kind::None) {
        closeAccess(access, *dump->traffic);
        access.kind = kind;
      }
    }
  }
  if (dump)
    closeAccess(access, *dump->traffic);
  return dumps;
}

Traffic mlirTraffic(const Tokens &t) {
  Traffic out;
  for (size_t i = 0; i < t.size(); ++i) {
    // llvm.call_intrinsic "llvm.nvvm.shfl.sync.bfly.f32"(…)
    if (t.kind(i, Token::Kind::String) && t.is(i + 1, "(") &&
        t[i].text.substr(0, 5) == "llvm.") {
      countName(t[i].text, out);
      continue;
    }
    if (!t.startsOperation(i))
      continue;
    size_t name = i;
    while (name < t.size() && !t[name].dotted())
      ++name;
    if (name >= t.size())
      break;
    std::string_view op = t[name].text;
    i = name;
    if (op == "llvm.load" || op == "llvm.store" || op == "memref.load" ||
        op == "memref.store") {
      Space space = Space::Global;
      size_t k = name + 1;
      for (; k < t.size() && !t.startsOperation(k); ++k)
        if (t[k].text == "!llvm.ptr<3>" ||
            t[k].text.find("workgroup") != std::string_view::npos)
          space = Space::Shared;
      countSpace(space, op.back() == 'e', 0, out);
      i = k - 1;
    } else {
      countName(op, out);
    }
  }
  return out;
}

} // namespace wf::explain::ir
