#!/usr/bin/env bash
# bare.sh - the README's two commands in a fresh Debian root, timed.
# SPDX-FileCopyrightText: The Warpfold developers
# SPDX-License-Identifier: Apache-2.0
#
# Usage: ./dev test bare [bookworm|trixie]. Makes a root with git and bash and
# nothing else (mmdebstrap), clones this checkout's HEAD into it, runs
# `./dev run` and `./dev test` there, prints the minutes of each and removes
# the root. Needs root, the Debian archive, and 4 GB below $TMPDIR.
# Set WARPFOLD_BARE_WORKTREE=1 to copy the working tree instead of HEAD.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
suite=${1:-bookworm}
[ "$(id -u)" = 0 ] || { echo "bare: needs root" >&2; exit 1; }

root=$(mktemp -d "${TMPDIR:-/tmp}/warpfold-bare.XXXXXX")
cleanup() {
  for at in proc dev sys; do
    mountpoint -q "$root/$at" && umount -R -l "$root/$at"
  done
  rm -rf --one-file-system "$root"
}
trap cleanup EXIT

mirror=http://deb.debian.org
sources=("deb $mirror/debian $suite main"
  "deb $mirror/debian-security $suite-security main")
echo "bare: making a $suite root in $root" >&2
# The host's own proxy and certificate settings of apt come along, so that the
# root reaches the archive the way that the host does.
mmdebstrap --quiet --variant=apt --include=git,bash,ca-certificates \
  "$suite" "$root" "${sources[@]}" >&2
cp /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
for file in /etc/apt/apt.conf.d/*proxy* /etc/apt/apt.conf.d/*cert*; do
  [ -f "$file" ] && cp "$file" "$root/etc/apt/apt.conf.d/"
done

mkdir -p "$root/src"
if [ -n "${WARPFOLD_BARE_WORKTREE:-}" ]; then
  git ls-files -z --cached --others --exclude-standard |
    tar --null -T - -cf - --ignore-failed-read | tar -xf - -C "$root/src"
  git -C "$root/src" init -q && git -C "$root/src" add -A
else
  git clone -q --no-hardlinks . "$root/src/"
fi
mount --rbind /dev "$root/dev"
mount --make-rslave "$root/dev"
mount -t proc proc "$root/proc"
mount --rbind /sys "$root/sys"
mount --make-rslave "$root/sys"

inside() {
  chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    LANG=C.UTF-8 ${http_proxy:+http_proxy="$http_proxy"} \
    ${https_proxy:+https_proxy="$https_proxy"} \
    /bin/bash -c "cd /src && $1" </dev/null
}
minutes() { printf 'bare: %s took %d.%d minutes\n' "$1" $(($2 / 60)) $(($2 % 60 / 6)); }

start=$SECONDS
inside "./dev run"
ran=$((SECONDS - start))
start=$SECONDS
status=0
inside "./dev test" || status=$?
minutes "./dev run (install and build)" "$ran"
minutes "./dev test" $((SECONDS - start))
exit "$status"
