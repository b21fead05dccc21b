"""ours.py - Warpfold and the read-only kernel as contenders.

SPDX-FileCopyrightText: The Warpfold developers
SPDX-License-Identifier: Apache-2.0
"""

import time

from checks import Verdict, poison
from peers import failed
from timing import Contender

STREAMS = (2, 4, 8, 16)  # loads in flight a thread; peers.cu: peers_read


class ReadOnly:
    """The denominator: the variant that was fastest for this size, chosen on
    the device. Its result, the exclusive or of all words, is checked."""

    def __init__(self, torch, cuda, processors):
        self.torch, self.cuda, self.processors = torch, cuda, processors
        self.word = torch.zeros(1, dtype=torch.int32, device="cuda")
        self.best, self.wanted = {}, {}

    def variants(self, n):
        """(loads, threads, blocks), each a different launch."""
        seen = {}
        for loads in STREAMS:
            for threads in (256, 512, 1024):
                tiles = -(-n // 4 // (loads * threads)) or 1
                for each in (1, 2, 4, 8, 0):  # blocks a processor; 0: a tile
                    if each * threads > 2048:
                        continue  # more than are resident
                    blocks = min(each * self.processors or tiles, tiles)
                    # More than 2^17 blocks would only queue for one word.
                    if blocks <= 1 << 17:
                        seen[loads, threads, blocks] = None
        return list(seen)

    def caller(self, x, variant):
        address, word = x.data_ptr(), self.word.data_ptr()
        read, check, stream = (self.cuda.c.peers_read, self.cuda.check,
                               self.cuda.stream)
        return lambda: check(read(*variant, address, x.numel(), word, stream))

    def joined(self, x):
        """What the kernel has to leave in the word."""
        key = x.data_ptr(), x.numel()
        if key not in self.wanted:
            self.word.zero_()
            self.cuda.check(self.cuda.c.peers_read_plain(
                *key, self.word.data_ptr(), self.cuda.stream))
            self.wanted[key] = int(self.word)
        return self.wanted[key]

    def contender(self, x, clock):
        n = x.numel()
        if n not in self.best:
            times = {}
            for v in self.variants(n):
                call, state = self.caller(x, v), {}
                times[v] = min(clock.once(call, state) for _ in range(3))
            self.best[n] = min(times, key=times.get)
        wanted = self.joined(x)

        def check():
            # One call on a zero word: an even number would leave zero again.
            self.word.zero_()
            self.caller(x, self.best[n])()
            got = int(self.word)
            return Verdict("" if got == wanted else f"{got} is read, not "
                           f"{wanted}")
        loads, threads, blocks = self.best[n]
        return Contender(
            "read-only", self.caller(x, self.best[n]), self.word.zero_, check,
            False, note=f"{loads} loads, {threads} threads, {blocks} blocks")


def tensorType(torch, name):
    return {"f32": torch.float32, "f64": torch.float64, "i32": torch.int32,
            "i64": torch.int64}[name]


class Ours:
    """The loaded library on one device."""

    def __init__(self, torch, library, device, stream):
        self.torch, self.library = torch, library
        self.device, self.stream = device, stream

    def contender(self, name, row, x, reference, plan=None):
        """Prepared, with outputs of its own; a request that is refused is a
        contender that says so."""
        start = time.perf_counter()
        try:
            made = self.library.prepare(row.op, row.shape, axes=row.axes,
                                        order="canonical", plan=plan,
                                        device=self.device)
        except Exception as e:
            return failed(name, e)
        ms = (time.perf_counter() - start) * 1e3
        kind, shape = made.results[0]
        if shape != row.kept:
            return failed(name, ValueError(f"a result of shape {shape}"))
        out = self.torch.empty(shape, dtype=tensorType(self.torch, kind),
                               device=x.device)
        call = made.bind([x.data_ptr()], [out.data_ptr()], self.stream)
        contender = Contender(
            name, call, lambda: poison(out),
            lambda: reference.check(out, isOurs=True), False, plan=made.plan,
            order=made.order, prepare_ms=round(ms, 2),
            result_bytes=out.numel() * out.element_size())
        contender.close = made.close
        return contender
