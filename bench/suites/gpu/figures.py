"""figures.py - how long a combine takes to compile, ours and the peers'.

SPDX-FileCopyrightText: The Warpfold developers
SPDX-License-Identifier: Apache-2.0

Every repetition has a constant of its own, so that no cache has the kernel.
"""

import importlib.util
import pathlib
import re
import subprocess
import tempfile
import time

from record import figureRecord
from timing import spread

LIMIT_MS = 40  # compile of a new combine to PTX


def phases(text):
    """The sum of the compile phases that --time prints, in ms, or None."""
    found = re.findall(r"^(\S+(?: \S+)*) {2,}([0-9.]+) ms$", text, re.M)
    values = [float(ms) for name, ms in found if name not in ("run", "total")]
    return sum(values) if values else None


def toPtx(program, target, runs):
    """`warpfold compile` to PTX in fresh processes; the first is left out, as
    the program's pages may come from the disk."""
    name, values, note = "compile of a new combine to PTX", [], \
        f"{target}, phases of --time, a fresh process each"
    for i in range(runs + 1):
        command = [str(program), "compile", "--combine", "(a, b) -> a + b",
                   "--map", f"(x) -> x * {i + 2}.5", "--shape", "1048576",
                   "--dtype", "f32", "--target", target, "--emit", "ptx",
                   "--time"]
        try:
            done = subprocess.run(command, capture_output=True, text=True,
                                  timeout=60)
        except (OSError, subprocess.TimeoutExpired) as e:
            return figureRecord(name, "ms", [], LIMIT_MS, str(e)[:200])
        ms = phases(done.stderr)
        if done.returncode or ms is None or ".entry" not in done.stdout:
            text = (done.stderr.strip() or "no PTX").splitlines()[0][:200]
            return figureRecord(name, "ms", [], LIMIT_MS, text)
        values.append(ms)
    return figureRecord(name, "ms", values[1:], LIMIT_MS, note)


def prepared(library, device, runs):
    """wf_prepare of a new sum in this process, the module's loading included."""
    name, values = "preparing a new sum, ready to run", []
    for i in range(runs + 1):
        start = time.perf_counter()
        try:
            library.prepare(None, (1 << 20,), device=device,
                            combine="(a, b) -> a + b",
                            map=f"(x) -> x * {i + 2}.25").close()
        except Exception as e:
            return figureRecord(name, "ms", [], None, str(e)[:200])
        values.append((time.perf_counter() - start) * 1e3)
    return figureRecord(name, "ms", values[1:], None, "in this process")


TRITON = '''
import triton
import triton.language as tl


@triton.jit
def combine(a, b):
    return tl.maximum(a, b) * {constant}


@triton.jit
def kernel(x, out, SIZE: tl.constexpr):
    tl.store(out, tl.reduce(tl.load(x + tl.arange(0, SIZE)), 0, combine))
'''


def freshTriton(torch, runs):
    """The first launch of a new Triton reduction."""
    values, x = [], torch.ones(1024, device="cuda")
    out = torch.empty(1, device="cuda")
    with tempfile.TemporaryDirectory() as folder:
        for i in range(runs + 1):
            path = pathlib.Path(folder) / f"fresh{i}.py"
            path.write_text(TRITON.format(constant=f"1.{i + 1:03d}"))
            spec = importlib.util.spec_from_file_location(path.stem, path)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            torch.cuda.synchronize()
            start = time.perf_counter()
            module.kernel[(1,)](x, out, 1024)
            torch.cuda.synchronize()
            values.append((time.perf_counter() - start) * 1e3)
    return figureRecord("Triton: a new combine, ready to run", "ms",
                        values[1:], None, "in this process, PTX assembled too")


def inductor(records):
    """What torch.compile took for the rows of this run."""
    times = [c["compile_ms"] for r in records for c in r.get("contenders", ())
             if "compile_ms" in c]
    note = f"{len(times)} functions of this run"
    if times:
        note += f", {min(times):.0f} to {max(times):.0f}"
    return figureRecord("torch.compile: a new reduction, ready to run", "ms",
                        times, None, note)


def selftest():
    text = ("order canonical/1 · compile 9.0 ms\ncheck              0.500 ms\n"
            "llvm dialect       2.000 ms\nrun                7.000 ms\n"
            "total              9.500 ms\n")
    assert phases(text) == 2.5, phases(text)
    assert phases("nothing\n") is None
    assert spread([])["median"] is None
