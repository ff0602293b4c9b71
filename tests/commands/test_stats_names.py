"""Statistics of teams whose names contain terminal or chart control characters."""

import json
from pathlib import Path
from random import Random

import pytest

from companion.commands.stats import run_stats
from companion.games.registry import GAMES
from companion.journal.codec import encode_file
from companion.table.autoplay import play


def test_names_are_shown_as_they_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    header, *events = play(GAMES["footclub"], Random(3))
    sides = {"blue": {"name": "[/b]$x$"}, "red": {"name": "U[bold]23"}}
    journal = tmp_path / "match.jsonl"
    journal.write_bytes(encode_file({**header, "sides": sides}, events))
    assert run_stats(None, [journal], tmp_path / "pictures") == 0
    output = capsys.readouterr()
    assert json.loads(output.out)["games"]["footclub"]["sides"].keys() == {"[/b]$x$", "U[bold]23"}
    assert "[/b]$x$" in output.err
    assert "U[bold]23" in output.err
    assert all(str(path) in output.err for path in (tmp_path / "pictures").iterdir())


def test_a_folder_that_cannot_be_written_costs_the_pictures_only(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    header, *events = play(GAMES["footclub"], Random(3))
    journal, taken = tmp_path / "match.jsonl", tmp_path / "taken"
    journal.write_bytes(encode_file(header, events))
    taken.write_text("a file")
    assert run_stats(None, [journal], taken) == 1
    assert json.loads(capsys.readouterr().out)["games"]["footclub"]["matches"] == 1
