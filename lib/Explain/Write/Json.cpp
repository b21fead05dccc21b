//===- Json.cpp - Reports for programs ------------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// docs/explain.schema.json describes what is written here. Instructions are
// named by their index in "instructions", addresses are numbers.
//===----------------------------------------------------------------------===//
#include "Explain/Write/Words.h"
#include "Explain/Write/Write.h"

#include <nlohmann/json.hpp>

using namespace wf::explain;
using Json = nlohmann::ordered_json;

static const char *isaKey(Isa isa) {
  switch (isa) {
  case Isa::Sass:
    return "sass";
  case Isa::Amdgcn:
    return "amdgcn";
  case Isa::Ptx:
    return "ptx";
  }
  return "";
}

static Json resourcesOf(const Resources &res) {
  Json out = Json::object();
  auto put = [&](const char *name, const std::optional<uint32_t> &value) {
    if (value)
      out[name] = *value;
  };
  put("registers", res.registers);
  put("uniformRegisters", res.uniformRegisters);
  put("accumulators", res.accumulators);
  put("sharedBytes", res.sharedBytes);
  put("stackBytes", res.stackBytes);
  put("spillBytes", res.spillBytes);
  put("barriers", res.barriers);
  put("maxThreads", res.maxThreads);
  return out;
}

static Json controlOf(const Control &c) {
  Json waits = Json::array();
  for (int b = 0; b < 6; ++b)
    if (c.waits >> b & 1)
      waits.push_back(b);
  Json out = {{"stall", c.stall},
              {"yield", c.yield},
              {"waits", waits},
              {"reuse", c.reuse}};
  if (c.writeBarrier >= 0)
    out["writeBarrier"] = c.writeBarrier;
  if (c.readBarrier >= 0)
    out["readBarrier"] = c.readBarrier;
  return out;
}

static Json instructionsOf(const Report &r) {
  Json all = Json::array();
  const Kernel &k = r.kernel();
  const Analysis &a = r.analysis;
  for (size_t i = 0; i < k.code.size(); ++i) {
    const Instruction &in = k.code[i];
    Json one = {{"address", in.address}, {"line", in.line}, {"text", in.text}};
    if (!in.label.empty())
      one["label"] = in.label;
    if (i < r.roles.size()) {
      one["role"] = roleName(r.roles[i].role);
      if (!r.roles[i].says.empty())
        one["says"] = r.roles[i].says;
    }
    if (i < a.blockOf.size())
      one["block"] = a.blockOf[i];
    if (i < a.code.size() && a.code[i].guard < a.values.size())
      one["guard"] = condition(a, a.code[i].guard);
    if (!a.program.code[i].known)
      one["known"] = false;
    if (!a.program.code[i].meaning.empty())
      one["meaning"] = a.program.code[i].meaning;
    if (in.control)
      one["control"] = controlOf(*in.control);
    if (in.source.line)
      one["source"] = {{"file", in.source.file}, {"line", in.source.line}};
    if (in.ptxLine)
      one["ptxLine"] = in.ptxLine;
    all.push_back(std::move(one));
  }
  return all;
}

static Json blocksOf(const Analysis &a) {
  Json all = Json::array();
  for (const Block &b : a.blocks) {
    Json one = {{"first", b.first},
                {"last", b.last},
                {"next", b.next},
                {"reachable", b.reachable}};
    if (b.loop >= 0)
      one["loop"] = b.loop;
    all.push_back(std::move(one));
  }
  return all;
}

static Json loopsOf(const Analysis &a) {
  Json all = Json::array();
  for (const Loop &l : a.loops) {
    Json one = {{"header", a.blocks[l.header].first},
                {"blocks", l.blocks},
                {"depth", l.depth},
                {"rotated", l.rotated},
                {"unrolled", l.unrolled},
                {"condition", l.condition},
                {"induction", l.induction}};
    if (l.guardInstruction >= 0)
      one["guardInstruction"] = l.guardInstruction;
    if (l.parent >= 0)
      one["parent"] = l.parent;
    all.push_back(std::move(one));
  }
  return all;
}

static Json livesOf(const Analysis &a) {
  Json all = Json::array();
  for (const Web &w : a.webs) {
    Json one = {{"register", a.program.registerName(w.reg)},
                {"role", w.role},
                {"defs", w.defs},
                {"uses", w.uses}};
    if (!w.reuse.empty())
      one["reuse"] = w.reuse;
    all.push_back(std::move(one));
  }
  return all;
}

static Json accessesOf(const Report &r) {
  Json all = Json::array();
  for (const Access &x : r.accesses) {
    Json one = {{"instruction", x.instruction},
                {"space", spaceName(x.space)},
                {"load", x.load},
                {"store", x.store},
                {"atomic", x.atomic},
                {"asynchronous", x.async},
                {"bytes", x.bytes},
                {"what", x.what},
                {"array", x.array},
                {"loopDepth", x.loopDepth},
                {"uniform", x.uniform}};
    if (x.laneStride)
      one["laneStride"] = *x.laneStride;
    if (x.conflicts > 0)
      one["bankConflicts"] = x.conflicts;
    all.push_back(std::move(one));
  }
  return all;
}

static Json accumulatorsOf(const Report &r) {
  Json all = Json::array();
  for (const Accumulator &x : r.accumulators) {
    Json through = Json::array();
    for (Through t : x.through)
      through.push_back(throughName(t));
    Json one = {{"operation", x.operation},
                {"type", words::typeName(x.type)},
                {"through", through},
                {"loop", x.loop},
                {"copies", x.copies},
                {"barriers", x.barriers},
                {"bytesRead", x.bytesRead},
                {"bytesWritten", x.bytesWritten},
                {"exchanges", x.exchanges},
                {"step", x.step},
                {"all", x.all},
                {"source", x.source},
                {"verdict", x.verdict},
                {"halving", x.halving},
                {"gridStride", x.gridStride},
                {"warpWide", x.warpWide},
                {"handedOver", x.handedOver},
                {"rescaled", x.rescaled},
                {"matrix", x.matrix}};
    if (x.loopIndex >= 0)
      one["loopIndex"] = x.loopIndex;
    all.push_back(std::move(one));
  }
  return all;
}

static Json verdictsOf(const Report &r) {
  Json out = Json::object();
  out["materialised"] = r.materialised;
  out["summary"] = r.summary;
  out["memoryPath"] = r.memoryPath;
  out["accumulators"] = accumulatorsOf(r);
  out["accesses"] = accessesOf(r);
  out["barriers"] = Json::array();
  for (const BarrierFact &b : r.barriers)
    out["barriers"].push_back({{"instruction", b.instruction},
                               {"redundant", b.redundant},
                               {"why", b.why}});
  out["build"] = Json::array();
  for (const BuildFact &b : r.build)
    out["build"].push_back(
        {{"name", b.name}, {"says", b.says}, {"proof", b.proof}});
  out["occupancy"] = Json::array();
  for (const Occupancy &o : r.occupancy)
    out["occupancy"].push_back({{"chip", o.chip},
                                {"registers", o.registers},
                                {"sharedBytes", o.sharedBytes},
                                {"blockThreads", o.blockThreads},
                                {"blocks", o.blocks},
                                {"warps", o.warps},
                                {"maxWarps", o.maxWarps},
                                {"limit", o.limit}});
  out["findings"] = Json::array();
  for (const Finding &f : r.findings)
    out["findings"].push_back(
        {{"kind", f.kind == Finding::Kind::Warning ? "warning" : "note"},
         {"name", f.name},
         {"says", f.says},
         {"proof", f.proof}});
  out["patterns"] = Json::array();
  for (const PatternMatch &p : r.patterns)
    out["patterns"].push_back({{"name", p.name},
                               {"title", p.title},
                               {"detail", p.detail},
                               {"evidence", p.evidence},
                               {"instructions", p.instructions}});
  if (r.nearest)
    out["nearest"] = {{"name", r.nearest->name}, {"failed", r.nearest->failed}};
  out["facts"] = Json::object();
  for (const auto &[name, fact] : r.facts)
    out["facts"][name] = {{"value", fact.value}, {"proof", fact.proof}};
  return out;
}

static Json kernelOf(const Report &r, const WriteOptions &options) {
  const Kernel &k = r.kernel();
  Json out = {{"name", k.name},       {"demangled", demangled(k.name)},
              {"target", k.target},   {"targetInferred", k.targetInferred},
              {"isa", isaKey(k.isa)}, {"lanes", k.lanes},
              {"entry", k.entry},     {"origin", k.origin},
              {"file", options.file}, {"line", k.line}};
  out["parameters"] = Json::array();
  for (const Parameter &p : k.parameters)
    out["parameters"].push_back({{"name", p.name},
                                 {"type", p.type},
                                 {"offset", p.offset},
                                 {"bytes", p.bytes}});
  out["resources"] = resourcesOf(k.resources);
  out.update(verdictsOf(r));
  out["pseudoCode"] = pseudoCode(r);
  out["instructions"] = instructionsOf(r);
  out["blocks"] = blocksOf(r.analysis);
  out["loops"] = loopsOf(r.analysis);
  out["lives"] = livesOf(r.analysis);
  return out;
}

std::string wf::explain::jsonOf(const std::vector<Report> &reports,
                                const WriteOptions &options) {
  // A kernel at a time: the tree of ten thousand would not fit in memory.
  std::string out = "[";
  for (size_t n = 0; n < reports.size(); ++n) {
    out += n ? ",\n" : "\n";
    // Bytes that are no UTF-8 become U+FFFD.
    out += kernelOf(reports[n], options)
               .dump(1, ' ', false, Json::error_handler_t::replace);
  }
  return out + (reports.empty() ? "]\n" : "\n]\n");
}
