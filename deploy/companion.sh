#!/bin/sh
# The command of an installed table: with its settings and, called by root, as the user to whom its matches belong.
: "${TAPIS_VERT_CONFIG:=/etc/tapis-vert/config.toml}"
export TAPIS_VERT_CONFIG
program=/opt/tapis-vert/current/bin/companion
if [ "$(id -u)" -ne 0 ]; then exec "$program" "$@"; fi
export HOME=/var/lib/tapis-vert
# A backup goes to wherever root may write; what it brings back is given to its owner.
case ${1:-} in backup | restore) exec "$program" "$@" ;; esac
exec setpriv --reuid=tapis-vert --regid=tapis-vert --init-groups -- "$program" "$@"
