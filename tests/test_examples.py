"""The examples run, and their journals end in the expected state."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.games.registry import GAMES
from companion.journal.ledger import replay, replay_report
from tests.tracked import ROOT
from vision.drawing.tray import DrawnDie, draw_tray

JOURNALS = sorted((ROOT / "examples/journals").glob("*.jsonl"))


def run(name: str, *arguments: str) -> str:
    command = [sys.executable, f"examples/{name}.py", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, env={"PYTHONPATH": str(ROOT)})
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_dice_of_a_picture_are_printed(tmp_path: Path) -> None:
    picture = tmp_path / "tray.png"
    cv2.imwrite(str(picture), draw_tray([DrawnDie(face=3, x=200, y=200, edge=46)], np.random.default_rng(1)))
    assert run("read_dice", str(picture)).splitlines()[0] == f"{picture} ok"


@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("journal", JOURNALS, ids=[path.stem for path in JOURNALS])
def test_a_journal_is_told_to_its_end(journal: Path, language: str) -> None:
    lines = run("replay_journal", str(journal), language).splitlines()
    assert lines[-1] == str(replay_report(replay(journal, GAMES))["state"]["score"])


@pytest.mark.parametrize("journal", JOURNALS, ids=[path.stem for path in JOURNALS])
def test_a_journal_ends_in_the_expected_state(journal: Path) -> None:
    expected = json.loads(journal.with_suffix(".expected.json").read_text("utf-8"))
    assert holds(replay_report(replay(journal, GAMES)), expected)


def holds(found: Any, expected: Any) -> bool:
    """Return True if every expected key has its expected value; lists are compared as a whole
    (docs/rules/README.md)."""
    if isinstance(expected, dict):
        return isinstance(found, dict) and all(key in found and holds(found[key], expected[key]) for key in expected)
    return bool(found == expected)
