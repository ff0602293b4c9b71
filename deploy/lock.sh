#!/usr/bin/env bash
# Regenerates the lock files from pyproject.toml (needs uv). Arguments are passed to uv, e.g. --upgrade-package numpy.
# - requirements.lock: the packages for every supported Python and processor, with the hashes of all their files.
# - deploy/run-time.txt: the names of those that an installed table needs, without the test tools.
# - tests/suites/web.lock: the large packages that only `./test hub` needs, compatible with requirements.lock.
# - tests/suites/docs.lock: the packages of the documentation site, independent of the product's.
# - deploy/bom.cdx.json: the bill of materials of an installed table (CycloneDX), with the licences of its packages.
# At the end it looks up known vulnerabilities of these packages, if the network allows.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
# shellcheck source=deploy/set-up.sh
. deploy/set-up.sh
# shellcheck source=deploy/steps.sh
. deploy/steps.sh
uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --extra dev \
  --generate-hashes --no-header --no-annotate --output-file requirements.lock "$@"
uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --extra dev --extra web \
  --constraints requirements.lock --generate-hashes --no-header --no-annotate |
  awk 'NR == FNR { if (/^[a-z0-9]/) there[$1] = 1; next } /^[a-z0-9]/ { skip = $1 in there } !skip' \
    requirements.lock - >tests/suites/web.lock
python3 -c 'import tomllib
print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["docs"], sep="\n")' |
  uv pip compile - --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
    --output-file tests/suites/docs.lock
# The set-up script checks system, processor and Python. Repeated on every line they make the lock hard to read.
sed -i -E "s/ ; [^\\]*platform_machine[^\\]*/ /" requirements.lock tests/suites/web.lock tests/suites/docs.lock
{
  echo "# The packages of requirements.lock that an installed table needs; written by deploy/lock.sh."
  echo "setuptools>=77" | uv pip compile pyproject.toml - --quiet --universal --python-version 3.11 --extra pi --extra hub \
    --constraints requirements.lock --no-header --no-annotate | sed -n 's/^\([a-z0-9-]*\)==.*/\1/p'
} >deploy/run-time.txt

# Licences are stated in the packages themselves, so the packages of a table are installed once, in a scratch folder.
scratch=$(mktemp -d -t tapis-vert-lock.XXXXXX)
trap 'rm -rf "$scratch"' EXIT
stack=wheels run_time_lock . >"$scratch/requirements.lock"
uv venv --quiet --no-project --python ">=3.11,<3.14" "$scratch/environment"
uv pip install --quiet --no-config --python "$scratch/environment" --no-deps --require-hashes --only-binary :all: \
  --requirements "$scratch/requirements.lock"
"$scratch/environment/bin/python" -m tools.bill_of_materials
"$scratch/environment/bin/python" -m tests.suites.audit || say "Some packages have known vulnerabilities. They are listed above."
