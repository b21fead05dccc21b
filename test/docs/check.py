#!/usr/bin/env python3
"""check.py - links and paths in the documentation lead somewhere.

SPDX-FileCopyrightText: The Warpfold developers
SPDX-License-Identifier: Apache-2.0

Fails on a relative link in a Markdown file whose file or heading is not there,
and on a path in backquotes, such as `lib/Plan/Plan.h`, that no file or folder of
the checkout has. Of README.md (whose folders test/sizes compares) and
docs/words.md (which names files of another project) only links are looked at.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("bench", "cmake", "docs", "examples", "fuzz", "include", "lib",
           "test", "tools", "unittests")
LINK = re.compile(r"\]\(([^)\s]+)\)")
PATH = re.compile(rf"`((?:{'|'.join(FOLDERS)})/[\w./*-]+)`")


def pages(root):
    """The pages that people read; tests' own pages are not among them."""
    return [root / "README.md", root / "CONTRIBUTING.md",
            *sorted((root / "docs").glob("*.md")),
            *sorted((root / "examples").glob("**/*.md")),
            root / "bench/README.md"]


def prose(text):
    """The text without fenced blocks, line numbers kept."""
    lines, fenced = [], False
    for line in text.splitlines():
        fenced ^= line.lstrip().startswith("```")
        lines.append("" if fenced else line)
    return lines


def anchors(page):
    """What GitHub makes of the headings of a page."""
    found = set()
    for line in prose(page.read_text()):
        if heading := re.match(r"#+ (.*)", line):
            kept = re.sub(r"[^\w\- ]", "", heading[1].strip().lower())
            found.add(kept.replace(" ", "-"))
    return found


def faultsOf(page, root):
    """Lines `page:number: what is wrong`."""
    faults = []
    linksOnly = page in (root / "README.md", root / "docs/words.md")
    for number, line in enumerate(prose(page.read_text()), 1):
        at = f"{page.relative_to(root)}:{number}"
        for target in LINK.findall(line):
            if re.match(r"\w+:", target):
                continue
            name, _, anchor = target.partition("#")
            file = (page.parent / name).resolve() if name else page
            if not file.exists():
                faults.append(f"{at}: the link {target} leads nowhere")
            elif anchor and file.suffix == ".md" and \
                    anchor not in anchors(file):
                faults.append(f"{at}: {name or page.name} has no heading "
                              f"#{anchor}")
        for path in () if linksOnly else PATH.findall(line):
            if not any(root.glob(path.rstrip("/."))):
                faults.append(f"{at}: there is no {path}")
    return faults


def main(root=ROOT):
    faults = [f for page in pages(root) for f in faultsOf(page, root)]
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
