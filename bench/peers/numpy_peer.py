"""numpy_peer.py - NumPy's side of the benchmarks, one command a line.

SPDX-FileCopyrightText: The Warpfold developers
SPDX-License-Identifier: Apache-2.0

Standard input has commands and, after `data`, the array's bytes; standard
output has one line an answer and, after `result`, the result's bytes:

  data f4 268435456     then 1 GiB          ok
  view 67108864 8192,8192                   ok             x = first elements
  run 3 x.sum(axis=1)                       seconds S      of one of 3 calls
  result                                    result f4 32768 (bytes follow)

NumPy times itself, so the pipe is not in its time. Its memory is its own
array: np.empty asks for huge pages, as the other side's buffer does.
"""

import sys
import time

import numpy as np


def answer(text, payload=b""):
    sys.stdout.buffer.write((text + "\n").encode())
    sys.stdout.buffer.write(payload)
    sys.stdout.buffer.flush()


def main():
    answer("numpy " + np.__version__)
    data = x = result = None
    for line in iter(sys.stdin.buffer.readline, b""):
        command, _, rest = line.decode().strip().partition(" ")
        if command == "data":
            dtype, count = rest.split()
            data = x = result = None  # two gigabytes at once are not needed
            data = np.empty(int(count), dtype)
            view, at = memoryview(data.view(np.uint8)), 0
            while at < len(view):
                got = sys.stdin.buffer.readinto(view[at:])
                if not got:
                    return 1
                at += got
            answer("ok")
        elif command == "view":
            count, shape = rest.split()
            x = data[:int(count)].reshape([int(n) for n in shape.split(",")])
            answer("ok")
        elif command == "run":
            repeats, _, expression = rest.partition(" ")
            code = compile(expression, "expression", "eval")
            names = {"x": x, "np": np}
            start = time.perf_counter()
            for _ in range(int(repeats)):
                result = eval(code, names)
            seconds = (time.perf_counter() - start) / int(repeats)
            answer(f"seconds {seconds!r}")
        elif command == "result":
            array = np.ascontiguousarray(result)
            answer(f"result {array.dtype.str[1:]} {array.nbytes}",
                   array.tobytes())
    return 0


if __name__ == "__main__":
    sys.exit(main())
