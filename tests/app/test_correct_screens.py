"""Corrections by touch: a roll corrected in place, a preview before saving, an event replaced."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("size", "language", "text"),
    [
        ("800x480", "fr", "100"),
        pytest.param("720x1280", "en", "100", marks=pytest.mark.slow),
        pytest.param("1280x720", "fr", "130", marks=pytest.mark.slow),
    ],
)
def test_a_wrong_fact_is_set_right(tmp_path, size, language, text):
    scenes = "mended,consequences,replaced,edited,rewritten"
    command = [sys.executable, "-m", "tests.screens.show", scenes, str(tmp_path), size, language, "normal", text]
    played = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert (played.returncode, played.stdout) == (0, ""), played.stdout + played.stderr
