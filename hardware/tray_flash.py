"""Firmware onto the tray: asks it who it is, gets it to MicroPython's prompt, and has mpremote copy the files.

mpremote runs as a process of its own. The start file goes first and comes back last, so that a copy that was cut off
leaves a board that waits at its prompt for the next one, never half an old firmware and half a new one.
"""

from __future__ import annotations

import secrets
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from firmware import protocol
from hardware.tray import Line, LineError, find

ASK_SECONDS = 3.0
"""How long a tray may take to answer a greeting."""
STILL_SECONDS = 1.5
"""Without a frame for so long after the word, the firmware has ended."""
BACK_SECONDS = 15.0
"""How long a board may take to start anew and be on its port again."""
COPY_SECONDS = 180.0
TRIES = 3
SETTLING_SECONDS = 0.5
"""Before a greeting: its bytes could interrupt a board that is just about to run its firmware."""
WAIT = 0.02

START_FILE = "main.py"
PACKAGE = "firmware"
CLEARED = (
    "import os\n"
    f"if '{START_FILE}' in os.listdir(): os.remove('{START_FILE}')\n"
    f"if '{PACKAGE}' not in os.listdir(): os.mkdir('{PACKAGE}')\n"
)
"""What the board does before the files come."""


class FlashError(Exception):
    """The board could not be reached or written; `said` is the end of what mpremote told."""

    def __init__(self, said: str) -> None:
        super().__init__(said)
        self.said = said


def greet(where: str) -> protocol.Link | None:
    """The link to whatever firmware answers on a port, of this version or another; None if none does.

    Raises LineError when the port cannot be opened, or is lost.
    """
    line = Line(where)
    try:
        link = protocol.Link(secrets.randbits(52) | 1, {"name": "tapis-vert tools"}, greets=True)
        line.exchange(b"", SETTLING_SECONDS)
        end = time.monotonic() + ASK_SECONDS
        unsent = b""
        while time.monotonic() < end and not link.peer_version:
            unsent = unsent or link.due(_now())
            received, unsent = line.exchange(unsent, WAIT)
            link.feed(received, _now())
        return link if link.peer_version else None
    finally:
        line.close()


def about(where: str, seconds: float = BACK_SECONDS) -> dict[str, object] | None:
    """Who the tray says it is, waiting for a board that is just starting; None if it does not answer in time."""
    end = time.monotonic() + ASK_SECONDS
    while time.monotonic() < end:
        try:
            link = greet(where) if find(where) else None
        except LineError:  # not yet back, or not yet ours
            link = None
        if link is not None:
            return {**link.peer_about, "protocol": link.peer_version}
        time.sleep(WAIT)
    return None


def to_prompt(where: str) -> None:
    """Has the firmware end at MicroPython's prompt, and waits until the board is back. Raises LineError."""
    line = Line(where)
    try:
        framer = protocol.Framer()
        unsent, still_since = protocol.word(protocol.REPL), time.monotonic()
        end = still_since + BACK_SECONDS
        while time.monotonic() < end and time.monotonic() - still_since < STILL_SECONDS:
            received, unsent = line.exchange(unsent, WAIT)
            if framer.feed(received):
                unsent, still_since = protocol.word(protocol.REPL), time.monotonic()
    except LineError:  # the board drops off the bus when it starts anew
        _until(lambda: find(where) is not None)
    finally:
        line.close()


def copy(where: str, files: Sequence[Path], start_file: Path, settings: Path | None = None) -> None:
    """Copies the package's files, the start file, and the settings if there are any, and restarts the board.

    Raises FlashError.
    """
    names = [str(file) for file in files]
    steps = ["exec", CLEARED, "+", "fs", "cp", *names, f":{PACKAGE}/"]
    if settings is not None:
        steps += ["+", "fs", "cp", str(settings), ":tray.json"]
    steps += ["+", "fs", "cp", str(start_file), f":{START_FILE}", "+", "reset"]
    said = ""
    for _ in range(TRIES):
        done, said = _mpremote(["connect", where, "resume", *steps])  # as the prompt is, without a soft reset
        if done:
            return
        time.sleep(1.0)  # a board that is still starting has no prompt yet
    raise FlashError(said)


def _mpremote(arguments: list[str]) -> tuple[bool, str]:
    command = [sys.executable, "-m", "mpremote", *arguments]
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=COPY_SECONDS
        )
    except subprocess.TimeoutExpired:
        return False, f"mpremote: {COPY_SECONDS:g} s"
    lines = [line.strip() for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    return done.returncode == 0, lines[-1] if lines else f"mpremote: {done.returncode}"


def _until(done: Callable[[], bool]) -> None:
    end = time.monotonic() + BACK_SECONDS
    while not done() and time.monotonic() < end:
        time.sleep(WAIT)


def _now() -> int:
    return int(time.monotonic() * 1000)
