//===- int_index_overflow.cu - An int index past 2^31 -----------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// A sample of a long array: thread t reads element t * step. The product is
// right as an unsigned number below 2^32, but the index is an int: from thread
// 512 on it is negative, passes `i < n`, and reads before the array. So that no
// test needs 16 GiB, element i of the long array is x[i % 1024]; with step =
// 2^22 + 1 thread t reads x[t].
//
// SIM: --kernel faulty --grid 4 --block 256 --arg 'gen:random(1024, f32)' --arg zero:f32:1 --arg i64:4294968320 --arg i32:4194305 HAZARD: access out of bounds
// SIM: --kernel repaired --grid 4 --block 256 --arg 'gen:random(1024, f32)' --arg zero:f32:1 --arg i64:4294968320 --arg i32:4194305 --expect sum CLEAN
//===----------------------------------------------------------------------===//
__global__ void faulty(const float *x, float *out, long long n,
                       unsigned int step) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * step;
  if (i < n)
    atomicAdd(out, x[i % 1024]);
}

__global__ void repaired(const float *x, float *out, long long n,
                         unsigned int step) {
  long long i = (long long)(blockIdx.x * blockDim.x + threadIdx.x) * step;
  if (i < n)
    atomicAdd(out, x[i % 1024]);
}
