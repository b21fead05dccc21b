//===- measure.cpp - Contenders timed in turn -----------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "harness/measure.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

using namespace bench;

static constexpr double absent = std::numeric_limits<double>::quiet_NaN();

static double now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

double bench::timed(int repeats, const std::function<void()> &call) {
  double start = now();
  for (int i = 0; i < repeats; ++i)
    call();
  return (now() - start) / repeats;
}

/// Runs one contender once; NaN and a fault if its result is wrong.
static double runChecked(const Contender &c, const std::function<void()> &flush,
                         std::string &fault) {
  if (c.spoil)
    c.spoil();
  if (flush)
    flush();
  double seconds = c.time();
  if (!(seconds > 0)) {
    fault = "did not run";
    return absent;
  }
  if (c.check)
    fault = c.check();
  return fault.empty() ? seconds : absent;
}

static bool isTooSlow(const Series &one, const std::vector<Series> &all) {
  double fastest = std::numeric_limits<double>::infinity();
  for (const Series &s : all)
    if (double t = timeOf(s).median; t < fastest)
      fastest = t;
  return timeOf(one).median > 4 * fastest;
}

std::vector<Series> bench::interleave(const std::vector<Contender> &contenders,
                                      const Budget &budget,
                                      const std::function<void()> &flush) {
  std::vector<Series> all;
  for (const Contender &c : contenders) {
    Series s{c.name, {}, ""};
    runChecked(c, flush, s.fault); // warm: pages, code, frequency
    all.push_back(std::move(s));
  }
  std::vector<size_t> turn(contenders.size());
  std::iota(turn.begin(), turn.end(), size_t(0));
  std::mt19937 shuffler(1); // the same order in every run
  double end = now() + budget.seconds;
  for (int round = 0;
       round < budget.least || (now() < end && round < budget.most); ++round) {
    std::shuffle(turn.begin(), turn.end(), shuffler);
    for (size_t i : turn) {
      Series &s = all[i];
      bool sitsOut =
          !s.fault.empty() ||
          (round >= 3 && contenders[i].isOptional && isTooSlow(s, all));
      s.seconds.push_back(sitsOut ? absent
                                  : runChecked(contenders[i], flush, s.fault));
    }
  }
  return all;
}

Spread bench::spreadOf(std::vector<double> values) {
  std::erase_if(values, [](double v) { return std::isnan(v); });
  if (values.empty())
    return {absent, absent, absent, 0};
  std::sort(values.begin(), values.end());
  auto at = [&](double part) {
    double place = part * double(values.size() - 1);
    size_t below = size_t(place);
    size_t above = std::min(below + 1, values.size() - 1);
    return values[below] +
           (place - double(below)) * (values[above] - values[below]);
  };
  return {at(.5), at(.25), at(.75), int(values.size())};
}

Spread bench::timeOf(const Series &series) { return spreadOf(series.seconds); }

Spread bench::speedRatio(const Series &a, const Series &b) {
  std::vector<double> ratios;
  if (a.fault.empty() && b.fault.empty())
    for (size_t i = 0; i < std::min(a.seconds.size(), b.seconds.size()); ++i)
      ratios.push_back(b.seconds[i] / a.seconds[i]);
  return spreadOf(ratios);
}

std::string bench::selfTestMeasure() {
  Spread s = spreadOf({4, absent, 1, 3, 2, 5});
  if (!(s.median == 3 && s.low == 2 && s.high == 4 && s.rounds == 5))
    return "spreadOf";
  Series slow{"slow", {2, 20, absent}, ""}, fast{"fast", {1, 10, 1}, ""};
  if (!(speedRatio(fast, slow).median == 2 &&
        speedRatio(fast, slow).rounds == 2))
    return "speedRatio";
  int calls = 0;
  Contender wrong{"wrong", nullptr, [] { return 1.0; },
                  [&] { return std::string(++calls == 2 ? "off" : ""); }};
  Contender broken{"broken", nullptr, [] { return absent; }, nullptr};
  auto all = interleave({wrong, broken}, {0, 3, 3});
  if (all[0].fault != "off" || calls != 2 || all[1].fault.empty() ||
      !std::isnan(speedRatio(all[0], fast).median))
    return "interleave kept a contender whose result is wrong";
  return "";
}
