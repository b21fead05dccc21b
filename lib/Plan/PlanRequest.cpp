//===- PlanRequest.cpp - Reads what --plan says ---------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Plan/Hardware.h"
#include "Plan/Named.h"
#include "Plan/PlanError.h"

#include "Error/Error.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace wf;
using llvm::StringRef;

#define WF_NAME_OF(T, LIST)                                                    \
  std::string_view wf::name(T value) {                                         \
    static constexpr const char *names[] = {LIST(WF_NAME_ONLY)};               \
    return names[int(value)];                                                  \
  }
#define WF_NAME_ONLY(E, N) N,
WF_NAME_OF(Form, WF_FORMS)
WF_NAME_OF(Grid, WF_GRIDS)
WF_NAME_OF(Exchange, WF_EXCHANGES)
WF_NAME_OF(Load, WF_LOADS)
#undef WF_NAME_ONLY
#undef WF_NAME_OF

static const char wholeHint[] =
    "there are auto, v0 … v5 (as in v3:vec=4) and a plan's text, as --emit "
    "plan prints it";

/// Rungs that an option is for.
static bool takesOption(int64_t rung, StringRef key) {
  if (key == "block")
    return true;
  if (key == "tree")
    return rung >= 1;
  if (key == "vec")
    return rung >= 3;
  if (key == "items")
    return rung == 3;
  return key == "blocks" && rung >= 4;
}

static llvm::Error readTree(PlanRequest &r, StringRef value) {
  const std::pair<StringRef, Exchange> trees[] = {
      {"halving", Exchange::Halving},
      {"pairs", Exchange::Pairs},
      {"down", Exchange::Down},
      {"up", Exchange::Up}};
  for (auto [name, exchange] : trees)
    if (value == name) {
      r.tree = exchange;
      return llvm::Error::success();
    }
  return planMistake(r.text, value, "no tree is called '" + value + "'",
                     nearestWord(value, {"halving", "pairs", "down", "up"},
                                 "there are halving, pairs, down and up"));
}

/// One option of a rung: "vec=4".
static llvm::Error readOption(PlanRequest &r, StringRef word) {
  auto [key, value] = word.split('=');
  llvm::SmallVector<StringRef> known;
  for (StringRef option : {"block", "tree", "vec", "items", "blocks"})
    if (takesOption(r.rung, option))
      known.push_back(option);
  std::string all;
  for (StringRef option : known)
    all += (all.empty() ? "" : ", ") + option.str() + "=…";
  if (!takesOption(r.rung, key))
    return planMistake(r.text, word,
                       "v" + llvm::Twine(r.rung) + " has no option '" + key +
                           "'",
                       nearestWord(key, known, "it has " + all));
  if (key == "tree")
    return readTree(r, value);
  int64_t number;
  if (value.getAsInteger(10, number))
    return planMistake(r.text, value.empty() ? word : value,
                       key + " wants a number", "as in v3:vec=4,block=128");
  auto refuse = [&](const llvm::Twine &what) {
    return planMistake(r.text, value, what, "as in v3:vec=4,block=128");
  };
  auto powerOfTwo = [&] { return number > 0 && (number & (number - 1)) == 0; };
  if (key == "block") {
    if (number < 32 || number > 1024 || number % 32)
      return refuse("a block has 32 to 1024 threads, in whole warps of 32");
    r.block = number;
  } else if (key == "vec") {
    if (!powerOfTwo() || number > 16)
      return refuse("vec is 1, 2, 4, 8 or 16 elements");
    r.vector = number;
  } else if (key == "items") {
    if (!powerOfTwo() || number > 64)
      return refuse("items is a power of two up to 64");
    r.items = number;
  } else {
    if (number < 0 || number > (1 << 20))
      return refuse("blocks is 1 to 1048576, or 0 for no limit");
    r.cap = number;
  }
  return llvm::Error::success();
}

static llvm::Expected<PlanRequest> readRung(PlanRequest r) {
  auto [head, options] = StringRef(r.text).split(':');
  r.kind = PlanRequest::Ladder;
  if (head.size() < 2 || head.drop_front().getAsInteger(10, r.rung) ||
      r.rung > 5)
    return planMistake(r.text, head, "no plan is called '" + head + "'",
                       "the ladder goes from v0 to v5");
  llvm::SmallVector<StringRef> words;
  options.split(words, ',', -1, /*KeepEmpty=*/false);
  for (StringRef word : words)
    if (llvm::Error e = readOption(r, word))
      return std::move(e);
  return r;
}

/// A plan of that target in which every field keeps its default.
static std::string textOf(StringRef target) {
  Plan plan;
  plan.target = target.str();
  return plan.text();
}

/// The names of a target's fields, off the text form itself.
static llvm::SmallVector<std::string> fieldNames(StringRef target) {
  std::string text = textOf(target);
  llvm::SmallVector<StringRef> words;
  StringRef(text).split(words, ' ', -1, false);
  llvm::SmallVector<std::string> names;
  for (StringRef word : llvm::drop_begin(words))
    names.push_back(word.split('=').first.str());
  // A GPU's plan says it only where it has one.
  if (!llvm::is_contained(names, "narrow"))
    names.push_back("narrow");
  return names;
}

static llvm::Expected<PlanRequest> readText(PlanRequest r) {
  r.kind = PlanRequest::Text;
  llvm::SmallVector<StringRef> words;
  StringRef(r.text).split(words, ' ', -1, /*KeepEmpty=*/false);
  StringRef target = words.front();
  if (target != "cpu" && !findHardware(target))
    return planMistake(r.text, target, "unknown plan target '" + target + "'",
                       "did you mean '" + nearestTarget(target) + "'?");
  llvm::SmallVector<std::string> names = fieldNames(target);
  llvm::SmallVector<StringRef> known(names.begin(), names.end());
  std::string rest = "cpu";
  const std::string example = textOf(target);
  llvm::StringSet<> said;
  for (StringRef word : llvm::drop_begin(words)) {
    auto [key, value] = word.split('=');
    if (!said.insert(key).second)
      return planMistake(r.text, word, "'" + key + "' is said twice",
                         "a field is said once");
    if (!llvm::is_contained(known, key))
      return planMistake(
          r.text, word, "'" + key + "' is not a plan field",
          nearestWord(key, known, "a plan looks like: " + example));
    auto alone = parsePlan(("cpu " + word).str());
    if (!alone) {
      llvm::consumeError(alone.takeError());
      return planMistake(r.text, value.empty() ? word : value,
                         "'" + value + "' is not a value of " + key,
                         "a plan looks like: " + example);
    }
    r.saysOrder |= key == "order";
    rest += " " + word.str();
  }
  auto plan = parsePlan(rest);
  if (!plan)
    return plan.takeError();
  r.plan = std::move(*plan);
  r.plan.target = target.str();
  return r;
}

llvm::Expected<PlanRequest> wf::parsePlanRequest(StringRef text) {
  PlanRequest request;
  request.text = text.trim().str();
  StringRef said = request.text;
  if (said.empty())
    return userError("--plan is empty", wholeHint);
  if (said == "auto")
    return request;
  StringRef head = said.split(':').first;
  if (head == "auto")
    return planMistake(request.text, said.drop_front(4),
                       "auto has no options", "options are of v0 … v5");
  if (head.size() >= 2 && head[0] == 'v' && llvm::isDigit(head[1]))
    return readRung(std::move(request));
  // A target stands first; one lone word that is near to none is no plan.
  StringRef target = said.split(' ').first;
  if (target == "cpu" || target.starts_with("sm_") || target.starts_with("gfx"))
    return readText(std::move(request));
  return planMistake(
      request.text, head, "no plan is called '" + head + "'",
      nearestWord(head, {"auto", "v0", "v1", "v2", "v3", "v4", "v5", "cpu"},
                  wholeHint));
}
