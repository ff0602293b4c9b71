"""The command as the shell starts it: its language, and its exit on an interrupt."""

from __future__ import annotations

import builtins
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.__main__ import INTERRUPTED, main

LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")


def test_an_interrupt_while_the_command_line_loads_ends_without_a_word(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    load = builtins.__import__

    def interrupted(name: str, *rest: Any, **more: Any) -> object:
        if name == "companion.cli":
            raise KeyboardInterrupt
        return load(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", interrupted)
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == INTERRUPTED
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("environment", "french"),
    [
        ({}, True),
        ({"LANG": "fr_FR.UTF-8"}, True),
        ({"LANG": "en_GB.UTF-8"}, False),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "en_GB.UTF-8"}, False),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "fr_BE.UTF-8", "LC_ALL": ""}, True),
    ],
)
def test_a_configuration_that_cannot_be_read_is_told_in_the_language_of_the_surroundings(
    tmp_path: Path, environment: dict[str, str], french: bool
) -> None:
    bare = {name: value for name, value in os.environ.items() if name not in LOCALE}
    command = [sys.executable, "-m", "companion", "--config", str(tmp_path / "none.toml"), "stats"]
    done = subprocess.run(command, env=bare | environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert ("ce fichier de configuration" in done.stderr, "this configuration file" in done.stderr) == (
        french,
        not french,
    )


def test_a_name_that_the_system_refuses_is_told_in_one_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "companion", "report", "x" * 5000, "--csv", str(tmp_path / "out.csv")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr
