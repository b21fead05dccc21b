//===- sync.h - Barriers and fences -----------------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// An AMD barrier instruction orders threads, not memory: HIP's barriers are a
// fence, the instruction, and a fence. The fences name the scope they reach.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_DEVICE_SYNC_H
#define WARPFOLD_DEVICE_SYNC_H
#pragma clang system_header

#if defined(__AMDGCN__)

WF_DEVICE void __syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
/// Of the lanes of the caller's wave that are active; the mask names them.
WF_DEVICE void __syncwarp(unsigned long long mask = ~0ull) {
  (void)mask;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}
WF_DEVICE void __threadfence_block() {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
}
WF_DEVICE void __threadfence() {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent");
}
WF_DEVICE void __threadfence_system() {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "");
}

#else

// __syncthreads() is a builtin of clang's.
WF_DEVICE void __syncwarp(unsigned int mask = 0xffffffffu) {
  __nvvm_bar_warp_sync(mask);
}
WF_DEVICE void __threadfence_block() { __nvvm_membar_cta(); }
WF_DEVICE void __threadfence() { __nvvm_membar_gl(); }
WF_DEVICE void __threadfence_system() { __nvvm_membar_sys(); }

#endif

WF_DEVICE void __trap() { __builtin_trap(); }

#endif // WARPFOLD_DEVICE_SYNC_H
