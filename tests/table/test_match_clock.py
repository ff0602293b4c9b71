"""The match clock counts play only, on a monotonic clock, announces each end once, and survives a power cut."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.clock import ManualClock
from companion.table.match_clock import ClockFile, ElapsedTimes, MatchClock
from companion.tournament.clock import CLOCK, NO_LIMITS, TimeLimits, time_limits
from vision.files import take_damaged_files

STRICT = TimeLimits("strict", match_minutes=1, turn_seconds=20)


def test_only_time_in_play_counts() -> None:
    time = ManualClock()
    clock = MatchClock(STRICT, time.monotonic)
    time.advance(30)
    assert (clock.left("match"), clock.left("turn")) == (60, 20)
    clock.follow("1")
    time.advance(8)
    clock.pause(True)
    time.advance(100)
    assert (clock.left("match"), clock.left("turn")) == (52, 12)
    clock.pause(False)
    time.advance(2)
    clock.follow(None)
    time.advance(100)
    assert (clock.left("match"), clock.left("turn")) == (50, 10)


def test_a_new_turn_has_its_whole_time() -> None:
    time = ManualClock()
    clock = MatchClock(STRICT, time.monotonic)
    clock.follow("1")
    time.advance(15)
    clock.follow("1")
    assert clock.left("turn") == 5
    clock.follow("2")
    assert (clock.left("match"), clock.left("turn")) == (45, 20)


def test_each_end_is_told_once_and_that_of_a_turn_in_every_turn() -> None:
    time = ManualClock()
    clock = MatchClock(STRICT, time.monotonic)
    clock.follow("1")
    assert clock.new_ends() == ()
    time.advance(20)
    assert clock.new_ends() == ("turn",)
    assert clock.new_ends() == ()
    clock.follow("2")
    time.advance(41)
    assert clock.new_ends() == ("match", "turn")
    assert clock.new_ends() == ()
    assert clock.left("match") == -1


def test_a_clock_without_a_limit_has_no_time_left_for_it() -> None:
    clock = MatchClock(TimeLimits("quiet", match_minutes=5), ManualClock().monotonic)
    assert clock.left("turn") is None
    assert clock.left("match") == 300


def test_the_wall_clock_does_not_move_the_times() -> None:
    time = ManualClock()
    clock = MatchClock(STRICT, time.monotonic)
    clock.follow("1")
    time.set(time.now().replace(year=2036))
    assert clock.left("match") == 60


def test_after_a_power_cut_the_times_go_on_where_they_were(tmp_path: Path) -> None:
    time = ManualClock()
    clock = MatchClock(STRICT, time.monotonic)
    clock.follow("1")
    time.advance(25)
    assert clock.new_ends() == ("turn",)
    ClockFile(tmp_path).save("m1", clock.elapsed)
    later = ManualClock(monotonic=9000.0)
    again = MatchClock(STRICT, later.monotonic, ClockFile(tmp_path).load("m1"))
    again.follow("1")
    later.advance(5)
    assert (again.left("match"), again.left("turn")) == (30, -10)
    assert again.new_ends() == ()
    assert ClockFile(tmp_path).load("m2") is None


def test_a_stopped_clock_stays_stopped_after_a_power_cut(tmp_path: Path) -> None:
    ClockFile(tmp_path).save("m1", ElapsedTimes(3.0, 2.0, "1", paused=True))
    again = MatchClock(STRICT, ManualClock().monotonic, ClockFile(tmp_path).load("m1"))
    assert again.is_paused


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "[]",
        '{"match": "m1"}',
        '{"match": "m1", "match_s": -1, "turn_s": 0, "turn": "", "paused": false}',
        '{"match": "m1", "match_s": NaN, "turn_s": 0, "turn": "", "paused": false}',
        '{"match": "m1", "match_s": 1, "turn_s": 0, "turn": 5, "paused": false}',
    ],
)
def test_a_damaged_file_is_set_aside_and_the_clock_starts_anew(tmp_path: Path, content: str) -> None:
    (tmp_path / "clock.json").write_text(content)
    assert ClockFile(tmp_path).load("m1") is None
    (damaged,) = take_damaged_files()
    assert damaged.moved_to == tmp_path / "clock.json.damaged"


def test_the_limits_of_a_header_are_read_back() -> None:
    assert time_limits({CLOCK: STRICT.fields()}) == STRICT
    assert time_limits({}) == NO_LIMITS
    assert not TimeLimits("off", 60, 30).is_active
    assert not TimeLimits("strict").is_active


@pytest.mark.parametrize(
    "found", [5, {"mode": "loud"}, {"mode": "quiet", "match_minutes": True}, {"mode": "quiet", "turn_seconds": 9999}]
)
def test_unreadable_limits_are_none(found: object) -> None:
    assert time_limits({CLOCK: found}) == NO_LIMITS
