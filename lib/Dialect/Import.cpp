//===- Import.cpp - From a checked program to fold.reduce -----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Dimensions of the memrefs: kept axes, then reduced axes; for `column` the
// kept axis of unit stride is moved to the end, since vectors are read along
// the innermost dimension only.
//===----------------------------------------------------------------------===//
#include "Dialect/Import.h"

#include "Dialect/Nodes.h"
#include "Dialect/Signatures.h"

using namespace mlir;
using namespace wf;

void wf::loadDialects(MLIRContext &context) {
  context.loadDialect<fold::FoldDialect, func::FuncDialect, arith::ArithDialect,
                      scf::SCFDialect, cf::ControlFlowDialect,
                      memref::MemRefDialect, vector::VectorDialect,
                      LLVM::LLVMDialect>();
}

Type wf::functionType(MLIRContext *context, ScalarType type) {
  switch (type) {
  case ScalarType::Bool:
    return IntegerType::get(context, 1);
  case ScalarType::F32:
    return Float32Type::get(context);
  case ScalarType::F64:
    return Float64Type::get(context);
  default:
    return IntegerType::get(context, 8 * byteSize(type));
  }
}

static Location locationOf(MLIRContext *context, const SourceLocation &where) {
  Location loc = UnknownLoc::get(context);
  if (where.line)
    loc = FileLineColLoc::get(context, where.file, where.line, where.column);
  if (!where.name.empty())
    loc = NameLoc::get(StringAttr::get(context, where.name), loc);
  return loc;
}

func::FuncOp wf::importFunction(ModuleOp module, const wf::Function &f) {
  MLIRContext *context = module.getContext();
  llvm::SmallVector<Type> arguments, results;
  for (const Argument &a : f.arguments)
    arguments.push_back(functionType(context, a.type));
  for (uint32_t r : f.results)
    results.push_back(functionType(context, f.nodes[r].type));
  Location loc = f.nodes.empty() ? UnknownLoc::get(context)
                                 : locationOf(context, f.nodes.back().where);
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  auto func = func::FuncOp::create(
      b, loc, f.name, FunctionType::get(context, arguments, results));
  func.setPrivate();
  Block *block = func.addEntryBlock();
  b.setInsertionPointToStart(block);
  llvm::SmallVector<Value> values;
  for (const Node &node : f.nodes) {
    Location where = locationOf(context, node.where);
    if (node.op == NodeOp::Argument) {
      Value argument = block->getArgument(node.payload);
      argument.setLoc(where);
      values.push_back(argument);
      continue;
    }
    llvm::SmallVector<Value> operands;
    llvm::SmallVector<ScalarType> types;
    for (uint32_t o : node.operands) {
      operands.push_back(values[o]);
      types.push_back(f.nodes[o].type);
    }
    values.push_back(buildNode(b, where, node, types, operands));
  }
  llvm::SmallVector<Value> returned;
  for (uint32_t r : f.results)
    returned.push_back(values[r]);
  func::ReturnOp::create(b, loc, returned);
  return func;
}

std::string ReduceLayout::text() const {
  std::string s = std::string(name(kind)) + " kept=" +
                  std::to_string(keptRank) + " reduced=" +
                  std::to_string(reducedRank) + " inner=";
  for (int64_t stride : innerStride)
    s += stride == -1 ? "?" : std::to_string(stride);
  s += unitOutput ? " out=1" : " out=?";
  s += " K=" + std::to_string(staticElements);
  return s;
}

ReduceLayout wf::layoutOf(const Problem &p) {
  ReduceLayout layout;
  layout.kind = p.kind;
  layout.keptRank = int64_t(p.kept.size());
  layout.reducedRank = std::max<int64_t>(1, int64_t(p.reduced.size()));
  const LoopAxis *inner = p.kind == ProblemKind::Column ? &p.kept.back()
                          : p.reduced.empty()           ? nullptr
                                                        : &p.reduced.back();
  for (size_t i = 0; i < p.inputs; ++i) {
    int64_t s = inner ? inner->inStrides[i] : 1;
    layout.innerStride.push_back(s == 0 || s == 1 ? s : -1);
  }
  if (!p.kept.empty())
    layout.unitOutput = llvm::all_of(p.kept.back().outStrides,
                                     [](int64_t s) { return s == 1; });
  return layout;
}

static MemRefType stridedMemref(llvm::ArrayRef<int64_t> shape, Type element,
                                int64_t innerStride) {
  MLIRContext *context = element.getContext();
  llvm::SmallVector<int64_t> strides(shape.size(), ShapedType::kDynamic);
  if (!strides.empty() && innerStride >= 0)
    strides.back() = innerStride;
  return MemRefType::get(
      shape, element,
      StridedLayoutAttr::get(context, ShapedType::kDynamic, strides));
}

namespace {
/// The dimensions of @fold's memrefs for a layout.
struct Dimensions {
  llvm::SmallVector<int64_t> inputShape, outputShape, axes;
  explicit Dimensions(const ReduceLayout &l) {
    int64_t rank = l.keptRank + l.reducedRank;
    bool column = l.kind == ProblemKind::Column;
    inputShape.assign(rank, ShapedType::kDynamic);
    outputShape.assign(l.keptRank, ShapedType::kDynamic);
    int64_t first = column ? l.keptRank - 1 : l.keptRank;
    for (int64_t a = 0; a < l.reducedRank; ++a)
      axes.push_back(first + a);
    if (l.staticElements)
      inputShape[axes.back()] = l.staticElements;
  }
};
} // namespace

OwningOpRef<ModuleOp> wf::importProgram(MLIRContext *context,
                                        const Program &program,
                                        const ReduceLayout &layout,
                                        PlanOrder order) {
  Location loc = NameLoc::get(
      StringAttr::get(context, program.name.empty() ? "reduction"
                                                    : program.name));
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  OpBuilder b = OpBuilder::atBlockEnd(module->getBody());
  Dimensions dims(layout);
  llvm::SmallVector<Type> types;
  for (auto [i, type] : llvm::enumerate(program.inputs))
    types.push_back(stridedMemref(
        dims.inputShape, fold::storageType(functionType(context, type)),
        layout.innerStride[i]));
  size_t inputs = types.size();
  for (const Field &result : program.results)
    types.push_back(stridedMemref(
        dims.outputShape, fold::storageType(functionType(context, result.type)),
        layout.unitOutput ? 1 : -1));
  size_t outputs = types.size() - inputs;
  for (const Param &param : program.params)
    types.push_back(functionType(context, param.type));

  auto func = func::FuncOp::create(b, loc, "fold",
                                   FunctionType::get(context, types, {}));
  Block *block = func.addEntryBlock();
  b.setInsertionPointToStart(block);
  ValueRange args = block->getArguments();
  auto kind = static_cast<fold::OrderKind>(order);
  fold::ReduceOp::create(
      b, loc, args.take_front(inputs), args.slice(inputs, outputs),
      args.drop_front(inputs + outputs), llvm::ArrayRef<int64_t>(dims.axes),
      kind, program.map.name, program.combine.name, program.update.name,
      program.finish.name, /*keep_dims=*/false, program.commutative,
      program.exact, fold::PlanAttr());
  func::ReturnOp::create(b, loc);
  for (const wf::Function *f :
       {&program.map, &program.combine, &program.update, &program.finish})
    importFunction(*module, *f);
  return module;
}
