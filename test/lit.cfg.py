# lit.cfg.py - how lit runs the .mlir and .test files of this folder.
#
# SPDX-FileCopyrightText: The Warpfold developers
# SPDX-License-Identifier: Apache-2.0
#
#   lit -sv test --param build=build/dev
#
# The build folder is the parameter `build`, or WARPFOLD_BUILD in the
# environment, or build/release; a relative one counts from the repository. The
# programs under test come from its bin/, FileCheck from the LLVM that it was
# configured with. Outputs go to its test/.
#
# A test that depends on the width of SIMD registers caps it with
# WARPFOLD_CPU_FEATURES, so that it says the same on every machine; `avx2` is
# only there (REQUIRES: avx2) where the machine has it, `ptxas` where it is
# on the PATH, and `clang` where it is beside FileCheck.

import os
import pathlib
import re
import shutil

import lit.formats

root = pathlib.Path(__file__).resolve().parent.parent
build = root / (lit_config.params.get("build")
                or os.environ.get("WARPFOLD_BUILD") or "build/release")
cache = build / "CMakeCache.txt"
if not cache.is_file():
    lit_config.fatal(f"no build in {build}; name one with --param build=FOLDER")
mlir = re.search(r"^MLIR_DIR:\w+=(.*)/lib/cmake/mlir/?$", cache.read_text(),
                 re.MULTILINE)
if not mlir:
    lit_config.fatal(f"{cache} does not say where MLIR is (MLIR_DIR)")
tools = pathlib.Path(mlir.group(1)) / "bin"
for tool, hint in ((build / "bin/warpfold", f"ninja -C {build}"),
                   (build / "bin/warpfold-opt", f"ninja -C {build}"),
                   (tools / "FileCheck", "install llvm-22-tools")):
    if not tool.is_file():
        lit_config.fatal(f"{tool} is missing: {hint}")

config.name = "warpfold"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.test_source_root = str(root / "test")
config.test_exec_root = str(build / "test")
config.environment["PATH"] = os.pathsep.join(
    [str(build / "bin"), str(tools), config.environment.get("PATH", "")])
# A cap from outside would change what the tests see.
config.environment.pop("WARPFOLD_CPU_FEATURES", None)

cpuinfo = pathlib.Path("/proc/cpuinfo")
if cpuinfo.is_file() and re.search(r"\bavx2\b", cpuinfo.read_text()):
    config.available_features.add("avx2")

if shutil.which("ptxas"):
    config.available_features.add("ptxas")
else:
    lit_config.note("no ptxas on the PATH: tests that assemble PTX are skipped")

if (tools / "clang++").exists():
    config.available_features.add("clang")
else:
    lit_config.note(f"no clang++ in {tools}: tests that run kernels are skipped")
