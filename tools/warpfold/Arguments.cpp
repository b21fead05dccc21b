//===- Arguments.cpp - Reads the command line ----------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The only file that knows CLI11, and the only one built with exceptions. Each
// command is an argument parser of its own, chosen by the first word, so that
// an input file may bear the name of a command.
//===----------------------------------------------------------------------===//
#include "Arguments.h"
#include "Nearest.h"

#include <CLI/CLI.hpp>

using namespace wf::cli;

namespace {

const char *const topHelp =
    "usage: warpfold COMMAND …\n"
    "\n"
    "  reduce   reduce arrays along their axes\n"
    "  compile  compile a reduction and print any stage of it\n"
    "  ops      the catalogue of reductions, or the source of one\n"
    "  devices  the devices of this machine\n"
    "  tree     which elements of a reduction meet, and where\n"
    "  sim      run a GPU kernel on the CPU and name its hazards\n"
    "  profile  the counters of a reduction, simulated or measured\n"
    "  explain  read GPU machine code and say what it does\n"
    "  inspect  the checkpoints of a compiler's dumps: axis, region, layouts\n"
    "  selftest hold a device against the reference, bit for bit\n"
    "\n"
    "`warpfold COMMAND --help` lists a command's options; `--version` prints\n"
    "the version.\n";

const std::vector<std::string> commandNames = {
    "reduce", "compile", "ops",     "devices", "selftest",
    "tree",   "sim",     "profile", "explain", "inspect"};

/// A named option of one value.
void text(CLI::App &app, const std::string &flag, Text &value,
          const std::string &what) {
  app.add_option(flag, value, what);
}

/// An option that may be repeated, one value each time (so that an input may
/// follow it).
void list(CLI::App &app, const std::string &flag,
          std::vector<std::string> &values, const std::string &what) {
  app.add_option(flag, values, what)
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void common(CLI::App &app, CommonArguments &args) {
  ReductionArguments &r = args.reduction;
  text(app, "--op", r.op, "a reduction of the catalogue: `warpfold ops`");
  text(app, "--file", r.file, "FILE.fold, or FILE.fold:NAME");
  text(app, "--combine", r.combine, "'(a, b) -> a + b': two states become one");
  text(app, "--map", r.map, "'(x) -> x*x': element to state");
  text(app, "--update", r.update, "'(s, x) -> s + x*x': state and element");
  text(app, "--finish", r.finish, "'(s) -> sqrt(s)': state to result");
  text(app, "--neutral", r.neutral, "the state that changes nothing");
  text(app, "--empty", r.empty, "the result over no elements");
  app.add_flag("--commutative", r.commutative, "combine(a, b) = combine(b, a)");
  list(app, "--axis", args.axes, "an axis to reduce (repeatable; 0,2; -1)");
  app.add_flag("--keepdims", args.keepDims, "keep reduced axes with length 1");
  text(app, "--acc", args.acc, "the type to accumulate in");
  text(app, "--nan", args.nan, "propagate (default) or ignore");
  text(app, "--order", args.order,
       "canonical, ordered, sequential, fixed or any");
  text(app, "--plan", args.plan, "auto, v0 … v5 (v3:vec=4), or a plan's text");
  list(app, "--param", args.params, "name=value or name:type=value");
  text(app, "-o,--output", args.output, "where the result goes");
  app.add_flag("--time", args.time, "the time of every phase, on stderr");
}

void reduceOptions(CLI::App &app, ReduceArguments &args) {
  app.add_option("INPUT", args.inputs,
                 "a path (.npy, .safetensors, raw), - or gen:…");
  common(app, args);
  text(app, "--slice", args.slice, "'1:, ::-1': NumPy's basic slicing");
  text(app, "--tensor", args.tensor, "tensors of a .safetensors file (a glob)");
  app.add_flag("--together", args.together, "reduce all of them as one");
  text(app, "--raw", args.raw, "TYPE:SHAPE of a file without a header");
  text(app, "--device", args.device,
       "cpu (the default), cuda, cuda:1, hip, sim:gfx1201");
  text(app, "--threads", args.threads, "threads (default: one per core)");
  app.add_flag("--full", args.full, "print every element");
  app.add_flag("--json", args.json, "print one JSON object");
  app.add_flag("--explain-plan", args.explainPlan,
               "what the plan does and costs, on stderr");
}

void compileOptions(CLI::App &app, CompileArguments &args) {
  common(app, args);
  app.add_flag("--explain-plan", args.explainPlan,
               "what the plan does and costs, on stderr");
  list(app, "--shape", args.shapes, "1024x4096; ? for an unknown size");
  list(app, "--dtype", args.dtypes, "the element type, once per input");
  text(app, "--target", args.target,
       "cpu (the default), sm_75 … sm_120, gfx90a … gfx1201");
  list(app, "--emit", args.stages,
       "ast, fold, plan, tiers, loops, llvm; asm, obj; ptx, cubin, sass; "
       "amdgcn, hsaco (a list)");
  list(app, "--print-after", args.printAfter, "a pass, or all: IR on stderr");
  app.add_flag("--locations", args.locations,
               "print IR with your names, lines and columns");
}

void selftestOptions(CLI::App &app, SelftestArguments &args) {
  text(app, "--device", args.device,
       "cpu (the default), cuda, cuda:1, hip, sim:gfx1201");
  app.add_flag("--quick", args.quick, "the short matrix");
  app.add_flag("--pairwise", args.pairwise,
               "few cases that meet every pair of traits of the matrix");
  app.add_flag("--big", args.big, "lengths around 2^31 and 2^32 as well");
  text(app, "--seed", args.seed, "other elements (default: 1)");
  text(app, "--only", args.only, "cases whose name matches (a regex)");
  text(app, "--shard", args.shard, "every Nth case, from the Ith on: I/N");
  text(app, "--budget", args.budget, "begin no case after so many seconds");
  text(app, "--repeat", args.repeat, "run each case so many times");
  list(app, "--plan", args.plans, "a plan to run by name (repeatable)");
  app.add_flag("--list", args.list, "print the cases instead");
}

void treeOptions(CLI::App &app, TreeArguments &args) {
  common(app, args);
  list(app, "--shape", args.shapes, "1024x4096");
  list(app, "--dtype", args.dtypes, "the element type, once per input (f32)");
  text(app, "--target", args.target, "cpu or a GPU: sm_90, gfx942, …");
  text(app, "--pair", args.pair, "i,j: where these two elements first meet");
  text(app, "--svg", args.svg, "FILE: the tree as a picture");
}

void profileOptions(CLI::App &app, ProfileArguments &args) {
  app.add_option("INPUT", args.input, "a path or gen:…, as reduce takes it");
  common(app, args);
  text(app, "--n", args.n, "so many elements: 1000000, 64M (M is 2^20)");
  text(app, "--shape", args.shape, "1024x4096");
  text(app, "--dtype", args.dtype, "the element type (default: f32)");
  text(app, "--device", args.device,
       "sim:gfx1201, sim:sm_90 (the default), …; cuda and hip are measured");
  app.add_flag("--exact", args.exact, "simulate every block");
  app.add_flag("--csv", args.csv, "print CSV");
  app.add_flag("--json", args.json, "print one JSON object");
}

void simOptions(CLI::App &app, SimArguments &args) {
  app.add_option("FILE", args.file,
                 "a .cu or .hip file, or LLVM IR (.ll, .bc)");
  text(app, "--kernel", args.kernel, "which one, where FILE has several");
  text(app, "--target", args.target, "sm_90, gfx1201 (a .hip's default), …");
  text(app, "--grid", args.grid, "blocks: X or X,Y or X,Y,Z");
  text(app, "--block", args.block, "threads of a block: X or X,Y or X,Y,Z");
  text(app, "--shared", args.shared, "bytes of dynamic shared memory");
  list(app, "--arg", args.arguments,
       "the kernel's next argument: gen:… or a file, out:f32:1 (unwritten), "
       "zero:f32:1, i32:5");
  text(app, "--expect", args.expect,
       "the first output is this reduction of the first input");
  text(app, "--seed", args.seed, "of the random schedule (default: 1)");
  text(app, "--schedule", args.schedule, "random (the default) or in-step");
  text(app, "--steps", args.steps, "the most instructions of a warp");
  app.add_flag("--json", args.json, "print one JSON object");
}

void explainOptions(CLI::App &app, ExplainArguments &args) {
  app.add_option("FILE", args.files,
                 "a listing (SASS, AMDGCN, PTX), a .cubin or .hsaco, a dump "
                 "or folder of dumps, or -");
  common(app, args);
  text(app, "--kernel", args.kernel, "one of several, by name");
  text(app, "--format", args.format, "text (default), markdown, html, json");
  text(app, "--params", args.signature, "'x: f32*, y: f32*, n: i32'");
  text(app, "--source", args.source, "the kernel's source, to quote from");
  text(app, "--assert", args.assertions,
       "'materialised=none, shfl=5, barriers<=1': exit 1 where one fails");
  list(app, "--patterns", args.patterns, "a .pattern file of your own");
  app.add_flag("--diff", args.diff, "compare two kernels");
  text(app, "--shape", args.shape, "of our own kernel: 1048576 (default)");
  text(app, "--dtype", args.dtype, "of our own kernel: f32 (default)");
  text(app, "--target", args.target, "of our own kernel: sm_90 (default)");
}

void inspectOptions(CLI::App &app, ExplainArguments &args) {
  app.add_option("FILE", args.files,
                 "dumps of one kernel (.ttir, .ttgir, .llir, .ptx), or a "
                 "folder of them");
  text(app, "-o,--output", args.output, "where the result goes");
  app.add_flag("--json", args.json, "print one JSON object");
}

/// Every flag of a parser, for the nearest name.
std::vector<std::string> flagsOf(const CLI::App &app) {
  std::vector<std::string> names;
  for (const CLI::Option *option : app.get_options()) {
    for (const std::string &name : option->get_lnames())
      names.push_back("--" + name);
    for (const std::string &name : option->get_snames())
      names.push_back("-" + name);
  }
  return names;
}

BadCommandLine unknown(const std::string &kind, const std::string &name,
                       const std::vector<std::string> &known,
                       const std::string &help) {
  if (auto close = nearest(name, known))
    return {"unknown " + kind + " '" + name + "'",
            "did you mean '" + *close + "'?"};
  return {"unknown " + kind + " '" + name + "'", "see `" + help + "`"};
}

/// Parses the words after the command. Returns the help text if it was asked
/// for.
Text parse(CLI::App &app, int argc, char **argv,
           std::optional<BadCommandLine> &bad) {
  app.allow_extras();
  const std::string help = app.get_name() + " --help";
  try {
    // The parser takes its words last first.
    app.parse(
        std::vector<std::string>(std::reverse_iterator<char **>(argv + argc),
                                 std::reverse_iterator<char **>(argv + 2)));
  } catch (const CLI::CallForHelp &) {
    return app.help();
  } catch (const CLI::ArgumentMismatch &e) {
    std::string message = e.what();
    if (message.find("received") != std::string::npos)
      bad = {message.substr(0, message.find(':')) + " is given twice",
             "give it once"};
    else
      bad = {message.substr(0, message.find(':')) + " wants a value",
             "see `" + help + "`"};
  } catch (const CLI::ParseError &e) {
    bad = {e.what(), "see `" + help + "`"};
  }
  if (bad)
    return std::nullopt;
  for (const std::string &word : app.remaining()) {
    if (word.size() > 1 && word[0] == '-')
      bad =
          unknown("option", word.substr(0, word.find('=')), flagsOf(app), help);
    else
      bad = {"unexpected argument '" + word + "'", "see `" + help + "`"};
    break;
  }
  return std::nullopt;
}

} // namespace

Arguments wf::cli::readArguments(int argc, char **argv,
                                 std::optional<BadCommandLine> &bad) {
  Arguments args;
  args.help = topHelp;
  if (argc < 2) {
    bad = {"no command given", "see `warpfold --help`"};
    return args;
  }
  const std::string word = argv[1];
  if (word == "--help" || word == "-h" || word == "help")
    return args;
  if (word == "--version") {
    args.help = "warpfold " WARPFOLD_VERSION "\n";
    return args;
  }

  CLI::App app("", "warpfold " + word);
  if (word == "reduce") {
    args.command = Command::Reduce;
    reduceOptions(app, args.reduce);
  } else if (word == "compile") {
    args.command = Command::Compile;
    compileOptions(app, args.compile);
  } else if (word == "ops") {
    args.command = Command::Ops;
    app.add_option("NAME", args.ops.name, "print the source of this one");
  } else if (word == "devices") {
    args.command = Command::Devices;
    app.add_option("--table", args.devices.table,
                   "the hardware table; of one target every figure")
        ->expected(0, 1);
  } else if (word == "tree") {
    args.command = Command::Tree;
    treeOptions(app, args.tree);
  } else if (word == "profile") {
    args.command = Command::Profile;
    profileOptions(app, args.profile);
  } else if (word == "sim") {
    args.command = Command::Sim;
    simOptions(app, args.sim);
  } else if (word == "explain") {
    args.command = Command::Explain;
    explainOptions(app, args.explain);
  } else if (word == "inspect") {
    args.command = Command::Inspect;
    inspectOptions(app, args.explain);
  } else if (word == "selftest") {
    args.command = Command::Selftest;
    selftestOptions(app, args.selftest);
  } else {
    bad = word[0] == '-'
              ? unknown("option", word, {"--help", "--version"},
                        "warpfold --help")
              : unknown("command", word, commandNames, "warpfold --help");
    return args;
  }
  if (Text help = parse(app, argc, argv, bad)) {
    args.command = Command::Help;
    args.help = *help;
  }
  return args;
}
