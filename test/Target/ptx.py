#!/usr/bin/env python3
"""ptx.py - the catalogue on every NVIDIA GPU, as far as a machine without one
can tell.

SPDX-FileCopyrightText: The Warpfold developers
SPDX-License-Identifier: Apache-2.0

Compiles operations x element types x problems x orders x targets to PTX and
looks at it: no local memory, no calls, no flushing of subnormals, no
approximations, no 64-bit products or divisions where offsets have 32 bits.
Where `ptxas` is on the PATH it is assembled for its target; registers that it
spills are noted. By default the cases cover every pair of two values (of
operation and target, say); --all takes all of them, --limit N the first N,
--only WORD those with that word.

Prints a line for every fault, and last `N compiled, N assembled, N with spills,
N failed`.
"""

import argparse
import concurrent.futures
import itertools
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TYPES = ("f32", "f64", "i8", "u64", "bool")
TARGETS = ("sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120")
ORDERS = ("canonical", "ordered", "sequential")
PROBLEMS = {
    "full": ("16777216", None), "full, odd": ("100003", None),
    "rows": ("4096x1024", "1"), "rows, odd": ("4096x999", "1"),
    "rows, few": ("65536x20", "1"), "axes": ("16x256x64", "0,2"),
    "columns": ("4096x1024", "0"), "columns, odd": ("999x1003", "0"),
    "columns, narrow": ("65536x8", "0"), "large": ("3x1073741824", "1"),
}
# What must not be in the PTX of a kernel.
NEVER = {
    r"\.local|__local_depot": "local memory", r"\bcall\b": "a call",
    r"\.ftz": "flushing of subnormals", r"\.approx": "an approximation",
}
WIDE = r"(div|rem)\.[us]64|m(ul|ad)\.lo\.[us]64"


def run(command):
    return subprocess.run([str(c) for c in command], capture_output=True,
                          text=True, errors="replace",
                          stdin=subprocess.DEVNULL)


def operations(warpfold, types=TYPES):
    """{operation: those of the types that it takes}."""
    names = [line.split()[0] for line in run([warpfold, "ops"]).stdout
             .splitlines() if line and not line[0].isspace()]
    takes = {}
    for name in names:
        takes[name] = []
        for t in types:
            done = run([warpfold, "compile", "--op", name, "--dtype", t,
                        "--shape", "4", "--emit", "ast"])
            if done.returncode == 0:
                takes[name].append(t)
            elif done.returncode != 1:
                sys.exit(f"{name} of {t}: {done.stderr}")
    return takes


def pairsOf(case):
    return set(itertools.combinations(enumerate(case), 2))


def covering(cases):
    """Some of the cases, with every pair of values that one of them has."""
    chance = random.Random(1)
    left = set().union(*map(pairsOf, cases))
    chosen = []
    while left:
        some = chance.sample(cases, min(60, len(cases)))
        # The first that has a pair nobody has, so that every turn takes one.
        want = min(left)
        some += [c for c in cases if want in pairsOf(c)][:20]
        best = max(some, key=lambda c: len(pairsOf(c) & left))
        chosen.append(best)
        left -= pairsOf(best)
    return chosen


def faultsOf(ptx, case):
    """What is wrong with the PTX of a case."""
    target = case[4]
    if f".target {target}" not in ptx or ".visible .entry fold(" not in ptx:
        yield "is no kernel for this target"
    for pattern, what in NEVER.items():
        if found := re.search(pattern, ptx):
            line = ptx[:found.start()].count("\n")
            yield f"has {what}: {ptx.splitlines()[line].strip()}"
    # Integers of 64 bits are themselves multiplied and divided.
    narrow = case[1] in ("f32", "f64") and not case[0].startswith("arg")
    sizes = case[2] != "large" and case[0] in ("sum", "max", "min", "norm1")
    if narrow and sizes and (found := re.search(WIDE, ptx)):
        yield f"has 64-bit index arithmetic: {found[0]}"


def check(args, case):
    """(was it assembled, bytes it spills, [faults]) of one case."""
    op, dtype, problem, order, target = case
    shape, axis = PROBLEMS[problem]
    with tempfile.TemporaryDirectory() as scratch:
        file = pathlib.Path(scratch) / "kernel.ptx"
        command = [args.warpfold, "compile", "--op", op, "--dtype", dtype,
                   "--shape", shape, "--order", order, "--target", target,
                   "--emit", "ptx", "-o", file]
        if axis:
            command += ["--axis", axis]
        done = run(command)
        if done.returncode:
            return False, 0, [f"exit code {done.returncode}\n{done.stderr}"]
        faults = list(faultsOf(file.read_text(), case))
        if not args.ptxas:
            return False, 0, faults
        done = run([args.ptxas, "-v", f"-arch={target}", file, "-o",
                    pathlib.Path(scratch) / "kernel.cubin"])
        if done.returncode:
            faults.append(f"ptxas: {done.stderr.strip()}")
        frames = re.findall(r"(\d+) bytes stack frame", done.stderr)
        return True, max(map(int, frames), default=0), faults


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--warpfold", type=pathlib.Path,
                        default=ROOT / "build/release/bin/warpfold")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--spills", action="store_true",
                        help="name the cases with spills")
    args = parser.parse_args()
    args.ptxas = shutil.which("ptxas")
    takes = operations(args.warpfold)
    cases = [(op, dtype, problem, order, target)
             for op in takes for dtype in takes[op] for problem in PROBLEMS
             for order in ORDERS for target in TARGETS]
    cases = [c for c in cases if all(word in c for word in args.only)]
    if not args.all:
        cases = covering(cases)
    cases = cases[:args.limit]
    assembled = spills = failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for case, (there, frame, faults) in zip(cases, pool.map(
                lambda case: check(args, case), cases)):
            assembled += there
            spills += frame > 0
            failed += bool(faults)
            for fault in faults:
                print(f"{' '.join(case)}: {fault}", flush=True)
            if frame and args.spills:
                print(f"{' '.join(case)}: spills {frame} bytes", flush=True)
    if not args.ptxas:
        print("not assembled: there is no ptxas on the PATH")
    print(f"{len(cases)} compiled, {assembled} assembled, {spills} with spills, "
          f"{failed} failed")
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
