#!/usr/bin/env bash
# Makes requirements.lock anew from pyproject.toml (needs uv): every package of every supported Python and processor,
# with the hashes of all its files. Arguments go to uv (for example --upgrade-package numpy).
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --extra dev \
  --generate-hashes --no-header --no-annotate --output-file requirements.lock "$@"
# The set-up checks system, processor and Python by itself; repeated on each line they only hide what the lock says.
sed -i -E "s/ ; [^\\]*platform_machine[^\\]*/ /" requirements.lock
