"""The commands as seen by other programs: output, messages and exit status (docs/CONTRACT.md)."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands.terminal_language import speak_english
from tests.tracked import ROOT
from vision.models import FOLDER

DONE, FAILED, REFUSED = 0, 1, 2


def companion(*arguments: str, home: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command with its own home folder."""
    surroundings = {
        **os.environ,
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_CONFIG_HOME": str(home / "config"),
        **environment,
    }
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER", "TAPIS_VERT_CONFIG"):
        if name not in environment:
            surroundings.pop(name, None)
    return subprocess.run(
        [sys.executable, "-m", "companion", *arguments], capture_output=True, text=True, env=surroundings, timeout=300
    )


def test_the_same_seed_gives_the_same_journal(tmp_path: Path) -> None:
    one, other = (companion("play", "footclub", "--seed", "7", home=tmp_path) for _ in range(2))
    assert one.returncode == DONE
    assert one.stdout == other.stdout
    assert json.loads(one.stdout.splitlines()[0])["game"] == "footclub"


def test_a_played_match_replays(tmp_path: Path) -> None:
    journal = tmp_path / "match.jsonl"
    assert companion("play", "footclub", "--seed", "3", "--out", str(journal), home=tmp_path).returncode == DONE
    replayed = companion("replay", str(journal), home=tmp_path)
    assert replayed.returncode == DONE
    assert json.loads(replayed.stdout)["state"]["phase"] == "finished"


@pytest.mark.parametrize(
    "arguments",
    [
        ("play", "chess"),
        ("demo", "chess"),
        ("read", "--set", "nonsense", "x.jpg"),
        ("watch", "camera:x"),
        ("replay", "nowhere.jsonl"),
        ("frobnicate",),
        ("play",),
    ],
)
def test_wrong_use_is_one_sentence_and_status_2(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = companion(*arguments, home=tmp_path)
    assert done.returncode == REFUSED
    assert done.stdout == ""
    assert done.stderr.strip()
    assert "Traceback" not in done.stderr


def test_a_misspelt_setting_is_named(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text('[display]\nlangage = "en"\n')
    done = companion("--config", str(config), "doctor", home=tmp_path)
    assert done.returncode == REFUSED
    assert all(word in done.stderr for word in (str(config), "display", "langage", "language"))
    assert "Traceback" not in done.stderr


def test_the_language_of_the_configuration_is_spoken(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text('[display]\nlanguage = "en"\n')
    english = companion("--config", str(config), "replay", str(tmp_path / "none.jsonl"), home=tmp_path)
    french = companion("replay", str(tmp_path / "none.jsonl"), home=tmp_path)
    assert english.stderr != french.stderr


def test_the_doctor_tells_every_part(tmp_path: Path) -> None:
    done = companion("doctor", "--json", home=tmp_path)
    parts = {check["part"] for check in json.loads(done.stdout)["parts"]}
    assert {"versions", "camera", "panel", "tray", "display", "sound", "disk", "clock"} <= parts


def test_without_a_screen_the_app_says_so(tmp_path: Path) -> None:
    done = companion("run", home=tmp_path)
    assert done.returncode == FAILED
    assert "demo" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("game", ["footclub", "nba"])
def test_the_demo_that_the_readme_gives_reads_every_die_of_a_match(game: str, tmp_path: Path) -> None:
    documented = re.search(r"^\./run demo \w+ ([^#\n]*)", (ROOT / "README.md").read_text("utf-8"), re.M)
    assert documented is not None
    done = companion("demo", game, *documented[1].split(), home=tmp_path)
    result = json.loads(done.stdout)
    assert done.returncode == DONE
    assert result["replayed"]
    assert result["misread"] == 0
    assert result["dice"] > 0
    assert Path(result["journal"]).exists()


def test_a_full_output_is_one_sentence(tmp_path: Path) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "companion", "play", "footclub", "--seed", "1"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
        )
    assert done.returncode == FAILED
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_a_closed_stream_is_no_fault(closed: str, tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"
    command = f'exec "$0" -m companion play footclub --seed 1 --out "$1" {closed}'
    done = subprocess.run(
        ["sh", "-c", command, sys.executable, str(journal)], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, "Traceback" in done.stdout + done.stderr) == (DONE, False)
    assert journal.read_text().startswith("{")


def test_missing_nets_are_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAPIS_VERT_MODELS", str(tmp_path))
    speak_english(tmp_path / "config")
    for command in (("read", "a.png"), ("watch", "drawn:1", "--max-rolls", "1"), ("demo", "--fast")):
        done = companion(*command, home=tmp_path)
        assert done.returncode == FAILED
        assert len(done.stderr.strip().splitlines()[-1:]) == 1
        assert f"{tmp_path / 'finder.onnx'}: this net, which the reader needs, is missing" in done.stderr
        assert "Traceback" not in done.stderr


def test_a_damaged_net_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "finder.onnx").write_bytes(b"half a net")
    monkeypatch.setenv("TAPIS_VERT_MODELS", str(tmp_path))
    speak_english(tmp_path / "config")
    done = companion("read", "a.png", home=tmp_path)
    assert done.stderr.strip() == (
        f"{tmp_path / 'finder.onnx'}: this net, which the reader needs, is damaged: install Tapis Vert again"
    )


@pytest.mark.parametrize(("name", "actual"), [("finder", "faces"), ("close", "faces"), ("faces", "second")])
def test_a_net_under_another_one_s_name_is_named(
    name: str, actual: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for net in FOLDER.glob("*.onnx"):
        (tmp_path / net.name).write_bytes((FOLDER / f"{actual}.onnx" if net.stem == name else net).read_bytes())
    monkeypatch.setenv("TAPIS_VERT_MODELS", str(tmp_path))
    speak_english(tmp_path / "config")
    done = companion("read", "a.png", home=tmp_path)
    assert done.stderr.strip() == (
        f"{tmp_path / f'{name}.onnx'}: this is another net than its name says: install Tapis Vert again"
    )


def test_a_closed_pipe_is_quiet() -> None:
    command = f"{shlex.quote(sys.executable)} -m companion play footclub --seed 1 | head -n 1 > /dev/null"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, timeout=60)
    assert done.stderr == ""


def test_a_named_configuration_is_read_by_every_command(tmp_path: Path) -> None:
    done = companion("--config", str(tmp_path / "none.toml"), "play", "footclub", home=tmp_path)
    assert done.returncode == REFUSED
    assert "none.toml" in done.stderr


def test_an_old_journal_is_whole_when_the_new_one_cannot_be_written(tmp_path: Path) -> None:
    folder = tmp_path / "journal.jsonl"
    folder.mkdir()
    done = companion("play", "footclub", "--out", str(folder), home=tmp_path)
    assert done.returncode == FAILED
    assert folder.is_dir()
