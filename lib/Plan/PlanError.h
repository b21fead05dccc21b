//===- PlanError.h - A mistake in a plan's text, with a caret ----*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
//   --plan:1:5: error: 'wraps=8' is not a plan field
//     cpu wraps=8
//         ^
//   hint: did you mean 'warps'?
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_PLAN_PLANERROR_H
#define WARPFOLD_PLAN_PLANERROR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include <string>

namespace wf {

/// The user's error about `word`, which is a part of `text` (the same memory;
/// where it is not, the caret stands at the beginning).
llvm::Error planMistake(llvm::StringRef text, llvm::StringRef word,
                        const llvm::Twine &message, const llvm::Twine &hint);

/// "did you mean 'warps'?", or `otherwise` where nothing known is near.
std::string nearestWord(llvm::StringRef word,
                        llvm::ArrayRef<llvm::StringRef> known,
                        const llvm::Twine &otherwise);

} // namespace wf

#endif // WARPFOLD_PLAN_PLANERROR_H
