"""The benchmark of the watcher, with an instant reader: its counts must match the true events."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

from tests.vision.doubles import certain
from tools.benchmarks.frames import frame_limits_met, measure_watch
from vision.pictures import Picture
from vision.roll import Roll, RollRequest, Status


class Blind:
    """A reader that never sees a die."""

    def read(self, picture: Picture, request: RollRequest | None = None) -> Roll:
        return Roll(Status.EMPTY)


class Sure:
    """A reader that is always certain of a new die with an impossible face."""

    def __init__(self) -> None:
        self.reads = 0

    def read(self, picture: Picture, request: RollRequest | None = None) -> Roll:
        self.reads += 1
        roll = (self.reads + 1) // 2
        return Roll(Status.OK, (certain(9 + roll, (60.0 + 150.0 * roll, 220.0, 44.0, 44.0)),))


def milliseconds() -> Iterator[float]:
    return (tick / 1000 for tick in count())


def test_a_reader_that_sees_nothing_has_no_latency() -> None:
    ticks, worked = milliseconds(), (2 * tick / 1000 for tick in count())
    measured = measure_watch(1, 1, Blind, lambda: next(ticks), lambda: next(worked))
    assert (measured["right"], measured["asked"], measured["wrong"], measured["unthrown"]) == (0, 0, 0, 0)
    assert measured["latency_ms"] is None
    assert measured["frame_ms"]["median"] == 1.0
    assert measured["frames_per_second"] == 1000.0
    assert frame_limits_met(measured) == {"frame_ms": True, "share_of_core": True}


def test_a_watching_that_takes_too_much_of_the_processor_misses_its_limit() -> None:
    ticks, worked = milliseconds(), (6 * tick / 1000 for tick in count())
    measured = measure_watch(1, 1, Blind, lambda: next(ticks), lambda: next(worked))
    assert measured["share_of_core"] == pytest.approx(0.18, abs=0.001)
    assert frame_limits_met(measured) == {"frame_ms": True, "share_of_core": False}


def test_a_reader_that_is_sure_of_nonsense_is_counted_as_wrong() -> None:
    ticks, worked = milliseconds(), milliseconds()
    measured = measure_watch(1, 1, Sure, lambda: next(ticks), lambda: next(worked))
    assert (measured["right"], measured["wrong"]) == (0, 1)
    assert measured["unthrown"] >= 1
    assert 130 <= measured["latency_ms"]["median"] <= 250
