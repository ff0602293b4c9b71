"""NBA by touch alone: a whole match from home to the end, with layout checks in every state."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def play(scenes: str, folder: Path, size: str = "800x480", language: str = "fr", text: str = "100"):
    command = [sys.executable, "-m", "tests.screens.show", scenes, str(folder), size, language, "normal", text]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=900)


@pytest.mark.parametrize(
    ("scenes", "size", "language"),
    [
        ("nba_quick", "800x480", "fr"),
        pytest.param("nba_quick", "720x1280", "en", marks=pytest.mark.slow),
        pytest.param("nba_whole", "1280x720", "en", marks=pytest.mark.slow),
        pytest.param("nba_built", "800x480", "fr", marks=pytest.mark.slow),
        pytest.param("nba_built", "720x1280", "en", marks=pytest.mark.slow),
        pytest.param("nba_drafted", "800x480", "en", marks=pytest.mark.slow),
        pytest.param("nba_alone", "800x480", "en", marks=pytest.mark.slow),
        pytest.param("nba_campaign", "800x480", "fr", marks=pytest.mark.slow),
        pytest.param("nba_campaign", "720x1280", "en", marks=pytest.mark.slow),
        pytest.param("nba_four", "800x480", "fr", marks=pytest.mark.slow),
    ],
)
def test_a_match_from_home_to_the_end(tmp_path, scenes, size, language):
    played = play(scenes, tmp_path, size, language)
    assert (played.returncode, played.stdout) == (0, ""), played.stdout + played.stderr


@pytest.mark.parametrize(
    ("scenes", "size", "language", "text"),
    [
        ("nba_phases,nba_dice,nba_list", "800x480", "fr", "100"),
        ("nba_team,nba_own_cards,nba_deck,nba_readings,nba_fatigue", "800x480", "fr", "100"),
        pytest.param("nba_team,nba_own_cards,nba_draft", "720x1280", "en", "100", marks=pytest.mark.slow),
        pytest.param("nba_deck,nba_draft,nba_readings", "1280x720", "en", "130", marks=pytest.mark.slow),
        ("nba_campaign_pages,nba_legacy_pages", "800x480", "en", "100"),
        pytest.param("nba_campaign_pages,nba_legacy_pages", "720x1280", "fr", "130", marks=pytest.mark.slow),
        pytest.param("nba_asks,nba_lost", "800x480", "en", "100", marks=pytest.mark.slow),
        pytest.param("nba_phases,nba_asks", "720x1280", "fr", "100", marks=pytest.mark.slow),
        pytest.param("nba_phases,nba_long_names", "1280x720", "en", "130", marks=pytest.mark.slow),
    ],
)
def test_every_screen_of_a_match_is_whole(tmp_path, scenes, size, language, text):
    played = play(scenes, tmp_path, size, language, text)
    assert (played.returncode, played.stdout) == (0, ""), played.stdout + played.stderr
