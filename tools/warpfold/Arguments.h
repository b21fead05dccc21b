//===- Arguments.h - The command line as plain structs ----------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// What the user typed, nothing interpreted yet: texts, lists of texts, flags.
// Arguments.cpp alone knows the argument library, which needs exceptions; the
// commands see these structs.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_TOOLS_ARGUMENTS_H
#define WARPFOLD_TOOLS_ARGUMENTS_H

#include <optional>
#include <string>
#include <vector>

namespace wf::cli {

using Text = std::optional<std::string>; ///< absent where the user gave none

/// REDUCTION: a catalogue op, a .fold file, or its parts.
struct ReductionArguments {
  Text op, file;
  Text map, combine, update, finish, neutral, empty;
  bool commutative = false;
};

/// What `reduce`, `compile` (and later `tree`) share.
struct CommonArguments {
  ReductionArguments reduction;
  std::vector<std::string> axes; ///< each may be a list: "0,2"
  bool keepDims = false;
  Text acc, nan, order, plan;
  std::vector<std::string> params; ///< name=value or name:type=value
  Text output;
  bool time = false, explainPlan = false;
};

struct ReduceArguments : CommonArguments {
  std::vector<std::string> inputs;
  Text slice, tensor, raw, device, threads;
  bool together = false, full = false, json = false;
};

struct CompileArguments : CommonArguments {
  std::vector<std::string> shapes, dtypes; ///< --dtype once per input
  Text target;
  std::vector<std::string> stages, printAfter;
  bool locations = false;
};

/// The tree of a reduction of one shape. --dtype once per input.
struct TreeArguments : CommonArguments {
  std::vector<std::string> shapes, dtypes;
  Text target, pair, svg;
};

/// A reduction whose counters are wanted.
struct ProfileArguments : CommonArguments {
  Text input, n, shape, dtype, device;
  bool exact = false, csv = false, json = false;
};

struct OpsArguments {
  Text name;
};

struct DevicesArguments {
  Text table;
};

/// Texts as the user typed them; an absent device is the CPU.
struct SelftestArguments {
  Text device, seed, only, shard, budget, repeat;
  std::vector<std::string> plans; ///< each as --plan of reduce takes it
  bool quick = false, big = false, list = false, pairwise = false;
};

/// A kernel of FILE and its launch.
struct SimArguments {
  Text file, kernel, target, grid, block, shared, expect;
  std::vector<std::string> arguments; ///< --arg, in the kernel's order
  Text seed, schedule, steps;
  bool json = false;
};

/// Listings to explain, or a reduction whose kernel is.
struct ExplainArguments : CommonArguments {
  std::vector<std::string> files, patterns;
  Text kernel, format, signature, source, assertions;
  Text shape, dtype, target;
  bool diff = false, json = false;
};

enum class Command {
  Help, Reduce, Compile, Ops, Devices, Selftest, Tree, Sim, Profile, Explain,
  Inspect
};

struct Arguments {
  Command command = Command::Help;
  ReduceArguments reduce;
  CompileArguments compile;
  TreeArguments tree;
  ProfileArguments profile;
  OpsArguments ops;
  DevicesArguments devices;
  SelftestArguments selftest;
  SimArguments sim;
  ExplainArguments explain;
  std::string help; ///< Help: the text for standard output
};

/// A command line that was not understood: one sentence and what to do.
struct BadCommandLine {
  std::string message, hint;
};

/// Reads the command line. On a fault `bad` is set and the result is to be
/// ignored.
Arguments readArguments(int argc, char **argv,
                        std::optional<BadCommandLine> &bad);

} // namespace wf::cli

#endif // WARPFOLD_TOOLS_ARGUMENTS_H
