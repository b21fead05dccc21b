"""record.py - a row's contenders become a record: ratios, refusals, verdicts.

SPDX-FileCopyrightText: The Warpfold developers
SPDX-License-Identifier: Apache-2.0

A record is a line of the result file. Every ratio is one of speeds: above 1
Warpfold is the faster. Nothing here knows torch.
"""

import math

from rows import BEST, GEOMEANS, GROUPS, READ, SUM
from timing import ratios, spread

OURS = "warpfold"
ARTEFACT = 1.1  # times the read-only rate: more is no reading of memory


def isPeer(name):
    return name != READ and not name.startswith(OURS)


def refuseArtefacts(contenders, bytesIn, l2Bytes):
    """Beyond every cache no contender reads faster than reading alone."""
    by = {c.name: c for c in contenders}
    if READ not in by or by[READ].fault or bytesIn <= l2Bytes:
        return
    read = spread(by[READ].us)["median"]
    for c in contenders:
        us = spread(c.us)["median"]
        if c is not by[READ] and us and read and us * ARTEFACT < read:
            c.fault = (f"refused: {bytesIn / us / 1e3:.0f} GB/s is above "
                       f"{ARTEFACT} × read-only")
            c.us = [math.nan] * len(c.us)


def bestPeer(contenders):
    """The fastest right peer's name, or None."""
    medians = {c.name: spread(c.us)["median"] for c in contenders
               if isPeer(c.name) and not c.fault}
    known = {name: us for name, us in medians.items() if us}
    return min(known, key=known.get) if known else None


def verdict(ours, value, least):
    """What a target came to. `ours` is our contender or None."""
    if ours is None:
        return "not measured"
    if ours.fault:
        return "missed: " + ours.fault
    if not value or value["median"] is None:
        return "not measured"
    if value["median"] >= least:
        return "met"
    return "missed (within the spread)" if value["high"] >= least else "missed"


def rowRecord(row, contenders, l2Bytes):
    by = {c.name: c for c in contenders}
    ours = by.get(OURS)
    bytesIn = 4 * row.elements
    bytesOut = ours.facts.get("result_bytes", 0) if ours else 0
    width = 8 if row.op == "argmax" else 4
    bytesOut = bytesOut or math.prod(row.kept) * width
    refuseArtefacts(contenders, bytesIn, l2Bytes)
    best, values = bestPeer(contenders), {}
    for c in contenders:
        if ours and c is not ours and not c.fault and not ours.fault:
            # Rates: our results count as bytes moved, read-only has none.
            scale = (bytesIn + bytesOut) / bytesIn if c.name == READ else 1
            values[c.name] = ratios(ours, c, scale)
    if best in values:
        values[BEST] = values[best]
    targets = [{"against": a, "least": round(least, 4),
                "value": values.get(a, {}).get("median"),
                "verdict": verdict(ours, values.get(a), least)}
               for a, least in row.targets]
    return {
        "kind": "row", "name": row.name, "group": row.group, "op": row.op,
        "shape": row.shape, "axes": row.axes, "dtype": "f32",
        "plan": ours.facts.get("plan") if ours else None,
        "order": ours.facts.get("order") if ours else None,
        "cache": "cold and clean, " + ("fits the L2" if bytesIn <= l2Bytes
                                       else "beyond the L2"),
        "bytes_in": bytesIn, "bytes_out": bytesOut, "best_peer": best,
        "contenders": [c.record() for c in contenders],
        "ratios": values, "targets": targets,
    }


def figureRecord(name, unit, values, most=None, note=""):
    """Smaller is better; `most` is the target."""
    value = spread(values)
    out = {"kind": "figure", "name": name, "unit": unit, **value, "note": note}
    if most is not None:
        out["most"] = most
        out["verdict"] = ("not measured" if value["median"] is None else
                          "met" if value["median"] <= most else "missed")
    return out


def geomean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def groupVerdicts(records):
    """[{name, against, least, value, rows, verdict}] of the geometric means."""
    out = []
    for name, groups, against, least in GEOMEANS:
        rows = [r for r in records if r["kind"] == "row"
                and r["group"] in groups]
        values = [r["ratios"].get(against, {}).get("median") for r in rows]
        known = [v for v in values if v]
        # A row in which ours was wrong has no ratio, and is no row met.
        wrong = sum(any(c["name"] == OURS and "fault" in c
                        for c in r["contenders"]) for r in rows)
        value = geomean(known) if known else None
        text = "not measured" if value is None else "met"
        if value is not None and (value < least or wrong):
            text = "missed" + f": {wrong} rows without a result" * bool(wrong)
        out.append({"name": name, "against": against, "least": least,
                    "value": value, "rows": len(known), "verdict": text})
    return out


def summaryOf(records):
    """By group: how many rows, targets met, and how ours stands."""
    out = []
    for group, title in GROUPS.items():
        rows = [r for r in records if r["kind"] == "row"
                and r["group"] == group]
        if not rows:
            continue
        targets = [t for r in rows for t in r["targets"]
                   if t["verdict"] != "not measured"]
        line = {"title": title, "rows": len(rows), "targets": len(targets),
                "met": sum(t["verdict"] == "met" for t in targets)}
        for against in (READ, BEST, "CUB", "torch", "torch.compile", SUM):
            values = [v for r in rows if (v := r["ratios"].get(
                against, {}).get("median"))]
            line[against] = (geomean(values), min(values)) if values else None
        out.append(line)
    return out


def missesOf(records):
    """[(row or figure name, text)] of every target that was not met."""
    out = []
    for r in records:
        if r["kind"] == "figure" and r.get("verdict") == "missed":
            out.append((r["name"], f"{r['median']:.1f} {r['unit']}, at most "
                        f"{r['most']:g}"))
        if r["kind"] == "fault":
            out.append((r["name"], "not measured: " + r["text"]))
        for t in r.get("targets", ()):
            if t["verdict"].startswith("missed"):
                value = "" if t["value"] is None else f" {t['value']:.3f},"
                out.append((r["name"], f"{t['against']}{value} at least "
                            f"{t['least']:.2f}: {t['verdict']}"))
    for g in groupVerdicts(records):
        if g["verdict"].startswith("missed"):
            out.append((g["name"], f"{g['against']} {g['value']:.3f}, at least "
                        f"{g['least']:g} (geometric mean): {g['verdict']}"))
    return out
