//===- Inspect.cpp - Groups a compiler's dumps by kernel ------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Inspect/Inspect.h"

#include "Explain/Inspect/Diagnosis.h"
#include "Explain/Inspect/IrReader.h"
#include "Explain/Inspect/Traffic.h"

#include <algorithm>
#include <tuple>

using namespace wf::explain;

std::string_view wf::explain::stageName(Stage stage) {
  switch (stage) {
  case Stage::TritonIr:
    return "TTIR";
  case Stage::TritonGpuIr:
    return "TTGIR";
  case Stage::Mlir:
    return "MLIR";
  case Stage::LlvmIr:
    return "LLVM IR";
  case Stage::Ptx:
    return "PTX";
  case Stage::Amdgcn:
    return "AMD assembly";
  }
  return "";
}

/// By what the text holds; names lie.
static std::optional<Stage> stageOf(std::string_view text) {
  auto has = [&](std::string_view part) {
    return text.find(part) != std::string_view::npos;
  };
  if (has(".amdgcn_target") || has(".amdhsa_kernel"))
    return Stage::Amdgcn;
  if (has(".version") && (has(".entry") || has(".func")))
    return Stage::Ptx;
  bool triton = has("tt.func") || has("tt.reduce") || has("tt.scan") ||
                has("tt.load") || has("triton.reduce");
  if (has("#ttg.") || has("#triton_gpu.") || has("ttg.convert_layout") ||
      has("triton_gpu.convert_layout") || (triton && has(".num-warps")))
    return Stage::TritonGpuIr;
  if (triton)
    return Stage::TritonIr;
  if (has("func.func") || has("fold.reduce") || has("llvm.func"))
    return Stage::Mlir;
  if (has("define ") &&
      (has("target triple") || has("target datalayout") || has("ptx_kernel") ||
       has("amdgpu_kernel") || has("ModuleID") || has("call ")))
    return Stage::LlvmIr;
  return std::nullopt;
}

/// Which of our own stages MLIR text is.
static void detailOf(Dump &dump, const ir::Tokens &t) {
  for (const Reduction &r : dump.reductions)
    if (r.name == "fold.reduce") {
      dump.detail = "fold";
      return;
    }
  dump.detail = dump.tiers.empty() ? "loops" : "tiers";
  if (Traffic traffic = ir::mlirTraffic(t); ir::any(traffic))
    dump.traffic = traffic;
}

static std::vector<Dump> dumpsOf(const NamedText &file, Inspection &out) {
  std::string text = file.text;
  auto stage = stageOf(text);
  if (!stage) {
    out.remarks.push_back(
        {0, file.name + " is no dump of a known stage, and is left out"});
    return {};
  }
  std::vector<Dump> dumps;
  if (*stage == Stage::Ptx) {
    dumps = ir::readPtxTraffic(text, file.name, out.remarks);
  } else if (*stage == Stage::Amdgcn) {
    dumps = ir::readAmdAssembly(text, file.name);
  } else {
    ir::Tokens t = ir::cutTokens(text, *stage == Stage::LlvmIr);
    dumps = *stage == Stage::LlvmIr ? ir::readLlvm(t, file.name)
                                    : ir::readIr(t, file.name, *stage);
    if (*stage == Stage::Mlir && dumps.size() == 1)
      detailOf(dumps[0], t);
  }
  if (dumps.empty())
    out.remarks.push_back(
        {0, file.name + " holds no kernel that could be read"});
  return dumps;
}

/// "dumps/sum.sm_90.ttgir" → "dumps/sum.sm_90".
static std::string stem(std::string_view file) {
  size_t slash = file.find_last_of("/\\");
  size_t dot = file.rfind('.');
  bool extension = dot != std::string_view::npos && dot > 0 &&
                   (slash == std::string_view::npos || dot > slash + 1);
  return std::string(extension ? file.substr(0, dot) : file);
}

namespace {
/// Dumps that belong together.
struct Group {
  std::string stem, kernel, target;
  std::vector<size_t> dumps;
  uint32_t stages = 0;
};
} // namespace

/// "sm_90" and "sm_90a" are one chip.
static bool targetsAgree(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty())
    return true;
  size_t common = std::min(a.size(), b.size());
  return a.substr(0, common) == b.substr(0, common);
}

/// Our stages of MLIR count apart: fold, tiers and loops may stand together.
static uint32_t stageBit(const Dump &d) {
  uint32_t bit = 1u << static_cast<uint32_t>(d.stage);
  if (d.stage == Stage::Mlir)
    bit = d.detail == "fold"    ? 1u << 8
          : d.detail == "tiers" ? 1u << 9
                                : 1u << 10;
  return bit;
}

static std::vector<Group> groupsOf(const std::vector<Dump> &dumps) {
  // First by file name without its last part, then kernels of one name whose
  // stages complement each other.
  std::map<std::pair<std::string, std::string>, size_t> byStem;
  std::vector<Group> groups;
  for (size_t i = 0; i < dumps.size(); ++i) {
    const Dump &d = dumps[i];
    auto [found, fresh] =
        byStem.emplace(std::make_pair(stem(d.file), d.kernel), groups.size());
    // Our plan stage looks as the fold stage does; both are one kernel's.
    bool taken = !fresh && d.detail != "fold" &&
                 (groups[found->second].stages & stageBit(d)) != 0;
    if (taken) {
      found->second = groups.size();
      fresh = true;
    }
    if (fresh)
      groups.push_back({stem(d.file), d.kernel, d.target, {}, 0});
    Group &g = groups[found->second];
    if (g.target.empty())
      g.target = d.target;
    g.dumps.push_back(i);
    g.stages |= stageBit(d);
  }
  std::map<std::string, std::vector<size_t>> byKernel;
  std::vector<Group> merged;
  for (Group &g : groups) {
    std::vector<size_t> &same = byKernel[g.kernel];
    // A handful of candidates: a folder may hold thousands of one name.
    size_t from = same.size() > 16 ? same.size() - 16 : 0;
    auto into = std::find_if(same.begin() + from, same.end(), [&](size_t m) {
      return (merged[m].stages & g.stages) == 0 &&
             targetsAgree(merged[m].target, g.target);
    });
    if (into == same.end() || g.kernel.empty()) {
      same.push_back(merged.size());
      merged.push_back(std::move(g));
      continue;
    }
    Group &m = merged[*into];
    m.dumps.insert(m.dumps.end(), g.dumps.begin(), g.dumps.end());
    m.stages |= g.stages;
    if (m.target.empty())
      m.target = g.target;
  }
  return merged;
}

Result<Inspection> wf::explain::inspect(std::vector<NamedText> texts) {
  Inspection out;
  for (const NamedText &file : texts)
    for (Dump &dump : dumpsOf(file, out))
      out.dumps.push_back(std::move(dump));
  if (out.dumps.empty()) {
    std::string what = texts.empty()       ? "no file to inspect"
                       : texts.size() == 1 ? "no kernel in " + texts[0].name
                                           : "no kernel in these files";
    return Fault{what, "inspect reads Triton's .ttir, .ttgir, .llir, .ptx and "
                       ".amdgcn (kernel.asm['ttir'], or a folder of "
                       "TRITON_KERNEL_DUMP=1) and what `warpfold compile "
                       "--emit fold,tiers,loops,llvm,ptx` prints"};
  }
  for (Group &g : groupsOf(out.dumps)) {
    InspectedKernel kernel;
    kernel.name = g.kernel.empty() ? g.stem : g.kernel;
    kernel.target = g.target;
    kernel.dumps = std::move(g.dumps);
    std::sort(kernel.dumps.begin(), kernel.dumps.end(),
              [&](size_t a, size_t b) {
                const Dump &l = out.dumps[a], &r = out.dumps[b];
                return std::make_tuple(l.stage, stageBit(l), a) <
                       std::make_tuple(r.stage, stageBit(r), b);
              });
    ir::diagnose(kernel, out.dumps);
    out.kernels.push_back(std::move(kernel));
  }
  return out;
}
