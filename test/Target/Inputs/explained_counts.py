"""explained_counts.py - does --explain-plan say what the PTX has?

SPDX-FileCopyrightText: The Warpfold developers
SPDX-License-Identifier: Apache-2.0

Compiles reductions for a GPU, takes barriers, shuffles and shared memory from
the explanation, and counts them in the PTX of the same run. The explanation
speaks of a block's way; the code has the join behind a ticket once a ticket,
and a second copy of a chunk where the last one may be short. Both are said in
the explanation, and added here.
"""

import re
import subprocess
import sys

COLUMN = "sm_90 kind=column order=canonical form=column vector=4 " \
    "accumulators=4 rows=32 elements=0 address=32 load=vector even=no " \
    "whole=no exchange=up "
FULL = "sm_90 kind=full order=canonical form=warp vector=4 accumulators=4 " \
    "rows=32 elements=0 fill=0 lanes=32 outputs=1 resident=1 items=1 " \
    "address=32 load=vector even=no whole=no exchange=up index=i64 "

COUNTED = ["--map", "(x) -> x", "--combine", "(a, b) -> a + (b - a) * "
           "(f32(count(b)) / f32(count(a) + count(b)))", "--commutative"]

# (op or nothing, shape, axis, further arguments)
CASES = [
    ("sum", "268435456", None, []),        # two tickets
    ("sum", "65536", None, []),            # one
    ("sum", "1048577", None, []),          # a short last chunk
    ("max", "4095", None, []),
    ("argmax", "16777216", None, []),      # near positions
    ("argmax", "100003", None, []),
    ("var", "1000003", None, []),          # several members
    ("mean", "1048576", None, []),         # counts
    ("var", "1048576", None, []),
    ("sum", "65536x4096", "1", []),        # fill
    ("sum", "65536x4095", "1", []),
    ("mean", "65536x128", "1", []),
    ("mean", "65536x130", "1", []),
    ("argmax", "65536x3000", "1", []),
    ("sum", "100000x16", "1", []),         # lanes
    ("sum", "10000000x4", "1", []),        # several outputs dealt out
    ("mean", "100000x7", "1", []),
    ("argmax", "1000000x5", "1", []),
    ("sum", "4x1048576", "1", []),
    ("sum", "16384x16384", "0", []),       # columns
    ("sum", "16777216x16", "0", []),       # many runs
    ("sum", "1048576x3", "0", []),
    ("argmax", "8191x32771", "0", []),
    ("var", "1000x5", "0", []),
    ("mean", "40000x12", "0", []),
    ("sum", "256x1048576", "0", []),
    ("sum", "100000", None, ["--order", "ordered"]),
    ("sum", "1048576", None, ["--order", "ordered"]),
    ("sum", "3000x70", "0", ["--order", "ordered"]),
    ("sum", "100000x384", "1", ["--order", "ordered"]),
    ("sum", "100x1000", "1", ["--order", "sequential"]),
    ("sum", "1048576", None, ["--plan", "v1"]),
    ("sum", "1048576", None, ["--plan", "v2"]),
    ("argmax", "1048576", None, ["--plan", "v5"]),
    ("sum", "1048576", None, ["--plan", "v5:block=1024"]),
    ("sum", "1048576", None, ["--plan", FULL +
     "warps=4 flight=8 run=4 grid=ticket group=8"]),
    ("sum", "1048576", None, ["--plan", FULL +
     "warps=1 flight=3 run=2 grid=ticket group=64"]),
    ("sum", "4096x1024", "0", ["--plan", COLUMN +
     "warps=4 flight=5 run=2 fill=0 lanes=4 outputs=4 resident=3 group=2 "
     "items=2 grid=ticket index=i64"]),
    ("argmax", "256x1048576", "0", ["--plan", COLUMN +
     "warps=16 flight=4 run=2 fill=2 lanes=32 outputs=4 resident=1 group=0 "
     "items=4 grid=none index=i64"]),
    # States and their counts.
    (None, "1000003", None, COUNTED),
    (None, "16777216", None, COUNTED),
    (None, "65536x128", "1", COUNTED),
    (None, "65536x130", "1", COUNTED),
    (None, "65536x129", "1", COUNTED),
    (None, "65536x4096", "1", COUNTED),
    (None, "100000x16", "1", COUNTED),
    (None, "100000x13", "1", COUNTED),
    (None, "40000x12", "0", COUNTED),
    (None, "100000", None, COUNTED + ["--order", "ordered"]),
    (None, "100000x300", "1", COUNTED + ["--order", "ordered"]),
    # One output a tile: its states lie side by side.
    ("sum", "65536x4", "0", ["--plan", COLUMN +
     "warps=4 flight=4 run=1 fill=0 lanes=1 outputs=1 resident=1 group=4 "
     "items=1 grid=ticket index=i64"]),
]

SHARED = re.compile(r"^\s*\.shared .*?\.(?:b|u|s|f)(\d+) \w+(?:\[(\d+)\])?;",
                    re.MULTILINE)
UNITS = {"bytes": 1, "KiB": 1024, "MiB": 1 << 20, "GiB": 1 << 30}


def kernel(ptx):
    """The text of the kernel that folds, without what comes before or after."""
    return re.split(r"^\.visible \.entry ", ptx, flags=re.MULTILINE)[1]


def counted(ptx):
    code = kernel(ptx)
    shared = sum(int(bits) // 8 * int(n or 1)
                 for bits, n in SHARED.findall(ptx))
    return {"barriers": code.count("bar.sync"),
            "shuffles": code.count("shfl.sync"), "shared": shared}


def explained(text):
    """The same three by the explanation's words."""
    lines = {"": ""}
    label = ""
    for line in text.splitlines():
        label = line[:12].strip() or label
        lines[label] = lines.get(label, "") + line[12:] + "\n"

    def number(label, pattern):
        found = re.search(pattern, lines[label])
        return int(found[1]) if found else 0

    tickets = ("ticket" in lines["barriers"]) + \
        ("two tickets" in lines["barriers"])
    barriers = number("barriers", r"^(\d+) a ") + tickets * (
        number("barriers", r"(\d+) for a ticket") +
        number("barriers", r"(\d+) to join"))
    shuffles = number("shuffles", r"^(\d+) a warp") + \
        number("shuffles", r"(\d+) for a block's warps") + \
        number("shuffles", r"second copy, .*: (\d+)") + \
        tickets * number("shuffles", r"(\d+) to join")
    amount, unit = re.match(r"([\d.]+) (\w+) a block", lines["shared"]).groups()
    return {"barriers": barriers, "shuffles": shuffles,
            "shared": (float(amount), UNITS[unit])}


def same(said, found):
    if isinstance(said, tuple):  # as many digits as were printed
        amount, unit = said
        return abs(amount * unit - found) <= (0 if unit == 1 else .05 * unit)
    return said == found


def main():
    wrong = 0
    for op, shape, axis, more in CASES:
        command = ["warpfold", "compile", "--shape", shape, "--dtype", "f32",
                   "--target", "sm_90", "--emit", "ptx", "--explain-plan",
                   *more]
        if op:
            command += ["--op", op]
        if axis:
            command += ["--axis", axis]
        run = subprocess.run(command, capture_output=True, text=True,
                             check=False)
        what = " ".join([op or "", shape, axis or "", *more])
        if run.returncode:
            print(f"{what}: exit {run.returncode}\n{run.stderr}")
            wrong += 1
            continue
        said, found = explained(run.stderr), counted(run.stdout)
        for name, value in found.items():
            if not same(said[name], value):
                print(f"{what}: {name}: explained {said[name]}, "
                      f"the PTX has {value}\n{run.stderr}")
                wrong += 1
    print(f"{len(CASES)} reductions, {wrong} wrong")
    return wrong > 0


sys.exit(main())
