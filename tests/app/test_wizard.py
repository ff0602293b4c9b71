"""The setup assistant and the table settings by touch: answered, skipped, resumed, locked, without hardware."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.app.test_kiosk import play
from tests.app.test_table_match import ROOT

ANSWERED = "first_steps,table_settings"
LEFT = "first_steps_left,first_steps_cameras,first_steps_absent,first_steps_locked"
CORNERS = f"{LEFT},table_settings_panel,table_settings_blocked"


@pytest.mark.parametrize(
    ("scenes", "size", "language"),
    [
        (ANSWERED, "800x480", "fr"),
        pytest.param(CORNERS, "800x480", "fr", marks=pytest.mark.slow),
        pytest.param(f"{ANSWERED},{CORNERS}", "720x1280", "en", marks=pytest.mark.slow),
        pytest.param(f"{ANSWERED},{CORNERS}", "1280x720", "en", marks=pytest.mark.slow),
    ],
)
def test_a_table_is_set_up_by_touch(tmp_path, scenes, size, language):
    played = play(scenes, tmp_path, size, language)
    assert (played.returncode, played.stdout) == (0, ""), played.stdout + played.stderr


@pytest.mark.slow
@pytest.mark.parametrize(("size", "contrast"), [("800x480", "dark"), ("720x1280", "light")])
def test_the_first_steps_are_whole_with_large_letters(tmp_path, size, contrast):
    played = play(ANSWERED, tmp_path, size, "fr", contrast, "130")
    assert (played.returncode, played.stdout) == (0, ""), played.stdout + played.stderr


def start(folder, taps: int, end: str) -> tuple[int, list[str]]:
    """Start the app in a folder; return its exit status and the steps shown."""
    command = [sys.executable, "-m", "tests.app.first_start", str(folder), str(taps), end]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout.split()


@pytest.mark.slow
def test_questions_cut_by_a_power_loss_go_on_there_and_come_no_more_once_left(tmp_path):
    assert start(tmp_path, 3, "cut") == (9, ["language", "camera"])
    assert start(tmp_path, 1, "cut") == (9, ["camera", "devices"])
    assert start(tmp_path, 0, "later") == (0, ["devices", "devices", "home"])
    assert start(tmp_path, 0, "close") == (0, ["home", "home"])
