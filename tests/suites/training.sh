#!/usr/bin/env bash
# Tests the training: batches, losses, and a short run that is interrupted and resumed. Its packages (the extras `train`
# and `dev`) are installed once in a separate environment, .venv-training.
set -euo pipefail
top=$(git -C "$(dirname -- "${BASH_SOURCE[0]}")" rev-parse --show-toplevel)
cd -- "$top"
python=.venv-training/bin/python

if ! "$python" -c 'import onnx, PIL, pytest_asyncio, torch, vision' 2>/dev/null; then
  log=$(mktemp) && trap 'rm -f "$log"' EXIT
  rm -rf .venv-training
  if ! { .venv/bin/python -m venv .venv-training && "$python" -m pip install -q -e '.[train,dev]'; } >"$log" 2>&1; then
    tail -n 20 "$log"
    printf 'training: cannot run: the packages of the extras "train" and "dev" cannot be installed\n0 passed, 1 failed\n'
    exit 1
  fi
fi
exec "$python" -m tests.training "$@"
