"""cases.py - Faults of other systems on a GPU, with the right values.

SPDX-FileCopyrightText: The Warpfold developers
SPDX-License-Identifier: Apache-2.0

The names are those of the suite of known faults: IX and VW here, about sizes
and views; CO, about launches; and in compilers.py B, what compilers got wrong.
test/cases/part_a.txt has the rows of a CPU. Right values are written down, not
computed by another library; a row that needs more than there is says so.
"""

import compilers
from device import Skip, View, check
from stress import random


def equal(got, right):
    check(got == right, f"{got} instead of {right}")


def one(gpu, view, **request):
    return gpu.reduce([view], **request)[0].tolist()


def repeated(gpu, value, n, kind):
    """One element, n times, by a stride of 0."""
    return gpu.view(gpu.full(value, (1,), kind), (n,), (0,))


def needs(what):
    def skip():
        raise Skip(what)
    return skip


def indexWidth(gpu):
    """IX1, IX4, IX7, IX11."""
    equal(one(gpu, repeated(gpu, 1, 2**31 + 5, "i8"), op="sum"), 2147483653)
    n = 2147483647
    equal(one(gpu, repeated(gpu, 1, n, "f64"), op="sum"), 2147483647.0)
    equal(one(gpu, repeated(gpu, 1, n, "f32"), op="sum"), 2147483648.0)
    wide = repeated(gpu, 59, 2**32 + 1, "i64")
    equal(one(gpu, wide, op="mean"), 59.0)
    equal(one(gpu, wide, op="xor"), 59)
    equal(one(gpu, gpu.view(gpu.full(1, (10**8,), "f32")), op="sum"), 1e8)


def multiples(gpu):
    """IX4: one more and one less than rows, chunks, blocks and groups."""
    ones = gpu.full(1, (16 * 128 * 4096 + 1,), "f32")
    for n in (128, 512, 4096, 8192, 16 * 4096, 132 * 4096, 512 * 4096,
              16 * 128 * 4096):
        for d in (-1, 0, 1):
            equal(one(gpu, gpu.view(ones, (n + d,), (1,)), op="sum"), n + d)


def intMax(gpu):
    """IX2: u64 counting; IX3: the first of equals, just below 2^31."""
    n = gpu.size(2147483647, 99_999)
    equal(one(gpu, gpu.view(gpu.torch.arange(n, device=gpu.where).view(
        gpu.torch.uint64)), op="max"), n - 1)
    ones = gpu.full(1, (n,), "i8")
    for k in (0, 1, 7, 4095, 4096):
        equal(one(gpu, gpu.view(ones, (n - k,), (1,)), op="argmin"), 0)


def lengthOne(gpu):
    """IX6: reduced over an axis of length 1, a huge array is itself."""
    torch, edge = gpu.torch, gpu.size(1024, 64)
    shape = (8, 1, 128, edge, edge)
    x = torch.arange(8 * 128 * edge * edge, device=gpu.where)
    x = (x * 7 % 251 - 125).to(torch.int8).view(shape)
    (got,) = gpu.reduce([gpu.view(x)], op="sum", axes=(1,), acc="i8")
    check(torch.equal(got, x[:, 0]), "not itself")


def shortRows(gpu):
    """IX8: row number times row length passes 32 bits."""
    rows = gpu.size(16_000_000, 16_000)
    x = gpu.full(1, (rows, 200), "i8")
    x[-1] = 2
    (got,) = gpu.reduce([gpu.view(x)], op="sum", axes=(1,), acc="i32")
    check(bool((got[:-1] == 200).all()) and got[-1].item() == 400,
          f"last {got[-1].item()}, others from {got.min()} to {got.max()}")


def axisPairs(gpu):
    """IX13."""
    ones = gpu.view(gpu.full(1, (124, 9, 59), "f64"))
    for axes, right, n in (((0, 1), 1116.0, 59), ((1, 2), 531.0, 124),
                           ((0, 2), 7316.0, 9)):
        equal(one(gpu, ones, op="sum", axes=axes), [right] * n)


def freeStrides(gpu):
    """VW2: the stride of an axis of length 1 means nothing."""
    zeros = gpu.full(0, (1000,), "f64")
    for stride in (1, 10**9, -7, 0):
        x = gpu.view(zeros, (500, 2, 1), (2, 1, stride))
        equal(one(gpu, x, op="max"), 0.0)
        equal(one(gpu, x, op="max", axes=(2,)), [[0.0, 0.0]] * 500)


def alignment(gpu):
    """VW4: the same data at another alignment gives the same bits."""
    n = 764_294
    data, first = random(gpu, (n,), "f64", 4), None
    for bytesOff in (0, 8, 16, 24):
        memory = gpu.full(0, (n + 3,), "f64")
        memory[bytesOff // 8:][:n] = data
        x = View(memory, "f64", (n,), first=bytesOff)
        bits = gpu.reduce([x], op="sum")[0].view(gpu.torch.int64).item()
        first = bits if first is None else first
        equal(bits, first)


def oddSlices(gpu):
    """VW5: odd starts and tails."""
    ones = gpu.full(1, (1056,), "i8")
    for off in range(16):
        for tail in range(16):
            x = gpu.view(ones, (1024 + tail,), (1,), first=off)
            equal(one(gpu, x, op="sum"), 1024 + tail)


def transposed(gpu):
    """VW7: a transposed array gives the bits of its contiguous copy."""
    x, torch = random(gpu, (257, 513), "f32", 7), gpu.torch
    kinds = [gpu.reduce([gpu.view(v)], op="sum", axes=(axis,))[0].view(
        torch.int32) for v, axis in ((x.t(), 0), (x.t().contiguous(), 0),
                                     (x, 1))]
    check(torch.equal(kinds[0], kinds[1]) and torch.equal(kinds[0], kinds[2]),
          "other bits")


def launches(gpu):
    """CO3, CO4, CO10."""
    x = gpu.full(1, (8, 131_072), "f32").t()
    equal(one(gpu, gpu.view(x), op="sum", axes=(0,)), [131072.0] * 8)
    fields = ("x", "y", "z", "w")
    record = ", ".join(f"{f}: v" for f in fields)
    joined = ", ".join(f"{f}: a.{f} + b.{f}" for f in fields)
    got = gpu.reduce([gpu.view(gpu.full(1, (100_000,), "f32"))],
                     map=f"(v) -> ({record})", combine=f"(a, b) -> ({joined})")
    equal([g.item() for g in got], [100_000.0] * 4)
    equal(one(gpu, gpu.view(gpu.arange(10, "i64")), map="(x) -> x * x",
              combine="(a, b) -> a + b"), 285)


def tests(gpu):
    for name, test in (("IX1-IX4-IX7-IX11", indexWidth), ("IX4", multiples),
                       ("IX2-IX3", intMax), ("IX6", lengthOne),
                       ("IX8", shortRows), ("IX13", axisPairs),
                       ("VW2", freeStrides), ("VW4", alignment),
                       ("VW5", oddSlices), ("VW7", transposed),
                       ("CO3-CO4-CO10", launches)):
        yield name, lambda t=test: t(gpu)
    yield "IX10", needs("segments are not there yet")
    yield "IX14", needs("logsumexp needs exp and log")
    yield from compilers.tests(gpu)
