//===- SassDecodeSupport.h - SASS lines, decoded and written ----*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_UNITTESTS_EXPLAIN_SASSDECODESUPPORT_H
#define WARPFOLD_UNITTESTS_EXPLAIN_SASSDECODESUPPORT_H

#include "Support.h"

#include <cmath>
#include <filesystem>
#include <set>

namespace wf::explain {


/// Instructions, one a line, as a kernel of an SM.
inline Program decoded(const std::string &sm, const std::vector<std::string> &lines) {
  std::string text = "\tcode for " + sm + "\n\t\tFunction : k\n";
  const unsigned step = sm < "sm_70" && sm.size() == 5 ? 8 : 16;
  char address[32];
  for (size_t i = 0; i < lines.size(); ++i) {
    std::snprintf(address, sizeof address, "        /*%04x*/ ",
                  static_cast<unsigned>(i) * step);
    text += address + lines[i] + " ;\n";
  }
  auto read = readListing(text, "k");
  if (!read || read->kernels.size() != 1 || read->unreadLines != 0) {
    ADD_FAILURE() << "not read: " << text;
    return {};
  }
  return decode(std::move(read->kernels[0]));
}

inline std::string written(const Program &p, const Source &s) {
  std::string out = s.invert ? "!" : "";
  out += s.negate ? "-" : "";
  out += s.absolute ? "|" : "";
  switch (s.kind) {
  case Source::Kind::Register:
    out += p.registerName(s.reg);
    if (s.count > 1)
      out += ":" + std::to_string(s.count);
    break;
  case Source::Kind::Immediate:
    out += std::to_string(s.imm);
    break;
  case Source::Kind::Float: {
    char text[32];
    std::snprintf(text, sizeof text, "%gf", s.number);
    out += text;
    break;
  }
  case Source::Kind::Parameter:
    out += "param" + std::to_string(s.imm);
    if (s.count > 1)
      out += ":" + std::to_string(s.count);
    break;
  case Source::Kind::Special:
    out += s.name;
    break;
  case Source::Kind::Constant:
    out += "c" + std::to_string(s.bank) + "[" + std::to_string(s.imm) + "]";
    break;
  case Source::Kind::Symbol:
    out += "`" + s.name;
    break;
  case Source::Kind::True:
    out += "true";
    break;
  }
  if (s.scale != 1)
    out += "*" + std::to_string(s.scale);
  return out + (s.part.empty() ? "" : "." + s.part);
}

/// "R2:2 = multiply-add R2 R3 param0:2", and of memory "[global 4 R2:2 +8]".
inline std::string written(const Program &p, const Effect &e) {
  std::string out;
  if (e.def) {
    out = p.registerName(e.def->reg);
    if (e.def->count > 1)
      out += ":" + std::to_string(e.def->count);
    out += " = ";
  }
  out += opName(e.op);
  for (const Source &s : e.in)
    out += " " + written(p, s);
  if (e.memory) {
    const Memory &m = *e.memory;
    out +=
        " [" + std::string(spaceName(m.space)) + " " + std::to_string(m.bytes);
    if (m.base)
      out += " " + written(p, *m.base);
    if (m.uniform)
      out += " " + written(p, *m.uniform);
    if (m.offset)
      out += " +" + std::to_string(m.offset);
    out += "]";
    if (!m.atomic.empty())
      out += " " + m.atomic;
    if (m.compare)
      out += " compare " + written(p, *m.compare);
    if (m.data)
      out += " data " + written(p, *m.data);
  }
  return out;
}

/// The effects of one instruction, separated by "; ".
inline std::string effectsOf(const std::string &sm, const std::string &line) {
  const Program p = decoded(sm, {line});
  if (p.code.size() != 1)
    return "?";
  EXPECT_TRUE(p.code[0].known) << line;
  std::string out;
  for (const Effect &effect : p.code[0].effects)
    out += (out.empty() ? "" : "; ") + written(p, effect);
  return out;
}

struct Row {
  const char *line, *effects;
};

inline void expectRows(const std::string &sm, const std::vector<Row> &rows) {
  for (const Row &row : rows)
    EXPECT_EQ(effectsOf(sm, row.line), row.effects) << sm << " " << row.line;
}


} // namespace wf::explain

#endif // WARPFOLD_UNITTESTS_EXPLAIN_SASSDECODESUPPORT_H
