//===- FoldToLLVM.cpp - Everything left to the LLVM dialect ---------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Lowering/Passes.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"

namespace wf {
#define GEN_PASS_DEF_FOLDTOLLVM
#include "Lowering/Passes.h.inc"
} // namespace wf

using namespace mlir;
using namespace wf;

namespace {

/// fold.pack: source->pack(source, output, first, count). A wf_pack_source
/// begins with that function pointer.
struct LowerPack : OpConversionPattern<fold::PackOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(fold::PackOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type pointer = LLVM::LLVMPointerType::get(op.getContext());
    Value callee = LLVM::LoadOp::create(rewriter, op.getLoc(), pointer,
                                        adaptor.getSource());
    auto type = LLVM::LLVMFunctionType::get(
        LLVM::LLVMVoidType::get(op.getContext()),
        {pointer, rewriter.getI64Type(), rewriter.getI64Type(),
         rewriter.getI64Type()});
    LLVM::CallOp::create(rewriter, op.getLoc(), type,
                         ValueRange{callee, adaptor.getSource(),
                                    adaptor.getOutput(), adaptor.getFirst(),
                                    adaptor.getCount()});
    rewriter.eraseOp(op);
    return success();
  }
};

struct FoldToLLVMPass : wf::impl::FoldToLLVMBase<FoldToLLVMPass> {
  using FoldToLLVMBase::FoldToLLVMBase;
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    LowerToLLVMOptions options(context);
    if (indexBits != 64)
      options.overrideIndexBitwidth(indexBits);
    LLVMTypeConverter converter(context, options);
    RewritePatternSet patterns(context);
    populateSCFToControlFlowConversionPatterns(patterns);
    arith::populateArithToLLVMConversionPatterns(converter, patterns);
    cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
    populateVectorToLLVMConversionPatterns(converter, patterns);
    populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
    populateFuncToLLVMConversionPatterns(converter, patterns);
    patterns.add<LowerPack>(converter, context);
    LLVMConversionTarget target(*context);
    target.addLegalOp<ModuleOp>();
    target.addIllegalDialect<scf::SCFDialect, fold::FoldDialect>();
    if (failed(applyFullConversion(getOperation(), target,
                                   std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
