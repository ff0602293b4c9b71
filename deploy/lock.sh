#!/usr/bin/env bash
# Regenerates the lock files from pyproject.toml (needs uv). Arguments are passed to uv, e.g. --upgrade-package numpy.
# - requirements.lock: the packages for every supported Python and processor, with the hashes of all their files.
# - deploy/run-time.txt: the names of those that an installed table needs, without the test tools.
# - tests/suites/web.lock: the large packages that only `./test hub` needs, compatible with requirements.lock.
# - tests/suites/docs.lock: the packages of the documentation site, independent of the product's.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
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
