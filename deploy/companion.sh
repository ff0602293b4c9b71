#!/bin/sh
# The command `companion` of an installed table. Uses its settings; as root, switches to the user who owns the matches.
: "${TAPIS_VERT_CONFIG:=/etc/tapis-vert/config.toml}"
export TAPIS_VERT_CONFIG
program=/opt/tapis-vert/current/bin/companion
if [ "$(id -u)" -ne 0 ]; then exec "$program" "$@"; fi
export HOME=/var/lib/tapis-vert
# Backup and restore stay root: they need access to any path, and restore gives the files to their owner.
case ${1:-} in backup | restore) exec "$program" "$@" ;; esac
exec setpriv --reuid=tapis-vert --regid=tapis-vert --init-groups -- "$program" "$@"
