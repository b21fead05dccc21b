//===- SimArguments.cpp - What `sim` launches ----------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "SimArguments.h"
#include "Error/Error.h"
#include "IO/Elements.h"
#include "IO/Input.h"
#include "IO/Scalar.h"
#include "IO/Shape.h"
#include "Requests.h"

#include "llvm/ADT/StringExtras.h"

#include <cstring>

using namespace wf;
using namespace wf::cli;
using llvm::StringRef;

/// An integer expression between two bounds.
static llvm::Expected<int64_t> readNumber(StringRef text, StringRef option,
                                          int64_t least, int64_t most) {
  auto number = parseInteger(text.trim());
  if (number && *number >= least && *number <= most)
    return int64_t(*number);
  if (!number)
    llvm::consumeError(number.takeError());
  return userError(option + " wants a number from " + llvm::Twine(least) +
                   " to " + llvm::Twine(most) + ", not '" + text + "'");
}

/// "4" is (4, 1, 1), "4,2" is (4, 2, 1).
static llvm::Expected<std::array<int64_t, 3>>
readExtent(const Text &text, StringRef option, std::array<int64_t, 3> most) {
  if (!text)
    return userError("sim wants " + option,
                     "as in --grid 4 --block 256: blocks, and threads of one");
  std::array<int64_t, 3> extent = {1, 1, 1};
  llvm::SmallVector<StringRef> parts;
  StringRef(*text).split(parts, ',');
  if (parts.size() > 3)
    return userError(option + " wants up to three numbers, not '" + *text +
                     "'");
  for (size_t d = 0; d < parts.size(); ++d)
    if (llvm::Error error =
            readNumber(parts[d], option, 1, most[d]).moveInto(extent[d]))
      return std::move(error);
  return extent;
}

/// The memory of an output: bytes 0xAB show what nobody wrote.
static llvm::Error makeResult(KernelArgument &argument, StringRef typeAndShape,
                              int fill) {
  auto [typeText, shapeText] = typeAndShape.split(':');
  auto type = readType(typeText, "--arg");
  if (!type)
    return type.takeError();
  if (shapeText.empty())
    return userError("--arg " + argument.text + " says no shape",
                     "as in out:f32:1 or zero:i32:4x256");
  auto shape = parseShape(shapeText);
  if (!shape)
    return shape.takeError();
  void *memory = nullptr;
  auto array = allocateArray(*type, *shape, memory);
  if (!array)
    return array.takeError();
  argument.memory = static_cast<char *>(memory);
  argument.array = std::move(*array);
  argument.type = *type;
  if (int64_t bytes = argument.array.elements() * byteSize(*type))
    std::memset(memory, fill, size_t(bytes));
  return llvm::Error::success();
}

static llvm::Error openArgument(KernelArgument &argument) {
  auto opened = openInput(argument.text, InputOptions());
  if (!opened)
    return opened.takeError();
  if (opened->size() != 1)
    return userError("--arg " + argument.text + " holds " +
                         llvm::Twine(opened->size()) + " arrays",
                     "an argument is one; save it as a .npy");
  auto array = materialize(opened->front().array);
  if (!array)
    return array.takeError();
  argument.type = array->type;
  argument.array = std::move(*array);
  // The copy is this argument's alone: the kernel may write to it.
  argument.memory =
      const_cast<char *>(static_cast<const char *>(argument.array.data));
  return llvm::Error::success();
}

static llvm::Error readArgument(StringRef text, KernelArgument &argument) {
  argument.text = text.str();
  StringRef rest = text;
  if (rest.consume_front("out:")) {
    argument.kind = KernelArgument::Output;
    return makeResult(argument, rest, 0xAB);
  }
  if (rest.consume_front("zero:")) {
    argument.kind = KernelArgument::Zeroed;
    return makeResult(argument, rest, 0);
  }
  auto [typeText, valueText] = text.split(':');
  if (auto type = scalarTypeNamed(typeText); type && text.contains(':')) {
    argument.kind = KernelArgument::Scalar;
    argument.type = *type;
    return parseScalar(valueText, *type, &argument.value);
  }
  argument.kind = KernelArgument::Input;
  return openArgument(argument);
}

llvm::Expected<SimLaunch> wf::cli::readLaunch(const SimArguments &args) {
  SimLaunch launch;
  // What both vendors' hardware takes.
  constexpr int64_t most = 0x7fffffff;
  if (llvm::Error error = readExtent(args.grid, "--grid", {most, 65535, 65535})
                              .moveInto(launch.grid))
    return std::move(error);
  if (llvm::Error error = readExtent(args.block, "--block", {1024, 1024, 64})
                              .moveInto(launch.block))
    return std::move(error);
  const int64_t threads = launch.block[0] * launch.block[1] * launch.block[2];
  if (threads > 1024)
    return userError("a block of " + llvm::Twine(threads) +
                         " threads is more than a GPU takes",
                     "at most 1024 threads a block");
  auto number = [](const Text &text, StringRef option, int64_t least,
                   int64_t &to) -> llvm::Error {
    if (!text)
      return llvm::Error::success();
    return readNumber(*text, option, least, INT64_MAX).moveInto(to);
  };
  int64_t seed = int64_t(launch.seed);
  if (llvm::Error error =
          number(args.shared, "--shared", 0, launch.sharedBytes))
    return std::move(error);
  if (llvm::Error error = number(args.seed, "--seed", 0, seed))
    return std::move(error);
  if (llvm::Error error = number(args.steps, "--steps", 1, launch.steps))
    return std::move(error);
  launch.seed = uint64_t(seed);
  launch.kernel = args.kernel.value_or("");
  if (args.schedule && *args.schedule != "random" &&
      *args.schedule != "in-step")
    return userError("'" + *args.schedule + "' is no schedule",
                     "say random (the default) or in-step");
  launch.inStep = args.schedule == "in-step";
  for (const std::string &text : args.arguments)
    if (llvm::Error error = readArgument(text, launch.arguments.emplace_back()))
      return std::move(error);
  return launch;
}
