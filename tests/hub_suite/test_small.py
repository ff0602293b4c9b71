"""A small tournament with all faults; `./test hub` runs the long ones."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.hub_suite import __main__ as suite
from tests.hub_suite.__main__ import asked_for, trials
from tests.hub_suite.rounds import CROWD, ROUNDS, played
from tools.trials.chaos import FaultRates
from tools.trials.trial import TrialOptions

SMALL = TrialOptions(
    3,
    rounds=1,
    seed=3,
    fault_rates=FaultRates(hub_kill_interval_s=8, broker_kill_interval_s=6, restart_interval_s=20),
    repeats=10,
    hosts=1,
)


@pytest.mark.slow
def test_everything_at_once_loses_nothing_and_doubles_nothing(tmp_path: Path) -> None:
    setting = replace(SMALL, restores=0.5, copies=0.3)
    checks = list(played(setting, "sqlite", tmp_path))
    assert len(checks) > 1
    assert [check for check in checks if check.problems and "times" not in check.name] == []


@pytest.mark.parametrize(
    "game", ["nba", *(pytest.param(game, marks=pytest.mark.slow) for game in ("occasion", "hoops21"))]
)
def test_every_game_has_tournaments_to_their_end(game: str, tmp_path: Path) -> None:
    """Play a Swiss and a knock-out with a third-place match, where draws are impossible; `SMALL` plays the fourth game.

    An extra match starts if a correction changed who advances to an unfinished match.
    """
    setting = TrialOptions(3, game, rounds=1, seed=2, hosts=1)
    checks = list(played(setting, "sqlite", tmp_path))
    assert [check for check in checks if check.problems and "times" not in check.name] == []
    equal = [re.search(r"in (\d+) journals of 3 tables are equal byte for byte", check.name) for check in checks]
    assert [int(found[1]) >= 7 for found in equal if found] == [True]


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in ROUNDS if name != CROWD])
def test_each_trial_on_postgresql(name: str, tmp_path: Path) -> None:
    checks = list(played(ROUNDS[name](SMALL), "postgresql", tmp_path))
    assert [check for check in checks if check.problems and "times" not in check.name] == []


def test_a_trial_that_cannot_be_played_is_counted_as_failed(tmp_path: Path) -> None:
    asked = asked_for(["--tables", "2", "--game", "hoops21", "--database", "sqlite", "--trial", "chaos"])
    (tmp_path / "chaos-sqlite").mkdir()
    (tmp_path / "chaos-sqlite" / "hub").write_text("in the hub's way")
    with pytest.raises(FileExistsError):
        next(iter(trials(asked, tmp_path)))
    checks = list(played(replace(SMALL, tables=2), "sqlite", tmp_path / "chaos-sqlite"))
    assert [bool(check.problems) for check in checks] == [True]
    assert "does not start" in checks[0].problems[0]


def test_an_evening_without_a_browser_is_counted_as_skipped(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(suite, "lacking", lambda: "Chromium is not there")
    monkeypatch.setattr("sys.argv", ["hub", "--trial", "evening"])
    assert suite.main() == 0
    assert capsys.readouterr().out.splitlines() == [
        "evening: skipped: Chromium is not there",
        "0 passed, 0 failed, 1 skipped",
    ]
