#!/usr/bin/env bash
# Makes requirements.lock anew from pyproject.toml (needs uv): every package of every supported Python and processor,
# with the hashes of all its files. Arguments go to uv (for example --upgrade-package numpy). Beside it the names of those
# that an installed table needs (deploy/run-time.txt): no tools of the tests. What only `./test hub` asks for is large and
# stands in a lock of its own (tests/suites/web.lock), fitting the other. The documentation site (tests/suites/docs.lock)
# needs nothing of the product: its lock stands alone.
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
# The set-up checks system, processor and Python by itself; repeated on each line they only hide what the lock says.
sed -i -E "s/ ; [^\\]*platform_machine[^\\]*/ /" requirements.lock tests/suites/web.lock tests/suites/docs.lock
{
  echo "# The packages of requirements.lock that an installed table needs; written by deploy/lock.sh."
  echo "setuptools>=77" | uv pip compile pyproject.toml - --quiet --universal --python-version 3.11 --extra pi --extra hub \
    --constraints requirements.lock --no-header --no-annotate | sed -n 's/^\([a-z0-9-]*\)==.*/\1/p'
} >deploy/run-time.txt
