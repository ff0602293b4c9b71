#!/usr/bin/env bash
# Tests the set-up on minimal systems with only python3: Debian 12 and Debian 13, each in a chroot with the host's
# network settings. A clone of the last commit is set up, is interrupted, repairs itself, runs its tests and plays a
# match. Needs root. FRESH_RELEASES lists the releases. TAPIS_VERT_CHROOTS is the cache of base systems.
set -euo pipefail
suite=fresh
# shellcheck source=tests/suites/chroots.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/chroots.sh"
read -r -a releases <<<"${FRESH_RELEASES:-bookworm trixie}"
place="/opt/tapis vert"

# shellcheck disable=SC2016 # expanded in the chroot
# Starts the set-up in the background and kills it with its child processes during the package installation.
interrupt='setsid ./run --help & child=$!
for tick in $(seq 600); do
  [ -z "$(find .venv/lib -maxdepth 4 -name "*.dist-info" 2>/dev/null | grep -v "/pip-\|/setuptools-")" ] || break
  kill -0 $child 2>/dev/null || break
  sleep 0.2
done
kill -9 -- -$child; wait $child; [ -e .venv/unfinished ]'

# shellcheck disable=SC2016 # expanded in the chroot
seconds='before=$(date +%s%N); ./run --help >/dev/null && echo "second start: $((($(date +%s%N) - before) / 1000000)) ms"'

try() {
  local release=$1 chroot=$scratch/$1 log=$scratch/$1.log status tar
  tar=$(bare "$release") || { verdict 1 "$release: base system" "$(echo "$scratch/base-$release"*.log)"; return; }
  mkdir "$chroot" && tar -C "$chroot" --numeric-owner -xf "$tar"
  network_as_here "$chroot"
  git clone -q --no-hardlinks "$top" "$chroot$place"
  check() {
    status=0
    chrooted "$chroot" "$place" "$2" >"$log" 2>&1 || status=$?
    verdict "$status" "$release: $1" "$log" "${3:-}"
  }
  check "a set-up can be interrupted" "$interrupt"
  check "./test sets up and passes" "./test" " passed"
  check "./run demo plays a match" "./run demo footclub --seed 1 --fast"
  check "./run without a screen plays in the terminal" \
    "timeout 30 ./run >shown 2>said || [ \$? -eq 124 ] && grep -q 'No screen' said && [ \$(wc -l <said) -gt 5 ]"
  check "./run starts again" "$seconds" "second start"
  rm -rf --one-file-system "$chroot"
}

[ "$(id -u)" -eq 0 ] || lacking "root is needed to make chroots"
tools debootstrap=debootstrap || lacking "debootstrap cannot be installed"
for release in "${releases[@]}"; do try "$release"; done
finish
