"""A whole match of each game from home to its report by touch, in French and English; all pages are visited."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.screens.whole_list import WHOLE
from tests.screens.whole_log import notes_in, unseen

ROOT = Path(__file__).parents[2]
FAST_CASE = ("whole_occasion", "800x480", "fr")
TIMEOUT_S = 900
"""Maximum seconds of a scenario on a busy machine."""

Play = Callable[[str, str, str], dict[str, Any]]


@pytest.fixture(scope="module")
def play(tmp_path_factory) -> Play:
    """Play each scenario at most once and return its log."""
    played: dict[tuple[str, str, str], dict[str, Any]] = {}

    def evening(name: str, size: str, language: str) -> dict[str, Any]:
        key = (name, size, language)
        if key not in played:
            folder = tmp_path_factory.mktemp(name)
            command = [sys.executable, "-m", "tests.screens.show", name, str(folder), size, language, "normal", "100"]
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=TIMEOUT_S)
            assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr[-4000:]
            (played[key],) = notes_in(folder)
        return played[key]

    return evening


@pytest.mark.parametrize(
    ("name", "size", "language"),
    [pytest.param(*which, marks=() if which == FAST_CASE else pytest.mark.slow) for which in WHOLE],
)
def test_a_whole_match_from_home_to_its_report(play, name, size, language):
    note = play(name, size, language)
    assert note["shown"] == f"{size}-{language}"
    assert {"home", "table", "report", "statistics", "timeline", "matches", "history"} <= set(note["visited"])
    assert note["taps"] > note["events"] > 10


@pytest.mark.slow
@pytest.mark.parametrize("language", ["fr", "en"])
def test_every_page_is_seen(play, language):
    notes = [play(*which) for which in WHOLE if which[2] == language]
    assert unseen(notes) == set()
