"""The moments of results by touch: film strips of every kind, skipped, replaced, undone and switched off."""

from __future__ import annotations

import pytest

from tests.app.test_table_match import play


@pytest.mark.parametrize(
    ("scenes", "size", "language"),
    [
        ("films", "800x480", "fr"),
        pytest.param("films", "720x1280", "en", marks=pytest.mark.slow),
        ("moment_touched,moment_replaced,moment_off,lying_die,narrow_dice", "800x480", "en"),
    ],
)
def test_a_result_is_shown_large_and_holds_nobody_up(tmp_path, scenes, size, language):
    played = play(scenes, tmp_path, size, language)
    assert (played.returncode, played.stdout) == (0, ""), played.stdout + played.stderr
