//===- CodeObjectTest.cpp - What a HIP runtime reads of a code object -----===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Kernel descriptors and metadata, field by field, against what a launch knows:
// the argument list of Lowering/Launch.h, the plan's block, the target's wave.
//===----------------------------------------------------------------------===//
#include "Language/Checker.h"
#include "Language/Parser.h"
#include "Lowering/Launch.h"
#include "Pipeline/AskedPlan.h"
#include "Pipeline/Compiler.h"
#include "Plan/GpuPlan.h"
#include "Reductions.h"
#include "Target/Amdgpu.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/AMDHSAKernelDescriptor.h"

#include "gtest/gtest.h"

#include <cstring>

using namespace wf;
using namespace wf::test;
using llvm::cantFail;
using llvm::object::ELF64LEFile;

namespace {

struct Argument {
  uint64_t offset, size;
  std::string kind;
  bool operator==(const Argument &) const = default;
};
std::ostream &operator<<(std::ostream &os, const Argument &a) {
  return os << a.kind << " of " << a.size << " at " << a.offset;
}

/// A reduction on a problem under a plan.
struct Compiled {
  Program program;
  Problem problem;
  Plan plan;
  std::string code;
  KernelSignature signature;
};

/// Nothing where the plan or the language says no.
std::optional<Compiled>
compiled(const ReductionAst &ast, std::vector<ScalarType> types,
         std::vector<int64_t> shape, std::vector<int64_t> axes,
         llvm::StringRef target, std::optional<std::string> named = {}) {
  Compiled c;
  CheckOptions options;
  options.inputs = types;
  auto program = check(ast, options);
  if (!program) {
    llvm::consumeError(program.takeError());
    return std::nullopt;
  }
  c.program = std::move(*program);
  ProblemShape s;
  s.shape = shape;
  s.axes = axes;
  auto strides = [](std::vector<int64_t> sizes) {
    std::vector<int64_t> all(sizes.size());
    int64_t step = 1;
    for (size_t d = sizes.size(); d-- > 0; step *= sizes[d])
      all[d] = step;
    return all;
  };
  s.inStrides.assign(types.size(), strides(shape));
  for (int64_t a : axes)
    shape[size_t(a)] = 1;
  s.outStrides.assign(c.program.results.size(), strides(shape));
  c.problem = canonicalise(s);
  PlanFacts facts =
      planFacts(c.program, c.problem, PlanOrder::Canonical, {target.str(), 64});
  std::vector<std::string> notes;
  auto choice = askedPlan(c.program, c.problem, facts, {named, {}}, notes);
  if (!choice) {
    llvm::consumeError(choice.takeError());
    return std::nullopt;
  }
  c.plan = choice->plan;
  KernelSpec spec{&c.program, c.problem, c.plan};
  c.signature = signatureOf(spec);
  StageTexts texts;
  PhaseTimes times;
  c.code = cantFail(
      compileGpuKernel(spec, GpuCodeForm::CodeObject, {}, texts, times, false));
  return c;
}

/// As GpuLaunch packs them.
std::vector<Argument> expected(const Compiled &c) {
  std::vector<Argument> all;
  uint64_t at = 0;
  auto add = [&](uint64_t size, const char *kind) {
    at = (at + size - 1) / size * size;
    all.push_back({at, size, kind});
    at += size;
  };
  const KernelSignature &k = c.signature;
  size_t pointers = k.inputs.size() + k.outputs.size() + k.partials.size() + 1;
  for (size_t p = 0; p < pointers; ++p)
    add(8, "global_buffer");
  for (ScalarType t : k.params)
    add(uint64_t(byteSize(t)), "by_value");
  size_t kept = c.problem.kept.size();
  size_t reduced = std::max<size_t>(1, c.problem.reduced.size());
  size_t integers =
      3 + (kept + reduced) * (1 + k.inputs.size()) + kept * k.outputs.size();
  for (size_t i = 0; i < integers; ++i)
    add(uint64_t(c.plan.address / 8), "by_value");
  return all;
}

class CodeObject {
public:
  explicit CodeObject(const std::string &code)
      : file(cantFail(ELF64LEFile::create(code))) {
    for (const auto &section : cantFail(file.sections()))
      if (section.sh_type == llvm::ELF::SHT_NOTE) {
        llvm::Error error = llvm::Error::success();
        for (const auto &note : file.notes(section, error))
          if (note.getType() == llvm::ELF::NT_AMDGPU_METADATA)
            EXPECT_TRUE(metadata.readFromBlob(
                llvm::toStringRef(note.getDesc(section.sh_addralign)), false));
        cantFail(std::move(error));
      }
  }

  llvm::msgpack::ArrayDocNode kernels() {
    return metadata.getRoot().getMap()["amdhsa.kernels"].getArray();
  }
  std::string target() {
    return metadata.getRoot().getMap()["amdhsa.target"].getString().str();
  }
  const ELF64LEFile &elf() const { return file; }

  llvm::amdhsa::kernel_descriptor_t descriptor(llvm::StringRef symbol) {
    llvm::amdhsa::kernel_descriptor_t found{};
    int times = 0;
    for (const auto &section : cantFail(file.sections())) {
      if (section.sh_type != llvm::ELF::SHT_DYNSYM)
        continue;
      auto strings = cantFail(file.getStringTableForSymtab(section));
      for (const auto &s : cantFail(file.symbols(&section)))
        if (cantFail(s.getName(strings)) == symbol) {
          EXPECT_EQ(s.st_size, sizeof found);
          const uint8_t *at = cantFail(file.toMappedAddr(s.st_value));
          std::memcpy(&found, at, sizeof found);
          ++times;
        }
    }
    EXPECT_EQ(times, 1) << symbol.str() << " among the dynamic symbols";
    return found;
  }

private:
  ELF64LEFile file;
  llvm::msgpack::Document metadata;
};

std::vector<Argument> argumentsOf(llvm::msgpack::MapDocNode kernel) {
  std::vector<Argument> all;
  for (auto &node : kernel[".args"].getArray()) {
    auto a = node.getMap();
    all.push_back({a[".offset"].getUInt(), a[".size"].getUInt(),
                   a[".value_kind"].getString().str()});
  }
  return all;
}

void checkKernel(CodeObject &object, llvm::msgpack::MapDocNode kernel,
                 const Compiled &c, uint64_t wave) {
  auto number = [&](const char *key) { return kernel[key].getUInt(); };
  std::vector<Argument> wanted = expected(c);
  uint64_t bytes = wanted.back().offset + wanted.back().size;
  EXPECT_EQ(argumentsOf(kernel), wanted);
  EXPECT_EQ(number(".kernarg_segment_size"), bytes);
  EXPECT_EQ(number(".kernarg_segment_align"), 8u);
  EXPECT_EQ(number(".wavefront_size"), wave);
  EXPECT_EQ(number(".max_flat_workgroup_size"), uint64_t(c.plan.threads()));
  // Records of many members may have more state than there are registers.
  if (c.signature.partials.size() <= 2 && c.signature.inputs.size() == 1)
    EXPECT_EQ(number(".private_segment_fixed_size"), 0u);
  EXPECT_LE(number(".group_segment_fixed_size"), 65536u);
  EXPECT_FALSE(kernel[".uses_dynamic_stack"].getBool());

  auto d = object.descriptor(kernel[".symbol"].getString());
  EXPECT_EQ(d.kernarg_size, bytes);
  EXPECT_EQ(d.private_segment_fixed_size,
            number(".private_segment_fixed_size"));
  EXPECT_EQ(d.group_segment_fixed_size, number(".group_segment_fixed_size"));
  EXPECT_EQ(d.kernarg_preload, 0u);
#define WF_FIELD(WORD, NAME) AMDHSA_BITS_GET(d.WORD, llvm::amdhsa::NAME)
  EXPECT_EQ(WF_FIELD(kernel_code_properties,
                     KERNEL_CODE_PROPERTY_ENABLE_WAVEFRONT_SIZE32),
            wave == 32);
  EXPECT_EQ(WF_FIELD(kernel_code_properties,
                     KERNEL_CODE_PROPERTY_ENABLE_SGPR_KERNARG_SEGMENT_PTR),
            1);
  EXPECT_EQ(WF_FIELD(kernel_code_properties,
                     KERNEL_CODE_PROPERTY_ENABLE_SGPR_DISPATCH_PTR),
            0);
  EXPECT_EQ(WF_FIELD(kernel_code_properties,
                     KERNEL_CODE_PROPERTY_ENABLE_SGPR_QUEUE_PTR),
            0);
  EXPECT_EQ(
      WF_FIELD(kernel_code_properties, KERNEL_CODE_PROPERTY_USES_DYNAMIC_STACK),
      0);
  EXPECT_EQ(
      WF_FIELD(compute_pgm_rsrc2, COMPUTE_PGM_RSRC2_ENABLE_PRIVATE_SEGMENT),
      d.private_segment_fixed_size > 0);
  EXPECT_EQ(
      WF_FIELD(compute_pgm_rsrc2, COMPUTE_PGM_RSRC2_ENABLE_SGPR_WORKGROUP_ID_X),
      1u);
  EXPECT_EQ(
      WF_FIELD(compute_pgm_rsrc2, COMPUTE_PGM_RSRC2_ENABLE_SGPR_WORKGROUP_ID_Y),
      0u);
  EXPECT_EQ(
      WF_FIELD(compute_pgm_rsrc2, COMPUTE_PGM_RSRC2_ENABLE_VGPR_WORKITEM_ID),
      0u)
      << "x alone";
  // Round to nearest, subnormals kept.
  EXPECT_EQ(WF_FIELD(compute_pgm_rsrc1, COMPUTE_PGM_RSRC1_FLOAT_ROUND_MODE_32),
            0u);
  EXPECT_EQ(WF_FIELD(compute_pgm_rsrc1, COMPUTE_PGM_RSRC1_FLOAT_DENORM_MODE_32),
            3u);
  EXPECT_EQ(
      WF_FIELD(compute_pgm_rsrc1, COMPUTE_PGM_RSRC1_FLOAT_DENORM_MODE_16_64),
      3u);
#undef WF_FIELD
}

void checkObject(const Compiled &c, llvm::StringRef target) {
  llvm::StringRef chip = target.split(':').first;
  uint64_t wave =
      chip.starts_with("gfx9") || target.ends_with(":wave64") ? 64 : 32;
  CodeObject object(c.code);
  const auto &header = object.elf().getHeader();
  EXPECT_EQ(header.e_type, llvm::ELF::ET_DYN);
  EXPECT_EQ(header.e_machine, llvm::ELF::EM_AMDGPU);
  EXPECT_EQ(header.e_ident[llvm::ELF::EI_OSABI],
            llvm::ELF::ELFOSABI_AMDGPU_HSA);
  EXPECT_EQ(header.e_ident[llvm::ELF::EI_ABIVERSION],
            llvm::ELF::ELFABIVERSION_AMDGPU_HSA_V5);
  EXPECT_EQ(object.target(), ("amdgcn-amd-amdhsa--" + chip).str());
  std::vector<std::string> names;
  for (auto &node : object.kernels()) {
    names.push_back(node.getMap()[".name"].getString().str());
    SCOPED_TRACE(names.back());
    checkKernel(object, node.getMap(), c, wave);
  }
  std::vector<std::string> wanted{kFoldFunction};
  if (c.plan.form == Form::Ladder && c.plan.grid == Grid::Atomic)
    wanted.push_back(kInitFunction);
  if (c.plan.form == Form::Ladder && c.plan.grid == Grid::Launch)
    wanted.push_back(kJoinFunction);
  llvm::sort(names);
  llvm::sort(wanted);
  EXPECT_EQ(names, wanted);
}

const ReductionAst &builtIn(llvm::StringRef name) {
  for (const TestReduction &r : builtIns())
    if (r.ast.name == name)
      return r.ast;
  llvm::report_fatal_error("no such reduction");
}

struct Shape {
  std::vector<int64_t> shape, axes;
};
const std::vector<Shape> shapes = {{{1 << 26}, {0}},
                                   {{5, 4096}, {1}},
                                   {{900, 20}, {1}},
                                   {{4096, 300}, {0}},
                                   {{3, 70, 5}, {0, 2}},
                                   {{4, 999, 33}, {1}},
                                   {{3, int64_t(1) << 32}, {1}}};

TEST(CodeObject, EveryTargetAndShape) {
  for (const std::string &target : amdgpuTargets())
    for (const Shape &s : shapes) {
      SCOPED_TRACE(target + " " + std::to_string(s.shape[0]));
      auto c =
          compiled(builtIn("sum"), {ScalarType::F32}, s.shape, s.axes, target);
      ASSERT_TRUE(c);
      checkObject(*c, target);
    }
}

TEST(CodeObject, EveryReduction) {
  size_t number = 0, objects = 0;
  for (const std::vector<TestReduction> *list : {&builtIns(), &customs()})
    for (const TestReduction &r : *list)
      for (ScalarType type :
           {ScalarType::F32, ScalarType::I8, ScalarType::I16}) {
        // Sixteen elements a load of a record of many members: half a minute.
        if (list == &customs() && type == ScalarType::I8)
          continue;
        // Each with one of the seven shapes and eight targets in turn.
        const Shape &s = shapes[number % shapes.size()];
        const std::string &target =
            amdgpuTargets()[number++ % amdgpuTargets().size()];
        SCOPED_TRACE(r.ast.name + " " + std::string(name(type)) + " " + target);
        auto c =
            compiled(r.ast, std::vector<ScalarType>(size_t(r.inputs), type),
                     s.shape, s.axes, target);
        if (!c)
          continue;
        checkObject(*c, target);
        ++objects;
      }
  EXPECT_GT(objects, 60u);
}

TEST(CodeObject, EveryRung) {
  for (const std::string &target : amdgpuTargets())
    for (const char *rung :
         {"v0", "v1", "v2", "v3:vec=4,items=8", "v4", "v5"}) {
      SCOPED_TRACE(target + " " + rung);
      auto c = compiled(builtIn("sum"), {ScalarType::F32}, {1 << 20}, {0},
                        target, rung);
      ASSERT_TRUE(c);
      checkObject(*c, target);
    }
}

TEST(CodeObject, ParamsOfEveryWidth) {
  ReductionAst ast = cantFail(parseReductions(R"(reduction r(x) {
    commutative
    param a: i8 = 1
    param b: f64 = 2
    param c: bool = true
    param d: i16 = 3
    param e: f32 = 4
    map = x
    combine(s, t) = s + t
    finish(s) = if c then s * f32(a) + f32(b) else s + f32(d) + e
  })",
                                              "test"))[0];
  for (const std::string &target : amdgpuTargets()) {
    SCOPED_TRACE(target);
    auto c = compiled(ast, {ScalarType::F32}, {1 << 20}, {0}, target);
    ASSERT_TRUE(c);
    EXPECT_EQ(c->signature.params.size(), 5u);
    checkObject(*c, target);
  }
}

// lld sets LLVM's options back when it links, among them the one that keeps
// v0's atomics apart.
TEST(CodeObject, TheSameTwice) {
  std::string first;
  for (int turn = 0; turn < 3; ++turn) {
    auto c = compiled(builtIn("sum"), {ScalarType::I32}, {1 << 20}, {0},
                      "gfx1100", "v0");
    ASSERT_TRUE(c);
    if (turn == 0)
      first = c->code;
    EXPECT_TRUE(c->code == first) << "turn " << turn;
  }
}

TEST(CodeObject, BitcodeOfAnyTarget) {
  const ReductionAst &ast = builtIn("sum");
  CheckOptions options;
  options.inputs = {ScalarType::F32};
  Program program = cantFail(check(ast, options));
  ProblemShape s{{1 << 20}, {{1}}, {{1}}, {0}, false};
  Problem problem = canonicalise(s);
  for (const char *target : {"null", "sm_90", "gfx1201:wave64"}) {
    PlanFacts facts =
        planFacts(program, problem, PlanOrder::Canonical, {target, 64});
    KernelSpec spec{&program, problem, choosePlan(facts)};
    StageTexts texts;
    PhaseTimes times;
    std::string bytes = cantFail(
        compileGpuKernel(spec, GpuCodeForm::Bitcode, {}, texts, times, false));
    EXPECT_EQ(bytes.substr(0, 4), "BC\xC0\xDE") << target;
  }
}

// A code object that carries its bitcode is otherwise the same.
TEST(CodeObject, CarriesItsBitcodeWhereAsked) {
  auto plain =
      compiled(builtIn("sum"), {ScalarType::F32}, {1 << 20}, {0}, "gfx942");
  ::setenv("WARPFOLD_EMBED_BITCODE", "1", 1);
  auto carrying =
      compiled(builtIn("sum"), {ScalarType::F32}, {1 << 20}, {0}, "gfx942");
  ::unsetenv("WARPFOLD_EMBED_BITCODE");
  ASSERT_TRUE(plain && carrying);
  checkObject(*carrying, "gfx942");
  auto contents = [](const Compiled &c, llvm::StringRef wanted) {
    auto file = cantFail(ELF64LEFile::create(c.code));
    for (const auto &section : cantFail(file.sections()))
      if (cantFail(file.getSectionName(section)) == wanted) {
        EXPECT_EQ(section.sh_flags & llvm::ELF::SHF_ALLOC,
                  wanted == ".text" ? uint64_t(llvm::ELF::SHF_ALLOC) : 0u);
        return llvm::toStringRef(cantFail(file.getSectionContents(section)))
            .str();
      }
    return std::string();
  };
  EXPECT_EQ(contents(*plain, ".text"), contents(*carrying, ".text"));
  EXPECT_EQ(contents(*plain, ".note.warpfold.bitcode"), "");
  EXPECT_EQ(contents(*carrying, ".note.warpfold.bitcode").substr(0, 4),
            "BC\xC0\xDE");
}

} // namespace
