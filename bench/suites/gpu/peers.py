"""peers.py - torch, torch.compile, Triton and CUB as contenders.

SPDX-FileCopyrightText: The Warpfold developers
SPDX-License-Identifier: Apache-2.0

A peer that cannot do a row, or has no library here, is left out of it. One that
raises becomes a contender whose fault says so. CUB and the read-only kernel are
bench/peers/cuda/peers.cu, built here by nvcc, once for a given source.
"""

import ctypes
import hashlib
import os
import pathlib
import shutil
import subprocess
import time

from checks import Verdict, poison
from timing import Contender

ROOT = pathlib.Path(__file__).resolve().parents[3]
SOURCE = ROOT / "bench/peers/cuda/peers.cu"
OPS = ("sum", "max", "min", "argmax", "norm2", "mean")  # peers.cu: enum Op
ROW_OPS = ("sum", "max", "argmax")


class Build:
    """nvcc at work in the background; path() waits for it."""

    def __init__(self, folder, arch="sm_90"):
        digest = hashlib.sha256(SOURCE.read_bytes() + arch.encode())
        self.target = folder / f"peers-{digest.hexdigest()[:12]}.so"
        self.process = self.fault = None
        if self.target.exists():
            return
        nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
        if not os.access(nvcc, os.X_OK):
            self.fault = "no nvcc, so neither CUB nor a read-only kernel"
            return
        folder.mkdir(parents=True, exist_ok=True)
        self.part = self.target.with_suffix(f".{os.getpid()}.part")
        self.process = subprocess.Popen(
            [nvcc, "-O3", "-std=c++17", f"-arch={arch}", "--shared",
             "-Xcompiler", "-fPIC", str(SOURCE), "-o", str(self.part)],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def path(self):
        """The library, or None with the reason in `fault`."""
        if self.process:
            text, _ = self.process.communicate()
            if self.process.returncode:
                self.fault = "nvcc failed: " + text.strip()[-500:]
            else:
                os.replace(self.part, self.target)
            self.process = None
        return None if self.fault else self.target


class CudaLibrary:
    """peers.cu. Pointers are device addresses."""

    def __init__(self, torch, path, stream):
        c, p, i64 = ctypes.CDLL(str(path)), ctypes.c_void_p, ctypes.c_int64
        size = ctypes.POINTER(ctypes.c_size_t)
        c.peers_full.argtypes = [ctypes.c_int, p, size, p, i64, p, p]
        c.peers_rows.argtypes = [ctypes.c_int, p, size, p, i64, i64, p, p]
        c.peers_read.argtypes = [ctypes.c_int, ctypes.c_int, i64, p, i64, p, p]
        c.peers_read_plain.argtypes = [p, i64, p, p]
        c.peers_error.restype = ctypes.c_char_p
        self.c, self.torch, self.stream = c, torch, stream
        n = c.peers_cccl_version()
        self.version = f"{n // 1000000}.{n // 1000 % 1000}.{n % 1000}"

    def check(self, status):
        if status:
            raise RuntimeError("CUDA error: "
                               + self.c.peers_error(status).decode())

    def cub(self, row, x, out):
        """A function that runs CUB's kernel for this row into `out`, or None
        where CUB has none."""
        op = OPS.index(row.op) if row.op in OPS else -1
        size = ctypes.c_size_t()
        if row.axes is None and op >= 0:
            function, shape = self.c.peers_full, (row.elements,)
        elif row.axes == (1,) and row.op in ROW_OPS:
            function, shape = self.c.peers_rows, row.shape
        else:
            return None
        at = (x.data_ptr(), *shape, out.data_ptr(), self.stream)
        self.check(function(op, None, ctypes.byref(size), *at))
        scratch = self.torch.empty(max(size.value, 1), dtype=self.torch.uint8,
                                   device=x.device)
        address = scratch.data_ptr()

        def call():
            self.check(function(op, address, ctypes.byref(size), *at))
        call.keeps = scratch
        return call


class Peers:
    """What there is on this machine, with versions; `skipped` says why not."""

    def __init__(self, torch, cuda, wantsCompile):
        self.torch, self.cuda = torch, cuda
        self.wantsCompile, self.triton, self.skipped = wantsCompile, None, []
        self.versions = [f"torch {torch.__version__}"]
        if cuda:
            self.versions.append(f"CUB of CCCL {cuda.version}")
        try:
            import triton
            import triton_sum
            if torch.cuda.is_available():
                self.triton = triton_sum.TwoPassSum(torch)
                self.versions.append(f"Triton {triton.__version__}")
        except ImportError as e:
            self.skipped.append(f"Triton: {e}")
        if not wantsCompile:
            self.skipped.append("torch.compile: --no-compile")

    def warmUp(self, device):
        """What the first torch.compile of a process takes is none of a row's."""
        if self.wantsCompile:
            made = self.torch.compile(lambda x: x.sum(), dynamic=False)
            try:
                made(self.torch.ones(3000, device=device))
            except Exception:  # every row will say why
                pass

    def of(self, row, x, reference, clock):
        """The peers of a row as contenders."""
        function = eager(self.torch, row)
        out = [self.returning("torch", function, x, reference)]
        if self.wantsCompile:
            out.append(self.compiled(function, x, reference))
        makers = [("CUB", self.cub)] if self.cuda else []
        if self.triton and row.group == "sum" and row.elements >= 1 << 14:
            makers.append(("Triton", self.twoPass))
        for name, make in makers:
            try:
                made = make(row, x, reference, clock)
            except Exception as e:
                made = failed(name, e)
            if made:
                out.append(made)
        return out

    def returning(self, name, function, x, reference, **facts):
        """A contender that allocates its result. The last one is poisoned
        before its memory is given back for the next to be put there."""
        kept = {}

        def spoil():
            if "result" in kept:
                poison(kept.pop("result"))

        def call():
            kept["result"] = function(x)
        return Contender(name, call, spoil,
                         lambda: reference.check(kept["result"]), **facts)

    def compiled(self, function, x, reference):
        """Inductor in its default mode; the first call's time is kept."""
        dynamo = getattr(self.torch, "_dynamo")
        dynamo.reset()
        start = time.perf_counter()
        try:
            made = self.torch.compile(function, dynamic=False)
            made(x)
        except Exception as e:
            return failed("torch.compile", e)
        ms = (time.perf_counter() - start) * 1e3
        return self.returning("torch.compile", made, x, reference,
                              compile_ms=round(ms, 1))

    def cub(self, row, x, reference, clock):
        torch, count = self.torch, row.elements // row.reduced
        isArg = row.op == "argmax"
        # A position is an int64_t and a float in full, an int and a float in
        # rows: see peers.cu.
        words = 1 if not isArg else 4 if row.axes is None else 2
        raw = torch.empty(count * words, dtype=torch.float32, device=x.device)
        result = raw
        if isArg:
            kind = torch.int64 if row.axes is None else torch.int32
            result = raw.view(kind)[:1] if row.axes is None else \
                raw.view(kind)[::2]
        call = self.cuda.cub(row, x, raw)
        return call and Contender("CUB", call, lambda: poison(result),
                                  lambda: reference.check(result))

    def twoPass(self, row, x, reference, clock):
        out = self.torch.empty(1, dtype=x.dtype, device=x.device)
        call, setting = self.triton.prepare(x, out, clock)
        return Contender("Triton", call, lambda: poison(out),
                         lambda: reference.check(out), note=setting)


def failed(name, error):
    """A contender that never runs, for the table to say why."""
    lines = (str(error).strip() or type(error).__name__).splitlines()
    out = Contender(name, None, None, lambda: Verdict())
    out.fault = f"failed: {lines[0][:200]}"
    return out


def eager(torch, row):
    """The row's reduction of a tensor, in torch."""
    op, axes = row.op, row.axes
    if op == "argmax":
        return (lambda x: x.argmax()) if axes is None else \
            (lambda x: x.argmax(axes[0]))
    if axes is None:
        return {"sum": lambda x: x.sum(), "max": lambda x: x.amax(),
                "min": lambda x: x.amin(), "mean": lambda x: x.mean(),
                "norm2": lambda x: torch.linalg.vector_norm(x),
                "var": lambda x: x.var(correction=0)}[op]
    return {"sum": lambda x: x.sum(axes), "max": lambda x: x.amax(axes)}[op]
