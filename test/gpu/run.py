#!/usr/bin/env python3
"""run.py - what `warpfold selftest` does not ask of a GPU.

SPDX-FileCopyrightText: The Warpfold developers
SPDX-License-Identifier: Apache-2.0

  test/gpu/run.py --library build/release/lib/libwarpfold.so
      --program build/release/bin/warpfold [--only PART]… [-o LOG]

  stress   the same bits 10,000 times, two streams, two threads, graphs, after
           a failure
  bits     random views and reductions against device=cpu
  big      more than 2^31 and 2^32 elements, offsets past 2^33 bytes
  cases    rows of known faults, with their right values

Each part has a process of its own: what breaks one device context, or ends the
process, does not reach the next part. Needs torch and a CUDA device; without
them every part is skipped, and the reason printed. --rehearse runs the tests
themselves on the CPU, small. The last line is `N passed, N failed, N skipped`;
the exit code is 1 if anything failed.
"""

import argparse
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import traceback

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

PARTS = ("stress", "bits", "big", "cases")
LIMIT = 90  # seconds a part may take: a kernel that hangs is a failure


def reasonToSkip(args):
    """Why there is nothing to test here, or None."""
    try:
        import torch  # noqa: F401
    except ImportError as error:
        return f"torch is not there ({error})"
    if args.rehearse:
        return None
    listing = subprocess.run([args.program, "devices"], capture_output=True,
                             text=True, stdin=subprocess.DEVNULL)
    if not re.search(r"^cuda:\d", listing.stdout, re.M):
        lines = [line for line in (listing.stdout + listing.stderr).splitlines()
                 if line.startswith("cuda")]
        return lines[0] if lines else "no cuda device"
    return None


def runPart(part, args, say):
    """Every test of a part; say(name, status, text, seconds) for each."""
    import torch
    from device import Device, Skip, Wrong
    if args.rehearse:
        torch.set_num_threads(1)
    gpu = Device(torch, args.library, args.rehearse or "cuda:0",
                 bool(args.rehearse), args.program)
    for name, test in __import__(part).tests(gpu):
        if args.match and not re.search(args.match, name):
            continue
        start, status, text = time.monotonic(), "passed", ""
        try:
            text = test() or ""
            gpu.sync()
        except Skip as why:
            status, text = "skipped", str(why)
        except Wrong as why:
            status, text = "failed", str(why)
        except Exception:  # noqa: BLE001 - whatever it is, it is a failure
            status, text = "failed", traceback.format_exc(limit=-3)
        say(name, status, text, time.monotonic() - start)


def inProcess(part, args):
    """Yields what runPart says, from a child process."""
    read, write = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        os.close(read)
        code = 1
        try:
            signal.alarm(LIMIT)
            with os.fdopen(write, "w") as pipe:
                runPart(part, args, lambda *said: print(
                    json.dumps(said), file=pipe, flush=True))
            code = 0
        except BaseException:  # noqa: BLE001 - the parent reports the end
            traceback.print_exc()
        finally:
            os._exit(code)  # no clean-up of a context that may be broken
    os.close(write)
    with os.fdopen(read) as pipe:
        for line in pipe:
            yield json.loads(line)
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if ended:
        why = (f"took longer than {LIMIT} s" if ended == -signal.SIGALRM
               else f"ended with {ended}")
        yield "(the process)", "failed", why, 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--library", required=True)
    parser.add_argument("--program", required=True)
    parser.add_argument("--only", action="append", choices=PARTS)
    parser.add_argument("--match", help="tests whose name matches (a regex)")
    parser.add_argument("--rehearse", nargs="?", const="cpu", metavar="DEVICE",
                        help="torch's memory on the CPU, and this device")
    parser.add_argument("-o", "--output", help="a log beside the console")
    args = parser.parse_args()
    log = open(args.output, "w") if args.output else None

    def say(text):
        print(text, flush=True)
        if log:
            print(text, file=log, flush=True)

    count = {"passed": 0, "failed": 0, "skipped": 0}
    missing = reasonToSkip(args)
    for part in PARTS:
        if args.only and part not in args.only:
            continue
        if missing:
            say(f"skipped {part}: {missing}")
            count["skipped"] += 1
            continue
        start = time.monotonic()
        for name, status, text, seconds in inProcess(part, args):
            count[status] += 1
            say(f"{status} {part}/{name} ({seconds:.2f} s)"
                + (f": {text}" if text else ""))
        say(f"{part}: {time.monotonic() - start:.1f} s")
    say(", ".join(f"{n} {status}" for status, n in count.items()))
    return 1 if count["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
