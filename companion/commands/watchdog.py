"""systemd watchdog: reports the table alive only after a drawn frame and a heartbeat on disk.

Uses the protocol of sd_notify(3): text datagrams to the socket named by `NOTIFY_SOCKET`. Without that variable the
watchdog is disabled.
"""

from __future__ import annotations

import errno
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
"""Notifications per systemd timeout: two may be late or lost."""
DEFAULT_PERIOD_S = 20.0
"""Seconds between two notifications if no timeout is set."""
NOT_CURED_BY_RESTART = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM})
"""Errors of the disk that stay after a restart. The app runs and says what is wrong, so it counts as alive."""
HEARTBEAT_BYTES = 64
"""Bytes of the heartbeat file. The size is fixed so that a full disk, which a restart would not fix, accepts it too."""


class Notifier:
    """The connection to systemd. `send` never blocks and never raises."""

    def __init__(self, address: str) -> None:
        """Open the socket. `address` as in `NOTIFY_SOCKET`: a path, or an abstract name after `@`."""
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
        self._socket.setblocking(False)

    def send(self, *states: str) -> bool:
        """Send assignments such as `READY=1` as one datagram. Returns False on failure."""
        try:
            self._socket.sendto("\n".join(states).encode(), self._address)
        except OSError as fault:
            log.warning("systemd was not told %s: %s", ", ".join(states), fault)
            return False
        return True

    def close(self) -> None:
        self._socket.close()


class Heartbeat:
    """A short file beside the matches that is overwritten repeatedly: shows that the journal's disk accepts writes."""

    def __init__(self, path: Path, now: Callable[[], datetime]) -> None:
        self.path = path
        self._now = now

    def __call__(self) -> None:
        """Write the time and wait until it is on disk. Raises: OSError."""
        handle = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            line = self._now().isoformat(timespec="milliseconds").encode()
            os.pwrite(handle, line.ljust(HEARTBEAT_BYTES - 1) + b"\n", 0)
            os.fdatasync(handle)
        finally:
            os.close(handle)


class Watchdog:
    """Waits for a frame, writes the heartbeat, then notifies systemd. Uses a thread, since a bad disk may block."""

    def __init__(self, notifier: Notifier, write_heartbeat: Callable[[], None], period: float) -> None:
        """Create the watchdog.

        - `write_heartbeat`: writes a heartbeat or raises OSError
        - `period`: seconds between two notifications
        """
        self._notifier, self._write_heartbeat, self._period = notifier, write_heartbeat, period
        self._frame, self._closed = Event(), Event()
        self._ready = False
        self._thread = Thread(target=self._watch, name="watchdog", daemon=True)

    def start(self) -> Watchdog:
        self._thread.start()
        return self

    def on_frame(self) -> None:
        """Record a drawn frame. Cheap; called by the drawing thread."""
        self._frame.set()

    def close(self) -> None:
        """Report a regular exit. Does not wait for a thread blocked by a broken disk."""
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
            self._frame.clear()  # the next notification needs a frame drawn after this one
            if self._closed.is_set():
                return

    def _notify(self) -> None:
        try:
            self._write_heartbeat()
        except OSError as fault:
            log.error("no heartbeat: %s", fault)
            if fault.errno not in NOT_CURED_BY_RESTART:
                return
        states = (ALIVE,) if self._ready else (READY, ALIVE)
        self._ready = self._notifier.send(*states) or self._ready


def watchdog(data: Path, now: Callable[[], datetime], environ: Mapping[str, str] = os.environ) -> Watchdog | None:
    """Start the watchdog that the environment requests; None if there is none.

    `data` is the folder of the matches.
    """
    address = environ.get(SOCKET_VARIABLE, "")
    if not address.startswith(("/", "@")):
        return None
    return Watchdog(Notifier(address), Heartbeat(data / "heartbeat", now), _notification_period_s(environ)).start()


def _notification_period_s(environ: Mapping[str, str]) -> float:
    """Return the seconds between notifications, from the timeout that systemd set for this process."""
    is_for_this_process = environ.get(PROCESS_VARIABLE, "") in ("", str(os.getpid()))
    usec = environ.get(PERIOD_VARIABLE, "")
    return (
        int(usec) / 1e6 / NOTIFICATIONS_PER_TIMEOUT
        if is_for_this_process and usec.isdecimal() and int(usec) > 0
        else DEFAULT_PERIOD_S
    )
