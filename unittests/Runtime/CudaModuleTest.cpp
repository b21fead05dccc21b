//===- CudaModuleTest.cpp - Code, and its cache on disk -------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "CudaStub.h"

using namespace wf;
using namespace wf::test;
using llvm::StringRef;

namespace {

TEST_F(CudaTest, AKernelThatIsNotThere) {
  auto module = loadStubPtx();
  EXPECT_EQ(failure(module->function("scael")),
            "device error: cuda: the module has no kernel called 'scael' "
            "(cuModuleGetFunction: CUDA_ERROR_NOT_FOUND (as the stub says))");
}

TEST_F(CudaTest, Facts) {
  auto module = loadStubPtx();
  FunctionFacts facts =
      must(device->facts(must(module->function("scale")), 256));
  EXPECT_EQ(facts.registers, 32);
  EXPECT_EQ(facts.sharedBytes, 0);
  EXPECT_EQ(facts.localBytes, 0);
  EXPECT_EQ(facts.maxThreadsPerBlock, 256);
  EXPECT_EQ(facts.blocksPerMultiprocessor, 8);
}

TEST_F(CudaTest, BadCodeShowsWhatTheAssemblerSays) {
  Folder folder;
  ::setenv("WARPFOLD_CACHE_DIR", folder.path.c_str(), 1);
  std::string open = std::string(stubPtx) + "{";
  EXPECT_EQ(
      failure(device->load(asCode(open), "")),
      "device error: cuda: cuModuleLoadDataEx: CUDA_ERROR_INVALID_PTX (as "
      "the stub says)\nptxas fatal: the braces of the file do not match");
  EXPECT_EQ(failure(device->load(asCode(open), "key")),
            "device error: cuda: cuLinkAddData: CUDA_ERROR_INVALID_PTX (as the "
            "stub says)\nptxas fatal: the braces of the file do not match");
  EXPECT_NE(failure(device->load(asCode("\177ELF of another kind"), "key"))
                .find("cuModuleLoadDataEx: CUDA_ERROR_INVALID_IMAGE"),
            std::string::npos);
  failure(device->load({}, ""));
  failure(device->load({}, "key"));
  EXPECT_EQ(folder.list(), "") << "what does not load is not kept";
}

/// Loads from a cache folder and counts what the driver assembled.
class CudaCacheTest : public CudaTest {
protected:
  void SetUp() override {
    CudaTest::SetUp();
    ::setenv("WARPFOLD_CACHE_DIR", folder.path.c_str(), 1);
  }
  /// How many times PTX was assembled for one load, which has to work.
  int assembled(StringRef text, StringRef key) {
    int before = stub.calls("cuLinkComplete");
    auto module = must(device->load(asCode(text), key));
    must(module->function("scale"));
    return stub.calls("cuLinkComplete") - before;
  }
  std::string onlyFile() { return folder / folder.list(); }

  Folder folder;
};

TEST_F(CudaCacheTest, CodeIsAssembledOnce) {
  EXPECT_EQ(assembled(stubPtx, "key"), 1);
  EXPECT_EQ(assembled(stubPtx, "key"), 0);
  EXPECT_EQ(assembled(stubPtx, "another"), 1);
  std::string changed = std::string(stubPtx) + "\n";
  EXPECT_EQ(assembled(changed, "key"), 1) << "another text, the same key";
  EXPECT_EQ(assembled(stubPtx, "key"), 0);
  // Another target is another entry.
  ::setenv("WARPFOLD_STUB_TARGET", "sm_120", 1);
  device = must(cuda::CudaDevice::open(*driver, 0));
  EXPECT_EQ(assembled(stubPtx, "key"), 1);
}

TEST_F(CudaCacheTest, NoKeyNoDisk) {
  EXPECT_EQ(assembled(stubPtx, ""), 0);
  EXPECT_EQ(folder.list(), "");
}

TEST_F(CudaCacheTest, ADamagedEntryIsRebuilt) {
  EXPECT_EQ(assembled(stubPtx, "key"), 1);
  std::string whole = contents(onlyFile());
  for (size_t at = 0; at < whole.size(); at += 97) {
    std::string damaged = whole;
    damaged[at] ^= 1;
    folder.write(folder.list(), damaged);
    EXPECT_EQ(assembled(stubPtx, "key"), 1) << at;
    EXPECT_EQ(contents(onlyFile()), whole) << at;
  }
}

TEST_F(CudaCacheTest, AnEntryThatDoesNotLoadIsRebuilt) {
  EXPECT_EQ(assembled(stubPtx, "key"), 1);
  stub.fail("cuModuleLoadDataEx", cuda::InvalidImage, 0);
  EXPECT_EQ(assembled(stubPtx, "key"), 1);
  EXPECT_EQ(assembled(stubPtx, "key"), 0);
}

TEST_F(CudaCacheTest, WithoutAFolderItWorksToo) {
  ::setenv("WARPFOLD_CACHE_DIR", "/proc/none", 1);
  EXPECT_EQ(assembled(stubPtx, "key"), 1);
  EXPECT_EQ(assembled(stubPtx, "key"), 1);
}

} // namespace
