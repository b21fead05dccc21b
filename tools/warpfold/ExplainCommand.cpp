//===- ExplainCommand.cpp - Read machine code and say what it does -------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Listings → kernels → analysis → verdicts and patterns → documents. IR dumps
// go to `inspect`: one door for both.
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "Error/Error.h"
#include "Explain/Write/Write.h"
#include "ExplainInputs.h"
#include "IO/OutputFile.h"
#include "Report.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <unistd.h>

using namespace wf;
using namespace wf::cli;
using namespace wf::explain;
using llvm::StringRef;

namespace {
struct Explained {
  std::string file;
  Report report;
};
} // namespace

static llvm::Expected<std::string> readText(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return userError("cannot read '" + path +
                     "': " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

static llvm::Expected<std::vector<Pattern>>
allPatterns(const ExplainArguments &args) {
  std::vector<Pattern> patterns = builtinPatterns();
  for (const std::string &file : args.patterns) {
    auto text = readText(file);
    if (!text)
      return text.takeError();
    auto more = readPatterns(*text, file);
    if (!more)
      return faultError(more.fault(), "");
    patterns.insert(patterns.end(), more->begin(), more->end());
  }
  return patterns;
}

static llvm::Expected<std::vector<Explained>>
explainAll(ExplainInputs &inputs, const ExplainArguments &args,
           const std::vector<Pattern> &patterns) {
  std::vector<Parameter> parameters;
  if (args.signature) {
    auto read = readParameters(*args.signature);
    if (!read)
      return faultError(read.fault(), "--params");
    parameters = std::move(*read);
  }
  std::vector<Explained> all;
  for (auto &[file, kernel] : inputs.kernels) {
    if (!parameters.empty())
      kernel.parameters = parameters;
    else if (kernel.parameters.empty())
      kernel.parameters = parametersOfName(kernel.name);
    all.push_back({file, judge(analyse(decode(std::move(kernel))))});
    matchPatterns(all.back().report, patterns);
  }
  return all;
}

/// "reduction", "elementwise", …: the folder that a kernel's document is in.
static std::string groupOf(const Report &report) {
  for (const Accumulator &acc : report.accumulators)
    return acc.matrix ? "matrix" : "reduction";
  return report.facts.at("shfl").value || report.facts.at("lds").value
             ? "exchange"
             : "elementwise";
}

static std::string fileNameOf(const Report &report) {
  std::string name = demangled(report.kernel().name);
  name = name.substr(0, name.find('('));
  for (char &c : name)
    if (!isalnum((unsigned char)c) && c != '_' && c != '-' && c != '.')
      c = '_';
  return name.empty() ? "kernel" : name;
}

/// <group>/<kernel>.md, patterns/<pattern>.md and index.md.
static llvm::Error writeFolder(const std::vector<Explained> &all,
                               const std::vector<Pattern> &patterns,
                               const WriteOptions &options,
                               const std::string &folder) {
  std::map<std::string, int> seen;
  for (const Explained &e : all)
    ++seen[groupOf(e.report) + "/" + fileNameOf(e.report)];
  std::vector<std::string> paths;
  std::vector<Report> reports;
  std::map<std::string, std::vector<std::string>> observed;
  auto write = [&](const std::string &relative, const std::string &text) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, relative);
    if (std::error_code ec = llvm::sys::fs::create_directories(
            llvm::sys::path::parent_path(path)))
      return userError("cannot make the folder of '" + StringRef(path) +
                       "': " + ec.message());
    return writeFile(path, text);
  };
  std::set<std::string> used;
  for (const Explained &e : all) {
    std::string path = groupOf(e.report) + "/" + fileNameOf(e.report);
    // One kernel on several architectures is several documents.
    if (seen[path] > 1 && !e.report.kernel().target.empty())
      path += "." + e.report.kernel().target;
    std::string unique = path;
    for (int n = 2; !used.insert(unique).second; ++n)
      unique = path + "-" + std::to_string(n);
    path = unique + ".md";
    WriteOptions mine = options;
    mine.file = e.file;
    if (llvm::Error error = write(path, markdownOf(e.report, mine)))
      return error;
    for (const PatternMatch &match : e.report.patterns)
      observed[match.name].push_back(path);
    paths.push_back(path);
    reports.push_back(e.report);
  }
  for (const Pattern &pattern : patterns) {
    auto it = observed.find(pattern.name);
    if (it == observed.end())
      continue;
    std::string relative = "patterns/" + pattern.name + ".md";
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, relative);
    std::string existing;
    if (llvm::sys::fs::exists(path)) {
      auto text = readText(path.str().str());
      if (!text)
        return text.takeError();
      existing = std::move(*text);
    }
    if (llvm::Error error =
            write(relative, patternDocument(pattern, it->second, existing)))
      return error;
  }
  return write("index.md", indexDocument(reports, paths));
}

static llvm::Expected<std::string> documentOf(std::vector<Explained> &all,
                                              const std::string &format,
                                              const WriteOptions &options) {
  if (format == "html" || format == "json") {
    std::vector<Report> reports;
    for (Explained &e : all)
      reports.push_back(std::move(e.report));
    return format == "html" ? htmlOf(reports, options)
                            : jsonOf(reports, options);
  }
  std::string text;
  for (const Explained &e : all) {
    WriteOptions mine = options;
    mine.file = e.file;
    if (!text.empty())
      text += format == "markdown" ? "\n---\n\n" : "\n";
    text += format == "markdown" ? markdownOf(e.report, mine)
                                 : textOf(e.report, mine);
  }
  return text;
}

/// Exit code 1 where one does not hold.
static llvm::Expected<int> assertAll(const std::vector<Explained> &all,
                                     const std::string &assertions) {
  int code = 0;
  for (const Explained &e : all) {
    auto failures = checkAssertions(e.report, assertions);
    if (!failures)
      return faultError(failures.fault(), "--assert");
    for (const AssertionFailure &f : *failures) {
      code = 1;
      llvm::errs() << e.file << ": " << demangled(e.report.kernel().name)
                   << ": does not hold: " << f.assertion << "; found "
                   << f.found << '\n';
      for (size_t i : f.instructions)
        if (i < e.report.kernel().code.size()) {
          const Instruction &in = e.report.kernel().code[i];
          llvm::errs() << "  " << e.file << ':' << in.line << ": " << in.text
                       << '\n';
        }
    }
  }
  return code;
}

static llvm::Expected<int> runDiff(std::vector<Explained> &all,
                                   const ExplainArguments &args,
                                   const WriteOptions &options) {
  if (all.size() != 2)
    return userError("--diff compares two kernels, and there are " +
                         llvm::Twine(all.size()),
                     "give two files with one kernel each, or choose one of "
                     "several with --kernel");
  std::string text = compare(all[0].report, all[1].report, options);
  if (llvm::Error error = deliver(args.output, text))
    return std::move(error);
  return 0;
}

static llvm::Error readSource(const ExplainArguments &args,
                              WriteOptions &options) {
  if (!args.source)
    return llvm::Error::success();
  auto text = readText(*args.source);
  if (!text)
    return text.takeError();
  options.source = std::move(*text);
  options.sourceName = *args.source;
  return llvm::Error::success();
}

/// The kernels of files, or our own.
static llvm::Expected<ExplainInputs> gather(const ExplainArguments &args,
                                            OwnKernel &own) {
  bool ours = args.plan || args.reduction.op || args.reduction.file ||
              args.reduction.combine;
  if (!ours) {
    if (args.files.empty())
      return userError("explain wants a listing",
                       "a file that cuobjdump, nvdisasm, llvm-objdump or a "
                       "compiler printed, or --op sum --plan v2 for our own");
    return readExplainInputs(args.files);
  }
  if (!args.files.empty())
    return userError("--op and --plan explain our own kernel, and a file is "
                     "given as well",
                     "leave one of them out");
  auto compiled = compileOwn(args);
  if (!compiled)
    return compiled.takeError();
  own = std::move(*compiled);
  printNotes(own.notes);
  auto listing = readListing(own.text, own.stage);
  if (!listing)
    return faultError(listing.fault(), own.stage);
  ExplainInputs inputs;
  for (Kernel &kernel : listing->kernels) {
    if (kernel.target.empty() && args.target)
      kernel.target = *args.target;
    inputs.kernels.push_back({own.stage, std::move(kernel)});
  }
  return inputs;
}

llvm::Expected<int> wf::cli::runExplain(const ExplainArguments &args) {
  std::string format = args.format.value_or("text");
  if (format != "text" && format != "markdown" && format != "html" &&
      format != "json")
    return userError("no format is called '" + format + "'",
                     "there are text, markdown, html and json");
  OwnKernel own;
  auto inputs = gather(args, own);
  if (!inputs)
    return inputs.takeError();
  for (const std::string &remark : inputs->remarks)
    llvm::errs() << remark << '\n';
  if (!inputs->dumps.empty())
    return runInspection(std::move(*inputs), args);
  if (args.kernel)
    if (llvm::Error error = keepKernels(*inputs, *args.kernel))
      return std::move(error);
  auto patterns = allPatterns(args);
  if (!patterns)
    return patterns.takeError();
  auto all = explainAll(*inputs, args, *patterns);
  if (!all)
    return all.takeError();

  WriteOptions options;
  options.colour = !args.output && format == "text" && isatty(STDOUT_FILENO) &&
                   !getenv("NO_COLOR");
  options.file = args.files.empty() ? own.stage : args.files.front();
  if (llvm::Error error = readSource(args, options))
    return std::move(error);
  if (args.diff)
    return runDiff(*all, args, options);
  if (args.assertions)
    return assertAll(*all, *args.assertions);

  int code = 0;
  for (const PromiseLine &line :
       own.text.empty() || all->empty()
           ? std::vector<PromiseLine>()
           : checkPromise(own.explanation, all->front().report)) {
    llvm::errs() << (line.kept ? "kept:   " : "BROKEN: ") << line.text << '\n';
    code |= !line.kept;
  }
  bool folder = args.output && !args.format;
  if (folder) {
    if (llvm::Error error = writeFolder(*all, *patterns, options, *args.output))
      return std::move(error);
    return code;
  }
  auto text = documentOf(*all, format, options);
  if (!text)
    return text.takeError();
  if (llvm::Error error = deliver(args.output, *text))
    return std::move(error);
  return code;
}
