"""The lit tray on its USB port, in a thread of its own: found, greeted, lost and found again, and nobody waits."""

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
from hardware.ports import DeviceNews, Lid, Link, Moment, Moving, Press, Role, Show, Source, Trouble

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
"""What a port that does not open means; every other fault is a port that is gone."""


class LineError(Exception):
    """The port cannot be used, and why."""

    def __init__(self, trouble: Trouble, detail: str) -> None:
        super().__init__(detail)
        self.trouble = trouble
        self.detail = detail


def find(port: str) -> str | None:
    """The port to open: the one that is named, if it is there, or with `auto` the first board that could be a tray."""
    if port != AUTO:
        return port if Path(port).exists() else None
    found = sorted(info.device for info in list_ports.comports() if (info.vid, info.pid) == (VENDOR, MICROPYTHON))
    return found[0] if found else None


def waits_for_uf2(devices: Path = Path("/sys/bus/usb/devices")) -> bool:
    """Whether a board without MicroPython, or in its boot mode, is plugged in."""
    for entry in devices.glob("*/idVendor"):
        try:
            ids = [int((entry.parent / name).read_text(), 16) for name in ("idVendor", "idProduct")]
        except (OSError, ValueError):
            continue
        if ids == [VENDOR, BOOT_MODE]:
            return True
    return False


class Line:
    """An open port."""

    def __init__(self, where: str) -> None:
        """Raises LineError."""
        try:
            self._serial = serial.Serial(where, timeout=0, write_timeout=0, exclusive=True)
        except (OSError, ValueError, termios.error) as error:  # pyserial's own error is an OSError
            number = error.errno if isinstance(error, OSError) else None
            trouble = Trouble.FOREIGN if number is None else TROUBLES.get(number, Trouble.GONE)
            raise LineError(trouble, str(error)) from error

    def exchange(self, to_send: bytes, wait: float, wake: int | None = None) -> tuple[bytes, bytes]:
        """What came within `wait` seconds, and what of `to_send` could not be sent yet. Ends early when `wake` can be
        read. Raises LineError when the port is gone."""
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
            raise LineError(Trouble.GONE, str(error)) from error
        if received == b"":
            raise LineError(Trouble.GONE, "end of file")
        return received or b"", to_send

    def close(self) -> None:
        self._serial.close()


# What the tray's thread tells whoever polls, and how it is woken: the two places where both threads meet.


MOST = 1000
"""News that wait to be polled; of more the oldest go."""

log = logging.getLogger(__name__)


class TrayNews:
    """The tray's news in order: hints and the link are told when they change only."""

    def __init__(self, link: Link) -> None:
        self._lock = threading.Lock()
        self._news: deque[DeviceNews] = deque(maxlen=MOST)
        self._hints: dict[type[Moving | Lid], bool] = {Moving: False, Lid: False}
        self.link = link
        """How the tray is now."""

    def poll(self) -> Sequence[DeviceNews]:
        """What was told since the last call, oldest first."""
        with self._lock:
            news = tuple(self._news)
            self._news.clear()
        return news

    def tell(self, news: DeviceNews) -> None:
        """A hint that says nothing new is left out."""
        if isinstance(news, Moving | Lid):
            on = news.on if isinstance(news, Moving) else news.open
            if self._hints[type(news)] == on:
                return
            self._hints[type(news)] = on
        with self._lock:
            self._news.append(news)

    def hints_off(self, at: float) -> None:
        """A tray that is lost neither moves nor is open, as far as anybody knows."""
        for kind in tuple(self._hints):
            self.tell(kind(False, at))

    def link_is(self, trouble: Trouble | None, where: str = "", detail: str = "") -> None:
        """In use (no trouble) or not; without `where` at the place known so far."""
        before = self.link
        link = replace(before, online=trouble is None, name=where or before.name, trouble=trouble, detail=detail)
        if (link.online, link.trouble, link.name) != (before.online, before.trouble, before.name):
            log.info("tray %s: %s %s", link.name, link.trouble or "online", detail)
            self.link = link
            self.tell(link)

    def closed(self) -> None:
        """Nothing is told any more."""
        self.poll()
        self.link = replace(self.link, online=False, trouble=Trouble.ABSENT)

    def noted(self, detail: str) -> None:
        """Something for the diagnostic, the link being as it was."""
        log.warning("tray: %s", detail)
        self.link = replace(self.link, detail=detail)
        self.tell(self.link)


class Bell:
    """Wakes a thread that waits for bytes of a port: `woken` can be read once it was rung."""

    def __init__(self) -> None:
        self.woken, self._rope = os.pipe()
        os.set_blocking(self.woken, False)
        os.set_blocking(self._rope, False)

    def ring(self) -> None:
        try:
            os.write(self._rope, b"\0")
        except OSError:  # full: it wakes anyway; closed: nobody is there to be woken
            log.debug("the tray's thread needs no bell")

    def heard(self) -> None:
        """Silent again."""
        try:
            while os.read(self.woken, 100):
                pass
        except BlockingIOError:
            return

    def close(self) -> None:
        os.close(self._rope)
        os.close(self.woken)


# What host and tray say to each other, in the house's words and in the messages of `firmware.protocol`.


def to_tray(show: Show, moment: Moment | None) -> list[object]:
    """The message that shows this. Lamps and sound are not the tray's."""
    colours = bytes(part for colour in show.colours for part in colour)
    score = list(show.score) if show.score is not None else None
    return [protocol.SHOW, show.scene.value, show.reading, score, colours, moment.value if moment else None]


def roles_of(about: Mapping[str, object]) -> tuple[Role | None, ...]:
    """The roles of the buttons as the tray numbers them; None for one that this host does not know."""
    named = about.get("buttons")
    if not isinstance(named, list):
        return ()
    known = {role.value: role for role in Role}
    return tuple(known.get(name) if isinstance(name, str) else None for name in named)


def from_tray(message: object, at: float, roles: Sequence[Role | None]) -> Press | Moving | Lid | None:
    """What a message says that happened `at`; None for one that says nothing to the house."""
    match message:
        case [protocol.PRESS, int(index), bool(held)] if 0 <= index < len(roles):
            role = roles[index]
            return Press(role, held, Source.TRAY, at) if role is not None else None
        case [protocol.MOVING, bool(on)]:
            return Moving(on, at)
        case [protocol.LID, bool(opened)]:
            return Lid(opened, at)
    return None


def version_of(about: Mapping[str, object]) -> str:
    """The firmware's release, for people; empty where it says none."""
    version = about.get("version")
    return version if isinstance(version, str) else ""


LOOK_SECONDS = 0.5
"""Between two looks for a tray that is not there."""
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 8.0
"""Seconds before a port that could not be used is tried again; doubled each time."""
GREETING_SECONDS = 4.0
"""How long a tray that was just opened may take to answer: longer than its start."""
FAREWELL_SECONDS = 0.5
"""How long lights out may take at the end."""
SETTLING_SECONDS = 0.5
"""Before the first greeting: the bytes of one could interrupt a board that is just about to run its firmware."""
BUSY_SECONDS, IDLE_SECONDS = 0.01, 0.2
"""Longest wait for bytes while something is on its way, and otherwise."""


class SerialTray:
    """A `hardware.ports.Device`: the tray on a port, or on whichever port it turns up (`auto`).

    `monotonic` is the steady clock in seconds that `at` of the news is told in. By a number drawn at each start the
    tray tells a new host from one that was away for a while.
    """

    def __init__(self, port: str = AUTO, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._port = port
        self._monotonic = monotonic
        self._protocol = protocol.Link(secrets.randbits(52) | 1, {"name": "tapis-vert table"}, greets=True)
        self._lock = threading.Lock()
        self._news = TrayNews(Link(Source.TRAY, False, "" if port == AUTO else port, Trouble.ABSENT))
        self._wanted = Show()
        self._moment: Moment | None = None
        self._unsent = True
        self._roles: tuple[Role | None, ...] = ()
        self._starts = 0
        self._closing = threading.Event()
        self._bell = Bell()
        self._thread = threading.Thread(target=self._run, name="tray", daemon=True)

    def start(self) -> None:
        """Begins; the tray is found in the background. Raises ValueError for an empty port."""
        if not self._port:
            raise ValueError("the tray's port is empty")
        self._thread.start()

    def show(self, show: Show) -> None:
        with self._lock:
            if show == self._wanted and show.moment is None:
                return
            self._wanted, self._unsent = show, True
            if self._news.link.online:  # what happened while nobody saw it is over
                self._moment = show.moment or self._moment
        self._bell.ring()

    def poll(self) -> Sequence[DeviceNews]:
        return self._news.poll()

    @property
    def link(self) -> Link:
        return self._news.link

    def close(self) -> None:
        """Lights out and the port given back, within a second."""
        if self._closing.is_set():
            return
        self._closing.set()
        self._bell.ring()
        if self._thread.ident is not None:
            self._thread.join(2 * FAREWELL_SECONDS)
        if not self._thread.is_alive():
            self._bell.close()
            self._news.closed()

    # What follows runs in the thread.

    def _run(self) -> None:
        pause = FIRST_PAUSE
        while not self._closing.is_set():
            where = find(self._port)
            if where is None:
                if self._news.link.trouble is not Trouble.GONE:  # it stays told as taken away until it is back
                    self._news.link_is(Trouble.ABSENT)
                self._closing.wait(LOOK_SECONDS)
                pause = FIRST_PAUSE
                continue
            try:
                line = Line(where)
                try:
                    self._talk(line, where)
                finally:
                    line.close()
            except LineError as error:
                pause = FIRST_PAUSE if self._news.link.online else pause
                self._news.hints_off(self._monotonic())
                self._news.link_is(error.trouble, where, error.detail)
            self._closing.wait(pause)
            pause = min(LONGEST_PAUSE, 2 * pause)

    def _talk(self, line: Line, where: str) -> None:
        """Until the end of this tray. Raises LineError when the line or the tray is lost."""
        self._protocol.reopened()
        opened, heard, unsent = self._monotonic(), False, b""
        while not self._closing.is_set():
            wait = IDLE_SECONDS if self._protocol.linked and not self._protocol.waiting else BUSY_SECONDS
            received, unsent = line.exchange(unsent, wait, self._bell.woken)
            heard = heard or bool(received)
            if received:
                self._hear(received)
            self._bell.heard()
            self._judge(where, self._monotonic() - opened, heard)
            if not unsent and self._monotonic() - opened >= SETTLING_SECONDS:
                self._say()
                unsent = self._protocol.due(self._now())
        self._farewell(line, unsent)

    def _now(self) -> int:
        return int(self._monotonic() * 1000)

    def _hear(self, received: bytes) -> None:
        for message, milliseconds in self._protocol.feed(received, self._now()):
            if self._protocol.starts != self._starts:
                self._greeted()
            news = from_tray(message, milliseconds / 1000, self._roles)
            if news is not None:
                self._news.tell(news)
            elif isinstance(message, list) and message[:1] in ([protocol.FAULT], [protocol.MISSED]):
                self._news.noted(": ".join(str(part) for part in message))
        if self._protocol.starts != self._starts:
            self._greeted()

    def _greeted(self) -> None:
        """Another start of the tray, which knows nothing of what the last one was told."""
        self._starts = self._protocol.starts
        self._roles = roles_of(self._protocol.peer_about)
        self._protocol.forget()
        with self._lock:
            self._unsent, self._moment = True, None

    def _judge(self, where: str, seconds: float, heard: bool) -> None:
        """Whether the tray is there. Raises LineError when it is not."""
        version = self._protocol.peer_version
        if version not in (0, protocol.VERSION):
            raise LineError(Trouble.VERSION, f"protocol {version}, here {protocol.VERSION}")
        if self._protocol.linked:
            if not self._news.link.online:
                about = self._protocol.peer_about
                with self._lock:
                    self._unsent, self._moment = True, None
                self._news.link_is(None, where, f"{about.get('name', '')} {version_of(about)}".strip())
        elif self._news.link.online:
            raise LineError(Trouble.SILENT, f"nothing for {protocol.SILENCE / 1000:g} s")
        elif seconds > GREETING_SECONDS:
            raise LineError(Trouble.FOREIGN if heard else Trouble.SILENT, "no greeting")

    def _say(self) -> None:
        """Offers the newest show once the last one has come: so that at most one is ever out of date."""
        if not self._news.link.online or self._protocol.waiting:
            return
        with self._lock:
            if not self._unsent:
                return
            show, moment = self._wanted, self._moment
            self._unsent, self._moment = False, None
        self._protocol.offer(to_tray(show, moment), self._now())

    def _farewell(self, line: Line, unsent: bytes) -> None:
        if not self._news.link.online:
            return
        self._protocol.offer(to_tray(Show(), None), self._now())
        end = self._monotonic() + FAREWELL_SECONDS
        while (self._protocol.waiting or unsent) and self._monotonic() < end:
            unsent = unsent or self._protocol.due(self._now())
            received, unsent = line.exchange(unsent, BUSY_SECONDS)
            self._hear(received)
