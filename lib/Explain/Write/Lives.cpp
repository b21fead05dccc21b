//===- Lives.cpp - Which life of a register an instruction means ----------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Write/Lives.h"

#include <set>

using namespace wf::explain;

Lives::Lives(const Analysis &a)
    : a(a), defs(a.program.code.size()), uses(a.program.code.size()) {
  for (uint32_t w = 0; w < a.webs.size(); ++w) {
    for (size_t i : a.webs[w].defs)
      if (i < defs.size())
        defs[i].push_back(w);
    for (size_t i : a.webs[w].uses)
      if (i < uses.size())
        uses[i].push_back(w);
  }
}

const Web *Lives::find(const Table &table, size_t i, Reg reg) const {
  if (i < table.size())
    for (uint32_t w : table[i])
      if (a.webs[w].reg == reg)
        return &a.webs[w];
  return nullptr;
}

std::vector<size_t> Lives::slice(const std::vector<size_t> &roots,
                                 size_t limit) const {
  std::set<size_t> seen(roots.begin(), roots.end());
  std::vector<size_t> work(roots.begin(), roots.end());
  // Breadth first, so that what is cut by the limit is what is farthest.
  for (size_t n = 0; n < work.size() && seen.size() < limit; ++n) {
    if (work[n] >= uses.size())
      continue;
    for (uint32_t w : uses[work[n]])
      for (size_t i : a.webs[w].defs)
        if (seen.size() < limit && seen.insert(i).second)
          work.push_back(i);
  }
  return {seen.begin(), seen.end()};
}
