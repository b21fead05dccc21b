//===- InspectJson.cpp - An inspection as JSON ----------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Inspect/Diagnosis.h"

#include "nlohmann/json.hpp"

using namespace wf::explain;
using Json = nlohmann::ordered_json;

static std::string_view lawKey(Law law) {
  switch (law) {
  case Law::Exact:
    return "yes";
  case Law::Rounding:
    return "rounding";
  case Law::Broken:
    return "no";
  case Law::Unknown:
    break;
  }
  return "unknown";
}

static void place(Json &json, const SourceLine &source, uint32_t line) {
  json["line"] = line;
  if (source.line != 0)
    json["source"] = {{"file", source.file}, {"line", source.line}};
}

static Json typeJson(const TensorType &type) {
  Json json = {{"shape", type.shape}, {"element", type.element}};
  if (!type.layout.empty())
    json["layout"] = type.layout;
  return json;
}

static Json exampleJson(const CounterExample &e) {
  return {{"states", e.states}, {"left", e.left}, {"right", e.right}};
}

static Json reductionJson(const Reduction &r) {
  Json json = {{"op", r.name}, {"axis", r.axis}, {"length", r.length}};
  place(json, r.source, r.line);
  json["operands"] = Json::array();
  for (const TensorType &type : r.operands)
    json["operands"].push_back(typeJson(type));
  json["region"] = r.region;
  if (!r.combiner.empty())
    json["combiner"] = r.combiner;
  json["associative"] = lawKey(r.associative);
  json["commutative"] = lawKey(r.commutative);
  if (r.grouping)
    json["groupingExample"] = exampleJson(*r.grouping);
  if (r.swapping)
    json["swappingExample"] = exampleJson(*r.swapping);
  if (r.nanGrouping)
    json["nanExample"] = exampleJson(*r.nanGrouping);
  if (!r.notEvaluated.empty())
    json["notEvaluated"] = r.notEvaluated;
  if (r.spread)
    json["spread"] = {{"registers", r.spread->registers},
                      {"lanes", r.spread->lanes},
                      {"warps", r.spread->warps}};
  if (!r.warnings.empty())
    json["warnings"] = r.warnings;
  return json;
}

static Json conversionJson(const Conversion &c) {
  Json json;
  place(json, c.source, c.line);
  json["from"] = typeJson(c.from);
  json["to"] = typeJson(c.to);
  json["bytes"] = c.to.bytes();
  if (c.follows >= 0)
    json["follows"] = c.follows;
  json["cause"] = c.cause;
  return json;
}

static Json layoutJson(const Layout &l) {
  Json json = {{"name", l.name}, {"kind", l.kind}};
  if (!l.sizePerThread.empty()) {
    json["sizePerThread"] = l.sizePerThread;
    json["threadsPerWarp"] = l.threadsPerWarp;
    json["warpsPerCTA"] = l.warpsPerCta;
    json["order"] = l.order;
  } else {
    json["text"] = l.text;
  }
  return json;
}

static Json trafficJson(const Traffic &t) {
  return {{"shuffles", t.shuffles},
          {"redux", t.redux},
          {"votes", t.votes},
          {"dpp", t.dpp},
          {"permutes", t.permutes},
          {"laneReads", t.readLanes},
          {"sharedLoads", t.sharedLoads},
          {"sharedStores", t.sharedStores},
          {"barriers", t.barriers},
          {"globalLoads", t.globalLoads},
          {"globalStores", t.globalStores},
          {"atomics", t.atomics},
          {"localAccesses", t.localAccesses},
          {"widestLoadBytes", t.widestLoad}};
}

static Json dumpJson(const Dump &d) {
  Json json = {{"file", d.file}, {"stage", stageName(d.stage)}};
  if (!d.detail.empty())
    json["detail"] = d.detail;
  if (!d.target.empty())
    json["target"] = d.target;
  if (d.warps)
    json["warps"] = d.warps;
  if (d.lanes)
    json["lanes"] = d.lanes;
  if (d.sharedBytes)
    json["sharedBytes"] = *d.sharedBytes;
  json["layouts"] = Json::array();
  for (const Layout &l : d.layouts)
    json["layouts"].push_back(layoutJson(l));
  json["reductions"] = Json::array();
  for (const Reduction &r : d.reductions)
    json["reductions"].push_back(reductionJson(r));
  json["conversions"] = Json::array();
  for (const Conversion &c : d.conversions)
    json["conversions"].push_back(conversionJson(c));
  if (!d.tiers.empty())
    json["tiers"] = d.tiers;
  if (d.traffic)
    json["traffic"] = trafficJson(*d.traffic);
  if (!d.warnings.empty())
    json["warnings"] = d.warnings;
  return json;
}

std::string wf::explain::inspectionJson(const Inspection &inspection) {
  Json json = {{"schema", "warpfold-inspect-1"}, {"kernels", Json::array()}};
  for (const InspectedKernel &k : inspection.kernels) {
    Json kernel = {{"name", k.name}};
    if (!k.target.empty())
      kernel["target"] = k.target;
    kernel["checkpoints"] = Json::array();
    for (size_t i : k.dumps)
      kernel["checkpoints"].push_back(dumpJson(inspection.dumps[i]));
    kernel["warnings"] = k.warnings;
    kernel["diagnosis"] = k.diagnosis;
    json["kernels"].push_back(std::move(kernel));
  }
  json["remarks"] = Json::array();
  for (const Remark &r : inspection.remarks)
    json["remarks"].push_back({{"line", r.line}, {"text", r.text}});
  // Names in a text may hold any bytes.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}
