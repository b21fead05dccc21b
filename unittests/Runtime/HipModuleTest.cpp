//===- HipModuleTest.cpp - Code objects -----------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "HipStub.h"

using namespace wf;
using namespace wf::test;

namespace {

TEST_F(HipTest, AKernelThatIsNotThere) {
  auto module = loadKernels();
  EXPECT_EQ(failure(module->function("scael")),
            "device error: hip: the module has no kernel called 'scael' "
            "(hipModuleGetFunction: hipErrorNotFound (as the stub says))");
}

TEST_F(HipTest, Facts) {
  auto module = loadKernels();
  FunctionFacts facts =
      must(device->facts(must(module->function("scale")), 256));
  EXPECT_GT(facts.registers, 0);
  EXPECT_LT(facts.registers, 32) << "of the metadata, not made up";
  EXPECT_EQ(facts.sharedBytes, 256);
  EXPECT_EQ(facts.localBytes, 0);
  EXPECT_EQ(facts.maxThreadsPerBlock, 256);
  EXPECT_EQ(facts.blocksPerMultiprocessor, 8);
}

TEST_F(HipTest, CodeOfAnotherArchitecture) {
  EXPECT_EQ(failure(device->load(asCode(kernelsFor("gfx1201")), "")),
            "device error: hip: hipModuleLoadData: hipErrorNoBinaryForGpu (as "
            "the stub says)\nhint: the code object is for another architecture "
            "than this GPU's, or the runtime (7.1) is older than its format");
}

TEST_F(HipTest, WhatIsNoCodeObject) {
  std::string whole = kernelsFor("gfx942");
  for (llvm::StringRef text : {"", "\177ELF", ".version 7.0\n.target sm_75"})
    EXPECT_NE(failure(device->load(asCode(text), ""))
                  .find("internal error: hip: " + std::to_string(text.size()) +
                        " bytes that are no code object"),
              std::string::npos);
  EXPECT_EQ(stub.calls("hipModuleLoadData"), 0);
  ::setenv("WARPFOLD_STUB_HIP", "badimage", 1);
  EXPECT_NE(failure(device->load(asCode(whole), ""))
                .find("hipModuleLoadData: hipErrorInvalidImage"),
            std::string::npos);
}

TEST_F(HipTest, AnObjectThatIsNotLinked) {
  std::string object = contents(WF_STUB_FOLDER "/kernels-gfx942.o");
  ASSERT_FALSE(object.empty());
  EXPECT_NE(failure(device->load(asCode(object), ""))
                .find("hipModuleLoadData: hipErrorInvalidImage"),
            std::string::npos);
  EXPECT_STREQ(stub.report(), "hipModuleLoadData: it is not linked\n");
  stub.reset();
}

TEST_F(HipTest, MetadataThatIsBroken) {
  std::string whole = kernelsFor("gfx942");
  size_t at = whole.find(".max_flat_workgroup_size");
  ASSERT_NE(at, std::string::npos);
  whole[at + 1] = 'x';
  failure(device->load(asCode(whole), ""));
  EXPECT_STREQ(stub.report(), "hipModuleLoadData: its metadata is malformed\n");
  stub.reset();
}

// The runtime reads from the caller's bytes until the module goes.
TEST_F(HipTest, TheModuleKeepsItsBytes) {
  std::string bytes = kernelsFor("gfx942");
  auto module = must(device->load(asCode(bytes), ""));
  std::fill(bytes.begin(), bytes.end(), 'x');
  void *nothing = must(module->function("nothing"));
  must(device->launch(nothing, {}, {}, nullptr));
}

TEST_F(HipTest, NothingIsKeptOnDisk) {
  Folder folder;
  ::setenv("WARPFOLD_CACHE_DIR", folder.path.c_str(), 1);
  must(device->load(asCode(kernelsFor("gfx942")), "key"));
  EXPECT_EQ(folder.list(), "");
  ::unsetenv("WARPFOLD_CACHE_DIR");
}

TEST_F(HipTest, AStubThatTakesNoCopyNoticesChanges) {
  std::string bytes = kernelsFor("gfx942");
  std::vector<char> image(bytes.begin(), bytes.end());
  driver::Module module = nullptr;
  driver::Function function = nullptr;
  must(driver->moduleLoadData(&module, image.data()));
  image[image.size() / 2] ^= 1;
  must(driver->moduleGetFunction(&function, module, "nothing"));
  must(driver->moduleUnload(module));
  EXPECT_STREQ(stub.report(), "hipModuleGetFunction: the image of the module "
                              "has changed\n");
  stub.reset();
}

} // namespace
