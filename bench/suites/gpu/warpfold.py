"""warpfold.py - the C interface through ctypes, as the GPU suite calls it.

SPDX-FileCopyrightText: The Warpfold developers
SPDX-License-Identifier: Apache-2.0

  library = Library("build/release/lib/libwarpfold.so")
  sums = library.prepare("sum", (1024, 4096), axes=(1,))
  call = sums.bind([x.data_ptr()], [y.data_ptr()], stream)
  call()                            # one wf_run; asynchronous on the stream

The structures mirror include/warpfold/warpfold.h member by member, and
selftest.py holds their layout against what a C compiler makes of that header.
"""

import ctypes

TYPES = ("bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32",
         "f64")  # position: the number in wf_type

I64P = ctypes.POINTER(ctypes.c_int64)


class Array(ctypes.Structure):
    """wf_array"""
    _fields_ = [("type", ctypes.c_int), ("rank", ctypes.c_int32),
                ("shape", I64P), ("strides", I64P)]


class Param(ctypes.Structure):
    """wf_param"""
    _fields_ = [("name", ctypes.c_char_p), ("value", ctypes.c_char_p)]


class Request(ctypes.Structure):
    """wf_request"""
    _fields_ = [
        ("op", ctypes.c_char_p),
        ("combine", ctypes.c_char_p), ("map", ctypes.c_char_p),
        ("update", ctypes.c_char_p), ("finish", ctypes.c_char_p),
        ("neutral", ctypes.c_char_p), ("empty", ctypes.c_char_p),
        ("commutative", ctypes.c_int),
        ("inputs", ctypes.POINTER(Array)), ("input_count", ctypes.c_size_t),
        ("axes", I64P), ("axis_count", ctypes.c_size_t),
        ("no_axes", ctypes.c_int), ("keep_dims", ctypes.c_int),
        ("result_strides", ctypes.POINTER(I64P)),
        ("acc", ctypes.c_char_p), ("order", ctypes.c_char_p),
        ("device", ctypes.c_char_p), ("plan", ctypes.c_char_p),
        ("nan_ignore", ctypes.c_int), ("threads", ctypes.c_int),
        ("params", ctypes.POINTER(Param)), ("param_count", ctypes.c_size_t),
    ]


# On every system with 8-byte pointers; selftest.py checks each offset.
assert ctypes.sizeof(Array) == 24
assert ctypes.sizeof(Param) == 16
assert ctypes.sizeof(Request) == 168


class WarpfoldError(Exception):
    """What wf_last_error() said; `status` is the wf_status."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


class Library:
    """A loaded libwarpfold.so."""

    def __init__(self, path):
        c = ctypes.CDLL(str(path))
        handle, voids = ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)
        signatures = {
            "wf_prepare": (ctypes.c_int, [ctypes.POINTER(Request), voids]),
            "wf_run": (ctypes.c_int, [handle, voids, voids, ctypes.c_void_p]),
            "wf_destroy": (None, [handle]),
            "wf_last_error": (ctypes.c_char_p, []),
            "wf_plan": (ctypes.c_char_p, [handle]),
            "wf_order": (ctypes.c_char_p, [handle]),
            "wf_result_count": (ctypes.c_size_t, [handle]),
            "wf_result_info": (ctypes.c_int, [
                handle, ctypes.c_size_t, ctypes.POINTER(ctypes.c_int),
                ctypes.POINTER(ctypes.c_int32), I64P]),
        }
        for name, (result, arguments) in signatures.items():
            function = getattr(c, name)
            function.restype, function.argtypes = result, arguments
        self.c = c

    def check(self, status):
        if status:
            raise WarpfoldError(
                status, self.c.wf_last_error().decode(errors="replace"))

    def prepare(self, op, shape, dtype="f32", axes=None, order=None, plan=None,
                device="cuda:0", **more):
        """A Reduction of one row-major input; axes None: all of them. `more`
        are other text members of wf_request (combine, map, …)."""
        text = {"op": op, "order": order, "plan": plan, "device": device,
                **more}
        request = Request(**{k: v.encode() for k, v in text.items() if v})
        sizes = (ctypes.c_int64 * max(len(shape), 1))(*shape)
        array = Array(TYPES.index(dtype), len(shape), sizes, None)
        request.inputs, request.input_count = ctypes.pointer(array), 1
        if axes is not None:
            request.axes = (ctypes.c_int64 * max(len(axes), 1))(*axes)
            request.axis_count = len(axes)
            request.no_axes = not axes
        handle = ctypes.c_void_p()
        self.check(self.c.wf_prepare(ctypes.byref(request),
                                     ctypes.byref(handle)))
        return Reduction(self, handle)


class Reduction:
    """A prepared reduction. results: [(type name, shape)]."""

    def __init__(self, library, handle):
        self.library, self.handle = library, handle
        c = library.c
        self.plan = c.wf_plan(handle).decode()
        self.order = c.wf_order(handle).decode()
        self.results = []
        for i in range(c.wf_result_count(handle)):
            kind, rank = ctypes.c_int(), ctypes.c_int32(8)
            shape = (ctypes.c_int64 * 8)()
            library.check(c.wf_result_info(handle, i, ctypes.byref(kind),
                                           ctypes.byref(rank), shape))
            self.results.append((TYPES[kind.value], tuple(shape[:rank.value])))

    def bind(self, inputs, results, stream=None):
        """A function of no arguments that runs once on these addresses."""
        ins = (ctypes.c_void_p * len(inputs))(*inputs)
        outs = (ctypes.c_void_p * len(results))(*results)
        run, check, handle = self.library.c.wf_run, self.library.check, \
            self.handle

        def call():
            status = run(handle, ins, outs, stream)
            if status:
                check(status)
        return call

    def close(self):
        if self.handle:
            self.library.c.wf_destroy(self.handle)
            self.handle = None
