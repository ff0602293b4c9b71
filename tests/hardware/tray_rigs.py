"""Test interfaces for the tray contract: the simulated tray, and the real class with the firmware behind it."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from firmware import protocol
from firmware.settings import DEFAULTS
from hardware.ports import Device, Lamps, LightScene, Moment, Role, Show
from hardware.simulated import SimulatedTrayDevice
from hardware.tray import SerialTray
from tests.firmware.lines import Noise

ROOT = Path(__file__).resolve().parents[2]
ROLES = [Role.CONFIRM, Role.UNDO]


class Rig(Protocol):
    """The actions of a player on a tray, and its visible state."""

    tray: Device

    def touch(self, role: Role) -> None: ...
    def let_go(self, role: Role) -> None: ...
    def stir(self, moving: bool) -> None: ...
    def open_lid(self, is_open: bool) -> None: ...
    def unplug(self) -> None: ...
    def plug(self) -> None: ...
    def shows(self) -> list[Show]: ...
    def close(self) -> None: ...


class SimulatedRig:
    """The simulated tray."""

    def __init__(self) -> None:
        self.tray = SimulatedTrayDevice()
        self.touch, self.let_go = self.tray.touch, self.tray.let_go
        self.stir, self.open_lid = self.tray.stir, self.tray.open_lid
        self.unplug, self.plug = self.tray.unplug, self.tray.plug

    def shows(self) -> list[Show]:
        return list(self.tray.shows)

    def close(self) -> None:
        self.tray.close()


class Bench:
    """The firmware in its own process at one end of a pseudo terminal, with inputs and outputs in files."""

    def __init__(self, folder: Path, interpreter: str = sys.executable, timing: dict[str, int] | None = None) -> None:
        self.folder = folder
        self._interpreter = interpreter
        settings = {"timing": DEFAULTS["timing"] | (timing or {})}
        (folder / "tray.json").write_text(json.dumps(settings))
        os.mkfifo(folder / "inputs")
        self._inputs = os.open(folder / "inputs", os.O_RDWR)
        (folder / "seen").touch()
        self._process: subprocess.Popen[bytes] | None = None
        self.line = -1

    def start(self) -> None:
        """Switch the tray on: `line` is the host's end."""
        self.line, end = os.openpty()
        tty.setraw(end)
        command = [self._interpreter, str(ROOT / "tests/firmware/bench_tray.py"), str(ROOT), str(self.folder)]
        self._process = subprocess.Popen(command, stdin=end, stdout=end, stderr=(self.folder / "errors").open("ab"))
        os.close(end)

    def stop(self) -> None:
        """Switch the tray off."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            os.close(self.line)
            self._process = None

    def close(self) -> None:
        self.stop()
        os.close(self._inputs)

    def do(self, command: str) -> None:
        os.write(self._inputs, command.encode() + b"\n")

    def seen(self, what: str) -> list[list[object]]:
        """Return the recorded outputs of a kind (`told`, `rgb`, `digits`), oldest first."""
        lines = (self.folder / "seen").read_text().splitlines(keepends=True)
        found = [json.loads(line) for line in lines if line.endswith("\n")]
        return [entry[what] for entry in found if what in entry]


class Relay:
    """The line between a bench and the host's port; it can be noisy, silent or disconnected."""

    def __init__(self, port: Path, noise: Noise | None = None) -> None:
        self._port = port
        self._noise = noise
        self.mute = False
        self._stop, self._stopping = os.pipe()
        self._thread: threading.Thread | None = None

    def connect(self, bench_line: int) -> None:
        """Make the port appear."""
        host, end = os.openpty()
        tty.setraw(end)
        name = os.ttyname(end)
        self._port.unlink(missing_ok=True)
        self._port.symlink_to(name)
        self._thread = threading.Thread(target=self._pass, args=(bench_line, host, end), daemon=True)
        self._thread.start()

    def disconnect(self) -> None:
        """Remove the port."""
        if self._thread is not None:
            self._port.unlink()
            os.write(self._stopping, b"\0")
            self._thread.join()
            self._thread = None

    def _pass(self, bench_line: int, host: int, end: int) -> None:
        waiting = {bench_line: b"", host: b""}
        while True:
            readers = [line for line in (bench_line, host) if len(waiting[line]) < 4096]
            writers = [line for line in (bench_line, host) if waiting[self._other(line, bench_line, host)]]
            readable, writable, _ = select.select([self._stop, *readers], writers, [])
            if self._stop in readable:
                os.read(self._stop, 1)
                break
            for line in readable:
                data = self._read(line)
                if not self.mute:
                    waiting[line] += self._noise.passed(data) if self._noise else data
            for line in writable:
                source = self._other(line, bench_line, host)
                waiting[source] = waiting[source][os.write(line, waiting[source]) :]
        os.close(host)
        os.close(end)

    @staticmethod
    def _other(line: int, bench_line: int, host: int) -> int:
        return host if line == bench_line else bench_line

    @staticmethod
    def _read(line: int) -> bytes:
        try:
            return os.read(line, 4096)
        except OSError:
            return b""


class SerialRig:
    """The real class with the firmware behind its port, in Python or, if configured, in MicroPython."""

    def __init__(self, interpreter: str = sys.executable, noise: Noise | None = None) -> None:
        self._scratch = tempfile.TemporaryDirectory(prefix="tapis-vert-tray-")
        self.folder = Path(self._scratch.name)
        self.bench = Bench(self.folder, interpreter)
        self.relay = Relay(self.folder / "port", noise)
        self.plug()
        self.tray = SerialTray(str(self.folder / "port"))

    def plug(self) -> None:
        self.bench.start()
        self.relay.connect(self.bench.line)

    def unplug(self) -> None:
        self.relay.disconnect()
        self.bench.stop()

    def touch(self, role: Role) -> None:
        self.bench.do(f"down {ROLES.index(role)}")

    def let_go(self, role: Role) -> None:
        self.bench.do(f"up {ROLES.index(role)}")

    def stir(self, moving: bool) -> None:
        self.bench.do(f"stir {900 if moving else 12}")

    def open_lid(self, is_open: bool) -> None:
        self.bench.do(f"open {int(is_open)}")

    def shows(self) -> list[Show]:
        return [show_of(message) for message in self.bench.seen("told")]

    def close(self) -> None:
        self.tray.close()
        self.relay.disconnect()
        self.bench.close()
        self._scratch.cleanup()


def show_of(message: list[object]) -> Show:
    """Convert a message received by the tray to the product's type."""
    kind, scene, reading, score, colours, moment = message
    assert kind == protocol.SHOW
    assert isinstance(reading, bool)
    assert isinstance(colours, list)
    return Show(
        LightScene(scene),
        reading,
        (score[0], score[1]) if isinstance(score, list) else None,
        (tuple(colours[:3]), tuple(colours[3:])),
        Lamps(),
        Moment(moment) if moment else None,
    )


def until(done: Callable[[], bool], seconds: float = 20.0, step: Callable[[], object] = lambda: None) -> bool:
    """Return True if a condition becomes true in time; polls every few milliseconds, each time after `step`."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        step()
        if done():
            return True
        select.select([], [], [], 0.005)
    return done()
