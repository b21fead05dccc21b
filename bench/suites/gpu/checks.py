"""checks.py - the data of the GPU suite and what the results have to be.

SPDX-FileCopyrightText: The Warpfold developers
SPDX-License-Identifier: Apache-2.0

Sums, means, norms and variances are of multiples of 1/128 from -1/2 to 1/2,
drawn evenly: a partial sum of 2^30 of them is below 2^24/128 (13 standard
deviations), so every sum of any order is exact in f32 and is compared without a
tolerance; one element missed or taken twice shows. Maxima and positions are of
other numbers, even in [0, 1), and exact too. A mean has the bound of its one
division; a norm or variance in f32 that of a tree: depth times the sum of |x|.
References are f64 sums on the device. Comparisons are such that a NaN fails.
"""

import dataclasses
import math

U = 2.0 ** -24  # half an ulp of 1 in f32


@dataclasses.dataclass
class Verdict:
    fault: str = ""
    error: float = 0.0  # largest absolute error, and the bound in that place
    bound: float = 0.0
    facts: dict = dataclasses.field(default_factory=dict)


def roundings(count):
    """The relative error that `count` roundings to f32 can add up to."""
    return count * U / (1 - count * U)


def peerDepth(n):
    """Additions in a row of a peer that reduces n elements in f32: one chain a
    thread, at least 2^13 threads (fewer cannot fill the device), and a tree."""
    return math.ceil(n / 2 ** 13) + 32


class Data:
    """Both buffers, filled; `most` elements each."""

    def __init__(self, torch, most, device):
        g = torch.Generator(device=device).manual_seed(20)
        self.torch = torch
        self.even = torch.empty(most, dtype=torch.float32, device=device)
        self.real = torch.rand(most, dtype=torch.float32, device=device,
                               generator=g)
        step = 1 << 27  # the small integers take room besides
        for at in range(0, most, step):
            part = self.even[at:at + step]
            part.copy_(torch.randint(-64, 65, part.shape, dtype=torch.int8,
                                     device=device, generator=g))
            part /= 128

    def of(self, row):
        buffer = self.real if row.op in ("max", "min", "argmax") else self.even
        return buffer[:row.elements].view(row.shape)


def poison(tensor):
    """Fills with what cannot be a result."""
    tensor.fill_(math.nan if tensor.is_floating_point() else -7)


class Reference:
    """What the results of a row have to be."""

    def __init__(self, torch, row, x):
        self.torch, self.row, self.x = torch, row, x
        self.dims = tuple(range(x.dim())) if row.axes is None else row.axes
        f64 = {"dim": self.dims, "dtype": torch.float64}
        n = row.reduced
        if row.op in ("sum", "mean", "var"):
            sums = torch.sum(x, **f64)
            self.want = sums if row.op == "sum" else sums / n
        if row.op in ("norm2", "var"):
            norm = torch.linalg.vector_norm(x, **f64)
            self.want = norm if row.op == "norm2" else (
                norm * norm / n - self.want * self.want)
        if row.op in ("max", "argmax"):
            self.want = x.amax(self.dims)
        if row.op == "min":
            self.want = x.amin(self.dims)
        if row.op == "argmax":
            self.first = self.firstOf(self.want)

    def firstOf(self, greatest):
        """Positions of the first element equal to the greatest."""
        if self.row.axes is None:
            return (self.x == greatest).nonzero()[0, 0]
        (d,) = self.dims
        size = self.x.shape[d]
        shape = [size if i == d else 1 for i in range(self.x.dim())]
        at = self.torch.arange(size, dtype=self.torch.int32,
                               device=self.x.device).view(shape)
        hits = self.x == greatest.unsqueeze(d)
        return self.torch.where(hits, at, size).amin(d).to(self.torch.int64)

    def tolerance(self, isOurs):
        """Relative bound of a result."""
        op = self.row.op
        if op in ("sum", "max", "min"):
            return 0.0
        if op == "mean" or isOurs:
            # Ours keeps squares in f64: one rounding to f32, and a quotient's
            # or root's in f64 before it. A mean may multiply by 1/n.
            return roundings(2)
        depth = peerDepth(self.row.reduced)
        # A square and a root more; four roundings a step of Welford's.
        return roundings(depth + 3 if op == "norm2" else 4 * depth)

    def check(self, got, isOurs=False):
        """The Verdict of a result tensor of the row's kept shape."""
        if got.numel() != self.want.numel():
            return Verdict(f"{got.numel()} results, not {self.want.numel()}")
        if self.row.op == "argmax":
            return self.checkPositions(got.reshape(self.first.shape), isOurs)
        got = got.reshape(self.want.shape).to(self.torch.float64)
        want = self.want.to(self.torch.float64)
        error, bound = (got - want).abs(), self.tolerance(isOurs) * want.abs()
        return self.verdict(error.flatten(), bound.flatten(), got, want)

    def verdict(self, error, bound, got, want):
        bad = ~(error <= bound)
        count = int(bad.sum())
        i = int(bad.to(self.torch.int8).argmax() if count else error.argmax())
        out = Verdict("", float(error[i]), float(bound[i]))
        if count:
            out.fault = (f"result {i} is {float(got.flatten()[i])!r}, not "
                         f"{float(want.flatten()[i])!r}")
            out.fault += f" (and {count - 1} more)" * (count > 1)
        return out

    def checkPositions(self, got, isOurs):
        got = got.to(self.torch.int64)
        differ = got != self.first
        count = int(differ.sum())
        if not count:
            return Verdict()
        i = int(differ.flatten().to(self.torch.int8).argmax())
        text = (f"position {i} is {int(got.flatten()[i])}, not "
                f"{int(self.first.flatten()[i])}")
        isInside = bool(((got >= 0) & (got < self.row.reduced)).all())
        if isOurs or not isInside:
            return Verdict(text, math.inf, 0.0)
        # A peer need not promise the first of equals.
        if self.row.axes is None:
            there = self.x.flatten()[got]
        else:
            (d,) = self.dims
            there = self.x.gather(d, got.unsqueeze(d)).squeeze(d)
        if not bool((there == self.want).all()):
            return Verdict(text, math.inf, 0.0)
        return Verdict(facts={"note": "not the first of equals"})
