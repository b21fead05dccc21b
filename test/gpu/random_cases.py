"""random_cases.py - Random reductions of random views, a function of a seed.

SPDX-FileCopyrightText: The Warpfold developers
SPDX-License-Identifier: Apache-2.0
"""

import math
import random

from device import TYPES

INTEGERS = ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64")
FLOATS = ("f32", "f64")
OPS = ("sum", "prod", "max", "min", "argmax", "argmin", "mean", "var", "std",
       "norm1", "norm2", "aminmax", "any", "all", "count_nonzero")
BITS = ("xor", "bitand", "bitor")
#: (inputs, clauses); orders matter to all but the second and the last
USERS = (
    (1, dict(map="(x) -> let v = i32(raw(x)) in (a: v | 1, b: v << 1, "
                 "c: i32(index) + v, d: (v * 5) | 1)",
             combine="(p, q) -> (a: p.a * q.a + p.b * q.c, "
                     "b: p.a * q.b + p.b * q.d, c: p.c * q.a + p.d * q.c, "
                     "d: p.c * q.b + p.d * q.d)")),
    (1, dict(map="(x) -> (mean: f64(x), m2: f64(0))",
             combine="(a, b) -> let n = f64(count(a) + count(b)) in "
                     "let d = b.mean - a.mean in "
                     "(mean: a.mean + d * (f64(count(b)) / n), m2: a.m2 + b.m2"
                     " + d * d * (f64(count(a)) * f64(count(b)) / n))",
             finish="(s) -> (mean: s.mean, var: s.m2 / f64(count), n: count)",
             commutative=True)),
    (1, dict(map="(x) -> (v: raw(x), at: index)", combine="(a, b) -> b")),
    (2, dict(map="(x, y) -> f64(x) * f64(y)", combine="(a, b) -> a + b")),
    (2, dict(map="(x, y) -> (a: f64(x), b: f64(y))",
             combine="(a, b) -> (a: a.a * b.a, b: a.a * b.b + a.b)")),
    (3, dict(map="(k, v, w) -> (k: raw(k), at: index, v: raw(v), w: raw(w))",
             combine="(a, b) -> if less(a.k, b.k) || (same(a.k, b.k) && "
                     "a.at < b.at) then a else b",
             finish="(s) -> (v: s.v, w: s.w, at: s.at)", commutative=True)),
    (4, dict(map="(x, y, z, w) -> (p: f64(x) * f64(y), lo: i32(raw(z)), "
                 "hi: i8(raw(w)))",
             combine="(a, b) -> (p: a.p + b.p, lo: min(a.lo, b.lo), "
                     "hi: max(a.hi, b.hi))")),
)


class Layout:
    """Strides in elements, where element 0, …, 0 lies in a buffer, and the
    buffer's length. `gap`: strides may skip, repeat and run backwards."""

    def __init__(self, rng, shape, repeats=True):
        order = list(range(len(shape)))
        if rng.random() < 0.5:
            rng.shuffle(order)  # a transposed array
        step = rng.choice((1, 1, 1, 1, 2, 3))
        self.strides = [0] * len(shape)
        low = high = 0
        for d in reversed(order):
            stride = step
            step *= max(1, shape[d])
            if rng.random() < 0.35:
                step += rng.choice((1, 3, 5, 16))  # a pitch, often odd
            if rng.random() < 0.2:
                stride = -stride
            if repeats and rng.random() < 0.12:
                stride = 0
            self.strides[d] = stride
            reach = (max(1, shape[d]) - 1) * stride
            low, high = min(low, low + reach), max(high, high + reach)
        self.first = rng.choice((0, 0, 1, 2, 3, 4, 5, 6, 7)) - low
        self.length = self.first + high + 1 + rng.choice((0, 5))

    def __str__(self):
        return f"{tuple(self.strides)}+{self.first}"


class Case:
    def __init__(self, seed):
        self.seed = seed
        rng = random.Random(seed)
        self.request = {}
        count, types = 1, None
        if rng.random() < 0.25:
            count, clauses = rng.choice(USERS)
            self.request.update(clauses)
        elif rng.random() < 0.15:
            self.request["op"] = rng.choice(BITS)
            types = INTEGERS + ("bool",)
        else:
            self.request["op"] = rng.choice(OPS)
        self.types = [rng.choice(types or tuple(TYPES)) for _ in range(count)]
        self.shape = self.drawShape(rng)
        rank = len(self.shape)
        if rank and rng.random() < 0.8:
            axes = rng.sample(range(rank), rng.randint(1, rank))
            self.request["axes"] = tuple(
                a - rank if rng.random() < 0.2 else a for a in axes)
        reduced = {a % rank for a in self.request.get("axes", range(rank))}
        kept = [s for d, s in enumerate(self.shape) if d not in reduced]
        if rng.random() < 0.2:
            self.request["keep_dims"] = True
            kept = [1 if d in reduced else s for d, s in enumerate(self.shape)]
        self.kept = tuple(kept)
        if rng.random() < 0.3:
            self.request["order"] = rng.choice(("ordered", "sequential"))
        if rng.random() < 0.2:
            self.request["nan_ignore"] = True
        # Broadcasting: a further input may have an axis of length 1.
        self.inputs = []
        for i in range(count):
            shape = tuple(1 if i and rng.random() < 0.3 else s
                          for s in self.shape)
            self.inputs.append((shape, Layout(rng, shape)))
        self.stridedResults = rng.random() < 0.4
        self.rng = rng

    @staticmethod
    def drawShape(rng):
        rank = rng.choice((1, 1, 2, 2, 2, 3, 3, 4))
        total = rng.choice((60, 3000, 40_000, 40_000, 300_000))
        shape = []
        for _ in range(rank):
            most = max(1, total // max(1, math.prod(shape)))
            near = rng.choice((1, 2, 7, 16, 31, 33, 64, 127, 129, 257, 1000,
                               4097, 100_003))
            shape.append(rng.choice((near, rng.randint(1, most)))
                         if near <= most else rng.randint(1, most))
        rng.shuffle(shape)
        return tuple(shape)

    def __str__(self):
        views = "; ".join(f"{t}{list(s)} {layout}" for t, (s, layout) in
                          zip(self.types, self.inputs))
        return f"seed {self.seed}: {views}; {self.request}"


def elements(numpy, kind, length, seed):
    """`length` elements that bite, as bytes."""
    rng = numpy.random.default_rng(seed)
    style = rng.integers(3)
    if kind == "bool":
        return rng.integers(0, 2 if style else 256, length).astype("u1")
    name = TYPES[kind][0]
    if kind in INTEGERS:
        if style == 0:  # few values: ties
            return rng.integers(0, 4, length).astype(name).view("u1")
        return rng.integers(0, 256, length * TYPES[kind][1], dtype="u1")
    values = rng.standard_normal(length)
    if style == 1:
        values *= 10.0 ** rng.integers(-20, 20, length)
    values = values.astype(name)
    if style == 2:
        special = numpy.array([numpy.nan, -numpy.nan, 0.0, -0.0, numpy.inf,
                               numpy.finfo(name).tiny / 8,
                               numpy.finfo(name).max], name)
        where = rng.random(length) < 0.03
        values[where] = rng.choice(special, int(where.sum()))
    return values.view("u1")
