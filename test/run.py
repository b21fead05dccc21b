#!/usr/bin/env python3
"""run.py - every test of a built tree, and one line that counts them.

SPDX-FileCopyrightText: The Warpfold developers
SPDX-License-Identifier: Apache-2.0

Called by `./dev test`. Each part is a function that yields results
(name, status, text), status being "passed", "failed" or "skipped"; a part that
cannot run is a failure, never silence. Failures are printed as they come and
named again at the end. The last line is `N passed, N failed` (and
`, N skipped`); the exit code is 1 if anything failed or nothing ran.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import console  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
LLVM_BIN = pathlib.Path("/usr/lib/llvm-22/bin")


def call(command, **kwargs):
    return subprocess.run([str(c) for c in command], capture_output=True,
                          text=True, errors="replace",
                          stdin=subprocess.DEVNULL, **kwargs)


def unit(args):
    """The GoogleTest binaries of build/<preset>/unittests."""
    folder = args.build / "unittests"
    binaries = sorted(p for p in folder.glob("*")
                      if p.is_file() and os.access(p, os.X_OK)
                      and not p.suffix) if folder.is_dir() else []
    if not binaries:
        yield "unit", "failed", f"no test binaries in {folder}"
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for results in pool.map(runBinary, binaries):
            yield from results


def runBinary(binary):
    """The results of one GoogleTest binary."""
    with tempfile.TemporaryDirectory() as scratch:
        report = pathlib.Path(scratch) / "report.json"
        done = call([binary, "--gtest_brief=1",
                     f"--gtest_output=json:{report}"], cwd=ROOT)
        if not report.exists():
            return [(binary.name, "failed", f"ended with {done.returncode}\n"
                     + (done.stdout + done.stderr)[-2000:])]
        suites = json.loads(report.read_text())["testsuites"]
    results = []
    for suite in suites:
        for test in suite["testsuite"]:
            name = f"{binary.name}: {suite['name']}.{test['name']}"
            if test.get("failures"):
                results.append((name, "failed", "\n".join(
                    f["failure"] for f in test["failures"])))
            elif test.get("result") == "SKIPPED":
                results.append((name, "skipped", ""))
            else:
                results.append((name, "passed", ""))
    # A crash or a sanitizer report after the last test.
    if done.returncode and all(status != "failed" for _, status, _ in results):
        results.append((binary.name, "failed",
                        f"ended with {done.returncode}\n{done.stderr[-2000:]}"))
    return results


def lit(args):
    """The lit tests of test/, through LLVM's own runner."""
    if not (ROOT / "test" / "lit.cfg.py").exists():
        yield "lit", "failed", "test/lit.cfg.py is missing"
        return
    with tempfile.TemporaryDirectory() as scratch:
        report = pathlib.Path(scratch) / "lit.json"
        done = call([LLVM_BIN / "lit", "-q", "--output", report,
                     ROOT / "test"],
                    env={**os.environ, "WARPFOLD_BUILD": str(args.build)})
        if not report.exists():
            yield "lit", "failed", (done.stdout + done.stderr)[-2000:]
            return
        tests = json.loads(report.read_text())["tests"]
    if not tests:
        yield "lit", "failed", "lit found no test"
    for test in tests:
        status = {"PASS": "passed", "XFAIL": "passed", "FLAKYPASS": "passed",
                  "UNSUPPORTED": "skipped", "SKIPPED": "skipped",
                  }.get(test["code"], "failed")
        yield test["name"], status, test.get("output", "")


def examples(args):
    """The console blocks of examples/ and test/cli/, output compared."""
    files = sorted((ROOT / "examples").glob("[0-9]*/README.md"))
    files += sorted((ROOT / "test" / "cli").glob("*.md"))
    if not files:
        yield "examples", "failed", "no console blocks found"
    if not os.access(args.build / "bin/warpfold", os.X_OK):
        yield "examples", "failed", f"no warpfold in {args.build}/bin"
        return
    for file in files:
        yield from console.check(file, ROOT, args.build / "bin", args.update)


def docs(args):
    """The console blocks of docs/, and the links of every page."""
    if not os.access(args.build / "bin/warpfold", os.X_OK):
        yield "docs", "failed", f"no warpfold in {args.build}/bin"
        return
    for page in sorted((ROOT / "docs").glob("*.md")):
        if "```console" not in page.read_text():
            continue
        for name, status, text in console.check(page, ROOT, args.build / "bin",
                                                args.update):
            if status == "skipped":
                print(f"docs: {name}: skipped: {text}")
            yield name, status, text
    yield from script("test/docs/check.py")(args)


def cases(args):
    """test/cases: what went wrong elsewhere, with the right value."""
    done = call([sys.executable, ROOT / "test/cases/warpfold-cases",
                 "--warpfold", args.build / "bin/warpfold", "--json"])
    try:
        rows = json.loads(done.stdout)
    except json.JSONDecodeError:
        yield "cases", "failed", (done.stdout + done.stderr)[-2000:]
        return
    for row in rows:
        status = {"pass": "passed", "pending": "skipped"}.get(row["status"],
                                                              "failed")
        yield f"cases: {row['id']}", status, row["text"]


def selftest(args):
    """The short matrix of `warpfold selftest`; the whole takes minutes."""
    done = call([args.build / "bin/warpfold", "selftest", "--device", "cpu",
                 "--quick", "--budget", "20"])
    for line in done.stdout.splitlines():
        if line.startswith("FAILED "):
            yield line.split()[1].rstrip(":"), "failed", line
    last = re.search(r"^(\d+) passed, (\d+) failed.*\n\Z", done.stdout, re.M)
    if not last or done.returncode not in (0, 1) or last[1] == "0":
        yield "selftest", "failed", (done.stdout + done.stderr)[-2000:]
        return
    if last[2] == "0":
        yield f"selftest: {last[0].strip()}", "passed", ""


# Both vendors, both wave sizes, the target that is nobody's, and the CPU.
SIMULATED = ("cpu", "sm_90", "gfx942", "gfx1201", "gfx1201:wave64", "null",
             "hip gfx1201")


def simulate(args, target):
    """The oracle against one simulated device, bit for bit."""
    device, environment = f"sim:{target}", None
    if target == "cpu":
        device = "cpu"
    library = args.build / "stubs/libamdhip64.so"
    if target.startswith("hip"):
        # HIP's stub runs the bitcode that a code object carries for it.
        device = "hip"
        environment = dict(os.environ, WARPFOLD_EMBED_BITCODE="1",
                           WARPFOLD_HIP_LIBRARY=str(library),
                           WARPFOLD_STUB_HIP_TARGET=target.split()[1])
        if not library.exists():
            return [(f"{target}: no {library}", "skipped", "")]
    done = call([args.build / "bin/warpfold", "selftest", "--device", device]
                + ([] if args.full else ["--pairwise"])
                + (["--budget", "60"] if environment else []),
                env=environment)
    failures = [(line.split()[1].rstrip(":"), "failed", line)
                for line in done.stdout.splitlines()
                if line.startswith("FAILED ")]
    last = re.search(r"^(\d+) passed, (\d+) failed.*\n\Z", done.stdout, re.M)
    if not last or done.returncode not in (0, 1) or last[1] == "0":
        return failures + [(device, "failed",
                            (done.stdout + done.stderr)[-2000:])]
    return failures or [(f"{device}: {last[0].strip()}", "passed", "")]


def sim(args):
    """`warpfold selftest` on simulated devices: cases that meet every pair of
    traits, or with --full all."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for results in pool.map(lambda t: simulate(args, t), SIMULATED):
            yield from results


def bench(args):
    """The GPU suite's own checks, and README's table against the results."""
    suite = ROOT / "bench/suites/gpu"
    for command in ([suite / "selftest.py"], [suite / "table.py", "--check"]):
        done = call([sys.executable, "-B", *command])
        name = f"bench: {command[0].name}"
        skips = [line for line in done.stdout.splitlines()
                 if line.startswith("skipped: ")]
        for line in skips:
            print(f"{name}: {line}")
            yield f"{name}: {line}", "skipped", line
        # A table without results to compare it with is no pass.
        if done.returncode or not (skips and "--check" in command):
            yield name, "failed" if done.returncode else "passed", (
                done.stdout + done.stderr)[-2000:]


def gpu(args):
    """test/gpu, and every form of kernel under compute-sanitizer; both print
    why where they cannot run."""
    program = args.build / "bin/warpfold"
    done = call([sys.executable, "-B", ROOT / "test/gpu/run.py", "--library",
                 args.build / "lib/libwarpfold.so", "--program", program])
    lines = re.findall(r"^(passed|failed|skipped) (.*(?:\n[ \t].*)*)",
                       done.stdout, re.M)
    for status, text in lines:
        if status == "skipped":
            print(f"gpu: {text}")
        yield text.split(" ")[0], status, text
    if not lines or done.returncode not in (0, 1):
        yield "gpu", "failed", (done.stdout + done.stderr)[-2000:]
    with tempfile.TemporaryDirectory() as scratch:
        done = call([sys.executable, "-B", ROOT / "test/gpu/simulated.py",
                     "--program", program, "-o", scratch])
    skip = done.stdout.startswith("skipped: ")
    if skip:
        print(f"gpu: simulated.py: {done.stdout.splitlines()[0]}")
    yield ("simulated.py", "failed" if done.returncode else
           "skipped" if skip else "passed", done.stdout + done.stderr)
    done = call([ROOT / "test/gpu/sanitize.sh", program])
    skip = done.stdout.startswith("skipped: ")
    if skip:
        print(f"gpu: sanitize.sh: {done.stdout.strip()}")
    yield ("sanitize.sh", "failed" if done.returncode else
           "skipped" if skip else "passed", done.stdout + done.stderr)


def simulator(args):
    """The hand-written kernels: all compile, and do what their lines say."""
    yield from script("test/Simulator/compile.py")(args)
    yield from script("test/Simulator/launches.py", "--warpfold",
                      args.build / "bin/warpfold")(args)
    yield from script("test/Explain/seed.py", "--warpfold",
                      args.build / "bin/warpfold")(args)


def ptx(args):
    """test/Target/ptx.py: kernels of the catalogue for every NVIDIA GPU."""
    done = call([sys.executable, "-B", ROOT / "test/Target/ptx.py",
                 "--warpfold", args.build / "bin/warpfold"])
    text = (done.stdout + done.stderr).strip()
    last = text.rpartition("\n")[2]
    if done.returncode == 0 and not re.search(r" 0 assembled", last):
        yield f"ptx: {last}", "passed", ""
        return
    yield f"ptx: {last}", "failed" if done.returncode else "passed", text[-3000:]
    if not done.returncode:
        print(f"ptx: skipped: {text.splitlines()[-2]}")
        yield "ptx: assembling", "skipped", ""


def amdgcn(args):
    """test/Target/amdgcn.py: kernels of the catalogue for every AMD GPU."""
    done = call([sys.executable, "-B", ROOT / "test/Target/amdgcn.py",
                 "--warpfold", args.build / "bin/warpfold"])
    text = (done.stdout + done.stderr).strip()
    last = text.rpartition("\n")[2]
    yield (f"amdgcn: {last}", "failed" if done.returncode else "passed",
           text[-3000:])


def script(*command):
    def part(args):
        done = call([sys.executable, ROOT / command[0], *command[1:]])
        text = (done.stdout + done.stderr).strip()
        if done.returncode == 0 and text:
            print(text)
        yield command[0], "failed" if done.returncode else "passed", text
    return part


def fuzz(args):
    """Every libFuzzer target for a minute, from its kept corpus."""
    if not args.fuzz:
        return
    targets = sorted((args.fuzz / "fuzz").glob("*.corpus"))
    if not targets:
        yield "fuzz", "failed", f"no fuzz targets in {args.fuzz}/fuzz"
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from pool.map(lambda t: runFuzzer(t, args.seconds), targets)


def runFuzzer(listing, seconds):
    """The result of one fuzz target; `listing` names its corpus."""
    corpus = listing.read_text().strip()
    with tempfile.TemporaryDirectory() as scratch:
        # New inputs go to the scratch folder; the kept corpus is only read.
        done = call([listing.with_suffix(""), f"-max_total_time={seconds}",
                     "-print_final_stats=1", "-rss_limit_mb=2048",
                     "-timeout=10", f"-artifact_prefix={scratch}/", scratch,
                     corpus])
        text = done.stdout + done.stderr
        runs = re.search(r"number_of_executed_units: (\d+)", text)
        print(f"fuzz: {listing.stem}: {runs[1] if runs else '?'} inputs")
        if done.returncode == 0:
            return f"fuzz: {listing.stem}", "passed", ""
        for file in pathlib.Path(scratch).glob("*-*"):
            text += f"\ninput {file.name}: {file.read_bytes()[:400]!r}"
        return f"fuzz: {listing.stem}", "failed", text[-3000:]


PARTS = {
    "unit": unit,
    "lit": lit,
    "examples": examples,
    "docs": docs,
    "cases": cases,
    "selftest": selftest,
    "sim": sim,
    "bench": bench,
    "ptx": ptx,
    "amdgcn": amdgcn,
    "simulator": simulator,
    "gpu": gpu,
    "layering": script("test/layering/check.py"),
    "sizes": script("test/sizes/check.py"),
    "fuzz": fuzz,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path,
                        default=ROOT / "build/release")
    parser.add_argument("--fuzz", type=pathlib.Path,
                        help="the build folder with the fuzz targets")
    parser.add_argument("--seconds", type=int, default=60,
                        help="per fuzz target")
    parser.add_argument("--only", action="append", choices=PARTS)
    parser.add_argument("--full", action="store_true",
                        help="the simulated devices run the whole matrix")
    parser.add_argument("--update", action="store_true",
                        help="rewrite the expected output of console blocks")
    args = parser.parse_args()
    args.build = args.build.resolve()
    args.fuzz = args.fuzz and args.fuzz.resolve()

    count = {"passed": 0, "failed": 0, "skipped": 0}
    failed = []
    for name, part in PARTS.items():
        if args.only and name not in args.only:
            continue
        start, here = time.monotonic(), dict.fromkeys(count, 0)
        for test, status, text in part(args):
            here[status] += 1
            if status == "failed":
                failed.append(f"{name}: {test}")
                print(f"FAILED {test}\n{text}\n", flush=True)
        if sum(here.values()):
            print(f"{name}: " + ", ".join(f"{n} {s}" for s, n in here.items()
                                          if n)
                  + f" ({time.monotonic() - start:.1f} s)", flush=True)
        for status, n in here.items():
            count[status] += n
    if failed:
        print("\nfailed:\n  " + "\n  ".join(failed))
    line = f"{count['passed']} passed, {count['failed']} failed"
    if count["skipped"]:
        line += f", {count['skipped']} skipped"
    print(line, flush=True)
    return 1 if failed or not count["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
