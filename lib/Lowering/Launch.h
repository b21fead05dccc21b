//===- Launch.h - What a kernel's arguments are ------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The contract between fold-reduce-to-tiers, which makes the functions, and the
// runtime, which calls them. In this order:
//
//   fold       inputs (memref), or with load=pack: source (pointer), then one
//              buffer of a chunk an input (memref)
//              outputs (memref), partials (memref<?xT> a member, and the count
//              where it is counted), params,
//              begin, end       work items: item = output · runs + run
//              runs             runs a fold is split into; 1: no partials used
//              run_chunks       chunks a run
//              elements         K
//   fold_join  outputs, partials, params, begin, end (outputs), runs,
//              run_elements, elements
//
// With plan.abreast > 1 an item is that many outputs, and runs is 1. For
// plans with a tile an item is (outer kept index, tile, run) and two arguments
// follow: scratch (memref<?xi8>, a thread's own) and levels of its counter.
//
// On a GPU all kernels of a module take the same arguments (GpuFrame.cpp), and
// form=ladder has a second one (Runtime/GpuLaunch.h):
//
//   fold_init  grid=atomic, before fold: the neutral state into every output, a
//              thread an output
//   fold_join  grid=launch, after fold: one block an output
//===----------------------------------------------------------------------===//
// On a GPU (GpuFrame::makeKernel makes them, GpuLaunch packs them) all kernels
// of a module take the same, each at its natural alignment, pointers first:
//
//   inputs, outputs, partials (a pointer a state member, and the count where it
//   is counted), tickets (i32, zero between launches), params, then as integers
//   of the plan's `address` bits:
//   elements (K), runs (blocks an output), outputs,
//   sizes of the kept axes, sizes of the reduced axes,
//   an input's strides: kept, reduced; the next input's …; an output's strides …
#ifndef WARPFOLD_LOWERING_LAUNCH_H
#define WARPFOLD_LOWERING_LAUNCH_H

namespace wf {
inline constexpr const char *kFoldFunction = "fold";
inline constexpr const char *kJoinFunction = "fold_join";
inline constexpr const char *kInitFunction = "fold_init";
} // namespace wf

#endif // WARPFOLD_LOWERING_LAUNCH_H
