#!/usr/bin/env python3
"""check.py - the layering of lib/, read off the #include lines.

SPDX-FileCopyrightText: The Warpfold developers
SPDX-License-Identifier: Apache-2.0

Each layer below lists what it may include: folders of lib/ and kinds of LLVM
headers. `support` is LLVM's Support library (ADT, Support, TargetParser);
`llvm` any LLVM header; `mlir` any MLIR header. An include that is not allowed
is printed with its file and line. The rules themselves are tested first, on
lines that must be refused.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

# folder: (folders of lib/ it may include, kinds of foreign headers)
LAYERS = {
    "Error": ([], {"support"}),
    "Language": (["Error"], {"support"}),
    "IO": (["Error"], {"support"}),
    "Plan": (["Error", "Language"], {"support"}),
    "Numerics": (["Error", "Language", "IO"], {"support"}),
    "Explain": ([], set()),
    "ExplainImages": (["Explain"], {"support", "llvm"}),
    "Runtime": (["Error", "Language", "IO", "Plan", "Simulator"], {"support", "llvm"}),
    "Simulator": (["Error", "Plan"], {"support", "llvm"}),
    "Dialect": (["Error", "Language", "Plan"], {"support", "llvm", "mlir"}),
    "Lowering": (["Error", "Language", "Plan", "Dialect"],
                 {"support", "llvm", "mlir"}),
    "Target": (["Error", "Language", "Plan", "Dialect", "Lowering"],
               {"support", "llvm", "mlir"}),
}
# Only Pipeline knows everybody, and its users.
FREE = {"Pipeline", "Profile", "Selftest"}

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')


def kind(header):
    """What an included path is: support, llvm, mlir, a folder, or other."""
    top, _, rest = header.partition("/")
    if top == "llvm" or top == "llvm-c":
        sub = rest.partition("/")[0]
        return "support" if sub in ("ADT", "Support", "TargetParser") else "llvm"
    if top in ("mlir", "mlir-c"):
        return "mlir"
    if rest and (top in LAYERS or top in FREE):
        return top
    return "other"


def fault(layer, header):
    """Why this layer may not include this header, or None."""
    what = kind(header)
    if what == "other" or what == layer or layer in FREE:
        return None
    if layer == "include":
        return f"a public header includes {header}"
    folders, foreign = LAYERS[layer]
    if what in ("support", "llvm", "mlir"):
        return None if what in foreign else f"{layer} may not include {header}"
    return None if what in folders else f"{layer} may not know {what}: {header}"


def selftest():
    assert fault("Language", "mlir/IR/Builders.h")
    assert fault("Language", "llvm/IR/Module.h")
    assert fault("Runtime", "mlir/IR/Builders.h")
    assert fault("Lowering", "Target/Cpu.h")
    assert fault("include", "llvm/ADT/StringRef.h")
    assert not fault("Language", "llvm/ADT/StringRef.h")
    assert not fault("Pipeline", "Target/Cpu.h")
    assert not fault("include", "warpfold/Type.h")


def sources():
    for folder, layer in ((ROOT / "include", "include"), (ROOT / "lib", None)):
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".h", ".cpp", ".c", ".inc"):
                inside = path.relative_to(folder).parts
                yield path, layer or inside[0]


def main():
    selftest()
    faults, seen = [], 0
    for path, layer in sources():
        seen += 1
        if layer not in LAYERS and layer not in FREE and layer != "include":
            faults.append(f"{path.relative_to(ROOT)}: no layer named {layer}")
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            why = match and fault(layer, match.group(1))
            if why:
                faults.append(f"{path.relative_to(ROOT)}:{number}: {why}")
    if not seen:
        faults.append("no source files found")
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
