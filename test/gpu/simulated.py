#!/usr/bin/env python3
"""simulated.py - the simulator against the GPU it simulates.

SPDX-FileCopyrightText: The Warpfold developers
SPDX-License-Identifier: Apache-2.0

  test/gpu/simulated.py --program build/release/bin/warpfold [-o FOLDER]

bits      the same reductions on cuda and on sim:sm_90: the same bytes
counters  `warpfold profile --device cuda`: ncu's counters beside the
          simulator's, none further off than documented; first on a copy of
          known bytes

Needs a CUDA device, and ncu for the counters; without them the part is skipped
and says why. The last line is `N passed, N failed, N skipped`.
"""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

# Arguments of `warpfold reduce`, and of `warpfold profile`.
BITS = [
    ["gen:random(1000003, f32, seed=3)", "--op", op] for op in
    ("sum", "var", "norm2", "argmax", "aminmax", "mean")
] + [
    ["gen:random(300x4099, f32, seed=4)", "--op", op, "--axis", axis]
    for op in ("sum", "argmax", "var") for axis in ("0", "1")
] + [
    [f"gen:random(70001, {t}, seed=5)", "--op", "sum"]
    for t in ("i8", "i16", "i32", "i64", "u8", "f64", "bool")
] + [
    ["gen:random(64x300x65, f32, seed=6)", "--op", "sum", "--axis", "0,2"],
    ["gen:random(65537, f32, seed=7)", "--op", "sum", "--order", "ordered"],
    ["gen:random(1048576, f32, seed=7)", "--op", "sum", "--plan", "v4"],
    ["gen:random(1048576, f32, seed=7)", "--op", "sum", "--plan", "v5"],
]
COUNTERS = [
    # A copy: as many bytes out as in, and both known.
    ["--shape", "8388608x1", "--axis", "1", "--op", "sum"],
    ["--plan", "v0", "--n", "1M"],
    ["--plan", "v1", "--n", "64M"],
    ["--plan", "v2", "--n", "64M"],
    ["--plan", "v3", "--n", "64M"],
    ["--plan", "v4", "--n", "64M"],
    ["--n", "64M"],
    ["--op", "var", "--shape", "16384x4096", "--axis", "1"],
    ["--op", "sum", "--shape", "16384x4096", "--axis", "1"],
    ["--op", "argmax", "--shape", "1000000x16", "--axis", "1"],
]


def run(program, words):
    return subprocess.run([program, *words], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL)


def bits(program, words):
    """None, or how the devices differ."""
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for device in ("cuda", "sim:sm_90"):
            file = pathlib.Path(folder) / device.replace(":", "_")
            done = run(program, ["reduce", *words, "--device", device, "-o",
                                 str(file)])
            if done.returncode:
                return f"{device}: {done.stderr[-800:]}"
            files.append(file.read_bytes())
    return None if files[0] == files[1] else "the results differ"


def counters(program, words, log):
    """None, or what disagrees."""
    done = run(program, ["profile", *words, "--device", "cuda"])
    print(f"$ warpfold profile {' '.join(words)} --device cuda\n{done.stdout}"
          f"{done.stderr}", file=log, flush=True)
    if done.returncode:
        return done.stderr[-800:]
    wrong = [l for l in done.stdout.splitlines() if "DISAGREES" in l]
    return "\n".join(wrong) or None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="build/release/bin/warpfold")
    parser.add_argument("-o", "--output", type=pathlib.Path,
                        default=pathlib.Path("."))
    args = parser.parse_args()
    passed = failed = skipped = 0
    devices = run(args.program, ["devices"]).stdout
    if "cuda:0" not in devices:
        print("skipped: there is no CUDA device")
        print(f"0 passed, 0 failed, {len(BITS) + len(COUNTERS)} skipped")
        return 0
    tests = [("bits", w, lambda w=w: bits(args.program, w)) for w in BITS]
    log = open(args.output / "simulated_counters.txt", "w")
    if shutil.which("ncu"):
        tests += [("counters", w,
                   lambda w=w: counters(args.program, w, log)) for w in COUNTERS]
    else:
        print("skipped: there is no ncu, which counts")
        skipped += len(COUNTERS)
    for part, words, test in tests:
        fault = test()
        passed += fault is None
        failed += fault is not None
        if fault is not None:
            print(f"FAILED {part}: {' '.join(words)}\n{fault}", flush=True)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
