"""Catalogues, squads and the market by real touches, with a power cut during a market."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def play(scene: str, folder: Path, size: str, language: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.app.cards_evening", scene, str(folder), size, language]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=180)


def test_cards_are_written_deleted_and_restored(tmp_path: Path) -> None:
    played = play("write", tmp_path, "800x480", "fr")
    assert played.returncode == 0, played.stdout + played.stderr[-3000:]


def test_a_market_goes_on_after_a_power_cut(tmp_path: Path) -> None:
    assert play("cut", tmp_path, "800x480", "en").returncode == -signal.SIGKILL
    played = play("deal", tmp_path, "800x480", "fr")
    assert played.returncode == 0, played.stdout + played.stderr[-3000:]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scene", "size", "language"),
    [
        ("exchange", "800x480", "fr"),
        ("exchange", "720x1280", "en"),
        ("build", "1280x720", "en"),
        ("build", "720x1280", "fr"),
        ("write", "720x1280", "en"),
        ("draft", "800x480", "fr"),
        ("photo", "800x480", "fr"),
    ],
)
def test_tables_and_squads_at_every_size(tmp_path: Path, scene: str, size: str, language: str) -> None:
    played = play(scene, tmp_path, size, language)
    assert played.returncode == 0, played.stdout + played.stderr[-3000:]
