//===- PrintOps.cpp - printf in a kernel ----------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// CUDA's vprintf(format, arguments): the arguments lie in the thread's own
// memory, each at its natural alignment, floats as doubles. Goes to standard
// error, a lane after the other.
//===----------------------------------------------------------------------===//
#include "Simulator/MemoryOps.h"

#include <cstdio>
#include <cstring>

using namespace wf;
using namespace wf::sim;

namespace {
/// Reads what a lane points at; generic addresses.
struct Reader {
  Warp &w;
  int lane;
  const Inst &inst;

  bool read(uint64_t at, void *to, int64_t bytes) {
    const char *from = checkedAccess(w, lane, inst, 0, at, bytes, 1, true,
                                     false, false, nullptr);
    if (from)
      std::memcpy(to, from, size_t(bytes));
    return from;
  }
  std::string string(uint64_t at) {
    std::string text;
    for (char c; text.size() < 4096 && read(at + text.size(), &c, 1) && c;)
      text += c;
    return text;
  }
};

template <class... T>
std::string formatted(const std::string &spec, T... value) {
  char buffer[512];
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-nonliteral"
#pragma clang diagnostic ignored "-Wformat-security"
  std::snprintf(buffer, sizeof buffer, spec.c_str(), value...);
#pragma clang diagnostic pop
  return buffer;
}
} // namespace

/// One conversion, "%5.2f" or "%llu", with its argument at `at`.
static std::string convert(Reader &r, std::string spec, uint64_t &at) {
  char kind = spec.back();
  if (kind == '%')
    return "%";
  bool wide = spec.find("ll") != std::string::npos ||
              spec.find('l') != std::string::npos ||
              spec.find('z') != std::string::npos ||
              std::strchr("feEgGaAps", kind);
  uint64_t size = wide ? 8 : 4, bits = 0;
  at = (at + size - 1) / size * size;
  if (!r.read(at, &bits, int64_t(size)))
    return "";
  at += size;
  if (std::strchr("feEgGaA", kind)) {
    double value;
    std::memcpy(&value, &bits, 8);
    return formatted(spec, value);
  }
  if (kind == 's')
    return formatted(spec, r.string(bits).c_str());
  if (kind == 'p')
    return formatted("%#llx", static_cast<unsigned long long>(bits));
  if (!std::strchr("diouxXc", kind))
    return spec; // nothing that printf knows
  return wide ? formatted(spec, bits) : formatted(spec, uint32_t(bits));
}

void sim::runPrint(Warp &w, const Inst &i) {
  const uint64_t *format = w.in<uint64_t>(i.a),
                 *arguments = w.in<uint64_t>(i.b);
  w.eachLane([&](int l) {
    Reader reader{w, l, i};
    std::string text = reader.string(format[l]), out;
    uint64_t at = arguments[l];
    for (size_t c = 0; c < text.size(); ++c) {
      if (text[c] != '%') {
        out += text[c];
        continue;
      }
      size_t end = text.find_first_not_of("0123456789.+-# lhzjt", c + 1);
      if (end == std::string::npos)
        break;
      out += convert(reader, text.substr(c, end - c + 1), at);
      c = end;
    }
    std::fputs(out.c_str(), stderr);
    w.out<uint32_t>(i.d)[l] = uint32_t(out.size());
  });
}
