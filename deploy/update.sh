#!/usr/bin/env bash
# Updates an installed table: `sudo tapis-vert-update SOURCE`. SOURCE is a folder, an archive (.tar.gz) or a Debian
# package of a newer version. `--rollback` returns to the previous version.
set -euo pipefail
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
# shellcheck source=deploy/set-up.sh
. "$here/set-up.sh"
# shellcheck source=deploy/steps.sh
. "$here/steps.sh"

usage() {
  cat <<'TEXT'
sudo tapis-vert-update SOURCE [OPTION...]         install a newer version: a folder, a .tar.gz or a .deb
                                                  (options of deploy/install.sh)
sudo tapis-vert-update --rollback [--if-fresh]    return to the previous version (--if-fresh: within a day only)
sudo tapis-vert-update --list                     list the installed versions
TEXT
}

# fresh : succeeds if the last switch was less than a day ago, or lies in the future because the clock is wrong.
fresh() { [ $(($(date +%s) - $(stat -c %Y "$place/current"))) -lt 86400 ]; }

rollback() {
  if [ "${1:-}" = --if-fresh ] && ! fresh; then say "The last update is more than a day old. Nothing is changed." && return 0; fi
  log=$(mktemp -t tapis-vert-rollback.XXXXXX.log)
  back
  if systemd_runs; then
    systemctl reset-failed tapis-vert.service || true
    systemctl --no-block restart tapis-vert.service
    systemctl --no-block try-restart tapis-vert-hub.service
  fi
}

list() {
  local folder name
  for folder in "$place"/*/complete; do
    name=$(basename "$(dirname "$folder")")
    case $name in current | previous) continue ;; esac
    printf '%s%s\n' "$name" "$([ "$name" != "$(current_version)" ] || echo '  (in use)')"
  done
}

[ $# -gt 0 ] || { usage >&2 && exit 2; }
case $1 in
  --help | -h) usage && exit ;;
  --list) list && exit ;;
esac
if [ "$(id -u)" -ne 0 ]; then say "Root rights are needed. Type: sudo $0 $*" && exit 2; fi
if [ "$1" = --rollback ]; then rollback "${2:-}" && exit; fi

from=$1
shift
if [ ! -e "$from" ]; then say "$from does not exist." && exit 2; fi
case $from in
  *.deb) exec env DEBIAN_FRONTEND=noninteractive apt-get install -y --allow-downgrades "$(readlink -f "$from")" ;;
esac
if [ -f "$from" ]; then
  unpacked=$(mktemp -d -t tapis-vert-update.XXXXXX)
  trap 'rm -rf "$unpacked"' EXIT
  tar -C "$unpacked" -xf "$from" || { say "$from cannot be unpacked." && exit 2; }
  found=$(find "$unpacked" -maxdepth 3 -path '*/deploy/install.sh' | head -n 1)
  from=${found%/deploy/install.sh}
fi
if [ ! -x "$from/deploy/install.sh" ]; then say "$from is not a version of Tapis Vert: deploy/install.sh is missing." && exit 2; fi
"$from/deploy/install.sh" "$@"
