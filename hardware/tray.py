"""The lit tray on its USB port. A separate thread finds, greets and reconnects it, so that no caller waits."""

from __future__ import annotations

import errno
import logging
import os
import secrets
import select
import termios
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import serial
from serial.tools import list_ports

from firmware import protocol
from hardware.ports import DeviceNews, Lid, Link, Moment, Moving, PanelPress, PressSource, Role, Show, Trouble

AUTO = "auto"
VENDOR, MICROPYTHON = 0x2E8A, 0x0005
"""USB ids of MicroPython on a Raspberry Pi Pico."""
BOOT_MODE = 0x0003
"""USB id of a Pico that waits for a UF2 file."""
MOST_AT_ONCE = 4096

TROUBLES = {
    errno.EACCES: Trouble.RIGHTS,
    errno.EPERM: Trouble.RIGHTS,
    errno.EBUSY: Trouble.BUSY,
    errno.EAGAIN: Trouble.BUSY,
    errno.ENOTTY: Trouble.FOREIGN,
    errno.EINVAL: Trouble.FOREIGN,
    errno.EISDIR: Trouble.FOREIGN,
}
"""Meaning of the errors on opening a port. Any other error means that the port is gone."""


class SerialPortError(Exception):
    """The port is unusable, with the reason."""

    def __init__(self, trouble: Trouble, detail: str) -> None:
        super().__init__(detail)
        self.trouble = trouble
        self.detail = detail


def find_port(port: str) -> str | None:
    """Return the port to open: the named one if it exists, or with `auto` the first board that may be a tray."""
    if port != AUTO:
        return port if Path(port).exists() else None
    found = sorted(info.device for info in list_ports.comports() if (info.vid, info.pid) == (VENDOR, MICROPYTHON))
    return found[0] if found else None


def waits_for_uf2(devices: Path = Path("/sys/bus/usb/devices")) -> bool:
    """Return True if a board without MicroPython, or in boot mode, is connected."""
    for entry in devices.glob("*/idVendor"):
        try:
            ids = [int((entry.parent / name).read_text(), 16) for name in ("idVendor", "idProduct")]
        except (OSError, ValueError):
            continue
        if ids == [VENDOR, BOOT_MODE]:
            return True
    return False


class SerialPort:
    """An open serial port."""

    def __init__(self, where: str) -> None:
        """Open the port. Raises: SerialPortError."""
        try:
            self._serial = serial.Serial(where, timeout=0, write_timeout=0, exclusive=True)
        except (OSError, ValueError, termios.error) as error:  # pyserial's exception is an OSError
            number = error.errno if isinstance(error, OSError) else None
            trouble = Trouble.FOREIGN if number is None else TROUBLES.get(number, Trouble.GONE)
            raise SerialPortError(trouble, str(error)) from error

    def exchange(self, to_send: bytes, wait: float, wake: int | None = None) -> tuple[bytes, bytes]:
        """Send and receive. Return the bytes received within `wait` seconds, and the unsent rest of `to_send`.

        Returns early when `wake` becomes readable.

        Raises: SerialPortError if the port is gone.
        """
        port = self._serial.fileno()
        reading = [port] if wake is None else [port, wake]
        try:
            readable, writable, _ = select.select(reading, [port] if to_send else [], [], wait)
            if writable:
                to_send = to_send[os.write(port, to_send) :]
            received = os.read(port, MOST_AT_ONCE) if port in readable else None
        except BlockingIOError:
            return b"", to_send
        except OSError as error:
            raise SerialPortError(Trouble.GONE, str(error)) from error
        if received == b"":
            raise SerialPortError(Trouble.GONE, "end of file")
        return received or b"", to_send

    def close(self) -> None:
        self._serial.close()


# Objects shared by the tray's thread and the polling thread: the news queue and the wake-up pipe.


MAX_PENDING_NEWS = 1000
"""Maximum queued news. The oldest are dropped."""

log = logging.getLogger(__name__)


class TrayNewsQueue:
    """Queue of the tray's news. Hints and the link are reported only on change."""

    def __init__(self, link: Link) -> None:
        self._lock = threading.Lock()
        self._news: deque[DeviceNews] = deque(maxlen=MAX_PENDING_NEWS)
        self._hints: dict[type[Moving | Lid], bool] = {Moving: False, Lid: False}
        self.link = link
        """The current link state."""

    def poll(self) -> Sequence[DeviceNews]:
        """Return the news since the last call, oldest first."""
        with self._lock:
            news = tuple(self._news)
            self._news.clear()
        return news

    def add(self, news: DeviceNews) -> None:
        """Queue news. A hint without a change is dropped."""
        if isinstance(news, Moving | Lid):
            on = news.on if isinstance(news, Moving) else news.open
            if self._hints[type(news)] == on:
                return
            self._hints[type(news)] = on
        with self._lock:
            self._news.append(news)

    def clear_hints(self, at: float) -> None:
        """Reset the hints: a lost tray neither moves nor is open."""
        for kind in tuple(self._hints):
            self.add(kind(False, at))

    def set_link(self, trouble: Trouble | None, where: str = "", detail: str = "") -> None:
        """Set the link online (no trouble) or offline. Without `where` the known location is kept."""
        before = self.link
        link = replace(before, online=trouble is None, name=where or before.name, trouble=trouble, detail=detail)
        if (link.online, link.trouble, link.name) != (before.online, before.trouble, before.name):
            log.info("tray %s: %s %s", link.name, link.trouble or "online", detail)
            self.link = link
            self.add(link)

    def close(self) -> None:
        """Discard all news and set the link offline."""
        self.poll()
        self.link = replace(self.link, online=False, trouble=Trouble.ABSENT)

    def add_detail(self, detail: str) -> None:
        """Add a diagnostic detail without changing the link state."""
        log.warning("tray: %s", detail)
        self.link = replace(self.link, detail=detail)
        self.add(self.link)


class WakePipe:
    """Wakes a thread that waits for bytes of a port: `read_end` becomes readable after `wake`."""

    def __init__(self) -> None:
        self.read_end, self._rope = os.pipe()
        os.set_blocking(self.read_end, False)
        os.set_blocking(self._rope, False)

    def wake(self) -> None:
        try:
            os.write(self._rope, b"\0")
        except OSError:  # full: the thread wakes anyway; closed: no thread is waiting
            log.debug("the tray's thread needs no bell")

    def clear(self) -> None:
        """Clear the wake-up signal."""
        try:
            while os.read(self.read_end, 100):
                pass
        except BlockingIOError:
            return

    def close(self) -> None:
        os.close(self._rope)
        os.close(self.read_end)


# Conversion between hardware values and the messages of `firmware.protocol`.


def to_tray(show: Show, moment: Moment | None) -> list[object]:
    """Return the message for this show. The tray has no lamps and no sound."""
    colours = bytes(part for colour in show.colours for part in colour)
    score = list(show.score) if show.score is not None else None
    return [protocol.SHOW, show.scene.value, show.reading, score, colours, moment.value if moment else None]


def roles_of(about: Mapping[str, object]) -> tuple[Role | None, ...]:
    """Return the roles of the tray's buttons, in its numbering; None for an unknown one."""
    named = about.get("buttons")
    if not isinstance(named, list):
        return ()
    known = {role.value: role for role in Role}
    return tuple(known.get(name) if isinstance(name, str) else None for name in named)


def from_tray(message: object, at: float, roles: Sequence[Role | None]) -> PanelPress | Moving | Lid | None:
    """Convert a message about an event at time `at`; None if it is not relevant here."""
    match message:
        case [protocol.PRESS, int(index), bool(held)] if 0 <= index < len(roles):
            role = roles[index]
            return PanelPress(role, held, PressSource.TRAY, at) if role is not None else None
        case [protocol.MOVING, bool(on)]:
            return Moving(on, at)
        case [protocol.LID, bool(opened)]:
            return Lid(opened, at)
    return None


def version_of(about: Mapping[str, object]) -> str:
    """Return the firmware's release for the user; empty if it gives none."""
    version = about.get("version")
    return version if isinstance(version, str) else ""


SEARCH_INTERVAL_S = 0.5
"""Seconds between two searches for a missing tray."""
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 8.0
"""Seconds before an unusable port is retried: first value and maximum, doubled each time."""
GREETING_SECONDS = 4.0
"""Timeout for the greeting of a newly opened tray. Longer than its start."""
FAREWELL_SECONDS = 0.5
"""Timeout for turning the lights off at the end."""
SETTLING_SECONDS = 0.5
"""Delay before the first greeting, whose bytes could interrupt a board that is about to run its firmware."""
BUSY_SECONDS, IDLE_SECONDS = 0.01, 0.2
"""Maximum wait for bytes while something is in transit, and otherwise."""


class SerialTray:
    """A `hardware.ports.Device`: the tray on a given port, or on the port where it is found (`auto`).

    `monotonic` is the clock, in seconds, for `at` in the news. A random number drawn at each start lets the tray
    distinguish a new host from one that was disconnected for a while.
    """

    def __init__(self, port: str = AUTO, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._port = port
        self._monotonic = monotonic
        self._protocol = protocol.SerialLink(secrets.randbits(52) | 1, {"name": "tapis-vert table"}, greets=True)
        self._lock = threading.Lock()
        self._news = TrayNewsQueue(Link(PressSource.TRAY, False, "" if port == AUTO else port, Trouble.ABSENT))
        self._wanted = Show()
        self._moment: Moment | None = None
        self._unsent = True
        self._roles: tuple[Role | None, ...] = ()
        self._starts = 0
        self._closing = threading.Event()
        self._wake_pipe = WakePipe()
        self._thread = threading.Thread(target=self._run, name="tray", daemon=True)

    def start(self) -> None:
        """Start the thread that finds the tray. Raises: ValueError for an empty port."""
        if not self._port:
            raise ValueError("the tray's port is empty")
        self._thread.start()

    def show(self, show: Show) -> None:
        with self._lock:
            if show == self._wanted and show.moment is None:
                return
            self._wanted, self._unsent = show, True
            if self._news.link.online:  # a moment that nobody saw is over
                self._moment = show.moment or self._moment
        self._wake_pipe.wake()

    def poll(self) -> Sequence[DeviceNews]:
        return self._news.poll()

    @property
    def link(self) -> Link:
        return self._news.link

    def close(self) -> None:
        """Turn the lights off and release the port within a second."""
        if self._closing.is_set():
            return
        self._closing.set()
        self._wake_pipe.wake()
        if self._thread.ident is not None:
            self._thread.join(2 * FAREWELL_SECONDS)
        if not self._thread.is_alive():
            self._wake_pipe.close()
            self._news.close()

    # The methods below run in the thread.

    def _run(self) -> None:
        pause = FIRST_PAUSE
        while not self._closing.is_set():
            where = find_port(self._port)
            if where is None:
                if self._news.link.trouble is not Trouble.GONE:  # stays reported as disconnected until it is back
                    self._news.set_link(Trouble.ABSENT)
                self._closing.wait(SEARCH_INTERVAL_S)
                pause = FIRST_PAUSE
                continue
            try:
                line = SerialPort(where)
                try:
                    self._communicate(line, where)
                finally:
                    line.close()
            except SerialPortError as error:
                pause = FIRST_PAUSE if self._news.link.online else pause
                self._news.clear_hints(self._monotonic())
                self._news.set_link(error.trouble, where, error.detail)
            self._closing.wait(pause)
            pause = min(LONGEST_PAUSE, 2 * pause)

    def _communicate(self, line: SerialPort, where: str) -> None:
        """Communicate with the tray until it is closed. Raises: SerialPortError when the line or the tray is lost."""
        self._protocol.reopened()
        opened, heard, unsent = self._monotonic(), False, b""
        while not self._closing.is_set():
            wait = IDLE_SECONDS if self._protocol.linked and not self._protocol.waiting else BUSY_SECONDS
            received, unsent = line.exchange(unsent, wait, self._wake_pipe.read_end)
            heard = heard or bool(received)
            if received:
                self._receive(received)
            self._wake_pipe.clear()
            self._check_link(where, self._monotonic() - opened, heard)
            if not unsent and self._monotonic() - opened >= SETTLING_SECONDS:
                self._offer_show()
                unsent = self._protocol.due(self._now())
        self._farewell(line, unsent)

    def _now(self) -> int:
        return int(self._monotonic() * 1000)

    def _receive(self, received: bytes) -> None:
        for message, milliseconds in self._protocol.feed(received, self._now()):
            if self._protocol.starts != self._starts:
                self._on_tray_restart()
            news = from_tray(message, milliseconds / 1000, self._roles)
            if news is not None:
                self._news.add(news)
            elif isinstance(message, list) and message[:1] in ([protocol.FAULT], [protocol.MISSED]):
                self._news.add_detail(": ".join(str(part) for part in message))
        if self._protocol.starts != self._starts:
            self._on_tray_restart()

    def _on_tray_restart(self) -> None:
        """Handle a restart of the tray: it has forgotten all earlier shows."""
        self._starts = self._protocol.starts
        self._roles = roles_of(self._protocol.peer_about)
        self._protocol.drop_pending()
        with self._lock:
            self._unsent, self._moment = True, None

    def _check_link(self, where: str, seconds: float, heard: bool) -> None:
        """Check whether the tray is present. Raises: SerialPortError if it is not."""
        version = self._protocol.peer_version
        if version not in (0, protocol.VERSION):
            raise SerialPortError(Trouble.VERSION, f"protocol {version}, here {protocol.VERSION}")
        if self._protocol.linked:
            if not self._news.link.online:
                about = self._protocol.peer_about
                with self._lock:
                    self._unsent, self._moment = True, None
                self._news.set_link(None, where, f"{about.get('name', '')} {version_of(about)}".strip())
        elif self._news.link.online:
            raise SerialPortError(Trouble.SILENT, f"nothing for {protocol.SILENCE / 1000:g} s")
        elif seconds > GREETING_SECONDS:
            raise SerialPortError(Trouble.FOREIGN if heard else Trouble.SILENT, "no greeting")

    def _offer_show(self) -> None:
        """Send the newest show after the previous one was received, so that at most one is out of date."""
        if not self._news.link.online or self._protocol.waiting:
            return
        with self._lock:
            if not self._unsent:
                return
            show, moment = self._wanted, self._moment
            self._unsent, self._moment = False, None
        self._protocol.offer(to_tray(show, moment), self._now())

    def _farewell(self, line: SerialPort, unsent: bytes) -> None:
        if not self._news.link.online:
            return
        self._protocol.offer(to_tray(Show(), None), self._now())
        end = self._monotonic() + FAREWELL_SECONDS
        while (self._protocol.waiting or unsent) and self._monotonic() < end:
            unsent = unsent or self._protocol.due(self._now())
            received, unsent = line.exchange(unsent, BUSY_SECONDS)
            self._receive(received)
