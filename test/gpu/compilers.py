"""compilers.py - What compilers of reductions got wrong, with right values.

SPDX-FileCopyrightText: The Warpfold developers
SPDX-License-Identifier: Apache-2.0

Part B of the known faults, the rows about lowering. Rows that any tree answers
alike run under several plans. Rows about messages, the front end, AMD
and instruction counts are tested elsewhere, without a GPU.
"""

import re

from device import TYPES, USER_ERROR, Skip, WarpfoldError, check
from stress import random

PLANS = (None, "v1", "v5:block=64")
LADDER = (None, "v0", "v1", "v2", "v3", "v4", "v5", "v3:vec=4", "v4:block=64")
NAN, INF = float("nan"), float("inf")
HIGHEST = {"u8": 255, "u32": 2**32 - 1, "u64": 2**64 - 1}
WELFORD = dict(map="(x) -> (mean: x, m2: f32(0), w: f32(1))",
               combine="(a, b) -> let w = a.w + b.w in "
                       "let d = b.mean - a.mean in (mean: a.mean + d * b.w / w,"
                       " m2: a.m2 + b.m2 + d * d * a.w * b.w / w, w: w)",
               commutative=True)


def reduced(gpu, view, **request):
    views = view if isinstance(view, list) else [view]
    got = [r.tolist() for r in gpu.reduce(views, **request)]
    return got[0] if len(got) == 1 else got


def equal(got, right, what=""):
    # repr: NaN equals NaN, and 0.0 is not -0.0.
    check(repr(got) == repr(right), f"{what}: {got} instead of {right}")


def everyPlan(gpu, view, right, plans=PLANS, **request):
    """`right` under each plan; the ladder may refuse, with a reason."""
    for plan in plans if gpu.plans else (None,):
        try:
            got = reduced(gpu, view, plan=plan, **request)
        except WarpfoldError as error:
            if error.status == USER_ERROR and plan and "atomic" in str(
                    error) or "the ladder folds runs" in str(error):
                continue
            raise
        equal(got, right, f"{request}, plan {plan}")


def order(gpu):
    """B1, B3, B4, B65: combines that are not commutative or associative."""
    for kind in ("f32", "i32"):
        x = gpu.view(gpu.arange(64, kind))
        for side, right in (("a", 0), ("b", 63)):
            got = reduced(gpu, x, combine=f"(a, b) -> {side}", order="ordered")
            check(got == right, f"'{side}' of arange(64): {got}")
    x = gpu.view(gpu.tensor([1, 2, 3, 4, 5, 6, 7, 8], "f32"))
    equal(reduced(gpu, x, combine="(a, b) -> a * 0.5 + b",
                  order="sequential"), 14.0078125)
    x = gpu.view(gpu.tensor([10, 1, 2], "i32"))
    equal(reduced(gpu, x, combine="(a, b) -> b - a", order="sequential"), 11)
    equal(reduced(gpu, x, combine="(a, b) -> b + a", commutative=True), 13)


def lanes(gpu):
    """B5, B6: all lanes of a warp hold the same; 100 launches, one result."""
    x = gpu.view(gpu.arange(128, "f32").repeat(16, 1))
    equal(reduced(gpu, x, axes=(1,), map="(x) -> x * x",
                  combine="(a, b) -> a + b"), [690880.0] * 16)
    y = gpu.view(random(gpu, (2048,), "f32"))
    right = gpu.bitsOnCpu([y], **WELFORD)
    for _ in range(gpu.size(100, 3)):
        for got, bits in zip(gpu.reduce([y], **WELFORD), right):
            check(gpu.torch.equal(got.cpu().reshape(1).view(gpu.torch.uint8),
                                  bits), "other bits than the CPU's")


def warps(gpu):
    """B9: an ordered sum has the same bits for 1, 2, 4, 8 and 16 warps."""
    if not gpu.plans:
        raise Skip("plans of GPUs")
    x = gpu.view(random(gpu, (1_000_003,), "f32"))
    auto = gpu.prepare([x], op="sum", order="ordered")
    plan, bits = auto.plan, gpu.bitsOnCpu([x], op="sum", order="ordered")[0]
    auto.close()
    for n in (1, 2, 4, 8, 16):
        text = re.sub(r"\bwarps=\d+", f"warps={n}", plan)
        text = re.sub(r"\bresident=\d+", "resident=1", text)
        text = re.sub(r"\bgroup=\d+", "group=128", text)
        (got,) = gpu.reduce([x], op="sum", order="ordered", plan=text)
        check(gpu.torch.equal(got.cpu().reshape(1).view(gpu.torch.uint8),
                              bits), f"other bits with {n} warps")


def accuracy(gpu):
    """B8: the error of 2048 terms is below log2(n) roundings."""
    x = random(gpu, (2048,), "f32")
    got = gpu.reduce([gpu.view(x)], op="sum")[0].double().item()
    error = abs(got - x.double().sum().item())
    bound = 11 * 2.0**-24 * x.double().abs().sum().item()
    check(error <= bound, f"error {error}, bound {bound}")


def ranks(gpu):
    """B11, B39, B54: ranks 1 to 8, and lengths 1 and 2 in every place."""
    for rank in range(1, 9):
        for short in range(rank):
            for length in (1, 2):
                shape = [3 if d % 2 else 2 for d in range(rank)]
                shape[short] = length
                n = 1
                for s in shape:
                    n *= s
                x = gpu.view(gpu.arange(n, "i32").view(shape))
                equal(reduced(gpu, x, op="sum"), n * (n - 1) // 2, f"{shape}")
                sums = gpu.reduce([x], op="sum", axes=(short,))[0]
                equal(int(sums.sum()), n * (n - 1) // 2, f"{shape} {short}")
    x = gpu.arange(64, "f32").view(8, 8)
    for axis in (0, 1):
        (half,) = gpu.reduce([gpu.view(x)], op="sum", axes=(axis,))
        equal(reduced(gpu, gpu.view(half), op="sum"), 2016.0)


def nans(gpu):
    """B12 to B15: one NaN anywhere; argmax gives its place."""
    for n in (2, 4, 64, 257):
        for at in range(n) if n < 65 else (0, 31, 32, 63, 128, 255, 256):
            values = [INF] * n
            values[at] = NAN
            x = gpu.view(gpu.tensor(values, "f32"))
            equal(reduced(gpu, x, op="argmax"), at)
            equal(reduced(gpu, x, op="max"), NAN)
            equal(reduced(gpu, x, op="max", nan_ignore=True), INF)
            equal(reduced(gpu, x, op="argmax", nan_ignore=True),
                  1 if at == 0 else 0)
    for values, most, least in (([NAN, 6, 8], 0, 0), ([3, 5, NAN], 2, 2),
                                ([3, NAN, 1], 1, 1), ([NAN] * 5, 0, 0)):
        x = gpu.view(gpu.tensor(values, "f64"))
        everyPlan(gpu, x, most, op="argmax", plans=(None, "v4", "v5"))
        everyPlan(gpu, x, least, op="argmin", plans=(None, "v4", "v5"))


def ties(gpu):
    """B17, B18, B20, B99: the first of equals, across warps and blocks."""
    for kind in TYPES:
        x = gpu.view(gpu.full(1, (512,), kind))
        everyPlan(gpu, x, 0, op="argmax", plans=(None, "v4", "v5"))
    for n in (248_320, 1 << 20):
        values = gpu.full(0, (n,), "f32")
        for first in (n // 2, n // 2 - 1, n // 3):
            values[first] = values[n - 1] = values[n // 2] = 5
            everyPlan(gpu, gpu.view(values.view(1, n)), [first], op="argmax",
                      axes=(1,), plans=(None, "v4", "v5"))
    everyPlan(gpu, gpu.view(gpu.full(0, (1000,), "f32")), 0.0, op="max")


def bools(gpu):
    """B21, B26, B29, B32."""
    ones = gpu.view(gpu.full(True, (32, 32), "bool"))
    everyPlan(gpu, ones, 1024, op="sum")
    everyPlan(gpu, ones, False, op="xor")
    pairs = gpu.full(False, (256, 2), "bool")
    pairs[::3, 1] = True
    equal(reduced(gpu, gpu.view(pairs), op="any", axes=(1,)),
          [r % 3 == 0 for r in range(256)])
    everyPlan(gpu, gpu.view(gpu.tensor([0, 1], "bool")), True, op="max")
    got = reduced(gpu, [gpu.view(gpu.full(True, (512,), "bool")),
                        gpu.view(gpu.arange(512, "f32"))],
                  map="(x, y) -> (n: f64(x), most: y)",
                  combine="(a, b) -> (n: a.n + b.n, most: max(a.most, b.most))")
    equal(got, [512.0, 511.0])


def integers(gpu):
    """B28, B30, B35, B36, B37: signs, narrow types, every neutral element."""
    for kind, highest in HIGHEST.items():
        torch = gpu.torch
        x = torch.tensor([0, 1, -1], device=gpu.where).to(
            {1: torch.int8, 4: torch.int32, 8: torch.int64}[TYPES[kind][1]])
        x = gpu.view(x.view(gpu.dtype(kind)))
        everyPlan(gpu, x, highest, op="max")
        everyPlan(gpu, x, 0, op="min")
    for n in (2, 5, 33, 1000):
        values = [7] * n
        values[0], values[-1] = 2**31 - 1, -2**31
        x = gpu.view(gpu.tensor(values, "i32"))
        everyPlan(gpu, x, 2**31 - 1, op="max")
        everyPlan(gpu, x, -2**31, op="min")
    for kind in TYPES:
        for n in (1, 33):
            x = gpu.view(gpu.full(1, (n,), kind))
            for op in ("sum", "prod", "max", "min"):
                if kind == "bool" and op == "prod":
                    continue
                got = reduced(gpu, x, op=op)
                check(got == (n if op == "sum" else 1),
                      f"{op} of {n} ones as {kind}: {got}")
    for kind in ("i8", "i16", "i32"):
        everyPlan(gpu, gpu.view(gpu.arange(8, kind)), 28, op="sum")
    got = gpu.reduce([gpu.view(gpu.arange(9, "f32"))], op="argmax")[0]
    check(got.dtype == gpu.torch.int64 and got.item() == 8, f"{got}")


def shapes(gpu):
    """B40 to B55, B75."""
    for shape in ((1, 8), (8, 1), (2, 2)):
        n = shape[0] * shape[1]
        everyPlan(gpu, gpu.view(gpu.arange(n, "i32").view(shape)),
                  n * (n - 1) // 2, op="sum")
    x = gpu.arange(16, "f32").view(16, 1)
    for op in ("max", "sum"):
        everyPlan(gpu, gpu.view(x), [float(i) for i in range(16)], op=op,
                  axes=(1,))
    strided = gpu.arange(32, "f32").view(8, 4)[:, ::2]
    everyPlan(gpu, gpu.view(strided), [4.0 * i + 2 for i in range(8)],
              op="max", axes=(1,))
    x = gpu.view(gpu.full(1, (4, 4, 2, 2), "f32"))
    (once,) = gpu.reduce([x], op="sum", axes=(2,))
    equal(reduced(gpu, gpu.view(once), op="sum", axes=(2,)), [[4.0] * 4] * 4)
    (once,) = gpu.reduce([gpu.view(gpu.full(1 / 128, (32, 128), "f32"))],
                         op="sum", axes=(1,))
    everyPlan(gpu, gpu.view(once), 32.0, op="sum")
    for rows in (2, 8, 64):
        everyPlan(gpu, gpu.view(gpu.full(1, (rows, 4, 16), "i32")),
                  [[rows] * 16] * 4, op="sum", axes=(0,))
    for rows, columns in ((257, 257), (33, 64), (4, 64), (8, 16)):
        ones = gpu.view(gpu.full(1, (rows, columns), "f32"))
        everyPlan(gpu, ones, [float(rows)] * columns, op="sum", axes=(0,))
        everyPlan(gpu, ones, [float(columns)] * rows, op="sum", axes=(1,))
    everyPlan(gpu, gpu.view(gpu.arange(4096, "f32")), 8386560.0, LADDER,
              op="sum")
    everyPlan(gpu, gpu.view(gpu.full(1, (8,), "f32")), 8.0, LADDER, op="sum")


def operands(gpu):
    """B46, B61, B63, B64, B69, B86, B93: several inputs and members."""
    a, b = gpu.arange(8, "f32").view(8, 1), gpu.arange(64, "f32").view(1, 64)
    minus = dict(map="(x, y) -> x - y", combine="(p, q) -> p + q")
    for axes, right in (((0,), [28.0 - 8 * c for c in range(64)]),
                        ((1,), [64.0 * r - 2016 for r in range(8)])):
        equal(reduced(gpu, [gpu.view(a), gpu.view(b)], axes=axes, **minus),
              right)
    x = gpu.view(gpu.arange(1000, "i32"))
    equal(reduced(gpu, x, map="(x) -> (s: x, first: x + 5)",
                  combine="(a, b) -> (s: a.s + b.s, first: a.first)",
                  order="ordered"), [499500, 5])
    p = (gpu.torch.arange(16 * 32, device=gpu.where) % 7).view(16, 32, 1)
    q = (gpu.torch.arange(32 * 16, device=gpu.where) % 5).view(1, 32, 16)
    p, q = p.to(gpu.torch.float32), q.to(gpu.torch.float32)
    whole = p.double() * q.double()
    for axis in (0, 1, 2):
        got = gpu.reduce([gpu.view(p), gpu.view(q)], axes=(axis,),
                         map="(x, y) -> (s: x * y, n: i32(1))",
                         combine="(a, b) -> (s: a.s + b.s, n: a.n + b.n)")
        check(gpu.torch.equal(got[0].double(), whole.sum(axis)) and
              bool((got[1] == whole.shape[axis]).all()), f"axis {axis}")
    last = dict(map="(x) -> (v: x, at: index)",
                combine="(a, b) -> if more(a.v, b.v) then a else b",
                finish="(s) -> s.at", order="ordered")
    equal(reduced(gpu, gpu.view(gpu.full(3, (2, 3, 4), "f32")), axes=(0,),
                  **last), [[1] * 4] * 3)
    members = "abcdef"
    record = ", ".join(f"{m}: x + {i}" for i, m in enumerate(members))
    joined = ", ".join(f"{m}: p.{m} + q.{m}" for m in members)
    equal(reduced(gpu, x, map=f"(x) -> ({record})",
                  combine=f"(p, q) -> ({joined})"),
          [499500 + 1000 * i for i in range(6)])


def scratch(gpu):
    """B71: dependent reductions one after the other, 100 times."""
    x = gpu.view(gpu.arange(256, "f32").view(16, 16))
    first = gpu.prepare([x], op="max", axes=(1,))
    rows, most = gpu.full(0, (16,), "f32"), gpu.full(0, (100,), "f32")
    second = gpu.prepare([gpu.view(rows)], op="sum")
    for i in range(100):
        gpu.run(first, [x], [rows], gpu.stream())
        gpu.run(second, [gpu.view(rows)], [most[i:]], gpu.stream())
    gpu.sync()
    check(bool((most == 2160).all()), f"{most.unique().tolist()}")
    first.close()
    second.close()


def tests(gpu):
    for name, test in (("B1-B3-B4-B65", order), ("B5-B6", lanes),
                       ("B8", accuracy), ("B9", warps),
                       ("B11-B39-B54", ranks), ("B12-B15", nans),
                       ("B17-B20-B99", ties), ("B21-B26-B29-B32", bools),
                       ("B28-B37", integers), ("B40-B55-B75", shapes),
                       ("B46-B93", operands), ("B71", scratch)):
        yield name, lambda t=test: t(gpu)
