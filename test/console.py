"""console.py - runs the ```console blocks of a Markdown file.

SPDX-FileCopyrightText: The Warpfold developers
SPDX-License-Identifier: Apache-2.0

A block is `$ command` lines (continued by `> ` lines), each followed by the
exact standard output it gives. A line `…` in the output stands for any number
of lines, and `…` inside a line for anything (run times differ). Commands run
in bash, one after the other, in a copy of the file's folder with the data set
at ../data, `warpfold` on the PATH; standard error is not compared (write
`2>&1` to compare it). With update, the file is rewritten with what came out.

A fence ```console needs WORD… is skipped, with the reason, where a word is not
there: a program (`ptxas`, `nvdisasm|cuobjdump`), `avx2`, `cuda` (a device), or
`stubs` (the drivers of the tests, which a packed archive lacks).
"""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile


def parse(text):
    """[[line number, command, expected output lines, needs]] of all blocks."""
    commands, inside, needs = [], False, []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            fence, *words = line.split() or [""]
            inside = fence == "```console"
            needs = words[1:] if words[:1] == ["needs"] else []
        elif inside and line.startswith("$ "):
            commands.append([number, line[2:], [], needs])
        elif inside and line.startswith("> ") and not commands[-1][2]:
            commands[-1][1] += "\n" + line[2:]
        elif inside:
            commands[-1][2].append(line)
    return commands


def matches(expected, got):
    """Whether the output lines are the expected ones, … being a wildcard."""
    pattern = ""
    for line in expected:
        if line.strip() == "…":
            pattern += r"(?:.*\n)*"
        else:
            pattern += ".*".join(map(re.escape, line.split("…"))) + r"\n"
    return re.fullmatch(pattern, "".join(line + "\n" for line in got))


def missing(needs, env):
    """Those of `needs` that this machine lacks."""
    def there(word):
        if word == "avx2":
            cpuinfo = pathlib.Path("/proc/cpuinfo")
            return cpuinfo.is_file() and re.search(r"\bavx2\b",
                                                   cpuinfo.read_text())
        if word == "stubs":
            program = pathlib.Path(shutil.which("warpfold", path=env["PATH"]))
            return (program.parent.parent / "stubs").is_dir()
        if word != "cuda":
            return any(shutil.which(name, path=env["PATH"])
                       for name in word.split("|"))
        devices = subprocess.run(["warpfold", "devices"], env=env, text=True,
                                 capture_output=True)
        return re.search(r"^cuda", devices.stdout, re.M)
    return [word for word in needs if not there(word)]


def check(file, root, bin_folder, update=False):
    """Yields (name, status, text) for every command of the file."""
    commands = parse(file.read_text())
    name = file.relative_to(root)
    if not commands:
        yield str(name), "failed", "no console block"
        return
    replaced = {}
    with tempfile.TemporaryDirectory() as scratch:
        here = pathlib.Path(scratch) / file.parent.name
        shutil.copytree(file.parent, here)
        shutil.copytree(root / "examples/data", here.parent / "data")
        env = {**os.environ, "PATH": f"{bin_folder}:{os.environ['PATH']}",
               "LC_ALL": "C.UTF-8"}
        for number, command, expected, needs in commands:
            if lacks := missing(needs, env):
                yield (f"{name}:{number}", "skipped",
                       f"there is no {' and no '.join(lacks)} here")
                continue
            done = subprocess.run(["bash", "-c", command], cwd=here, env=env,
                                  capture_output=True, text=True,
                                  errors="replace", stdin=subprocess.DEVNULL)
            got = done.stdout.splitlines()
            # A command that fails says so itself: `|| echo "exit code $?"`.
            if matches(expected, got) and done.returncode == 0:
                yield f"{name}:{number}", "passed", ""
                continue
            replaced[number] = (command, expected, got)
            yield f"{name}:{number}", "failed", "\n".join(
                [f"$ {command}", "expected:", *expected, "got:", *got,
                 f"exit code {done.returncode}, standard error:",
                 done.stderr.strip()])
    if update and replaced:
        rewrite(file, replaced)


def rewrite(file, replaced):
    """Puts the output that came in the place of the expected one."""
    lines = file.read_text().splitlines()
    for number in sorted(replaced, reverse=True):
        command, expected, got = replaced[number]
        start = number + command.count("\n")
        lines[start:start + len(expected)] = got
    file.write_text("\n".join(lines) + "\n")
