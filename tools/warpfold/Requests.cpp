//===- Requests.cpp - From texts to the pipeline's requests --------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Requests.h"
#include "Error/Error.h"
#include "Language/Catalogue.h"
#include "Language/Parser.h"
#include "Nearest.h"
#include "Plan/Plan.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace wf;
using llvm::StringRef;

static std::string allTypes() {
  std::string text;
#define X(E, N, ...) text += text.empty() ? N : ", " N;
  WF_SCALAR_TYPES(X)
#undef X
  return text;
}

/// "a, b or c" for a hint.
static std::string choices(llvm::ArrayRef<std::string> names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  return text;
}

static llvm::Error notAChoice(StringRef option, StringRef given,
                              llvm::ArrayRef<std::string> names) {
  return userError("'" + given + "' is nothing that " + option + " takes",
                   "say " + choices(names));
}

/// "ops/mine.fold:norm3" is ("ops/mine.fold", "norm3"). A colon that belongs to
/// the path of a file that is there does not count.
static std::pair<StringRef, StringRef> splitFile(StringRef text) {
  if (llvm::sys::fs::exists(text))
    return {text, ""};
  auto [path, name] = text.rsplit(':');
  if (name.empty() || name.contains('/'))
    return {text, ""};
  return {path, name};
}

static llvm::Expected<ReductionAst> readFile(StringRef text) {
  auto [path, wanted] = splitFile(text);
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return userError(
        "cannot read '" + path + "': " + buffer.getError().message(),
        "--file wants a .fold file, or one and a name: F.fold:NAME");
  auto all = parseReductions((*buffer)->getBuffer(), path);
  if (!all)
    return all.takeError();
  if (wanted.empty() && all->size() == 1)
    return std::move(all->front());
  std::vector<std::string> names;
  for (ReductionAst &ast : *all) {
    if (ast.name == wanted)
      return std::move(ast);
    names.push_back(ast.name);
  }
  if (wanted.empty())
    return userError("'" + path + "' holds " + llvm::Twine(all->size()) +
                         " reductions",
                     "name one, as in '--file " + path + ":" + names.front() +
                         "': " + choices(names));
  return userError("'" + path + "' has no reduction '" + wanted + "'",
                   "it holds " + llvm::join(names, ", "));
}

static llvm::Expected<ReductionAst>
readClauses(const cli::CommonArguments &args) {
  const cli::ReductionArguments &r = args.reduction;
  ClauseTexts texts{r.map,     r.combine, r.update,      r.finish,
                    r.neutral, r.empty,   r.commutative, {}};
  auto params = cli::readParams(args.params);
  if (!params)
    return params.takeError();
  for (const auto &[nameAndType, value] : *params) {
    auto declared = parseParamDecl(nameAndType);
    if (!declared)
      return declared.takeError();
    texts.params.push_back(*declared);
  }
  return parseClauses(texts);
}

llvm::Expected<ReductionAst>
wf::cli::readReduction(const CommonArguments &args) {
  const ReductionArguments &r = args.reduction;
  const std::pair<const char *, bool> clauses[] = {
      {"--combine", r.combine.has_value()}, {"--map", r.map.has_value()},
      {"--update", r.update.has_value()},   {"--finish", r.finish.has_value()},
      {"--neutral", r.neutral.has_value()}, {"--empty", r.empty.has_value()},
      {"--commutative", r.commutative}};
  const char *clause = nullptr;
  for (auto [flag, given] : clauses)
    if (given && !clause)
      clause = flag;

  if (r.op && r.file)
    return userError("--op and --file are both given", "keep one of them");
  if ((r.op || r.file) && clause)
    return userError(llvm::Twine(clause) + " does not go with " +
                         (r.op ? "--op" : "--file"),
                     "write the whole reduction with --combine, or put it in "
                     "a .fold file");
  if (r.op)
    return lookupOp(*r.op);
  if (r.file)
    return readFile(*r.file);
  if (!r.combine)
    return userError(clause ? llvm::Twine(clause) + " needs a --combine"
                            : llvm::Twine("no reduction given"),
                     "say --op NAME (see `warpfold ops`), --file F.fold or "
                     "--combine '(a, b) -> …'");
  return readClauses(args);
}

llvm::Expected<std::vector<int64_t>>
wf::cli::readAxes(const std::vector<std::string> &texts) {
  std::vector<int64_t> axes;
  for (const std::string &text : texts) {
    llvm::SmallVector<StringRef> parts;
    StringRef(text).split(parts, ',');
    for (StringRef part : parts) {
      int64_t axis;
      if (part.trim().getAsInteger(10, axis))
        return userError("--axis wants integers, not '" + part.trim() + "'",
                         "as in --axis 1, --axis 0,2 or --axis -1");
      axes.push_back(axis);
    }
  }
  return axes;
}

llvm::Expected<ScalarType> wf::cli::readType(StringRef text, StringRef option) {
  if (auto type = scalarTypeNamed(text))
    return *type;
  if (text == "f16" || text == "bf16" || text == "f8e4m3fn" || text == "f8e5m2")
    return userError("the type " + text + " is not there yet",
                     "there are " + allTypes());
  return userError(option + ": no type is called '" + text + "'",
                   "there are " + allTypes());
}

llvm::Expected<std::optional<ScalarType>>
wf::cli::readAcc(const CommonArguments &args) {
  if (!args.acc)
    return std::nullopt;
  auto type = readType(*args.acc, "--acc");
  if (!type)
    return type.takeError();
  return std::optional<ScalarType>(*type);
}

llvm::Expected<NanPolicy> wf::cli::readNanPolicy(const Text &text) {
  if (!text || *text == "propagate")
    return NanPolicy::Propagate;
  if (*text == "ignore")
    return NanPolicy::Ignore;
  return notAChoice("--nan", *text, {"propagate", "ignore"});
}

llvm::Expected<std::vector<std::pair<std::string, std::string>>>
wf::cli::readParams(const std::vector<std::string> &texts) {
  std::vector<std::pair<std::string, std::string>> params;
  for (const std::string &text : texts) {
    auto [name, value] = StringRef(text).split('=');
    if (name.empty() || value.empty())
      return userError("--param wants name=value, not '" + text + "'",
                       "as in --param ddof=1 or --param p:f32=0.5");
    params.emplace_back(name.trim().str(), value.trim().str());
  }
  return params;
}

llvm::Expected<std::vector<int64_t>> wf::cli::readShape(StringRef text) {
  std::vector<int64_t> shape;
  if (text.empty())
    return shape;
  llvm::SmallVector<StringRef> parts;
  text.split(parts, 'x');
  for (StringRef part : parts) {
    int64_t size = -1;
    if (part != "?" && (part.getAsInteger(10, size) || size < 0))
      return userError("--shape wants sizes, not '" + text + "'",
                       "as in --shape 1024x4096; ? is an unknown size");
    shape.push_back(size);
  }
  return shape;
}

llvm::Error wf::cli::checkOrder(const Text &order) {
  if (!order || orderNamed(*order))
    return llvm::Error::success();
  return notAChoice("--order", *order,
                    {"canonical", "ordered", "sequential", "fixed", "any"});
}

llvm::Expected<int> wf::cli::readThreads(const Text &text) {
  int threads = 0;
  if (text && (StringRef(*text).getAsInteger(10, threads) || threads < 1 ||
               threads > 4096))
    return userError("--threads wants a number from 1 to 4096, not '" + *text +
                         "'",
                     "leave it out to use every processor");
  return threads;
}
