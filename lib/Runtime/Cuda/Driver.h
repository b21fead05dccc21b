//===- Driver.h - NVIDIA's driver, found when it is asked for ----*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The functions of Functions.h, looked up in libcuda.so.1 by dlopen, so that a
// binary of ours runs without a driver. Each is called like the function
// itself and gives an llvm::Error that names function and code:
//
//   if (llvm::Error error = driver.cuMemFree(address)) …
//
// The environment variable WARPFOLD_CUDA_DRIVER names another library file to
// load instead (the tests' stub; a driver in an unusual place).
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_RUNTIME_CUDA_DRIVER_H
#define WARPFOLD_RUNTIME_CUDA_DRIVER_H

#include "Runtime/Cuda/Functions.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace wf::cuda {

class Driver;

/// One function of the driver.
template <typename... Args> class Call {
public:
  Call(const Driver &driver, const char *name) : driver(driver), name(name) {}
  llvm::Error operator()(Args... args) const;
  /// The bare result, where one code is to be told from another.
  Result raw(Args... args) const { return pointer(args...); }

private:
  friend class Driver;
  const Driver &driver;
  const char *name;
  Result (*pointer)(Args...) = nullptr;
};

namespace detail {
template <typename Signature> struct CallOf;
template <typename... Args> struct CallOf<void(Args...)> {
  using Type = Call<Args...>;
};
} // namespace detail

class Driver {
public:
  /// The driver of this process: loaded and initialised on the first call,
  /// from then on the same answer. Safe from any thread. A device error in one
  /// line where there is none, it is too old, or it does not start.
  static llvm::Expected<const Driver *> get();

  /// Loads and initialises the library file `path`; "" means libcuda.so.1.
  static llvm::Expected<std::unique_ptr<Driver>> load(llvm::StringRef path);

  Driver(const Driver &) = delete;
  Driver &operator=(const Driver &) = delete;

  int version() const { return number; } ///< 13000 is 13.0

  /// A device error "cuMemFree: CUDA_ERROR_… (what the driver says of it)".
  llvm::Error failed(const char *function, Result result) const;
  /// The name of a code and what the driver says of it.
  std::string describe(Result result) const;

#define X(name, symbol, args)                                                  \
  detail::CallOf<void args>::Type name{*this, #name};
  WARPFOLD_CUDA_FUNCTIONS(X)
#undef X

private:
  Driver() = default;
  llvm::Error resolve(void *library, llvm::StringRef path);
  llvm::Error start(llvm::StringRef path);
  int number = 0;
};

template <typename... Args>
llvm::Error Call<Args...>::operator()(Args... args) const {
  Result result = pointer(args...);
  if (LLVM_LIKELY(result == Success))
    return llvm::Error::success();
  return driver.failed(name, result);
}

/// "12.4" of 12040.
std::string versionText(int version);

} // namespace wf::cuda

#endif // WARPFOLD_RUNTIME_CUDA_DRIVER_H
