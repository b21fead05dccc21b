//===- Zip.cpp - Writing an uncompressed zip archive ---------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Records are built as strings of little-endian fields.
//===----------------------------------------------------------------------===//
#include "IO/Zip.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace wf;
using llvm::StringRef;

namespace {

class Record {
public:
  Record &u16(uint64_t value) { return put(value, 2); }
  Record &u32(uint64_t value) { return put(value, 4); }
  Record &u64(uint64_t value) { return put(value, 8); }
  Record &bytes(StringRef value) {
    text += value;
    return *this;
  }
  std::string text;

private:
  Record &put(uint64_t value, int count) {
    for (int i = 0; i < count; ++i)
      text += char(value >> (8 * i) & 255);
    return *this;
  }
};

} // namespace

// Version 4.5 brought zip64; 2.0 is what plain stored entries need at most.
static constexpr unsigned plainVersion = 20, wideVersion = 45;
// Unix made it (high byte 3), so that the mode below is read as one.
static constexpr unsigned madeBy = 3 << 8 | wideVersion;
static constexpr uint64_t fileMode = uint64_t(0100644) << 16;
static constexpr uint16_t firstDay = 1 << 5 | 1; // 1980-01-01
static constexpr uint16_t wideTag = 1;

/// Bit 11 says that the name is UTF-8; plain ASCII does without.
static unsigned flagsOf(StringRef name) {
  bool ascii = llvm::all_of(name, [](char c) { return uint8_t(c) < 128; });
  return ascii ? 0 : 1 << 11;
}

std::string wf::zipLocalHeader(const ZipEntry &entry, uint64_t wideFrom) {
  bool wide = entry.size >= wideFrom;
  uint64_t size = wide ? zip64From : entry.size;
  Record r;
  r.u32(0x04034b50).u16(wide ? wideVersion : plainVersion);
  r.u16(flagsOf(entry.name)).u16(0 /*stored*/).u16(0).u16(firstDay);
  r.u32(entry.crc).u32(size).u32(size);
  r.u16(entry.name.size()).u16(wide ? 20 : 0).bytes(entry.name);
  if (wide)
    r.u16(wideTag).u16(16).u64(entry.size).u64(entry.size);
  return r.text;
}

static std::string directoryRecord(const ZipEntry &entry, uint64_t wideFrom) {
  bool wideSize = entry.size >= wideFrom, wideAt = entry.offset >= wideFrom;
  uint64_t size = wideSize ? zip64From : entry.size;
  Record extra;
  if (wideSize)
    extra.u64(entry.size).u64(entry.size);
  if (wideAt)
    extra.u64(entry.offset);
  bool wide = wideSize || wideAt;
  Record r;
  r.u32(0x02014b50).u16(madeBy).u16(wide ? wideVersion : plainVersion);
  r.u16(flagsOf(entry.name)).u16(0 /*stored*/).u16(0).u16(firstDay);
  r.u32(entry.crc).u32(size).u32(size);
  r.u16(entry.name.size()).u16(wide ? extra.text.size() + 4 : 0);
  r.u16(0 /*comment*/).u16(0 /*disk*/).u16(0 /*internal*/).u32(fileMode);
  r.u32(wideAt ? zip64From : entry.offset).bytes(entry.name);
  if (wide)
    r.u16(wideTag).u16(extra.text.size()).bytes(extra.text);
  return r.text;
}

std::string wf::zipDirectory(const std::vector<ZipEntry> &entries,
                             uint64_t offset, uint64_t wideFrom) {
  Record r;
  for (const ZipEntry &entry : entries)
    r.bytes(directoryRecord(entry, wideFrom));
  uint64_t count = entries.size(), size = r.text.size();
  bool wide = count >= 0xffff || size >= wideFrom || offset >= wideFrom;
  if (wide) {
    // The record, then the locator that leads to it.
    r.u32(0x06064b50).u64(44).u16(madeBy).u16(wideVersion).u32(0).u32(0);
    r.u64(count).u64(count).u64(size).u64(offset);
    r.u32(0x07064b50).u32(0).u64(offset + size).u32(1);
  }
  uint64_t shortCount = std::min<uint64_t>(count, 0xffff);
  r.u32(0x06054b50).u16(0).u16(0).u16(shortCount).u16(shortCount);
  r.u32(std::min(size, zip64From)).u32(wide ? zip64From : offset).u16(0);
  return r.text;
}
