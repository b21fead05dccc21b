//===- Plan.cpp - The plan's text form, and the choice of one -------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Plan/Plan.h"

#include "Plan/Hardware.h"

#include "Error/Error.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/bit.h"

#include <algorithm>

using namespace wf;

std::string_view wf::name(PlanOrder order) {
  switch (order) {
#define X(E, N, V)                                                             \
  case PlanOrder::E:                                                           \
    return N;
    WF_ORDERS(X)
#undef X
  }
  return "?";
}

std::string_view wf::versionedName(PlanOrder order) {
  switch (order) {
#define X(E, N, V)                                                             \
  case PlanOrder::E:                                                           \
    return V;
    WF_ORDERS(X)
#undef X
  }
  return "?";
}

std::optional<PlanOrder> wf::orderNamed(std::string_view text) {
#define X(E, N, V)                                                             \
  if (text == N || text == V)                                                  \
    return PlanOrder::E;
  WF_ORDERS(X)
#undef X
  return std::nullopt;
}

// name(e) and named(text, e) of the enums that only the text form needs.
#define WF_NAMED_ENUM(T, LIST)                                                 \
  static std::string_view name(T value) {                                      \
    switch (value) { LIST(WF_NAME_CASE) }                                      \
    return "?";                                                                \
  }
#define WF_NAME_CASE(E, N)                                                     \
  case Of::E:                                                                  \
    return N;
#define Of Load
WF_NAMED_ENUM(Load, WF_LOADS)
#undef Of
#define Of Form
WF_NAMED_ENUM(Form, WF_FORMS)
#undef Of
#define Of Grid
WF_NAMED_ENUM(Grid, WF_GRIDS)
#undef Of
#define Of Exchange
WF_NAMED_ENUM(Exchange, WF_EXCHANGES)
#undef Of
#undef WF_NAME_CASE
#undef WF_NAMED_ENUM

/// Sets `value` to the enumerator of that name.
template <typename T>
static bool setNamed(T &value, llvm::StringRef text, int count) {
  for (int i = 0; i < count; ++i)
    if (text == llvm::StringRef(::name(T(i))))
      return value = T(i), true;
  return false;
}

// The numeric fields, once: the printer and the parser both walk this list.
#define WF_PLAN_NUMBERS(X)                                                     \
  X(vector)                                                                    \
  X(accumulators)                                                              \
  X(rows)                                                                      \
  X(simd)                                                                      \
  X(elements)                                                                  \
  X(abreast)                                                                   \
  X(tile)
#define WF_GPU_PLAN_NUMBERS(X)                                                 \
  X(warps)                                                                     \
  X(flight)                                                                    \
  X(run)                                                                       \
  X(fill)                                                                      \
  X(lanes)                                                                     \
  X(outputs)                                                                   \
  X(resident)                                                                  \
  X(group)                                                                     \
  X(items)                                                                     \
  X(address)

static std::string gpuText(const Plan &p) {
  std::string s = p.target;
  auto field = [&](const char *key, std::string_view value) {
    s += " " + std::string(key) + "=" + std::string(value);
  };
  field("kind", wf::name(p.kind));
  field("order", wf::name(p.order));
  field("form", name(p.form));
#define X(F) field(#F, std::to_string(p.F));
  X(vector)
  X(accumulators) X(rows) X(elements) WF_GPU_PLAN_NUMBERS(X)
#undef X
      field("load", name(p.load));
  field("even", p.even ? "yes" : "no");
  field("whole", p.whole ? "yes" : "no");
  field("grid", name(p.grid));
  field("exchange", name(p.exchange));
  field("index", p.nearIndex ? "i32" : "i64");
  if (p.narrow)
    field("narrow", wf::name(*p.narrow));
  return s;
}

std::string Plan::text() const {
  if (onGpu())
    return gpuText(*this);
  std::string s = target;
  s += " kind=" + std::string(wf::name(kind));
  s += " order=" + std::string(wf::name(order));
#define X(F) s += " " #F "=" + std::to_string(F);
  WF_PLAN_NUMBERS(X)
#undef X
  s += " load=" + std::string(::name(load));
  s += " narrow=" + std::string(narrow ? wf::name(*narrow) : "none");
  s += nearIndex ? " index=i32" : " index=i64";
  return s;
}

static bool setField(Plan &plan, llvm::StringRef key, llvm::StringRef value) {
#define X(F)                                                                   \
  if (key == #F)                                                               \
    return !value.getAsInteger(10, plan.F) && plan.F >= 0;
  WF_PLAN_NUMBERS(X)
  WF_GPU_PLAN_NUMBERS(X)
#undef X
  if (key == "kind") {
#define X(E, N)                                                                \
  if (value == N)                                                              \
    return plan.kind = ProblemKind::E, true;
    WF_PROBLEM_KINDS(X)
#undef X
  } else if (key == "order") {
    auto order = orderNamed(std::string_view(value.data(), value.size()));
    if (order)
      return plan.order = *order, true;
  } else if (key == "load") {
    return setNamed(plan.load, value, 3);
  } else if (key == "form") {
    return setNamed(plan.form, value, 5);
  } else if (key == "grid") {
    return setNamed(plan.grid, value, 4);
  } else if (key == "exchange") {
    return setNamed(plan.exchange, value, 5);
  } else if (key == "even") {
    plan.even = value == "yes";
    return plan.even || value == "no";
  } else if (key == "whole") {
    plan.whole = value == "yes";
    return plan.whole || value == "no";
  } else if (key == "narrow") {
    plan.narrow = scalarTypeNamed(std::string_view(value.data(), value.size()));
    return plan.narrow.has_value() || value == "none";
  } else if (key == "index") {
    plan.nearIndex = value == "i32";
    return plan.nearIndex || value == "i64";
  }
  return false;
}

static bool powerOfTwo(int64_t n, int64_t most) {
  return n >= 1 && n <= most && (n & (n - 1)) == 0;
}

/// What the lane lowerings rely on.
static llvm::Error checkGpuPlan(const Plan &p) {
  auto fail = [](const llvm::Twine &what) {
    Plan example;
    example.target = "sm_90";
    example.warps = 8;
    return userError(what, "a plan looks like: " + example.text());
  };
  if (!powerOfTwo(p.vector, 16) || !powerOfTwo(p.accumulators, p.vector))
    return fail("vector and accumulators are powers of two up to 16, the "
                "second not larger");
  if (p.warps < 1 || p.warps > 32 ||
      (p.form != Form::Ladder && !powerOfTwo(p.warps, 32)))
    return fail("warps are a power of two up to 32");
  // The ladder's run is a number of blocks, its flight what items come to.
  bool ladder = p.form == Form::Ladder;
  if (!powerOfTwo(p.lanes, 32) || !powerOfTwo(p.outputs, 32) ||
      !(ladder ? p.run <= (1 << 20) : powerOfTwo(p.run, 1 << 16)))
    return fail("lanes and outputs are powers of two up to 32, and run is one");
  if (p.flight < 1 || p.flight > (ladder ? 64 : 32) || p.rows > 32 ||
      p.fill > 32)
    return fail("flight is 1 to 32, rows and fill are at most 32");
  if ((p.rows == 0) != (p.order == PlanOrder::Sequential) ||
      (p.rows == 1) != (p.order == PlanOrder::Ordered))
    return fail("rows are 1 under ordered, 0 under sequential, else more");
  if (p.elements > 128)
    return fail("elements are at most 128, or 0 where K is not compiled in");
  if (!ladder &&
      (p.resident < 1 || p.resident > 32 || p.resident * p.threads() > 2048))
    return fail("resident is 1 to 32 blocks, of 2048 threads in all");
  if (p.form == Form::Warp && (p.lanes != 32 || p.outputs != 1))
    return fail("form=warp has lanes=32 and outputs=1");
  if (p.address != 32 && p.address != 64)
    return fail("address is 32 or 64");
  if ((p.form == Form::Column) != (p.kind == ProblemKind::Column) &&
      p.form != Form::Thread)
    return fail("form=column is for kind=column");
  if (p.form == Form::Column && p.lanes * p.outputs > p.threads())
    return fail("a tile has at most as many outputs as a block has threads");
  if (p.form == Form::Lanes &&
      (p.elements < 1 || p.elements > p.lanes * p.vector))
    return fail("form=lanes has elements compiled in, as many as its lanes "
                "take");
  if (p.load == Load::Pack)
    return fail("load is vector or element on a GPU");
  return llvm::Error::success();
}

llvm::Error wf::checkPlan(const Plan &p) {
  auto fail = [](const llvm::Twine &what) {
    return userError(what, "a plan looks like: " + Plan().text());
  };
  if (p.onGpu())
    return checkGpuPlan(p);
  if (!powerOfTwo(p.vector, 16) || !powerOfTwo(p.accumulators, p.vector))
    return fail("vector and accumulators are powers of two up to 16, the "
                "second not larger");
  if (!powerOfTwo(p.simd, 64) || !powerOfTwo(p.abreast, 64))
    return fail("simd and abreast are powers of two up to 64");
  if (p.elements > 128 || p.rows > 32)
    return fail("elements are at most 128, rows at most 32");
  if ((p.rows == 0) != (p.order == PlanOrder::Sequential) ||
      (p.rows == 1) != (p.order == PlanOrder::Ordered))
    return fail("rows are 1 under ordered, 0 under sequential, else more");
  bool column = p.kind == ProblemKind::Column;
  bool panel = p.tile > 0 && !column;
  if (column && p.tile == 0)
    return fail("kind=column has a tile");
  if (panel &&
      (p.kind != ProblemKind::General || p.order != PlanOrder::Canonical ||
       p.accumulators != p.vector || p.narrow))
    return fail("a tile is for columns, and for canonical folds over several "
                "axes with a slot an element of a row");
  if (p.tile > 0 && (p.tile < 64 || p.tile > (1 << 20) || p.load == Load::Pack))
    return fail("a tile is 64 bytes to 1 MiB, and read in place");
  if (p.elements > 0 && p.abreast != p.simd)
    return fail("short rows stand abreast, one a lane of simd");
  if (p.elements > 0 && (p.kind != ProblemKind::Row || p.load == Load::Pack ||
                         p.elements > p.slots() || p.accumulators != p.vector))
    return fail("elements are compiled in for rows read in place only");
  if (!column && p.order != PlanOrder::Sequential && p.simd > p.slots())
    return fail("simd is more than the slots there are");
  if (p.nearIndex && (column || p.order != PlanOrder::Canonical))
    return fail("index=i32 is for canonical folds by rows");
  if (p.narrow &&
      (column || p.elements > 0 || p.order != PlanOrder::Canonical ||
       !isSigned(*p.narrow) || byteSize(*p.narrow) > 4))
    return fail("narrow is i8, i16 or i32, for canonical folds by rows");
  return llvm::Error::success();
}

llvm::Expected<Plan> wf::parsePlan(llvm::StringRef text) {
  Plan plan;
  llvm::SmallVector<llvm::StringRef> words;
  text.split(words, ' ', -1, /*KeepEmpty=*/false);
  if (words.empty())
    return userError("a plan begins with its target",
                     "for example: " + plan.text());
  plan.target = words[0].str();
  if (plan.target != "cpu" && plan.target != "null" &&
      !words[0].starts_with("sm_") && !findHardware(words[0]))
    return userError("unknown plan target '" + words[0] + "'",
                     "known: cpu, null, sm_75 … sm_120, gfx90a … gfx1201");
  for (llvm::StringRef word : llvm::drop_begin(words)) {
    auto [key, value] = word.split('=');
    if (!setField(plan, key, value))
      return userError("'" + word + "' is not a plan field",
                       "a plan looks like: " + Plan().text());
  }
  return plan;
}

/// The partial type for sums of `input`: a chunk's 32 rows cannot overflow it.
static std::optional<ScalarType> narrowPartial(ScalarType input) {
  switch (byteSize(input)) {
  case 1:
    return ScalarType::I16; // 32 · 255 < 2^15
  case 2:
    return ScalarType::I32; // 32 · 65535 < 2^31
  default:
    return std::nullopt;
  }
}

Plan wf::orderConstants(const PlanFacts &facts) {
  Plan plan;
  plan.kind = facts.kind;
  plan.order = facts.order;
  // The constants of canonical/1 (DESIGN section 4).
  plan.vector = 16 / facts.widestInputBytes;
  plan.accumulators = int64_t(llvm::bit_floor(uint64_t(
      std::max<int64_t>(1, std::min(plan.vector, 64 / facts.stateBytes)))));
  if (facts.order == PlanOrder::Ordered) {
    // Leaves are elements: a block of them is one row, a slot one element.
    plan.rows = 1;
    plan.accumulators = plan.vector;
  } else if (facts.order == PlanOrder::Sequential) {
    plan.rows = 0;
    plan.vector = plan.accumulators = 1;
  }
  return plan;
}

Plan wf::choosePlan(const PlanFacts &facts) {
  if (facts.target != "cpu")
    return chooseGpuPlan(facts);
  Plan plan = orderConstants(facts);
  bool wholeRows = facts.innerRun > 0 && plan.rows > 0 &&
                   facts.innerRun % plan.rowElements() == 0;
  if ((facts.kind == ProblemKind::General && !wholeRows) || facts.generated)
    plan.load = Load::Pack;

  bool rowLike = facts.kind != ProblemKind::Column;
  plan.nearIndex =
      facts.nearIndex && rowLike && facts.order == PlanOrder::Canonical;
  int64_t widest =
      plan.nearIndex ? facts.widestNearBytes : facts.widestMemberBytes;
  plan.simd = int64_t(llvm::bit_floor(
      uint64_t(std::max<int64_t>(1, facts.simdBytes / widest))));
  if (rowLike)
    plan.simd = facts.order == PlanOrder::Sequential
                    ? 1
                    : std::min(plan.simd, plan.slots());
  if (!rowLike)
    plan.tile = 32768;
  if (rowLike && facts.order != PlanOrder::Sequential &&
      facts.kind == ProblemKind::Row && plan.load == Load::Vector &&
      facts.elements >= 1 && facts.elements <= 128 &&
      facts.elements <= plan.slots() && plan.accumulators == plan.vector) {
    plan.elements = facts.elements;
    plan.abreast = plan.simd;
  }
  // 64 outputs of f32: their slots take 32 KiB, and so is a panel's part of one
  // run of 128 elements. Smaller panels were slower (LowerPanels.cpp's sums
  // over axes 1 and 3: 16 outputs 0.38, 32 outputs 0.44, 64 outputs 0.55).
  if (facts.kind == ProblemKind::General && plan.load == Load::Vector &&
      facts.outputs > 1 && plan.order == PlanOrder::Canonical &&
      plan.accumulators == plan.vector)
    plan.tile = 256;
  if (facts.integerSumOf && plan.tile == 0 && plan.elements == 0 && rowLike &&
      facts.order == PlanOrder::Canonical) {
    plan.narrow = narrowPartial(*facts.integerSumOf);
    if (plan.narrow) {
      // Any tree gives the same bits, so slots follow memory.
      plan.accumulators = plan.vector;
      plan.simd = facts.simdBytes / byteSize(*plan.narrow);
    }
  }
  return plan;
}
