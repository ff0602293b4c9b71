"""The first steps and the table's own settings, by touch: answered, left, resumed, locked, without parts."""

from __future__ import annotations

import pytest

from tests.app.test_kiosk import play

ANSWERED = "first_steps,table_settings"
CORNERS = "first_steps_left,first_steps_cameras,first_steps_absent,first_steps_locked,table_settings_blocked"


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
