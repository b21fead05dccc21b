//===- NoteParts.h - The sections of a kernel's note ------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Each section is a function that returns its text, or "" where it says
// nothing of this kernel; the document numbers those that are left.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_WRITE_NOTEPARTS_H
#define WARPFOLD_EXPLAIN_WRITE_NOTEPARTS_H

#include "Explain/Write/Excerpt.h"
#include "Explain/Write/Write.h"

namespace wf::explain {

struct Section {
  std::string title, body;
};

class Note {
public:
  Note(const Report &r, const WriteOptions &options);
  std::string write();

private:
  // Note.cpp
  std::string head() const;
  std::string headline() const;
  std::string sequence() const;
  // NoteStart.cpp
  Section source() const;
  Section roles() const;
  Section load() const;
  bool storesWhatWasLoaded(const Access &store) const;
  std::string gist() const;
  std::string remaining(size_t i) const;
  std::string reaching(size_t i) const;
  std::string guardedLoad(size_t load) const;
  std::string waitingFor(size_t load) const;
  // NoteMemory.cpp
  void sharedStores(std::vector<Section> &out) const;
  Section barriers() const;
  Section exchanges() const;
  Section atomics() const;
  Section finalStore() const;
  // NoteLoop.cpp
  void loops(std::vector<Section> &out) const;
  std::string loopShape(const Loop &loop) const;
  void accumulators(std::vector<Section> &out) const;
  std::string redundantLoad(const Accumulator &acc) const;
  Section strides() const;
  std::string strideOrder(size_t stride) const;
  // NotePredicates.cpp
  Section predicates() const;
  std::string sourcePolarity() const;
  Section masks() const;
  // NoteRegisters.cpp
  Section registers() const;
  std::string registerNotes() const;
  // NoteEnd.cpp
  Section comparison() const;
  Section materialisation() const;
  Section patterns() const;
  Section compiler() const;
  Section remarks() const;
  Section conclusion() const;
  std::string frame(const Accumulator &acc) const;
  std::string sourceOf(const Accumulator &acc) const;
  /// Of a loop's accumulation those instructions that are in the loop.
  std::vector<size_t> stepOf(const Accumulator &acc) const;

  // Of all sections.
  std::string fenced(std::vector<size_t> instructions, size_t most = 48) const;
  std::string meaning(const std::vector<size_t> &instructions) const;
  std::string brief(std::string text) const { return names.apply(text); }
  std::string code(const std::string &text) const;
  std::string at(size_t i) const;
  std::string at(const std::vector<size_t> &i) const;
  const Access *access(size_t i, bool store) const {
    return statements.accessAt(i, store);
  }
  bool inLoop(size_t i) const;
  std::vector<size_t> withRole(Role role) const;
  std::string opcode(size_t i) const;
  /// "@!P1 " of an instruction, "" without a guard.
  std::string guardText(size_t i) const;
  std::vector<size_t> inStraightCode(std::vector<size_t> instructions) const;

  const Report &r;
  const Analysis &a;
  const WriteOptions &options;
  Statements statements;
  Shorthand names;
  std::vector<size_t> living;
};

} // namespace wf::explain

#endif // WARPFOLD_EXPLAIN_WRITE_NOTEPARTS_H
