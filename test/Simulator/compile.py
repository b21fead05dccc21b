#!/usr/bin/env python3
"""compile.py - every hand-written kernel to LLVM IR, for each target.

SPDX-FileCopyrightText: The Warpfold developers
SPDX-License-Identifier: Apache-2.0

  compile.py [--out FOLDER] [--clang PROGRAM] [FILE...]

Compiles kernels/ladder/, kernels/seed/ and test/Simulator/faulty/ (or FILEs) at
-O2 with line tables: a .cu for sm_90, gfx1201 and gfx942, a .hip for the AMD
ones. With --out the IR stays, as FOLDER/TARGET/NAME.ll. clang must not warn,
and every kernel that a line `// SIM:` of the file names must be in the IR of
the targets that the line is for.

A SIM line is the options of `warpfold sim FILE` and, last, what must come out:

  // SIM: OPTIONS CLEAN              no hazard, and --expect holds
  // SIM: OPTIONS WRONG              no hazard, and --expect does not hold
  // SIM: OPTIONS HAZARD: name       that hazard

Without --target it is for every target that the file is compiled for.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = (ROOT / "kernels/ladder", ROOT / "kernels/seed",
           ROOT / "test/Simulator/faulty")
CUDA, HIP = ("sm_90",), ("gfx1201", "gfx942")
OUTCOME = re.compile(r"(.*) (CLEAN|WRONG|HAZARD: (\S.*))$")


def simLines(file):
    """(line number, options as a list, outcome) of each SIM line."""
    for number, line in enumerate(file.read_text().splitlines(), 1):
        if line.startswith("// SIM:"):
            match = OUTCOME.match(line[len("// SIM:"):])
            if not match:
                raise SystemExit(f"{file}:{number}: no outcome at the end")
            yield number, shlex.split(match[1]), match[2]


def option(options, name):
    return options[options.index(name) + 1] if name in options else None


def targets(file):
    return HIP if file.suffix == ".hip" else CUDA + HIP


def command(clang, file, target, output):
    """clang's command line; tools/warpfold/ClangChild.cpp has the same."""
    mode = (["-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib",
             f"--cuda-gpu-arch={target}", "--cuda-feature=+ptx80"]
            if target in CUDA else
            ["-x", "hip", "--offload-device-only", "-nogpuinc", "-nogpulib",
             f"--offload-arch={target}"])
    kernels = ROOT / "kernels"
    return [clang, *mode, "-Wno-unknown-cuda-version",
            "-include", kernels / "device.h", "-isystem", kernels / "include",
            "-O2", "-gline-tables-only", "-S", "-emit-llvm", "-Wall", "-Werror",
            "-o", output, file]


def sources():
    return sorted(f for folder in FOLDERS for f in folder.iterdir()
                  if f.suffix in (".cu", ".hip"))


def compileOne(clang, file, target, folder):
    """The complaints, an empty list where all is well."""
    output = folder / target / (file.stem + ".ll")
    output.parent.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(command(clang, file, target, output),
                          capture_output=True, text=True)
    if done.returncode != 0:
        return [f"{file.name} for {target}: clang says\n{done.stderr}"]
    ir = output.read_text()
    mangled = re.findall(r"^define .*_kernel .*@_Z(\d+)(\w+)\(", ir,
                         re.MULTILINE)
    kernels = {name[:int(length)] for length, name in mangled}
    complaints = []
    for number, options, _ in simLines(file):
        if option(options, "--target") in (None, target):
            kernel = option(options, "--kernel")
            if kernel not in kernels:
                complaints.append(f"{file.name}:{number}: no kernel {kernel} "
                                  f"for {target}; there are {sorted(kernels)}")
    return complaints


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--clang", default=os.environ.get("WARPFOLD_CLANG")
                        or shutil.which("clang-22") or "clang")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    args = parser.parse_args()
    files = args.files or sources()
    with tempfile.TemporaryDirectory() as scratch, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        folder = args.out or pathlib.Path(scratch)
        jobs = [(file, target) for file in files for target in targets(file)]
        complaints = [c for found in pool.map(
            lambda job: compileOne(args.clang, *job, folder), jobs)
            for c in found]
    for complaint in complaints:
        print(complaint)
    print(f"{len(jobs)} compiled, {len(complaints)} complaints")
    return 1 if complaints or not jobs else 0


if __name__ == "__main__":
    sys.exit(main())
