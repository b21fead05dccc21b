"""stress.py - The same bits every time, whatever happens around a launch.

SPDX-FileCopyrightText: The Warpfold developers
SPDX-License-Identifier: Apache-2.0

The last block of a launch joins what the others left in memory and puts its
counters back to zero. A missing fence, a counter that is not zero, or scratch
that two launches share shows as another bit pattern, now and then: so every
launch has a place of its own for its result, filled with 0xFF before, and the
patterns are counted on the device.
"""

import re
import threading

from device import TYPES, check, pointers

REPEATS = 10_000
#: Products of odd determinants, whose order matters.
MATRIX = dict(map="(x) -> let v = i32(raw(x)) in (a: v | 1, b: v << 1, "
                  "c: i32(index) + v, d: (v * 5) | 1)",
              combine="(p, q) -> (a: p.a * q.a + p.b * q.c, "
                      "b: p.a * q.b + p.b * q.d, c: p.c * q.a + p.d * q.c, "
                      "d: p.c * q.b + p.d * q.d)")
#: name: (type of the elements, what is asked)
REDUCTIONS = {"sum": ("f32", dict(op="sum")),
              "argmax": ("f32", dict(op="argmax")),
              "var": ("f64", dict(op="var")),
              "sum8": ("i8", dict(op="sum")),
              "matrix": ("i32", dict(MATRIX, order="ordered"))}


class Slots:
    """Places for the results of `n` launches."""

    def __init__(self, gpu, reduction, n, fill=0xFF):
        self.gpu, self.n, self.sizes = gpu, n, []
        for kind, shape in reduction.results:
            size = TYPES[kind][1]
            for d in shape:
                size *= d
            self.sizes.append(size)
        self.places = [gpu.torch.full((n, size), fill, dtype=gpu.torch.uint8,
                                      device=gpu.where) for size in self.sizes]
        self.first = [p.data_ptr() for p in self.places]

    def pointers(self, i):
        return pointers([a + i * s for a, s in zip(self.first, self.sizes)])

    def check(self, expected):
        """One pattern, and the expected one (bytes on the CPU)."""
        for place, right in zip(self.places, expected):
            wrong = int((place != place[0]).any(dim=1).sum())
            if wrong:
                patterns = len(self.gpu.torch.unique(place, dim=0))
                check(False, f"{wrong} of {self.n} launches differ from the "
                             f"first: {patterns} bit patterns")
            check(self.gpu.torch.equal(place[0].cpu(), right),
                  f"all launches agree on {place[0][:16].tolist()}, the CPU "
                  f"has {right[:16].tolist()}")


def random(gpu, shape, kind, seed=1):
    torch = gpu.torch
    make = torch.Generator(device=gpu.where).manual_seed(seed)
    if kind in ("f32", "f64"):
        return torch.randn(shape, generator=make, device=gpu.where,
                           dtype=gpu.dtype(kind))
    return torch.randint(-100, 100, shape, generator=make, device=gpu.where,
                         dtype=gpu.dtype(kind))


def launches(gpu, reduction, view, slots, which, stream):
    """Enqueues a launch into each slot of `which`."""
    run, handle = gpu.library.c.wf_run, reduction.handle
    source = pointers([view.address])
    for i in which:
        gpu.library.check(run(handle, source, slots.pointers(i), stream))


def repeated(gpu, view, request, n):
    """n launches, then ten more over zeros, against the CPU."""
    expected = gpu.bitsOnCpu([view], **{k: v for k, v in request.items()
                                        if k != "plan"})
    reduction = gpu.prepare([view], **request)
    for repeats, fill in ((n, 0xFF), (10, 0x00)):
        slots = Slots(gpu, reduction, repeats, fill)
        launches(gpu, reduction, view, slots, range(repeats), gpu.stream())
        gpu.sync()
        slots.check(expected)
    reduction.close()
    return f"{n} launches, one bit pattern"


def field(plan, name):
    return int(re.search(rf"\b{name}=(\d+)", plan)[1])


def full(gpu, kind, request, runs):
    """Of so many runs that join by a ticket: a plan of one warp a block."""
    def run():
        unit = 32 * (16 // TYPES[kind][1])
        if not gpu.plans:
            x = gpu.view(random(gpu, (min(runs, 9) * 32 * unit - 5,), kind))
            return repeated(gpu, x, request, 10)
        # What a warp folds at once: 32 rows, or `flight` rows in order.
        ordered = request.get("order") == "ordered"
        long = gpu.view(gpu.full(0, (1,), kind), (1 << 24,), (0,))
        auto = gpu.prepare([long], **request)
        rows = field(auto.plan, "flight") if ordered else 32
        auto.close()
        x = gpu.view(random(gpu, (runs * rows * unit - 5,), kind))
        auto = gpu.prepare([x], **request)
        plan = auto.plan
        auto.close()
        for name, value in (("warps", "1"), ("run", "1"), ("whole", "no"),
                            ("group", "128" if runs > 512 else "0"),
                            ("grid", "ticket" if runs > 1 else "none")):
            plan = re.sub(rf"\b{name}=\w+", f"{name}={value}", plan)
        check("form=warp" in plan, f"the plan is {plan}")
        return repeated(gpu, x, dict(request, plan=plan),
                        gpu.size(REPEATS, 10))
    return run


def column(gpu, kind, request, levels):
    """The first height whose plan has so many levels of tickets."""
    def joins(rows):
        x = gpu.view(gpu.full(0, (1,), kind), (rows, 64), (64, 1))
        reduction = gpu.prepare([x], axes=(0,), **request)
        plan = reduction.plan
        reduction.close()
        return ("form=column" in plan and "grid=ticket" in plan and
                (field(plan, "group") > 0) == (levels == 2))

    def run():
        heights = [10**d * m + 1 for d in (2, 3, 4, 5) for m in (3, 7, 15)]
        rows = next(filter(joins, heights), None) if gpu.plans else 15_001
        check(rows, f"no plan with {levels} levels: this tests nothing")
        x = gpu.view(random(gpu, (rows, 64), kind))
        return f"{rows} rows: " + repeated(gpu, x, dict(request, axes=(0,)),
                                           gpu.size(REPEATS, 10))
    return run


def mod7(gpu):
    """CO1: integers mod 7 as f32, 2^26 of them."""
    n = gpu.size(1 << 26, 1 << 16)
    x = gpu.view((gpu.torch.arange(n, device=gpu.where) % 7).to(
        gpu.torch.float32))
    return repeated(gpu, x, dict(op="sum"), gpu.size(REPEATS, 10))


def pairs(gpu):
    """Two reductions whose last blocks are the busiest: name, view, request."""
    n = gpu.size(20_000_003, 70_003)
    x = gpu.view(random(gpu, (n,), "f32"))
    y = gpu.view(random(gpu, (gpu.size(70_001, 701), 64), "f32", seed=2))
    return [(x, dict(op="sum")), (x, dict(op="sum")),
            (y, dict(op="argmax", axes=(0,)))]


def twoStreams(gpu):
    """Two handles on two streams at once: the same request, and another."""
    gpu.needsGpu()
    n, (a, b, c) = REPEATS // 2, pairs(gpu)
    for first, second in ((a, b), (a, c)):
        prepared = [gpu.prepare([v], **r) for v, r in (first, second)]
        streams = [gpu.torch.cuda.Stream() for _ in prepared]
        slots = [Slots(gpu, p, n) for p in prepared]
        gpu.sync()
        for i in range(n):
            for p, s, (view, _), stream in zip(prepared, slots,
                                               (first, second), streams):
                launches(gpu, p, view, s, (i,), stream.cuda_stream)
        gpu.sync()
        for p, s, (view, request) in zip(prepared, slots, (first, second)):
            s.check(gpu.bitsOnCpu([view], **request))
            p.close()
    return f"2 x {2 * n} launches"


def twoThreads(gpu):
    """One handle, one stream, two threads with inputs of their own."""
    n, size = gpu.size(5000, 20), gpu.size(20_000_003, 70_003)
    views = [gpu.view(random(gpu, (size,), "f32", seed)) for seed in (3, 4)]
    reduction = gpu.prepare(views[:1], op="sum")
    slots = [Slots(gpu, reduction, n) for _ in views]
    gpu.sync()
    stream, failures = gpu.stream(), []

    def work(view, into):
        try:
            launches(gpu, reduction, view, into, range(n), stream)
        except Exception as error:  # noqa: BLE001 - told by the main thread
            failures.append(str(error))

    threads = [threading.Thread(target=work, args=pair)
               for pair in zip(views, slots)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    gpu.sync()
    check(not failures, "; ".join(failures))
    for view, s in zip(views, slots):
        s.check(gpu.bitsOnCpu([view], op="sum"))
    reduction.close()
    return f"2 x {n} launches"


def graph(gpu, shape, kind, request):
    """A captured call, replayed; then with other elements in its input."""
    def run():
        gpu.needsGpu()
        torch, n = gpu.torch, 1000
        tensors = [random(gpu, shape, kind, seed) for seed in (5, 6)]
        x = gpu.view(tensors[0].clone())
        reduction = gpu.prepare([x], **request)
        here, slots = Slots(gpu, reduction, 1), Slots(gpu, reduction, n)
        side = torch.cuda.Stream()
        gpu.sync()
        launches(gpu, reduction, x, here, (0,), side.cuda_stream)
        gpu.sync()
        recorded = torch.cuda.CUDAGraph()
        with torch.cuda.graph(recorded, stream=side):
            launches(gpu, reduction, x, here, (0,),
                     torch.cuda.current_stream().cuda_stream)
        free = {k: v for k, v in request.items() if k != "plan"}
        for tensor, repeats in ((tensors[0], n), (tensors[1], 10)):
            x.memory.copy_(tensor)
            for i in range(repeats):
                for place in here.places:
                    place.fill_(0xFF)
                recorded.replay()
                for place, one in zip(slots.places, here.places):
                    place[i].copy_(one[0])
            gpu.sync()
            for place in slots.places:
                place[repeats:] = place[0]
            slots.check(gpu.bitsOnCpu([gpu.view(tensor)], **free))
        # A direct call still works beside the graph.
        launches(gpu, reduction, x, here, (0,), gpu.stream())
        gpu.sync()
        here.check(gpu.bitsOnCpu([gpu.view(tensors[1])], **free))
        del recorded
        reduction.close()
        return f"{n} replays"
    return run


def tests(gpu):
    from failures import misaligned, outOfMemory
    for name, (kind, request) in REDUCTIONS.items():
        for runs in (1, 2, 129, 600, 5000):
            yield f"full-{name}-{runs}", full(gpu, kind, request, runs)
    for name in ("sum", "argmax"):
        kind, request = REDUCTIONS[name]
        yield f"column-{name}-1", column(gpu, kind, request, 1)
        yield f"column-{name}-2", column(gpu, kind, request, 2)
    yield "CO1", lambda: mod7(gpu)
    yield "two-streams", lambda: twoStreams(gpu)
    yield "two-threads", lambda: twoThreads(gpu)
    for name, shape, kind, request in (
            ("ticket", (20_000_003,), "f32", dict(op="sum")),
            ("column", (70_001, 64), "f32", dict(op="argmax", axes=(0,))),
            ("rows", (1000, 4099), "f64", dict(op="var", axes=(1,))),
            ("launch", (1_000_003,), "f32", dict(op="max", plan="v4")),
            ("atomic", (1_000_003,), "i32", dict(op="sum", plan="v1"))):
        yield f"graph-{name}", graph(gpu, shape, kind, request)
    yield "misaligned-then-good", lambda: misaligned(gpu)
    yield "out-of-memory-then-good", lambda: outOfMemory(gpu)
