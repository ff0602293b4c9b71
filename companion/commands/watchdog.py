"""Tells systemd that the table lives: only when a frame was drawn and a heartbeat reached the disk after it.

The protocol is that of sd_notify(3): text in datagrams to the socket that `NOTIFY_SOCKET` names. Without that variable
nobody waits for a sign of life, and none of this runs.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from threading import Event, Thread

log = logging.getLogger(__name__)

SOCKET_VARIABLE = "NOTIFY_SOCKET"
PERIOD_VARIABLE = "WATCHDOG_USEC"
PROCESS_VARIABLE = "WATCHDOG_PID"
READY, ALIVE, STOPPING = "READY=1", "WATCHDOG=1", "STOPPING=1"
NOTIFICATIONS_PER_TIMEOUT = 3
"""Signs of life within the time after which systemd gives up: two may come late or get lost."""
DEFAULT_PERIOD_S = 20.0
"""Seconds between two signs where nobody set a time."""
HEARTBEAT_BYTES = 64
"""Bytes of the heartbeat's file, always the same: a full disk, which no restart would empty, takes them too."""


class Notifier:
    """The way to systemd. `send` never waits and never raises: whoever does not listen hears nothing."""

    def __init__(self, address: str) -> None:
        """`address` as in `NOTIFY_SOCKET`: a path, or an abstract name after `@`."""
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
        self._socket.setblocking(False)

    def send(self, *states: str) -> bool:
        """Sends assignments like `READY=1` as one datagram; False if they did not get through."""
        try:
            self._socket.sendto("\n".join(states).encode(), self._address)
        except OSError as fault:
            log.warning("systemd was not told %s: %s", ", ".join(states), fault)
            return False
        return True

    def close(self) -> None:
        self._socket.close()


class Heartbeat:
    """One short file beside the matches, written over and over: the journal's disk takes what it is given."""

    def __init__(self, path: Path, now: Callable[[], datetime]) -> None:
        self.path = path
        self._now = now

    def __call__(self) -> None:
        """Writes the time and waits until it is on the disk. Raises OSError."""
        handle = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            line = self._now().isoformat(timespec="milliseconds").encode()
            os.pwrite(handle, line.ljust(HEARTBEAT_BYTES - 1) + b"\n", 0)
            os.fdatasync(handle)
        finally:
            os.close(handle)


class Watchdog:
    """Waits for a frame, then writes the heartbeat, then tells systemd; in a thread, since a bad disk makes it wait."""

    def __init__(self, notifier: Notifier, write_heartbeat: Callable[[], None], period: float) -> None:
        """`beat` writes a heartbeat or raises OSError; `period` in seconds from one sign of life to the next."""
        self._notifier, self._write_heartbeat, self._period = notifier, write_heartbeat, period
        self._frame, self._closed = Event(), Event()
        self._ready = False
        self._thread = Thread(target=self._watch, name="watchdog", daemon=True)

    def start(self) -> Watchdog:
        self._thread.start()
        return self

    def on_frame(self) -> None:
        """A frame is on the screen. Cheap, and called by whichever thread draws."""
        self._frame.set()

    def close(self) -> None:
        """The app ends by itself; a thread that waits for a broken disk does not keep it."""
        self._notifier.send(STOPPING)
        self._closed.set()
        self._frame.set()
        self._thread.join(timeout=1.0)
        if not self._thread.is_alive():
            self._notifier.close()

    def _watch(self) -> None:
        while self._frame.wait() and not self._closed.is_set():
            self._notify()
            self._closed.wait(self._period)
            self._frame.clear()  # the next sign needs a frame drawn after this one
            if self._closed.is_set():
                return

    def _notify(self) -> None:
        try:
            self._write_heartbeat()
        except OSError as fault:
            log.error("no heartbeat: %s", fault)
            return
        states = (ALIVE,) if self._ready else (READY, ALIVE)
        self._ready = self._notifier.send(*states) or self._ready


def watchdog(data: Path, now: Callable[[], datetime], environ: Mapping[str, str] = os.environ) -> Watchdog | None:
    """The watchdog that the environment asks for, started; None where nobody waits for signs of life.

    `data` is the folder of the matches.
    """
    address = environ.get(SOCKET_VARIABLE, "")
    if not address.startswith(("/", "@")):
        return None
    return Watchdog(Notifier(address), Heartbeat(data / "heartbeat", now), _notification_period_s(environ)).start()


def _notification_period_s(environ: Mapping[str, str]) -> float:
    """Seconds from sign to sign, by the time that systemd set for this very process."""
    is_for_this_process = environ.get(PROCESS_VARIABLE, "") in ("", str(os.getpid()))
    usec = environ.get(PERIOD_VARIABLE, "")
    return (
        int(usec) / 1e6 / NOTIFICATIONS_PER_TIMEOUT
        if is_for_this_process and usec.isdecimal() and int(usec) > 0
        else DEFAULT_PERIOD_S
    )
