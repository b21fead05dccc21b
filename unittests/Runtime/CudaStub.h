//===- CudaStub.h - What the tests of CUDA devices share ---------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_UNITTESTS_RUNTIME_CUDASTUB_H
#define WARPFOLD_UNITTESTS_RUNTIME_CUDASTUB_H

#include "DriverStub.h"
#include "Runtime/Cuda/CudaDevice.h"
#include "cuda/Stub.h"

namespace wf::test {

/// The stub of CUDA.
class Stub : public DriverStub {
public:
  static Stub &get() {
    static Stub &stub = *new Stub;
    return stub;
  }
  decltype(&wfStubForeignContext) foreignContext;

private:
  Stub() : DriverStub(WF_STUB_CUDA) {
    find(foreignContext, "wfStubForeignContext");
  }
};

/// Two kernels with parameters of several kinds.
inline const char *const stubPtx = R"(//
// comments (and braces { in them) come first
//
.version 7.0
.target sm_75
.address_size 64
.visible .entry scale(
	.param .u64 .ptr .global .align 16 scale_param_0,
	.param .u32 scale_param_1, // of 4 bytes
	.param .align 8 .b8 scale_param_2[24],
	.param .f32 scale_param_3
)
.maxntid 256
{
	ret;
}
.visible .entry nothing()
{
	ret;
}
)";

/// A fresh device on the stub, and the stub's report empty at the end.
class CudaTest : public ::testing::Test {
protected:
  void SetUp() override {
    ::unsetenv("WARPFOLD_STUB_CUDA");
    ::unsetenv("WARPFOLD_STUB_DEVICES");
    ::unsetenv("WARPFOLD_STUB_TARGET");
    ::setenv("WARPFOLD_CUDA_DRIVER", WF_STUB_CUDA, 1);
    ::setenv("WARPFOLD_CACHE_DIR", "off", 1);
    stub.reset();
    driver = llvm::cantFail(cuda::Driver::load(WF_STUB_CUDA));
    device = llvm::cantFail(cuda::CudaDevice::open(*driver, 0));
  }
  void TearDown() override {
    ::unsetenv("WARPFOLD_STUB_CUDA");
    EXPECT_STREQ(stub.report(), "");
  }
  std::shared_ptr<DeviceModule> loadStubPtx() {
    return llvm::cantFail(device->load(asCode(stubPtx), ""));
  }

  Stub &stub = Stub::get();
  std::unique_ptr<cuda::Driver> driver;
  std::unique_ptr<cuda::CudaDevice> device;
};

} // namespace wf::test

#endif // WARPFOLD_UNITTESTS_RUNTIME_CUDASTUB_H
