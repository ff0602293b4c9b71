"""Firmware installation on the tray: identify it, switch it to MicroPython's prompt, and copy files with mpremote.

mpremote runs as a separate process. The start file is removed first and copied last. So an interrupted copy leaves a
board that waits at its prompt, never a mix of old and new firmware.
"""

from __future__ import annotations

import secrets
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from firmware import protocol
from hardware.tray import SerialPort, SerialPortError, find_port

GREETING_TIMEOUT_S = 3.0
"""Timeout for the answer to a greeting."""
STILL_SECONDS = 1.5
"""Seconds without a frame after which the firmware counts as ended."""
BACK_SECONDS = 15.0
"""Timeout for a board to restart and return on its port."""
COPY_SECONDS = 180.0
TRIES = 3
SETTLING_SECONDS = 0.5
"""Delay before a greeting, whose bytes could interrupt a board that is about to run its firmware."""
WAIT = 0.02

START_FILE = "main.py"
PACKAGE = "firmware"
PREPARE_SCRIPT = (
    "import os\n"
    f"if '{START_FILE}' in os.listdir(): os.remove('{START_FILE}')\n"
    f"if '{PACKAGE}' not in os.listdir(): os.mkdir('{PACKAGE}')\n"
)
"""Code that the board runs before the files are copied."""


class FlashError(Exception):
    """The board could not be reached or written. `output` is the last line of mpremote's output."""

    def __init__(self, output: str) -> None:
        super().__init__(output)
        self.output = output


def greet_tray(where: str) -> protocol.SerialLink | None:
    """Return the link to the firmware on a port, of any version; None if there is none.

    Raises: SerialPortError if the port cannot be opened or is lost.
    """
    line = SerialPort(where)
    try:
        link = protocol.SerialLink(secrets.randbits(52) | 1, {"name": "tapis-vert tools"}, greets=True)
        line.exchange(b"", SETTLING_SECONDS)
        end = time.monotonic() + GREETING_TIMEOUT_S
        unsent = b""
        while time.monotonic() < end and not link.peer_version:
            unsent = unsent or link.due(_now())
            received, unsent = line.exchange(unsent, WAIT)
            link.feed(received, _now())
        return link if link.peer_version else None
    finally:
        line.close()


def tray_info(where: str, seconds: float = BACK_SECONDS) -> dict[str, object] | None:
    """Return the tray's identification, waiting for a board that is starting; None on timeout."""
    end = time.monotonic() + GREETING_TIMEOUT_S
    while time.monotonic() < end:
        try:
            link = greet_tray(where) if find_port(where) else None
        except SerialPortError:  # not back yet, or not permitted yet
            link = None
        if link is not None:
            return {**link.peer_about, "protocol": link.peer_version}
        time.sleep(WAIT)
    return None


def enter_repl(where: str) -> None:
    """End the firmware at MicroPython's prompt and wait until the board is back. Raises: SerialPortError."""
    line = SerialPort(where)
    try:
        framer = protocol.FrameDecoder()
        unsent, still_since = protocol.word(protocol.REPL), time.monotonic()
        end = still_since + BACK_SECONDS
        while time.monotonic() < end and time.monotonic() - still_since < STILL_SECONDS:
            received, unsent = line.exchange(unsent, WAIT)
            if framer.feed(received):
                unsent, still_since = protocol.word(protocol.REPL), time.monotonic()
    except SerialPortError:  # the board leaves the USB bus when it restarts
        _until(lambda: find_port(where) is not None)
    finally:
        line.close()


def copy(where: str, files: Sequence[Path], start_file: Path, settings: Path | None = None) -> None:
    """Copy the package's files, the start file, and the settings if given, and restart the board.

    Raises: FlashError.
    """
    names = [str(file) for file in files]
    steps = ["exec", PREPARE_SCRIPT, "+", "fs", "cp", *names, f":{PACKAGE}/"]
    if settings is not None:
        steps += ["+", "fs", "cp", str(settings), ":tray.json"]
    steps += ["+", "fs", "cp", str(start_file), f":{START_FILE}", "+", "reset"]
    output = ""
    for _ in range(TRIES):
        done, output = _mpremote(["connect", where, "resume", *steps])  # `resume`: without a soft reset
        if done:
            return
        time.sleep(1.0)  # a board that is still starting has no prompt yet
    raise FlashError(output)


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
