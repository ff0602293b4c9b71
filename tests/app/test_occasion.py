"""The game occasion at the table: layout of every phase, a match by touch alone, cards entered at the table."""

from __future__ import annotations

import pytest

from tests.app.test_table_match import play


def test_a_whole_match_by_touch(tmp_path):
    played = play("occasion_match", tmp_path)
    assert (played.returncode, played.stdout) == (0, ""), played.stdout + played.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scenes", "size", "language"),
    [
        ("occasion_match", "720x1280", "en"),
        ("occasion_phases,occasion_long_names", "800x480", "fr"),
        ("occasion_phases,occasion_asks", "720x1280", "en"),
        ("occasion_cards,occasion_asks", "1280x720", "fr"),
    ],
)
def test_every_screen_is_whole(tmp_path, scenes, size, language):
    played = play(scenes, tmp_path, size, language)
    assert (played.returncode, played.stdout) == (0, ""), played.stdout + played.stderr
