//===- Words.h - Places, counts and lists as prose writes them --*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_WRITE_WORDS_H
#define WARPFOLD_EXPLAIN_WRITE_WORDS_H

#include "Explain/Verdict/Report.h"

namespace wf::explain::words {

/// "0x0130", of at least four digits.
std::string hex(uint64_t value);
/// An instruction's place: "0x0130", or "line 12" where there are no
/// addresses.
std::string at(const Report &r, size_t instruction);
/// "0x0150 and 0x0170"; of more than `most` the first ones and how many more.
std::string at(const Report &r, const std::vector<size_t> &instructions,
               size_t most = 6);
/// The instruction as its tool prints it, with its address.
std::string line(const Report &r, size_t instruction);
/// Those lines within a Markdown fence; gaps between them are not marked.
std::string fenced(const Report &r, const std::vector<size_t> &instructions);
/// Any lines within a Markdown fence.
std::string fenced(const std::vector<std::string> &lines,
                   std::string_view language = "text");

/// "no barrier", "one barrier", "3 barriers".
std::string counted(size_t n, std::string_view noun);
std::string plural(std::string_view noun);
/// "one", "two" … "twelve", then digits.
std::string number(size_t n);
/// "a", "a and b", "a, b and c".
std::string listed(const std::vector<std::string> &parts,
                   std::string_view last = "and");
/// The first letter made upper case, a period at the end.
std::string sentence(std::string text);
std::string capital(std::string text);
/// `code` in Markdown's backticks, whatever it contains.
std::string code(std::string_view text);
/// A table's cell: bars escaped, no line ends.
std::string cell(std::string_view text);
/// Prose in which places of memory ("shared[i + 1]") are put in backticks.
std::string marked(std::string_view text);

/// "reduce_sum_f32_kernel" of the demangled name; no arguments, no templates.
std::string shortName(const Kernel &k);
/// The opcode without its modifiers: "LDG", "BAR.SYNC" for barriers;
/// AMD and PTX whole.
std::string opcode(const Kernel &k, size_t instruction);
/// "NVIDIA SASS", "AMD GCN/RDNA", "PTX".
std::string_view isaName(Isa isa);
/// "float", "int" … as C would write it.
std::string_view typeName(Type type);
/// What the vendor calls it: "shared memory", "LDS" is said "shared memory
/// (LDS)".
std::string_view memoryName(Space space);

/// The scheduling field in words: "stalls 5 cycles, waits for the load at
/// 0x0090"; "" without one.
std::vector<std::string> waitsOf(const Report &r);

/// The instructions that count: reachable and with a guard that can hold.
std::vector<size_t> living(const Report &r);
/// Sorted, without duplicates.
std::vector<size_t> sorted(std::vector<size_t> instructions);

} // namespace wf::explain::words

#endif // WARPFOLD_EXPLAIN_WRITE_WORDS_H
