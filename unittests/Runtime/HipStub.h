//===- HipStub.h - What the tests of HIP devices share -----------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_UNITTESTS_RUNTIME_HIPSTUB_H
#define WARPFOLD_UNITTESTS_RUNTIME_HIPSTUB_H

#include "DriverStub.h"
#include "Runtime/Hip/HipDevice.h"
#include "hip/Stub.h"

namespace wf::test {

/// The code object of test/stubs/hip/kernels.ll for an architecture.
inline std::string kernelsFor(const std::string &target) {
  std::string path = WF_STUB_FOLDER "/kernels-" + target + ".co";
  std::string bytes = contents(path);
  EXPECT_FALSE(bytes.empty()) << path;
  return bytes;
}

/// A fresh device on the stub, and the stub's report empty at the end.
class HipTest : public ::testing::Test {
protected:
  void SetUp() override {
    forget();
    ::setenv("WARPFOLD_HIP_LIBRARY", WF_STUB_HIP, 1);
    ::setenv("WARPFOLD_STUB_SKIP_RUN", "1", 1);
    stub.reset();
    driver = must(hip::Driver::load(WF_STUB_HIP));
    device = must(hip::HipDevice::open(*driver, 0));
  }
  void TearDown() override {
    forget();
    EXPECT_STREQ(stub.report(), "");
  }
  void forget() {
    for (const char *variable :
         {"WARPFOLD_STUB_HIP", "WARPFOLD_STUB_HIP_DEVICES",
          "WARPFOLD_STUB_HIP_TARGET", "WARPFOLD_STUB_HIP_WAVE"})
      ::unsetenv(variable);
  }
  std::shared_ptr<DeviceModule> loadKernels() {
    return must(device->load(asCode(kernelsFor("gfx942")), ""));
  }
  /// The device that this thread has made current.
  int current() {
    int index = -1;
    must(driver->getDevice(&index));
    return index;
  }

  DriverStub &stub = *stubOfHip();
  std::unique_ptr<hip::Driver> driver;
  std::unique_ptr<hip::HipDevice> device;

private:
  static DriverStub *stubOfHip() {
    static DriverStub &stub = *new DriverStub(WF_STUB_HIP);
    return &stub;
  }
};

} // namespace wf::test

#endif // WARPFOLD_UNITTESTS_RUNTIME_HIPSTUB_H
