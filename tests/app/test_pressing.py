"""Panel and tray next to the running app: presses at the table, under sheets, during a question; device loss."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.test_kiosk import play

PLAYED = "buttons_pressed,buttons_over_sheets,buttons_questioned"
CONNECTED = "buttons_referee,buttons_unplugged,buttons_tried"


@pytest.mark.parametrize(
    ("scenes", "size", "language", "contrast", "text"),
    [
        (f"{PLAYED},{CONNECTED}", "800x480", "fr", "normal", "100"),
        pytest.param(f"{PLAYED},{CONNECTED}", "720x1280", "en", "normal", "100", marks=pytest.mark.slow),
        pytest.param(f"{PLAYED},{CONNECTED}", "1280x720", "fr", "normal", "115", marks=pytest.mark.slow),
        pytest.param(f"{PLAYED},{CONNECTED}", "800x480", "en", "light", "130", marks=pytest.mark.slow),
        pytest.param(f"{PLAYED},{CONNECTED}", "720x1280", "fr", "dark", "130", marks=pytest.mark.slow),
    ],
)
def test_buttons_and_lights_beside_the_app(
    tmp_path: Path, scenes: str, size: str, language: str, contrast: str, text: str
) -> None:
    played = play(scenes, tmp_path, size, language, contrast, text)
    assert (played.returncode, played.stdout) == (0, ""), played.stdout + played.stderr
