//===- DriverLibrary.h - A vendor's library, found when asked for -*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The functions of a vendor's library are looked up by dlopen, so that a binary
// of ours runs where the library is not. Each is called like the function
// itself and gives an llvm::Error that names function and code:
//
//   if (llvm::Error error = driver.memFree(address)) …
//
// The library is never closed: other parts of the process may use it, and a
// driver is not made to be unloaded.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_RUNTIME_DRIVERLIBRARY_H
#define WARPFOLD_RUNTIME_DRIVERLIBRARY_H

#include "Error/Error.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/Error.h"

#include <cstdlib>
#include <memory>
#include <string>

namespace wf {

class DriverLibrary {
public:
  virtual ~DriverLibrary();
  DriverLibrary(const DriverLibrary &) = delete;
  DriverLibrary &operator=(const DriverLibrary &) = delete;

  int version() const { return number; } ///< as the library numbers it

  /// A device error "cuda: cuMemFree: CUDA_ERROR_… (what the driver says)".
  llvm::Error failed(const char *function, int code) const;
  /// The name of a code and what the library says of it.
  virtual std::string describe(int code) const = 0;
  /// What to do about a code, or nothing.
  virtual std::string hintFor(int code) const = 0;

protected:
  explicit DriverLibrary(const char *vendor) : vendor(vendor) {}
  /// The address of a function; the first one that is not there is remembered.
  void *lookUp(void *library, const char *symbol);
  /// `describe` from what the library's own two functions gave, or null.
  static std::string describe(int code, const char *name, const char *text);

  const char *vendor; ///< "cuda": begins every message
  const char *missing = nullptr;
  int number = 0;
};

/// One function of a library. It returns a Result, of which 0 is success.
template <typename Result, typename... Args> class DriverCall {
public:
  DriverCall(const DriverLibrary &library, const char *name)
      : library(library), title(name) {}
  llvm::Error operator()(Args... args) const {
    Result result = pointer(args...);
    if (LLVM_LIKELY(result == Result(0)))
      return llvm::Error::success();
    return failed(result);
  }
  /// The bare result, where one code is to be told from another.
  Result raw(Args... args) const { return pointer(args...); }
  llvm::Error failed(Result result) const {
    return library.failed(title, result);
  }

  bool found() const { return pointer; }
  const char *name() const { return title; }
  void set(void *address) {
    pointer = reinterpret_cast<Result (*)(Args...)>(address);
  }

private:
  const DriverLibrary &library;
  const char *title;
  Result (*pointer)(Args...) = nullptr;
};

namespace detail {
template <typename Result, typename Signature> struct DriverCallOf;
template <typename Result, typename... Args>
struct DriverCallOf<Result, void(Args...)> {
  using Type = DriverCall<Result, Args...>;
};
} // namespace detail

/// Opens the first of `files` that is there; one that the process has loaded
/// already is taken before any other, since two copies of a driver would not
/// know each other's memory. The error says why the first does not load.
llvm::Expected<void *> openLibrary(llvm::ArrayRef<const char *> files);

/// The library of this process, by Library::load: loaded and initialised on the
/// first call, from then on the same answer. Safe from any thread. `variable`
/// of the environment names the file; without it the path is empty.
template <typename Library>
llvm::Expected<const Library *> libraryOfProcess(const char *variable) {
  struct Loaded {
    const Library *library = nullptr; ///< lives until the process ends
    std::string message, hint;
  };
  // Not destroyed: buffers of static lifetime may be freed after it.
  static const Loaded &loaded = *[&] {
    auto *result = new Loaded;
    const char *path = ::getenv(variable);
    auto library = Library::load(path ? path : "");
    if (library) {
      result->library = library->release();
      return result;
    }
    llvm::handleAllErrors(library.takeError(), [&](const WarpfoldError &error) {
      result->message = error.message;
      result->hint = error.hint;
    });
    return result;
  }();
  if (!loaded.library)
    return deviceError(loaded.message, loaded.hint);
  return loaded.library;
}

} // namespace wf

#endif // WARPFOLD_RUNTIME_DRIVERLIBRARY_H
