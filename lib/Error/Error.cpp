//===- Error.cpp - The three kinds of error ------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Error/Error.h"

#include "llvm/Support/raw_ostream.h"

using namespace wf;

char WarpfoldError::ID;

static const char *prefix(ErrorKind kind) {
  switch (kind) {
  case ErrorKind::User:
    return "error: ";
  case ErrorKind::Device:
    return "device error: ";
  case ErrorKind::Internal:
    return "internal error: ";
  }
  return "";
}

void WarpfoldError::log(llvm::raw_ostream &os) const {
  if (!excerpt.empty())
    os << excerpt;
  else
    os << prefix(kind) << message;
  if (!hint.empty())
    os << "\nhint: " << hint;
}

std::error_code WarpfoldError::convertToErrorCode() const {
  return llvm::inconvertibleErrorCode();
}

llvm::Error wf::userError(const llvm::Twine &message, const llvm::Twine &hint) {
  return llvm::make_error<WarpfoldError>(ErrorKind::User, message.str(),
                                         hint.str());
}

llvm::Error wf::deviceError(const llvm::Twine &message,
                            const llvm::Twine &hint) {
  return llvm::make_error<WarpfoldError>(ErrorKind::Device, message.str(),
                                         hint.str());
}

llvm::Error wf::internalError(const llvm::Twine &message) {
  return llvm::make_error<WarpfoldError>(
      ErrorKind::Internal, message.str(),
      "this is a fault of Warpfold; please report it with the command");
}

int wf::exitCode(ErrorKind kind) {
  switch (kind) {
  case ErrorKind::User:
    return 1;
  case ErrorKind::Device:
    return 2;
  case ErrorKind::Internal:
    return 70;
  }
  return 70;
}
