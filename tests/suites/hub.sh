#!/usr/bin/env bash
# Tests the pages of the tournament server in a browser, and many tables with it on SQLite and on PostgreSQL, which is
# installed if needed and started as a user other than root. HUB_ARGUMENTS is passed to `python -m tests.hub_suite`; see its `--help`.
set -euo pipefail
top=$(git -C "$(dirname -- "${BASH_SOURCE[0]}")" rev-parse --show-toplevel)

lacking() {
  printf 'hub: cannot run: %s\n0 passed, 1 failed\n' "$1"
  exit 1
}

# Debian's package would create and start a server on installation; the configuration file prevents that.
install_postgresql() {
  local here=/etc/postgresql-common/createcluster.d/tapis-vert-suite.conf status=0
  mkdir -p "${here%/*}" && echo 'create_main_cluster = false' >"$here"
  { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends postgresql; } || status=$?
  rm -f "$here"
  return "$status"
}

there() {
  "$top/.venv/bin/python" -c 'from tools.trials.local_postgres import programs; programs()' 2>/dev/null
}

if ! there; then
  [ "$(id -u)" -eq 0 ] || lacking "PostgreSQL is not installed, and only root may install it"
  command -v apt-get >/dev/null || lacking "PostgreSQL is not installed (a Debian machine would install it)"
  log=$(mktemp) && trap 'rm -f "$log"' EXIT
  { install_postgresql >"$log" 2>&1 && there; } || { tail -n 20 "$log" && lacking "PostgreSQL cannot be installed"; }
fi
cd -- "$top"
# shellcheck disable=SC2086 # several arguments
exec .venv/bin/python -m tests.suites.hub ${HUB_ARGUMENTS:-} "$@"
