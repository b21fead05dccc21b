//===- IrTypes.h - Tensor types and layouts of MLIR's text ------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Internal to inspect.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_INSPECT_IRTYPES_H
#define WARPFOLD_EXPLAIN_INSPECT_IRTYPES_H

#include "Explain/Inspect/Inspect.h"

namespace wf::explain::ir {

/// Reads "tensor<32x64xf32, #blocked>", "memref<?xf32, …>", and "tensor128xf32"
/// of an article that lost its brackets; a scalar has no shape.
std::optional<TensorType> readTensor(std::string_view text);

/// Reads "#ttg.blocked<{sizePerThread = [1, 4], …}>".
Layout readLayout(std::string_view text);

/// By its name or text; names are looked up among `known`.
Layout layoutOf(const std::vector<Layout> &known, std::string_view text);

/// How a tensor's axis is spread over registers, lanes and warps.
std::optional<Spread> spreadOf(const std::vector<Layout> &known,
                               const TensorType &type, int64_t axis);

/// The elements that one pass of a blocked layout covers, by dimension; empty
/// of other kinds.
std::vector<int64_t> covers(const Layout &layout);

unsigned bitsOfElement(std::string_view element);

/// "1x4"
std::string timesText(const std::vector<int64_t> &numbers);

} // namespace wf::explain::ir

#endif // WARPFOLD_EXPLAIN_INSPECT_IRTYPES_H
