"""`python -m tools` on the command line: valid and refused combinations of arguments."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tools import ROOT, module_environment
from tools.__main__ import TRAINING_STEPS, app

REFUSED = 2


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("bench", "tea"), "unknown bench"),
        (("bench", "odds", "--dice", "20"), "bench odds takes no option"),
        (("bench", "reader", "--photos", "nowhere.jsonl"), "nowhere.jsonl"),
        (("bench", "steadiness", "--photos", "nowhere.jsonl"), "nowhere.jsonl"),
        (("bench", "timid", "--rendered", "nowhere"), "nowhere"),
        (("bench", "empty", "--photos", "nowhere.jsonl"), "nowhere.jsonl"),
        (("bench", "empty", "--dice", "20"), "bench empty takes --limit, --photos"),
        (("bench", "reader", "--negatives", "nowhere"), "nowhere"),
        (("train", "tea"), "unknown step"),
        (("hub-simulation", "2", "--game", "chess"), "footclub"),
        (("hub-simulation", "2", "--database", "oracle"), "postgresql"),
    ],
)
def test_what_does_not_fit_is_refused_in_a_sentence(arguments: tuple[str, ...], expected: str) -> None:
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == REFUSED
    assert done.stdout == ""
    assert expected in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_every_step_of_the_training_is_a_command() -> None:
    modules = sorted((ROOT / "tools" / "training").glob("*.py"))
    runnable = {path.stem for path in modules if 'if __name__ == "__main__":' in path.read_text(encoding="utf-8")}
    assert runnable == set(TRAINING_STEPS)


def test_a_step_of_the_training_explains_itself_from_any_folder(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tools", "train", "throws", "--help"]
    done = subprocess.run(command, cwd=tmp_path, env=module_environment(), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "python -m tools train throws" in done.stdout
    assert "--steepest" in done.stdout
