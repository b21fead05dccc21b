//===- AmdDisassembler.cpp - AMD machine code to instructions -------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "ExplainImages/Parts.h"

#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Format.h"
#include "llvm/TargetParser/Triple.h"

using namespace wf::explain;
using namespace wf::explain::images;

extern "C" {
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUDisassembler();
}

struct AmdDisassembler::Made {
  llvm::Triple triple{"amdgcn-amd-amdhsa"};
  std::unique_ptr<llvm::MCRegisterInfo> registers;
  std::unique_ptr<llvm::MCAsmInfo> assembler;
  std::unique_ptr<llvm::MCInstrInfo> instructions;
  std::unique_ptr<llvm::MCSubtargetInfo> chip;
  std::unique_ptr<llvm::MCContext> context;
  std::unique_ptr<llvm::MCDisassembler> disassembler;
  std::unique_ptr<llvm::MCInstPrinter> printer;
};

AmdDisassembler::~AmdDisassembler() = default;

AmdDisassembler::AmdDisassembler(llvm::StringRef chip, bool wave32) {
  static const bool initialised = [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUDisassembler();
    return true;
  }();
  (void)initialised;
  auto m = std::make_unique<Made>();
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(m->triple, error);
  if (!target)
    return;
  // gfx9 has no such choice.
  llvm::StringRef features = chip.starts_with("gfx9") ? ""
                             : wave32 ? "+wavefrontsize32,-wavefrontsize64"
                                      : "-wavefrontsize32,+wavefrontsize64";
  m->registers.reset(target->createMCRegInfo(m->triple));
  m->assembler.reset(target->createMCAsmInfo(*m->registers, m->triple,
                                             llvm::MCTargetOptions()));
  m->instructions.reset(target->createMCInstrInfo());
  m->chip.reset(target->createMCSubtargetInfo(m->triple, chip, features));
  if (!m->registers || !m->assembler || !m->instructions || !m->chip)
    return;
  m->context = std::make_unique<llvm::MCContext>(
      m->triple, m->assembler.get(), m->registers.get(), m->chip.get());
  m->disassembler.reset(target->createMCDisassembler(*m->chip, *m->context));
  m->printer.reset(target->createMCInstPrinter(
      m->triple, m->assembler->getAssemblerDialect(), *m->assembler,
      *m->instructions, *m->registers));
  if (m->disassembler && m->printer)
    made = std::move(m);
}

void AmdDisassembler::print(llvm::ArrayRef<uint8_t> code, uint64_t address,
                            llvm::raw_ostream &os) {
  while (code.size() >= 4) {
    llvm::MCInst instruction;
    uint64_t size = 0;
    bool known = made->disassembler->getInstruction(instruction, size, code,
                                                    address, llvm::nulls()) ==
                 llvm::MCDisassembler::Success;
    size = std::min<uint64_t>(size & ~3ull, code.size());
    if (!known || size == 0)
      size = 4;
    if (known)
      made->printer->printInst(&instruction, address, "", *made->chip, os);
    else
      os << "\t.long "
         << llvm::format_hex(llvm::support::endian::read32le(code.data()), 10);
    os << " // " << llvm::format("%012llX", (unsigned long long)address) << ':';
    for (uint64_t i = 0; i + 4 <= size; i += 4)
      os << llvm::format(" %08X",
                         llvm::support::endian::read32le(code.data() + i));
    os << '\n';
    address += size;
    code = code.drop_front(size);
  }
}
