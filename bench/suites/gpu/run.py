#!/usr/bin/env python3
"""run.py - the GPU suite: Warpfold beside its peers on one NVIDIA GPU.

SPDX-FileCopyrightText: The Warpfold developers
SPDX-License-Identifier: Apache-2.0

  bench/run gpu --library build/release/lib/libwarpfold.so -o bench/results/h200
  bench/run gpu --quick --only 'rows|columns' --plan v3 --plan auto

Needs torch; uses Triton and nvcc where they are. Each row is printed and
written as it is done, so a run that is stopped leaves what it had measured.
"""

import argparse
import datetime
import os
import pathlib
import re
import signal
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import figures  # noqa: E402
import table  # noqa: E402
from checks import Data, Reference  # noqa: E402
from ours import Ours, ReadOnly  # noqa: E402
from peers import Build, CudaLibrary, Peers, failed  # noqa: E402
from record import OURS, missesOf, rowRecord  # noqa: E402
from results import Results, clockReader, clocksNow, rowLine  # noqa: E402
from rows import READ, Row, allRows, rehearsal  # noqa: E402
from timing import Clock, DeviceLost, HostClock, interleave  # noqa: E402
from warpfold import Library  # noqa: E402

HANG = 90  # seconds for one row, compilation included


def parse(arguments=None):
    p = argparse.ArgumentParser(prog="bench/run gpu",
                                description=__doc__.splitlines()[0])
    p.add_argument("--library", default="build/release/lib/libwarpfold.so",
                   help="libwarpfold.so; none: only the peers")
    p.add_argument("--program", default="build/release/bin/warpfold",
                   help="warpfold, for the time it compiles")
    p.add_argument("--target", default="sm_90", help="of that and of nvcc")
    p.add_argument("--only", default="", help="rows whose name matches")
    p.add_argument("--quick", action="store_true", help="a third of the rows")
    p.add_argument("--no-compile", action="store_true",
                   help="without torch.compile")
    p.add_argument("--plan", action="append", default=[], metavar="PLAN",
                   help="also ours under this plan, as one more contender")
    p.add_argument("--rounds", type=int, default=11)
    p.add_argument("--seconds", type=float, default=4,
                   help="most for the rounds of a row")
    p.add_argument("--limit", type=float,
                   help="seconds after which no row is begun (370; quick: 95)")
    p.add_argument("--build", default="build/bench-gpu", type=pathlib.Path,
                   help="where peers.cu is built, if it is not there")
    p.add_argument("--build-only", action="store_true",
                   help="build peers.cu and end")
    p.add_argument("-o", dest="folder", type=pathlib.Path,
                   help="where the results go (JSON lines and Markdown)")
    p.add_argument("--commit", default="unknown")
    p.add_argument("--rehearse", action="store_true",
                   help="small rows on the CPU: tries the driver only")
    options = p.parse_args(arguments)
    options.limit = options.limit or (95 if options.quick else 370)
    return options


def loaded(path):
    """Our library; None where that is asked for."""
    try:
        return None if path == "none" else Library(ROOT / path)
    except OSError as e:
        sys.exit(f"error: {e}\nhint: --library names libwarpfold.so; "
                 "--library none measures the peers alone")


class Suite:
    """The machine, what is compared on it, and the results so far."""

    def __init__(self, options):
        self.options, self.begin = options, time.monotonic()
        self.library = loaded(options.library)
        build = None if options.rehearse else Build(
            ROOT / options.build, options.target)
        # A kernel compiled by an earlier run would have no compile time; one
        # thread compiles, as starting a pool takes longer than it saves.
        self.caches = tempfile.TemporaryDirectory(prefix="bench-gpu-")
        os.environ["TRITON_CACHE_DIR"] = self.caches.name + "/triton"
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = self.caches.name + "/inductor"
        os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")
        try:
            import torch
        except ImportError as e:
            sys.exit(f"error: {e}\nhint: the GPU suite's peers and memory are "
                     "torch's; python3 needs that package")
        self.torch = torch
        skipped = []
        if options.rehearse:
            self.clock, stream, device = HostClock(), None, "cpu"
            self.name, self.l2, cuda = "a CPU (rehearsal)", 1 << 40, None
        else:
            if not torch.cuda.is_available():
                sys.exit("device error: torch sees no GPU\n"
                         "hint: --rehearse tries the driver without one")
            about = torch.cuda.get_device_properties(0)
            self.name, self.l2 = about.name, about.L2_cache_size
            self.clock, device = Clock(torch), "cuda"
            stream = self.clock.stream.cuda_stream
        self.rows = [r for r in allRows() if re.search(options.only, r.name)
                     and (r.isQuick or not options.quick)]
        if options.rehearse:
            self.rows = [rehearsal(r) for r in self.rows]
        if not self.rows:
            sys.exit(f"error: no row matches {options.only}")
        self.data = Data(torch, max(r.elements for r in self.rows), device)
        if build:
            path = build.path()
            cuda = path and CudaLibrary(torch, path, stream)
            if build.fault:
                skipped.append(f"CUB and read-only: {build.fault}")
        self.peers = Peers(torch, cuda, not options.no_compile)
        self.peers.skipped += skipped
        self.peers.warmUp(device)
        self.read = cuda and ReadOnly(torch, cuda, about.multi_processor_count)
        self.ours = None
        if self.library:
            self.device = "cpu" if options.rehearse else "cuda:0"
            self.ours = Ours(torch, self.library, self.device, stream)
        isWhole = not (options.quick or options.only or options.rehearse
                       or options.no_compile or options.library == "none")
        self.results = Results(options.folder, self.name, isWhole)
        self.clocks = clockReader()

    def head(self):
        clocks, driver = clocksNow()
        return {"kind": "head", "device": self.name, "driver": driver,
                "clocks": clocks, "l2_bytes": self.l2,
                "commit": self.options.commit,
                "date": f"{datetime.datetime.now(datetime.UTC):%Y-%m-%d %H:%M}"
                        " UTC",
                "versions": self.peers.versions, "skipped": self.peers.skipped,
                "python": sys.version.split()[0],
                "options": " ".join(sys.argv[1:])}

    def contenders(self, row):
        x = self.data.of(row)
        reference, out = Reference(self.torch, row, x), []
        if self.ours:
            out.append(self.ours.contender(OURS, row, x, reference))
            for plan in self.options.plan:
                out.append(self.ours.contender(f"{OURS}[{plan}]", row, x,
                                               reference, plan))
            if row.group == "full":
                other = Row("sum", "sum", row.shape)
                y = self.data.of(other)
                out.append(self.ours.contender(
                    OURS + " sum", other, y, Reference(self.torch, other, y)))
        if self.read:
            try:
                out.append(self.read.contender(x, self.clock))
            except RuntimeError as e:
                out.append(failed(READ, e))
        return out + self.peers.of(row, x, reference, self.clock)

    def hang(self, row):
        """A kernel that does not end cannot be stopped but with the process."""
        text = f"no end within {HANG:g} s"
        self.results.add({"kind": "fault", "name": row.name, "text": text})
        print(f"device error: {row.name}: {text}", file=sys.stderr, flush=True)
        self.results.finish()
        os._exit(2)

    def measure(self, row):
        watch = threading.Timer(HANG, self.hang, (row,))
        watch.daemon = True
        watch.start()
        try:
            self.measureInTime(row)
        finally:
            watch.cancel()

    def measureInTime(self, row):
        start = time.monotonic()
        contenders = self.contenders(row)
        interleave(contenders, self.clock, self.options.rounds,
                   self.options.seconds)
        record = rowRecord(row, contenders, self.l2)
        record["clocks"] = self.clocks()
        record["seconds"] = round(time.monotonic() - start, 2)
        for c in contenders:
            getattr(c, "close", lambda: None)()
        print(rowLine(self.results.add(record)), flush=True)

    def figures(self):
        program = ROOT / self.options.program
        made = [figures.toPtx(program, self.options.target, 7)]
        if self.library:
            made.append(figures.prepared(self.library, self.device, 7))
        if self.peers.triton:
            made.append(figures.freshTriton(self.torch, 5))
        made.append(figures.inductor(self.results.records))
        for figure in made:
            self.results.add(figure)
            print(f"{figure['name']}: {table.number(figure['median'], 1)} "
                  f"{figure['unit']} {figure.get('verdict', '')} "
                  f"({figure['note']})", flush=True)

    def run(self):
        head = self.results.add(self.head())
        print(f"{head['device']}, driver {head['driver']}, {head['clocks']}, "
              f"commit {head['commit']}, " + ", ".join(head["versions"]))
        for text in head["skipped"]:
            print("skipped: " + text)
        late = faults = 0
        for row in self.rows:
            if time.monotonic() - self.begin > self.options.limit:
                late += 1
                continue
            try:
                self.measure(row)
            except DeviceLost:
                raise
            except Exception as e:  # not of one contender: memory, say
                faults += 1
                text = (str(e).strip() or type(e).__name__).splitlines()[0]
                self.results.add({"kind": "fault", "name": row.name,
                                  "text": text[:300]})
                print(f"{row.name}: {type(e).__name__}: {text}", flush=True)
                if faults == 3:
                    raise
        self.figures()
        seconds = time.monotonic() - self.begin
        if late:
            print(f"{late} rows were not begun within {self.options.limit:g} s")
        else:
            self.results.add({"kind": "end", "seconds": round(seconds, 1),
                              "clocks": clocksNow()[0]})
        print(f"\n{len(self.rows) - late} rows in {seconds:.0f} s\n")
        print("\n".join(table.summaryTable(self.results.records)))
        misses = missesOf(self.results.records)
        print(f"\n{len(misses)} missed, refused or wrong")
        for name, text in misses:
            print(f"  {name}: {text}")


def main():
    options = parse()
    import selftest
    selftest.quick()
    if options.build_only:
        build = Build(ROOT / options.build, options.target)
        print(build.path() or build.fault)
        return 1 if build.fault else 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(124))
    suite = Suite(options)
    code = 0
    try:
        suite.run()
    except DeviceLost as e:
        print(f"device error: {e}", file=sys.stderr)
        code = 2
    finally:
        suite.results.finish()
    # A missed target is a result, not a failure of the run. A lost device may
    # hang what would be torn down now.
    sys.stdout.flush()
    sys.stderr.flush()
    if code:
        os._exit(code)
    return code


if __name__ == "__main__":
    sys.exit(main())
