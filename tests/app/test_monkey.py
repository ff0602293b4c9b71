"""Monkey tests: random touches cause no unexpected error, and home is always reachable."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("game", "seed", "steps", "size", "language"),
    [
        ("home", 1, 60, "800x480", "fr"),
        pytest.param("home", 2, 400, "720x1280", "en", marks=pytest.mark.slow),
        pytest.param("footclub", 3, 400, "1280x720", "fr", marks=pytest.mark.slow),
        pytest.param("nba", 4, 400, "800x480", "en", marks=pytest.mark.slow),
        pytest.param("hoops21", 5, 400, "720x1280", "fr", marks=pytest.mark.slow),
        pytest.param("occasion", 6, 400, "800x480", "fr", marks=pytest.mark.slow),
    ],
)
def test_touching_whatever_there_is(game, seed, steps, size, language):
    command = [sys.executable, "-m", "tests.app.monkey", game, str(seed), str(steps), size, language]
    played = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=900)
    assert played.returncode == 0, played.stdout + played.stderr[-2000:]
