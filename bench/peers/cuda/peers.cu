//===- peers.cu - CUB's reductions and a loop that only reads -------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// What the GPU suite calls through ctypes; one call of nvcc builds it:
//
//   nvcc -O3 -std=c++17 -arch=sm_90 --shared -Xcompiler -fPIC peers.cu -o p.so
//
// Inputs are f32 on the device, 16-byte aligned. Everything runs on the stream
// given, allocates nothing, and returns a cudaError_t. A CUB call is made twice
// as CUB's own are: with temp NULL it sets *bytes to the scratch it wants.
//===----------------------------------------------------------------------===//
#include <cub/cub.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>

#include <cstddef>
#include <cstdint>

namespace {
/// The numbers are those of peers.py.
enum Op { Sum, Max, Min, ArgMax, Norm2, Mean };

struct Square {
  __device__ float operator()(float x) const { return x * x; }
};

/// The last step of a norm, as the result is stored.
struct Root {
  __device__ float operator()(float x) const { return sqrtf(x); }
};

/// The last step of a mean.
struct Divide {
  float by;
  __device__ float operator()(float x) const { return x / by; }
};

/// Where row i of `width` elements begins.
struct RowBegin {
  int64_t width;
  __host__ __device__ int64_t operator()(int64_t i) const { return i * width; }
};

using Pair = cub::KeyValuePair<int, float>;
} // namespace

/// One reduction of all n elements. `out` is a float; for ArgMax an int64_t
/// position followed by a float.
extern "C" int peers_full(int op, void *temp, size_t *bytes, const float *x,
                          int64_t n, void *out, cudaStream_t stream) {
  auto *to = static_cast<float *>(out);
  switch (op) {
  case Sum:
    return cub::DeviceReduce::Sum(temp, *bytes, x, to, n, stream);
  case Max:
    return cub::DeviceReduce::Max(temp, *bytes, x, to, n, stream);
  case Min:
    return cub::DeviceReduce::Min(temp, *bytes, x, to, n, stream);
  case ArgMax: {
    auto *at = static_cast<int64_t *>(out);
    auto *value = reinterpret_cast<float *>(at + 1);
    return cub::DeviceReduce::ArgMax(temp, *bytes, x, value, at, n, stream);
  }
  case Norm2: {
    auto root = thrust::make_transform_output_iterator(to, Root{});
    return cub::DeviceReduce::TransformReduce(
        temp, *bytes, x, root, n, cuda::std::plus<>{}, Square{}, 0.f, stream);
  }
  case Mean: {
    auto mean = thrust::make_transform_output_iterator(to, Divide{float(n)});
    return cub::DeviceReduce::Sum(temp, *bytes, x, mean, n, stream);
  }
  }
  return cudaErrorInvalidValue;
}

/// One reduction of each row of a row-major array. `out` has a float a row;
/// for ArgMax an int and a float.
extern "C" int peers_rows(int op, void *temp, size_t *bytes, const float *x,
                          int64_t rows, int64_t width, void *out,
                          cudaStream_t stream) {
  auto *to = static_cast<float *>(out);
  auto begin = thrust::make_transform_iterator(
      thrust::counting_iterator<int64_t>(0), RowBegin{width});
  using Segments = cub::DeviceSegmentedReduce;
  switch (op) {
  case Sum:
    return Segments::Sum(temp, *bytes, x, to, rows, begin, begin + 1, stream);
  case Max:
    return Segments::Max(temp, *bytes, x, to, rows, begin, begin + 1, stream);
  case ArgMax:
    return Segments::ArgMax(temp, *bytes, x, static_cast<Pair *>(out), rows,
                            begin, begin + 1, stream);
  }
  return cudaErrorInvalidValue;
}

/// Exclusive or of n words into *word, which has to be 0 before: 16-byte loads,
/// U of them in flight a thread, and nothing else to do. Blocks step over the
/// array together; a grid of one tile a block makes one step.
template <int U>
static __global__ void readOnly(const uint4 *__restrict__ x,
                                const unsigned *__restrict__ tail,
                                int tailCount, int64_t n, unsigned *word) {
  __shared__ unsigned joined;
  unsigned all = 0;
  if (threadIdx.x == 0)
    joined = 0;
  __syncthreads();
  const int64_t tile = int64_t(U) * blockDim.x, step = tile * gridDim.x;
  for (int64_t at = tile * blockIdx.x; at < n; at += step) {
    const uint4 *from = x + at + threadIdx.x;
    if (at + tile <= n) {
      uint4 v[U];
#pragma unroll
      for (int u = 0; u < U; ++u)
        v[u] = __ldg(from + u * blockDim.x);
#pragma unroll
      for (int u = 0; u < U; ++u)
        all ^= v[u].x ^ v[u].y ^ v[u].z ^ v[u].w;
      continue;
    }
    for (int64_t i = at + threadIdx.x; i < n; i += blockDim.x) {
      uint4 v = __ldg(x + i);
      all ^= v.x ^ v.y ^ v.z ^ v.w;
    }
  }
  if (blockIdx.x == 0 && threadIdx.x < tailCount)
    all ^= tail[threadIdx.x];
  all = __reduce_xor_sync(~0u, all);
  if (threadIdx.x % 32 == 0)
    atomicXor(&joined, all);
  __syncthreads();
  if (threadIdx.x == 0)
    atomicXor(word, joined);
}

/// The same result, one word a load: what readOnly is checked against.
static __global__ void readPlain(const unsigned *__restrict__ x, int64_t n,
                                 unsigned *word) {
  unsigned all = 0;
  int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += step)
    all ^= x[i];
  atomicXor(word, all);
}

/// Reads n words with `loads` (2, 4, 8, 16) 16-byte loads in flight a thread,
/// `threads` a block and `blocks` blocks (0: one tile a block).
extern "C" int peers_read(int loads, int threads, int64_t blocks, const void *x,
                          int64_t n, unsigned *word, cudaStream_t stream) {
  const int64_t vectors = n / 4, tile = int64_t(loads) * threads;
  const int64_t tiles = (vectors + tile - 1) / tile;
  if (blocks == 0 || blocks > tiles)
    blocks = tiles > 0 ? tiles : 1;
  auto *from = static_cast<const uint4 *>(x);
  auto *tail = reinterpret_cast<const unsigned *>(from + vectors);
  int rest = int(n - 4 * vectors);
  switch (loads) {
#define READ(U)                                                                \
  case U:                                                                      \
    readOnly<U><<<unsigned(blocks), threads, 0, stream>>>(from, tail, rest,    \
                                                          vectors, word);      \
    return cudaGetLastError();
    READ(2)
    READ(4)
    READ(8)
    READ(16)
#undef READ
  }
  return cudaErrorInvalidValue;
}

extern "C" int peers_read_plain(const void *x, int64_t n, unsigned *word,
                                cudaStream_t stream) {
  readPlain<<<1024, 256, 0, stream>>>(static_cast<const unsigned *>(x), n,
                                      word);
  return cudaGetLastError();
}

extern "C" const char *peers_error(int error) {
  return cudaGetErrorString(cudaError_t(error));
}

/// Of CUB: 3000001 is 3.0.1.
extern "C" int peers_cccl_version() { return CCCL_VERSION; }
