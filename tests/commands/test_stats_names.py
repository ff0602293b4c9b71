"""Statistics of teams whose names contain terminal or chart control characters."""

import json
import resource
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


def test_a_full_disk_keeps_the_chart_of_before(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    header, *events = play(GAMES["footclub"], Random(3))
    journal, pictures = tmp_path / "match.jsonl", tmp_path / "pictures"
    journal.write_bytes(encode_file(header, events))
    pictures.mkdir()
    (pictures / "footclub-dice.png").write_bytes(b"the chart of before")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))  # bytes; every chart is larger
    try:
        assert run_stats(None, [journal], pictures) == 1
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert "footclub" in capsys.readouterr().out, "the numbers are printed all the same"
    assert [(path.name, path.read_bytes()) for path in pictures.iterdir()] == [
        ("footclub-dice.png", b"the chart of before")
    ]
