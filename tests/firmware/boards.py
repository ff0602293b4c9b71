"""An emulated board in a process of its own, controlled through files, and the installation of the firmware on it."""

from __future__ import annotations

import json
import mmap
import os
import select
import struct
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BOARD = os.environ.get("TAPIS_VERT_RP2040")
"""The folder of MicroPython for the RP2040 and its compiler, as built by `./test firmware`."""
EMULATOR = os.environ.get("TAPIS_VERT_EMULATOR")
"""The Python that has the emulator."""
TIMEOUT_S = 3600.0
"""Timeout in seconds of real time: an emulated board is about thirty times slower than a real one, and slower still on
a busy machine.
"""


class EmulatedBoard:
    """An emulated board that boots on creation, with these files in its file system."""

    def __init__(self, folder: Path, files: dict[str, Path]) -> None:
        assert BOARD is not None
        assert EMULATOR is not None
        self.port = folder / "port"
        self._folder = folder
        self._clock: mmap.mmap | None = None
        os.mkfifo(folder / "inputs")
        self._inputs = os.open(folder / "inputs", os.O_RDWR)
        script = Path(__file__).parent / "emulator.py"
        given = [part for name, path in files.items() for part in ("--file", f"{name}={path}")]
        command = [EMULATOR, str(script), f"{BOARD}/micropython.bin", str(folder), *given]
        with (folder / "errors").open("wb") as errors:
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=errors, stderr=errors)

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._inputs)

    def do(self, command: str) -> None:
        os.write(self._inputs, command.encode() + b"\n")

    def seen(self, what: str) -> list[list[int]]:
        """Return the events of a kind (`rgb`, `digits`) that the board's parts recorded, oldest first."""
        seen = self._folder / "seen"
        lines = seen.read_text().splitlines(keepends=True) if seen.exists() else []
        found = [json.loads(line) for line in lines if line.endswith("\n")]
        return [entry[what] for entry in found if what in entry]

    def clock(self) -> float:
        """Return the board's monotonic clock in seconds; the host uses it for its timeouts."""
        if self._clock is None:
            file = self._folder / "clock"
            if not file.exists() or file.stat().st_size < 8:
                return 0.0
            with file.open("rb") as opened:
                self._clock = mmap.mmap(opened.fileno(), 8, access=mmap.ACCESS_READ)
        return float(struct.unpack("<d", self._clock[:])[0])

    def until(self, done: Callable[[], bool], seconds: float) -> bool:
        """Return True if a condition becomes true within this many seconds of board time.

        Fails if the emulator has ended.
        """
        end, limit = self.clock() + seconds, time.monotonic() + TIMEOUT_S
        while not done():
            assert self._process.poll() is None, (self._folder / "errors").read_text()
            assert time.monotonic() < limit, f"the board's clock stands at {self.clock():.3f} s"
            if self.clock() > end:
                return done()
            select.select([], [], [], 0.02)
        return True


def compiled(folder: Path) -> dict[str, Path]:
    """Compile the firmware's files for the board here, since an emulated board needs minutes for it."""
    files = {"main.py": ROOT / "firmware/main.py"}
    for source in sorted((ROOT / "firmware").glob("*.py")):
        if source.name != "main.py":
            target = folder / f"{source.stem}.mpy"
            subprocess.run([f"{BOARD}/mpy-cross", "-o", str(target), str(source)], check=True)
            files[f"firmware/{target.name}"] = target
    return files
