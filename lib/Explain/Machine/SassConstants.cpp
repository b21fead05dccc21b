//===- SassConstants.cpp - What the constant banks and SR_ names hold -----===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Machine/SassOperand.h"
#include "Explain/Read/Lines.h"

#include <algorithm>
#include <bit>
#include <cmath>

using namespace wf::explain;

namespace {

/// The driver's part of bank 0, before the parameters.
struct BankLayout {
  int from, to; ///< SMs
  uint32_t block, grid, stack, parameters;
  uint32_t descriptor; ///< of global memory; 0: none
};

constexpr BankLayout layouts[] = {
    {20, 29, 0x8, 0x14, 0, 0x20, 0},
    {30, 49, 0x28, 0x34, 0x44, 0x140, 0},
    {50, 69, 0x8, 0x14, 0x20, 0x140, 0},
    {70, 89, 0x0, 0xc, 0x28, 0x160, 0x118},
    {90, 99, 0x0, 0xc, 0x28, 0x210, 0x208},
    {100, 999, 0x360, 0x370, 0x37c, 0x380, 0x358}};

Source special(std::string name, uint8_t words = 1) {
  Source source;
  source.kind = Source::Kind::Special;
  source.name = std::move(name);
  source.count = words;
  return source;
}

struct SpecialRow {
  std::string_view sass, name;
};

/// Names as CUDA C++ and PTX have them.
constexpr SpecialRow specials[] = {{"TID.X", "threadIdx.x"},
                                   {"TID.Y", "threadIdx.y"},
                                   {"TID.Z", "threadIdx.z"},
                                   {"CTAID.X", "blockIdx.x"},
                                   {"CTAID.Y", "blockIdx.y"},
                                   {"CTAID.Z", "blockIdx.z"},
                                   {"NTID.X", "blockDim.x"},
                                   {"NTID.Y", "blockDim.y"},
                                   {"NTID.Z", "blockDim.z"},
                                   {"NCTAID.X", "gridDim.x"},
                                   {"NCTAID.Y", "gridDim.y"},
                                   {"NCTAID.Z", "gridDim.z"},
                                   {"LANEID", "laneId"},
                                   {"WARPID", "warpId"},
                                   {"SMID", "smId"},
                                   {"VIRTUALSMID", "smId"},
                                   {"GRIDID", "gridId"},
                                   {"LTMASK", "laneMask.lt"},
                                   {"LEMASK", "laneMask.le"},
                                   {"EQMASK", "laneMask.eq"},
                                   {"GTMASK", "laneMask.gt"},
                                   {"GEMASK", "laneMask.ge"},
                                   {"CLOCKLO", "clock"},
                                   {"CLOCKHI", "clock.high"},
                                   {"CLOCK", "clock"},
                                   {"GLOBALTIMERLO", "globalTimer"},
                                   {"GLOBALTIMERHI", "globalTimer.high"},
                                   {"CGACTAID", "clusterCtaRank"},
                                   {"CGASIZE", "clusterSize"},
                                   {"SWINLO", "sharedWindow"},
                                   {"SWINHI", "sharedWindow.high"},
                                   {"LWINLO", "localWindow"},
                                   {"LWINHI", "localWindow.high"},
                                   {"TID", "threadIdx"},
                                   {"CTAID", "blockIdx"}};

} // namespace

Source wf::explain::sassConstant(uint32_t bank, int64_t offset, int sm) {
  Source source;
  source.kind = Source::Kind::Constant;
  source.bank = bank;
  source.imm = offset;
  if (sm >= 20 && sm < 30 && bank == 1 && offset == 0x100)
    return special("stack");
  if (bank != 0 || offset < 0)
    return source;
  static constexpr std::string_view axes[] = {"x", "y", "z"};
  for (const BankLayout &layout : layouts) {
    if (sm < layout.from || sm > layout.to)
      continue;
    if (offset >= layout.parameters) {
      source.kind = Source::Kind::Parameter;
      source.imm = offset - layout.parameters;
      return source;
    }
    for (uint32_t i = 0; i < 3; ++i) {
      if (offset == layout.block + 4 * i)
        return special("blockDim." + std::string(axes[i]));
      if (offset == layout.grid + 4 * i)
        return special("gridDim." + std::string(axes[i]));
    }
    if (offset == layout.stack && layout.stack)
      return special("stack");
    if (layout.descriptor && offset == layout.descriptor)
      return special("globalDescriptor", 2);
    if (layout.from == 70 || layout.from == 90) {
      if (offset == 0x18 || offset == 0x1c)
        return special(offset == 0x18 ? "sharedWindow" : "sharedWindow.high");
      if (offset == 0x20 || offset == 0x24)
        return special(offset == 0x20 ? "localWindow" : "localWindow.high");
    }
    if (layout.from == 90 && offset == 0x198)
      return special("constantBank", 2);
  }
  return source;
}

std::string wf::explain::sassSpecialName(std::string_view name) {
  if (name.substr(0, 3) == "SR_")
    name.remove_prefix(3);
  std::string upper;
  for (char c : name) // SR_Tid_X of sm_20
    upper += c == '_'
                 ? '.'
                 : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  for (const SpecialRow &row : specials)
    if (row.sass == upper)
      return std::string(row.name);
  for (char &c : upper)
    if (isUpper(c))
      c = static_cast<char>(c - 'A' + 'a');
  return upper;
}

uint16_t wf::explain::halfBits(double number) {
  const uint16_t sign = std::signbit(number) ? 0x8000 : 0;
  if (std::isnan(number))
    return sign | 0x7e00;
  const double size = std::fabs(number);
  if (size >= 65520)
    return sign | 0x7c00;
  // Steps of the result's own exponent; 2^-24 below the normal numbers.
  const int exponent = std::max(size > 0 ? std::ilogb(size) : -15, -14);
  const auto steps =
      static_cast<uint32_t>(std::nearbyint(std::ldexp(size, 10 - exponent)));
  return static_cast<uint16_t>(sign + steps +
                               static_cast<uint32_t>(exponent + 14) * 1024);
}

double wf::explain::floatOfBits(uint64_t bits, Type type) {
  if (type == Type::F64)
    return std::bit_cast<double>(bits);
  return std::bit_cast<float>(static_cast<uint32_t>(bits));
}
