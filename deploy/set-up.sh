# shellcheck shell=bash
# Prepares .venv for ./run and ./test, which source this file: system packages, hash-checked Python packages, and the
# project itself. Call `set_up ROOT`. A complete set-up writes a stamp; as long as it matches, nothing is done. An
# interrupted set-up leaves a marker file, and the next run starts from scratch.

# Python with venv, libraries to open the window, and certificates to download packages.
needed_packages=(python3-venv ca-certificates libgl1 libegl1 libgles2 libegl-mesa0 libgl1-mesa-dri libmtdev1)
# Optional, with substitutes: fonts (Lato from the lock, Roboto from Kivy; for other scripts and emoji a dot), speech and
# sound player (silence).
welcome_packages=(fonts-lato fonts-roboto-unhinted fonts-dejavu-core fonts-droid-fallback fonts-symbola espeak-ng alsa-utils)
# A Raspberry Pi uses the system's packages, which are built for its camera stack and for each other.
pi_packages=(python3-picamera2 python3-numpy python3-opencv python3-lgpio)
pi_system_python=(numpy opencv-python-headless)

say() { printf 'tapis-vert: %s\n' "$*" >&2; }

on_a_pi() { grep -qs '^Raspberry Pi' /proc/device-tree/model; }

# packages_missing NAME... : prints the packages that are not installed. Debian 13 renamed some libraries for its 64-bit
# time (suffix t64); apt still accepts the old names.
packages_missing() {
  local name
  for name in "$@"; do
    case $(dpkg-query -W -f ' ${db:Status-Status} ' "$name" "${name}t64" 2>/dev/null) in
      *" installed "*) ;;
      *) printf '%s\n' "$name" ;;
    esac
  done
}

# as_root COMMAND... : runs a command as root. Fails if that needs a password.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo -n "$@"; fi
}

may_install() {
  [ "$(id -u)" -eq 0 ] || { command -v sudo && sudo -n true; } >/dev/null 2>&1
}

apt_get() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=120 -o Acquire::Retries=3 "$@"
}

# python_usable : succeeds if the selected Python is supported and can create an environment.
python_usable() {
  "$python" -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null
}

# system_packages LOG : installs missing packages, or prints the command to do so. Never aborts the set-up: the next
# step fails if a package is really needed.
system_packages() {
  command -v dpkg-query >/dev/null || return 0
  local needed=("${needed_packages[@]}") missing welcome all log=$1
  if on_a_pi; then needed+=("${pi_packages[@]}"); fi
  mapfile -t missing < <(packages_missing "${needed[@]}")
  mapfile -t welcome < <(packages_missing "${welcome_packages[@]}")
  all=("${missing[@]}" "${welcome[@]}")
  [ "${#all[@]}" -gt 0 ] || return 0
  if ! may_install; then
    say "System packages are missing. Type: sudo apt-get install -y ${all[*]}"
    return 0
  fi
  say "Installing system packages: ${all[*]}"
  if ! { apt_get update && apt_get install -y --no-install-recommends "${missing[@]}"; } >>"$log" 2>&1 </dev/null; then
    say "apt-get failed. The reason is at the end of $log. Type: sudo apt-get update && sudo apt-get install -y ${missing[*]}"
  fi
  if [ "${#welcome[@]}" -gt 0 ] && ! apt_get install -y --no-install-recommends "${welcome[@]}" >>"$log" 2>&1 </dev/null; then
    say "Continuing without these packages, which apt-get could not install: ${welcome[*]}"
  fi
}

# locked_packages ROOT : prints the lock without the packages that the system provides.
locked_packages() {
  local names=''
  if on_a_pi; then names="${pi_system_python[*]}"; fi
  awk -v names="$names" '
    BEGIN { split(names, list, " "); for (i in list) left_out[list[i]] = 1 }
    /^[a-z0-9]/ { split($1, part, "=="); skip = part[1] in left_out }
    !skip' "$1/requirements.lock"
}

# pip_install LOG ARGUMENT... : tries three times, for network errors. A wrong hash is not retried.
pip_install() {
  local log=$1 attempt
  shift
  for attempt in 1 2 3; do
    if "$venv/bin/python" -m pip --disable-pip-version-check --no-input install --quiet --no-deps "$@" \
      >>"$log" 2>&1 </dev/null; then
      return 0
    fi
    if grep -q 'DO NOT MATCH THE HASHES' "$log"; then
      say "The hash of a package differs from requirements.lock. Nothing of it was installed. $log names it."
      return 1
    fi
    [ "$attempt" -eq 3 ] || { say "A download failed. Trying again."; sleep $((attempt * 3)); }
  done
  say "The Python packages could not be installed. Check the network, then start again. Details: $log"
  return 1
}

# set_up_stamp ROOT : prints a checksum of all inputs of the set-up. Excludes the tool settings at the end of
# pyproject.toml, which do not affect it.
set_up_stamp() {
  { "$python" --version; printf '%s\n' "$1"; cat "$1/requirements.lock"; sed '/^\[tool\.ruff\]/,$d' "$1/pyproject.toml"; } |
    sha256sum
}

# compile_modules ROOT : compiles the modules, so that the first start is as fast as later ones. Ignores errors, e.g. in
# a read-only folder: Python then compiles at each start.
compile_modules() {
  "$venv/bin/python" -m compileall -q "$1/companion" "$1/vision" "$1/hardware" "$1/firmware" || true
}

make_environment() {
  local root=$1 log=$2 options=()
  if on_a_pi; then options=(--system-site-packages); fi
  if [ -e "$venv/unfinished" ] || ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
    rm -rf "$venv"
    mkdir -p "$venv" && : >"$venv/unfinished"
    say "Creating the Python environment. This takes a few minutes, once."
    "$python" -m venv "${options[@]}" "$venv" >>"$log" 2>&1 || { say "python3 -m venv failed. Details: $log"; return 1; }
  fi
  : >"$venv/unfinished"
  locked_packages "$root" >"$venv/requirements.lock"
  pip_install "$log" --require-hashes --only-binary :all: -r "$venv/requirements.lock" &&
    pip_install "$log" --no-build-isolation -e "$root" &&
    compile_modules "$root" >>"$log" 2>&1 &&
    set_up_stamp "$root" >"$venv/set-up.stamp" && rm "$venv/unfinished"
}

set_up_done() {
  [ ! -e "$venv/unfinished" ] && [ "$(set_up_stamp "$1" 2>/dev/null)" = "$(cat "$venv/set-up.stamp" 2>/dev/null)" ]
}

# set_up ROOT : returns when ROOT/.venv is ready. On failure prints one sentence and returns status 1.
set_up() {
  local root=$1 log python=${PYTHON:-python3} venv=$1/.venv
  if set_up_done "$root"; then return 0; fi
  log=$(mktemp -t tapis-vert-set-up.XXXXXX.log)
  # shellcheck disable=SC2094 # the folder is opened for its lock: a second run waits for the first
  (
    flock 9
    if set_up_done "$root"; then exit 0; fi
    system_packages "$log"
    if ! python_usable; then
      say "Python 3.11, 3.12 or 3.13 with its venv module is needed. Type: sudo apt-get install -y python3-venv"
      exit 1
    fi
    make_environment "$root" "$log"
  ) 9<"$root" || return 1
  rm -f "$log"
}
