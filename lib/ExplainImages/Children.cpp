//===- Children.cpp - Other tools, run on an image ------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "ExplainImages/Parts.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

#include <cstdlib>

using namespace wf::explain;
using llvm::StringRef;

std::string images::programNamed(const char *variable, StringRef name) {
  if (const char *path = std::getenv(variable))
    return path;
  auto found = llvm::sys::findProgramByName(name);
  return found ? *found : "";
}

/// A file that goes with the scope.
namespace {
struct Scratch {
  llvm::SmallString<128> path;
  ~Scratch() {
    if (!path.empty())
      llvm::sys::fs::remove(path);
  }
  bool make(StringRef suffix, StringRef content) {
    int descriptor = 0;
    if (llvm::sys::fs::createTemporaryFile("warpfold", suffix, descriptor,
                                           path))
      return false;
    llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
    os << content;
    os.close();
    bool good = !os.has_error();
    os.clear_error();
    return good;
  }
  std::string read() const {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    return buffer ? (*buffer)->getBuffer().str() : "";
  }
};
} // namespace

Result<std::string> images::runOn(StringRef program,
                                  llvm::ArrayRef<StringRef> options,
                                  StringRef bytes, StringRef suffix) {
  if (!llvm::sys::fs::can_execute(program))
    return Fault{program.str() + " cannot be run",
                 "give the path of the tool, or unset the variable that names "
                 "it to look on PATH"};
  Scratch in, out, messages;
  if (!in.make(suffix, bytes) || !out.make("txt", "") ||
      !messages.make("txt", ""))
    return Fault{"a temporary file cannot be written",
                 "TMPDIR names the folder for them"};
  llvm::SmallVector<StringRef> arguments{program};
  llvm::append_range(arguments, options);
  arguments.push_back(in.path);
  std::optional<StringRef> redirects[] = {
      StringRef("/dev/null"), StringRef(out.path), StringRef(messages.path)};
  std::string message;
  constexpr unsigned seconds = 120;
  int code = llvm::sys::ExecuteAndWait(program, arguments, std::nullopt,
                                       redirects, seconds, 0, &message);
  if (code == 0)
    return out.read();
  std::string said = StringRef(messages.read()).trim().str();
  return Fault{program.str() + " failed" +
                   (said.empty() && message.empty()
                        ? ""
                        : ": " + (said.empty() ? message : said)),
               "a newer release of the tool may know the chip"};
}
