"""The short form of every part; `./test fault` is the full one."""

from __future__ import annotations

import re
import subprocess
import sys
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from companion.clock import ManualClock
from companion.journal.store import Store
from tests.fault.parts import PARTS
from tests.fault.play import GAMES, Acknowledged, play_on
from tests.fault.verify import problems_of
from tests.tracked import ROOT

SEED = 7
TIMEOUT_S = 300.0
"""Seconds after which a part counts as hung. The longest takes 20 s on two free cores."""


@pytest.mark.parametrize("part", [name for name, part in PARTS.items() if part.short])
def test_the_short_form_passes(part: str) -> None:
    """In a process of its own: this one may have threads, whose locks a forked child would wait for."""
    command = [sys.executable, "-m", "tests.fault", "--short", "--seed", str(SEED), "--part", part]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=TIMEOUT_S)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert re.search(r"^[1-9]\d* passed, 0 failed", done.stdout, re.MULTILINE), done.stdout[-2000:]


def test_the_verification_sees_what_is_lost_changed_or_too_much(tmp_path: Path) -> None:
    path = tmp_path / "matches.db"
    with Store.open(path, ManualClock()) as store:
        acknowledged = list(islice(play_on(store, GAMES["counting"], Random(SEED)), 12))
    first, last = acknowledged[0], acknowledged[-1]
    lost = [*acknowledged, Acknowledged(first.match, 99, {"event": "swap"})]
    changed = [*acknowledged[:-1], Acknowledged(first.match, last.line, {"event": "other"})]
    assert problems_of(path, acknowledged, beyond=0) == []
    assert problems_of(path, lost) == ["lost: 1 acknowledged events are gone"]
    assert problems_of(path, changed) == [f"lost: line {last.line} of {first.match} is not what was acknowledged"]
    assert problems_of(path, acknowledged[:-2]) == ["doubled: 2 events more than acknowledged"]
