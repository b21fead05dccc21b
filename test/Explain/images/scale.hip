// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
// Needs no SDK. For the files beside it, CHIP being gfx1100 and gfx90a:
//   clang -x hip --offload-device-only --no-gpu-bundle-output -nogpuinc
//         -nogpulib --offload-arch=CHIP -O2 -o scale.CHIP.hsaco scale.hip
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))

__global__ void scale(const float *x, float *y, float factor, int n) {
  __shared__ float tile[64];
  int lane = __builtin_amdgcn_workitem_id_x();
  int i = __builtin_amdgcn_workgroup_id_x() * 64 + lane;
  tile[lane] = i < n ? x[i] : 0;
  __builtin_amdgcn_s_barrier();
  if (i < n)
    y[i] = tile[lane ^ 63] * factor;
}
