"""failures.py - A launch after one that failed.

SPDX-FileCopyrightText: The Warpfold developers
SPDX-License-Identifier: Apache-2.0
"""

from device import DEVICE_ERROR, USER_ERROR, View, WarpfoldError, check


def refused(call, status, word):
    """The call fails with this status and says `word`."""
    try:
        call()
    except WarpfoldError as error:
        check(error.status == status and word in str(error),
              f"status {error.status}: {error}; wanted {status} and '{word}'")
        return
    check(False, f"nothing failed; wanted status {status}")


def misaligned(gpu):
    """A pointer that no device can load from is the user's error, before
    anything is launched; the handle is as good as before."""
    gpu.needsGpu()
    n = 5_000_003
    x = gpu.view(gpu.full(1, (n + 1,), "f32"), (n,))
    off = View(x.memory, "f32", x.shape, first=2)
    reduction = gpu.prepare([x], op="sum")
    result = gpu.full(-1, (2,), "f32")
    aside = View(result, "f32", (), first=1)
    for views, into in (([off], result), ([x], aside)):
        refused(lambda v=views, r=into: gpu.run(reduction, v, [r],
                                                gpu.stream()),
                USER_ERROR, "multiple")
        gpu.sync()
        check(result.tolist() == [-1, -1], "the result was written")
        for view in (x, View(x.memory, "f32", x.shape, first=4)):
            gpu.run(reduction, [view], [result], gpu.stream())
            gpu.sync()
            check(result.tolist() == [n, -1], f"then {result.tolist()}")
            result.fill_(-1)
    reduction.close()


def outOfMemory(gpu):
    """Scratch that the device has no room for is the device's error. Nearly
    all memory is torch's first; then it is given back."""
    gpu.needsGpu()
    torch = gpu.torch
    # argmax of rows in 1024 blocks each: 2^26 states of 16 bytes.
    rows = gpu.view(gpu.full(1, (1,), "f64"), (1 << 16, 1 << 22), (0, 0))

    def large():
        return gpu.prepare([rows], op="argmax", axes=(1,), plan="v5")

    small = gpu.view(gpu.full(3, (1000,), "i32"))
    torch.cuda.empty_cache()
    hog = []
    try:
        for mib in (1024, 128):  # until less than that is free
            while torch.cuda.mem_get_info()[0] > (mib + 256) << 20:
                free = torch.cuda.mem_get_info()[0] >> 20
                hog.append(torch.empty((free - 256 if mib > 512 else mib) << 20,
                                       dtype=torch.uint8, device="cuda"))
        refused(lambda: large().close(), DEVICE_ERROR, "memory")
        check(gpu.reduce([small], op="sum")[0].item() == 3000,
              "a small reduction after it is wrong")
    finally:
        hog.clear()
        torch.cuda.empty_cache()
    large().close()
    check(gpu.reduce([small], op="sum")[0].item() == 3000,
          "a small reduction at the end is wrong")
