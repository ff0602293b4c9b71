"""A power cut at every step of a tournament match: the table returns to the same step."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


def start(folder: Path, step: str) -> list[dict[str, Any]]:
    """Return the table's state after its start and at the power cut."""
    command = [sys.executable, "-m", "tests.app.tournament_start", str(folder), step]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == -signal.SIGKILL, done.stdout + done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def evening(tmp_path_factory) -> dict[str, list[dict[str, Any]]]:
    """Return one match from the check-in to its result, cut off after every step."""
    folder = tmp_path_factory.mktemp("table")
    steps = ("check_in", "start_match", "finish", "offline", "still_offline", "mend")
    return {step: start(folder, step) for step in steps}


def test_a_table_of_a_tournament_starts_with_its_page(evening):
    first = evening["check_in"][0]
    assert (first["page"], first["step"], first["present"]) == ("tournament", "gathering", [])


@pytest.mark.parametrize(
    ("cut", "after", "step"),
    [
        ("check_in", "start_match", "ready"),
        ("start_match", "finish", "going"),
        ("finish", "offline", "confirming"),
        ("offline", "still_offline", "confirmed"),
    ],
)
def test_it_comes_back_where_it_was(evening, cut, after, step):
    before, again = evening[cut][1], evening[after][0]
    assert before["step"] == again["step"] == step
    assert again == {**before, "page": "tournament"}


def test_the_match_was_played_to_its_end_and_confirmed_by_both(evening):
    over = evening["offline"][1]
    assert over["confirmed"] == ["away", "home"]
    assert max(over["score"]) >= 7
    assert over["line"] > evening["start_match"][1]["line"] > 1


def test_what_was_confirmed_without_the_hub_is_sent_when_it_comes_back(evening):
    waiting, (_, sent) = evening["still_offline"][1], evening["mend"]
    assert (waiting["step"], waiting["played"]) == ("confirmed", 0)
    assert sent["played"] == 1
    assert (sent["step"], sent["match"] != waiting["match"]) == ("gathering", True)
