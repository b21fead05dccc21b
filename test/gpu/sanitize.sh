#!/usr/bin/env bash
# sanitize.sh - every form of kernel under NVIDIA's compute-sanitizer.
# SPDX-FileCopyrightText: The Warpfold developers
# SPDX-License-Identifier: Apache-2.0
#
#   test/gpu/sanitize.sh build/release/bin/warpfold [TOOL…]
#
# TOOLs: memcheck and racecheck (the default), synccheck, initcheck. Each runs
# `warpfold selftest` on cases that between them have every form: lanes, warps
# with rows in registers, with slots and tickets of one and two levels, columns
# likewise, elements one by one, a thread an output, the ladder v0 … v5. Prints
# `N kernels clean` or the report; exits 1 if anything is found, and 0 with the
# reason where there is no sanitizer or no GPU.
set -uo pipefail
program=${1:?usage: sanitize.sh PROGRAM [TOOL…]}
shift
[ $# -gt 0 ] || set -- memcheck racecheck

command -v compute-sanitizer >/dev/null ||
  { echo "skipped: compute-sanitizer is not on PATH"; exit 0; }
devices=$("$program" devices 2>&1)
target=$(grep -m1 '^cuda:' <<<"$devices" | grep -o 'sm_[0-9]*' | head -n1)
[ -n "$target" ] ||
  { echo "skipped: $(grep -m1 "^cuda" <<<"$devices" || echo 'no cuda device')"; exit 0; }

catalogue='catalogue/(sum-f32|argmax-f32|var-f64|sum-i8)/(full-70001|full-70001-ordered|rows-5x5003|rows-300x37|columns-1009x67)'
views='views/(sum-f32|argmax-f32)/rows-(turned-)?500x256'
users='users/(matrix2-i32|eight-f32|welford-f32)/strongest/(full-100003|rows-400x29|columns-1027x50)'
thread='users/witness-i32/sequential/(rows-400x29|columns-1027x50)'
ladder='plans/(v0|v1|v1_tree_pairs|v2|v3|v4|v5|v5_block_1024)/sum-i32/(full-4097|rows-37x4095)'
cases="^($catalogue|$views|$users|$thread|$ladder)\$"

# Larger plans than these sizes have by themselves: 8 warps that meet in shared
# memory, and two levels of tickets.
common="$target order=canonical vector=4 accumulators=4 rows=32 grid=ticket"
warps="$common kind=full form=warp load=vector flight=4 warps=8 group=8"
levels="$common kind=full form=warp load=vector flight=4 warps=1 group=16"
column="$common kind=column form=column load=element flight=4 warps=4 lanes=8 outputs=2 group=4"
written='^plans/sm_.*_kind_(full.*full-1048579|column.*columns-4095x37)$'
written=${written/full-1048579/(sum|max|argmax)-f32/full-1048579}
written=${written/columns-4095x37/(sum|max|argmax)-f32/columns-4095x37}

faults=0
# check TOOL ARGUMENT…: a selftest under the tool. `kernels` has its cases.
check() {
  local tool=$1 out code
  shift
  out=$(compute-sanitizer --tool "$tool" --error-exitcode 9 --print-limit 20 \
    "$program" selftest --device cuda "$@" 2>&1)
  code=$?
  local passed
  passed=$(grep -oE '^[0-9]+ passed' <<<"$out" | tail -n1)
  passed=${passed% passed}
  if [ "$code" != 0 ] || [ -z "$passed" ] || [ "$passed" = 0 ]; then
    printf '%s\nFAILED %s (exit code %s)\n' "$out" "$tool" "$code"
    faults=1
    return
  fi
  kernels=$((kernels + passed))
}

for tool in "$@"; do
  kernels=0 start=$SECONDS before=$faults faults=0
  check "$tool" --only "$cases"
  check "$tool" --only "$written" --plan "$warps" --plan "$levels" \
    --plan "$column"
  [ $faults = 1 ] || echo "$tool: $kernels kernels clean ($((SECONDS - start)) s)"
  faults=$((faults | before))
done
exit $faults
