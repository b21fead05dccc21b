//===- PtxTools.cpp - ptxas and a disassembler, where they are installed --===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Nothing needs them to run a kernel, since the driver assembles PTX itself;
// they are how machine code is shown where there is no driver.
//===----------------------------------------------------------------------===//
#include "Target/Nvptx.h"

#include "Error/Error.h"
#include "Target/TemporaryFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

#include <cstdlib>

using namespace wf;

/// The program's path: a variable of the environment, or PATH.
static std::string findProgram(const char *variable, llvm::StringRef name) {
  if (const char *path = std::getenv(variable))
    return path;
  auto found = llvm::sys::findProgramByName(name);
  return found ? *found : "";
}

/// Runs a program with its output in `out`; its messages become the error.
static llvm::Error runProgram(llvm::StringRef program,
                              llvm::ArrayRef<llvm::StringRef> arguments,
                              const TemporaryFile *out,
                              const TemporaryFile &messages) {
  llvm::SmallVector<llvm::StringRef> all{program};
  llvm::append_range(all, arguments);
  llvm::StringRef output =
      out ? llvm::StringRef(out->path) : llvm::StringRef(messages.path);
  std::optional<llvm::StringRef> redirects[] = {
      llvm::StringRef("/dev/null"), output, llvm::StringRef(messages.path)};
  std::string message;
  int code = llvm::sys::ExecuteAndWait(program, all, std::nullopt, redirects, 0,
                                       0, &message);
  if (code == 0)
    return llvm::Error::success();
  return deviceError(program + " failed: " + message + messages.read());
}

llvm::Expected<llvm::SmallVector<char, 0>>
wf::assemblePtx(llvm::StringRef ptx, llvm::StringRef target, std::string &log) {
  std::string program = findProgram("WARPFOLD_PTXAS", "ptxas");
  if (!program.empty() && !llvm::sys::fs::can_execute(program))
    return userError("WARPFOLD_PTXAS names " + program +
                         ", which cannot be run",
                     "give the path of ptxas, or unset it to look on PATH");
  if (program.empty())
    return userError("machine code for " + target +
                         " needs ptxas, which is not on PATH",
                     "install the CUDA toolkit or the Python package "
                     "nvidia-cuda-nvcc, or name the program with "
                     "WARPFOLD_PTXAS; --emit ptx needs neither");
  TemporaryFile in, out, messages;
  if (llvm::Error e = in.make("ptx", ptx))
    return std::move(e);
  if (llvm::Error e = out.make("cubin", ""))
    return std::move(e);
  if (llvm::Error e = messages.make("txt", ""))
    return std::move(e);
  std::string arch = ("-arch=" + target).str();
  if (llvm::Error e =
          runProgram(program, {arch, "-v", "-O3", in.path, "-o", out.path},
                     nullptr, messages))
    return std::move(e);
  log = messages.read();
  std::string bytes = out.read();
  return llvm::SmallVector<char, 0>(bytes.begin(), bytes.end());
}

llvm::Expected<std::string> wf::disassembleCubin(llvm::ArrayRef<char> cubin) {
  std::string program = findProgram("WARPFOLD_NVDISASM", "nvdisasm");
  bool sass = false;
  if (program.empty()) {
    program = findProgram("WARPFOLD_CUOBJDUMP", "cuobjdump");
    sass = true;
  }
  if (program.empty())
    return userError("SASS needs nvdisasm or cuobjdump, and neither is on PATH",
                     "install the Python package nvidia-cuda-nvdisasm, or the "
                     "CUDA toolkit");
  TemporaryFile in, out, messages;
  if (llvm::Error e =
          in.make("cubin", llvm::StringRef(cubin.data(), cubin.size())))
    return std::move(e);
  if (llvm::Error e = out.make("txt", ""))
    return std::move(e);
  if (llvm::Error e = messages.make("txt", ""))
    return std::move(e);
  llvm::SmallVector<llvm::StringRef> arguments;
  if (sass)
    arguments.push_back("-sass");
  else
    arguments.push_back("-c");
  arguments.push_back(in.path);
  if (llvm::Error e = runProgram(program, arguments, &out, messages))
    return std::move(e);
  return out.read();
}
