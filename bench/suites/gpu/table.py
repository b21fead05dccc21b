#!/usr/bin/env python3
"""table.py - the GPU suite's results as Markdown, and the table in README.md.

SPDX-FileCopyrightText: The Warpfold developers
SPDX-License-Identifier: Apache-2.0

  table.py                 puts the committed results between README's markers
  table.py --check         fails unless they are there already
  table.py RESULTS.jsonl   prints a whole result file as Markdown

The markers are `<!-- gpu-table:begin -->` and `<!-- gpu-table:end -->`. Every
miss needs its reason in misses.txt beside the results, a line `row: reason`
(the row's name as in the table); --check fails where one is missing.
"""

import argparse
import json
import pathlib
import sys

from record import OURS, groupVerdicts, missesOf, summaryOf
from rows import BEST, READ, SUM

ROOT = pathlib.Path(__file__).resolve().parents[3]
RESULTS = "bench/results/h200/nvidia-h200.jsonl"
BEGIN, END = "<!-- gpu-table:begin -->", "<!-- gpu-table:end -->"
PEERS = ("CUB", "torch", "torch.compile", "Triton")


def load(path):
    """The records of a result file; a last line that was cut off is left."""
    out = []
    lines = path.read_text().splitlines()
    for i, line in enumerate(lines):
        try:
            out.append(json.loads(line))
        except json.JSONDecodeError:
            if i + 1 < len(lines):
                raise
    return out


def reasons(path):
    """{row: reason} of misses.txt; none if there is no such file."""
    if not path.exists():
        return {}
    lines = [line for line in path.read_text().splitlines()
             if line.strip() and not line.startswith("#")]
    return {k.strip(): v.strip() for k, _, v in (s.partition(": ")
                                                 for s in lines)}


def grid(rows):
    head, *rest = rows
    lines = ["| " + " | ".join(r) + " |" for r in rest]
    return ["| " + " | ".join(head) + " |", "|---" * len(head) + "|", *lines]


def number(value, digits=2):
    return "–" if value is None else f"{value:.{digits}f}"


def cell(record, name):
    """A ratio ± half the distance of its quartiles, or why there is none."""
    v = record["ratios"].get(name)
    if v and v["median"] is not None:
        return f"{v['median']:.2f}±{(v['high'] - v['low']) / 2:.2f}"
    for c in record["contenders"]:
        if c["name"] == name and "fault" in c:
            return c["fault"].partition(":")[0]
    return "–"


def targetText(record):
    parts = []
    for t in record["targets"]:
        value = "" if t["value"] is None else f" {t['value']:.3f}"
        kind = t["verdict"] if t["verdict"] == "met" else \
            t["verdict"].replace("missed", "MISSED", 1)
        parts.append(f"{t['against']} ≥ {t['least']:.2f}:{value} {kind}")
    return "; ".join(parts) or "for information"


def rowTable(records):
    rows = [["reduction", "µs", "GB/s", "read GB/s", "/ read-only",
             *("/ " + p for p in PEERS), "best peer", "targets"]]
    for r in records:
        if r["kind"] != "row":
            continue
        by = {c["name"]: c for c in r["contenders"]}
        us = by.get(OURS, {}).get("median")
        read = by.get(READ, {}).get("median")
        total = r["bytes_in"] + r["bytes_out"]
        rows.append([
            r["name"] + " (L2)" * ("fits" in r["cache"]),
            number(us, 1) if us or OURS not in by else by[OURS]["fault"],
            number(us and total / us / 1e3, 0),
            number(read and r["bytes_in"] / read / 1e3, 0), cell(r, READ),
            *(cell(r, p) for p in PEERS), r["best_peer"] or "–",
            targetText(r)])
    return grid(rows)


def figureTable(records):
    rows = [["figure", "median", "quartiles", "target", "note"]]
    for f in records:
        if f["kind"] == "figure":
            target = f"≤ {f['most']:g}: {f['verdict']}" if "most" in f else "–"
            rows.append([f["name"], f"{number(f['median'], 1)} {f['unit']}",
                         f"{number(f['low'], 1)} … {number(f['high'], 1)}",
                         target, f["note"] or "–"])
    return grid(rows) if len(rows) > 1 else []


def summaryTable(records):
    rows = [["rows", "number", "targets met", "/ best peer", "/ read-only",
             "/ CUB", "/ torch", "/ torch.compile", "/ our sum"]]

    def pair(value):
        return f"{value[0]:.2f} ({value[1]:.2f})" if value else "–"
    for s in summaryOf(records):
        rows.append([s["title"], str(s["rows"]),
                     f"{s['met']} of {s['targets']}", pair(s[BEST]),
                     pair(s[READ]), pair(s["CUB"]), pair(s["torch"]),
                     pair(s["torch.compile"]), pair(s[SUM])])
    lines = grid(rows) + [""]
    for g in groupVerdicts(records):
        lines.append(f"- {g['name']} against {g['against']}, geometric mean of "
                     f"{g['rows']}: {number(g['value'], 3)} (≥ {g['least']}) "
                     f"{g['verdict']}")
    return lines


def missLines(records, why):
    misses = missesOf(records)
    if not misses:
        return ["No target was missed."]
    return [f"- {name}: {text}" + (f". {why[name]}" if name in why else "")
            for name, text in misses]


def headLines(records):
    head = records[0]
    return [
        f"{head['device']}, driver {head['driver']}, clocks {head['clocks']}, "
        f"commit {head['commit']}, {head['date']}; "
        + ", ".join(head["versions"]) + ".",
        "",
        "A number `/ x` is the speed of Warpfold compared with x (more than 1: "
        "Warpfold is",
        "faster): the median of the ratios within a round ± half the distance "
        "of the",
        "quartiles; in the summary the geometric mean, and the least in "
        "brackets. Inputs",
        "are f32 and come from memory with a clean L2; every result is checked.",
    ]


def markdown(records, why):
    """A whole result file."""
    head = records[0]
    lines = [f"# Reductions on a GPU: {head['device']}", "",
             *headLines(records), ""]
    if not any(r["kind"] == "end" for r in records):
        lines += ["The run was cut short: this is what it had measured.", ""]
    lines += [*("- left out: " + s for s in head["skipped"]), ""]
    lines += [*summaryTable(records), "", *rowTable(records), "",
              *figureTable(records), "", "## Missed, refused or wrong", "",
              *missLines(records, why)]
    for r in records:
        for c in r.get("contenders", ()):
            if "fault" in c:
                lines.append(f"- {r['name']}: {c['name']} {c['fault']}")
    return "\n".join(lines) + "\n"


def readmeBlock(records, why):
    """What stands between the markers."""
    return "\n".join([
        BEGIN, *headLines(records), "", *summaryTable(records), "",
        *figureTable(records), "", "<details><summary>Every row</summary>", "",
        *rowTable(records), "", "</details>", "", "Missed:", "",
        *missLines(records, why), END])


def replaced(text, block):
    """README's text with the block in place; None without the markers."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    return before + block + after if begin and end else None


def main(root=ROOT, arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", nargs="?", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args(arguments)
    source = args.results or root / RESULTS
    if not source.exists():
        print(f"skipped: no results at {source}")
        return 0 if args.check else 1
    records, why = load(source), reasons(source.with_name("misses.txt"))
    if args.results:
        print(markdown(records, why), end="")
        return 0
    readme = root / "README.md"
    text = readme.read_text()
    new = replaced(text, readmeBlock(records, why))
    if new is None:
        print(f"README.md: no {BEGIN} … {END}")
        return 1
    if not args.check:
        readme.write_text(new)
        return 0
    faults = [] if new == text else [
        "README.md: the table is not that of the results: run "
        "python3 bench/suites/gpu/table.py"]
    faults += [f"misses.txt: no reason for {name}" for name in
               dict(missesOf(records)) if name not in why]
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
