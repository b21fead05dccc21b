#!/usr/bin/env python3
"""check.py - does the packed archive run by itself?

SPDX-FileCopyrightText: The Warpfold developers
SPDX-License-Identifier: Apache-2.0

Called by `./dev test pack`, which makes build/warpfold-VERSION-….tar.xz first
(a static link of minutes, so it is no part of `./dev test`). Unpacks it into a
fresh folder and runs it there with an empty environment, no PATH and no HOME.
Usage: check.py ARCHIVE. The last line is `N passed, N failed`.
"""

import pathlib
import subprocess
import sys
import tempfile

MOST = 25 * 1000 * 1000
SYSTEM = {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"}
READELF = "/usr/lib/llvm-22/bin/llvm-readelf"


def call(root, *words, code=0):
    """Standard output of the packed program; an error if the code is not."""
    done = subprocess.run([str(root / "bin/warpfold"), *words], cwd=root, env={},
                          text=True, capture_output=True,
                          stdin=subprocess.DEVNULL)
    assert done.returncode == code, \
        f"exit code {done.returncode}: {done.stdout}{done.stderr}"
    return done.stdout


def size(archive, root):
    assert archive.stat().st_size <= MOST, archive.stat().st_size


def one_folder(archive, root):
    assert archive.name == root.name + ".tar.xz", root.name
    for name in ("README.md", "LICENSE", "licences/llvm.txt", "ops/sum.fold",
                 "examples/data/sea-surface.npy",
                 "examples/04_your_own_combine/range.fold"):
        assert (root / name).is_file(), name


def needs(archive, root):
    """Nothing of the system but libc's own libraries."""
    for file in [root / "bin/warpfold", *root.glob("lib/*.so")]:
        text = subprocess.run([READELF, "-d", file], text=True, check=True,
                              capture_output=True).stdout
        found = {line.split("[")[1].split("]")[0]
                 for line in text.splitlines() if "(NEEDED)" in line}
        assert found and found <= SYSTEM, f"{file.name}: {found}"
        sections = subprocess.run([READELF, "-S", file], text=True, check=True,
                                  capture_output=True).stdout
        assert ".symtab" not in sections, f"{file.name} is not stripped"


def version(archive, root):
    assert call(root, "--version") == \
        "warpfold " + root.name.split("-")[1] + "\n"


def reduction(archive, root):
    assert call(root, "reduce", "gen:arange(1000001, f32)", "--op", "max") == \
        "1000000.0\n"
    rows = call(root, "reduce", "examples/data/sea-surface.npy", "--op", "mean",
                "--axis", "1")
    assert rows.startswith("[") and rows.count(",") > 3, rows


def fold_file(archive, root):
    assert call(root, "reduce", "gen:arange(9, i32)", "--file",
                "examples/04_your_own_combine/range.fold") == "8\n"


def selftest(archive, root):
    last = call(root, "selftest", "--device", "cpu", "--only",
                "^views/sum-f32/rows").splitlines()[-1]
    count = last.split()
    assert int(count[0]) > 50 and count[1:4] == ["passed,", "0", "failed"], last


def selftest_gpus(archive, root):
    """The same program tests every kind of GPU, or says why it cannot."""
    for device, missing in (("cuda", "cuda: no driver"),
                            ("hip", "hip: no runtime")):
        done = subprocess.run([str(root / "bin/warpfold"), "selftest",
                               "--device", device, "--only",
                               "^views/sum-f32/rows"], cwd=root, env={},
                              text=True, capture_output=True,
                              stdin=subprocess.DEVNULL)
        said = done.stdout + done.stderr
        if done.returncode == 2 and "device error: " + missing in said:
            print(f"pack: selftest {device}: skipped: {missing}")
            continue
        count = done.stdout.splitlines()[-1].split()
        assert int(count[0]) > 50 and count[1:4] == ["passed,", "0", "failed"], \
            said


def lessons(archive, root):
    done = subprocess.run([sys.executable, "test/run.py", "--build", ".",
                           "--only", "examples"], cwd=root, text=True,
                          capture_output=True)
    assert done.returncode == 0, done.stdout + done.stderr


def known_faults(archive, root):
    """A few rows; all of them take minutes and run in `./dev test`."""
    done = subprocess.run([sys.executable, "test/cases/warpfold-cases",
                           "--without-c", "--warpfold", "bin/warpfold", "NA1",
                           "TI1", "TI3"], cwd=root, text=True,
                          capture_output=True)
    assert done.returncode == 0 and done.stdout.startswith("3 passed"), \
        done.stdout + done.stderr


CHECKS = [size, one_folder, needs, version, reduction, fold_file, selftest,
          selftest_gpus, lessons, known_faults]


def main():
    archive = pathlib.Path(sys.argv[1]).resolve()
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run(["tar", "-C", scratch, "-xf", archive], check=True)
        roots = list(pathlib.Path(scratch).iterdir())
        assert len(roots) == 1, roots
        for check in CHECKS:
            try:
                check(archive, roots[0])
            except AssertionError as fault:
                failed += 1
                print(f"FAILED pack: {check.__name__}\n{fault}\n", flush=True)
    print(f"{len(CHECKS) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
