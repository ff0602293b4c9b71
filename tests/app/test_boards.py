"""The boards of half-time and of the end, the picture to share, and a match played again, by touch."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("scenes", "size", "language"),
    [
        ("boards,boards_break", "800x480", "fr"),
        ("boards_picture,boards_again,boards_facing", "720x1280", "en"),
    ],
)
def test_a_match_ends_with_its_board(tmp_path: Path, scenes: str, size: str, language: str) -> None:
    command = [sys.executable, "-m", "tests.screens.show", scenes, str(tmp_path), size, language, "normal", "100"]
    played = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert (played.returncode, played.stdout) == (0, ""), played.stdout + played.stderr
