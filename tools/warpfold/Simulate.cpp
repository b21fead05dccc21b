//===- Simulate.cpp - A launch on the simulated GPU ----------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Copies the arguments into the simulated memory, launches, copies the outputs
// back. Kernels are known by the names of their source: "sum", not
// "_Z3sumPKfPfi".
//===----------------------------------------------------------------------===//
#include "Simulate.h"
#include "Error/Error.h"
#include "Simulator/Code.h"
#include "Simulator/Simulator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cstring>

using namespace wf;
using namespace wf::cli;
using llvm::StringRef;

/// The symbol of the kernel that the user means.
static llvm::Expected<std::string> symbolOf(const sim::Program &program,
                                            StringRef wanted) {
  const std::vector<std::string> symbols = program.kernels();
  if (symbols.empty())
    return userError("there is no kernel in it",
                     "a kernel is a function that is __global__; a template "
                     "is one where something launches it");
  std::vector<std::string> found, names;
  for (const std::string &symbol : symbols) {
    const std::string name = sim::sourceName(symbol);
    if (wanted.empty() || wanted == name || wanted == symbol)
      found.push_back(symbol);
    names.push_back(llvm::is_contained(names, name) ? symbol : name);
  }
  const std::string all = "there are " + llvm::join(names, ", ");
  if (found.empty())
    return userError("no kernel is called '" + wanted + "'", all);
  if (found.size() == 1)
    return found.front();
  if (wanted.empty())
    return userError("it has " + llvm::Twine(found.size()) +
                         " kernels: name one with --kernel",
                     all);
  return userError("several kernels are called '" + wanted + "'",
                   "name one of " + llvm::join(found, ", "));
}

/// Checks an argument against what the kernel declares there.
static llvm::Error checkArgument(const KernelArgument &given,
                                 const sim::Argument &wanted) {
  const bool pointer = given.kind != KernelArgument::Scalar;
  if (pointer != wanted.pointer)
    return userError("--arg " + given.text + " is a " +
                         (pointer ? "pointer" : "number") + ", and " +
                         wanted.name + " of the kernel is a " +
                         (wanted.pointer ? "pointer" : "number"),
                     "give the arguments in the kernel's order");
  if (!pointer && byteSize(given.type) != wanted.bytes)
    return userError("--arg " + given.text + " has " +
                         llvm::Twine(byteSize(given.type)) + " bytes, and " +
                         wanted.name + " of the kernel has " +
                         llvm::Twine(wanted.bytes),
                     "an int is i32, a long long i64, a float f32");
  return llvm::Error::success();
}

/// The packed arguments; `addresses` has an entry for each.
static llvm::Expected<std::vector<char>>
pack(const sim::Kernel &kernel, const SimLaunch &launch, sim::Memory &memory,
     std::vector<sim::Address> &addresses) {
  if (kernel.arguments.size() != launch.arguments.size())
    return userError("kernel " + sim::sourceName(kernel.name) + " takes " +
                         llvm::Twine(kernel.arguments.size()) +
                         " arguments, and --arg gives " +
                         llvm::Twine(launch.arguments.size()),
                     "one --arg for each, in the kernel's order");
  std::vector<char> packed(kernel.argumentBytes);
  for (auto [given, wanted] :
       llvm::zip_equal(launch.arguments, kernel.arguments)) {
    if (llvm::Error error = checkArgument(given, wanted))
      return std::move(error);
    uint64_t value = given.value;
    if (given.kind != KernelArgument::Scalar) {
      const int64_t bytes = given.array.elements() * byteSize(given.type);
      auto address = memory.allocate(bytes, given.text);
      if (!address)
        return address.takeError();
      value = *address;
      // An output stays what nobody wrote.
      if (given.kind != KernelArgument::Output && bytes > 0)
        if (llvm::Error error = memory.write(value, given.memory, bytes))
          return std::move(error);
    }
    addresses.push_back(value);
    std::memcpy(packed.data() + wanted.offset, &value, wanted.bytes);
  }
  return packed;
}

static llvm::Error copyBack(SimLaunch &launch, const sim::Memory &memory,
                            llvm::ArrayRef<sim::Address> addresses) {
  for (auto [argument, address] : llvm::zip_equal(launch.arguments, addresses))
    if (argument.isResult())
      if (int64_t bytes = argument.array.elements() * byteSize(argument.type))
        if (llvm::Error error = memory.read(argument.memory, address, bytes))
          return error;
  return llvm::Error::success();
}

llvm::Expected<std::vector<sim::Hazard>>
wf::cli::simulate(const DeviceCode &code, SimLaunch &launch) {
  if (code.target.empty())
    return userError("sim wants --target with LLVM IR",
                     "as in --target sm_90 or --target gfx1201");
  auto machine = sim::machineNamed(code.target);
  if (!machine)
    return machine.takeError();
  sim::Memory memory;
  auto program = sim::Program::make(*machine, code.bytes, memory);
  if (!program)
    return program.takeError();
  sim::LaunchRequest request;
  if (llvm::Error error =
          symbolOf(**program, launch.kernel).moveInto(request.kernel))
    return std::move(error);
  auto kernel = (*program)->kernel(request.kernel);
  if (!kernel)
    return kernel.takeError();
  std::vector<sim::Address> addresses;
  auto packed = pack(**kernel, launch, memory, addresses);
  if (!packed)
    return packed.takeError();
  llvm::copy(launch.grid, request.grid);
  llvm::copy(launch.block, request.block);
  request.sharedBytes = launch.sharedBytes;
  request.arguments = *packed;
  sim::Options options;
  options.seed = launch.seed;
  if (launch.inStep)
    options.schedule = sim::Schedule::InStep;
  if (launch.steps)
    options.steps = uint64_t(launch.steps);
  auto outcome = sim::launch(**program, memory, request, options);
  if (!outcome)
    return outcome.takeError();
  if (llvm::Error error = copyBack(launch, memory, addresses))
    return std::move(error);
  return std::move(outcome->hazards);
}
