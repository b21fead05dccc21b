//===- Code.cpp - Modules and the linker of the stub driver ---------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// PTX is read as far as its kernels' parameters. A "cubin" is an ELF magic, a
// mark, the text's length and the text.
//===----------------------------------------------------------------------===//
#include "State.h"

#include <algorithm>
#include <cstring>

using namespace wf::cuda;

static const char cubinMark[] = "\177ELFwfstub1\n"; // 12 bytes without the zero
static constexpr size_t markBytes = sizeof cubinMark - 1;

/// Text without its // comments.
static std::string withoutComments(const std::string &text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "//") == 0)
      i = std::min(text.find('\n', i), text.size());
    out += i < text.size() ? text[i] : '\n';
  }
  return out;
}

static std::vector<std::string> words(const std::string &text) {
  std::vector<std::string> out;
  for (size_t at = 0;
       (at = text.find_first_not_of(" \t\r\n", at)) != std::string::npos;) {
    size_t end = std::min(text.find_first_of(" \t\r\n", at), text.size());
    out.push_back(text.substr(at, end - at));
    at = end;
  }
  return out;
}

/// Appends one parameter, as in `.param .align 8 .b8 name[24]` or
/// `.param .u64 .ptr .global .align 16 name`; false if it is none.
static bool addParameter(const std::string &text, FunctionObject &kernel) {
  size_t bytes = 0, align = 0;
  bool pointee = false; // what follows .ptr speaks of the pointee
  std::vector<std::string> all = words(text);
  if (all.size() < 3 || all[0] != ".param")
    return false;
  for (size_t i = 1; i + 1 < all.size(); ++i) {
    const std::string &word = all[i];
    if (word == ".ptr")
      pointee = true;
    else if (word == ".align" && !pointee)
      align = size_t(std::atoi(all[i + 1].c_str()));
    else if (word.size() > 2 && std::strchr("busf", word[1]) &&
             std::isdigit((unsigned char)word[2]))
      bytes = size_t(std::atoi(word.c_str() + 2)) / 8;
  }
  if (bytes == 0)
    return false;
  align = std::max(align, bytes);
  size_t bracket = all.back().find('[');
  if (bracket != std::string::npos)
    bytes *= size_t(std::atoi(all.back().c_str() + bracket + 1));
  kernel.argumentBytes = (kernel.argumentBytes + align - 1) / align * align;
  kernel.argumentBytes += bytes;
  kernel.argumentAlign = std::max(kernel.argumentAlign, align);
  return true;
}

std::string
wf::cuda::parsePtx(const std::string &given, Context context,
                   std::vector<std::unique_ptr<FunctionObject>> &kernels) {
  std::string text = withoutComments(given);
  std::vector<std::string> start = words(text);
  if (start.empty() || start[0] != ".version")
    return "ptxas fatal: Missing .version directive at start of file";
  if (std::count(text.begin(), text.end(), '{') !=
      std::count(text.begin(), text.end(), '}'))
    return "ptxas fatal: the braces of the file do not match";
  for (size_t at = 0; (at = text.find(".entry", at)) != std::string::npos;) {
    auto kernel = std::make_unique<FunctionObject>();
    kernel->context = context;
    size_t body = text.find('{', at), open = text.find('(', at);
    if (body == std::string::npos)
      return "ptxas fatal: a kernel without a body";
    size_t close = text.find(')', open);
    std::string directives = text.substr(at, body - at);
    if (open < body) {
      std::string list = text.substr(open + 1, close - open - 1);
      directives = text.substr(close, body - close);
      for (size_t from = 0; from <= list.size() && !words(list).empty();) {
        size_t comma = std::min(list.find(',', from), list.size());
        if (!addParameter(list.substr(from, comma - from), *kernel))
          return "ptxas fatal: no parameter: " +
                 list.substr(from, comma - from);
        from = comma + 1;
      }
    }
    std::string name = text.substr(at + 6, std::min(open, body) - at - 6);
    kernel->name = words(name).empty() ? "" : words(name)[0];
    for (const char *bound : {".maxntid", ".reqntid"}) {
      size_t found = directives.find(bound);
      if (found != std::string::npos)
        kernel->maxThreads = std::atoi(directives.c_str() + found + 8);
    }
    kernels.push_back(std::move(kernel));
    at = body;
  }
  return "";
}

/// Reads the two options of the error log; false for any other.
static bool readOptions(unsigned count, JitOption *keys, void **values,
                        char *&log, size_t &bytes) {
  for (unsigned i = 0; i < count; ++i) {
    if (keys[i] == ErrorLog)
      log = static_cast<char *>(values[i]);
    else if (keys[i] == ErrorLogBytes)
      bytes = size_t(reinterpret_cast<uintptr_t>(values[i]));
    else
      return false;
  }
  return true;
}

static void write(const std::string &text, char *log, size_t bytes) {
  if (!log || bytes == 0)
    return;
  size_t length = std::min(text.size(), bytes - 1);
  std::memcpy(log, text.data(), length);
  log[length] = 0;
}

Result wf::cuda::cuModuleLoadDataEx(Module *module, const void *image,
                                    unsigned options, JitOption *keys,
                                    void **values) {
  ENTER(Uncaptured)
  char *log = nullptr;
  size_t logBytes = 0;
  if (!image || !readOptions(options, keys, values, log, logBytes))
    return InvalidValue;
  auto *bytes = static_cast<const char *>(image);
  std::string text;
  bool machineCode = std::memcmp(bytes, "\177ELF", 4) == 0;
  if (mode("badimage") ||
      (machineCode && std::memcmp(bytes, cubinMark, markBytes) != 0))
    return InvalidImage;
  if (machineCode) {
    uint64_t length = 0;
    std::memcpy(&length, bytes + markBytes, sizeof length);
    text.assign(bytes + markBytes + sizeof length, length);
  } else {
    text = bytes;
  }
  std::vector<std::unique_ptr<FunctionObject>> kernels;
  std::string wrong = parsePtx(text, entry.context, kernels);
  if (!wrong.empty()) {
    write(wrong, log, logBytes);
    return words(withoutComments(text)).empty() ? InvalidImage : InvalidPtx;
  }
  *module = state().modules.make(entry.context);
  (*module)->functions = std::move(kernels);
  return Success;
}

Result wf::cuda::cuModuleUnload(Module module) {
  ENTER(Uncaptured)
  return state().modules.destroy(module, __func__);
}

Result wf::cuda::cuModuleGetFunction(Function *function, Module module,
                                     const char *name) {
  ENTER(Current)
  if (!state().modules.find(module, __func__))
    return InvalidHandle;
  for (auto &kernel : module->functions)
    if (kernel->name == name) {
      *function = kernel.get();
      return Success;
    }
  return NotFound;
}

Result wf::cuda::cuLinkCreate(unsigned options, JitOption *keys, void **values,
                              LinkState *link) {
  ENTER(Current)
  char *log = nullptr;
  size_t logBytes = 0;
  if (!readOptions(options, keys, values, log, logBytes))
    return InvalidValue;
  *link = state().links.make(entry.context);
  (*link)->log = log;
  (*link)->logBytes = logBytes;
  return Success;
}

Result wf::cuda::cuLinkAddData(LinkState link, JitInput kind, void *data,
                               size_t bytes, const char *name, unsigned options,
                               JitOption *keys, void **values) {
  ENTER(Current)
  if (!state().links.find(link, __func__))
    return InvalidHandle;
  if (kind != InputPtx || !data || options != 0)
    return InvalidValue;
  auto *text = static_cast<const char *>(data);
  if (bytes == 0 || text[bytes - 1] != 0) {
    state().fault(__func__, "PTX that does not end with a zero");
    return InvalidPtx;
  }
  std::vector<std::unique_ptr<FunctionObject>> kernels;
  std::string wrong = parsePtx(text, entry.context, kernels);
  if (!wrong.empty()) {
    write(wrong, link->log, link->logBytes);
    return InvalidPtx;
  }
  link->text += text;
  return Success;
}

Result wf::cuda::cuLinkComplete(LinkState link, void **cubin, size_t *bytes) {
  ENTER(Current)
  if (!state().links.find(link, __func__))
    return InvalidHandle;
  uint64_t length = link->text.size();
  link->cubin.assign(cubinMark, markBytes);
  link->cubin.append(reinterpret_cast<const char *>(&length), sizeof length);
  link->cubin += link->text;
  *cubin = link->cubin.data();
  *bytes = link->cubin.size();
  return Success;
}

Result wf::cuda::cuLinkDestroy(LinkState link) {
  ENTER(Current)
  return state().links.destroy(link, __func__);
}
