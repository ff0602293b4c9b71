"""A match at the table by touch alone: layout checks, an undone and corrected goal, a power cut."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def play(scenes: str, folder: Path, size: str = "800x480", language: str = "fr", text: int = 100):
    command = [sys.executable, "-m", "tests.screens.show", scenes, str(folder), size, language, "normal", str(text)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize(
    ("scenes", "size", "language"),
    [
        ("phases", "800x480", "fr"),
        pytest.param("asks,explained", "720x1280", "en", marks=pytest.mark.slow),
        pytest.param("doubts", "1280x720", "fr", marks=pytest.mark.slow),
        ("timeline", "800x480", "en"),
    ],
)
def test_every_screen_of_a_match_is_whole(tmp_path, scenes, size, language):
    played = play(scenes, tmp_path, size, language)
    assert (played.returncode, played.stdout) == (0, ""), played.stdout + played.stderr


@pytest.mark.parametrize("size", ["800x480", pytest.param("720x1280", marks=pytest.mark.slow)])
def test_the_points_of_a_duel_keep_to_their_box_in_the_largest_letters(tmp_path, size):
    played = play("occasion_facing", tmp_path, size, text=130)
    assert (played.returncode, played.stdout) == (0, ""), played.stdout + played.stderr


def test_taps_that_must_not_count_do_not(tmp_path):
    played = play("manners,late_touches,alike,half_entered", tmp_path)
    assert (played.returncode, played.stdout) == (0, ""), played.stdout + played.stderr


def test_a_goal_an_undo_a_correction_and_a_power_cut(tmp_path):
    first = play("goal", tmp_path)
    assert first.returncode == -signal.SIGKILL, first.stdout + first.stderr
    again = play("resume", tmp_path, "720x1280", "en")
    assert (again.returncode, again.stdout) == (0, ""), again.stdout + again.stderr
