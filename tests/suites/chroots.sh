# shellcheck shell=bash
# Minimal Debian systems in chroots, for the suites that source this file. Each is built once, cached and unpacked for
# each run. TAPIS_VERT_CHROOTS is the cache. Set `suite`, the name in messages, before sourcing this file.
# shellcheck disable=SC2034,SC2154

top=$(git -C "$(dirname -- "${BASH_SOURCE[0]}")" rev-parse --show-toplevel)
cache=${TAPIS_VERT_CHROOTS:-${XDG_CACHE_HOME:-$HOME/.cache}/tapis-vert/fresh}
passed=0 failed=0
scratch=$(mktemp -d -t "tapis-vert-$suite.XXXXXX")
# Mounts are in a separate namespace and end with it, so removing the chroot cannot delete anything else.
trap 'rm -rf --one-file-system "$scratch"' EXIT

finish() {
  printf '%d passed, %d failed\n' "$passed" "$failed"
  [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
  exit
}

lacking() {
  printf '%s: cannot run: %s\n' "$suite" "$1"
  failed=1
  finish
}

# verdict STATUS SENTENCE LOG [PATTERN] : counts and prints one check. Shows the last log line with the pattern, or the
# end of the log on failure.
verdict() {
  if [ "$1" -eq 0 ]; then
    passed=$((passed + 1)) && printf '%s: ok\n' "$2"
    [ -z "${4:-}" ] || { grep -e "$4" "$3" || true; } | tail -n 1 | sed 's/^/    /'
  else
    failed=$((failed + 1)) && printf '%s: FAILED (status %d)\n' "$2" "$1" && tail -n 40 "$3" | sed 's/^/    /'
  fi
}

# bare RELEASE [ARCHITECTURE] : prints the path of the cached base system (tar), and builds it if needed. For another
# architecture, call `emulated` first. `downloads` is empty here: that mount would hide debootstrap's packages.
bare() {
  local downloads="" tar mirror arch=${2:-$(dpkg --print-architecture)} base
  tar=$cache/$1-$arch.tar base=$scratch/base-$1-$arch
  if [ ! -s "$tar" ]; then
    mkdir -p "$cache"
    # shellcheck disable=SC2016 # expanded by apt
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' | head -n 1)
    debootstrap --foreign --arch="$arch" --variant=minbase --include=python3 "$1" "$base" ${mirror:+"$mirror"} \
      >"$base.log" 2>&1 || return 1
    chrooted "$base" / '/debootstrap/debootstrap --second-stage' >>"$base.log" 2>&1 || return 1
    rm -rf "$base"/var/cache/apt/archives/*.deb
    tar --numeric-owner --one-file-system -C "$base" -cf "$tar.part" . && mv "$tar.part" "$tar"
    rm -rf --one-file-system "$base"
  fi
  printf '%s\n' "$tar"
}

# emulated ARCHITECTURE : enables the kernel to run its programs, also in chroots. Fails if that is not possible.
emulated() {
  local name=/proc/sys/fs/binfmt_misc
  foreign=""
  [ "$1" != "$(dpkg --print-architecture)" ] || return 0
  foreign=yes
  [ "$1" = arm64 ] || return 1
  [ -e "$name/status" ] || mount -t binfmt_misc binfmt_misc "$name" || return 1
  [ -e "$name/qemu-aarch64" ] || update-binfmts --enable qemu-aarch64 || return 1
  grep -q '^flags:.*F' "$name/qemu-aarch64"
}

# network_as_here CHROOT : copies the host's name resolution, proxies, certificates and package indexes.
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

# chrooted CHROOT FOLDER LINE : runs a shell line in a folder of the chroot, as on a new system without keyboard and
# screen. If `downloads` is set, downloads are cached in that folder for other chroots. On an emulated processor the
# host's CPU cache data are hidden: ONNX Runtime 1.31 crashes if they do not match the reported cores.
chrooted() {
  local names keep=() name
  names=$(compgen -e | grep -E -i '^(pip_.*|.*_proxy|ssl_cert_file|requests_ca_bundle)$' || true)
  for name in $names; do keep+=("$name=${!name}"); done
  # shellcheck disable=SC2016 # expanded by the inner shell
  unshare --mount --pid --fork --kill-child sh -c '
    mount --make-rprivate / && mount -t proc proc "$1/proc" && mount --rbind /sys "$1/sys" && mount --rbind /dev "$1/dev" || exit 125
    if [ -n "$4" ]; then
      mkdir -p "$1/root/.cache/pip" && mount --bind "$4/pip" "$1/root/.cache/pip" &&
        mount --bind "$4/debian" "$1/var/cache/apt/archives" || exit 125
    fi
    if [ -n "$5" ]; then
      for caches in "$1"/sys/devices/system/cpu/cpu*/cache; do mount -t tmpfs tmpfs "$caches" || exit 125; done
    fi
    root=$1 place=$2 line=$3
    shift 5
    exec chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
      LANG=C.UTF-8 CI=true "$@" bash -c "cd -- \"$place\" || exit; $line"
  ' sh "$1" "$2" "$3" "${downloads:-}" "${foreign:-}" "${keep[@]}" </dev/null
}

# tools COMMAND=PACKAGE... : installs the packages of the commands that the host lacks.
tools() {
  local pair missing=()
  for pair in "$@"; do command -v "${pair%%=*}" >/dev/null || missing+=("${pair#*=}"); done
  [ "${#missing[@]}" -eq 0 ] ||
    { apt-get update && apt-get install -y --no-install-recommends "${missing[@]}"; } >"$scratch/apt.log" 2>&1
}
