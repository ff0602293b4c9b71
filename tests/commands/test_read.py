"""`companion read` on the command line: valid and refused combinations of arguments."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from companion import __version__
from companion.cli import app
from companion.commands.run import reader_versions
from tests.commands.terminal_language import speak_english

REFUSED = 2


def typed(home: Path, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Result:
    """Run a command with its own home folder."""
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    monkeypatch.delenv("TAPIS_VERT_CONFIG", raising=False)
    speak_english(home / "config")
    return CliRunner().invoke(app, arguments)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("read",), "There is no picture"),
        (("read", "--regressions", "one", "two"), "one folder"),
        (("read", "--regressions", "--explain", "strips"), "--explain takes pictures"),
        (("read", "--regressions", "--set", "nba"), "leave out --set and --count"),
        (("read", "--regressions", "--count", "3"), "leave out --set and --count"),
        (("read", "--regressions", "nowhere"), "nowhere"),
    ],
)
def test_what_does_not_fit_is_refused_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], expected: str
) -> None:
    done = typed(tmp_path, monkeypatch, *arguments)
    assert done.exit_code == REFUSED
    assert done.stdout == ""
    assert expected in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_the_usual_folder_lies_beside_the_matches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = typed(tmp_path, monkeypatch, "read", "--regressions")
    assert done.exit_code == 0
    assert str(tmp_path / "data" / "tapis-vert" / "misreads") in done.stderr


def test_what_was_kept_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "data" / "tapis-vert" / "misreads"
    folder.mkdir(parents=True)
    (folder / "cases.jsonl").write_text(json.dumps({"image": "gone.jpg", "dice": [{"value": 1}]}) + "\n")
    done = typed(tmp_path, monkeypatch, "read", "--regressions")
    assert done.exit_code == 1
    assert json.loads(done.stdout)["outcome"] == "error"


def test_a_misreading_carries_what_read_it() -> None:
    versions = reader_versions()
    assert versions["tapis-vert"] == __version__
    assert all(len(versions[net]) == 16 for net in ("faces.onnx", "finder.onnx"))
