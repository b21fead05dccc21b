#!/usr/bin/env bash
# pack.sh - one archive that runs on another Linux.
# SPDX-FileCopyrightText: The Warpfold developers
# SPDX-License-Identifier: Apache-2.0
#
# Called by `./dev pack` after the portable preset has been built:
#
#   pack.sh BUILD   ->  build/warpfold-VERSION-linux-x86_64.tar.xz
#
# Goes in: the stripped binary, the library and its headers where the build has
# it, the examples with their data, the catalogue, the tests that need no build,
# the licences. What the binaries need of the system is checked before anything
# is packed: libc, libm, the loader, and no symbol newer than Debian 12's.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${1:-build/portable}
llvm=/usr/lib/llvm-22/bin
most=$((25 * 1000 * 1000)) # bytes of the archive
newestLibc=2.36            # Debian 12's

fail() {
  printf 'pack: %s\n' "$@" >&2
  exit 1
}

# checkNeeds FILE: no library but libc's own, no symbol that Debian 12 lacks.
checkNeeds() {
  local needed newest
  needed=$("$llvm/llvm-readelf" -d "$1" |
    sed -n 's/.*(NEEDED).*\[\(.*\)\].*/\1/p' |
    grep -vxE 'lib(c|m)\.so\.6|ld-linux-x86-64\.so\.2' | tr '\n' ' ' || true)
  [ -z "$needed" ] || fail "$1 needs more than libc and libm: $needed" \
    "hint: link the archive instead; see cmake/WarpfoldLLVM.cmake"
  newest=$("$llvm/llvm-readelf" -V "$1" | grep -o 'GLIBC_[0-9.]*' |
    sed 's/GLIBC_//' | sort -uV | tail -1)
  [ "$(printf '%s\n' "$newest" "$newestLibc" | sort -V | tail -1)" = \
    "$newestLibc" ] || fail "$1 needs glibc $newest; the limit is $newestLibc" \
    "hint: pack on Debian 12"
}

# licence NAME PACKAGE: what Debian says about a package that is linked in.
licence() {
  [ -f "/usr/share/doc/$2/copyright" ] || fail "no licence text of $2" \
    "hint: apt-get install $2"
  cp "/usr/share/doc/$2/copyright" "$root/licences/$1.txt"
}

[ -x "$build/bin/warpfold" ] || fail "no warpfold in $build/bin" \
  "hint: ./dev pack builds it"
version=$("$build/bin/warpfold" --version)
name=warpfold-${version#warpfold }-linux-x86_64
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
root=$scratch/$name

mkdir -p "$root/bin" "$root/licences" "$root/test"
"$llvm/llvm-strip" --strip-all -o "$root/bin/warpfold" "$build/bin/warpfold"
checkNeeds "$root/bin/warpfold"
library=$(find "$build" -name libwarpfold.so -print -quit)
if [ -n "$library" ]; then
  mkdir -p "$root/lib"
  # Dynamic symbols stay: they are the interface.
  "$llvm/llvm-strip" --strip-all -o "$root/lib/libwarpfold.so" "$library"
  checkNeeds "$root/lib/libwarpfold.so"
  cp -r include "$root/include"
fi
cp -r examples "$root/examples"
cp -r lib/Language/ops "$root/ops"
cp test/run.py test/console.py "$root/test/"
cp -r test/cli test/cases "$root/test/"
find "$root" -name __pycache__ -prune -exec rm -r {} +
cp cmake/pack_readme.md "$root/README.md"
cp LICENSE "$root/LICENSE"
licence llvm llvm-22-dev
licence mlir libmlir-22-dev
licence lld liblld-22-dev
licence zlib zlib1g-dev
licence zstd libzstd-dev
licence cli11 libcli11-dev
licence libstdc++ libstdc++6

archive=build/$name.tar.xz
# Twice the same tree gives twice the same bytes. The dictionary spans both
# binaries; the x86 filter saves 6 % of one.
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 \
  -C "$scratch" -cf - "$name" |
  xz -T0 --x86 --lzma2=preset=6,dict=128MiB >"$archive.part"
bytes=$(stat -c %s "$archive.part")
if [ "$bytes" -gt "$most" ]; then
  rm "$archive.part"
  fail "the archive has $bytes bytes; the limit is $most"
fi
mv "$archive.part" "$archive"
echo "$archive: $bytes bytes"
