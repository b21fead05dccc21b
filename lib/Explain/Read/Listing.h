//===- Listing.h - Machine code as it was printed ---------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// What the readers make of a text: kernels, and their instructions split into
// guard, mnemonic and operands. Nothing here knows what an opcode does; that is
// Machine/. A line that cannot be read is kept and named, never dropped.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_READ_LISTING_H
#define WARPFOLD_EXPLAIN_READ_LISTING_H

#include "Explain/Fault.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wf::explain {

enum class Isa { Sass, Amdgcn, Ptx };

/// NVIDIA's scheduling field of one instruction (Volta and later, and decoded
/// into the same shape for sm_50 to sm_61).
struct Control {
  uint8_t stall = 0;        ///< cycles until the next instruction may issue
  bool yield = false;       ///< the raw bit
  int8_t writeBarrier = -1; ///< scoreboard 0-5 set when the result is there
  int8_t readBarrier = -1;  ///< scoreboard 0-5 set when the operands were read
  uint8_t waits = 0;        ///< bit i: waits for scoreboard i
  uint8_t reuse = 0;        ///< operand caches
};

/// A place in a source text; line 0: none is known.
struct SourceLine {
  std::string file;
  uint32_t line = 0;
};

struct Instruction {
  uint64_t address = 0; ///< bytes from the function's start
  std::string guard;    ///< "P0", "UP1", "PT"; "" without one
  bool guardNegated = false;
  std::string mnemonic; ///< whole, "LDG.E.CONSTANT" or "v_add_f32_e32"
  std::vector<std::string> operands; ///< "R2", "[R2.64]", "c[0x0][0x160]"
  /// What follows the operands without a comma on AMD: "offset:16", "off" is
  /// an operand; "row_shr:1", "glc", "scope:SCOPE_DEV" are modifiers.
  std::vector<std::string> modifiers;
  std::string text; ///< guard, mnemonic and operands, blanks normalised
  std::vector<uint64_t> encoding; ///< 64-bit words (NVIDIA), dwords (AMD)
  std::optional<Control> control;
  std::string label; ///< ".L_x_1" where the listing has one before it
  /// Operands' symbols that resolve to an address in this function, as printed
  /// after AMD encodings (<sym+0x74>): the target of a branch in bytes.
  std::optional<uint64_t> target;
  std::vector<uint64_t> targets; ///< of an indirect branch, where listed
  uint32_t line = 0;             ///< in the input, from 1
  SourceLine source;             ///< of the program, where the listing says so
  uint32_t ptxLine = 0;          ///< of the PTX, where the listing says so
};

/// A parameter of a kernel.
struct Parameter {
  std::string name, type; ///< type as C writes it: "const float *", "int"
  uint32_t offset = 0, bytes = 0;
};

/// What a listing says of a kernel beside its code; absent where it does not.
struct Resources {
  std::optional<uint32_t> registers, uniformRegisters, accumulators;
  std::optional<uint32_t> sharedBytes, stackBytes, spillBytes, barriers;
  std::optional<uint32_t> maxThreads; ///< a block's
};

/// A register or variable that PTX declares.
struct Declaration {
  std::string name;   ///< "%rd", "stage"
  std::string space;  ///< "reg", "shared", "local", "global", "const", "param"
  std::string type;   ///< "b32", "pred"
  uint32_t count = 0; ///< of "%rd<19>": 19 names, %rd0 to %rd18; else 0
  /// Of a variable; 0 where it has no size of its own. Of an argument its
  /// offset.
  uint64_t bytes = 0;
};

struct Kernel {
  std::string name;            ///< as printed, mangled where it was
  std::string target;          ///< "sm_86", "gfx1201", or "" where unknown
  bool targetInferred = false; ///< from mnemonics (AMD listings name no chip)
  Isa isa = Isa::Sass;
  int lanes = 32;    ///< of a wave or warp
  bool entry = true; ///< false: a device function
  std::vector<Instruction> code;
  std::map<std::string, size_t> labels; ///< label → index into code
  std::vector<Parameter> parameters;
  std::vector<Declaration> declarations; ///< PTX alone
  /// AMD: what the runtime appends to them, as "blockDim.x", with its offset.
  std::vector<Parameter> hidden;
  /// AMD: the kernel descriptor, by .amdhsa_ directive without that prefix.
  std::map<std::string, int64_t> descriptor;
  /// False: the text has no addresses; they count the instructions by fours.
  bool addressed = true;
  Resources resources;
  uint32_t line = 0;  ///< where its text starts
  std::string origin; ///< what printed it: "cuobjdump -sass", "nvdisasm -c"
};

/// Something about the text that a user should know.
struct Remark {
  uint32_t line = 0;
  std::string text;
};

struct Listing {
  std::vector<Kernel> kernels;
  std::vector<Remark> remarks;
  size_t instructionLines = 0; ///< lines that look like an instruction
  size_t unreadLines = 0;      ///< of those, not understood; each has a remark
};

/// What a text is; the readers and `inspect` are chosen by it.
enum class Format {
  Empty,
  CuobjdumpSass,
  Nvdisasm,
  NvdisasmJson,
  SassFragment, ///< pasted instructions, perhaps within prose
  LlvmObjdumpAmd,
  ClangAmd, ///< compiler's .s
  AmdFragment,
  Ptx,
  TritonIr,      ///< .ttir
  TritonGpuIr,   ///< .ttgir
  LlvmIr,        ///< .llir
  Mlir,          ///< another dialect's text, ours among them
  ResourceUsage, ///< cuobjdump -res-usage
  Elf,           ///< .cubin, .hsaco, executables: Images reads them
  Source,        ///< CUDA C++ or HIP source
  Unknown
};

/// "cuobjdump -sass", for messages.
std::string_view formatName(Format format);

/// Plain UTF-8 text with \n: UTF-16 (either order, with or without BOM),
/// CRLF, BOM, ANSI colours and HTML entities undone. Line numbers stay those of
/// the input.
std::string plainText(std::string_view bytes);

/// Looks at the whole text.
Format recognise(std::string_view text);

/// Reads one text of any of the formats with machine code in it. `name` is the
/// file's name, used in messages and to guess a target. Fails where there is
/// no kernel at all, with what the text is and what to do.
Result<Listing> readListing(std::string_view bytes, std::string_view name);

// One reader per family; `text` is plain.
Result<Listing> readSass(std::string_view text, std::string_view name);
Result<Listing> readSassJson(std::string_view text, std::string_view name);
Result<Listing> readAmdgcn(std::string_view text, std::string_view name);
Result<Listing> readPtx(std::string_view text, std::string_view name);

/// Reads "x: f32*, y: f32*, n: i32" (or "const float *x, float *y, int n") into
/// parameters with their offsets, laid out as both vendors' ABIs do.
Result<std::vector<Parameter>> readParameters(std::string_view text);

/// Parameters by the mangled name's argument types, without names: "arg0: …".
std::vector<Parameter> parametersOfName(std::string_view mangled);

/// "_Z21reduce_sum_f32_kernelPKfPfi" → "reduce_sum_f32_kernel(float const*,
/// float*, int)"; the same text where it is not mangled.
std::string demangled(std::string_view name);

} // namespace wf::explain

#endif // WARPFOLD_EXPLAIN_READ_LISTING_H
