"""A short run of every fault; `./test fault` is the long one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from tests.fault import rounds
from tests.fault.play import GAMES, Acknowledged, play_on
from tests.fault.rounds import Check
from tests.fault.verify import problems_of


def failures(checks: list[Check]) -> list[Check]:
    return [check for check in checks if check[1]]


def test_kills(tmp_path: Path) -> None:
    checks = list(rounds.kills(tmp_path, 8, Random(7)))
    assert len(checks) == 8
    assert failures(checks) == []


def test_power_cuts(tmp_path: Path) -> None:
    checks = list(rounds.power_cuts(tmp_path, 25, Random(7)))
    assert len(checks) == 25
    assert failures(checks) == []


def test_torn_logs(tmp_path: Path) -> None:
    checks = list(rounds.torn_logs(tmp_path, 4, Random(7)))
    assert len(checks) == 4
    assert failures(checks) == []


@pytest.mark.parametrize("fault", [rounds.limited_file, rounds.read_only])
def test_no_room_and_no_right(tmp_path: Path, fault: Callable[[Path, Random], Iterator[Check]]) -> None:
    checks = list(fault(tmp_path, Random(7)))
    assert checks
    assert failures(checks) == []


def test_the_verification_sees_what_is_lost_changed_or_too_much(tmp_path: Path) -> None:
    path = tmp_path / "matches.db"
    with rounds.Store.open(path, rounds.ManualClock()) as store:
        play = play_on(store, GAMES["counting"], Random(7))
        acknowledged = [next(play) for _ in range(12)]
    first = acknowledged[0]
    lost = [*acknowledged, Acknowledged(first.match, 99, {"event": "swap"})]
    changed = [*acknowledged[:-1], Acknowledged(first.match, acknowledged[-1].line, {"event": "other"})]
    assert problems_of(path, acknowledged, beyond=0) == []
    assert problems_of(path, lost) == ["1 acknowledged events are gone"]
    assert problems_of(path, changed) == [f"line {acknowledged[-1].line} of {first.match} is not what was acknowledged"]
    assert problems_of(path, acknowledged[:-2]) == ["2 events more than acknowledged"]
