"""Compiles kernels of our own with Triton and keeps each stage's text.

SPDX-FileCopyrightText: The Warpfold developers
SPDX-License-Identifier: Apache-2.0

usage: make.py DIRECTORY

Needs the Triton package and no GPU. Writes <kernel>.<target>.<stage>, without
the folders of this file and of Triton, and without DWARF. The dumps beside this
file are Triton 3.9.0's.
"""
import pathlib
import re
import sys

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def sum_rows(x, y, stride, N: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, N)
    tl.store(y + row, tl.sum(tl.load(x + row * stride + columns), axis=0))


@triton.jit
def max_rows(x, y, stride, N: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, N)
    tl.store(y + row, tl.max(tl.load(x + row * stride + columns), axis=0))


@triton.jit
def argmax_rows(x, y, z, stride, N: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, N)
    value, index = tl.max(tl.load(x + row * stride + columns), axis=0,
                          return_indices=True)
    tl.store(y + row, value)
    tl.store(z + row, index)


@triton.jit
def sum_i32(x, y, N: tl.constexpr):
    columns = tl.arange(0, N)
    tl.store(y, tl.sum(tl.load(x + columns), axis=0))


@triton.jit
def sum_columns(x, y, M: tl.constexpr, N: tl.constexpr):
    rows = tl.arange(0, M)
    columns = tl.arange(0, N)
    tile = tl.load(x + rows[:, None] * N + columns[None, :])
    tl.store(y + columns, tl.sum(tile, axis=0))


@triton.jit
def center_both(x, y, M: tl.constexpr, N: tl.constexpr):
    """Sums along both axes of one tile."""
    rows = tl.arange(0, M)
    columns = tl.arange(0, N)
    at = rows[:, None] * N + columns[None, :]
    tile = tl.load(x + at)
    down = tl.sum(tile, axis=0)
    right = tl.sum(tile, axis=1)
    tl.store(y + at, tile - down[None, :] - right[:, None])


@triton.jit
def transpose_sum(x, y, z, M: tl.constexpr, N: tl.constexpr):
    rows = tl.arange(0, M)
    columns = tl.arange(0, N)
    tile = tl.load(x + rows[:, None] * N + columns[None, :])
    turned = tl.trans(tile)
    tl.store(z + columns[:, None] * M + rows[None, :], turned)
    tl.store(y + columns, tl.sum(turned, axis=1))


@triton.jit
def sum_f16(x, y, N: tl.constexpr):
    columns = tl.arange(0, N)
    tl.store(y, tl.sum(tl.load(x + columns), axis=0))


@triton.jit
def sum_f16_loop(x, y, count, N: tl.constexpr):
    columns = tl.arange(0, N)
    total = tl.zeros([N], tl.float16)
    for i in range(count):
        total += tl.load(x + i * N + columns)
    tl.store(y, tl.sum(total.to(tl.float32), axis=0))


@triton.jit
def right_of_two(a, b):
    return b


@triton.jit
def keep_right(x, y, N: tl.constexpr):
    columns = tl.arange(0, N)
    tl.store(y, tl.reduce(tl.load(x + columns), 0, right_of_two))


@triton.jit
def mean_of_two(a, b):
    return a * 0.5 + b * 0.5


@triton.jit
def half_and_half(x, y, N: tl.constexpr):
    columns = tl.arange(0, N)
    tl.store(y, tl.reduce(tl.load(x + columns), 0, mean_of_two))


@triton.jit
def welford(mean1, m1, n1, mean2, m2, n2):
    delta = mean2 - mean1
    n = n1 + n2
    share = tl.where(n == 0.0, 0.0, n2 / n)
    return mean1 + delta * share, m1 + m2 + delta * delta * n1 * share, n


@triton.jit
def variance(x, y, N: tl.constexpr):
    columns = tl.arange(0, N)
    value = tl.load(x + columns)
    zero = tl.zeros([N], tl.float32)
    mean, m2, n = tl.reduce((value, zero, zero + 1.0), 0, welford)
    tl.store(y, m2 / n)


F = "*fp32"
KERNELS = [
    # function, signature, constants, warps
    (sum_rows, {"x": F, "y": F, "stride": "i32"}, {"N": 1024}, 4),
    (max_rows, {"x": F, "y": F, "stride": "i32"}, {"N": 1024}, 4),
    (argmax_rows, {"x": F, "y": F, "z": "*i32", "stride": "i32"},
     {"N": 512}, 4),
    (sum_i32, {"x": "*i32", "y": "*i32"}, {"N": 1024}, 4),
    (sum_columns, {"x": F, "y": F}, {"M": 64, "N": 32}, 4),
    (center_both, {"x": F, "y": F}, {"M": 32, "N": 32}, 4),
    (transpose_sum, {"x": F, "y": F, "z": F}, {"M": 32, "N": 64}, 4),
    (sum_f16, {"x": "*fp16", "y": "*fp16"}, {"N": 4096}, 4),
    (sum_f16_loop, {"x": "*fp16", "y": F, "count": "i32"}, {"N": 512}, 4),
    (keep_right, {"x": F, "y": F}, {"N": 128}, 4),
    (half_and_half, {"x": F, "y": F}, {"N": 128}, 4),
    (variance, {"x": F, "y": F}, {"N": 256}, 2),
]
# Enough of AMD's to read every stage of it.
BOTH = ("sum_rows", "transpose_sum")
TARGETS = {"sm_90": GPUTarget("cuda", 90, 32),
           "gfx942": GPUTarget("hip", "gfx942", 64)}


def plain(text, stage):
    """Without folders of this machine and debug sections."""
    for folder in (pathlib.Path(__file__).resolve().parent,
                   pathlib.Path(triton.__file__).resolve().parent.parent):
        text = text.replace(f"{folder}/", "").replace(f'"{folder}"', '"."')
    text = re.sub(r'directory: "[^"]*/(triton/[^"]*)"', r'directory: "\1"', text)
    if stage == "ptx":
        text = text.split("\t.section\t.debug")[0]
    if stage == "amdgcn":
        text = re.sub(r"(?ms)^\t\.section\t\.debug.*?(?=^\t\.section\t(?!\.debug)"
                      r"|^\t\.ident|^\t\.amdgpu_metadata)", "", text)
    return text


def main():
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    for function, signature, constants, warps in KERNELS:
        for name, target in TARGETS.items():
            if name != "sm_90" and function.__name__ not in BOTH:
                continue
            whole = dict(signature, **{c: "constexpr" for c in constants})
            source = ASTSource(function, whole, constants)
            kernel = triton.compile(source, target=target,
                                    options={"num_warps": warps})
            for stage in ("ttir", "ttgir", "llir", "ptx", "amdgcn"):
                if stage in kernel.asm:
                    path = out / f"{function.__name__}.{name}.{stage}"
                    path.write_text(plain(kernel.asm[stage], stage))


if __name__ == "__main__":
    main()
