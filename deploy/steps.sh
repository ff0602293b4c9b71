# shellcheck shell=bash
# The steps of which installer, update and Debian package are made. Each looks at what is there and does what is missing,
# so that any of them may be interrupted at any moment and begun again. Who sources it sources set-up.sh before, and sets
# `python`, `log`, `wished_stack` and `kiosk`.
# shellcheck disable=SC2034,SC2154

place=/opt/tapis-vert
data=/var/lib/tapis-vert
settings=/etc/tapis-vert
user=tapis-vert
# Screen, graphics, touch, tray, sound, pins.
groups=(video render input dialout audio gpio)
patience=120

# As the user to whom the matches belong, with the table's settings.
as_user() {
  env -i PATH="$PATH" LANG="${LANG:-C.UTF-8}" HOME="$data" TAPIS_VERT_CONFIG="$settings/config.toml" \
    setpriv --reuid="$user" --regid="$user" --init-groups -- "$@"
}

systemd_runs() { [ -d /run/systemd/system ]; }

# put FILE DESTINATION MODE : puts a file in its place, whole or not at all; leaves one alone that is as it should be.
put() {
  if cmp -s "$1" "$2" && [ "$(stat -c %a "$2")" = "$3" ]; then return 0; fi
  install -D -m "$3" "$1" "$2.new" && mv -fT "$2.new" "$2"
}

# leads LINK TARGET : the link leads there; at every moment to the old place or to the new one.
leads() {
  [ "$(readlink "$1" 2>/dev/null)" != "$2" ] || return 0
  mkdir -p "$(dirname "$1")"
  ln -sfn "$2" "$1.new" && mv -fT "$1.new" "$1" && sync -f "$(dirname "$1")"
}

# files SOURCE ROOT LAYOUT : command, units and device rules; LAYOUT is `local` or `package`.
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

# may_be_had PACKAGE : whether it is installed, or apt knows where to get it.
may_be_had() { [[ $(LC_ALL=C apt-cache policy "$1" 2>/dev/null) == *"Candidate: "[!\(]* ]]; }

# choose_stack WISH : sets `stack` to `system` (numpy and OpenCV of the system, for which its camera stack is built) or
# to `wheels`. WISH `auto` is the system's where the system has picamera2.
choose_stack() {
  stack=$1
  if [ "$stack" != auto ]; then return 0; fi
  if may_be_had python3-picamera2; then stack=system; else stack=wheels; fi
}

# packages : installs the system packages that are missing; optional ones where they exist.
packages() {
  local needed=("${needed_packages[@]}" util-linux passwd) optional=("${welcome_packages[@]}") wanted=() name
  if [ -n "$(find /var/lib/dpkg/updates -type f 2>/dev/null)" ] || [ -n "$(dpkg --audit)" ]; then
    say "finishing what a former installation of packages left"
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
  say "installing: ${wanted[*]}"
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

# own FOLDER MODE OWNER : a folder that is so; leaves alone what is.
own() {
  [ -d "$1" ] || mkdir -p "$1"
  [ "$(stat -Lc '%a %U:%G' "$1")" = "$2 $3" ] || { chown "$3" "$1" && chmod "$2" "$1"; }
}

# folders SOURCE : data and settings. A file of settings that is there is never touched.
folders() {
  own "$place" 755 root:root
  own "$data" 750 "$user:$user"
  own "$data/backups" 750 "$user:$user"
  # The app writes its settings by putting a new file in the old one's place, so the folder is its own.
  own "$settings" 2775 "root:$user"
  if [ ! -e "$settings/config.toml" ]; then
    install -m 664 -o "$user" -g "$user" "$1/deploy/config.toml" "$settings/.config.toml.new"
    mv -T "$settings/.config.toml.new" "$settings/config.toml"
  fi
}

# run_time_lock SOURCE : the lock's part for the running table, without what the system gives.
run_time_lock() {
  local names=''
  if [ "$stack" = system ]; then names="${pi_system_python[*]}"; fi
  awk -v left="$names" '
    BEGIN { split(left, list, " "); for (i in list) left_out[list[i]] = 1 }
    NR == FNR { if ($1 !~ /^#/) wanted[$1] = 1; next }
    /^[a-z0-9]/ { split($1, part, "=="); take = (part[1] in wanted) && !(part[1] in left_out) }
    take' "$1/deploy/run-time.txt" "$1/requirements.lock"
}

# product SOURCE : prints what the product's own files come to, one line a file. A package brings a wheel instead of them.
product() {
  (
    cd -- "$1" || exit
    shopt -s nullglob
    find companion*/ vision*/ hardware*/ firmware*/ deploy/ wheels/tapis_vert-*.whl pyproject.tom[l] \
      -type f ! -path '*/__pycache__/*' ! -path '*.egg-info/*' -print0 | LC_ALL=C sort -z | xargs -0 sha256sum
  )
}

# name_version SOURCE : sets `version` to the folder's name: the product's version and what it is made of.
name_version() {
  local number made_of
  number=$(sed -n 's/^__version__ = "\(.*\)"$/\1/p' "$1/companion/__init__.py" 2>/dev/null) || true
  if [ -z "$number" ]; then number=$(basename "$(find "$1/wheels" -name 'tapis_vert-*.whl')" | cut -d- -f2); fi
  [ -n "$number" ] || { say "$1 holds no version of Tapis Vert"; return 1; }
  made_of=$({ "$python" --version; uname -m; echo "$stack"; run_time_lock "$1"; product "$1"; } | sha256sum)
  version=$number+${made_of:0:8}
}

# packages_of_others SOURCE : an environment with the packages of the lock, for which `base` tells what it is made of. Most
# updates change none of them: then they are taken over from the version that runs, without a network.
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

# environment SOURCE : makes the version's folder beside the others. It counts once its mark `complete` is there.
environment() {
  venv=$place/$version
  local copy scratch_lock base
  if [ -e "$venv/complete" ]; then return 0; fi
  rm -rf "$venv"
  say "making version $version"
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
    # Whoever installs something into this environment later does not replace what the camera stack is built for.
    "$venv/bin/python" -c 'import numpy; print("numpy==" + numpy.__version__)' >"$venv/constraints.txt"
    printf '[install]\nconstraint = %s\n' "$venv/constraints.txt" >"$venv/pip.conf"
  fi
  cp -r "$1/deploy" "$venv/deploy"
  rm -rf "$venv/deploy/package" "$venv/deploy/image"
  if [ -d "$1/docs" ]; then cp "$1"/docs/{INSTALL,CONFIG}.md "$venv/deploy/"; fi
  chmod -R u=rwX,go=rX "$venv"
  sync -f "$venv"  # the mark must not reach the disk before what it vouches for
  : >"$venv/complete" && sync -f "$venv"
}

current_version() { basename "$(readlink "$place/current" 2>/dev/null)" 2>/dev/null; }

safe_copy=$data/backups/before-update.zip

# proven : the new version finds its parts and comes up on a copy of the data. Before that the data are backed up by the
# version that wrote them.
proven() {
  if [ -e "$data/matches.sqlite" ] && [ -x "$place/current/bin/companion" ]; then
    say "backing the data up"
    as_user "$place/current/bin/companion" backup "$safe_copy" >>"$log" 2>&1 || { say "the data could not be backed up; see $log"; return 1; }
  fi
  say "trying version $version off screen"
  as_user "$venv/bin/companion" trial --seconds "$patience" >>"$log" 2>&1 || { say "the new version does not come up; see $log"; return 1; }
}

# switch : the version becomes the one that runs; the one before stays for a rollback, older ones go.
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

# start : lets systemd know, and starts or restarts the table if that is wished. Fails if it does not come up.
start() {
  command -v systemctl >/dev/null || return 0
  local restart=$1
  if systemd_runs; then
    [ "$(systemctl show -P NeedDaemonReload tapis-vert.service)" = no ] || restart=yes
    systemctl daemon-reload
    if udevadm control --reload; then udevadm trigger --subsystem-match={tty,gpio,dma_heap,backlight} --action=add; fi
  fi
  if [ ! -e "$place/enabled" ]; then  # once: whoever disables it later means it
    if [ "$kiosk" = yes ]; then systemctl enable --quiet tapis-vert.service; fi
    systemctl enable --quiet tapis-vert-backup.timer
    : >"$place/enabled"
  fi
  systemd_runs || return 0
  if systemctl is-enabled --quiet tapis-vert-backup.timer; then systemctl start tapis-vert-backup.timer; fi
  systemctl is-enabled --quiet tapis-vert.service || return 0
  if [ "$restart" = yes ] || ! systemctl is-active --quiet tapis-vert.service; then
    systemctl reset-failed tapis-vert.service 2>/dev/null || true
    systemctl restart tapis-vert.service
  fi
}

# back : the version before runs again. If it cannot read what the newer one left, the backup made before the switch is
# taken back; what it replaces is kept aside.
back() {
  local failed
  failed=$(current_version)
  [ -x "$place/previous/bin/companion" ] || { say "there is no version before $failed to go back to"; return 1; }
  leads "$place/current" "$(readlink "$place/previous")"
  rm -f "$place/previous"
  say "back from $failed to $(current_version)"
  if [ -e "$safe_copy" ] && ! as_user "$place/current/bin/companion" trial --seconds "$patience" >>"$log" 2>&1; then
    say "it cannot read the newer data: taking back the backup made before the update"
    if systemd_runs; then systemctl stop tapis-vert.service; fi
    as_user "$place/current/bin/companion" restore "$safe_copy"
  fi
}
