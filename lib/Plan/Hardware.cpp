//===- Hardware.cpp - The hardware table ----------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Plan/Hardware.h"

#include "Error/Error.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <optional>

using namespace wf;

namespace {

constexpr double KiB = 1024, MiB = 1024 * 1024;

// What the sources are called. The guide's tables are in its appendix on
// compute capabilities.
const char guide[] = "CUDA C++ Programming Guide, table \"Technical "
                     "Specifications per Compute Capability\"";
const char through[] = "CUDA C++ Programming Guide, table \"Throughput of "
                       "Native Arithmetic Instructions\"";
const char ptxIsa[] = "PTX ISA, section \"Release Notes\"";
const char sectors[] = "CUDA C++ Best Practices Guide, \"Coalesced Access to "
                       "Global Memory\": 32-byte transactions";
const char driver[] = "the driver's device attributes";
const char h200[] = "taken from the H200, not measured on this card";
const char none[] = "not measured";

// H200: medians of device time over cold and clean runs, driver 580.159,
// CUDA 13.0; the hand-written ladder's f32 sums.
const char measuredRead[] = "measured: read-only kernel over 2^30 bytes";
const char measuredLaunch[] = "measured: v2 over 2^10 elements, events "
                              "included";
const char measuredLater[] = "measured: v4 over 2^10 elements less v2's";
const char measuredAtomic[] = "measured: v0 over 2^24 and v1 over 2^28 "
                              "elements less their reading: 1.75, 1.68";
const char measuredTicket[] = "measured: last-block sum of 2^10 elements less "
                              "v2's";
const char measuredPartial[] = "measured: last-block sum of 2^28 elements less "
                               "launch, ticket and reading, 4096 partials";

const char turing[] = "NVIDIA T4 datasheet and Turing whitepaper";
const char ampere[] = "NVIDIA A100 80 GB datasheet and whitepaper";
const char ga102[] = "NVIDIA Ampere GA102 whitepaper";
const char ada[] = "NVIDIA Ada GPU Architecture whitepaper";
const char hopper[] = "NVIDIA H200 datasheet";
const char blackwell[] = "NVIDIA DGX B200 datasheet";
const char rtx50[] = "NVIDIA RTX Blackwell whitepaper";

const char cdna2[] = "AMD CDNA 2 whitepaper, one die of an MI250X";
const char cdna3[] = "AMD CDNA 3 whitepaper";
const char rdna2[] = "AMD RX 6900 XT specification and RDNA 2 ISA guide";
const char rdna3[] = "AMD RX 7900 XTX specification and RDNA 3 ISA guide";
const char rdna4[] = "AMD RX 9070 XT specification and RDNA 4 ISA guide";
const char llvmAmd[] = "LLVM AMDGPU usage guide and subtarget tables";
const char hipCourse[] = "published ladder timings on this card: 66 to 70";

/// Costs of launches and atomics that nobody measured on the card.
#define ASSUMED_COSTS                                                          \
  {4.7, h200}, {2.8, h200}, {1.7, h200}, {1.5, h200}, { 0.5, h200 }

const Hardware rows[] = {
    {"sm_75",
     "Tesla T4",
     {40, turing},
     {32, guide},
     {32, guide},
     {16, guide},
     {65536, guide},
     {64 * KiB, guide},
     {48 * KiB, guide},
     {64 * KiB, guide},
     {4 * MiB, turing},
     {320, turing},
     {0, none},
     {1590, turing},
     {64, through},
     ASSUMED_COSTS,
     {32, sectors},
     {6.3, ptxIsa}},
    {"sm_80",
     "A100 SXM 80 GB",
     {108, ampere},
     {32, guide},
     {64, guide},
     {32, guide},
     {65536, guide},
     {164 * KiB, guide},
     {48 * KiB, guide},
     {163 * KiB, guide},
     {40 * MiB, ampere},
     {2039, ampere},
     {0, none},
     {1410, ampere},
     {64, through},
     ASSUMED_COSTS,
     {32, sectors},
     {7.0, ptxIsa}},
    {"sm_86",
     "GeForce RTX 3090",
     {82, ga102},
     {32, guide},
     {48, guide},
     {16, guide},
     {65536, guide},
     {100 * KiB, guide},
     {48 * KiB, guide},
     {99 * KiB, guide},
     {6 * MiB, ga102},
     {936, ga102},
     {0, none},
     {1695, ga102},
     {128, through},
     ASSUMED_COSTS,
     {32, sectors},
     {7.1, ptxIsa}},
    {"sm_89",
     "GeForce RTX 4090",
     {128, ada},
     {32, guide},
     {48, guide},
     {24, guide},
     {65536, guide},
     {100 * KiB, guide},
     {48 * KiB, guide},
     {99 * KiB, guide},
     {72 * MiB, ada},
     {1008, ada},
     {0, none},
     {2520, ada},
     {128, through},
     ASSUMED_COSTS,
     {32, sectors},
     {7.8, ptxIsa}},
    {"sm_90",
     "H200 SXM",
     {132, driver},
     {32, guide},
     {64, guide},
     {32, guide},
     {65536, guide},
     {228 * KiB, guide},
     {48 * KiB, guide},
     {227 * KiB, guide},
     {60 * MiB, driver},
     {4800, hopper},
     {4550, measuredRead},
     {1980, driver},
     {128, through},
     {4.7, measuredLaunch},
     {2.8, measuredLater},
     {1.7, measuredAtomic},
     {1.5, measuredTicket},
     {0.5, measuredPartial},
     {32, sectors},
     {7.8, ptxIsa}},
    {"sm_100",
     "B200",
     {148, driver},
     {32, guide},
     {64, guide},
     {32, guide},
     {65536, guide},
     {228 * KiB, guide},
     {48 * KiB, guide},
     {227 * KiB, guide},
     {126.5 * MiB, driver},
     {8000, blackwell},
     {0, none},
     {1965, driver},
     {128, through},
     ASSUMED_COSTS,
     {32, sectors},
     {8.6, ptxIsa}},
    {"sm_120",
     "GeForce RTX 5090",
     {170, rtx50},
     {32, guide},
     {48, guide},
     {24, guide},
     {65536, guide},
     {100 * KiB, guide},
     {48 * KiB, guide},
     {99 * KiB, guide},
     {96 * MiB, rtx50},
     {1792, rtx50},
     {0, none},
     {2407, rtx50},
     {128, through},
     ASSUMED_COSTS,
     {32, sectors},
     {8.7, ptxIsa}},
    {"gfx90a",
     "Instinct MI250X, one die",
     {110, cdna2},
     {64, llvmAmd},
     {32, llvmAmd},
     {16, llvmAmd},
     {131072, llvmAmd},
     {64 * KiB, llvmAmd},
     {64 * KiB, llvmAmd},
     {64 * KiB, llvmAmd},
     {8 * MiB, cdna2},
     {1638, cdna2},
     {0, none},
     {1700, cdna2},
     {64, cdna2},
     ASSUMED_COSTS,
     {64, llvmAmd},
     {0, ""}},
    {"gfx942",
     "Instinct MI300X",
     {304, cdna3},
     {64, llvmAmd},
     {32, llvmAmd},
     {16, llvmAmd},
     {131072, llvmAmd},
     {64 * KiB, llvmAmd},
     {64 * KiB, llvmAmd},
     {64 * KiB, llvmAmd},
     {32 * MiB, cdna3},
     {5300, cdna3},
     {0, none},
     {2100, cdna3},
     {128, cdna3},
     ASSUMED_COSTS,
     {64, llvmAmd},
     {0, ""}},
    {"gfx1030",
     "Radeon RX 6900 XT",
     {80, rdna2},
     {32, llvmAmd},
     {32, llvmAmd},
     {16, llvmAmd},
     {65536, llvmAmd},
     {64 * KiB, llvmAmd},
     {64 * KiB, llvmAmd},
     {64 * KiB, llvmAmd},
     {4 * MiB, rdna2},
     {512, rdna2},
     {0, none},
     {2250, rdna2},
     {64, rdna2},
     ASSUMED_COSTS,
     {64, llvmAmd},
     {0, ""}},
    {"gfx1100",
     "Radeon RX 7900 XTX",
     {96, rdna3},
     {32, llvmAmd},
     {32, llvmAmd},
     {16, llvmAmd},
     {98304, llvmAmd},
     {64 * KiB, llvmAmd},
     {64 * KiB, llvmAmd},
     {64 * KiB, llvmAmd},
     {6 * MiB, rdna3},
     {960, rdna3},
     {0, none},
     {2500, rdna3},
     {64, rdna3},
     ASSUMED_COSTS,
     {64, llvmAmd},
     {0, ""}},
    {"gfx1201",           "Radeon RX 9070 XT",
     {64, rdna4},         {32, llvmAmd},
     {32, llvmAmd},       {16, llvmAmd},
     {98304, llvmAmd},    {64 * KiB, llvmAmd},
     {64 * KiB, llvmAmd}, {64 * KiB, llvmAmd},
     {8 * MiB, rdna4},    {640, rdna4},
     {0, none},           {2970, rdna4},
     {64, rdna4},         {4.7, h200},
     {2.8, h200},         {67, hipCourse},
     {1.5, h200},         {0.5, h200},
     {64, llvmAmd},       {0, ""}},
};

/// "65536", "126.5", "7.0" (a version keeps its decimal).
std::string number(double value, bool version) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (!version && value == std::floor(value))
    os << int64_t(value);
  else
    os << llvm::format("%.1f", value);
  return text;
}

} // namespace

llvm::ArrayRef<Hardware> wf::hardwareTable() { return rows; }

const Hardware *wf::findHardware(llvm::StringRef target) {
  // A chip's figures are those of either wave size that it has.
  if (target.consume_back(":wave64") && !target.starts_with("gfx1"))
    return nullptr;
  for (const Hardware &row : rows)
    if (target == row.target)
      return &row;
  return nullptr;
}

/// The number in an architecture's name: sm_120 is 120, gfx1201 is 0x1201. Of
/// the other vendor, or no number: nothing. Suffixes such as the a of sm_90a
/// name features of an architecture.
static std::optional<unsigned> architecture(llvm::StringRef vendor,
                                            llvm::StringRef target) {
  bool nvidia = vendor == "sm_";
  unsigned number;
  if (!target.consume_front(vendor) ||
      (nvidia ? target.rtrim("abcdef") : target)
          .getAsInteger(nvidia ? 10 : 16, number))
    return std::nullopt;
  return number;
}

llvm::StringRef wf::nearestTarget(llvm::StringRef target) {
  // "sm_12" was cut short.
  for (const Hardware &row : rows)
    if (target.size() > 3 && llvm::StringRef(row.target).starts_with(target))
      return row.target;
  // "sm_91", "sm_103" and "gfx1200" mean an architecture: the nearest number of
  // the same vendor, the older one first. Anything else is a slip of the
  // finger.
  llvm::StringRef best = rows[0].target;
  unsigned least = ~0u;
  for (llvm::StringRef vendor : {"sm_", "gfx"}) {
    std::optional<unsigned> wanted = architecture(vendor, target);
    if (!wanted)
      continue;
    for (const Hardware &row : rows) {
      std::optional<unsigned> have = architecture(vendor, row.target);
      if (!have)
        continue;
      unsigned distance = *have > *wanted ? *have - *wanted : *wanted - *have;
      if (distance < least)
        least = distance, best = row.target;
    }
    return best;
  }
  for (const Hardware &row : rows) {
    unsigned distance = target.edit_distance(row.target);
    if (distance < least)
      least = distance, best = row.target;
  }
  return best;
}

llvm::Expected<const Hardware *> wf::lookupHardware(llvm::StringRef target) {
  if (const Hardware *row = findHardware(target))
    return row;
  auto [chip, mode] = target.split(':');
  if (const Hardware *row = findHardware(chip); row && target.contains(':'))
    return userError("target " + chip + " has no mode '" + mode + "'",
                     findHardware((chip + ":wave64").str())
                         ? "its waves have 32 lanes; say " + chip + ", or " +
                               chip + ":wave64 for 64"
                     : chip.starts_with("gfx")
                         ? "its waves have 64 lanes; say " + chip
                         : "say " + chip);
  std::string known;
  for (const Hardware &row : rows)
    for (std::string name :
         {std::string(row.target), std::string(row.target) + ":wave64"})
      if (findHardware(name))
        known += (known.empty() ? "" : ", ") + name;
  return userError("no target is called '" + target + "'",
                   "did you mean '" + nearestTarget(chip) + "'? There are " +
                       known);
}

std::string wf::hardwareSummary() {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const Hardware &row : rows)
    os << llvm::left_justify(row.target, 9) << llvm::left_justify(row.card, 26)
       << llvm::format("%4.0f multiprocessors  %5.0f GB/s  L2 %5.1f MiB\n",
                       row.multiprocessors.value, row.bandwidth.value,
                       row.l2.value / MiB);
  return text;
}

std::string wf::hardwareText(const Hardware &row) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << row.target << "  " << row.card << '\n';
  auto line = [&](llvm::StringRef label, llvm::StringRef unit, const Figure &f,
                  bool version) {
    if (version && f.value == 0)
      return;
    std::string value = f.value == 0 ? "-" : number(f.value, version);
    if (f.value != 0 && !unit.empty())
      value += " " + unit.str();
    os << "  " << llvm::left_justify(label, 46) << llvm::left_justify(value, 18)
       << ' ' << f.source << '\n';
  };
#define X(F, LABEL, UNIT)                                                      \
  line(LABEL, UNIT, row.F, llvm::StringRef(#F) == "ptx");
  WF_HARDWARE_FIGURES(X)
#undef X
  return text;
}
