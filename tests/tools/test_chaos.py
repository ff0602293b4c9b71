"""The fault schedule: repeatable for a seed, ordered, and with the requested amount of faults."""

from __future__ import annotations

from itertools import islice, takewhile

import pytest

from tools.trials.chaos import NO_FAULTS, FaultRates, InjectedFault, fault_schedule

HOURS = 4 * 3600.0


def within(seconds: float, seed: int, tables: int, weather: FaultRates) -> list[InjectedFault]:
    return list(takewhile(lambda trouble: trouble.at_s < seconds, fault_schedule(seed, tables, weather)))


def test_the_same_seed_gives_the_same_evening() -> None:
    one, same, other = (list(islice(fault_schedule(seed, 5, FaultRates()), 200)) for seed in (4, 4, 5))
    assert one == same
    assert one != other
    assert [trouble.at_s for trouble in one] == sorted(trouble.at_s for trouble in one)


def test_more_tables_change_nothing_for_the_others() -> None:
    few = within(300, 1, 2, FaultRates())
    many = within(300, 1, 8, FaultRates())
    assert few == [trouble for trouble in many if trouble.table in (None, 1, 2)]


@pytest.mark.parametrize("share", [0.05, 0.2, 0.5])
def test_a_table_is_away_for_the_share_that_was_asked_for(share: float) -> None:
    weather = FaultRates(offline_share=share, hub_kill_interval_s=0, broker_kill_interval_s=0, restart_interval_s=0)
    happened = within(HOURS, 2, 1, weather)
    cuts = [trouble.at_s for trouble in happened if trouble.kind == "cut"]
    mends = [trouble.at_s for trouble in happened if trouble.kind == "mend"]
    assert all(cut < mend for cut, mend in zip(cuts, mends, strict=False))
    offline = sum(mend - cut for cut, mend in zip(cuts, mends, strict=False))
    assert offline / HOURS == pytest.approx(share, rel=0.15)
    assert {trouble.silent for trouble in happened if trouble.kind == "cut"} == {True, False}


def test_hub_and_broker_die_as_often_as_asked() -> None:
    happened = within(
        HOURS,
        3,
        1,
        FaultRates(offline_share=0, hub_kill_interval_s=15, broker_kill_interval_s=30, restart_interval_s=60),
    )
    often = {what: sum(trouble.kind == what for trouble in happened) for what in ("kill_hub", "kill_broker", "restart")}
    assert often["kill_hub"] == pytest.approx(HOURS / 15, rel=0.15)
    assert often["kill_broker"] == pytest.approx(HOURS / 30, rel=0.15)
    assert often["restart"] == pytest.approx(HOURS / 60, rel=0.2)


def test_in_fair_weather_nothing_happens() -> None:
    assert next(fault_schedule(1, 64, NO_FAULTS), None) is None
