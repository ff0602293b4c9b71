"""Screen 17 by touch: check-in, fixed settings, confirmation, calls, settings; at every size and in every look."""

from __future__ import annotations

import pytest

from tests.app.test_kiosk import play

WAITING = "tournament_waiting,tournament_presences"
DONE = (
    "tournament_confirming,tournament_disputed,tournament_ended,tournament_called,tournament_joining,"
    "tournament_scanning,tournament_pairing"
)
GIVEN = "tournament_decided"


@pytest.mark.parametrize(
    ("scenes", "size", "language"),
    [
        (WAITING, "800x480", "fr"),
        (DONE, "800x480", "fr"),
        pytest.param(GIVEN, "800x480", "en", marks=pytest.mark.slow),
        pytest.param(f"{WAITING},{DONE},{GIVEN}", "1280x720", "en", marks=pytest.mark.slow),
        pytest.param(f"{WAITING},{DONE},{GIVEN}", "720x1280", "fr", marks=pytest.mark.slow),
    ],
)
def test_a_tournament_is_played_at_the_table(tmp_path, scenes, size, language):
    played = play(scenes, tmp_path, size, language)
    assert (played.returncode, played.stdout) == (0, ""), played.stdout + played.stderr


@pytest.mark.slow
@pytest.mark.parametrize(("contrast", "text"), [("dark", "130"), ("light", "130")])
def test_large_letters_and_strong_contrasts_are_whole(tmp_path, contrast, text):
    for size in ("800x480", "1280x720", "720x1280"):
        played = play(f"{WAITING},{DONE}", tmp_path / size, size, "fr", contrast, text)
        assert (played.returncode, played.stdout) == (0, ""), played.stdout + played.stderr
