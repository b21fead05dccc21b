//===- AmdgcnMemory.cpp - Loads and stores of AMD -------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Machine/Amdgcn.h"

#include "Explain/Read/AmdgcnLine.h"

#include <algorithm>

using namespace wf::explain;
using namespace wf::explain::amdgcn;

namespace {
enum class Family {
  None,
  Scalar,
  ScalarBuffer,
  Global,
  Flat,
  Scratch,
  Buffer,
  Ds
};
struct FamilyRow {
  std::string_view prefix;
  Family family;
};
constexpr FamilyRow families[] = {{"global_", Family::Global},
                                  {"flat_", Family::Flat},
                                  {"scratch_", Family::Scratch},
                                  {"buffer_", Family::Buffer},
                                  {"tbuffer_", Family::Buffer},
                                  {"ds_", Family::Ds},
                                  {"s_buffer_", Family::ScalarBuffer},
                                  {"s_scratch_", Family::Scalar},
                                  {"s_", Family::Scalar}};

struct WidthRow {
  std::string_view name;
  Type type;
  uint8_t bytes;
};
constexpr WidthRow widths[] = {
    {"dword", Type::B32, 4},     {"dwordx2", Type::B64, 8},
    {"dwordx3", Type::B96, 12},  {"dwordx4", Type::B128, 16},
    {"dwordx8", Type::B256, 32}, {"dwordx16", Type::B256, 64},
    {"b8", Type::B8, 1},         {"b16", Type::B16, 2},
    {"b32", Type::B32, 4},       {"b64", Type::B64, 8},
    {"b96", Type::B96, 12},      {"b128", Type::B128, 16},
    {"b256", Type::B256, 32},    {"b512", Type::B256, 64},
    {"u8", Type::U8, 1},         {"i8", Type::S8, 1},
    {"u16", Type::U16, 2},       {"i16", Type::S16, 2},
    {"ubyte", Type::U8, 1},      {"sbyte", Type::S8, 1},
    {"ushort", Type::U16, 2},    {"sshort", Type::S16, 2},
    {"byte", Type::B8, 1},       {"short", Type::B16, 2},
    {"x", Type::B32, 4},         {"xy", Type::B64, 8},
    {"xyz", Type::B96, 12},      {"xyzw", Type::B128, 16}};

/// What the words of "load_short_d16_hi" say.
struct Access {
  Family family = Family::None;
  bool load = false, store = false;
  Type type = Type::None;
  unsigned bytes = 0, pieces = 1, step = 0;
  bool half = false, high = false, lds = false, async = false,
       transposed = false, addtid = false;
};
} // namespace

static bool readWord(std::string_view word, Access &a) {
  for (const WidthRow &row : widths)
    if (row.name == word) {
      a.type = row.type;
      a.bytes = row.bytes;
      return true;
    }
  if (word == "d16")
    return a.half = true;
  if (word == "hi")
    return a.high = true;
  if (word == "lds")
    return a.lds = true;
  if (word == "async")
    return a.async = true;
  if (word == "tr" || word == "tr4" || word == "tr6" || word == "tr8" ||
      word == "tr16")
    return a.transposed = true;
  if (word == "addtid")
    return a.addtid = true;
  return word == "to" || word == "from" || word == "format" ||
         word == "block" || word == "monitor";
}

static Access accessOf(std::string_view m) {
  Access a;
  for (const FamilyRow &row : families)
    if (m.starts_with(row.prefix)) {
      a.family = row.family;
      m.remove_prefix(row.prefix.size());
      break;
    }
  if (a.family == Family::None)
    return a;
  bool first = true;
  while (!m.empty()) {
    size_t end = std::min(m.find('_'), m.size());
    std::string_view word = m.substr(0, end);
    m.remove_prefix(std::min(end + 1, m.size()));
    if (first) {
      first = false;
      a.load = word == "load" || word == "read";
      a.store = word == "store" || word == "write";
      for (std::string_view two : {"load2", "read2", "store2", "write2"}) {
        if (!word.starts_with(two))
          continue;
        a.pieces = 2;
        a.step = word.ends_with("st64") ? 64 : 1;
        a.load = two[0] == 'l' || two[0] == 'r';
        a.store = !a.load;
      }
      // ds_read2st64_b32, and ds_load_2addr_stride64_b32 since gfx11.
      if (!a.load && !a.store)
        return {};
    } else if (word == "2addr") {
      a.pieces = 2;
      a.step = 1;
    } else if (word == "stride64") {
      a.step = 64;
    } else if (!readWord(word, a)) {
      return {};
    }
  }
  return a.bytes ? a : Access();
}

std::string amdgcn::scopeOf(const Context &c, bool atomic) {
  std::string_view scope = c.value("scope");
  if (scope == "SCOPE_CU" || scope == "SCOPE_SE")
    return "block";
  if (scope == "SCOPE_DEV")
    return "device";
  if (scope == "SCOPE_SYS")
    return "system";
  bool one = c.has("sc1"), zero = c.has("sc0");
  // sc0 of an atomic asks for the old value, and of other accesses for a block.
  if (one)
    return zero || atomic ? "system" : "device";
  if (zero && !atomic)
    return "block";
  if (c.mnemonic == "buffer_gl0_inv" || c.mnemonic == "buffer_wbinvl1")
    return "block";
  if (c.mnemonic == "buffer_gl1_inv" || c.mnemonic == "buffer_wbinvl1_vol" ||
      c.mnemonic == "buffer_invl2")
    return "device";
  return atomic ? "device" : "";
}

std::string amdgcn::cacheOf(const Context &c) {
  std::string text;
  for (const std::string &modifier : c.instruction.modifiers)
    for (std::string_view word : {"glc", "slc", "dlc", "scc", "sc0", "sc1",
                                  "nt", "nv", "th:", "scope:"})
      if (modifier == word ||
          (word.ends_with(':') && modifier.starts_with(word)))
        text += (text.empty() ? "" : " ") + modifier;
  return text;
}

static std::optional<Source> addressPart(const Context &c, size_t i) {
  std::string_view text = c.text(i);
  if (text.empty() || text == "off" || text == "null" || text == "0" ||
      text == "0x0")
    return std::nullopt;
  return c.source(i, Type::U32);
}

/// A constant soffset is a part of the offset.
static void addUniform(Context &c, size_t i, Memory &memory) {
  auto part = addressPart(c, i);
  if (part && part->kind == Source::Kind::Immediate)
    memory.offset += part->imm;
  else if (part && part->kind == Source::Kind::Register)
    memory.uniform = part;
}

/// Scratch before gfx11 is reached through a descriptor in the first four
/// scalar registers.
static bool isScratch(const Context &c, size_t descriptor) {
  if (c.text(descriptor) != "s[0:3]")
    return false;
  auto found = c.kernel.descriptor.find("user_sgpr_private_segment_buffer");
  return found == c.kernel.descriptor.end() || found->second;
}

static void decodeScalarLoad(Context &c, const Access &a) {
  Effect &effect = c.add(a.load ? Op::Load : Op::Store, a.type);
  Memory &memory = effect.memory.emplace();
  // findEntry tells the kernel's arguments from other memory.
  memory.space = Space::Global;
  memory.readOnly = a.load;
  memory.bytes = a.bytes;
  memory.cache = cacheOf(c);
  memory.base = c.source(1, Type::U64);
  memory.offset = c.number("offset");
  addUniform(c, 2, memory);
  if (a.load)
    effect.def = c.def(0);
  else
    memory.data = c.source(0);
  if (memory.data)
    effect.in = {*memory.data};
}

/// Where an access's operands are: the register loaded or stored, the lanes'
/// address, the uniform part.
static void addAddress(Context &c, const Access &a, size_t first,
                       Memory &memory) {
  memory.offset = c.number("offset");
  switch (a.family) {
  case Family::Buffer: {
    bool indexed = c.has("idxen"), offset = c.has("offen");
    size_t address = first;
    if (indexed || offset)
      memory.base = addressPart(c, address);
    bool scratch = isScratch(c, first + 1);
    memory.space = scratch ? Space::Local : Space::Global;
    addUniform(c, first + 2, memory);
    if (!scratch && !memory.uniform)
      memory.uniform = c.source(first + 1, Type::U64);
    return;
  }
  case Family::Ds:
    memory.space = c.has("gds") ? Space::Global : Space::Shared;
    memory.base = addressPart(c, first);
    return;
  case Family::Scratch:
    memory.space = Space::Local;
    memory.base = addressPart(c, first);
    break;
  case Family::Flat:
    memory.space = Space::Generic;
    memory.base = addressPart(c, first);
    break;
  default:
    memory.space = Space::Global;
    memory.base = addressPart(c, first);
    break;
  }
  if (c.has("scale_offset") && memory.base)
    memory.base->scale = memory.bytes;
}

static void decodeLoad(Context &c, const Access &a) {
  bool buffer = a.family == Family::Buffer;
  // Loads into shared memory name no register, but gfx12's an address there.
  bool direct = a.lds || (buffer && c.has("lds"));
  bool named = direct && a.async;
  size_t address = direct && !named ? 0 : 1;
  if (buffer && direct && c.size() == 4)
    address = 1;
  Effect &effect = c.add(Op::Load, a.type);
  Memory &memory = effect.memory.emplace();
  memory.bytes = a.bytes * a.pieces;
  memory.pieces = a.pieces;
  memory.cache = cacheOf(c);
  memory.scope = scopeOf(c, false);
  memory.strong = !memory.scope.empty() || c.has("glc");
  memory.async = direct;
  addAddress(c, a, address, memory);
  if (a.pieces == 2) {
    memory.offset = c.number("offset0") * a.step * a.bytes;
    memory.offset2 = c.number("offset1") * a.step * a.bytes;
  }
  if (a.family == Family::Global || a.family == Family::Flat ||
      a.family == Family::Scratch)
    addUniform(c, address + 1, memory);
  if (a.half)
    effect.detail = a.high ? "d16_hi" : "d16";
  if (a.transposed)
    effect.detail = "transposed";
  if (!direct) {
    effect.def = c.def(0);
    if (a.half && effect.def) // the other half stays
      effect.in.push_back(c.source(0));
    return;
  }
  Effect &store = c.add(Op::Store, a.type);
  Memory &shared = store.memory.emplace();
  shared.space = Space::Shared;
  shared.bytes = a.bytes;
  shared.async = true;
  shared.base = named ? c.source(0) : flagSource(flags::m0);
  shared.offset = c.number("offset");
}

static void addStore(Context &c, const Access &a, size_t data, size_t address,
                     int64_t offset) {
  Effect &effect = c.add(Op::Store, a.type);
  Memory &memory = effect.memory.emplace();
  memory.bytes = a.bytes;
  memory.cache = cacheOf(c);
  memory.scope = scopeOf(c, false);
  memory.strong = !memory.scope.empty() || c.has("glc");
  addAddress(c, a, address, memory);
  if (a.pieces == 2)
    memory.offset = offset * a.step * a.bytes;
  if (a.family == Family::Global || a.family == Family::Flat ||
      a.family == Family::Scratch)
    addUniform(c, 2, memory);
  memory.data = c.source(data);
  if (a.high)
    memory.data->part = "h1";
  effect.in = {*memory.data};
}

static void decodeStore(Context &c, const Access &a) {
  if (a.family == Family::Buffer)
    return addStore(c, a, 0, 1, 0);
  if (a.pieces == 2) {
    addStore(c, a, 1, 0, c.number("offset0"));
    return addStore(c, a, 2, 0, c.number("offset1"));
  }
  addStore(c, a, 1, 0, 0);
}

bool amdgcn::decodeMemory(Context &c) {
  std::string_view m = c.mnemonic;
  if (m.starts_with("image_")) {
    Effect &effect = c.add(Op::Texture, Type::B32);
    effect.detail = m.substr(6);
    bool stores = m.starts_with("image_store") || m.starts_with("image_bvh");
    effect.def = stores ? std::nullopt : c.def(0);
    for (size_t i = stores ? 0 : 1; i < c.size(); ++i)
      effect.in.push_back(c.source(i));
    return true;
  }
  if (m == "exp" || m == "export") {
    Effect &effect = c.add(Op::Store, Type::B32);
    effect.detail = "export " + std::string(c.text(0));
    for (size_t i = 1; i < c.size(); ++i)
      effect.in.push_back(c.source(i));
    return true;
  }
  Access a = accessOf(m);
  if (a.family == Family::None)
    return false;
  if (a.family == Family::Scalar || a.family == Family::ScalarBuffer)
    decodeScalarLoad(c, a);
  else if (a.load)
    decodeLoad(c, a);
  else
    decodeStore(c, a);
  return true;
}
