//===- Parts.h - The vendors' sides of reading images -----------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAINIMAGES_PARTS_H
#define WARPFOLD_EXPLAINIMAGES_PARTS_H

#include "Explain/Fault.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <optional>
#include <vector>

namespace wf::explain::images {

constexpr uint16_t machineAmdgpu = 224, machineCuda = 190;

/// The machine and the flags of an ELF header; nothing where it is none.
struct Header {
  uint16_t machine = 0;
  uint32_t flags = 0;
  uint8_t abiVersion = 0;
  bool is64 = true;
};
std::optional<Header> headerOf(llvm::StringRef bytes);

/// "sm_90" of a cubin's flags.
std::string smOf(const Header &header);
/// "gfx90a" of a code object's; "" where it is none that can be disassembled.
std::string chipOf(const Header &header);

/// A kernel descriptor, 64 bytes, as .amdhsa_ directives.
void printDescriptor(llvm::StringRef kernel, llvm::StringRef bytes,
                     bool gfx1250, llvm::raw_ostream &os);
/// Whether a descriptor asks for waves of 32.
bool isWave32(llvm::StringRef descriptor);

/// AMD machine code to instructions.
class AmdDisassembler {
public:
  AmdDisassembler(llvm::StringRef chip, bool wave32);
  ~AmdDisassembler();
  bool works() const { return made != nullptr; }
  /// Prints `code`, which is at `address`, a line an instruction.
  void print(llvm::ArrayRef<uint8_t> code, uint64_t address,
             llvm::raw_ostream &os);

private:
  struct Made;
  std::unique_ptr<Made> made;
};

/// Appends the listing of one AMD code object.
std::optional<Fault> amdListing(llvm::StringRef bytes, llvm::StringRef name,
                                std::string &text);

/// Appends what NVIDIA's tools print of a cubin, or of a program or fat binary
/// that holds some; `cubins` are those found uncompressed.
std::optional<Fault> nvidiaListing(llvm::StringRef bytes, llvm::StringRef name,
                                   llvm::ArrayRef<llvm::StringRef> cubins,
                                   std::string &text);
/// The cubins that stand uncompressed in a fat binary.
std::vector<llvm::StringRef> cubinsIn(llvm::StringRef bytes);

/// The path of a program: an environment variable's, or found on PATH; "".
std::string programNamed(const char *variable, llvm::StringRef name);
/// Runs `program` on a temporary file of `bytes` and gives its output. `suffix`
/// is the file's.
Result<std::string> runOn(llvm::StringRef program,
                          llvm::ArrayRef<llvm::StringRef> options,
                          llvm::StringRef bytes, llvm::StringRef suffix);

} // namespace wf::explain::images

#endif // WARPFOLD_EXPLAINIMAGES_PARTS_H
