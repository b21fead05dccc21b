"""results.py - what was measured, on the disk as soon as it is, and the clocks.

SPDX-FileCopyrightText: The Warpfold developers
SPDX-License-Identifier: Apache-2.0

A run of the whole suite on an NVIDIA H200 writes nvidia-h200.jsonl and .md; one
of some rows, or without a peer, nvidia-h200-part.jsonl and .md.
"""

import json
import re
import subprocess

import table
from record import OURS


def clocksNow():
    """(the clocks, power and heat now, the driver), as nvidia-smi says."""
    query = "clocks.sm,clocks.mem,clocks.max.sm,clocks.max.mem,power.draw," \
            "temperature.gpu,driver_version"
    try:
        done = subprocess.run(
            ["nvidia-smi", f"--query-gpu={query}", "--format=csv,noheader",
             "--id=0"], capture_output=True, text=True, timeout=20)
        sm, mem, maxSm, maxMem, power, heat, driver = \
            done.stdout.strip().splitlines()[0].split(", ")
    except (OSError, subprocess.TimeoutExpired, IndexError, ValueError):
        return "unknown", "unknown"
    return (f"SM {sm} of {maxSm}, memory {mem} of {maxMem}, {power}, {heat} °C",
            driver)


def clockReader():
    """A function that gives the clocks at once, or None: nvidia-smi takes up
    to a second, too long for every row."""
    try:
        import pynvml as nvml
        nvml.nvmlInit()
        gpu = nvml.nvmlDeviceGetHandleByIndex(0)

        def read():
            sm = nvml.nvmlDeviceGetClockInfo(gpu, nvml.NVML_CLOCK_SM)
            mem = nvml.nvmlDeviceGetClockInfo(gpu, nvml.NVML_CLOCK_MEM)
            return f"SM {sm} MHz, memory {mem} MHz"
        read()
    except Exception:  # no such package, or a driver that does not answer
        return lambda: None
    return read


class Results:
    """Records, on the disk as soon as they are made."""

    def __init__(self, folder, device, isWhole):
        self.records, self.path = [], None
        if folder:
            slug = re.sub(r"[^a-z0-9]+", "-", device.lower()).strip("-")
            folder.mkdir(parents=True, exist_ok=True)
            self.path = folder / (slug + "-part" * (not isWhole) + ".jsonl")
            self.path.write_text("")

    def add(self, record):
        # Through JSON, so that what is printed is what is read back.
        line = json.dumps(record, ensure_ascii=False, allow_nan=True)
        self.records.append(json.loads(line))
        if self.path:
            with self.path.open("a") as file:
                file.write(line + "\n")
        return self.records[-1]

    def finish(self):
        if self.path:
            why = table.reasons(self.path.with_name("misses.txt"))
            self.path.with_suffix(".md").write_text(
                table.markdown(self.records, why))
            print(f"\nwritten: {self.path}, .md", flush=True)


def rowLine(record):
    """What is printed when a row is done."""
    by = {c["name"]: c for c in record["contenders"]}
    ours = by.get(OURS, {})
    us, total = ours.get("median"), record["bytes_in"] + record["bytes_out"]
    text = f"{record['name']:36.36}"
    text += (f"{us:10.1f} µs {total / us / 1e3:6.0f} GB/s" if us else
             f"  {ours.get('fault', '–')[:120]}")
    for c in record["contenders"]:
        if c["name"] != OURS:
            took = c["fault"][:60] if "fault" in c else f"{c['median']:.1f}"
            text += f"  {c['name']} {took}" + (
                f" ({table.cell(record, c['name'])})" if us else "")
    marks = {t["verdict"].partition(":")[0] for t in record["targets"]}
    return text + "  " + ", ".join(sorted(marks)) + f"  {record['seconds']} s"
