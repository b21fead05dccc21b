//===- Code.cpp - Modules and the linker of the stub driver ---------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// PTX is read as far as its kernels' parameters. A "cubin" is an ELF magic, a
// mark, the text's length and the text.
//===----------------------------------------------------------------------===//
#include "driver/State.h"

#include <algorithm>
#include <cstring>

using namespace wf::driver;

namespace {
using Kernels = std::vector<std::unique_ptr<FunctionObject>>;

/// Links that are under way.
Registry<LinkStateObject> &links() {
  static Registry<LinkStateObject> &instance = *[] {
    auto *made = new Registry<LinkStateObject>("link");
    state().reporters.push_back([=](std::string &text) { made->report(text); });
    state().resetters.push_back([=] { made->clear(); });
    return made;
  }();
  return instance;
}
} // namespace

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

/// The kernels of PTX text, or what is wrong with it.
static std::string parsePtx(const std::string &given, Context context,
                            Kernels &kernels) {
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

Result wf::driver::moduleLoadDataEx(Module *module, const void *image,
                                    unsigned options, JitOption *keys,
                                    void **values) {
  ENTER(moduleLoadDataEx, Uncaptured)
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
  Kernels kernels;
  std::string wrong = parsePtx(text, entry.context, kernels);
  if (!wrong.empty()) {
    write(wrong, log, logBytes);
    return words(withoutComments(text)).empty() ? InvalidImage : InvalidPtx;
  }
  *module = state().modules.make(entry.context);
  (*module)->functions = std::move(kernels);
  return Success;
}

Result wf::driver::linkCreate(unsigned options, JitOption *keys, void **values,
                              LinkState *link) {
  ENTER(linkCreate, Current)
  char *log = nullptr;
  size_t logBytes = 0;
  if (!readOptions(options, keys, values, log, logBytes))
    return InvalidValue;
  *link = links().make(entry.context);
  (*link)->log = log;
  (*link)->logBytes = logBytes;
  return Success;
}

Result wf::driver::linkAddData(LinkState link, JitInput kind, void *data,
                               size_t bytes, const char *name, unsigned options,
                               JitOption *keys, void **values) {
  ENTER(linkAddData, Current)
  if (!links().find(link, here))
    return InvalidHandle;
  if (kind != InputPtx || !data || options != 0)
    return InvalidValue;
  auto *text = static_cast<const char *>(data);
  if (bytes == 0 || text[bytes - 1] != 0) {
    state().fault(here, "PTX that does not end with a zero");
    return InvalidPtx;
  }
  Kernels kernels;
  std::string wrong = parsePtx(text, entry.context, kernels);
  if (!wrong.empty()) {
    write(wrong, link->log, link->logBytes);
    return InvalidPtx;
  }
  link->text += text;
  return Success;
}

Result wf::driver::linkComplete(LinkState link, void **cubin, size_t *bytes) {
  ENTER(linkComplete, Current)
  if (!links().find(link, here))
    return InvalidHandle;
  uint64_t length = link->text.size();
  link->cubin.assign(cubinMark, markBytes);
  link->cubin.append(reinterpret_cast<const char *>(&length), sizeof length);
  link->cubin += link->text;
  *cubin = link->cubin.data();
  *bytes = link->cubin.size();
  return Success;
}

Result wf::driver::linkDestroy(LinkState link) {
  ENTER(linkDestroy, Current)
  return links().destroy(link, here);
}

Result wf::driver::funcSetAttribute(Function function,
                                    FunctionAttribute attribute, int value) {
  ENTER(funcSetAttribute, Current)
  if (!moduleOf(here, function))
    return InvalidHandle;
  if (attribute != MaxDynamicSharedBytes || value < 0 || value > 227 << 10)
    return InvalidValue;
  function->dynamicBytes = value;
  return Success;
}

Result wf::driver::checkShape(const FunctionObject &kernel,
                              const unsigned (&grid)[3],
                              const unsigned (&block)[3],
                              unsigned dynamicSharedBytes) {
  bool good = grid[0] > 0 && grid[0] <= 0x7fffffff && grid[1] == 1 &&
              grid[2] == 1 && block[0] > 0 &&
              block[0] <= unsigned(kernel.maxThreads) && block[1] == 1 &&
              block[2] == 1 &&
              dynamicSharedBytes <= unsigned(kernel.dynamicBytes);
  return good ? Success : InvalidValue;
}

Result wf::driver::execute(const ModuleObject &, const Launch &) {
  return Success;
}

void wf::driver::checkImage(const char *, const ModuleObject &) {}
