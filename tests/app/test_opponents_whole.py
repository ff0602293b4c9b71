"""A whole match of each game by touch against an opponent of the app, in both languages."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from companion.games.registry import GAMES

ROOT = Path(__file__).parents[2]
TIMEOUT_S = 1800
SIZES = {"fr": "800x480", "en": "720x1280"}


@pytest.mark.slow
@pytest.mark.parametrize("language", SIZES)
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_against_the_app(tmp_path: Path, game: str, language: str) -> None:
    scene = [f"against_{game}", str(tmp_path), SIZES[language], language, "normal", "100"]
    command = [sys.executable, "-m", "tests.screens.show", *scene]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=TIMEOUT_S)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr[-4000:]
