#!/usr/bin/env bash
# Runs inside a chroot: starts the installer and kills it with its child processes SECONDS after the start of step STEP.
# Fails if it does not reach that step. `interrupt.sh STEP SECONDS COMMAND...`
set -euo pipefail
step=$1 seconds=$2 said=$(mktemp)
shift 2
setsid "$@" >"$said" 2>&1 &
child=$!
while ! grep -q "step $step of" "$said"; do
  if ! kill -0 "$child" 2>/dev/null; then
    cat "$said"
    grep -q "step $step of" "$said" && break
    exit 1
  fi
  sleep 0.1
done
sleep "$seconds"
kill -9 -- "-$child" 2>/dev/null || true
wait "$child" 2>/dev/null || true
tail -n 3 "$said"
