"""What the tray's thread tells whoever polls, and how it is woken: the two places where both threads meet."""

from __future__ import annotations

import logging
import os
import threading
from collections import deque
from collections.abc import Sequence
from dataclasses import replace

from hardware.ports import DeviceNews, Lid, Link, Moving, Trouble

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
