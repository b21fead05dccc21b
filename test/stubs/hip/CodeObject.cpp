//===- CodeObject.cpp - What a code object says of its kernels ------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "CodeObject.h"

#include "llvm/BinaryFormat/AMDGPUMetadataVerifier.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/Object/ELF.h"

#include <algorithm>
#include <cstring>

using namespace wf::driver;
using llvm::StringRef;
using llvm::msgpack::DocNode;
using llvm::msgpack::MapDocNode;
using Elf = llvm::object::ELFFile<llvm::object::ELF64LE>;

size_t wf::driver::codeObjectBytes(const void *image) {
  Elf::Elf_Ehdr header;
  std::memcpy(&header, image, sizeof header);
  if (std::memcmp(header.e_ident, "\177ELF", 4) != 0)
    return 0;
  // The section headers come last.
  return size_t(header.e_shoff) + size_t(header.e_shnum) * header.e_shentsize;
}

static size_t number(MapDocNode &map, const char *key) {
  auto at = map.find(key);
  return at == map.end() ? 0 : size_t(at->second.getUInt());
}

static CodeObjectKernel readKernel(MapDocNode map) {
  CodeObjectKernel kernel;
  kernel.name = map[".name"].getString().str();
  kernel.argumentAlign =
      std::max(number(map, ".kernarg_segment_align"), size_t(1));
  kernel.kernargBytes = number(map, ".kernarg_segment_size");
  kernel.maxThreads = int(number(map, ".max_flat_workgroup_size"));
  kernel.waveSize = int(number(map, ".wavefront_size"));
  kernel.registers = int(number(map, ".vgpr_count"));
  kernel.sharedBytes = int(number(map, ".group_segment_fixed_size"));
  kernel.localBytes = int(number(map, ".private_segment_fixed_size"));
  auto arguments = map.find(".args");
  if (arguments == map.end())
    return kernel;
  for (DocNode &node : arguments->second.getArray()) {
    MapDocNode argument = node.getMap();
    // Hidden ones are the runtime's to fill in.
    if (argument[".value_kind"].getString().starts_with("hidden_"))
      continue;
    kernel.argumentBytes =
        std::max(kernel.argumentBytes,
                 number(argument, ".offset") + number(argument, ".size"));
  }
  return kernel;
}

/// The document of the metadata note, or why there is none.
static std::string readMetadata(const Elf &elf,
                                llvm::msgpack::Document &document) {
  auto sections = elf.sections();
  if (!sections)
    return llvm::toString(sections.takeError());
  for (const Elf::Elf_Shdr &section : *sections) {
    if (section.sh_type != llvm::ELF::SHT_NOTE)
      continue;
    llvm::Error error = llvm::Error::success();
    for (const auto &note : elf.notes(section, error)) {
      if (note.getName() != "AMDGPU" ||
          note.getType() != llvm::ELF::NT_AMDGPU_METADATA)
        continue;
      bool read = document.readFromBlob(
          note.getDescAsStringRef(section.sh_addralign), /*Multi=*/false);
      llvm::consumeError(std::move(error));
      llvm::AMDGPU::HSAMD::V3::MetadataVerifier verifier(/*Strict=*/true);
      return read && verifier.verify(document.getRoot())
                 ? ""
                 : "its metadata is malformed";
    }
    if (error)
      return llvm::toString(std::move(error));
  }
  return "it has no metadata";
}

/// Whether the dynamic symbols hold a kernel's descriptor.
static bool hasDescriptor(const Elf &elf, const std::string &kernel) {
  auto sections = elf.sections();
  if (!sections)
    return false;
  for (const Elf::Elf_Shdr &section : *sections) {
    if (section.sh_type != llvm::ELF::SHT_DYNSYM)
      continue;
    auto symbols = elf.symbols(&section);
    auto strings = elf.getStringTableForSymtab(section);
    if (!symbols || !strings)
      return false;
    for (const Elf::Elf_Sym &symbol : *symbols)
      if (auto name = symbol.getName(*strings);
          name && *name == kernel + ".kd" && symbol.st_size == 64)
        return true;
  }
  return false;
}

std::string wf::driver::readCodeObject(const std::string &bytes,
                                       CodeObject &into) {
  auto elf = Elf::create(bytes);
  if (!elf)
    return llvm::toString(elf.takeError());
  const Elf::Elf_Ehdr &header = elf->getHeader();
  if (header.e_machine != llvm::ELF::EM_AMDGPU ||
      header.e_ident[llvm::ELF::EI_OSABI] != llvm::ELF::ELFOSABI_AMDGPU_HSA)
    return "it is for another machine";
  if (header.e_type != llvm::ELF::ET_DYN)
    return "it is not linked";
  llvm::msgpack::Document document;
  std::string wrong = readMetadata(*elf, document);
  if (!wrong.empty())
    return wrong;
  MapDocNode root = document.getRoot().getMap();
  // "amdgcn-amd-amdhsa--gfx942:xnack+"
  StringRef triple = root["amdhsa.target"].getString();
  into.target = triple.rsplit("--").second.split(':').first.str();
  for (DocNode &node : root["amdhsa.kernels"].getArray()) {
    into.kernels.push_back(readKernel(node.getMap()));
    if (!hasDescriptor(*elf, into.kernels.back().name))
      return "it has no descriptor of " + into.kernels.back().name;
  }
  return "";
}
