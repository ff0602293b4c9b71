"""The lit tray on its USB port, in a thread of its own: found, greeted, lost and found again, and nobody waits."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Sequence

from firmware import protocol
from hardware.ports import DeviceNews, Link, Moment, Role, Show, Source, Trouble
from hardware.tray_line import AUTO, Line, LineError, find
from hardware.tray_news import Bell, TrayNews
from hardware.tray_words import from_tray, roles_of, to_tray, version_of

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

    `monotonic` is the steady clock in seconds that `at` of the news is told in; `boot` a number from 1 to 2**53 that no
    other start of this program has, by which the tray tells a new host from one that was away for a while.
    """

    def __init__(
        self, port: str = AUTO, monotonic: Callable[[], float] = time.monotonic, boot: int | None = None
    ) -> None:
        self._port = port
        self._monotonic = monotonic
        self._protocol = protocol.Link(boot or secrets.randbits(52) | 1, {"name": "tapis-vert table"}, greets=True)
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
