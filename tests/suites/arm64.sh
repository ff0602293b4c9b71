#!/usr/bin/env bash
# Tests the installation of the last commit in chroots, on the host's processor and on the Raspberry Pi's (emulated if
# the host has another one): the installer, interrupted at every step, run twice, updated and rolled back; the app off
# screen; a part of the tests; the Debian package from installation to purge. Needs root. Environment variables:
# - ARM64_LEGS: list of RELEASE/ARCHITECTURE/STACK (STACK `system`: the system's numpy and OpenCV, as on a Pi).
# - ARM64_PARTS: the parts to run for each of them.
# - ARM64_TESTS: the tests to run (`all`: every quick one).
# - TAPIS_VERT_CHROOTS: the cache of base systems.
set -euo pipefail
suite=arm64
# shellcheck source=tests/suites/chroots.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/chroots.sh"
read -r -a legs <<<"${ARM64_LEGS:-bookworm/amd64/wheels bookworm/arm64/wheels}"
parts=${ARM64_PARTS:-installer tests package}
# The basic tests of the rules, the journal, the table, the reader and the commands.
some="tests/games/test_shape.py tests/games/footclub tests/games/hoops21 tests/journal tests/statistics
 tests/table/test_session.py tests/table/test_throws.py tests/vision/test_reader.py tests/vision/test_read_parts.py
 tests/vision/test_nets.py tests/vision/test_rest_detector.py tests/commands/test_watchdog.py tests/commands/test_backup.py"
tests=${ARM64_TESTS:-$some}
if [ "$tests" = all ]; then tests=tests; fi
place="/srv/tapis vert"
packages=$scratch/packages

# copy VERSION TO [SED FILE] : copies the last commit, with this version number and, if given, a change by sed.
copy() {
  mkdir -p "$2"
  git -C "$top" archive HEAD | tar -C "$2" -x
  sed -i "s/^__version__ = .*/__version__ = \"$1\"/" "$2/companion/__init__.py"
  if [ $# -gt 2 ]; then sed -i "$3" "$2/$4"; fi
}

# check SENTENCE LINE [PATTERN] : runs a shell line in the current chroot and reports its result (see `verdict`).
check() {
  local status=0 began=$SECONDS
  chrooted "$chroot" "$place" "$2" >"$scratch/log" 2>&1 || status=$?
  verdict "$status" "$leg: $1 ($((SECONDS - began)) s)" "$scratch/log" "${3:-}"
}

# prepare : unpacks the base system into a new chroot and copies the last commit into it.
prepare() {
  local tar
  tar=$(bare "$release" "$arch") || { verdict 1 "$leg: base system" "$scratch/base-$release-$arch.log"; return 1; }
  rm -rf --one-file-system "$chroot"
  mkdir "$chroot" && tar -C "$chroot" --numeric-owner -xf "$tar"
  network_as_here "$chroot"
  echo force-unsafe-io >"$chroot/etc/dpkg/dpkg.cfg.d/quick"  # a temporary chroot needs no disk syncs
  copy 0.1.0 "$chroot$place"
}

# Shell lines for the chroot: a command prefix to run as the table's user, and the test program for its matches.
as_table='python=/usr/bin/python3 && . deploy/set-up.sh && . deploy/steps.sh && as_user'
matches="$as_table /opt/tapis-vert/current/bin/python \"\$PWD/tests/deploy/inside/match.py\""
# shellcheck disable=SC2016 # expanded in the chroot
running() { printf '[ "$(basename "$(readlink /opt/tapis-vert/current)" | cut -d+ -f1)" = %s ]' "$1"; }

installed() {
  local install="deploy/install.sh --$stack-stack --patience $patience" spot
  for spot in "1 0" "1 $long" "2 0" "3 0" "4 0" "4 $long" "4 $longer" "5 0" "6 0" "6 $short" "7 0"; do
    check "killed ${spot#* } s into step ${spot% *}" "tests/deploy/inside/interrupt.sh $spot $install"
  done
  check "completes after all that" \
    "$install && [ -z \"\$(dpkg --audit)\" ] && [ -e /opt/tapis-vert/current/complete ] && $(running 0.1.0)"
  check "a second run changes nothing" \
    "tests/deploy/inside/listing.sh >/srv/before && $install && tests/deploy/inside/listing.sh >/srv/after && diff /srv/before /srv/after"
  check "the app starts off screen" "companion trial --seconds $patience" " second"
  check "the units are sound" \
    "! command -v systemd-analyze || { systemd-analyze verify /etc/systemd/system/tapis-vert*.* >/srv/said 2>&1; cat /srv/said; [ ! -s /srv/said ]; }"
}

updated() {
  local update="tapis-vert-update /srv/newer --$stack-stack --patience $patience"
  copy 0.1.1 "$chroot/srv/newer"
  check "settings are edited, a match is played" \
    "printf '\n[table]\nname = \"Salle\"\n' >>/etc/tapis-vert/config.toml && cp /etc/tapis-vert/config.toml /srv/settings &&
     $matches played >/srv/matches" 
  check "an update keeps both" \
    "$update && $(running 0.1.1) && cmp /etc/tapis-vert/config.toml /srv/settings && $matches told | cmp - /srv/matches"
  if [ "$arch" = "$(dpkg --print-architecture)" ]; then
    copy 0.1.2 "$chroot/srv/broken" 's/^def run(/def gone(/' companion/app/app.py
    check "a version that does not come up is refused" \
      "! tapis-vert-update /srv/broken --$stack-stack --patience $patience 2>&1 | tee /dev/stderr | grep -q 'is installed' &&
       $(running 0.1.1) && companion trial --seconds $patience" " second"
  fi
  check "a rollback takes newer data back to the backup" \
    "$as_table /opt/tapis-vert/current/bin/python -c 'import apsw; apsw.Connection(\"/var/lib/tapis-vert/matches.sqlite\").pragma(\"user_version\", 99)' &&
     tapis-vert-update --rollback && $(running 0.1.0) && $matches told | cmp - /srv/matches && ls -d /var/lib/tapis-vert/before-restore-*"
  check "a backup comes back, a damaged one is refused" \
    "companion backup /srv/one.zip && $matches played 2 >/dev/null && companion restore /srv/one.zip && $matches told | cmp - /srv/matches &&
     printf x | dd of=/srv/one.zip bs=1 seek=2000 conv=notrunc && ! companion restore /srv/one.zip && $matches told | cmp - /srv/matches"
  tested
  check "the program is removed, settings and matches stay" \
    "deploy/install.sh --remove && [ ! -e /opt/tapis-vert ] && [ -s /etc/tapis-vert/config.toml ] && [ -s /var/lib/tapis-vert/matches.sqlite ]"
}

# The test tools are installed in a separate folder, so that the installed environment stays unchanged.
tested() {
  case $parts in *tests*) ;; *) return 0 ;; esac
  check "the tools of the tests" \
    "awk 'NR == FNR { run[\$1] = 1; next } /^[a-z0-9]/ { split(\$1, part, \"==\"); take = !(part[1] in run) } take' \
       deploy/run-time.txt requirements.lock >/srv/tools.lock &&
     /opt/tapis-vert/current/bin/python -m pip install -q --no-deps --require-hashes --only-binary :all: --target /srv/tools -r /srv/tools.lock"
  check "tests" \
    "PYTHONPATH=/srv/tools /opt/tapis-vert/current/bin/python -m pytest -q -m 'not slow' -p no:cacheprovider ${tests//$'\n'/ }" " passed"
}

packaged() {
  local number file=/srv/packages/tapis-vert_
  for number in 0.1.0 0.1.1; do
    copy "$number" "$scratch/source-$number"
    status=0
    "$scratch/source-$number/deploy/package/build.sh" --arch "$arch" --python "$python" --out "$packages" --keep "$cache/wheels" >"$scratch/log" 2>&1 || status=$?
    verdict "$status" "$leg: the package $number is built" "$scratch/log" deb$
    rm -rf "$scratch/source-$number"
  done
  [ -e "$packages/tapis-vert_0.1.1_$arch.deb" ] || return 0
  mkdir -p "$chroot/srv/packages" && cp "$packages"/*_"$arch".deb "$chroot/srv/packages/"
  local get="DEBIAN_FRONTEND=noninteractive TAPIS_VERT_PATIENCE=$patience apt-get install -y --no-install-recommends"
  status=0
  lintian --fail-on error "$packages/tapis-vert_0.1.0_$arch.deb" >"$scratch/log" 2>&1 || status=$?
  verdict "$status" "$leg: lintian finds no error in the package" "$scratch/log"
  check "it installs" "apt-get update -q && $get ${file}0.1.0_$arch.deb && $(running 0.1.0) && companion trial --seconds $patience" " second"
  case $parts in *installer*) ;; *) tested ;; esac
  check "the documents that its units name are there" \
    "cat /opt/tapis-vert/current/deploy/systemd/*.service | sed -n 's|^Documentation=file://||p' | xargs ls -d" "INSTALL.md"
  check "it upgrades" "$matches played 3 >/srv/matches && $get ${file}0.1.1_$arch.deb && $(running 0.1.1) && $matches told | cmp - /srv/matches"
  check "it rolls back" "$get --allow-downgrades ${file}0.1.0_$arch.deb && $(running 0.1.0) && $matches told | cmp - /srv/matches"
  check "it is purged, the data stay" \
    "sha256sum /var/lib/tapis-vert/matches.sqlite >/srv/sum && apt-get purge -y tapis-vert && [ ! -e /opt/tapis-vert ] &&
     [ ! -e /etc/tapis-vert ] && [ ! -e /usr/bin/companion ] && sha256sum -c /srv/sum"
}

# The delays before a kill and the timeouts are longer on an emulated processor.
try() {
  IFS=/ read -r release arch stack <<<"$leg"
  chroot=$scratch/$release-$arch patience=120 short=3 long=8 longer=30 python=3.11
  [ "$release" = bookworm ] || python=3.13
  if [ "$arch" != "$(dpkg --print-architecture)" ]; then patience=900 short=20 long=40 longer=150; fi
  downloads=$cache/$release-$arch
  mkdir -p "$downloads/pip" "$downloads/debian/partial"
  emulated "$arch" || { verdict 1 "$leg: emulation of the processor" /dev/null; return; }
  prepare || return 0
  if [ "$arch" = "$(dpkg --print-architecture)" ]; then
    check "systemd" "apt-get update -q && apt-get install -y --no-install-recommends systemd"
  fi
  case $parts in *installer*) installed ;; esac
  if [ -e "$chroot/opt/tapis-vert/current" ]; then updated; fi
  case $parts in *package*) packaged ;; esac
  rm -rf --one-file-system "$chroot"
}

[ "$(id -u)" -eq 0 ] || lacking "root is needed to make chroots"
tools debootstrap=debootstrap qemu-aarch64-static=qemu-user-static update-binfmts=binfmt-support lintian=lintian ||
  lacking "debootstrap, qemu-user-static and lintian cannot be installed"
for leg in "${legs[@]}"; do try; done
finish
