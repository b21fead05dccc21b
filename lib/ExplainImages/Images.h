//===- Images.h - GPU images as text ----------------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The readers of lib/Explain read text. This turns a .hsaco, a .cubin, or an
// object, archive or program with either inside into the text that a
// disassembler prints:
//
//   AMD     LLVM's disassembler, in this process; the kernel descriptor and the
//           metadata follow as an assembler's directives
//   NVIDIA  cuobjdump or nvdisasm as a child process, where installed
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAINIMAGES_IMAGES_H
#define WARPFOLD_EXPLAINIMAGES_IMAGES_H

#include "Explain/Fault.h"

#include <string>
#include <string_view>

namespace wf::explain {

/// Whether `bytes` begin as an image does: ELF, an archive, a bundle or a fat
/// binary of either vendor.
bool isImage(std::string_view bytes);

/// The listings of all GPU code in `bytes`, one after the other. `name` is the
/// file's. Faults: not an image, no GPU code in it, damaged, or NVIDIA's tools
/// are missing; then the hint says what to install.
Result<std::string> imageListing(std::string_view bytes, std::string_view name);

} // namespace wf::explain

#endif // WARPFOLD_EXPLAINIMAGES_IMAGES_H
