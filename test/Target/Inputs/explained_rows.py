"""explained_rows.py - the plans of the GPU benchmark's rows, in words and trees.

SPDX-FileCopyrightText: The Warpfold developers
SPDX-License-Identifier: Apache-2.0

Every row of bench/suites/gpu/rows.py: its plan is explained, and pairs of
elements near and far are told where they meet.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "bench/suites/gpu"))
import rows  # noqa: E402

LABELS = ("problem", "order", "plan", "tiers", "launch", "barriers",
          "shuffles", "shared", "scratch", "bytes", "predicted")


def ask(*arguments):
    run = subprocess.run(["warpfold", *map(str, arguments)],
                         capture_output=True, text=True, check=False)
    if run.returncode:
        raise SystemExit(f"{' '.join(map(str, arguments))}: exit "
                         f"{run.returncode}\n{run.stderr}")
    return run.stdout, run.stderr


def main():
    seen = set()
    tiers = set()
    for row in rows.allRows():
        about = ["--op", row.op, "--shape", "x".join(map(str, row.shape)),
                 "--dtype", "f32", "--target", "sm_90"]
        for axis in row.axes or ():
            about += ["--axis", axis]
        if tuple(about) in seen:
            continue
        seen.add(tuple(about))
        text = ask("compile", *about, "--explain-plan")[1]
        for label in LABELS:
            if not re.search(f"^{label}", text, re.MULTILINE):
                raise SystemExit(f"{row.name}: no {label} in\n{text}")
        last = row.reduced - 1
        for pair in {(0, 1), (0, min(128, last)), (0, last),
                     (last // 2, last // 2 + 1), (last // 3, last)}:
            said = ask("tree", *about, "--pair", f"{pair[0]},{pair[1]}")[0]
            tier = re.match(r"tier (\w+), (?:level|step) \d+: ", said)
            if not tier:
                raise SystemExit(f"{row.name} {pair}: {said}")
            tiers.add(tier[1])
    print(f"{len(seen)} rows, pairs meet in {' '.join(sorted(tiers))}")


main()
