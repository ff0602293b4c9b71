"""Every line that a command prints for a user is in the chosen language. Machine-readable output is not translated."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
import typer

from companion import cli
from companion.games.registry import GAMES, PLAYER_NAMES, find_player
from companion.journal.codec import encode_file
from companion.table.autoplay import play
from tests.commands.terminal_language import choose, foreign_words
from tools.trials.local_postgres import free_port

LANGUAGES = ("fr", "en")
NAMES = re.compile(r"Les [A-ZÉ]\w+|Décision de la table")
"""Names of a demo's players, and their notes in the journal."""
LINE_NUMBERS = re.compile(r"^ *\d+ [● ] ", re.MULTILINE)
"""Number and mark before each event of a demo. The lines after the match have none."""
BAD_SETS = {
    "broken": "[kinds",
    "empty": "",
    "key": "[kinds.a]\nmarks = 'pips'\ncolour = 'red'\n",
    "marks": "[kinds.a]\nmarks = 'dots'\n",
    "faces": "[kinds.a]\nmarks = 'pips'\nfaces = [1]\n",
    "values": "[kinds.a]\nmarks = 'pips'\nfaces = [{value=9},{value=1},{value=1},{value=1},{value=1},{value=1}]\n",
    "body": "[kinds.a]\nmarks = 'pips'\nbodies = ['mauve']\n",
    "symbol": "[kinds.a]\nmarks = 'symbols'\nfaces = [{symbol='x'},{},{},{},{},{}]\n",
    "art": "[kinds.a]\nmarks = 'digits'\nfaces = [{value=10},{value=1},{value=1},{value=1},{value=1},{value=1}]\n",
}

COMMANDS = [
    "play chess",
    "play footclub --player nobody",
    "play footclub --out nowhere/match.jsonl",
    "play footclub --out .",
    "play hoops21 --out played.jsonl",
    "demo chess",
    "read",
    "read --set dominoes dark.jpg",
    "read --set nowhere.toml dark.jpg",
    "read --set binary.toml dark.jpg",
    "read nowhere.jpg empty.jpg text.jpg .",
    "read --explain text.jpg dark.jpg",
    "read --regressions one two",
    "read --regressions --explain strips",
    "read --regressions --count 3",
    "read --regressions",
    "read --regressions nowhere",
    "read --regressions cases",
    "read --set art.toml dark.jpg",
    "watch nowhere",
    "watch bare",
    "watch drawn:x",
    "watch drawn:1 --fps 3",
    "watch drawn:1 --count 0",
    "watch drawn:1 --set dominoes",
    "watch drawn:1 --set art.toml",
    "watch camera:98",
    "watch text.mp4",
    "watch frames",
    "replay nowhere.jsonl",
    "replay .",
    "replay text.jpg",
    "stats nowhere.jsonl",
    "stats good.jsonl good.jsonl --out text.jpg",
    "report nowhere --pdf out.pdf",
    "report good.jsonl",
    "report good.jsonl --csv nowhere/out.csv",
    "audit export nowhere --out out.zip",
    "audit export good.jsonl --out nowhere/out.zip",
    "audit check nowhere.zip",
    "audit check text.jpg",
    "dice-sheet dominoes --out out.pdf",
    "dice-sheet pips --out out.pdf --size 3",
    "dice-sheet pips --out out.pdf --copies 0",
    "dice-sheet pips --out out.pdf --language de",
    "dice-sheet pips --out nowhere/out.pdf",
    "dice-sheet art.toml --out out.pdf",
    "card-sheet --out out.pdf",
    "card-sheet --calibration --out out.pdf --language de",
    "card-sheet --calibration --out nowhere/out.pdf",
    "play-sheet chess --out out.pdf",
    "play-sheet hoops21 --kind stars --out out.pdf",
    "play-sheet nba --out out.pdf --language de",
    "play-sheet nba --out nowhere/out.pdf",
    "catalogue check nowhere.csv",
    "catalogue check text.csv",
    "catalogue check text.csv --kind stamps",
    "catalogue import text.csv",
    "catalogue export stamps --out out.csv",
    "catalogue export clubs --out nowhere/out.csv",
    "hub --address here",
    "hub --certificate one.pem",
    "hub --certificate nowhere.pem --key nowhere.pem",
    "hub --backups nowhere",
    "hub --broker nonsense",
    "hub --database nonsense",
    "hub --restore nowhere.zip",
    "hub --restore text.jpg",
    "hub --restore nowhere.zip --port 3",
    "tray info --port /dev/nowhere",
    "tray info --port /dev/null",
    "tray flash --settings nowhere.json",
    "tray flash --settings text.jpg",
    "backup nowhere/out.zip",
    "backup out.zip --keep 3",
    "restore nowhere.zip",
    "restore text.jpg",
    "unlock",
    "--config nowhere.toml stats good.jsonl",
    "nonsense",
    "--nonsense",
    "read --nonsense",
    "demo --sed 3",
    "demo --seed x",
    "demo --seed -1",
    "read --count 5000 dark.jpg",
    "watch drawn:1 --fps x",
    "hub --port 99999",
    "replay",
    "stats",
    "dice-sheet pips",
    "replay here there.jsonl",
    "read --count",
    "demo --fast=1",
    "catalogue",
    "catalogue nonsense",
    "tray",
    "audit",
]


def all_commands(command: object, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the command and all its subcommands, as typed."""
    yield path
    for name, below in getattr(command, "commands", {}).items():
        yield from all_commands(below, (*path, name))


def fill(folder: Path) -> None:
    """Write the files that the tested commands read."""
    game = GAMES["hoops21"]
    header, *events = play(game, Random(1), find_player(game, PLAYER_NAMES[0]))
    for side in header["sides"].values():
        side["name"] = "Zulu"
    (folder / "good.jsonl").write_bytes(encode_file(header, events))
    for name in ("text.jpg", "text.mp4", "text.csv"):
        (folder / name).write_text("hello\n")
    (folder / "empty.jpg").touch()
    (folder / "binary.toml").write_bytes(b"\xff\xfe\xff")
    (folder / "bare").mkdir()
    (folder / "frames").mkdir()
    (folder / "frames" / "1.jpg").write_text("hello\n")
    (folder / "cases").mkdir()
    lines = ["{", "[]", "{}", '{"image": "gone.jpg", "dice": [{"value": 1}]}', '{"image": "a", "dice": 3}']
    (folder / "cases" / "cases.jsonl").write_text("\n".join(lines))
    for name, text in BAD_SETS.items():
        (folder / f"{name}.toml").write_text(text)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("typed")
    fill(folder)
    return folder


class Terminal:
    """Runs commands in a folder, in a configured language."""

    def __init__(self, home: Path, patch: pytest.MonkeyPatch, output: pytest.CaptureFixture[str]) -> None:
        self._home, self._patch, self._output = home, patch, output
        for variable in ("TAPIS_VERT_CONFIG", "LC_ALL", "LC_MESSAGES", "DISPLAY", "WAYLAND_DISPLAY"):
            patch.delenv(variable, raising=False)
        patch.setenv("XDG_DATA_HOME", str(home / "data"))
        patch.setenv("XDG_CONFIG_HOME", str(home / "config"))
        patch.setenv("COLUMNS", "200")

    def choose(self, language: str) -> None:
        choose(self._home / "config", language)
        self._patch.setenv("LANG", {"fr": "fr_FR.UTF-8", "en": "en_GB.UTF-8"}[language])

    def type(self, *arguments: str) -> tuple[int, str, str]:
        """Run a command. Returns its exit status, standard output and standard error."""
        self._patch.setattr(sys, "argv", ["companion", *arguments])
        status: str | int | None = 0
        try:
            cli.main()
        except SystemExit as left:
            status = left.code
        out, err = self._output.readouterr()
        return int(status or 0), out, err


@pytest.fixture
def terminal(
    tmp_path: Path, filled: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Terminal:
    monkeypatch.chdir(filled)
    return Terminal(tmp_path, monkeypatch, capsys)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", [*COMMANDS, *(f"dice-sheet {name}.toml --out out.pdf" for name in BAD_SETS)])
def test_a_command_speaks_the_chosen_language(terminal: Terminal, command: str, language: str) -> None:
    terminal.choose(language)
    _, out, err = terminal.type(*command.split())
    output = err if out.startswith("{") else out + err
    assert output
    assert "{" not in err
    assert foreign_words(output, language) == set(), output


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", list(all_commands(typer.main.get_command(cli.app))), ids=" ".join)
def test_help_speaks_the_chosen_language(terminal: Terminal, path: tuple[str, ...], language: str) -> None:
    terminal.choose(language)
    status, out, err = terminal.type(*path, "--help")
    assert (status, err) == (0, "")
    assert foreign_words(out, language) == set(), out


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_doctor_speaks_the_chosen_language(terminal: Terminal, language: str) -> None:
    terminal.choose(language)
    _, out, err = terminal.type("doctor")
    assert out == ""
    assert foreign_words(err, language) == set(), err


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("typed", ["play chess", "read nowhere.jpg", "stats --help", "demo --seed x"])
def test_the_installed_command_speaks_the_language_of_a_named_configuration(
    tmp_path: Path, typed: str, language: str
) -> None:
    config = tmp_path / "config.toml"
    config.write_text(f'[display]\nlanguage = "{language}"\n')
    command = [sys.executable, "-m", "companion", "--config", str(config), *typed.split()]
    home = {"XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), "COLUMNS": "200"}
    done = subprocess.run(command, env={**os.environ, **home}, capture_output=True, text=True, check=False)
    output = done.stderr + ("" if done.stdout.startswith("{") else done.stdout)
    assert output
    assert foreign_words(output, language) == set(), output


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_hub_speaks_the_chosen_language_while_it_runs(tmp_path: Path, language: str) -> None:
    config = tmp_path / "config.toml"
    config.write_text(f'[display]\nlanguage = "{language}"\n[data]\nfolder = "{tmp_path / "data"}"\n')
    ports = ["--port", str(free_port()), "--tables-port", str(free_port())]
    command = [sys.executable, "-m", "companion", "--config", str(config), "hub", *ports]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            output = []
            while (line := process.stderr.readline()) and "Ctrl-C" not in line:
                output.append(line)
            process.send_signal(signal.SIGTERM)
            output += [line, process.stderr.read()]
        finally:
            process.kill()
    assert "/desk/set-up?key=" in "".join(output)
    assert foreign_words("".join(output), language) == set(), output


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_demo_speaks_the_chosen_language(terminal: Terminal, language: str) -> None:
    terminal.choose(language)
    _, _, err = terminal.type("demo", "hoops21", "--fast")
    output = LINE_NUMBERS.sub("", err)
    assert output
    assert foreign_words(NAMES.sub("", output), language) == set(), output
