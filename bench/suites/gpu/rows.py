"""rows.py - what the GPU suite measures, and what each row has to reach.

SPDX-FileCopyrightText: The Warpfold developers
SPDX-License-Identifier: Apache-2.0

A target names what ours is compared with and the least ratio of speeds (1.0:
as fast). "best peer" is the fastest contender with a right result that is
neither ours nor the read-only kernel. Rates count inputs and results; that of
the read-only kernel, its input.
"""

import dataclasses
import math

TOTAL = 1 << 28  # elements of the rows and columns: 1 GiB of f32
BEST, READ, CUB, SUM, EAGER = ("best peer", "read-only", "CUB", "warpfold sum",
                               "torch")
GROUPS = {
    "sum": "full sums",
    "full": "full max, min, norm2, mean, var, argmax",
    "rows": "sums over rows",
    "columns": "sums over columns and axes",
    "arg rows": "argmax and max over rows",
    "arg columns": "argmax and max over columns",
}
# (name, groups, compared with, least geometric mean)
GEOMEANS = (
    ("argmax and max over rows and columns", ("arg rows", "arg columns"), BEST,
     1.05),
    ("all rows", tuple(GROUPS), EAGER, 1.5),
)


@dataclasses.dataclass(frozen=True)
class Row:
    group: str
    op: str
    shape: tuple
    axes: tuple = None  # None: all
    targets: tuple = ()  # ((against, least), …)
    isQuick: bool = False

    @property
    def name(self):
        if self.axes is None:
            return f"{self.op} 2^{round(math.log2(self.shape[0]))}"
        kind = {(0,): "columns", (1,): "rows"}.get(self.axes, "axes")
        text = f"{self.op} {kind} {listed(self.shape)}"
        return text + f" {listed(self.axes)}" * (kind == "axes")

    @property
    def elements(self):
        return math.prod(self.shape)

    @property
    def kept(self):
        """The shape of the result."""
        reduced = range(len(self.shape)) if self.axes is None else self.axes
        return tuple(n for d, n in enumerate(self.shape) if d not in reduced)

    @property
    def reduced(self):
        """How many elements one result is made of."""
        return self.elements // math.prod(self.kept)


def listed(numbers):
    return "(" + ",".join(map(str, numbers)) + ")"


def fullSums():
    for e in range(10, 31, 2):
        if e <= 12:
            targets = [(CUB, .9)]
        elif e <= 22:
            targets = [(CUB, 1.1), (BEST, .95)]
        elif e == 24:
            targets = [(CUB, 1.04), (BEST, 1.0)]
        else:
            targets = [(CUB, .99), (BEST, .98)]
        if e >= 28:
            targets.append((READ, .97))
        yield Row("sum", "sum", (1 << e,), None, tuple(targets),
                  e in (10, 14, 20, 24, 28))


def fullOthers():
    # Within 5 %: at most 1.05 times as long as our own sum.
    targets = ((BEST, .98), (SUM, 1 / 1.05))
    for op in ("max", "min", "norm2", "mean", "var", "argmax"):
        for e in (20, 24, 28, 30):
            yield Row("full", op, (1 << e,), None, targets,
                      e == 28 and op not in ("min", "mean"))


WIDTHS = (16, 64, 100, 256, 1024, 4095, 4096, 65536, 1 << 20, 1 << 24)
COLUMNS = ((16384, 16384), (1 << 20, 256), (1 << 24, 16), (32768, 32),
           (256, 1 << 20), (8191, 32771))
QUICK_WIDTHS = (16, 100, 1024, 4095, 65536)
QUICK_COLUMNS = ((16384, 16384), (1 << 24, 16), (32768, 32), (8191, 32771))


def alongRows(group, op, targetsOf):
    for width in WIDTHS:
        quick = width in (QUICK_WIDTHS if op == "sum" else (64, 1024))
        yield Row(group, op, (TOTAL // width, width), (1,), targetsOf(width),
                  quick and op != "max")


def alongColumns(group, op, targetsOf):
    for shape in COLUMNS:
        quick = shape in (QUICK_COLUMNS if op == "sum" else QUICK_COLUMNS[:1])
        yield Row(group, op, shape, (0,), targetsOf(shape), quick)


def axesTargets(shape):
    isLarge = math.prod(shape) >= 1 << 26
    return ((BEST, .95),) + ((READ, .9),) * isLarge


def allRows():
    """Every row, the sums first: a run that is cut short has those."""
    rows = list(fullSums())
    rows += alongRows("rows", "sum", lambda w: (
        (BEST, .95 if w == 4095 else .97), (READ, .93)))
    rows += alongColumns("columns", "sum", axesTargets)
    for shape, axes in (((256, 1024, 1024), (0, 2)),
                        ((64, 256, 128, 128), (0, 2, 3))):
        rows.append(Row("columns", "sum", shape, axes, axesTargets(shape),
                        len(axes) == 2))
    rows += fullOthers()
    for op in ("argmax", "max"):
        rows += alongRows("arg rows", op, lambda w: ((BEST, .97),))
        rows += alongColumns("arg columns", op, lambda s: ((BEST, .97),))
    return rows


def rehearsal(row, most=1 << 16):
    """The same row with every size cut down, for a machine without a GPU."""
    shape, at = list(row.shape), 0
    while math.prod(shape) > most:
        if shape[at % len(shape)] > 2:
            shape[at % len(shape)] = (shape[at % len(shape)] + 1) // 2
        at += 1
    return dataclasses.replace(row, shape=tuple(shape))
