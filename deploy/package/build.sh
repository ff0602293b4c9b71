#!/usr/bin/env bash
# Builds the Debian package of this checkout: deploy/package/build.sh [--arch ARCH] [--python 3.11] [--out FOLDER].
# It contains the product and all locked Python packages that a table needs, so it installs without network access.
# Each package is for one processor and one Python (3.11: Raspberry Pi OS 12, 3.13: 13). --keep FOLDER caches the
# downloads.
set -euo pipefail
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
source=$(readlink -f -- "$here/../..")
# shellcheck source=deploy/set-up.sh
. "$source/deploy/set-up.sh"
# shellcheck source=deploy/steps.sh
. "$source/deploy/steps.sh"

arch=$(dpkg --print-architecture) for_python=$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])') out=$PWD keep=''
while [ $# -gt 0 ]; do
  case $1 in
    --arch) arch=${2:?} ;;
    --python) for_python=${2:?} ;;
    --out) out=${2:?} ;;
    --keep) keep=${2:?} ;;
    *) sed -n '2,5s/^# //p' "${BASH_SOURCE[0]}" >&2 && exit 2 ;;
  esac
  shift 2
done
case $arch in
  arm64) machine=aarch64 ;;
  amd64) machine=x86_64 ;;
  *) say "There are no packages for $arch. Use arm64 or amd64." && exit 2 ;;
esac
number=$(sed -n 's/^__version__ = "\(.*\)"$/\1/p' "$source/companion/__init__.py")
scratch=$(mktemp -d -t tapis-vert-package.XXXXXX)
trap 'rm -rf "$scratch"' EXIT
tree=$scratch/tapis-vert library=$scratch/tapis-vert/usr/lib/tapis-vert documents=$scratch/tapis-vert/usr/share/doc/tapis-vert
log=$scratch/log venv=$scratch/venv stack=wheels python=python3
mkdir -p "$library/wheels" "$documents" "$tree/DEBIAN" "$out"

"$python" -m venv "$venv"
run_time_lock "$source" >"$library/requirements.lock"
wheels=${keep:-$scratch/wheels}/$({ echo "$arch $for_python" && cat "$library/requirements.lock"; } | sha256sum | cut -c1-16)
platforms=(--platform "linux_$machine" --platform "manylinux2014_$machine")
for glibc in $(seq 5 36); do platforms+=(--platform "manylinux_2_${glibc}_$machine"); done
if [ ! -e "$wheels/complete" ]; then
  say "Downloading the packages of the lock for $arch, Python $for_python."
  "$venv/bin/python" -m pip --disable-pip-version-check download --quiet --no-deps --require-hashes --only-binary :all: \
    "${platforms[@]}" --implementation cp --python-version "$for_python" \
    --abi "cp${for_python/./}" --abi abi3 --abi none --dest "$wheels" -r "$library/requirements.lock"
  : >"$wheels/complete"
fi
cp "$wheels"/*.whl "$library/wheels/"

say "Building version $number."
copy=$scratch/copy
mkdir "$copy"
(cd -- "$source" && cp -r companion vision hardware firmware pyproject.toml README.md LICENSE "$copy")
find "$copy" -name __pycache__ -prune -exec rm -rf {} +
pip_install "$log" --upgrade --no-index --find-links "$library/wheels" setuptools
"$venv/bin/python" -m pip --disable-pip-version-check wheel --quiet --no-deps --no-build-isolation --wheel-dir "$library/wheels" "$copy"

files "$source" "$tree" package
cp -r "$source/deploy" "$library/"
rm -rf "$library/deploy/package" "$library/deploy/image" "$library/deploy/lock.sh"
cp "$source"/docs/{INSTALL,CONFIG,HUB}.md "$source/SECURITY.md" "$documents/"
mkdir "$library/docs" && cp "$source"/docs/{INSTALL,CONFIG,HUB}.md "$library/docs/"  # postinst copies them
next=$(python3 -c 'import sys; a, b = sys.argv[1].split("."); print(f"{a}.{int(b) + 1}")' "$for_python")
sed -e "s/@VERSION@/$number/; s/@ARCH@/$arch/; s/@PYTHON@/$for_python/; s/@NEXT@/$next/" \
  -e "s/@DEPENDS@/$(IFS=,; echo "${needed_packages[*]}")/; s/@RECOMMENDS@/$(IFS=,; echo "${welcome_packages[*]}")/" \
  -e "s/@SIZE@/$(du -sk "$tree" | cut -f1)/" "$here/control" >"$tree/DEBIAN/control"
for script in postinst prerm postrm; do install -m 755 "$here/$script" "$tree/DEBIAN/$script"; done
cat "$here/copyright" "$source/LICENSE" >"$documents/copyright"
changed=$(git -C "$source" log -1 --format=%cd --date=rfc2822 2>/dev/null || date -R)
printf 'tapis-vert (%s) stable; urgency=medium\n\n  * See CHANGELOG.md of the product.\n\n -- %s  %s\n' \
  "$number" "$(sed -n 's/^Maintainer: //p' "$here/control")" "$changed" | gzip -9n >"$documents/changelog.gz"
chmod -R u=rwX,go=rX "$tree"
(cd "$tree" && find usr lib -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
package=$out/tapis-vert_${number}_$arch.deb
dpkg-deb --root-owner-group -Zgzip -z1 --build "$tree" "$package" >>"$log"
say "$package"
