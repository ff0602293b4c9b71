"""`companion tray flash` to a board simulated by MicroPython: copied, started, interrupted and repeated."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.release import RELEASE
from hardware.tray_flash import FlashError, copy
from tests.hardware.tray_rigs import ROOT, until

MICROPYTHON = os.environ.get("TAPIS_VERT_MICROPYTHON")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not MICROPYTHON, reason="MicroPython for Unix is not there: ./test firmware fetches it"),
]


class Board:
    """A board simulated by MicroPython for Unix: its folder is the flash; it runs the tray from it, or the prompt."""

    def __init__(self, folder: Path) -> None:
        self.flash = folder / "flash"
        self.flash.mkdir()
        self.port = folder / "port"
        (self.flash / "machine.py").write_text("import sys\ndef reset():\n    sys.exit()\n")
        (self.flash / "tray.json").write_text("{}")
        os.mkfifo(self.flash / "inputs")
        self._host, self._end = os.openpty()
        tty.setraw(self._end)
        self.port.symlink_to(os.ttyname(self._end))
        self._line = folder / "line"
        self._host_side, self._board_side = os.openpty()
        tty.setraw(self._board_side)
        self._closing = False
        self.ran: list[str] = []
        self._process: subprocess.Popen[bytes] | None = None
        self._copying = [
            threading.Thread(target=self._carry, args=pair, daemon=True)
            for pair in ((self._host, self._host_side), (self._host_side, self._host))
        ]
        self._life = threading.Thread(target=self._live, daemon=True)
        for thread in (*self._copying, self._life):
            thread.start()

    def _live(self) -> None:
        assert MICROPYTHON is not None
        tray = [MICROPYTHON, str(ROOT / "tests/firmware/bench_tray.py"), str(self.flash), str(self.flash)]
        at_prompt = False
        while not self._closing:
            runs_tray = (self.flash / "main.py").exists() and not at_prompt
            self.ran.append("tray" if runs_tray else "prompt")
            with (self.flash.parent / "errors").open("ab") as errors:
                self._process = subprocess.Popen(
                    tray if runs_tray else [MICROPYTHON],
                    cwd=self.flash,
                    stdin=self._board_side,
                    stdout=self._board_side,
                    stderr=errors,
                )
                status = self._process.wait()
            at_prompt = runs_tray and status >= 0  # it ended normally; after a power loss it would restart

    @staticmethod
    def _carry(source: int, target: int) -> None:
        try:
            while data := os.read(source, 4096):
                while data:
                    data = data[os.write(target, data) :]
        except OSError:
            return

    def restart(self) -> None:
        """Unplug the board and plug it in again."""
        if self._process is not None:
            self._process.kill()

    def close(self) -> None:
        self._closing = True
        self.restart()
        self._life.join(10)
        for end in (self._host, self._host_side, self._end, self._board_side):
            os.close(end)


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    made = Board(tmp_path)
    yield made
    made.close()


def companion(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "companion", "tray", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)


def copied(board: Board) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (board.flash / "firmware").glob("*.py")}


SHIPPED = {path.name: path.read_bytes() for path in (ROOT / "firmware").glob("*.py") if path.name != "main.py"}


def test_an_empty_board_becomes_a_tray_and_an_old_one_a_new_one(board: Board, tmp_path: Path) -> None:
    settings = tmp_path / "mine.json"
    settings.write_text('{"ring": {"lights": 16}}')
    port = str(board.port)
    done = companion("flash", "--port", port, "--settings", str(settings))
    assert done.returncode == 0, done.stderr
    assert RELEASE in done.stderr
    assert copied(board) == SHIPPED
    assert (board.flash / "main.py").read_bytes() == (ROOT / "firmware/main.py").read_bytes()
    assert json.loads((board.flash / "tray.json").read_text()) == {"ring": {"lights": 16}}
    result = companion("info", "--port", port)
    assert (result.returncode, json.loads(result.stdout)["ring"]) == (0, [16, 4])

    (board.flash / "firmware/release.py").write_text('RELEASE = "0.9"\n')
    starts = len(board.ran)
    board.restart()
    assert until(lambda: board.ran[starts:] == ["tray"])
    assert json.loads(companion("info", "--port", port).stdout)["version"] == "0.9"
    done = companion("flash", "--port", port)
    assert done.returncode == 0, done.stderr
    assert json.loads(companion("info", "--port", port).stdout)["version"] == RELEASE
    assert json.loads((board.flash / "tray.json").read_text()) == {"ring": {"lights": 16}}, "its own file stays"


def test_a_copy_that_is_cut_off_leaves_a_board_that_takes_the_next_one(board: Board, tmp_path: Path) -> None:
    (board.flash / "main.py").write_text("an old one")
    files = [ROOT / "firmware/cbor.py"]
    board.restart()
    assert until(lambda: board.ran[-1:] == ["prompt"])
    with pytest.raises(FlashError):
        copy(str(board.port), files, tmp_path / "a start file that is not there.py")
    assert not (board.flash / "main.py").exists()
    done = companion("flash", "--port", str(board.port))
    assert done.returncode == 0, done.stderr
    assert copied(board) == SHIPPED
