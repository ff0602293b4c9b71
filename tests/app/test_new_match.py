"""From home to a match ready for kick-off, by touch at every size, with a power cut in between."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def play(scene: str, folder: Path, size: str, language: str, contrast: str = "normal", text: str = "100"):
    command = [sys.executable, "-m", "tests.app.evening", scene, str(folder), size, language, contrast, text]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize(
    ("scene", "size", "language", "contrast", "text"),
    [
        ("prepare", "800x480", "fr", "normal", "100"),
        ("prepare", "720x1280", "en", "normal", "115"),
        ("wander", "1280x720", "en", "dark", "130"),
        ("wander", "720x1280", "fr", "light", "130"),
    ],
)
def test_every_screen_of_a_new_match_is_whole(tmp_path, scene, size, language, contrast, text):
    played = play(scene, tmp_path, size, language, contrast, text)
    assert (played.returncode, played.stdout) == (0, ""), played.stdout + played.stderr


@pytest.mark.parametrize(("size", "language"), [("800x480", "fr"), ("720x1280", "en")])
def test_rows_lead_to_what_comes_first_and_nothing_is_lost(tmp_path, size, language):
    played = play("rows", tmp_path, size, language)
    assert (played.returncode, played.stdout) == (0, ""), played.stdout + played.stderr


def test_players_are_changed_in_the_same_editor(tmp_path):
    played = play("change", tmp_path, "800x480", "fr")
    assert (played.returncode, played.stdout) == (0, ""), played.stdout + played.stderr


def test_a_power_cut_while_preparing_loses_nothing(tmp_path):
    assert play("die", tmp_path, "800x480", "fr").returncode == -signal.SIGKILL
    again = play("again", tmp_path, "800x480", "en")
    assert (again.returncode, again.stdout) == (0, ""), again.stdout + again.stderr
