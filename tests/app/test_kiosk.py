"""Scenarios beside the match, by touch: sound, PIN lock, dimming, keyboard, pinch, face to face."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.app.test_table_match import ROOT

HEARD = "spoken_match,explored_by_touch,secrets_are_not_told"
KEPT = "locked,rested"
TOUCHED = "veiled,typed,pinched,face_to_face"
SCREENS = "house_settings,house_diagnostic,house_saver,house_keys,house_facing,house_facing_games"


def play(scenes: str, folder: Path, size: str, language: str, contrast: str = "normal", text: str = "100"):
    folder.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "tests.screens.show", scenes, str(folder), size, language, contrast, text]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize(
    ("scenes", "size", "language"),
    [
        (f"{HEARD},{KEPT}", "800x480", "fr"),
        (TOUCHED, "800x480", "fr"),
        pytest.param(TOUCHED, "720x1280", "fr", marks=pytest.mark.slow),
        pytest.param(KEPT, "1280x720", "en", marks=pytest.mark.slow),
        pytest.param(SCREENS, "800x480", "en", marks=pytest.mark.slow),
        pytest.param(SCREENS, "720x1280", "fr", marks=pytest.mark.slow),
        pytest.param(SCREENS, "1280x720", "en", marks=pytest.mark.slow),
    ],
)
def test_the_house_has_manners(tmp_path, scenes, size, language):
    played = play(scenes, tmp_path, size, language)
    assert (played.returncode, played.stdout) == (0, ""), played.stdout + played.stderr


@pytest.mark.slow
@pytest.mark.parametrize(("contrast", "text"), [("dark", "130"), ("light", "115")])
def test_enlarged_and_strong_settings_are_whole(tmp_path, contrast, text):
    for size in ("800x480", "720x1280"):
        played = play(SCREENS, tmp_path / size, size, "fr", contrast, text)
        assert (played.returncode, played.stdout) == (0, ""), played.stdout + played.stderr
