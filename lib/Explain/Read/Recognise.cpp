//===- Recognise.cpp - What a text is -------------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Signs are counted over the whole text, since the telling line may be the last
// one of a note, and texts quote each other: a SASS listing with CUDA source in
// it is a listing.
//===----------------------------------------------------------------------===//
#include "Explain/Read/Lines.h"
#include "Explain/Read/Listing.h"
#include "Explain/Read/SassLine.h"

#include <algorithm>

using namespace wf::explain;

std::string_view wf::explain::formatName(Format format) {
  switch (format) {
  case Format::Empty:
    return "an empty text";
  case Format::CuobjdumpSass:
    return "cuobjdump -sass";
  case Format::Nvdisasm:
    return "nvdisasm -c";
  case Format::NvdisasmJson:
    return "nvdisasm -json";
  case Format::SassFragment:
    return "pasted SASS";
  case Format::LlvmObjdumpAmd:
    return "llvm-objdump -d (AMDGCN)";
  case Format::ClangAmd:
    return "clang -S (AMDGCN)";
  case Format::AmdFragment:
    return "pasted AMDGCN";
  case Format::Ptx:
    return "PTX";
  case Format::TritonIr:
    return "Triton IR";
  case Format::TritonGpuIr:
    return "TritonGPU IR";
  case Format::LlvmIr:
    return "LLVM IR";
  case Format::Mlir:
    return "MLIR";
  case Format::ResourceUsage:
    return "cuobjdump -res-usage";
  case Format::Elf:
    return "an ELF image";
  case Format::Source:
    return "CUDA or HIP source";
  case Format::Unknown:
    break;
  }
  return "an unknown text";
}

namespace {

/// What was seen in a text.
struct Signs {
  size_t sass = 0;        ///< instructions with an address, or a semicolon
  size_t amd = 0;         ///< instructions of AMDGCN
  bool cuobjdump = false; ///< "Function :", "code for sm_"
  bool nvdisasm = false;  ///< ".section .text.", ".headerflags"
  bool cannotDecode = false;
  bool objdumpAmd = false, clangAmd = false;
  bool ptx = false, usage = false;
};

bool startsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

/// An AMDGCN mnemonic: its unit, an underscore and more.
bool isAmdLine(std::string_view line) {
  size_t end = 0;
  while (end < line.size() && isWord(line[end]))
    ++end;
  if (end < line.size() && !isBlank(line[end]))
    return false;
  const std::string_view mnemonic = line.substr(0, end);
  for (std::string_view unit : {"s_", "v_", "ds_", "global_", "flat_",
                                "buffer_", "scratch_", "tbuffer_", "image_"})
    if (startsWith(mnemonic, unit)) {
      // "s_endpgm" stands alone; other words of prose do not look so.
      const std::string_view rest = trimmed(line.substr(end));
      return mnemonic == "s_endpgm" || mnemonic == "s_barrier" ||
             startsWith(rest, "v") || startsWith(rest, "s") ||
             startsWith(rest, "exec") || startsWith(rest, "vcc") ||
             startsWith(rest, "//") || startsWith(rest, "0x") ||
             startsWith(rest, "a") || (!rest.empty() && isDigit(rest.front()));
    }
  return false;
}

void look(std::string_view line, Signs &signs) {
  const std::string_view plain = trimmed(line);
  if (plain.empty())
    return;
  if (startsWith(plain, "Function :") || startsWith(plain, "code for sm_") ||
      startsWith(plain, "Fatbin elf code"))
    signs.cuobjdump = true;
  else if (startsWith(plain, ".headerflags") ||
           startsWith(plain, "//--------------------- ") ||
           (startsWith(plain, ".section") && has(plain, ".text.") &&
            has(plain, "@progbits")))
    signs.nvdisasm |= !startsWith(plain, ".headerflags") || !signs.cuobjdump;
  else if (has(plain, "Cannot decode architecture"))
    signs.cannotDecode = true;
  else if (has(plain, "file format elf64-amdgpu"))
    signs.objdumpAmd = true;
  else if (startsWith(plain, ".amdgcn_target") ||
           startsWith(plain, ".amdhsa_kernel"))
    signs.clangAmd = true;
  else if ((startsWith(plain, ".version ") && plain.size() > 9 &&
            isDigit(plain[9])) ||
           startsWith(plain, ".visible .entry") || startsWith(plain, ".entry "))
    signs.ptx = true;
  else if (startsWith(plain, "REG:") && has(plain, "STACK:"))
    signs.usage = true;
  else if (isAmdLine(plain))
    ++signs.amd;
  else {
    const SassLine read = readSassLine(line, true);
    signs.sass += read.kind == SassLine::Kind::Code;
  }
}

/// An operation of a Triton dialect, wherever it stands: articles print blocks
/// on one line.
Format intermediate(std::string_view text) {
  const bool triton = has(text, "tt.func") || has(text, "\"tt.reduce\"") ||
                      has(text, "tt.return") || has(text, "tt.load") ||
                      has(text, "tt.reduce");
  if (has(text, "triton_gpu.") || has(text, "ttg.") || has(text, "#blocked"))
    if (triton || has(text, "ttg.convert_layout") ||
        has(text, "triton_gpu.convert_layout"))
      return Format::TritonGpuIr;
  if (triton)
    return Format::TritonIr;
  if ((has(text, "define ") && has(text, "ret void") && has(text, "@")) ||
      has(text, "target triple = ") || has(text, "; ModuleID"))
    return Format::LlvmIr;
  for (std::string_view word :
       {"func.func", "llvm.func", "gpu.module", "builtin.module", "gpu.func",
        "module {", "module attributes"})
    if (has(text, word))
      return Format::Mlir;
  return Format::Unknown;
}

bool isImage(std::string_view bytes) {
  return startsWith(bytes, "\x7f"
                           "ELF") ||
         startsWith(bytes, "!<arch>\n") || startsWith(bytes, "BC\xc0\xde") ||
         startsWith(bytes, "\x50\xed\x55\xba"); // fatbin
}

} // namespace

Format wf::explain::recognise(std::string_view text) {
  if (isImage(text))
    return Format::Elf;
  const size_t first = text.find_first_not_of(" \t\r\n\f\v\0");
  if (first == std::string_view::npos)
    return Format::Empty;
  if ((text[first] == '[' || text[first] == '{') &&
      (has(text, "\"sass-instructions\"") || has(text, "\"SchemaVersion\"")))
    return Format::NvdisasmJson;

  Signs signs;
  Lines lines(text);
  std::string_view line;
  while (lines.next(line))
    look(line, signs);
  if (signs.cuobjdump)
    return Format::CuobjdumpSass;
  if (signs.nvdisasm || signs.cannotDecode)
    return Format::Nvdisasm;
  if (signs.objdumpAmd)
    return Format::LlvmObjdumpAmd;
  if (signs.clangAmd && signs.amd > 0)
    return Format::ClangAmd;
  if (signs.ptx)
    return Format::Ptx;
  if (const Format ir = intermediate(text);
      ir != Format::Unknown && signs.sass == 0 && signs.amd == 0)
    return ir;
  if (signs.sass > 0 && signs.sass >= signs.amd)
    return Format::SassFragment;
  if (signs.amd > 0)
    return Format::AmdFragment;
  if (signs.usage)
    return Format::ResourceUsage;
  for (std::string_view word :
       {"__global__", "#include", "__kernel", "__shared__", "threadIdx.x"})
    if (has(text, word))
      return Format::Source;
  return Format::Unknown;
}
