//===- Error.h - The three kinds of error ------------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The user's (`error:`, exit code 1), the machine's (`device error:`, 2) and
// ours (`internal error:`, 70). Library code returns llvm::Error or
// llvm::Expected holding one WarpfoldError; only the tools print.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_ERROR_ERROR_H
#define WARPFOLD_ERROR_ERROR_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include <string>

namespace wf {

enum class ErrorKind { User, Device, Internal };

/// One error with everything the tool needs to print it. `message` is one
/// sentence without a trailing period; `hint` says what to do, or is empty;
/// `excerpt` holds "file:line:col" context with the caret, or is empty.
class WarpfoldError : public llvm::ErrorInfo<WarpfoldError> {
public:
  static char ID;
  WarpfoldError(ErrorKind kind, std::string message, std::string hint = "",
                std::string excerpt = "")
      : kind(kind), message(std::move(message)), hint(std::move(hint)),
        excerpt(std::move(excerpt)) {}

  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

  ErrorKind kind;
  std::string message, hint, excerpt;
};

llvm::Error userError(const llvm::Twine &message, const llvm::Twine &hint = "");
llvm::Error deviceError(const llvm::Twine &message,
                        const llvm::Twine &hint = "");
llvm::Error internalError(const llvm::Twine &message);

/// The process exit code of an error kind: 1, 2 or 70.
int exitCode(ErrorKind kind);

} // namespace wf

#endif // WARPFOLD_ERROR_ERROR_H
