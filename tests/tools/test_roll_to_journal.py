"""The benchmark from rest to journal: measured steps, limits, and a real run."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tools.benchmarks.roll_to_journal import MotionLoggingTray, _MotionLog, limits_met, measure
from vision.cameras.simulated_tray import SimulatedTray


def test_the_tray_notes_when_its_dice_move_and_when_they_were_last_seen_moving(tmp_path: Path) -> None:
    tray, notes = SimulatedTray(3), tmp_path / "notes"
    notes.touch()
    noted = MotionLoggingTray(tray, notes, clock=lambda: tray.t)
    noted._sleep = lambda seconds: None
    noted.frame(0.0)
    tray.throw([("pips", 2, "white")])
    begun = tray.t
    while not tray.at_rest:
        noted.frame(0.0)
    moved, rested = (line.split() for line in notes.read_text().splitlines())
    assert (moved[0], float(moved[1])) == ("m", pytest.approx(begun + 1 / 30))
    assert (rested[0], float(rested[1])) == ("r", pytest.approx(tray.t - 1 / 30))


def test_the_reader_is_told_what_a_tray_would_feel_a_little_later(tmp_path: Path) -> None:
    reported: list[bool] = []
    notes = tmp_path / "notes"
    notes.write_text(f"m {time.monotonic() - 2.0!r}\n")
    feeler = _MotionLog(notes, reported.append)
    feeler.read_new()
    assert (reported, feeler.moved_at) == ([True], None)
    rested = time.monotonic() + 60.0
    with notes.open("a") as file:
        file.write(f"r {rested!r}\nm 1")
    feeler.read_new()
    assert (reported, feeler.moved_at) == ([True], rested), "not yet, and half a line is none"
    notes.write_text(notes.read_text().replace(repr(rested), repr(rested - 600.0)))
    early = _MotionLog(notes, reported.append)
    early.read_new()
    assert reported == [True, True, False]


def test_a_limit_is_kept_by_what_was_measured_only() -> None:
    found = {"picture_alone": {"ms": {"median": 240.0, "p99": 401.0}}, "with_the_tray": {"ms": None}}
    assert limits_met(found) == {
        "journal_picture_alone_median": True,
        "journal_picture_alone_p99": False,
        "journal_with_the_tray_median": False,
        "journal_with_the_tray_p99": False,
    }


@pytest.mark.slow
def test_throws_are_measured_from_rest_to_journal() -> None:
    found = measure(throws=2)
    for part in ("picture_alone", "with_the_tray"):
        assert found[part]["throws"] == 2
        assert found[part]["ms"]["median"] >= 100.0, "five frames, or three with the tray's word"
