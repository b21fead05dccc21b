//===- Read.cpp - From any file to a listing ------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Read/Lines.h"
#include "Explain/Read/Listing.h"

using namespace wf::explain;

namespace {

/// What to do with a text that holds no machine code.
std::string_view adviceFor(Format format) {
  switch (format) {
  case Format::Empty:
    return "check the command that wrote it: cuobjdump -sass prints nothing "
           "for a program without device code";
  case Format::TritonIr:
  case Format::TritonGpuIr:
  case Format::LlvmIr:
  case Format::Mlir:
    return "warpfold inspect reads it";
  case Format::ResourceUsage:
    return "it can stand beside a listing, cuobjdump -sass -res-usage prints "
           "both";
  case Format::Elf:
    return "disassemble it: cuobjdump -sass for NVIDIA, llvm-objdump -d for "
           "AMD";
  case Format::Source:
    return "compile it, and print its code with cuobjdump -sass or "
           "llvm-objdump -d";
  default:
    return "give a listing of cuobjdump -sass, nvdisasm -c, llvm-objdump -d or "
           "a compiler's assembly";
  }
}

Fault notMachineCode(Format format, std::string_view text,
                     std::string_view name) {
  const std::string file(name.empty() ? "the text" : name);
  if (format == Format::Empty)
    return {file + " is empty", std::string(adviceFor(format))};
  if (format == Format::Unknown && text.substr(0, 7) == "digraph")
    return {file + " is a graph of nvdisasm -cfg",
            "print the same image with nvdisasm -c"};
  if (format == Format::Unknown)
    return {file + " is a text of no known tool",
            std::string(adviceFor(format))};
  return {file + " holds " + std::string(formatName(format)) +
              ", not machine code",
          std::string(adviceFor(format))};
}

} // namespace

Result<Listing> wf::explain::readListing(std::string_view bytes,
                                         std::string_view name) {
  if (const Format image = recognise(bytes.substr(0, 8)); image == Format::Elf)
    return notMachineCode(image, {}, name);
  const std::string text = plainText(bytes);
  const Format format = recognise(text);
  switch (format) {
  case Format::CuobjdumpSass:
  case Format::Nvdisasm:
  case Format::SassFragment:
    return readSass(text, name);
  case Format::NvdisasmJson:
    return readSassJson(text, name);
  case Format::LlvmObjdumpAmd:
  case Format::ClangAmd:
  case Format::AmdFragment:
    return readAmdgcn(text, name);
  case Format::Ptx:
    return readPtx(text, name);
  default:
    return notMachineCode(format, trimmed(text), name);
  }
}
