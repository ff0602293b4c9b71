#!/usr/bin/env bash
# Installs or updates Tapis Vert on Raspberry Pi OS 12 or 13 or Debian: `sudo deploy/install.sh`. Can be interrupted and
# restarted; a second run changes nothing. Existing settings and matches are never touched.
set -euo pipefail
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
# shellcheck source=deploy/set-up.sh
. "$here/set-up.sh"
# shellcheck source=deploy/steps.sh
. "$here/steps.sh"

usage() {
  cat <<'TEXT'
sudo deploy/install.sh [OPTION...]
  --no-kiosk        do not start the app at boot
  --system-stack    use numpy and OpenCV of the system (default if the system has picamera2)
  --wheels-stack    use numpy and OpenCV of requirements.lock
  --no-packages     do not install system packages
  --files ROOT      only copy command, units and device rules below ROOT, as in a Debian package
  --remove          remove the program; settings and matches stay
  --patience SECS   longest start of the new version in seconds (default 120)
TEXT
}

source=$(dirname -- "$here") wished_stack=auto kiosk=yes with_packages=yes remove=no left_out=()
python=${PYTHON:-/usr/bin/python3} layout=local
while [ $# -gt 0 ]; do
  case $1 in
    --no-kiosk) kiosk=no ;;
    --system-stack) wished_stack=system ;;
    --wheels-stack) wished_stack=wheels ;;
    --no-packages) with_packages=no ;;
    --packaged) with_packages=no layout=none ;;
    --files)
      files "$source" "${2:?--files needs a folder}" package
      exit
      ;;
    --patience) patience=${2:?--patience needs seconds} && shift ;;
    --remove) remove=yes ;;
    --help | -h) usage && exit ;;
    *) usage >&2 && exit 2 ;;
  esac
  shift
done
if [ "$(id -u)" -ne 0 ]; then say "Root rights are needed. Type: sudo $0" && exit 2; fi
if [ "$layout" = local ] && [ -z "$(packages_missing tapis-vert)" ]; then
  say "The Debian package tapis-vert is installed here. Update it with apt, or remove it first." && exit 2
fi

if [ "$remove" = yes ]; then
  if systemd_runs; then systemctl disable --quiet --now tapis-vert.service tapis-vert-hub.service tapis-vert-backup.timer || true; fi
  files_away "$source"
  if systemd_runs; then systemctl daemon-reload; fi
  rm -rf "$place"
  say "Removed. Settings stay in $settings, matches in $data."
  exit
fi

log=$(mktemp -t tapis-vert-install.XXXXXX.log)
number=0
step() {
  number=$((number + 1))
  say "step $number of 7: $1"
}
# On any failure the previous version keeps running, and the next run resumes at the failed step.
trap '[ $? -eq 0 ] || say "Not finished. Details: $log. Remove the cause, then start again."' EXIT

mkdir -p "$place"
exec 9<"$place"
flock 9
step "system packages"
if [ "$with_packages" = yes ]; then packages; else choose_stack "$wished_stack"; fi
python_usable || { say "Python 3.11, 3.12 or 3.13 with its venv module is needed."; exit 1; }
step "user and groups"
people
step "settings and folders"
folders "$source"
step "the program"
name_version "$source"
environment "$source"
step "command, units, device rules"
if [ "$layout" = local ]; then files "$source" "" local; fi
step "trial and switch"
restart=no
if [ "$(current_version)" != "$version" ]; then
  proven
  switch
  restart=yes
fi
step "start"
if ! start "$restart"; then
  say "Version $version does not keep running on the screen."
  if [ "$restart" = yes ] && back; then start yes || true; fi
  exit 1
fi
rm -f "$log"
if [ "${#left_out[@]}" -gt 0 ]; then say "This system does not offer these packages, which are optional: ${left_out[*]}"; fi
if systemctl is-enabled --quiet display-manager.service 2>/dev/null && [ "$kiosk" = yes ]; then
  say "A desktop starts at boot and blocks the screen. Type: sudo systemctl set-default multi-user.target"
fi
say "Version $version is installed."
