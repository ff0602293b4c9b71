"""Review pages by real touches: a match's page, its statistics, export, removal, and the overall records."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCENES = "look_back,one_match,pictured,ended,broken,damaged,exported,removed,records"


def show(scenes: str, folder: Path, size: str, language: str, contrast: str = "normal", text: str = "100") -> str:
    """Return the faults of the scenes in one window, one per line, with the error output if it failed."""
    command = [sys.executable, "-m", "tests.screens.show", scenes, str(folder), size, language, contrast, text]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    return done.stdout if done.returncode in (0, 1) and not done.stderr.strip() else done.stdout + done.stderr


def test_a_match_is_looked_at_exported_and_removed(tmp_path: Path) -> None:
    assert show("pictured,ended,broken,damaged,exported,removed", tmp_path, "800x480", "fr") == ""
    written = {path.suffix for path in (tmp_path / "exchange").iterdir()}
    assert written == {".pdf", ".csv", ".jsonl", ".zip"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "language", "contrast", "text"),
    [
        ("800x480", "pseudo", "normal", "100"),
        ("720x1280", "fr", "dark", "130"),
        ("1280x720", "en", "light", "115"),
        ("800x480", "fr", "normal", "130"),
    ],
)
def test_every_page_of_looking_back_is_whole(
    tmp_path: Path, size: str, language: str, contrast: str, text: str
) -> None:
    assert show(SCENES, tmp_path, size, language, contrast, text) == ""


@pytest.mark.slow
@pytest.mark.parametrize("size", ["800x480", "720x1280"])
def test_long_names_fit_when_looking_back(tmp_path: Path, size: str) -> None:
    assert show("long_report", tmp_path, size, "en") == ""
