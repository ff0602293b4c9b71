"""Tests of the injected clocks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from companion.clock import Clock, ManualClock, SystemClock


def test_the_systems_time_has_its_zone_and_runs_forward() -> None:
    clock: Clock = SystemClock()
    assert clock.now().tzinfo is not None
    assert clock.monotonic() <= clock.monotonic()


def test_a_hand_clock_moves_only_when_told() -> None:
    start = datetime(2026, 5, 1, 21, 0, tzinfo=UTC)
    clock = ManualClock(start, monotonic=5.0)
    assert (clock.now(), clock.monotonic()) == (start, 5.0)
    clock.advance(1.5)
    assert (clock.now(), clock.monotonic()) == (start + timedelta(seconds=1.5), 6.5)
    clock.set(start)
    assert (clock.now(), clock.monotonic()) == (start, 6.5)


def test_a_hand_clock_refuses_what_no_clock_does() -> None:
    clock = ManualClock()
    with pytest.raises(ValueError, match="backwards"):
        clock.advance(-1)
    with pytest.raises(ValueError, match="zone"):
        clock.set(datetime(2026, 1, 1))
    with pytest.raises(ValueError, match="zone"):
        ManualClock(datetime(2026, 1, 1))
