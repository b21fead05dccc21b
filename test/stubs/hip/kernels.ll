; Kernels of the tests of HIP devices: arguments of several kinds, a bound of
; the work group, LDS. Assembled for several architectures by CMakeLists.txt.
; SPDX-FileCopyrightText: The Warpfold developers
; SPDX-License-Identifier: Apache-2.0
target triple = "amdgcn-amd-amdhsa"

@lds = internal addrspace(3) global [64 x i32] poison, align 4

declare i32 @llvm.amdgcn.workitem.id.x()

; 44 bytes of arguments: the last of them ends before the segment does.
define amdgpu_kernel void @scale(ptr addrspace(1) %to, i32 %count,
                                 { i64, i64, i64 } %state, float %factor) #0 {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %low = and i32 %i, 63
  %slot = getelementptr [64 x i32], ptr addrspace(3) @lds, i32 0, i32 %low
  store i32 %count, ptr addrspace(3) %slot
  %s = extractvalue { i64, i64, i64 } %state, 1
  store i64 %s, ptr addrspace(1) %to
  %f = getelementptr float, ptr addrspace(1) %to, i32 %i
  store float %factor, ptr addrspace(1) %f
  ret void
}

define amdgpu_kernel void @nothing() #1 {
  ret void
}

; Asks for what only the runtime knows, so its segment has hidden arguments.
define amdgpu_kernel void @sizes(ptr addrspace(1) %to) #1 {
  %implicit = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %blocks = load i32, ptr addrspace(4) %implicit
  store i32 %blocks, ptr addrspace(1) %to
  ret void
}

declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()

attributes #0 = { "amdgpu-flat-work-group-size"="1,256" }
attributes #1 = { "amdgpu-flat-work-group-size"="1,1024" }
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"amdhsa_code_object_version", i32 500}
