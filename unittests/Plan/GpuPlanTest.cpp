//===- GpuPlanTest.cpp - GPU plans and what their launches need -----------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// divideGpu on problems worked out by hand, one a form; then many random facts,
// whose plans have to be ones that checkPlan, the text form and the hardware
// accept, and whose blocks cover every element.
//===----------------------------------------------------------------------===//
#include "Plan/GpuPlan.h"
#include "Random.h"

#include "gtest/gtest.h"

#include <algorithm>

using namespace wf;
using namespace wf::test;

namespace {

int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// `outputs` folds of `elements`, side by side in memory, or of a matrix with
/// `columns` columns and outer kept axes.
Problem problemOf(ProblemKind kind, int64_t outputs, int64_t elements,
                  int64_t columns = 0) {
  Problem p;
  p.kind = kind;
  p.outputs = outputs;
  p.elements = elements;
  if (kind == ProblemKind::Column) {
    if (outputs != columns)
      p.kept.push_back({outputs / columns, {columns * elements}, {columns}});
    p.kept.push_back({columns, {1}, {1}});
    p.reduced.push_back({elements, {columns}, {}});
    return p;
  }
  if (outputs != 1)
    p.kept.push_back({outputs, {elements}, {1}});
  p.reduced.push_back({elements, {1}, {}});
  return p;
}

Plan planOf(const char *text) { return llvm::cantFail(parsePlan(text)); }

struct Parts {
  int64_t blocks, runs, groups, tickets, partials;
};

void expectParts(const char *plan, const Problem &problem, Parts want) {
  SCOPED_TRACE(plan);
  GpuDivision d = llvm::cantFail(divideGpu(planOf(plan), problem));
  EXPECT_EQ(d.blocks, want.blocks);
  EXPECT_EQ(d.runs, want.runs);
  EXPECT_EQ(d.groups, want.groups);
  EXPECT_EQ(d.tickets, want.tickets);
  EXPECT_EQ(d.partials, want.partials);
}

TEST(GpuPlan, BlocksShareAnOutput) {
  // 2^28 / 4096 = 65536 chunks, 16 a block.
  Problem full = problemOf(ProblemKind::Full, 1, 1 << 28);
  expectParts("sm_90 kind=full form=warp warps=16 run=8 grid=ticket", full,
              {512, 512, 1, 1, 512});
  expectParts("sm_90 kind=full form=warp warps=16 run=16 grid=ticket", full,
              {256, 256, 1, 1, 256});
  // More than one block can join without groups.
  auto many = divideGpu(
      planOf("sm_90 kind=full form=warp warps=16 run=4 grid=ticket"), full);
  ASSERT_FALSE(bool(many));
  EXPECT_NE(llvm::toString(many.takeError()).find("1024 blocks share"),
            std::string::npos);
  // 32 groups of 128: a ticket and a state each, beside the output's own.
  expectParts("sm_90 kind=full form=warp warps=16 run=1 grid=ticket group=128",
              full, {4096, 4096, 32, 33, 4128});
  // One element more is one chunk, one block and one group more.
  expectParts("sm_90 kind=full form=warp warps=16 run=1 grid=ticket group=128",
              problemOf(ProblemKind::Full, 1, (1 << 28) + 1),
              {4097, 4097, 33, 34, 4130});
  // Ordered: a unit is `flight` rows of 128.
  expectParts("sm_90 kind=full order=ordered rows=1 form=warp warps=8 run=2 "
              "flight=4 grid=ticket",
              problemOf(ProblemKind::Full, 1, 100000), {13, 13, 1, 1, 13});
  // Three outputs of 9 chunks, 4 a block; every output has tickets of its own.
  expectParts("sm_90 kind=row form=warp warps=4 run=1 grid=ticket",
              problemOf(ProblemKind::Row, 3, 9 * 4096), {9, 3, 1, 3, 9});
  expectParts("sm_90 kind=row form=warp warps=4 run=1 grid=ticket group=2",
              problemOf(ProblemKind::Row, 3, 9 * 4096), {9, 3, 2, 9, 15});
  // One block an output: no ticket and no state outside of it.
  expectParts("sm_90 kind=row form=warp warps=16 run=1 grid=none",
              problemOf(ProblemKind::Row, 3, 9 * 4096), {3, 1, 1, 0, 0});
}

TEST(GpuPlan, BlocksHaveOutputsOfTheirOwn) {
  expectParts("sm_90 kind=row form=warp warps=8 fill=32",
              problemOf(ProblemKind::Row, 65537, 4096), {8193, 1, 1, 0, 0});
  // 8 warps of 8 groups of 4 lanes, each with 4 outputs: 256 a block.
  expectParts("sm_90 kind=row form=lanes warps=8 lanes=4 outputs=4 elements=16",
              problemOf(ProblemKind::Row, 1 << 24, 16), {65536, 1, 1, 0, 0});
  expectParts("sm_90 kind=row form=lanes warps=8 lanes=32 outputs=1 "
              "elements=100",
              problemOf(ProblemKind::Row, 9, 100), {2, 1, 1, 0, 0});
  expectParts("sm_90 kind=row order=sequential rows=0 form=thread warps=4",
              problemOf(ProblemKind::Row, 1000, 77), {8, 1, 1, 0, 0});
}

TEST(GpuPlan, ColumnsAreTiles) {
  // 128 tiles of 128 columns; 4 chunks of 128 slots; 16 warps, 4 steps a block.
  expectParts("sm_90 kind=column form=column warps=16 lanes=32 outputs=4 run=4 "
              "grid=ticket",
              problemOf(ProblemKind::Column, 16384, 16384, 16384),
              {1024, 8, 1, 128, 131072});
  // 3 matrices of 300 columns: three tiles each. 8 warps of 4 lanes along the
  // slots, two slots a lane: 64 a step; 512 slots are 8 steps.
  expectParts(
      "sm_90 kind=column form=column warps=8 lanes=8 outputs=16 items=2 "
      "run=1 grid=ticket group=3",
      problemOf(ProblemKind::Column, 900, 16384, 300), {72, 8, 3, 36, 9900});
  expectParts(
      "sm_90 kind=column form=column warps=8 lanes=8 outputs=16 items=2 "
      "run=8 grid=none",
      problemOf(ProblemKind::Column, 900, 16384, 300), {9, 1, 1, 0, 0});
}

TEST(GpuPlan, LeavesOfColumns) {
  Plan p = planOf("sm_90 kind=column form=column vector=4 accumulators=2");
  EXPECT_EQ(columnLeaves(p, 1), 1);
  EXPECT_EQ(columnLeaves(p, 2), 2);
  EXPECT_EQ(columnLeaves(p, 3), 2); // element 2 is slot 0's second
  EXPECT_EQ(columnLeaves(p, 5), 3);
  EXPECT_EQ(columnLeaves(p, 127), 64);
  EXPECT_EQ(columnLeaves(p, 128), 64);
  EXPECT_EQ(columnLeaves(p, 129), 64); // row 1 goes on with the same slots
  EXPECT_EQ(columnLeaves(p, 4096), 64);
  EXPECT_EQ(columnLeaves(p, 4097), 65);
  EXPECT_EQ(columnLeaves(p, 4101), 67);
  EXPECT_EQ(columnLeaves(p, 4096 + 129), 128);
  p.order = PlanOrder::Ordered;
  p.rows = 1;
  EXPECT_EQ(columnLeaves(p, 4101), 4101);
}

TEST(GpuPlan, RunsPastWhatOneBlockJoinsAreRefused) {
  Plan p = planOf("sm_90 kind=full form=warp warps=1 run=1 grid=ticket");
  for (auto [group, runs, fits] :
       {std::tuple<int64_t, int64_t, bool>{0, kWarpGroup, true},
        {0, kWarpGroup + 1, false},
        {128, kMostRuns, true},
        {128, kMostRuns + 1, false}}) {
    p.group = group;
    auto d = divideGpu(p, problemOf(ProblemKind::Full, 1, runs * 4096));
    EXPECT_EQ(bool(d), fits) << group << " " << runs;
    if (!d)
      EXPECT_NE(llvm::toString(d.takeError()).find("share an output"),
                std::string::npos);
  }
  p = planOf("sm_90 kind=column form=column warps=16 lanes=32 grid=ticket");
  for (auto [group, runs, fits] :
       {std::tuple<int64_t, int64_t, bool>{0, 2 * kColumnGroup, true},
        {0, 2 * kColumnGroup + 1, false},
        {kColumnGroup, 2 * kColumnGroup + 1, true}}) {
    p.group = group;
    // 16 slots of 128 a block.
    auto d = divideGpu(p, problemOf(ProblemKind::Column, 32, runs * 512, 32));
    EXPECT_EQ(bool(d), fits) << group << " " << runs;
    llvm::consumeError(d.takeError());
  }
}

TEST(GpuPlan, ALaunchPastTheGridIsRefused) {
  int64_t most = INT32_MAX;
  Plan p = planOf("sm_90 kind=row form=warp warps=1 fill=1");
  Problem fits = problemOf(ProblemKind::Row, most, 100);
  EXPECT_EQ(llvm::cantFail(divideGpu(p, fits)).blocks, most);
  for (auto [plan, problem] :
       {std::pair(p, problemOf(ProblemKind::Row, most + 1, 100)),
        std::pair(planOf("sm_90 kind=row form=warp warps=1 grid=ticket"),
                  problemOf(ProblemKind::Row, 1 << 30, 3 * 4096))}) {
    auto refused = divideGpu(plan, problem);
    ASSERT_FALSE(bool(refused));
    std::string text = llvm::toString(refused.takeError());
    EXPECT_NE(text.find("blocks, and a grid has at most 2147483647\nhint: "),
              std::string::npos)
        << text;
  }
}

TEST(GpuPlan, BadPlansAreTheUsersErrors) {
  for (const char *bad :
       {"sm_90 warps=0",
        "sm_90 warps=3",
        "sm_90 warps=64",
        "sm_90 warps=4 lanes=3",
        "sm_90 warps=4 lanes=64",
        "sm_90 warps=4 outputs=5",
        "sm_90 warps=4 run=3",
        "sm_90 warps=4 flight=0",
        "sm_90 warps=4 flight=33",
        "sm_90 warps=4 rows=33",
        "sm_90 warps=4 fill=33",
        "sm_90 warps=4 rows=1",
        "sm_90 warps=4 rows=0",
        "sm_90 warps=4 order=ordered",
        "sm_90 warps=4 address=16",
        "sm_90 warps=4 form=column",
        "sm_90 warps=4 kind=column",
        "sm_90 warps=4 load=pack",
        "sm_90 warps=1 kind=column form=column lanes=32 outputs=2",
        "sm_90 warps=4 form=lanes lanes=4 vector=4 accumulators=4 elements=17",
        "sm_90 warps=4 form=lanes",
        "sm_90 warps=4 vector=32",
        "sm_90 warps=4 vector=2 accumulators=4"}) {
    llvm::Error error = checkPlan(planOf(bad));
    EXPECT_TRUE(bool(error)) << bad;
    llvm::consumeError(std::move(error));
  }
}

//===----------------------------------------------------------------------===//
// Random facts
//===----------------------------------------------------------------------===//

PlanFacts randomFacts(Random random) {
  PlanFacts f{};
  f.target = random.of(
      {"sm_75", "sm_90", "sm_120", "null", "gfx942", "gfx1201:wave64"});
  f.order = random.of({PlanOrder::Canonical, PlanOrder::Canonical,
                       PlanOrder::Ordered, PlanOrder::Sequential});
  f.kind = random.of({ProblemKind::Full, ProblemKind::Row, ProblemKind::Column,
                      ProblemKind::General});
  f.elements =
      std::max<int64_t>(1, (int64_t(1) << random.in(0, 36)) + random.in(-3, 3));
  f.outputs = f.kind == ProblemKind::Full
                  ? 1
                  : std::max<int64_t>(1, (int64_t(1) << random.in(0, 30)) +
                                             random.in(-3, 3));
  if (f.kind == ProblemKind::Column) {
    f.columns = std::max<int64_t>(1, (int64_t(1) << random.in(0, 25)) +
                                         random.in(-3, 3));
    f.outputs = f.columns * random.of({1, 1, 3});
  }
  f.widestInputBytes = random.of({1, 2, 4, 8});
  f.inputBytes = f.widestInputBytes * random.in(1, 3);
  // No device holds more than 2^37 bytes.
  f.elements = std::clamp<int64_t>(
      (int64_t(1) << 37) / f.inputBytes / f.outputs, 1, f.elements);
  f.innerLength = f.elements;
  if (f.kind == ProblemKind::General && f.elements % 4 == 0)
    f.innerLength =
        random.of({int64_t(1), int64_t(2), int64_t(4), f.elements / 4});
  f.memberCount = random.in(1, 8);
  for (int64_t m = 0; m < f.memberCount; ++m) {
    int64_t bytes = random.of({1, 2, 4, 8});
    f.stateBytes += bytes;
    f.memberBytes += std::max<int64_t>(4, bytes);
    f.widestMemberBytes = std::max(f.widestMemberBytes, bytes);
  }
  f.memberBytes -= 4; // as it starts
  f.counted = random.onceIn(4);
  if (f.counted)
    f.memberBytes += 8;
  f.aligned = !random.onceIn(3);
  f.nearIndex = random.onceIn(4) && f.memberBytes > 8;
  f.multiprocessors = random.of({1, 40, 132, 148});
  f.addressBits = random.of({32, 64});
  if (random.onceIn(5))
    f.integerSumOf =
        random.of({ScalarType::I8, ScalarType::U16, ScalarType::I32});
  return f;
}

/// What the lowering of form=column puts into shared memory (LowerBlocks.cpp):
/// arrays that fit are used again by the grid tier.
int64_t sharedStates(const Plan &p) {
  int64_t tile = p.lanes * p.outputs, groups = p.threads() / tile;
  std::vector<int64_t> slots, joined;
  auto want = [](std::vector<int64_t> &arrays, int64_t states) {
    for (int64_t have : arrays)
      if (have >= states)
        return;
    arrays.push_back(states);
  };
  auto join = [&](int64_t warps) {
    want(slots, tile * warps);
    if (std::min(warps, groups) > 1)
      want(joined, tile * std::min(warps, groups));
  };
  join(p.warps);
  if (p.grid == Grid::Ticket)
    join(groups);
  int64_t all = 0;
  for (const auto &arrays : {slots, joined})
    for (int64_t states : arrays)
      all += states;
  return all;
}

void checkChosen(const PlanFacts &f, const Plan &p) {
  EXPECT_FALSE(llvm::errorToBool(checkPlan(p)));
  Plan back = llvm::cantFail(parsePlan(p.text()));
  EXPECT_EQ(back.text(), p.text());
  back.simd = p.simd; // a CPU's
  EXPECT_TRUE(back == p);
  EXPECT_EQ(p.kind, f.kind);
  EXPECT_EQ(p.order, f.order);
  EXPECT_EQ(p.address, f.addressBits);
  EXPECT_LE(p.threads(), 1024);
  EXPECT_GE(p.resident, 1);
  EXPECT_LE(p.threads() * p.resident, 2048);
  if (p.form == Form::Column)
    EXPECT_LE(sharedStates(p) * f.memberBytes + 64, 48 << 10);
  // What the loads rely on.
  if (p.load == Load::Vector && p.form != Form::Column) {
    EXPECT_TRUE(f.aligned);
    EXPECT_GE(f.elements, p.vector) << "a load that is not wanted reads these";
  }
  if (p.even)
    EXPECT_EQ(f.innerLength % p.vector, 0);
  if (p.nearIndex || p.narrow)
    EXPECT_EQ(p.order, PlanOrder::Canonical);
}

/// Every element has a block, and no block has none.
void checkCover(const PlanFacts &f, const Plan &p) {
  Problem problem = problemOf(f.kind, f.outputs, f.elements, f.columns);
  auto division = divideGpu(p, problem);
  if (!division) {
    // What no plan could launch; what this one could not is a bad choice.
    EXPECT_NE(llvm::toString(division.takeError()).find("a grid has at most"),
              std::string::npos);
    EXPECT_GT(f.outputs * f.elements, int64_t(INT32_MAX));
    return;
  }
  const GpuDivision &d = *division;
  EXPECT_GE(d.blocks, 1);
  EXPECT_LE(d.runs, kMostRuns);
  EXPECT_EQ(d.runs > 1, p.grid == Grid::Ticket);
  EXPECT_EQ(d.tickets > 0, p.grid == Grid::Ticket);
  if (p.grid == Grid::Ticket && p.group == 0)
    EXPECT_LE(d.runs, p.form == Form::Column ? 2 * kColumnGroup : kWarpGroup)
        << "the last block joins no more";
  if (p.group > 0)
    EXPECT_EQ(d.groups, ceilDiv(d.runs, p.group));
  int64_t units = 1, perBlock = 1;
  if (p.form == Form::Warp && p.fill > 0) {
    EXPECT_LE(f.elements, p.fill * p.rowElements());
    EXPECT_GT(f.elements, (p.fill - 1) * p.rowElements());
    return;
  }
  if (p.form == Form::Warp) {
    bool ordered = p.order == PlanOrder::Ordered;
    int64_t unit = (ordered ? p.flight : p.rows) * p.rowElements();
    units = ceilDiv(f.elements, unit);
    perBlock = p.warps * p.run;
    EXPECT_EQ(p.whole, f.elements % unit == 0);
  } else if (p.form == Form::Column) {
    units = columnLeaves(p, f.elements);
    perBlock = p.warps * 32 / p.lanes * p.items * p.run;
    // A step stays within a chunk, so that its slots are a subtree.
    if (p.order == PlanOrder::Canonical)
      EXPECT_EQ(p.slots() % (perBlock / p.run), 0);
  } else if (p.form == Form::Lanes) {
    EXPECT_EQ(p.elements, f.elements);
    EXPECT_LE(f.elements, p.lanes * p.vector);
  }
  EXPECT_GE(d.runs * perBlock, units);
  EXPECT_LT((d.runs - 1) * perBlock, units) << "a block without a run";
}

TEST(GpuPlan, ChosenOnesHold) {
  int forms[6] = {}, tickets = 0, grouped = 0;
  for (int64_t n = 0; n < 20000; ++n) {
    PlanFacts facts = randomFacts(randomFor(0x69b, n));
    Plan plan = choosePlan(facts);
    SCOPED_TRACE("case " + std::to_string(n) + ": " + plan.text() +
                 " for K=" + std::to_string(facts.elements) +
                 " outputs=" + std::to_string(facts.outputs) +
                 " columns=" + std::to_string(facts.columns) +
                 " memberBytes=" + std::to_string(facts.memberBytes));
    ++forms[int(plan.form)];
    tickets += plan.grid == Grid::Ticket;
    grouped += plan.group > 0;
    checkChosen(facts, plan);
    checkCover(facts, plan);
    if (::testing::Test::HasFailure())
      return;
  }
  for (Form form : {Form::Warp, Form::Lanes, Form::Column, Form::Thread})
    EXPECT_GT(forms[int(form)], 100) << int(form);
  EXPECT_GT(tickets, 100);
  EXPECT_GT(grouped, 100);
}

} // namespace
