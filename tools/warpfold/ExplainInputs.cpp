//===- ExplainInputs.cpp - The listings that a user names ----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "ExplainInputs.h"
#include "Error/Error.h"
#include "ExplainImages/Images.h"
#include "IO/OutputFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace wf;
using namespace wf::cli;
using namespace wf::explain;
using llvm::StringRef;

llvm::Error wf::cli::faultError(const Fault &fault, const std::string &file) {
  bool named = file.empty() || StringRef(fault.message).starts_with(file);
  return userError(named ? fault.message : file + ": " + fault.message,
                   fault.hint);
}

llvm::Error wf::cli::deliver(const Text &output, const std::string &text) {
  if (output)
    return writeFile(*output, text);
  llvm::outs() << text;
  return llvm::Error::success();
}

static bool isDump(Format format) {
  return format == Format::TritonIr || format == Format::TritonGpuIr ||
         format == Format::LlvmIr || format == Format::Mlir;
}

static void addKernels(ExplainInputs &inputs, Listing listing,
                       const std::string &file) {
  for (Remark &remark : listing.remarks)
    inputs.remarks.push_back(
        file + ":" + (remark.line ? std::to_string(remark.line) + ":" : "") +
        " " + remark.text);
  for (Kernel &kernel : listing.kernels)
    inputs.kernels.push_back({file, std::move(kernel)});
}

static llvm::Error addText(ExplainInputs &inputs, StringRef bytes,
                           const std::string &file) {
  std::string_view view(bytes.data(), bytes.size());
  std::string text;
  if (isImage(view)) {
    auto listing = imageListing(view, file);
    if (!listing)
      return faultError(listing.fault(), file);
    text = std::move(*listing);
  } else {
    text = plainText(view);
  }
  Format format = recognise(text);
  if (isDump(format)) {
    inputs.dumps.push_back({file, std::move(text)});
    return llvm::Error::success();
  }
  if (format == Format::Ptx)
    inputs.code.push_back({file, text});
  auto listing = readListing(text, file);
  if (!listing)
    return faultError(listing.fault(), file);
  addKernels(inputs, std::move(*listing), file);
  return llvm::Error::success();
}

/// The files of a dump folder, those that somebody may want explained.
static llvm::Expected<std::vector<std::string>> filesOf(StringRef folder) {
  std::vector<std::string> files;
  std::error_code ec;
  for (llvm::sys::fs::recursive_directory_iterator it(folder, ec), end;
       it != end && !ec; it.increment(ec)) {
    StringRef suffix = llvm::sys::path::extension(it->path());
    for (const char *known :
         {".ttir", ".ttgir", ".llir", ".ll", ".mlir", ".ptx", ".amdgcn",
          ".sass", ".s", ".hsaco", ".cubin"})
      if (suffix == known)
        files.push_back(it->path());
  }
  if (ec)
    return userError("cannot read the folder '" + folder +
                     "': " + ec.message());
  if (files.empty())
    return userError("the folder '" + folder + "' holds no dump",
                     "dumps end in .ttir, .ttgir, .llir, .ptx, .amdgcn, …");
  std::sort(files.begin(), files.end());
  return files;
}

llvm::Expected<ExplainInputs>
wf::cli::readExplainInputs(const std::vector<std::string> &names) {
  ExplainInputs inputs;
  std::vector<std::string> files;
  for (const std::string &name : names) {
    if (!llvm::sys::fs::is_directory(name)) {
      files.push_back(name);
      continue;
    }
    auto within = filesOf(name);
    if (!within)
      return within.takeError();
    files.insert(files.end(), within->begin(), within->end());
  }
  for (const std::string &file : files) {
    auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(
        file, /*IsText=*/false, /*RequiresNullTerminator=*/false);
    if (!buffer)
      return userError("cannot read '" + file +
                       "': " + buffer.getError().message());
    if (llvm::Error error = addText(inputs, (*buffer)->getBuffer(), file))
      return std::move(error);
  }
  return inputs;
}

/// "reduce_sum_f32_kernel" of "reduce_sum_f32_kernel(float const*, …)".
static std::string baseName(const std::string &name) {
  std::string whole = demangled(name);
  return whole.substr(0, whole.find('('));
}

llvm::Error wf::cli::keepKernels(ExplainInputs &inputs,
                                 const std::string &name) {
  auto keep = [&](auto matches) {
    bool any = false;
    for (const auto &k : inputs.kernels)
      any |= matches(k.kernel);
    if (any)
      std::erase_if(inputs.kernels,
                    [&](const auto &k) { return !matches(k.kernel); });
    return any;
  };
  if (keep([&](const Kernel &k) {
        return k.name == name || demangled(k.name) == name;
      }) ||
      keep([&](const Kernel &k) { return baseName(k.name) == name; }) ||
      keep([&](const Kernel &k) {
        return k.name.find(name) != std::string::npos;
      }))
    return llvm::Error::success();
  std::string there;
  size_t count = 0;
  for (const auto &k : inputs.kernels)
    if (std::string base = baseName(k.kernel.name);
        there.find(base) == std::string::npos && ++count <= 20)
      there += (there.empty() ? "" : ", ") + base;
  if (count > 20)
    there += ", … (" + std::to_string(count) + " in all)";
  return userError("no kernel is called '" + name + "'",
                   there.empty() ? "there is no kernel at all"
                                 : "there are " + there);
}
