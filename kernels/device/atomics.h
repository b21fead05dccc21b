//===- atomics.h - atomicAdd and the others ---------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// All are relaxed, as the vendors' are: they order nothing but themselves, and
// whoever hands data over beside them needs __threadfence(). The plain name
// reaches the device, _block the block and _system the host too. (clang drops
// the scope for NVPTX; a wider one is never less.)
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_DEVICE_ATOMICS_H
#define WARPFOLD_DEVICE_ATOMICS_H
#pragma clang system_header

#define WF_ATOMIC(T, NAME, BUILTIN, SCOPE)                                     \
  WF_DEVICE T NAME(T *address, T value) {                                      \
    return BUILTIN(address, value, __ATOMIC_RELAXED, SCOPE);                   \
  }
#define WF_ATOMIC_SCOPES(T, NAME, BUILTIN)                                     \
  WF_ATOMIC(T, NAME, BUILTIN, __MEMORY_SCOPE_DEVICE)                           \
  WF_ATOMIC(T, NAME##_block, BUILTIN, __MEMORY_SCOPE_WRKGRP)                   \
  WF_ATOMIC(T, NAME##_system, BUILTIN, __MEMORY_SCOPE_SYSTEM)
#define WF_ATOMIC_INTEGERS(NAME, BUILTIN)                                      \
  WF_ATOMIC_SCOPES(int, NAME, BUILTIN)                                         \
  WF_ATOMIC_SCOPES(unsigned int, NAME, BUILTIN)                                \
  WF_ATOMIC_SCOPES(unsigned long long, NAME, BUILTIN)

WF_ATOMIC_INTEGERS(atomicAdd, __scoped_atomic_fetch_add)
WF_ATOMIC_SCOPES(unsigned long, atomicAdd, __scoped_atomic_fetch_add)
WF_ATOMIC_SCOPES(float, atomicAdd, __scoped_atomic_fetch_add)
WF_ATOMIC_SCOPES(double, atomicAdd, __scoped_atomic_fetch_add)
WF_ATOMIC_SCOPES(int, atomicSub, __scoped_atomic_fetch_sub)
WF_ATOMIC_SCOPES(unsigned int, atomicSub, __scoped_atomic_fetch_sub)
WF_ATOMIC_INTEGERS(atomicMin, __scoped_atomic_fetch_min)
WF_ATOMIC_SCOPES(long long, atomicMin, __scoped_atomic_fetch_min)
WF_ATOMIC_INTEGERS(atomicMax, __scoped_atomic_fetch_max)
WF_ATOMIC_SCOPES(long long, atomicMax, __scoped_atomic_fetch_max)
WF_ATOMIC_INTEGERS(atomicAnd, __scoped_atomic_fetch_and)
WF_ATOMIC_INTEGERS(atomicOr, __scoped_atomic_fetch_or)
WF_ATOMIC_INTEGERS(atomicXor, __scoped_atomic_fetch_xor)
WF_ATOMIC_INTEGERS(atomicExch, __scoped_atomic_exchange_n)

#if defined(__HIP__)
WF_ATOMIC_SCOPES(float, atomicMin, __scoped_atomic_fetch_min)
WF_ATOMIC_SCOPES(double, atomicMin, __scoped_atomic_fetch_min)
WF_ATOMIC_SCOPES(float, atomicMax, __scoped_atomic_fetch_max)
WF_ATOMIC_SCOPES(double, atomicMax, __scoped_atomic_fetch_max)
#endif
#undef WF_ATOMIC_INTEGERS
#undef WF_ATOMIC_SCOPES
#undef WF_ATOMIC

WF_DEVICE float atomicExch(float *address, float value) {
  unsigned int *bits = reinterpret_cast<unsigned int *>(address);
  return __builtin_bit_cast(
      float, atomicExch(bits, __builtin_bit_cast(unsigned int, value)));
}

#define WF_ATOMIC_CAS(T, NAME, SCOPE)                                          \
  WF_DEVICE T NAME(T *address, T expected, T value) {                          \
    __scoped_atomic_compare_exchange_n(address, &expected, value, false,       \
                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED,     \
                                       SCOPE);                                 \
    return expected;                                                           \
  }
#define WF_ATOMIC_CAS_SCOPES(T)                                                \
  WF_ATOMIC_CAS(T, atomicCAS, __MEMORY_SCOPE_DEVICE)                           \
  WF_ATOMIC_CAS(T, atomicCAS_block, __MEMORY_SCOPE_WRKGRP)                     \
  WF_ATOMIC_CAS(T, atomicCAS_system, __MEMORY_SCOPE_SYSTEM)
WF_ATOMIC_CAS_SCOPES(int)
WF_ATOMIC_CAS_SCOPES(unsigned int)
WF_ATOMIC_CAS_SCOPES(unsigned long long)
#undef WF_ATOMIC_CAS_SCOPES
#undef WF_ATOMIC_CAS

// value >= limit ? 0 : value + 1, and the way down: a ticket that resets
// itself.
#if defined(__AMDGCN__)
WF_DEVICE unsigned int atomicInc(unsigned int *address, unsigned int limit) {
  return __builtin_amdgcn_atomic_inc32(address, limit, __ATOMIC_RELAXED,
                                       "agent");
}
WF_DEVICE unsigned int atomicDec(unsigned int *address, unsigned int limit) {
  return __builtin_amdgcn_atomic_dec32(address, limit, __ATOMIC_RELAXED,
                                       "agent");
}
#else
WF_DEVICE unsigned int atomicInc(unsigned int *address, unsigned int limit) {
  return __nvvm_atom_inc_gen_ui(address, limit);
}
WF_DEVICE unsigned int atomicDec(unsigned int *address, unsigned int limit) {
  return __nvvm_atom_dec_gen_ui(address, limit);
}
#endif

#endif // WARPFOLD_DEVICE_ATOMICS_H
