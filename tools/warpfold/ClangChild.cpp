//===- ClangChild.cpp - A kernel's source to LLVM IR ---------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Which clang: WARPFOLD_CLANG; else the one of the LLVM that this program was
// built with, since a newer one writes bitcode that this program cannot read;
// else an older one, down to the first that has what the device header uses.
//===----------------------------------------------------------------------===//
#include "ClangChild.h"
#include "Error/Error.h"
#include "Plan/Hardware.h"
#include "ScratchFolder.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <cstdlib>

using namespace wf;
using namespace wf::cli;
using llvm::StringRef;

namespace {

struct Header {
  const char *path, *text;
};
const Header headers[] = {
#include "DeviceHeaders.inc"
};

constexpr int ownMajor = LLVM_VERSION_MAJOR;
constexpr int oldestMajor = 19;

/// The exit code of a program; below 0, and with a message, where it did not
/// run. Its output goes to the files `out` and `err` of the folder.
int run(const ScratchFolder &scratch, StringRef program,
        llvm::ArrayRef<std::string> arguments, std::string &message) {
  llvm::SmallVector<StringRef> all{program};
  all.append(arguments.begin(), arguments.end());
  const std::string out = scratch.path("out"), err = scratch.path("err");
  std::optional<StringRef> redirects[] = {StringRef("/dev/null"),
                                          StringRef(out), StringRef(err)};
  return llvm::sys::ExecuteAndWait(program, all, std::nullopt, redirects, 0, 0,
                                   &message);
}

/// A program that can be run, by its path or its name on PATH; or nothing.
std::string programNamed(StringRef name) {
  auto found = llvm::sys::findProgramByName(name);
  return found && llvm::sys::fs::can_execute(*found) ? *found : "";
}

/// The major version of a clang, 0 where it does not say.
int majorOf(const ScratchFolder &scratch, StringRef clang) {
  std::string message;
  int major = 0;
  if (run(scratch, clang, {"-dumpversion"}, message) == 0)
    StringRef(scratch.read("out")).split('.').first.getAsInteger(10, major);
  return major;
}

llvm::Error noClang(StringRef file, StringRef unfit) {
  const std::string own = "clang-" + std::to_string(ownMajor);
  return userError("no clang to compile '" + file + "' with" +
                       (unfit.empty() ? "" : "; " + unfit.str()),
                   "install " + own +
                       " (a package of that name on Debian and "
                       "Ubuntu), or name one with WARPFOLD_CLANG, of version " +
                       llvm::Twine(oldestMajor) + " to " +
                       llvm::Twine(ownMajor) + "; a .ll or .bc needs none");
}

llvm::Expected<std::string> findClang(const ScratchFolder &scratch,
                                      StringRef file) {
  if (const char *named = std::getenv("WARPFOLD_CLANG")) {
    if (std::string found = programNamed(named); !found.empty())
      return found;
    return userError("WARPFOLD_CLANG names '" + llvm::Twine(named) +
                         "', which cannot be run",
                     "give the path of a clang, or unset it to look on PATH");
  }
  const std::string own = std::to_string(ownMajor);
  for (StringRef name : {"clang-" + own, "clang++-" + own,
                         "/usr/lib/llvm-" + own + "/bin/clang"})
    if (std::string found = programNamed(name); !found.empty())
      return found;
  std::vector<std::string> others{"clang"};
  for (int major = ownMajor - 1; major >= oldestMajor; --major)
    others.push_back("clang-" + std::to_string(major));
  std::string unfit;
  for (const std::string &name : others) {
    std::string found = programNamed(name);
    if (found.empty())
      continue;
    const int major = majorOf(scratch, found);
    if (major >= oldestMajor && major <= ownMajor)
      return found;
    if (unfit.empty())
      unfit = found + " is version " + std::to_string(major);
  }
  return noClang(file, unfit);
}

/// The mode and the target; test/Simulator/compile.py has the same.
llvm::Expected<std::vector<std::string>> modeFor(StringRef target) {
  if (target.starts_with("gfx")) {
    auto [chip, wave] = target.split(':');
    std::vector<std::string> mode{"-x",
                                  "hip",
                                  "-nogpuinc",
                                  "-nogpulib",
                                  "--offload-device-only",
                                  "--offload-arch=" + chip.str()};
    if (wave == "wave64")
      mode.push_back("-mwavefrontsize64");
    return mode;
  }
  int generation = 0;
  StringRef number = target;
  if (!number.consume_front("sm_") || number.consumeInteger(10, generation))
    return userError("no GPU is called '" + target + "'",
                     "as in --target sm_90 or --target gfx1201");
  // The PTX version that knows the target; clang alone would take an old one.
  const char *ptx = generation >= 100 ? "+ptx87" : "+ptx80";
  return std::vector<std::string>{"-x",
                                  "cuda",
                                  "-nocudainc",
                                  "-nocudalib",
                                  "--cuda-device-only",
                                  "--cuda-gpu-arch=" + target.str(),
                                  "--cuda-feature=" + std::string(ptx),
                                  "-Wno-unknown-cuda-version"};
}

llvm::Error clangRefused(StringRef file, StringRef target, StringRef clang,
                         StringRef message, StringRef output) {
  if (output.empty())
    return userError(clang + " did not compile '" + file + "': " +
                         (message.empty() ? "no reason given" : message),
                     "WARPFOLD_CLANG names another clang");
  // Its own words are the message: they have the lines and the carets.
  return llvm::make_error<WarpfoldError>(
      ErrorKind::User, "clang refused '" + file.str() + "'",
      "so says " + clang.str() + " of it for " + target.str() +
          "; the header is Warpfold's own, without half, bfloat16 and "
          "cooperative groups",
      output.rtrim().str());
}

llvm::Expected<DeviceCode> compileSource(StringRef file, StringRef target) {
  auto mode = modeFor(target);
  if (!mode)
    return mode.takeError();
  // clang knows other targets than the simulator, and takes any mode.
  if (auto known = lookupHardware(target); !known)
    return known.takeError();
  ScratchFolder scratch;
  if (llvm::Error error = scratch.make())
    return std::move(error);
  auto clang = findClang(scratch, file);
  if (!clang)
    return clang.takeError();
  for (const Header &header : headers)
    if (llvm::Error error = scratch.write(header.path, header.text))
      return std::move(error);
  std::vector<std::string> arguments = std::move(*mode);
  llvm::append_values(arguments, "-include", scratch.path("device.h"),
                      "-isystem", scratch.path("include"), "-O2",
                      "-gline-tables-only", "-fno-color-diagnostics", "-c",
                      "-emit-llvm", "-o", scratch.path("code.bc"), "--",
                      file.str());
  std::string message;
  const int code = run(scratch, *clang, arguments, message);
  std::string output = scratch.read("err"), bitcode = scratch.read("code.bc");
  if (code != 0 || bitcode.empty())
    return clangRefused(file, target, *clang, message, output);
  return DeviceCode{std::move(bitcode), target.str(), std::move(output)};
}

} // namespace

llvm::Expected<DeviceCode> wf::cli::deviceCodeOf(StringRef file,
                                                 StringRef target) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return userError("cannot read '" + file +
                     "': " + buffer.getError().message());
  const StringRef extension = llvm::sys::path::extension(file);
  if (extension == ".ll" || extension == ".bc")
    return DeviceCode{(*buffer)->getBuffer().str(), target.str(), ""};
  if (!llvm::is_contained({".cu", ".hip", ".cpp", ".cc", ".cxx"}, extension))
    return userError("'" + file + "' is no kernel's source",
                     "sim takes .cu, .hip, .cpp (by --target CUDA or HIP), .ll "
                     "and .bc");
  if (!target.empty())
    return compileSource(file, target);
  return compileSource(file, extension == ".hip" ? "gfx1201" : "sm_90");
}
