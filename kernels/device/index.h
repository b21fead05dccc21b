//===- index.h - threadIdx, blockDim, warpSize … ----------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// NVIDIA has a register for each. AMD keeps the sizes of blocks and grid in
// memory that the driver fills; here they are calls that the simulator answers:
//
//   i32 wf.sim.block_dim.x()   .y  .z      threads of a block
//   i32 wf.sim.grid_dim.x()    .y  .z      blocks of the grid
//
// With -DWARPFOLD_MACHINE_CODE they are read where the driver puts them (code
// object version 5, hidden arguments), for machine code that a GPU could run.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_DEVICE_INDEX_H
#define WARPFOLD_DEVICE_INDEX_H
#pragma clang system_header

#if defined(__AMDGCN__) && defined(WARPFOLD_MACHINE_CODE)

#define WF_BLOCKS(AT)                                                          \
  (((const __attribute__((address_space(4))) unsigned int *)                   \
        __builtin_amdgcn_implicitarg_ptr())[AT])
#define WF_GRID_DIM_x WF_BLOCKS(0)
#define WF_GRID_DIM_y WF_BLOCKS(1)
#define WF_GRID_DIM_z WF_BLOCKS(2)
#define WF_THREAD(D) __builtin_amdgcn_workitem_id_##D()
#define WF_BLOCK(D) __builtin_amdgcn_workgroup_id_##D()
#define WF_BLOCK_DIM(D) __builtin_amdgcn_workgroup_size_##D()
#define WF_GRID_DIM(D) WF_GRID_DIM_##D

#elif defined(__AMDGCN__)

#define WF_ANSWERED(NAME, LABEL)                                               \
  extern "C" __device__                                                        \
      __attribute__((const, nothrow, noconvergent)) unsigned int               \
      __wf_##NAME(void) __asm__("wf.sim." LABEL);
WF_ANSWERED(block_dim_x, "block_dim.x")
WF_ANSWERED(block_dim_y, "block_dim.y")
WF_ANSWERED(block_dim_z, "block_dim.z")
WF_ANSWERED(grid_dim_x, "grid_dim.x")
WF_ANSWERED(grid_dim_y, "grid_dim.y")
WF_ANSWERED(grid_dim_z, "grid_dim.z")
#undef WF_ANSWERED

#define WF_THREAD(D) __builtin_amdgcn_workitem_id_##D()
#define WF_BLOCK(D) __builtin_amdgcn_workgroup_id_##D()
#define WF_BLOCK_DIM(D) __wf_block_dim_##D()
#define WF_GRID_DIM(D) __wf_grid_dim_##D()

#else

#define WF_THREAD(D) __nvvm_read_ptx_sreg_tid_##D()
#define WF_BLOCK(D) __nvvm_read_ptx_sreg_ctaid_##D()
#define WF_BLOCK_DIM(D) __nvvm_read_ptx_sreg_ntid_##D()
#define WF_GRID_DIM(D) __nvvm_read_ptx_sreg_nctaid_##D()

#endif

// A variable whose members are read through a function each.
#define WF_MEMBER(READ, D)                                                     \
  __declspec(property(get = read_##D)) unsigned int D;                         \
  WF_DEVICE unsigned int read_##D() { return READ(D); }
#define WF_INDEX(NAME, READ)                                                   \
  struct __wf_##NAME {                                                         \
    WF_MEMBER(READ, x)                                                         \
    WF_MEMBER(READ, y)                                                         \
    WF_MEMBER(READ, z)                                                         \
    __device__ operator dim3() const { return dim3(x, y, z); }                 \
    __device__ operator uint3() const { return {x, y, z}; }                    \
  };                                                                           \
  extern const __device__ __attribute__((weak)) __wf_##NAME NAME;
WF_INDEX(threadIdx, WF_THREAD)
WF_INDEX(blockIdx, WF_BLOCK)
WF_INDEX(blockDim, WF_BLOCK_DIM)
WF_INDEX(gridDim, WF_GRID_DIM)
#undef WF_INDEX
#undef WF_MEMBER
#undef WF_GRID_DIM
#undef WF_BLOCK_DIM
#undef WF_BLOCK
#undef WF_THREAD

#if defined(__HIP__)
// Not a constant of the language, as in HIP: 32 or 64 by target. The optimiser
// knows which.
struct __wf_warpSize {
  __host__ __device__ constexpr __wf_warpSize() {}
#if defined(__AMDGCN__)
  __device__ operator int() const { return __builtin_amdgcn_wavefrontsize(); }
#endif
  __host__ operator int() const { return 0; }
};
static const __device__ __wf_warpSize warpSize;

#define hipThreadIdx_x (threadIdx.x)
#define hipThreadIdx_y (threadIdx.y)
#define hipThreadIdx_z (threadIdx.z)
#define hipBlockIdx_x (blockIdx.x)
#define hipBlockIdx_y (blockIdx.y)
#define hipBlockIdx_z (blockIdx.z)
#define hipBlockDim_x (blockDim.x)
#define hipBlockDim_y (blockDim.y)
#define hipBlockDim_z (blockDim.z)
#define hipGridDim_x (gridDim.x)
#define hipGridDim_y (gridDim.y)
#define hipGridDim_z (gridDim.z)
#else
static const __device__ int warpSize = 32;
#endif

#endif // WARPFOLD_DEVICE_INDEX_H
