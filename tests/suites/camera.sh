#!/usr/bin/env bash
# Tests camera class, worker and reader of the last commit with the real camera stack (picamera2 on libcamera) and
# libcamera's virtual camera, in a chroot of Debian 13. The camera shows throws in a drawn tray: twenty rolls are read,
# and the table recovers from cameras that are killed, hang or disappear during a match. Needs root. TAPIS_VERT_CHROOTS
# is the cache of chroots. CAMERA_ARGUMENTS is passed to `python -m tests.camera`.
set -euo pipefail
suite=camera
# shellcheck source=tests/suites/chroots.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/chroots.sh"
place="/srv/tapis vert"
system="python3-libcamera libcamera-tools python3-venv python3-dev libcap-dev gcc libc6-dev"
wheels="numpy opencv-python-headless onnxruntime msgspec apsw svg.path picamera2"
kept=$cache/camera-trixie-$(dpkg --print-architecture)-$(printf '%s %s' "$system" "$wheels" | cat - "$top/requirements.lock" | sha256sum | cut -c1-12).tar

# stack : creates a Debian 13 with the camera packages, and with the reader's locked packages next to picamera2's.
stack() {
  local base=$scratch/stack tar
  [ ! -s "$kept" ] || return 0
  tar=$(bare trixie) || return 1
  mkdir "$base" && tar -C "$base" --numeric-owner -xf "$tar"
  network_as_here "$base"
  echo force-unsafe-io >"$base/etc/dpkg/dpkg.cfg.d/quick"
  sed -n 's/^\([A-Za-z0-9._-]*==[^ ;\\]*\).*/\1/p' "$top/requirements.lock" >"$base/srv/constraints.txt"
  chrooted "$base" / "apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $system &&
    python3 -m venv --system-site-packages /opt/reader && /opt/reader/bin/pip install --no-cache-dir -c /srv/constraints.txt $wheels &&
    apt-get clean" || return 1
  rm -f "$cache"/camera-trixie-*.tar
  tar --numeric-owner --one-file-system -C "$base" -cf "$kept.part" . && mv "$kept.part" "$kept"
  rm -rf --one-file-system "$base"
}

[ "$(id -u)" -eq 0 ] || lacking "root is needed to make a chroot"
tools debootstrap=debootstrap || lacking "debootstrap cannot be installed"
stack >"$scratch/stack.log" 2>&1 || { tail -n 20 "$scratch/stack.log" && lacking "picamera2 and libcamera cannot be set up"; }
chroot=$scratch/root
mkdir "$chroot" && tar -C "$chroot" --numeric-owner -xf "$kept"
mkdir -p "$chroot$place"
git -C "$top" archive HEAD | tar -C "$chroot$place" -x
chrooted "$chroot" "$place" "cc -O1 -shared -fPIC -o /srv/memory.so tests/camera/memory.c -ldl" ||
  lacking "the memory for camera buffers cannot be compiled"
status=0
chrooted "$chroot" "$place" \
  "LIBCAMERA_LOG_LEVELS=*:ERROR LD_PRELOAD=/srv/memory.so /opt/reader/bin/python -m tests.camera ${CAMERA_ARGUMENTS:-}" ||
  status=$?
exit "$status"
