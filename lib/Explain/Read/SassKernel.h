//===- SassKernel.h - Collecting one kernel's lines -------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_READ_SASSKERNEL_H
#define WARPFOLD_EXPLAIN_READ_SASSKERNEL_H

#include "Explain/Read/SassLine.h"

#include <unordered_map>
#include <utility>

namespace wf::explain {

/// A kernel while its lines are read. Words without an instruction on their
/// line mean one thing to sm_50 and another to sm_70, and which of them it is
/// may be known only at the end.
class SassKernel {
public:
  explicit SassKernel(std::string name, uint32_t line);

  Kernel kernel;
  SourceLine source; ///< of the instructions to come
  uint32_t ptxLine = 0;

  void addLabel(std::string_view label);
  void addWord(uint64_t word);
  void add(SassLine line, uint32_t number);
  /// Adds a pasted line: those seen before are left out, since a note quotes a
  /// line in several of its sections. False where another instruction has this
  /// address, so that another kernel must have begun.
  bool addPasted(SassLine &line, uint32_t number);

  /// Sorts, decodes the control words, binds labels. `hint`: a target found
  /// around the kernel, or in the file's name.
  Kernel finish(std::string_view hint);

  bool empty() const { return kernel.code.empty(); }

private:
  std::vector<std::string> pending; ///< labels before the next instruction
  std::vector<std::pair<size_t, uint64_t>> words; ///< after how many lines
  std::vector<std::pair<size_t, std::vector<std::string>>> branches;
  std::unordered_map<uint64_t, size_t> byAddress;
  bool pasted = false;

  void sortPasted();
  void bindWords(bool byThree);
  void bindBranches();
};

/// The SM that the instructions' spelling fits, "sm_80": only its family is
/// right.
std::string inferSassTarget(const Kernel &kernel);

/// "sm_90" in a file's name or another text; "" where there is none.
std::string_view targetIn(std::string_view text);

} // namespace wf::explain

#endif // WARPFOLD_EXPLAIN_READ_SASSKERNEL_H
