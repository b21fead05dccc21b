//===- CudaStub.h - What the tests of CUDA devices share ---------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_UNITTESTS_RUNTIME_CUDASTUB_H
#define WARPFOLD_UNITTESTS_RUNTIME_CUDASTUB_H

#include "../IO/Support.h"
#include "Runtime/Cuda/CudaDevice.h"
#include "cuda/Stub.h"

#include <cstdlib>
#include <dlfcn.h>

namespace wf::test {

/// The stub driver and what it exports for us.
class Stub {
public:
  static Stub &get() {
    static Stub &stub = *new Stub;
    return stub;
  }
  decltype(&wfStubReport) report;
  decltype(&wfStubReset) reset;
  decltype(&wfStubFail) fail;
  decltype(&wfStubCalls) calls;
  decltype(&wfStubLaunchCount) launchCount;
  decltype(&wfStubLaunchAt) launchAt;
  decltype(&wfStubForeignContext) foreignContext;

private:
  Stub() {
    void *library = ::dlopen(WF_STUB_CUDA, RTLD_NOW | RTLD_LOCAL);
    auto find = [&](auto &function, const char *name) {
      function = reinterpret_cast<std::decay_t<decltype(function)>>(
          library ? ::dlsym(library, name) : nullptr);
      if (!function) {
        fprintf(stderr, "%s has no %s\n", WF_STUB_CUDA, name);
        abort();
      }
    };
    find(report, "wfStubReport");
    find(reset, "wfStubReset");
    find(fail, "wfStubFail");
    find(calls, "wfStubCalls");
    find(launchCount, "wfStubLaunchCount");
    find(launchAt, "wfStubLaunchAt");
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

/// The arguments of `scale` as a kernel takes them.
struct ScaleArguments {
  uint64_t pointer = 0;
  uint32_t count = 0;
  alignas(8) char state[24] = {};
  float factor = 1;
};
/// 44 bytes: the struct ends with padding that no parameter is.
inline llvm::ArrayRef<char> packed(const ScaleArguments &arguments) {
  return {reinterpret_cast<const char *>(&arguments), 44};
}

inline llvm::ArrayRef<char> asCode(llvm::StringRef text) {
  return {text.data(), text.size()};
}

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

/// The text of an error that has to be there.
template <typename T> std::string failure(llvm::Expected<T> value) {
  EXPECT_FALSE(bool(value)) << "it worked";
  return value ? "" : llvm::toString(value.takeError());
}
inline std::string failure(llvm::Error error) {
  EXPECT_TRUE(bool(error)) << "it worked";
  return llvm::toString(std::move(error));
}

} // namespace wf::test

#endif // WARPFOLD_UNITTESTS_RUNTIME_CUDASTUB_H
