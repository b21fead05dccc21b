"""bits.py - Random reductions on a GPU against the same ones on the CPU.

SPDX-FileCopyrightText: The Warpfold developers
SPDX-License-Identifier: Apache-2.0

Both devices have the same bytes, views and request. Results lie in buffers of
0xAB bytes with strides of their own, and the whole buffers are compared, so a
store beside a result is found too. NaNs are equal to each other: their bits
are the processor's. Where one device refuses, the other has to as well.
"""

import concurrent.futures
import math

from device import TYPES, View, WarpfoldError, check
from random_cases import Case, Layout, elements

BATCHES, CASES = 8, 30  # cases a batch
USER_PARAM = dict(map="(x) -> i32(raw(x)) + p",
                  combine="(a, b) -> if (a ^ b) % p == 0 then a - b * p "
                          "else max(a, b) * 3 + p",
                  finish="(s) -> s * p", commutative=True)


def resultBuffers(gpu, reduction, layouts, where):
    """A View a result, over 0xAB bytes."""
    views = []
    for (kind, shape), layout in zip(reduction.results, layouts):
        size = TYPES[kind][1]
        length = layout.length if layout else math.prod(shape)
        memory = gpu.torch.full((length * size,), 0xAB, dtype=gpu.torch.uint8,
                                device=where)
        views.append(View(memory, kind, shape, layout and layout.strides,
                          layout.first * size if layout else 0))
    return views


def sameBits(gpu, kind, ours, theirs):
    """Buffers of bytes, equal but for the bits of NaNs."""
    if kind not in ("f32", "f64"):
        return gpu.torch.equal(ours, theirs)
    a, b = ours.view(gpu.dtype(kind)), theirs.view(gpu.dtype(kind))
    words = gpu.torch.int32 if kind == "f32" else gpu.torch.int64
    return bool(((a.view(words) == b.view(words)) |
                 (a.isnan() & b.isnan())).all())


def reduce(gpu, device, views, layouts, request):
    """(status, results as Views on the CPU) of one device."""
    where = "cpu" if device == "cpu" else gpu.where
    strides = None
    if any(layouts):
        strides = [layout.strides for layout in layouts]
    try:
        reduction = gpu.prepare(views, device=device, threads=1,
                                result_strides=strides, **request)
    except WarpfoldError as error:
        return error.status, str(error), []
    try:
        results = resultBuffers(gpu, reduction, layouts, where)
        gpu.run(reduction, views, results)
        gpu.sync()
        for r in results:
            r.memory = r.memory.cpu()
        return 0, reduction.plan, results
    except WarpfoldError as error:
        return error.status, str(error), []
    finally:
        reduction.close()


def compare(gpu, case):
    """None, or what differs."""
    import numpy
    here, there = [], []
    for i, (kind, (shape, layout)) in enumerate(zip(case.types, case.inputs)):
        data = gpu.torch.from_numpy(elements(numpy, kind, layout.length,
                                             (case.seed, i)).copy())
        first = layout.first * TYPES[kind][1]
        here.append(View(data, kind, shape, layout.strides, first))
        there.append(View(data.to(gpu.where), kind, shape, layout.strides,
                          first))
    # As many layouts as a reduction has results at most; all are given.
    layouts = [Layout(case.rng, case.kept, repeats=False)
               if case.stridedResults else None for _ in range(8)]
    right = reduce(gpu, "cpu", here, layouts, case.request)
    ours = reduce(gpu, gpu.name, there, layouts, case.request)
    if right[0] > 1 or ours[0] > 1 or (right[0] == 0) != (ours[0] == 0):
        return f"cpu: {right[0]} {right[1]}; {gpu.name}: {ours[0]} {ours[1]}"
    for n, (a, b) in enumerate(zip(ours[2], right[2])):
        if not sameBits(gpu, a.kind, a.memory, b.memory):
            size = TYPES[a.kind][1]
            wrong = (a.memory != b.memory).reshape(-1, size).any(1)
            at = int(wrong.nonzero()[0])
            values = [m.memory.view(gpu.dtype(a.kind))[at].item()
                      for m in (a, b)]
            return (f"result {n}: {int(wrong.sum())} elements differ, the "
                    f"first at {at} of its buffer: {values[0]}, and the CPU "
                    f"has {values[1]}; plan {ours[1]}")
    return None


def batch(gpu, first, count):
    cases = [Case(seed) for seed in range(first, first + count)]
    with concurrent.futures.ThreadPoolExecutor(gpu.size(8, 2)) as pool:
        found = list(pool.map(lambda c: compare(gpu, c), cases))
    wrong = [f"{case}: {what}" for case, what in zip(cases, found) if what]
    check(not wrong, f"{len(wrong)} of {count} differ\n  " +
          "\n  ".join(wrong[:5]))
    return f"seeds {first} … {first + count - 1}"


def params(gpu):
    """Handles of one kernel with other params, run in turn."""
    x = gpu.view(gpu.arange(50_003, "i32"))
    for request, name, values in (
            (USER_PARAM, "p:i32", ("2", "7", "-3")),
            (dict(op="var"), "ddof", ("0", "1", "5000"))):
        right, handles = [], []
        for v in values:
            right.append(gpu.bitsOnCpu([x], params=[(name, v)], **request))
            handles.append(gpu.prepare([x], params=[(name, v)], **request))
        check(len({bytes(r[0].tolist()) for r in right}) == len(values),
              "the params make no difference: this tests nothing")
        for i in (0, 1, 2, 0, 2, 1):
            kind = handles[i].results[0][0]
            result = gpu.full(0, (1,), kind)
            gpu.run(handles[i], [x], [result], gpu.stream())
            gpu.sync()
            check(gpu.torch.equal(result.cpu().view(gpu.torch.uint8),
                                  right[i][0]),
                  f"{name}={values[i]} gives {result.tolist()}")
        for h in handles:
            h.close()


def alignments(gpu, kind):
    """The same elements from every start, by rows and in all, as a view and
    as rows of an odd pitch; other results than those of start 0 are wrong."""
    size, n, rows = TYPES[kind][1], 5003, 7
    values = gpu.torch.arange(rows * n, device=gpu.where) * 2654435761 % 251
    for pitch in (n, n + 1, n + 3):
        first = None
        for off in range(8):
            memory = gpu.full(0, (off + rows * pitch,), kind)
            grid = memory[off:].view(rows, pitch)[:, :n]
            grid.copy_(values.view(rows, n).to(grid.dtype))
            x = View(memory, kind, (rows, n), (pitch, 1), off * size)
            bits = [r.cpu().reshape(-1).view(gpu.torch.uint8)
                    for axes in ((1,), (0,), None)
                    for r in gpu.reduce([x], op="mean", axes=axes)]
            first = first or bits
            check(all(map(gpu.torch.equal, bits, first)),
                  f"pitch {pitch}, {off} elements off: other bits")


def tests(gpu):
    count = gpu.size(CASES, 12)
    for i in range(BATCHES):
        first = 1000 * (i + 1)
        yield f"random-{first}", lambda f=first: batch(gpu, f, count)
    yield "params", lambda: params(gpu)
    for kind in TYPES:
        yield f"alignments-{kind}", lambda k=kind: alignments(gpu, k)
