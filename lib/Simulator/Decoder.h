//===- Decoder.h - From LLVM IR to instructions over lanes -------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// An instruction on vectors becomes one a component. Slots of values that do
// not leave their basic block are used again, which keeps a warp's frame in the
// cache. What is not known here is an error that names it: nothing is guessed.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_SIMULATOR_DECODER_H
#define WARPFOLD_SIMULATOR_DECODER_H

#include "Simulator/LaneOps.h"
#include "Simulator/MemoryOps.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IntrinsicInst.h"

namespace wf::sim {

/// One component of a type.
struct Scalar {
  Slot slot = Slot::I32;
  uint8_t bits = 32;
  bool wide() const { return isWide(slot); }
};
using Scalars = llvm::SmallVector<Scalar, 4>;
using Operands = llvm::SmallVector<Operand, 4>;

class Decoder {
public:
  Decoder(Program &program, const llvm::Function &function);
  llvm::Expected<std::unique_ptr<Kernel>> decode();

private:
  // Decode.cpp: slots, blocks, flow
  llvm::Error arguments();
  llvm::Error layout();
  void permanentSlots();
  llvm::Error block(const llvm::BasicBlock &bb);
  llvm::Error terminator(const llvm::Instruction &i);
  llvm::Error edge(const llvm::BasicBlock &from, const llvm::BasicBlock &to,
                   Edge &edge);
  bool scalarsOf(llvm::Type *type, Scalars &into) const;
  llvm::Expected<Scalars> scalars(const llvm::Value &v) const;
  Operand newSlot(bool wide);
  void releaseAfter(const llvm::Instruction &i);
  llvm::Expected<Operands> define(const llvm::Instruction &i);
  llvm::Expected<Operands> use(const llvm::Value *v);
  llvm::Error constant(const llvm::Constant &c, Operands &into);
  Operand constantSlot(uint64_t bits, bool wide);
  Inst &emit(Handler run, InstKind kind = InstKind::Alu);
  Operand table(std::vector<int64_t> entries, Inst &inst);
  llvm::Error unknown(const llvm::Instruction &i,
                      const llvm::Twine &what) const;
  bool constantInt(const llvm::Value *v, int64_t &value) const;

  // DecodeInstructions.cpp
  llvm::Error instruction(const llvm::Instruction &i);
  llvm::Error arithmetic(const llvm::Instruction &i);
  llvm::Error compare(const llvm::CmpInst &i);
  llvm::Error cast(const llvm::CastInst &i);
  llvm::Error bitcast(const llvm::Instruction &i, const Operands &from,
                      const Scalars &fromTypes, const Operands &to,
                      const Scalars &toTypes);
  llvm::Error spaceCast(const llvm::AddrSpaceCastInst &i);
  llvm::Error select(const llvm::SelectInst &i);
  void choose(Operand d, Operand a, bool wide);
  llvm::Error elements(const llvm::Instruction &i);
  llvm::Error aggregates(const llvm::Instruction &i);
  llvm::Error address(const llvm::GetElementPtrInst &i);

  // DecodeMemory.cpp
  llvm::Error load(const llvm::LoadInst &i);
  llvm::Error store(const llvm::StoreInst &i);
  llvm::Error rmw(const llvm::AtomicRMWInst &i);
  llvm::Error compareExchange(const llvm::AtomicCmpXchgInst &i);
  llvm::Error fence(const llvm::FenceInst &i);
  llvm::Error ordering(const llvm::Instruction &i, llvm::AtomicOrdering o,
                       llvm::SyncScope::ID scope, Access &access);
  llvm::Error transfer(const llvm::MemIntrinsic &i);
  void watch(unsigned space, unsigned bytes, const llvm::Value *pointer,
             bool writes);
  void emitAccess(Handler run, Access access, Operand address, InstKind kind);

  // DecodeCalls.cpp
  llvm::Error call(const llvm::CallInst &i);
  llvm::Expected<bool> query(const llvm::CallInst &i, llvm::StringRef name);
  llvm::Expected<bool> nvidia(const llvm::CallInst &i, llvm::StringRef name);
  llvm::Expected<bool> amd(const llvm::CallInst &i, llvm::StringRef name);
  llvm::Expected<bool> lanewise(const llvm::CallInst &i,
                                const llvm::IntrinsicInst &intrinsic);
  llvm::Error overflow(const llvm::IntrinsicInst &i);
  llvm::Error saturating(const llvm::IntrinsicInst &i);
  llvm::Error vectorReduce(const llvm::IntrinsicInst &i, unsigned opcode,
                           llvm::Intrinsic::ID join, bool seeded);
  llvm::Error exchange(const llvm::CallInst &i, Handler run, Operand a,
                       Operand b, Operand c, std::vector<int64_t> entries,
                       InstKind kind = InstKind::Exchange,
                       Control control = Control::Warp);

  Program &program;
  const Machine &machine;
  const llvm::Function &function;
  const llvm::DataLayout &data;
  std::unique_ptr<Kernel> kernel;
  int lanes;
  llvm::DenseMap<const llvm::Value *, Operands> slots;
  llvm::DenseMap<const llvm::BasicBlock *, uint32_t> blockNumbers;
  llvm::DenseMap<const llvm::GlobalVariable *, uint64_t> sharedAt;
  llvm::DenseMap<const llvm::AllocaInst *, uint64_t> privateAt;
  std::map<std::pair<uint64_t, bool>, Operand> constants;
  std::vector<Operand> freeNarrow, freeWide; ///< slots to use again
  llvm::DenseMap<const llvm::Value *, const llvm::Instruction *> lastUse;
  llvm::DenseMap<const llvm::Instruction *,
                 llvm::SmallVector<const llvm::Value *, 2>>
      diesAt;
  uint32_t current = 0; ///< the block that is decoded
  uint32_t source = 0;
};

} // namespace wf::sim

#endif // WARPFOLD_SIMULATOR_DECODER_H
