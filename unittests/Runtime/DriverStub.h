//===- DriverStub.h - What the tests of stub drivers share -------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_UNITTESTS_RUNTIME_DRIVERSTUB_H
#define WARPFOLD_UNITTESTS_RUNTIME_DRIVERSTUB_H

#include "../IO/Support.h"
#include "Runtime/Device.h"
#include "driver/Stub.h"

#include <cstdlib>
#include <dlfcn.h>

namespace wf::test {

/// A stub driver and what it exports for us.
class DriverStub {
public:
  explicit DriverStub(const char *path)
      : path(path), library(::dlopen(path, RTLD_NOW | RTLD_LOCAL)) {
    find(report, "wfStubReport");
    find(reset, "wfStubReset");
    find(fail, "wfStubFail");
    find(calls, "wfStubCalls");
    find(launchCount, "wfStubLaunchCount");
    find(launchAt, "wfStubLaunchAt");
  }
  decltype(&wfStubReport) report;
  decltype(&wfStubReset) reset;
  decltype(&wfStubFail) fail;
  decltype(&wfStubCalls) calls;
  decltype(&wfStubLaunchCount) launchCount;
  decltype(&wfStubLaunchAt) launchAt;

protected:
  template <typename F> void find(F &function, const char *name) {
    function =
        reinterpret_cast<F>(library ? ::dlsym(library, name) : nullptr);
    if (!function) {
      fprintf(stderr, "%s has no %s\n", path, name);
      abort();
    }
  }

private:
  const char *path;
  void *library;
};

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

#endif // WARPFOLD_UNITTESTS_RUNTIME_DRIVERSTUB_H
