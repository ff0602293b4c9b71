#!/usr/bin/env bash
# The set-up on a machine that has nothing but python3: a bare Debian 12 and a bare Debian 13, each in a chroot. A clone of
# the checkout's last commit is set up there, is interrupted, repairs itself, runs its tests and plays a match.
# Network settings are those of this machine. Needs root. FRESH_RELEASES chooses releases.
set -euo pipefail
top=$(git -C "$(dirname -- "${BASH_SOURCE[0]}")" rev-parse --show-toplevel)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/tapis-vert/fresh
read -r -a releases <<<"${FRESH_RELEASES:-bookworm trixie}"
place="/opt/tapis vert"
passed=0 failed=0
scratch=$(mktemp -d -t tapis-vert-fresh.XXXXXX)
# Mounts live in a namespace of their own and vanish with it, so that removing the chroot can reach nothing else.
trap 'rm -rf --one-file-system "$scratch"' EXIT

finish() {
  printf '%d passed, %d failed\n' "$passed" "$failed"
  [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
  exit
}

lacking() {
  printf 'fresh: cannot run: %s\n' "$1"
  failed=1
  finish
}

# verdict STATUS SENTENCE LOG [PATTERN] : counts one check; shows the last line with the pattern, or the end of the log
# when it failed.
verdict() {
  if [ "$1" -eq 0 ]; then
    passed=$((passed + 1)) && printf '%s: ok\n' "$2"
    [ -z "${4:-}" ] || grep -e "$4" "$3" | tail -n 1 | sed 's/^/    /'
  else
    failed=$((failed + 1)) && printf '%s: FAILED (status %d)\n' "$2" "$1" && tail -n 40 "$3" | sed 's/^/    /'
  fi
}

# bare RELEASE : the path of its base system, made once and kept in the cache.
bare() {
  local tar mirror
  tar=$cache/$1-$(dpkg --print-architecture).tar
  if [ ! -s "$tar" ]; then
    mkdir -p "$cache"
    # shellcheck disable=SC2016 # expanded by apt
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' | head -n 1)
    debootstrap --variant=minbase --include=python3 "$1" "$scratch/base-$1" ${mirror:+"$mirror"} >"$scratch/base-$1.log" 2>&1 ||
      return 1
    rm -rf "$scratch/base-$1"/var/cache/apt/archives/*.deb
    tar --numeric-owner --one-file-system -C "$scratch/base-$1" -cf "$tar.part" . && mv "$tar.part" "$tar"
    rm -rf --one-file-system "$scratch/base-$1"
  fi
  printf '%s\n' "$tar"
}

# network_as_here CHROOT : names, proxies, certificates and package indexes as on this machine.
network_as_here() {
  local file
  cp -L /etc/resolv.conf "$1/etc/resolv.conf"
  apt-config dump | grep -E '^Acquire::(http|https|Check-|ForceIPv)' >"$1/etc/apt/apt.conf.d/99as-here" || true
  if [ -d /usr/local/share/ca-certificates ]; then
    mkdir -p "$1/usr/local/share" && cp -rL /usr/local/share/ca-certificates "$1/usr/local/share/"
  fi
  for file in /etc/pip.conf "$HOME/.config/pip/pip.conf" "$HOME/.pip/pip.conf"; do
    [ ! -f "$file" ] || install -D -m 644 "$file" "$1${file/#$HOME//root}"
  done
}

# inside CHROOT COMMAND : runs a shell line in the clone, as on a machine just installed, with no keyboard and no screen.
inside() {
  local names keep=() name
  names=$(compgen -e | grep -E -i '^(pip_.*|.*_proxy|ssl_cert_file|requests_ca_bundle)$' || true)
  for name in $names; do keep+=("$name=${!name}"); done
  # shellcheck disable=SC2016 # expanded by the inner shell
  unshare --mount --pid --fork --kill-child sh -c '
    mount --make-rprivate / && mount -t proc proc "$1/proc" && mount --rbind /sys "$1/sys" && mount --rbind /dev "$1/dev" || exit 125
    root=$1 place=$2 line=$3
    shift 3
    exec chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
      LANG=C.UTF-8 CI=true "$@" bash -c "cd -- \"$place\" || exit; $line"
  ' sh "$1" "$place" "$2" "${keep[@]}" </dev/null
}

# shellcheck disable=SC2016 # expanded in the chroot
# Started in the background, killed with everything below it once packages are arriving.
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
  tar=$(bare "$release") || { verdict 1 "$release: base system" "$scratch/base-$release.log"; return; }
  mkdir "$chroot" && tar -C "$chroot" --numeric-owner -xf "$tar"
  network_as_here "$chroot"
  git clone -q --no-hardlinks "$top" "$chroot$place"
  check() {
    status=0
    inside "$chroot" "$2" >"$log" 2>&1 || status=$?
    verdict "$status" "$release: $1" "$log" "${3:-}"
  }
  check "a set-up can be interrupted" "$interrupt"
  check "./test sets up and passes" "./test" " passed"
  check "./run demo plays a match" "./run demo footclub --seed 1 --fast"
  check "./run without a screen plays in the terminal" \
    "timeout 30 ./run >shown 2>said || [ \$? -eq 124 ] && grep -q 'no screen' said && [ \$(wc -l <said) -gt 5 ]"
  check "./run starts again" "$seconds" "second start"
  rm -rf --one-file-system "$chroot"
}

[ "$(id -u)" -eq 0 ] || lacking "root is needed to make chroots"
command -v debootstrap >/dev/null || { apt-get update && apt-get install -y debootstrap; } >"$scratch/apt.log" 2>&1 ||
  lacking "debootstrap cannot be installed"
for release in "${releases[@]}"; do try "$release"; done
finish
