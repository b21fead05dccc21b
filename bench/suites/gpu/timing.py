"""timing.py - contenders timed in turn, cold and clean.

SPDX-FileCopyrightText: The Warpfold developers
SPDX-License-Identifier: Apache-2.0

Every round runs each contender once, in a shuffled order; a comparison is the
median of the ratios within a round. One timing is

  spoil outputs · read 256 MiB · sleep · event · the operator · event · check

Reading a clean buffer empties the L2 of the input and writes the spoiled
outputs back; overwriting one would leave dirty lines whose write-back is timed.
The device sleeps while the host queues what follows, so that only device time
is between the events. Nothing here imports torch before Clock is made.
"""

import math
import random
import statistics
import time

MOST = 4  # a peer this many times slower than the fastest sits out later rounds


class DeviceLost(Exception):
    """The device does not answer as it should; nothing after this counts."""


class Clock:
    """Device time of one call on a stream of its own."""

    def __init__(self, torch, flushBytes=256 << 20):
        self.torch = torch
        self.stream = torch.cuda.Stream()
        torch.cuda.set_stream(self.stream)
        self.clean = torch.zeros(flushBytes // 4, dtype=torch.float32,
                                 device="cuda")
        self.begin = torch.cuda.Event(enable_timing=True)
        self.end = torch.cuda.Event(enable_timing=True)

    def once(self, call, state):
        """Microseconds of call(); `state` is kept between calls of one
        contender: how long the host needs to queue it."""
        if "ahead" not in state:
            call()  # may load or compile
            self.torch.cuda.synchronize()
            state["ahead"] = 100
        for _ in range(4):
            ahead = state["ahead"]
            self.clean.sum()
            self.torch.cuda._sleep(int(ahead * 2000))  # at up to 2 GHz
            start = time.perf_counter()
            self.begin.record()
            call()
            self.end.record()
            host = (time.perf_counter() - start) * 1e6
            self.end.synchronize()
            if host <= ahead:
                break
            state["ahead"] = min(2 * host + 50, 2000)
        return self.begin.elapsed_time(self.end) * 1e3

    def synchronize(self):
        self.torch.cuda.synchronize()


class HostClock:
    """For rehearsals on a CPU: the same calls, wall time, no flush."""
    stream = None

    def once(self, call, state):
        start = time.perf_counter()
        call()
        return (time.perf_counter() - start) * 1e6

    def synchronize(self):
        pass


class Contender:
    """A name, what is called, and the results it leaves.

    spoil() fills the outputs with what cannot be a result; check() gives a
    Verdict of what is there now. `facts` go into the record as they are.
    """

    def __init__(self, name, call, spoil, check, optional=True, **facts):
        self.name, self.call, self.spoil, self.check = name, call, spoil, check
        self.optional, self.facts = optional, facts
        self.us, self.state = [], {}
        self.fault, self.error, self.bound = "", None, None

    def run(self, clock):
        """One checked timing; NaN where there is none."""
        if self.fault:
            return math.nan
        try:
            self.spoil()
            us = clock.once(self.call, self.state)
            verdict = self.check()
        except Exception as e:  # a peer that fails is a row of the table
            text = (str(e).strip() or type(e).__name__).splitlines()[0]
            self.fault = f"failed: {text[:200]}"
            try:
                clock.synchronize()
            except Exception as lost:
                raise DeviceLost(f"{self.name}: {text}") from lost
            return math.nan
        if self.error is None or not verdict.error <= self.error:
            self.error, self.bound = verdict.error, verdict.bound
        if verdict.fault:
            self.fault = f"wrong: {verdict.fault}"
            return math.nan
        self.facts.update(verdict.facts)
        return us

    def record(self):
        out = {"name": self.name, **self.facts}
        if self.error is not None:
            out |= {"error": self.error, "bound": self.bound}
        if self.fault:
            return out | {"fault": self.fault}
        return out | spread(self.us)


def spread(values):
    """Median and quartiles; NaNs are rounds that were sat out."""
    v = sorted(x for x in values if not math.isnan(x))
    if not v:
        return {"median": None, "low": None, "high": None, "rounds": 0}
    q = v * 3 if len(v) == 1 else statistics.quantiles(v, n=4,
                                                       method="inclusive")
    return {"median": statistics.median(v), "low": q[0], "high": q[2],
            "rounds": len(v)}


def ratios(a, b, scale=1.0):
    """How fast a is compared with b, round by round: b's time over a's."""
    pairs = zip(a.us, b.us)
    return spread([scale * y / x if x > 0 else math.nan for x, y in pairs])


def interleave(contenders, clock, rounds=11, seconds=4.0, seed=1):
    """One round of warming up, then rounds until `rounds` or `seconds` are
    over (three at least). Times go into each contender's `us`."""
    order, shuffle = list(contenders), random.Random(seed)
    deadline = time.monotonic() + seconds
    for c in contenders:
        c.run(clock)
    resting = set()
    for round in range(rounds):
        if round >= 3 and time.monotonic() > deadline:
            break
        shuffle.shuffle(order)
        now = {c: math.nan if c in resting else c.run(clock) for c in order}
        for c in contenders:
            c.us.append(now[c])
        if round == 2:
            medians = {c: spread(c.us)["median"] for c in contenders}
            known = [m for m in medians.values() if m]
            resting = {c for c in contenders if c.optional and medians[c]
                       and medians[c] > MOST * min(known)}
    for c in contenders:
        if c.fault:
            c.us = [math.nan] * len(c.us)
