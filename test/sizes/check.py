#!/usr/bin/env python3
"""check.py - file and function sizes, heads, and the README's folder map.

SPDX-FileCopyrightText: The Warpfold developers
SPDX-License-Identifier: Apache-2.0

Fails on a file past 500 lines, a C++ function past 80 (a rough count: a line
that opens a body at the outer level up to the line that closes it), a source
file without the two SPDX lines, and a folder that README.md and the tree do
not both know. Warns where the median file is past 150 lines.
"""

import pathlib
import re
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILE_CAP, FUNCTION_CAP, MEDIAN = 500, 80, 150
SOURCES = (".cpp", ".h", ".c", ".cu", ".hip", ".py", ".td", ".fold", ".cmake")
# Tables, and what listings were made of: their line numbers are in them.
DATA = ("test/cases/", "test/Explain/listings/")


def tracked():
    """Every file of the checkout that git does not ignore."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, check=True).stdout.decode()
    return sorted(p for p in set(listing.split("\0"))
                  if p and (ROOT / p).is_file())


def functions(lines):
    """(first line, length) of each body at the outer level of a C++ file.

    LLVM style closes a function with a brace in the first column, or indented
    by two inside a class; a body is counted from the last line that starts in
    that same column. Classes, enums, namespaces and tables are not bodies.
    """
    start = None
    for number, line in enumerate(lines, 1):
        if start is None:
            opens = (re.match(r"[A-Za-z_~]", line) and line.endswith("{")
                     and "(" in line or
                     re.match(r"  +.*\)( const| override| noexcept)* \{$", line)
                     and not line.startswith("   "))
            if opens:
                start, indent = number, len(line) - len(line.lstrip())
        elif line.startswith(" " * indent + "}"):
            yield start, number - start + 1
            start = None


def checkSizes(files, faults):
    lengths = []
    for name in files:
        path = pathlib.Path(name)
        if path.suffix not in SOURCES or name.startswith(DATA):
            continue
        lines = (ROOT / name).read_text(errors="replace").splitlines()
        lengths.append(len(lines))
        if len(lines) > FILE_CAP:
            faults.append(f"{name}: {len(lines)} lines; the cap is {FILE_CAP}")
        if path.suffix in (".cpp", ".h", ".c"):
            for first, length in functions(lines):
                if length > FUNCTION_CAP:
                    faults.append(f"{name}:{first}: a function of {length} "
                                  f"lines; the cap is {FUNCTION_CAP}")
        if path.suffix == ".fold":  # read by users: the language and no more
            continue
        head = "\n".join(lines[:12])
        if "SPDX-License-Identifier: Apache-2.0" not in head or \
                "SPDX-FileCopyrightText:" not in head:
            faults.append(f"{name}: the two SPDX lines are missing in its head")
    if not lengths:
        faults.append("no source files found")
    elif statistics.median(lengths) > MEDIAN:
        print(f"warning: the median file has {statistics.median(lengths)} "
              f"lines; feel at home below {MEDIAN}")


def checkFolderMap(files, faults):
    """The README's `folder` column against the tree, both ways."""
    readme = (ROOT / "README.md").read_text()
    named = set(re.findall(r"^\|[^|\n]*\| `([\w./-]+?)/?` \|", readme, re.M))
    tree = {"/".join(f.split("/")[:2]) for f in files if f.startswith("lib/")
            and f.count("/") >= 2}
    tree |= {f.split("/")[0] for f in files if "/" in f
             and not f.startswith((".", "lib/"))}
    for folder in sorted(tree - named):
        faults.append(f"README.md: its folder tables lack {folder}")
    for folder in sorted(named - tree):
        faults.append(f"README.md: names {folder}, which is not in the tree")


def selftest():
    body = ["int f(int a) {"] + ["  a++;"] * 90 + ["}"]
    assert [n for _, n in functions(body)] == [92]
    assert not list(functions(["namespace x {", "struct A {", "};", "}"]))


def main():
    selftest()
    files, faults = tracked(), []
    checkSizes(files, faults)
    checkFolderMap(files, faults)
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
