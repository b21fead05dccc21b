#!/usr/bin/env python3
"""seed.py - the kernels that notes and courses describe, as machine code.

SPDX-FileCopyrightText: The Warpfold developers
SPDX-License-Identifier: Apache-2.0

  seed.py [--out FOLDER] [--warpfold PROGRAM] [--clang PROGRAM]

Compiles kernels/seed/ to the text that `warpfold explain` reads: PTX for sm_90
and AMDGCN for gfx1201, as FOLDER/NAME.sm_90.ptx and FOLDER/NAME.gfx1201.s; where
ptxas and cuobjdump are found, SASS too, as FOLDER/NAME.sm_90.sass. With
--warpfold each elementwise kernel and the softmax run in the simulator and their
values are compared with those computed here; what the others add up to is in
the files' SIM lines, which test/Simulator/launches.py runs. The texts are then
explained: each kernel must get the patterns that its source has.
"""

import argparse
import json
import math
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test/Simulator"))
import compile as kernels  # noqa: E402

FOLDER = ROOT / "kernels/seed"


def command(clang, file, target, output):
    """compile.py's command line, for text of the machine's in place of IR."""
    line = kernels.command(clang, file, target, output)
    line.remove("-emit-llvm")
    line.insert(1, "-DWARPFOLD_MACHINE_CODE")
    return [str(word) for word in line]


def machineCode(clang, folder):
    """Writes the texts; the complaints, an empty list where all is well."""
    complaints, texts = [], 0
    ptxas, cuobjdump = shutil.which("ptxas"), shutil.which("cuobjdump")
    for file in sorted(FOLDER.glob("*.cu")):
        for target, suffix in (("sm_90", "ptx"), ("gfx1201", "s")):
            output = folder / f"{file.stem}.{target}.{suffix}"
            done = subprocess.run(command(clang, file, target, output),
                                  capture_output=True, text=True)
            if done.returncode != 0:
                complaints.append(f"{file.name} for {target}:\n{done.stderr}")
                continue
            texts += 1
        # Their ptxas may be older than clang's PTX: then PTX alone.
        if ptxas and cuobjdump and not complaints:
            cubin = folder / f"{file.stem}.sm_90.cubin"
            if subprocess.run([ptxas, "-arch=sm_90", "-o", cubin,
                               folder / f"{file.stem}.sm_90.ptx"],
                              capture_output=True).returncode != 0:
                continue
            sass = subprocess.run([cuobjdump, "-sass", cubin], check=True,
                                  capture_output=True, text=True).stdout
            (folder / f"{file.stem}.sm_90.sass").write_text(sass)
            texts += 1
    return texts, complaints


TREE = {"shared_tree"}
# What the sources hold. LLVM joins the atomics of a wave for AMD (v0).
PATTERNS = {
    "copy_global": {"elementwise_copy"},
    "add_f32": {"elementwise_add"},
    "relu_f32": {"elementwise_relu"},
    "clamp_f32": {"elementwise_clamp"},
    "reduce_v0_atomic": {"sm_90": {"atomic_accumulate"},
                         "gfx1201": {"aggregated_atomic"}},
    "reduce_v1_lds": TREE | {"atomic_accumulate"},
    "reduce_v2_wavefront": TREE | {"tree_then_shuffle", "atomic_accumulate"},
    "reduce_v3_unrolled": TREE | {"grid_stride_accumulate",
                                  "atomic_accumulate"},
    "reduce_v4_phase1": TREE | {"grid_stride_accumulate", "two_pass_partials"},
    "reduce_v4_phase2": TREE | {"two_pass_finish"},
    "reduce_sum_f32_kernel": TREE | {"two_pass_partials"},
    "softmax_small_f32": TREE | {"softmax"},
}


def explained(warpfold, folder):
    """The complaints about the patterns that `warpfold explain` finds."""
    complaints = []
    for file in sorted(folder.iterdir()):
        name, target, suffix = file.name.rsplit(".", 2)
        if suffix not in ("ptx", "s", "sass"):
            continue
        done = subprocess.run([warpfold, "explain", file, "--format", "json"],
                              capture_output=True, text=True)
        try:
            found = json.loads(done.stdout)
        except json.JSONDecodeError:
            complaints.append(f"{file.name}: {done.stdout}{done.stderr}")
            continue
        for kernel in found:
            plain = next((k for k in PATTERNS if k + "P" in kernel["name"]),
                         None)
            wanted = PATTERNS.get(plain, set())
            if isinstance(wanted, dict):
                wanted = wanted[target]
            got = {match["name"] for match in kernel["patterns"]}
            if got != wanted:
                complaints.append(f"{file.name} {kernel['name']}: "
                                  f"{sorted(got)}, not {sorted(wanted)}")
        if not found:
            complaints.append(f"{file.name}: no kernels")
    return complaints


def rounded(value):
    return struct.unpack("f", struct.pack("f", value))[0]


def writeNpy(path, values):
    """float32, one dimension; the header is padded to 64 bytes."""
    head = ("{'descr': '<f4', 'fortran_order': False, 'shape': "
            f"({len(values)},), }}")
    head += " " * (-(len(head) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head))
                     + head.encode() + struct.pack(f"<{len(values)}f", *values))


def softmax(x):
    powers = [math.exp(v - max(x)) for v in x]
    return [p / sum(powers) for p in powers]


X = [rounded(math.sin(k * k) * 3) for k in range(77)]
B = [rounded(math.cos(k) * 5) for k in range(77)]
# file, kernel, inputs, further arguments, what must come out, how near
RUNS = [
    ("elementwise", "copy_global", [X], [], X, 0),
    ("elementwise", "add_f32", [X, B], [],
     [rounded(x + b) for x, b in zip(X, B)], 0),
    ("elementwise", "relu_f32", [X], [], [max(x, 0.0) for x in X], 0),
    ("elementwise", "clamp_f32", [X], ["f32:-0.5", "f32:0.75"],
     [min(max(x, -0.5), 0.75) for x in X], 0),
    ("softmax_small_f32", "softmax_small_f32", [X], [], softmax(X), 1e-6),
]


def values(warpfold, scratch):
    """The complaints about values that kernels leave in the simulator."""
    complaints = []
    for name, kernel, inputs, more, wanted, tolerance in RUNS:
        line = [warpfold, "sim", FOLDER / f"{name}.cu", "--kernel", kernel,
                "--grid", "1", "--block", "128", "--shared", "512", "--json"]
        for k, data in enumerate(inputs):
            writeNpy(scratch / f"{k}.npy", data)
            line += ["--arg", str(scratch / f"{k}.npy")]
        line += ["--arg", f"out:f32:{len(wanted)}"]
        for argument in more + [f"i32:{len(wanted)}"]:
            line += ["--arg", argument]
        for target in kernels.CUDA + kernels.HIP:
            done = subprocess.run([str(word) for word in
                                   line + ["--target", target]],
                                  capture_output=True, text=True)
            try:
                found = json.loads(done.stdout)["outputs"][0]["values"]
            except (json.JSONDecodeError, KeyError, IndexError):
                complaints.append(f"{kernel} for {target}: "
                                  f"{done.stdout}{done.stderr}")
                continue
            wrong = [k for k, (f, w) in enumerate(zip(found, wanted))
                     if abs(f - w) > tolerance]
            if wrong or len(found) != len(wanted):
                complaints.append(f"{kernel} for {target}: {len(found)} values"
                                  f", wrong at {wrong}")
    return complaints


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--warpfold", type=pathlib.Path)
    parser.add_argument("--clang", default=os.environ.get("WARPFOLD_CLANG")
                        or shutil.which("clang-22") or "clang")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        folder = args.out or scratch / "out"
        folder.mkdir(parents=True, exist_ok=True)
        texts, complaints = machineCode(args.clang, folder)
        if args.warpfold:
            complaints += values(args.warpfold, scratch)
            complaints += explained(args.warpfold, folder)
    for complaint in complaints:
        print(complaint)
    print(f"{texts} texts, {len(complaints)} complaints")
    return 1 if complaints or not texts else 0


if __name__ == "__main__":
    sys.exit(main())
