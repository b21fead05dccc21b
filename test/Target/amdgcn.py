#!/usr/bin/env python3
"""amdgcn.py - the catalogue on every AMD GPU, as far as a machine without one
can tell.

SPDX-FileCopyrightText: The Warpfold developers
SPDX-License-Identifier: Apache-2.0

Compiles operations x element types x problems x orders x targets to a linked
code object and to assembly, and looks at both: the back end neither aborts nor
calls anything, no thread has memory of its own, nothing is spilled, subnormals
are kept, no wave of 32 reads a lane it does not have, the kernel descriptor
names the wave size of the target. The ladder's rungs are cases too. By default
the cases cover every pair of two values (of operation and target, say); --all
takes all of them, --limit N the first N, --only WORD those with that word.

Prints a line for every fault, and last `N compiled, N failed`.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import sys
import tempfile

import ptx

TYPES = ("f32", "f64", "i8", "i16", "i32", "u64", "bool")
TARGETS = ("gfx90a", "gfx942", "gfx1030", "gfx1030:wave64", "gfx1100",
           "gfx1100:wave64", "gfx1201", "gfx1201:wave64")
RUNGS = ("v0", "v1", "v2", "v3", "v3:vec=4,items=8", "v4", "v5")
# What must not be in the assembly of a kernel.
NEVER = {
    r"\bscratch_|\bbuffer_(load|store)": "memory of a thread's own",
    r"\bs_(swappc|setpc|call)": "a call",
    r"private_segment_fixed_size: [1-9]": "memory of a thread's own",
    # Masks that do not fit may go to lanes of a vector register.
    r"vgpr_spill_count: [1-9]": "spills", r"hidden_": "hidden arguments",
    r"\.amdhsa_float_denorm_mode_(32|16_64) [0-2]": "flushing of subnormals",
    r"uses_dynamic_stack: true": "a stack",
}
# What must not be in that of a chip from gfx10 on.
NEVER_RDNA = {r"row_bcast|row_ror:|row_half_mirror|ds_swizzle": "what gfx9 has"}
# Nor in that of waves of 32.
NEVER_WAVE32 = {r"v_readlane\w* [^,]*, [^,]*, (3[2-9]|[4-6]\d)\b": "a lane past 31",
                r"mbcnt_hi": "a lane past 31"}


def wave(target):
    return 64 if target.startswith("gfx9") or ":wave64" in target else 32


def faultsOf(text, target):
    """What is wrong with the assembly for a target."""
    never = dict(NEVER)
    if not target.startswith("gfx9"):
        never |= NEVER_RDNA
    if wave(target) == 32:
        never |= NEVER_WAVE32
    for pattern, what in never.items():
        if found := re.search(pattern, text):
            line = text[:found.start()].count("\n")
            yield f"has {what}: {text.splitlines()[line].strip()}"
    chip = target.partition(":")[0]
    for wanted in (f'.amdgcn_target "amdgcn-amd-amdhsa--{chip}"',
                   ".amdhsa_code_object_version 5", ".symbol:         fold.kd",
                   f".wavefront_size: {wave(target)}"):
        if wanted not in text:
            yield f"lacks {wanted}"
    if not re.search(r"s_wait(cnt|_loadcnt|_kmcnt)", text):
        yield "waits for nothing"


def check(args, case):
    """[faults] of one case."""
    op, dtype, problem, order, target = case
    shape, axis = ptx.PROBLEMS[problem]
    with tempfile.TemporaryDirectory() as scratch:
        command = [args.warpfold, "compile", "--op", op, "--dtype", dtype,
                   "--shape", shape, "--target", target, "--emit",
                   "amdgcn,hsaco", "-o", scratch]
        command += ["--plan" if order in RUNGS else "--order", order]
        if axis:
            command += ["--axis", axis]
        done = ptx.run(command)
        if done.returncode == 1 and order in RUNGS:
            return []  # the rung says why it is not for this reduction
        if done.returncode:
            return [f"exit code {done.returncode}\n{done.stderr}"]
        folder = pathlib.Path(scratch)
        faults = list(faultsOf((folder / "amdgcn.amdgcn").read_text(), target))
        code = (folder / "hsaco.hsaco").read_bytes()
        # A shared object (3) for AMDGPU (224) under HSA (64), version 5 (3).
        if (code[:4], code[7:9], code[16:20]) != (
                b"\x7fELF", b"\x40\x03", b"\x03\x00\xe0\x00"):
            faults.append(f"is no code object: {code[:20].hex()}")
        return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--warpfold", type=pathlib.Path,
                        default=ptx.ROOT / "build/release/bin/warpfold")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--only", action="append", default=[])
    args = parser.parse_args()
    takes = ptx.operations(args.warpfold, TYPES)
    cases = [(op, dtype, problem, order, target)
             for op in takes for dtype in takes[op] for problem in ptx.PROBLEMS
             for order in ptx.ORDERS + RUNGS for target in TARGETS]
    cases = [c for c in cases if all(word in c for word in args.only)]
    if not args.all:
        cases = ptx.covering(cases)
    cases = cases[:args.limit]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for case, faults in zip(cases, pool.map(
                lambda case: check(args, case), cases)):
            failed += bool(faults)
            for fault in faults:
                print(f"{' '.join(case)}: {fault}", flush=True)
    print(f"{len(cases)} compiled, {failed} failed")
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
