#!/usr/bin/env python3
"""launches.py - every SIM line of the hand-written kernels, run and judged.

SPDX-FileCopyrightText: The Warpfold developers
SPDX-License-Identifier: Apache-2.0

  launches.py --warpfold PROGRAM [--seeds N] [--verbose] [FILE...]

Runs `warpfold sim` with the options of each line `// SIM:` (compile.py says
what one is), for each target of the file and for N seeds, and compares what
comes out: CLEAN, WRONG, or the hazard's name. A hazard other than the expected
one may come beside it, but not instead.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import compile as kernels  # noqa: E402


def outcome(warpfold, file, options):
    """(what came out, everything that was said)."""
    done = subprocess.run([warpfold, "sim", file, *options, "--json"],
                          capture_output=True, text=True)
    text = done.stdout + done.stderr
    try:
        report = json.loads(done.stdout)
    except json.JSONDecodeError:
        return {"no report"}, text
    found = {f"HAZARD: {h['name']}" for h in report["hazards"]}
    if not found:
        found = {"CLEAN" if report.get("right", True) else "WRONG"}
    if (done.returncode == 0) != (found == {"CLEAN"}):
        found.add(f"exit code {done.returncode}")
    return found, text


def runs(files, seeds):
    for file in files:
        for number, options, wanted in kernels.simLines(file):
            said = kernels.option(options, "--target")
            for target in [said] if said else kernels.targets(file):
                more = [] if said else ["--target", target]
                for seed in range(1, seeds + 1):
                    yield (f"{file.name}:{number} {target} seed {seed}", file,
                           options + more + ["--seed", str(seed)], wanted)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--warpfold", type=pathlib.Path, required=True)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    args = parser.parse_args()
    jobs = list(runs(args.files or kernels.sources(), args.seeds))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda j: outcome(args.warpfold, j[1], j[2]), jobs)
        for (name, _, _, wanted), (found, text) in zip(jobs, results):
            right = (wanted in found if wanted.startswith("HAZARD")
                     else found == {wanted})
            failed += not right
            if not right:
                print(f"{name}: want {wanted}, got {', '.join(sorted(found))}\n"
                      f"{text}")
            elif args.verbose:
                print(f"{name}: {', '.join(sorted(found))}")
    print(f"{len(jobs)} launches, {failed} not as expected")
    return 1 if failed or not jobs else 0


if __name__ == "__main__":
    sys.exit(main())
