"""The short form of every part; `./test fault` is the full one."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from random import Random

import pytest

from companion.clock import ManualClock
from companion.journal.store import Store
from tests.fault.checks import Impossible, scratch_folder
from tests.fault.parts import PARTS
from tests.fault.play import GAMES, Acknowledged, play_on
from tests.fault.verify import problems_of

SEED = 7


@pytest.mark.parametrize("part", [name for name, part in PARTS.items() if part.short])
def test_the_short_form_passes(part: str) -> None:
    failures, count = [], 0
    with scratch_folder() as folder:
        for _name, checks in PARTS[part].rounds(folder, PARTS[part].short, Random(SEED)):
            try:
                for check, problems in checks():
                    count += 1
                    failures += [f"{check}: {problem}" for problem in problems]
            except Impossible:
                continue
    assert count
    assert failures == []


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
