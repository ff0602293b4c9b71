#!/usr/bin/env bash
# Tests the training: batches, losses, and a short run that is interrupted and resumed. Its packages (the extra `train`)
# are installed once in a separate environment, .venv-training.
set -euo pipefail
top=$(git -C "$(dirname -- "${BASH_SOURCE[0]}")" rev-parse --show-toplevel)
cd -- "$top"
python=.venv-training/bin/python

if ! "$python" -c 'import hypothesis, onnx, PIL, pytest, torch, vision' 2>/dev/null; then
  log=$(mktemp) && trap 'rm -f "$log"' EXIT
  rm -rf .venv-training
  if ! { .venv/bin/python -m venv .venv-training && "$python" -m pip install -q -e '.[train]' hypothesis pytest; } >"$log" 2>&1; then
    tail -n 20 "$log"
    printf 'training: cannot run: the packages of the extra "train" cannot be installed\n0 passed, 1 failed\n'
    exit 1
  fi
fi
exec "$python" -m tests.training "$@"
