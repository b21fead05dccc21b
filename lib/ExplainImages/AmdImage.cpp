//===- AmdImage.cpp - An AMD code object as a listing ---------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "ExplainImages/Parts.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/Format.h"

#include <algorithm>
#include <map>

using namespace wf::explain;
using namespace wf::explain::images;
using llvm::StringRef;
using Elf = llvm::object::ELF64LE;
using File = llvm::object::ELFFile<Elf>;

namespace {

struct Chip {
  uint8_t machine;
  const char *name;
};
/// Those that LLVM's disassembler takes: it would end the process on others.
constexpr Chip chips[] = {{0x2c, "gfx900"},          {0x2d, "gfx902"},
                          {0x2e, "gfx904"},          {0x2f, "gfx906"},
                          {0x30, "gfx908"},          {0x31, "gfx909"},
                          {0x32, "gfx90c"},          {0x33, "gfx1010"},
                          {0x34, "gfx1011"},         {0x35, "gfx1012"},
                          {0x36, "gfx1030"},         {0x37, "gfx1031"},
                          {0x38, "gfx1032"},         {0x39, "gfx1033"},
                          {0x3d, "gfx1035"},         {0x3e, "gfx1034"},
                          {0x3f, "gfx90a"},          {0x41, "gfx1100"},
                          {0x42, "gfx1013"},         {0x43, "gfx1150"},
                          {0x44, "gfx1103"},         {0x45, "gfx1036"},
                          {0x46, "gfx1101"},         {0x47, "gfx1102"},
                          {0x48, "gfx1200"},         {0x49, "gfx1250"},
                          {0x4a, "gfx1151"},         {0x4c, "gfx942"},
                          {0x4e, "gfx1201"},         {0x4f, "gfx950"},
                          {0x51, "gfx9-generic"},    {0x52, "gfx10-1-generic"},
                          {0x53, "gfx10-3-generic"}, {0x54, "gfx11-generic"},
                          {0x55, "gfx1152"},         {0x58, "gfx1153"},
                          {0x59, "gfx12-generic"},   {0x5a, "gfx1251"},
                          {0x5f, "gfx9-4-generic"}};

struct Function {
  StringRef name;
  uint64_t address = 0, size = 0;
  size_t section = 0;
};

/// What is of use in one code object.
struct CodeObject {
  llvm::ArrayRef<Elf::Shdr> sections;
  std::vector<Function> functions;
  std::map<StringRef, StringRef> descriptors; ///< by kernel
  std::string metadata;
};

} // namespace

std::string images::chipOf(const Header &header) {
  for (const Chip &chip : chips)
    if (chip.machine == (header.flags & 0xff))
      return chip.name;
  return "";
}

/// The bytes of a section, none where it lies outside the file.
static StringRef contentsOf(const File &file, const Elf::Shdr &section) {
  auto bytes = file.getSectionContents(section);
  if (!bytes) {
    llvm::consumeError(bytes.takeError());
    return "";
  }
  return StringRef(reinterpret_cast<const char *>(bytes->data()),
                   bytes->size());
}

static void addSymbols(const File &file, const Elf::Shdr &table,
                       CodeObject &object) {
  auto symbols = file.symbols(&table);
  auto names = file.getStringTableForSymtab(table, object.sections);
  if (!symbols || !names) {
    llvm::consumeError(symbols.takeError());
    llvm::consumeError(names.takeError());
    return;
  }
  for (const Elf::Sym &symbol : *symbols) {
    auto name = symbol.getName(*names);
    if (!name) {
      llvm::consumeError(name.takeError());
      continue;
    }
    size_t index = symbol.st_shndx;
    if (index == 0 || index >= object.sections.size())
      continue;
    const Elf::Shdr &section = object.sections[index];
    bool code = section.sh_flags & llvm::ELF::SHF_EXECINSTR;
    if (symbol.getType() == llvm::ELF::STT_FUNC && code)
      object.functions.push_back(
          {*name, symbol.st_value, symbol.st_size, index});
    if (!name->ends_with(".kd") || code || symbol.st_value < section.sh_addr)
      continue;
    StringRef bytes = contentsOf(file, section);
    uint64_t offset = symbol.st_value - section.sh_addr;
    if (offset <= bytes.size() && bytes.size() - offset >= 64)
      object.descriptors[name->drop_back(3)] = bytes.substr(offset, 64);
  }
}

static void addNotes(const File &file, const Elf::Shdr &section,
                     CodeObject &object) {
  llvm::Error error = llvm::Error::success();
  for (const auto &note : file.notes(section, error)) {
    if (note.getName() != "AMDGPU" ||
        note.getType() != llvm::ELF::NT_AMDGPU_METADATA)
      continue;
    llvm::msgpack::Document document;
    if (!document.readFromBlob(note.getDescAsStringRef(section.sh_addralign),
                               /*Multi=*/false))
      continue;
    llvm::raw_string_ostream os(object.metadata);
    document.toYAML(os);
  }
  llvm::consumeError(std::move(error));
}

static CodeObject readObject(const File &file,
                             llvm::ArrayRef<Elf::Shdr> sections) {
  CodeObject object;
  object.sections = sections;
  // A stripped object has the dynamic symbols alone.
  for (uint32_t type : {llvm::ELF::SHT_SYMTAB, llvm::ELF::SHT_DYNSYM})
    for (const Elf::Shdr &section : sections)
      if (section.sh_type == type && object.functions.empty())
        addSymbols(file, section, object);
  for (const Elf::Shdr &section : sections)
    if (section.sh_type == llvm::ELF::SHT_NOTE && object.metadata.empty())
      addNotes(file, section, object);
  std::sort(object.functions.begin(), object.functions.end(),
            [](const Function &x, const Function &y) {
              return std::tie(x.section, x.address) <
                     std::tie(y.section, y.address);
            });
  return object;
}

/// Up to its size, or to the next function where it has none.
static llvm::ArrayRef<uint8_t> codeOf(const File &file,
                                      const CodeObject &object, size_t i) {
  const Function &f = object.functions[i];
  const Elf::Shdr &section = object.sections[f.section];
  StringRef bytes = contentsOf(file, section);
  if (f.address < section.sh_addr ||
      f.address - section.sh_addr >= bytes.size())
    return {};
  bytes = bytes.drop_front(f.address - section.sh_addr);
  uint64_t size = f.size;
  if (size == 0) {
    size = bytes.size();
    if (i + 1 < object.functions.size() &&
        object.functions[i + 1].section == f.section)
      size = object.functions[i + 1].address - f.address;
  }
  bytes = bytes.take_front(size);
  return llvm::ArrayRef(reinterpret_cast<const uint8_t *>(bytes.data()),
                        bytes.size());
}

static void printFunctions(const File &file, const CodeObject &object,
                           StringRef chip, llvm::raw_ostream &os) {
  bool narrow = !chip.starts_with("gfx9");
  if (!object.descriptors.empty())
    narrow = isWave32(object.descriptors.begin()->second);
  std::unique_ptr<AmdDisassembler> byWave[2];
  for (size_t i = 0; i < object.functions.size(); ++i) {
    const Function &f = object.functions[i];
    auto described = object.descriptors.find(f.name);
    // Functions that kernels call are for the waves of the kernels.
    bool wave32 = described == object.descriptors.end()
                      ? narrow
                      : isWave32(described->second);
    std::unique_ptr<AmdDisassembler> &use = byWave[wave32];
    if (!use)
      use = std::make_unique<AmdDisassembler>(chip, wave32);
    if (!use->works())
      return;
    os << '\n'
       << llvm::format("%016llx", (unsigned long long)f.address) << " <"
       << f.name << ">:\n";
    use->print(codeOf(file, object, i), f.address, os);
  }
}

std::optional<Fault> images::amdListing(StringRef bytes, StringRef name,
                                        std::string &text) {
  Fault damaged{"the AMD code object is damaged",
                "make it again; llvm-readelf -a shows what is wrong"};
  auto header = headerOf(bytes);
  if (!header || !header->is64)
    return damaged;
  std::string chip = chipOf(*header);
  if (chip.empty())
    return Fault{"the code object is for an AMD chip that is not known "
                 "(machine " +
                     std::to_string(header->flags & 0xff) + ")",
                 "chips from gfx900 to gfx1251 are"};
  auto file = File::create(bytes);
  if (!file) {
    llvm::consumeError(file.takeError());
    return damaged;
  }
  auto sections = file->sections();
  if (!sections) {
    llvm::consumeError(sections.takeError());
    return damaged;
  }
  CodeObject object = readObject(*file, *sections);
  if (object.functions.empty())
    return Fault{"the code object for " + chip + " holds no function",
                 "its kernels were perhaps removed by the linker: a kernel "
                 "must be used, or marked so"};
  llvm::raw_string_ostream os(text);
  os << '\n' << name << ":\tfile format elf64-amdgpu\n";
  os << "\t.amdgcn_target \"amdgcn-amd-amdhsa--" << chip << "\"\n";
  os << "\nDisassembly of section .text:\n";
  printFunctions(*file, object, chip, os);
  for (const auto &[kernel, descriptor] : object.descriptors)
    printDescriptor(kernel, descriptor, StringRef(chip).starts_with("gfx125"),
                    os);
  if (!object.metadata.empty())
    os << "\t.amdgpu_metadata\n"
       << object.metadata << "\n\t.end_amdgpu_metadata\n";
  return std::nullopt;
}
