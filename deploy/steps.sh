# shellcheck shell=bash
# The steps of the installer, the update and the Debian package. Each step checks the current state and does only what
# is missing, so it can be interrupted at any moment and repeated. Before this file, source set-up.sh and set `python`,
# `log`, `wished_stack` and `kiosk`.
# shellcheck disable=SC2034,SC2154

place=/opt/tapis-vert
data=/var/lib/tapis-vert
settings=/etc/tapis-vert
user=tapis-vert
# For screen, graphics, touch, tray, sound and GPIO pins.
groups=(video render input dialout audio gpio)
patience=120

# as_user COMMAND... : runs a command as the user who owns the matches, with the table's settings.
as_user() {
  env -i PATH="$PATH" LANG="${LANG:-C.UTF-8}" HOME="$data" TAPIS_VERT_CONFIG="$settings/config.toml" \
    setpriv --reuid="$user" --regid="$user" --init-groups -- "$@"
}

systemd_runs() { [ -d /run/systemd/system ]; }

# put FILE DESTINATION MODE : installs a file atomically. Does nothing if content and mode are already right.
put() {
  if cmp -s "$1" "$2" && [ "$(stat -c %a "$2")" = "$3" ]; then return 0; fi
  install -D -m "$3" "$1" "$2.new" && mv -fT "$2.new" "$2"
}

# leads LINK TARGET : sets a symbolic link atomically: it always points to the old target or the new one.
leads() {
  [ "$(readlink "$1" 2>/dev/null)" != "$2" ] || return 0
  mkdir -p "$(dirname "$1")"
  ln -sfn "$2" "$1.new" && mv -fT "$1.new" "$1" && sync -f "$(dirname "$1")"
}

# files SOURCE ROOT LAYOUT : installs command, systemd units and udev rules. LAYOUT is `local` or `package`.
files() {
  local from=$1 root=$2 usr=/usr/local units=/etc/systemd/system rules=/etc/udev/rules.d unit
  if [ "$3" = package ]; then usr=/usr units=/lib/systemd/system rules=/lib/udev/rules.d; fi
  put "$from/deploy/companion.sh" "$root$usr/bin/companion" 755
  leads "$root$usr/sbin/tapis-vert-update" "$place/current/deploy/update.sh"
  for unit in "$from"/deploy/systemd/*; do put "$unit" "$root$units/${unit##*/}" 644; done
  put "$from/deploy/udev/70-tapis-vert.rules" "$root$rules/70-tapis-vert.rules" 644
}

files_away() {
  local unit
  for unit in "$1"/deploy/systemd/*; do rm -f "/etc/systemd/system/${unit##*/}"; done
  rm -f /usr/local/bin/companion /usr/local/sbin/tapis-vert-update /etc/udev/rules.d/70-tapis-vert.rules
}

# may_be_had PACKAGE : succeeds if a package is installed or available from apt.
may_be_had() { [[ $(LC_ALL=C apt-cache policy "$1" 2>/dev/null) == *"Candidate: "[!\(]* ]]; }

# choose_stack WISH : sets `stack` to `system` (the system's numpy and OpenCV, which its camera stack is built for) or
# to `wheels` (those of the lock). WISH `auto` selects `system` if picamera2 is available.
choose_stack() {
  stack=$1
  if [ "$stack" != auto ]; then return 0; fi
  if may_be_had python3-picamera2; then stack=system; else stack=wheels; fi
}

# packages : installs the missing system packages, and the optional ones that are available.
packages() {
  local needed=("${needed_packages[@]}" util-linux passwd) optional=("${welcome_packages[@]}") wanted=() name
  if [ -n "$(find /var/lib/dpkg/updates -type f 2>/dev/null)" ] || [ -n "$(dpkg --audit)" ]; then
    say "Finishing an interrupted installation of system packages."
    DEBIAN_FRONTEND=noninteractive dpkg --configure -a --force-confold >>"$log" 2>&1 </dev/null || true
    apt_get -f install -y >>"$log" 2>&1 </dev/null
  fi
  if [ -n "$(packages_missing "${needed[@]}")" ]; then apt_get update >>"$log" 2>&1 </dev/null; fi
  choose_stack "$wished_stack"
  if [ "$stack" = system ]; then needed+=(python3-numpy python3-opencv); fi
  optional+=(python3-picamera2 python3-lgpio)
  for name in "${optional[@]}"; do
    if may_be_had "$name"; then wanted+=("$name"); else left_out+=("$name"); fi
  done
  mapfile -t wanted < <(packages_missing "${needed[@]}" "${wanted[@]}")
  [ "${#wanted[@]}" -gt 0 ] || return 0
  say "Installing system packages: ${wanted[*]}"
  apt_get install -y --no-install-recommends "${wanted[@]}" >>"$log" 2>&1 </dev/null
}

people() {
  local group
  for group in "${groups[@]}"; do
    getent group "$group" >/dev/null || groupadd --system "$group"
  done
  getent group "$user" >/dev/null || groupadd --system "$user"
  getent passwd "$user" >/dev/null ||
    useradd --system --gid "$user" --home-dir "$data" --no-create-home --shell /usr/sbin/nologin \
      --comment "Tapis Vert" "$user"
  for group in "${groups[@]}"; do
    [[ " $(id -nG "$user") " == *" $group "* ]] || usermod --append --groups "$group" "$user"
  done
}

# own FOLDER MODE OWNER : creates a folder with this mode and owner, or corrects an existing one.
own() {
  [ -d "$1" ] || mkdir -p "$1"
  [ "$(stat -Lc '%a %U:%G' "$1")" = "$2 $3" ] || { chown "$3" "$1" && chmod "$2" "$1"; }
}

# folders SOURCE : creates the folders of data and settings. Never touches an existing settings file.
folders() {
  own "$place" 755 root:root
  own "$data" 750 "$user:$user"
  own "$data/backups" 750 "$user:$user"
  # The app replaces its settings file by renaming a new one, so it needs write access to the folder.
  own "$settings" 2775 "root:$user"
  if [ ! -e "$settings/config.toml" ]; then
    install -m 664 -o "$user" -g "$user" "$1/deploy/config.toml" "$settings/.config.toml.new"
    mv -T "$settings/.config.toml.new" "$settings/config.toml"
  fi
}

# run_time_lock SOURCE : prints the lock of the packages an installed table needs, without those of the system.
run_time_lock() {
  local names=''
  if [ "$stack" = system ]; then names="${pi_system_python[*]}"; fi
  awk -v left="$names" '
    BEGIN { split(left, list, " "); for (i in list) left_out[list[i]] = 1 }
    NR == FNR { if ($1 !~ /^#/) wanted[$1] = 1; next }
    /^[a-z0-9]/ { split($1, part, "=="); take = (part[1] in wanted) && !(part[1] in left_out) }
    take' "$1/deploy/run-time.txt" "$1/requirements.lock"
}

# product SOURCE : prints a checksum for each file of the product. The Debian package has a wheel instead of the files.
product() {
  (
    cd -- "$1" || exit
    shopt -s nullglob
    find companion*/ vision*/ hardware*/ firmware*/ deploy/ wheels/tapis_vert-*.whl pyproject.tom[l] \
      -type f ! -path '*/__pycache__/*' ! -path '*.egg-info/*' -print0 | LC_ALL=C sort -z | xargs -0 sha256sum
  )
}

# name_version SOURCE : sets `version`, the name of the version's folder: version number and a hash of its inputs.
name_version() {
  local number made_of
  number=$(sed -n 's/^__version__ = "\(.*\)"$/\1/p' "$1/companion/__init__.py" 2>/dev/null) || true
  if [ -z "$number" ]; then number=$(basename "$(find "$1/wheels" -name 'tapis_vert-*.whl')" | cut -d- -f2); fi
  [ -n "$number" ] || { say "$1 is not a version of Tapis Vert."; return 1; }
  made_of=$({ "$python" --version; uname -m; echo "$stack"; run_time_lock "$1"; product "$1"; } | sha256sum)
  version=$number+${made_of:0:8}
}

# packages_of_others SOURCE : creates an environment with the locked packages. Its file `base` is a hash of their
# inputs. Most updates change no package: then the packages are copied from the current version, without network access.
packages_of_others() {
  local options=() old file
  old=$place/$(current_version)
  run_time_lock "$1" >"$scratch_lock"
  base=$({ "$python" --version; uname -m; echo "$stack"; cat "$scratch_lock"; } | sha256sum)
  if [ -e "$old/complete" ] && [ "$base" = "$(cat "$old/base" 2>/dev/null)" ]; then
    mkdir "$venv"
    cp -a "$old"/{bin,include,lib,pyvenv.cfg,base} "$venv/"
    if [ -L "$old/lib64" ]; then cp -a "$old/lib64" "$venv/"; fi
    for file in "$venv"/bin/* "$venv/pyvenv.cfg"; do
      if [ ! -L "$file" ] && [ -f "$file" ] && grep -qI '' "$file"; then sed -i "s#$old/#$venv/#g; s#$old\\b#$venv#g" "$file"; fi
    done
    return 0
  fi
  "$python" -m venv --system-site-packages "$venv" >>"$log" 2>&1
  if [ -d "$1/wheels" ]; then options=(--no-index --find-links "$1/wheels"); fi
  pip_install "$log" --ignore-installed --require-hashes --only-binary :all: "${options[@]}" -r "$scratch_lock"
  printf '%s\n' "$base" >"$venv/base"
}

# environment SOURCE : creates the version's folder beside the others. It is valid once its file `complete` exists.
environment() {
  venv=$place/$version
  local copy scratch_lock base
  if [ -e "$venv/complete" ]; then return 0; fi
  rm -rf "$venv"
  say "Installing version $version beside the present one."
  scratch_lock=$(mktemp)
  packages_of_others "$1"
  mv "$scratch_lock" "$venv/requirements.lock"
  if [ -d "$1/wheels" ]; then
    pip_install "$log" --force-reinstall --no-index "$(find "$1/wheels" -name 'tapis_vert-*.whl')"
  else
    copy=$(mktemp -d)
    (cd -- "$1" && cp -r companion vision hardware firmware pyproject.toml README.md LICENSE "$copy")
    find "$copy" -name __pycache__ -prune -exec rm -rf {} +
    pip_install "$log" --force-reinstall --no-build-isolation "$copy"
    rm -rf "$copy"
  fi
  if [ "$stack" = system ]; then
    # Prevents later pip runs in this environment from replacing the numpy that the camera stack is built for.
    "$venv/bin/python" -c 'import numpy; print("numpy==" + numpy.__version__)' >"$venv/constraints.txt"
    printf '[install]\nconstraint = %s\n' "$venv/constraints.txt" >"$venv/pip.conf"
  fi
  cp -r "$1/deploy" "$venv/deploy"
  rm -rf "$venv/deploy/package" "$venv/deploy/image"
  if [ -d "$1/docs" ]; then cp "$1"/docs/{INSTALL,CONFIG,HUB}.md "$venv/deploy/"; fi
  chmod -R u=rwX,go=rX "$venv"
  sync -f "$venv"  # all files must be on disk before the marker is
  : >"$venv/complete" && sync -f "$venv"
}

current_version() { basename "$(readlink "$place/current" 2>/dev/null)" 2>/dev/null; }

safe_copy=$data/backups/before-update.zip

# proven : backs up the data with the current version, then checks that the new version finds its parts and starts on a
# copy of the data.
proven() {
  if [ -e "$data/matches.sqlite" ] && [ -x "$place/current/bin/companion" ]; then
    say "Backing up the data."
    as_user "$place/current/bin/companion" backup "$safe_copy" >>"$log" 2>&1 || { say "The data could not be backed up. Details: $log"; return 1; }
  fi
  say "Trying version $version off screen."
  as_user "$venv/bin/companion" trial --seconds "$patience" >>"$log" 2>&1 || { say "The new version does not start. The present one stays. Details: $log"; return 1; }
}

# switch : makes the new version the current one. Keeps the previous version for a rollback and deletes older ones.
switch() {
  local before folder
  before=$(current_version)
  [ "$before" != "$version" ] || return 0
  if [ -n "$before" ]; then leads "$place/previous" "$before"; fi
  leads "$place/current" "$version"
  for folder in "$place"/*/; do
    folder=${folder%/}
    case ${folder##*/} in current | previous | "$version" | "$before") ;; *) rm -rf "$folder" ;; esac
  done
}

# start RESTART : reloads systemd, and starts the table, or restarts it if RESTART is `yes`. Fails if it does not start.
start() {
  command -v systemctl >/dev/null || return 0
  local restart=$1
  if systemd_runs; then
    [ "$(systemctl show -P NeedDaemonReload tapis-vert.service)" = no ] || restart=yes
    systemctl daemon-reload
    if command -v udevadm >/dev/null && udevadm control --reload; then udevadm trigger --subsystem-match={tty,gpio,dma_heap,backlight} --action=add; fi
  fi
  if [ ! -e "$place/enabled" ]; then  # enable only once: the user may disable it later
    if [ "$kiosk" = yes ]; then systemctl enable --quiet tapis-vert.service; fi
    systemctl enable --quiet tapis-vert-backup.timer
    : >"$place/enabled"
  fi
  systemd_runs || return 0
  if systemctl is-enabled --quiet tapis-vert-backup.timer; then systemctl start tapis-vert-backup.timer; fi
  # A running hub takes the new version too. One that the organiser stopped stays stopped.
  if [ "$restart" = yes ]; then systemctl try-restart tapis-vert-hub.service; fi
  systemctl is-enabled --quiet tapis-vert.service || return 0
  if [ "$restart" = yes ] || ! systemctl is-active --quiet tapis-vert.service; then
    systemctl reset-failed tapis-vert.service 2>/dev/null || true
    systemctl restart tapis-vert.service
  fi
}

# back : switches to the previous version. If it cannot read the newer data, restores the backup made before the update.
# The replaced data are moved aside.
back() {
  local failed
  failed=$(current_version)
  [ -x "$place/previous/bin/companion" ] || { say "There is no version before $failed."; return 1; }
  leads "$place/current" "$(readlink "$place/previous")"
  rm -f "$place/previous"
  say "Back from version $failed to $(current_version)."
  if [ -e "$safe_copy" ] && ! as_user "$place/current/bin/companion" trial --seconds "$patience" >>"$log" 2>&1; then
    say "Version $(current_version) cannot read the newer data. Restoring the backup made before the update."
    if systemd_runs; then systemctl stop tapis-vert.service; fi
    as_user "$place/current/bin/companion" restore "$safe_copy"
  fi
}
