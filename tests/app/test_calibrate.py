"""Screen 15 by touch: calibration of a simulated camera, with a dragged corner, a card, a test die, and saving."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from random import Random

import pytest

from companion.app.screens.calibration import CalibrationSession
from companion.commands.simulated_table import SimulatedTable
from companion.games.base import Message
from companion.table.dice import MAX_CALIBRATION_AGE_DAYS, age_in_days, health_message
from tests.app.test_table_match import ROOT
from vision.calibration_messages import Aspect, CalibrationStatus, CalibrationStep, TrayHealth
from vision.watching.worker import InlineReader, TrayCommand

TODAY = date(2026, 3, 14)


def play(scenes: str, folder: Path, *display_options: str) -> subprocess.CompletedProcess[str]:
    """Play scenes in a window of their own."""
    command = [sys.executable, "-m", "tests.screens.show", scenes, str(folder), *display_options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=900)


@pytest.mark.parametrize(
    ("scenes", "display_options"),
    [
        ("calibrate-blind,calibrate", ("800x480", "fr", "normal", "100")),
        pytest.param("calibrate-drift", ("800x480", "fr", "normal", "100"), marks=pytest.mark.slow),
        pytest.param("calibrate-blind,calibrate", ("800x480", "en", "dark", "130"), marks=pytest.mark.slow),
        pytest.param("calibrate", ("720x1280", "fr", "normal", "130"), marks=pytest.mark.slow),
        pytest.param("calibrate", ("1280x720", "en", "light", "115"), marks=pytest.mark.slow),
    ],
)
def test_the_camera_is_set_up_by_touch(tmp_path: Path, scenes: str, display_options: tuple[str, ...]) -> None:
    played = play(scenes, tmp_path, *display_options)
    assert (played.returncode, played.stdout) == (0, ""), played.stdout + played.stderr


def test_a_camera_that_comes_back_is_looked_at_anew(tmp_path: Path) -> None:
    """The simulated camera fails for a while; the earlier result may no longer be valid."""
    table = SimulatedTable("pips", Random(5), calibration=tmp_path / "calibration.json", run=InlineReader)
    bench = CalibrationSession(table)
    bench.start_step(CalibrationStep.CORNERS, ((30.0, 30.0), (600.0, 30.0), (600.0, 440.0), (30.0, 440.0)))
    _until(bench, lambda: bench.corners_known)
    table._reader.command(TrayCommand("lose", (4.0,)))
    _until(bench, lambda: bench.lost)
    _until(bench, lambda: not bench.lost)
    assert bench.step is CalibrationStep.PICTURE
    assert bench.done == {}
    _until(bench, lambda: CalibrationStep.PICTURE in bench.done)
    bench.close()


def _until(bench: CalibrationSession, true: Callable[[], bool]) -> None:
    for _ in range(2000):
        if true():
            return
        bench.poll()
    raise AssertionError("it never came")


def test_players_are_told_how_their_tray_is() -> None:
    good = TrayHealth(CalibrationStatus.GOOD, 96, None, "2026-03-01T18:00:00+01:00")
    assert health_message(good, True, TODAY) == Message("calibration.health", {"figure": 96})
    dark = TrayHealth(CalibrationStatus.GOOD, 61, Aspect.BRIGHT, good.made)
    mend = {"figure": 61, "mend": Message("calibration.mend.bright")}
    assert health_message(dark, False, TODAY) == Message("calibration.health_mend", mend)
    moved = TrayHealth(CalibrationStatus.GOOD, 61, Aspect.SEEN, good.made, drifted=True)
    assert health_message(moved, False, TODAY) == Message("calibration.drifted.seen")


@pytest.mark.parametrize("fit", [CalibrationStatus.NONE, CalibrationStatus.FOREIGN, CalibrationStatus.DAMAGED])
def test_a_calibration_that_is_not_used_is_told_where_there_is_a_camera(fit: CalibrationStatus) -> None:
    assert health_message(TrayHealth(fit), False, TODAY) == Message(f"calibration.fit.{fit}")
    assert health_message(TrayHealth(fit), True, TODAY) is None


def test_an_old_calibration_is_told() -> None:
    old = TrayHealth(CalibrationStatus.GOOD, 96, None, "2025-08-01T18:00:00+01:00")
    days = age_in_days(old.made, TODAY)
    assert days is not None
    assert days > MAX_CALIBRATION_AGE_DAYS
    assert health_message(old, False, TODAY) == Message("calibration.old", {"n": days})
    assert age_in_days("", TODAY) is None
