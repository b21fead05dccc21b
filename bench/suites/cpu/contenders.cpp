//===- contenders.cpp - Who runs a row ------------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "suites/cpu/contenders.h"

#include "peers/peers.h"
#include "suites/cpu/ours.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace bench;

using Contenders = std::vector<Contender>;

static bool addOurs(const Setting &s, const Row &row, const std::string &name,
                    const Wanted &wanted, Entrants &entrants) {
  std::shared_ptr<Ours> ours =
      Ours::prepare(row, s.team.size(), entrants.error);
  if (!ours)
    return false;
  if (ours->type() != wanted.type || ours->count() != wanted.values.size()) {
    entrants.error = "results of another type or number than expected";
    return false;
  }
  if (entrants.plan.empty())
    entrants.plan = ours->plan();
  const void *x = s.data.bytes();
  int repeats = row.repeats;
  entrants.contenders.push_back(
      {name, [ours] { ours->spoil(); },
       [=] {
         bool ok = true;
         double t = timed(repeats, [&] { ok &= ours->run(x); });
         return ok ? t : std::numeric_limits<double>::quiet_NaN();
       },
       [ours, wanted] {
         return compareWith(wanted, ours->results(), wanted.tolerance);
       },
       /*isOptional=*/false});
  return true;
}

static void addReads(const Setting &s, Contenders &all) {
  struct Loop {
    const char *name;
    uint64_t (*read)(ThreadTeam &, const void *, size_t);
  };
  for (Loop loop : {Loop{"read 1 stream", readOneStream},
                    Loop{"read 4 near streams", readNearStreams},
                    Loop{"read 4 far streams", readFarStreams}}) {
    auto got = std::make_shared<uint64_t>();
    all.push_back({loop.name, [got] { *got = 0; },
                   [=, &s] {
                     return timed(s.row.repeats, [&] {
                       *got = loop.read(s.team, s.data.bytes(), s.row.bytes());
                     });
                   },
                   [=, &s] {
                     return std::string(*got == s.joinedWords
                                            ? ""
                                            : "did not read every word");
                   },
                   /*isOptional=*/false});
  }
}

/// A peer that is called here: call(to) writes the results.
template <typename Call>
static void addPeer(const Setting &s, const char *name, Contenders &all,
                    Call call) {
  auto results = std::make_shared<std::vector<char>>(s.wanted.values.size() *
                                                     sizeOf(s.wanted.type));
  all.push_back(
      {name,
       [results] { std::fill(results->begin(), results->end(), char(0xff)); },
       [=, &s] { return timed(s.row.repeats, [&] { call(results->data()); }); },
       [=, &s] { return compareWith(s.wanted, results->data(), 0); }});
}

/// The peers of full sums of a type: `hand` may lack it.
template <typename T, typename S>
static void addSumPeers(const Setting &s, Contenders &all) {
  const T *x = s.data.as<T>();
  size_t n = size_t(s.row.elements());
  if (haveStdReduce())
    addPeer(s, "std::reduce", all, [=, &s](void *to) {
      stdReduce(s.team.size(), x, n, static_cast<S *>(to));
    });
  if constexpr (std::is_same_v<T, S>)
    addPeer(s, "hand loop", all, [=, &s](void *to) {
      *static_cast<S *>(to) = handSum(s.team, x, n);
    });
}

static void addEigen(const Setting &s, Contenders &all) {
  std::vector<int64_t> axes = s.row.axes;
  if (s.row.isFull())
    for (size_t d = 0; d < s.row.shape.size(); ++d)
      axes.push_back(int64_t(d));
  addPeer(s, "Eigen", all, [=, &s](void *to) {
    eigenSum(s.team, s.data.as<float>(), s.row.shape, axes,
             static_cast<float *>(to));
  });
}

static std::string checkNumpy(const Setting &s) {
  std::string dtype;
  std::vector<char> bytes;
  if (!s.numpy.result(dtype, bytes))
    return "the process has ended";
  if (dtype != numpyName(s.wanted.type) ||
      bytes.size() != s.wanted.values.size() * sizeOf(s.wanted.type))
    return "another type or size: " + dtype + ", " +
           std::to_string(bytes.size()) + " bytes";
  return compareWith(s.wanted, bytes.data(), s.wanted.numpyTolerance);
}

Entrants bench::entrantsOf(const Setting &s) {
  Entrants entrants;
  Contenders &all = entrants.contenders;
  if (!addOurs(s, s.row, "warpfold", s.wanted, entrants))
    return entrants;
  addReads(s, all);
  if (s.row.wantsSum) {
    Row sum = s.row;
    sum.op = "sum";
    if (!addOurs(s, sum, "warpfold sum", wantedOf(sum, s.data), entrants))
      return {{}, "", entrants.error};
  }
  if (s.row.op == "sum" && s.row.isFull()) {
    if (s.row.data == Fill::F32)
      addSumPeers<float, float>(s, all);
    else if (s.row.data == Fill::F64)
      addSumPeers<double, double>(s, all);
    else
      addSumPeers<int8_t, int64_t>(s, all);
  }
  if (s.row.op == "sum" && s.row.data == Fill::F32 && haveEigen())
    addEigen(s, all);
  if (s.numpy.running())
    all.push_back({"NumPy", nullptr,
                   [&s] { return s.numpy.run(s.row.repeats, s.row.numpy); },
                   [&s] { return checkNumpy(s); }});
  return entrants;
}
