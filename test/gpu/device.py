"""device.py - Reductions on torch's memory, through the C interface in full.

SPDX-FileCopyrightText: The Warpfold developers
SPDX-License-Identifier: Apache-2.0

  x = gpu.view(torch.ones(3, 4, device="cuda"))
  (sums,) = gpu.reduce([x], op="sum", axes=(1,))     # torch tensors

A View is an array as wf_array sees it: any strides, in elements, and the place
of element 0, …, 0 in a tensor that owns the memory. bench/suites/gpu/warpfold.py
has the structures of the interface.
"""

import ctypes
import math
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "bench/suites/gpu"))
import warpfold  # noqa: E402
from warpfold import WarpfoldError  # noqa: E402, F401

USER_ERROR, DEVICE_ERROR = 1, 2

#: Warpfold's type: (torch's name, bytes)
TYPES = {"bool": ("bool", 1), "i8": ("int8", 1), "i16": ("int16", 2),
         "i32": ("int32", 4), "i64": ("int64", 8), "u8": ("uint8", 1),
         "u16": ("uint16", 2), "u32": ("uint32", 4), "u64": ("uint64", 8),
         "f32": ("float32", 4), "f64": ("float64", 8)}


class Skip(Exception):
    """Why a test cannot run here."""


class Wrong(Exception):
    """What a test found."""


def check(holds, text):
    if not holds:
        raise Wrong(text)


def rowMajor(shape):
    strides, step = [], 1
    for size in reversed(shape):
        strides.insert(0, step)
        step *= size
    return tuple(strides)


class View:
    """`first`: bytes from the start of `memory` to element 0, …, 0."""

    def __init__(self, memory, kind, shape, strides=None, first=0):
        self.memory, self.kind, self.first = memory, kind, first
        self.shape = tuple(shape)
        self.strides = rowMajor(shape) if strides is None else tuple(strides)

    @property
    def address(self):
        return self.memory.data_ptr() + self.first


def pointers(addresses):
    return (ctypes.c_void_p * len(addresses))(*addresses)


class Device:
    """Where the tests run. `name` is Warpfold's device, `where` torch's; in a
    rehearsal both are the CPU, and sizes and repeats are small."""

    def __init__(self, torch, library, name, rehearsal, program=None):
        self.torch, self.name, self.rehearsal = torch, name, rehearsal
        self.library = warpfold.Library(library)
        self.program = program
        self.where = "cpu" if rehearsal else "cuda"
        self.plans = name != "cpu"  # does it take the plans of GPUs?

    def size(self, full, rehearsed):
        return rehearsed if self.rehearsal else full

    def needsGpu(self):
        if self.rehearsal:
            raise Skip("needs a GPU")

    def sync(self):
        if not self.rehearsal:
            self.torch.cuda.synchronize()

    def stream(self):
        """The driver's handle of torch's current stream, or None."""
        if self.rehearsal:
            return None
        return self.torch.cuda.current_stream().cuda_stream or None

    def dtype(self, kind):
        return getattr(self.torch, TYPES[kind][0])

    def view(self, tensor, shape=None, strides=None, first=0):
        """A View of a tensor; with `shape`, of its memory from its element
        `first` on."""
        name = str(tensor.dtype).removeprefix("torch.")
        kind = next(k for k, (t, _) in TYPES.items() if t == name)
        if shape is None:
            shape, strides = tensor.shape, tensor.stride()
        return View(tensor, kind, shape, strides, first * TYPES[kind][1])

    def tensor(self, values, kind):
        return self.torch.tensor(values, device=self.where).to(
            self.dtype(kind))

    def full(self, value, shape, kind):
        return self.torch.full(shape, value, dtype=self.dtype(kind),
                               device=self.where)

    def arange(self, n, kind):
        return self.torch.arange(n, device=self.where).to(self.dtype(kind))

    def prepare(self, views, axes=None, device=None, result_strides=None,
                nan_ignore=False, keep_dims=False, params=(), threads=0,
                commutative=False, **text):
        """A warpfold.Reduction. `text`: op, combine, map, order, plan, …;
        result_strides: a tuple a result; params: (name, value) pairs."""
        keep = []  # what the request points to

        def numbers(values):
            array = (ctypes.c_int64 * max(1, len(values)))(*values)
            keep.append(array)
            return array

        text["device"] = device or self.name
        r = warpfold.Request(**{k: v.encode() for k, v in text.items() if v})
        arrays = (warpfold.Array * len(views))(*[
            warpfold.Array(warpfold.TYPES.index(v.kind), len(v.shape),
                           numbers(v.shape), numbers(v.strides))
            for v in views])
        r.inputs, r.input_count = arrays, len(views)
        if axes is not None:
            r.axes, r.axis_count = numbers(axes), len(axes)
            r.no_axes = not axes
        if result_strides is not None:
            r.result_strides = (warpfold.I64P * len(result_strides))(*[
                ctypes.cast(numbers(s), warpfold.I64P)
                for s in result_strides])
        r.keep_dims, r.nan_ignore = keep_dims, nan_ignore
        r.commutative, r.threads = commutative, threads
        r.params = (warpfold.Param * max(1, len(params)))(*[
            warpfold.Param(n.encode(), v.encode()) for n, v in params])
        r.param_count = len(params)
        handle = ctypes.c_void_p()
        self.library.check(self.library.c.wf_prepare(ctypes.byref(r),
                                                     ctypes.byref(handle)))
        return warpfold.Reduction(self.library, handle)

    def run(self, reduction, views, results, stream=None):
        """One wf_run; `results` are tensors or Views."""
        self.library.check(self.library.c.wf_run(
            reduction.handle, pointers([v.address for v in views]),
            pointers([r.address if isinstance(r, View) else r.data_ptr()
                      for r in results]), stream))

    def reduce(self, views, **request):
        """Row-major result tensors, filled with 0xFF bytes before."""
        reduction = self.prepare(views, **request)
        try:
            results = []
            for kind, shape in reduction.results:
                size = TYPES[kind][1] * math.prod(shape)
                raw = self.torch.full((size,), 0xFF, dtype=self.torch.uint8,
                                      device=self.where)
                results.append(raw.view(self.dtype(kind)).reshape(shape))
            self.run(reduction, views, results, self.stream())
            self.sync()
            return results
        finally:
            reduction.close()

    def bitsOnCpu(self, views, **request):
        """Bytes of the row-major results of device=cpu, as CPU tensors."""
        here = [View(v.memory.cpu(), v.kind, v.shape, v.strides, v.first)
                for v in views]
        reduction = self.prepare(here, device="cpu", **request)
        results = [self.torch.zeros(TYPES[k][1] * math.prod(s),
                                    dtype=self.torch.uint8)
                   for k, s in reduction.results]
        self.run(reduction, here, results)
        reduction.close()
        return results
