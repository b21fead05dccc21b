#!/usr/bin/env python3
"""selftest.py - the GPU suite's checks, tested with wrong answers; no GPU.

SPDX-FileCopyrightText: The Warpfold developers
SPDX-License-Identifier: Apache-2.0

`quick()` runs at the start of every run of the suite. As a program it also
holds the ctypes structures against a C compiler's layout of warpfold.h, writes
a table of made-up results, and checks results where torch is installed. What
cannot be tested here is printed as skipped.
"""

import contextlib
import ctypes
import io
import json
import math
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import figures  # noqa: E402
import record  # noqa: E402
import rows  # noqa: E402
import table  # noqa: E402
import warpfold  # noqa: E402
from checks import Verdict  # noqa: E402
from timing import Contender, interleave, ratios, spread  # noqa: E402


class Steps:
    """A clock that says what the contender says."""

    def once(self, call, state):
        return call()

    def synchronize(self):
        pass


def made(name, us, fault="", optional=True):
    return Contender(name, lambda: us, lambda: None,
                     lambda: Verdict(fault, 0.0, 0.0), optional)


def measured(*contenders, row=None, l2=0):
    interleave(contenders, Steps(), rounds=5)
    row = row or rows.Row("sum", "sum", (1 << 20,), None,
                          ((rows.BEST, 1.0), ("CUB", 1.1)))
    return record.rowRecord(row, contenders, l2)


def testTiming():
    s = spread([1, math.nan, 2, 3, 100])
    assert (s["median"], s["rounds"]) == (2.5, 4), s
    assert spread([math.nan])["median"] is None
    slow, fast = made("slow", 50.0), made("fast", 10.0)
    interleave([slow, fast], Steps(), rounds=5)
    assert len([u for u in slow.us if not math.isnan(u)]) == 3, slow.us
    assert ratios(fast, slow)["median"] == 5.0

    def broken():
        raise ValueError("no such kernel")
    c = Contender("broken", broken, lambda: None, lambda: Verdict())
    interleave([c], Steps(), rounds=3)
    assert c.fault == "failed: no such kernel" and math.isnan(c.us[0])


def testVerdicts():
    r = measured(made("warpfold", 10.0), made("CUB", 10.5), made("torch", 12.0))
    assert r["best_peer"] == "CUB"
    assert [t["verdict"] for t in r["targets"]] == ["met", "missed"], r
    # A wrong peer is no best peer, and its time is not in the record.
    r = measured(made("warpfold", 10.0), made("CUB", 1.0, "result 0 is nan"),
                 made("torch", 12.0))
    assert r["best_peer"] == "torch" and "CUB" not in r["ratios"]
    assert "median" not in r["contenders"][1]
    assert r["targets"][1]["verdict"] == "not measured"
    # Ours wrong: every target is missed.
    r = measured(made("warpfold", 1.0, "result 0 is nan"), made("CUB", 9.0))
    assert all(t["verdict"].startswith("missed") for t in r["targets"])
    assert not r["ratios"]
    # Nobody reads faster than reading alone, beyond the L2.

    def pair():
        return made("warpfold", 8.0), made("read-only", 10.0)
    assert "refused" in measured(*pair())["contenders"][0]["fault"]
    assert "fault" not in measured(*pair(), l2=1 << 30)["contenders"][0]
    # Ours in other plans and our sum are no peers.
    r = measured(made("warpfold", 10.0), made("warpfold[v3]", 1.0),
                 made("warpfold sum", 1.0))
    assert r["best_peer"] is None
    groups = record.groupVerdicts([r])
    assert all(g["verdict"] == "not measured" for g in groups)


def testRows():
    every = rows.allRows()
    assert len({r.name for r in every}) == len(every)
    for r in every:
        assert r.elements == r.reduced * math.prod(r.kept)
        assert rows.rehearsal(r).elements <= 1 << 16
    assert {r.group for r in every} == set(rows.GROUPS)
    axes = rows.Row("columns", "sum", (2, 3, 5), (0, 2))
    assert axes.kept == (3,) and axes.reduced == 10


def quick():
    """Everything that takes no time."""
    figures.selftest()
    testTiming()
    testVerdicts()
    testRows()


LAYOUT = """#include <stdio.h>
#include <warpfold/warpfold.h>
int main(void) {
%s
  return 0;
}
"""


def testLayout(include=table.ROOT / "include"):
    """Every member's offset and size in C and in ctypes."""
    compiler = shutil.which("clang-22") or shutil.which("cc")
    if not compiler:
        return "skipped: no C compiler for the layout of wf_request"
    lines, wanted = [], []
    for name, type_ in (("wf_array", warpfold.Array),
                        ("wf_param", warpfold.Param),
                        ("wf_request", warpfold.Request)):
        lines.append(f'  printf("{name} %zu\\n", sizeof({name}));')
        wanted.append(f"{name} {ctypes.sizeof(type_)}")
        for member, _ in type_._fields_:
            field = getattr(type_, member)
            lines.append(
                f'  printf("{name}.{member} %zu %zu\\n", offsetof({name}, '
                f'{member}), sizeof((({name} *)0)->{member}));')
            wanted.append(f"{name}.{member} {field.offset} {field.size}")
    for i, name in enumerate(warpfold.TYPES):
        lines.append(f'  printf("WF_{name.upper()} %d\\n", '
                     f'(int)WF_{name.upper()});')
        wanted.append(f"WF_{name.upper()} {i}")
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "layout.c"
        source.write_text(LAYOUT % "\n".join(lines))
        program = source.with_suffix("")
        done = subprocess.run(
            [compiler, "-I", str(include), str(source), "-o",
             str(program)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-2000:]
        got = subprocess.run([program], capture_output=True,
                             text=True).stdout.split("\n")[:-1]
    differ = [(w, g) for w, g in zip(wanted, got) if w != g]
    assert len(got) == len(wanted) and not differ, differ
    return ""


def testTable():
    """A README made of results says so, and one that was edited does not."""
    head = {"kind": "head", "device": "Made Up", "driver": "1", "clocks": "2",
            "commit": "3", "date": "4", "versions": ["torch 5"], "skipped": []}
    lines = [head, measured(made("warpfold", 10.0), made("CUB", 10.5),
                            made("torch", 30.0), made("read-only", 9.8)),
             record.figureRecord("compile", "ms", [41.0, 42.0], 40)]
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        readme = root / "README.md"
        readme.write_text(f"above\n{table.BEGIN}\n{table.END}\nbelow\n")

        def run(*arguments):
            with contextlib.redirect_stdout(io.StringIO()):
                return table.main(root, list(arguments))

        assert run("--check") == 0  # no results are no fault
        results = root / table.RESULTS
        results.parent.mkdir(parents=True)
        results.write_text("".join(json.dumps(r) + "\n" for r in lines)
                           + '{"kind": "ro')  # cut off in the middle
        assert run("--check") == 1
        assert run() == 0
        assert run("--check") == 1  # two misses have no reason yet
        results.with_name("misses.txt").write_text(
            "# row: reason\nsum 2^20: too few loads\ncompile: slow\n")
        assert run() == 0 and run("--check") == 0
        text = readme.read_text()
        assert "sum 2^20" in text and "too few loads" in text
        assert text.startswith("above") and text.endswith("below\n")
        readme.write_text(text.replace("10.0", "9.0", 1))
        assert run("--check") == 1
        readme.write_text("no markers")
        assert run("--check") == 1
    return ""


def testChecks():
    """References and comparisons with wrong results."""
    try:
        import torch
    except ImportError:
        return "skipped: no torch to check results with"
    from checks import Data, Reference
    data = Data(torch, 1 << 12, "cpu")
    for row in rows.allRows():
        row = rows.rehearsal(row, 1 << 12)
        x = data.of(row)
        reference = Reference(torch, row, x)
        right = reference.want if row.op != "argmax" else reference.first
        right = right.to(torch.float32 if row.op != "argmax" else torch.int64)
        assert not reference.check(right, isOurs=True).fault, row.name
        wrong = [right + 1]
        if row.op != "argmax":
            wrong += [right * math.nan, right * (1 + 2 ** -10) + 2 ** -7
                      * (row.op == "sum")]
        if right.numel() > 1:
            wrong += [right.flatten()[:-1]]
        for w in wrong:
            assert reference.check(w, isOurs=True).fault, row.name
    # The last of equals: no fault of a peer, and one of ours.
    for shape, axes, last in (((4,), None, 3), ((1, 4), (1,), [3])):
        row = rows.Row("full", "argmax", shape, axes)
        x = torch.tensor([1.0, 3.0, 2.0, 3.0]).view(shape)
        reference, got = Reference(torch, row, x), torch.tensor(last)
        assert not reference.check(got).fault
        assert reference.check(got, isOurs=True).fault
        assert not reference.check(got - 2, isOurs=True).fault
        assert reference.check(got - 1).fault and reference.check(got + 1).fault
    return ""


def main():
    quick()
    for test in (testLayout, testTable, testChecks):
        text = test()
        if text:
            print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
