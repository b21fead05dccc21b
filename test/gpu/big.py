"""big.py - More elements than 32 bits count, further away than they reach.

SPDX-FileCopyrightText: The Warpfold developers
SPDX-License-Identifier: Apache-2.0

`warpfold selftest --big` repeats one element; here the memory is there, and
the right values are known in closed form.
"""

from device import View, check


def value(gpu, view, right, **request):
    result = gpu.reduce([view], **request)[0].item()
    check(result == right, f"{request}: {result} instead of {right}")


def long(gpu, kind, n):
    """Ones, and others planted near the end."""
    memory = gpu.full(1, (n,), kind)
    x = gpu.view(memory)
    if kind == "bool":
        value(gpu, x, n, op="sum")
        value(gpu, x, n, op="count_nonzero")
        value(gpu, x, True, op="all")
        memory[n - 2] = False
        value(gpu, x, False, op="all")
        value(gpu, x, n - 2, op="argmin")
        memory.fill_(False)
        value(gpu, x, False, op="any")
        memory[n - 1] = True
        value(gpu, x, True, op="any")
        value(gpu, x, n - 1, op="argmax")
        return
    value(gpu, x, n, op="sum")
    value(gpu, x, n, op="count_nonzero")
    value(gpu, x, 0, op="argmax")
    memory[n - 3], memory[n - 1] = 3, 0
    value(gpu, x, n + 1, op="sum")
    value(gpu, x, n - 1, op="count_nonzero")
    value(gpu, x, 3, op="max")
    value(gpu, x, n - 3, op="argmax")
    value(gpu, x, n - 1, op="argmin")
    # One element off alignment, and so another kernel.
    off = gpu.view(memory, (n - 1,), (1,), first=1)
    value(gpu, off, n, op="sum")
    value(gpu, off, n - 4, op="argmax")


def rowsAndColumns(gpu, rows, columns):
    """x[r, c] = a[r] + b[c] in i8: more than 2^31 elements in all, and many
    outputs either way."""
    torch = gpu.torch
    a = (torch.arange(rows, device=gpu.where) * 7 % 50).to(torch.int8)
    b = (torch.arange(columns, device=gpu.where) * 11 % 61).to(torch.int8)
    x = gpu.view(a[:, None] + b[None, :])
    sums = {0: a.sum() + rows * b.long(), 1: columns * a.long() + b.sum()}
    # The first of equal maxima of the other term.
    places = {0: a.argmax(), 1: b.argmax()}
    for axis in (0, 1):
        (got,) = gpu.reduce([x], op="sum", axes=(axis,))
        check(torch.equal(got, sums[axis]), f"sum over axis {axis}: "
              f"{int((got != sums[axis]).sum())} of {len(got)} are wrong")
        largest = (b + a.max()) if axis == 0 else (a + b.max())
        (got,) = gpu.reduce([x], op="max", axes=(axis,))
        check(torch.equal(got, largest), f"max over axis {axis}")
        first = int((a == a[places[0]]).nonzero()[0] if axis == 0 else
                    (b == b[places[1]]).nonzero()[0])
        (got,) = gpu.reduce([x], op="argmax", axes=(axis,))
        check(bool((got == first).all()), f"argmax over axis {axis}: "
              f"{got[:4].tolist()} … instead of {first}")


def farApart(gpu, log):
    """Views of few elements, the last of them past 2^33 bytes."""
    far = 1 << log
    memory = gpu.full(100, (far + 5000,), "i8")
    step = (far >> 12) + 1  # 4097 elements of a stride of more than 2^21
    memory[0:4096 * step + 1:step] = 1
    memory[4096 * step] = 9
    for first, strides, at in ((0, (step,), 4096), (4096 * step, (-step,), 0)):
        x = View(memory, "i8", (4097,), strides, first)
        value(gpu, x, 4096 + 9, op="sum")
        value(gpu, x, at, op="argmax")
    # Rows further apart than 2^31 elements, and the same as columns.
    pitch = (far >> 2) + 7
    for r in range(4):
        memory[r * pitch:r * pitch + 5000] = r + 1
    for shape, strides, axis in (((4, 5000), (pitch, 1), 1),
                                 ((5000, 4), (1, pitch), 0)):
        x = View(memory, "i8", shape, strides)
        (got,) = gpu.reduce([x], op="sum", axes=(axis,))
        check(got.tolist() == [5000 * (r + 1) for r in range(4)],
              f"sums of far rows: {got.tolist()}")
        (got,) = gpu.reduce([x], op="sum", axes=(1 - axis,))
        check(bool((got == 10).all()), f"sums across far rows: {got[:4]}")
    # Results that far apart.
    ones = gpu.view(gpu.full(1, (3, 70), "i8"))
    reduction = gpu.prepare([ones], op="max", axes=(1,),
                            result_strides=[(far >> 1,)])
    memory[:: far >> 1] = 77
    gpu.run(reduction, [ones], [memory], gpu.stream())
    gpu.sync()
    check(memory[:: far >> 1][:3].tolist() == [1, 1, 1], "results far apart")
    check(int(memory[1]) == 1 and int(memory[far - 1]) == 100,
          "something else was written")
    reduction.close()


def tests(gpu):
    for kind in ("i8", "u8", "bool"):
        for log, d in ((31, -3), (31, 3), (32, 3)):
            n = (1 << gpu.size(log, log - 12)) + d
            yield f"{kind}-2^{log}{d:+}", lambda k=kind, n=n: long(gpu, k, n)
    rows, columns = gpu.size(((1 << 16) + 1, (1 << 15) + 3),
                             ((1 << 9) + 1, (1 << 8) + 3))
    yield "rows-and-columns", lambda: rowsAndColumns(gpu, rows, columns)
    yield "columns-and-rows", lambda: rowsAndColumns(gpu, columns, rows)
    yield "far-apart", lambda: farApart(gpu, gpu.size(33, 20))
