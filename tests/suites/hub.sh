#!/usr/bin/env bash
# Tests the pages of the tournament server in a browser, and many tables with it on SQLite and on PostgreSQL, which is
# installed if needed and started as a user other than root. HUB_ARGUMENTS is passed to `python -m tests.hub_suite`; see its `--help`.
# Installs Chromium, Playwright and axe-core too if it can; the tests that need what is still missing are skipped.
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

axe_version=4.14.1
axe_sha256=29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c
axe=$top/build/axe-core-$axe_version/package/axe.min.js

axe_checked() { [ -e "$axe" ] && echo "$axe_sha256  $axe" | sha256sum --check --status; }

fetch_axe() {
  local folder=$top/build/axe-core-$axe_version
  mkdir -p "$folder" && (cd "$folder" && npm pack --silent "axe-core@$axe_version" && tar -xzf axe-core-*.tgz) && axe_checked
}

# browser_tests : installs what the tests in a browser need. Prints one line for each part that cannot be installed.
browser_tests() {
  .venv/bin/python -c 'import playwright' 2>/dev/null ||
    .venv/bin/python -m pip --disable-pip-version-check install --quiet --no-deps -r tests/suites/web.lock >&2 ||
    echo "hub: Playwright cannot be installed"
  [ -n "${TAPIS_VERT_CHROMIUM:-}" ] || command -v chromium >/dev/null ||
    { [ "$(id -u)" -eq 0 ] && apt-get -qq update && apt-get install -y -qq --no-install-recommends chromium; } >/dev/null 2>&1 ||
    echo "hub: Chromium cannot be installed"
  if [ -z "${TAPIS_VERT_AXE:-}" ]; then
    if axe_checked || fetch_axe >/dev/null 2>&1; then
      export TAPIS_VERT_AXE=$axe
    else
      echo "hub: axe-core cannot be fetched"
    fi
  fi
}

browser_tests
# shellcheck disable=SC2086 # several arguments
exec .venv/bin/python -m tests.suites.hub ${HUB_ARGUMENTS:-} "$@"
