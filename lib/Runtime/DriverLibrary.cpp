//===- DriverLibrary.cpp - A vendor's library, found when asked for -------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Runtime/DriverLibrary.h"

#include <dlfcn.h>

using namespace wf;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

DriverLibrary::~DriverLibrary() = default;

Error DriverLibrary::failed(const char *function, int code) const {
  return deviceError(llvm::Twine(vendor) + ": " + function + ": " +
                         describe(code),
                     hintFor(code));
}

std::string DriverLibrary::describe(int code, const char *name,
                                    const char *text) {
  std::string description = name ? name : "code " + std::to_string(code);
  if (text)
    description += std::string(" (") + text + ")";
  return description;
}

void *DriverLibrary::lookUp(void *library, const char *symbol) {
  void *address = ::dlsym(library, symbol);
  if (!address && !missing)
    missing = symbol;
  return address;
}

Expected<void *> wf::openLibrary(llvm::ArrayRef<const char *> files) {
  for (const char *file : files)
    if (void *loaded = ::dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD))
      return loaded;
  std::string broken;
  for (const char *file : files) {
    if (void *library = ::dlopen(file, RTLD_NOW | RTLD_LOCAL))
      return library;
    const char *text = ::dlerror();
    StringRef reason = text ? text : "dlopen failed";
    // dlopen says the same of a library that this one needs, by its name.
    bool absent = reason.starts_with(file) && reason.contains("No such file");
    if (!absent && broken.empty())
      broken = reason.str();
  }
  // A file that is there and does not load says more than one that is not.
  return llvm::createStringError(
      broken.empty() ? std::string(files[0]) + " not found" : broken);
}
