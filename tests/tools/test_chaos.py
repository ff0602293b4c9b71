"""The schedule of what goes wrong: the same for a seed, in order, and as bad as it was asked to be."""

from __future__ import annotations

from itertools import islice, takewhile

import pytest

from tools.trials.chaos import FAIR, Trouble, Weather, troubles

HOURS = 4 * 3600.0


def within(seconds: float, seed: int, tables: int, weather: Weather) -> list[Trouble]:
    return list(takewhile(lambda trouble: trouble.at < seconds, troubles(seed, tables, weather)))


def test_the_same_seed_gives_the_same_evening() -> None:
    one, same, other = (list(islice(troubles(seed, 5, Weather()), 200)) for seed in (4, 4, 5))
    assert one == same
    assert one != other
    assert [trouble.at for trouble in one] == sorted(trouble.at for trouble in one)


def test_more_tables_change_nothing_for_the_others() -> None:
    few = within(300, 1, 2, Weather())
    many = within(300, 1, 8, Weather())
    assert few == [trouble for trouble in many if trouble.table in (None, 1, 2)]


@pytest.mark.parametrize("share", [0.05, 0.2, 0.5])
def test_a_table_is_away_for_the_share_that_was_asked_for(share: float) -> None:
    weather = Weather(offline=share, hub_dies=0, broker_dies=0, restarts=0)
    happened = within(HOURS, 2, 1, weather)
    cuts = [trouble.at for trouble in happened if trouble.what == "cut"]
    mends = [trouble.at for trouble in happened if trouble.what == "mend"]
    assert all(cut < mend for cut, mend in zip(cuts, mends, strict=False))
    away = sum(mend - cut for cut, mend in zip(cuts, mends, strict=False))
    assert away / HOURS == pytest.approx(share, rel=0.15)
    assert {trouble.silent for trouble in happened if trouble.what == "cut"} == {True, False}


def test_hub_and_broker_die_as_often_as_asked() -> None:
    happened = within(HOURS, 3, 1, Weather(offline=0, hub_dies=15, broker_dies=30, restarts=60))
    often = {what: sum(trouble.what == what for trouble in happened) for what in ("kill_hub", "kill_broker", "restart")}
    assert often["kill_hub"] == pytest.approx(HOURS / 15, rel=0.15)
    assert often["kill_broker"] == pytest.approx(HOURS / 30, rel=0.15)
    assert often["restart"] == pytest.approx(HOURS / 60, rel=0.2)


def test_in_fair_weather_nothing_happens() -> None:
    assert next(troubles(1, 64, FAIR), None) is None
