"""A device of which a test says what it tells, and which keeps what it was shown."""

from __future__ import annotations

from collections.abc import Sequence

from hardware.ports import DeviceNews, Link, Show, Source, Trouble


class Feeler:
    """In the place of a tray; `be` makes it come and go."""

    def __init__(self, online: bool = True, source: Source = Source.TRAY) -> None:
        self.source = source
        self.link = Link(source, online)
        self.coming: list[DeviceNews] = []
        self.shown: list[Show] = []

    def start(self) -> None:
        self.coming.append(self.link)

    def show(self, show: Show) -> None:
        self.shown.append(show)

    def poll(self) -> Sequence[DeviceNews]:
        coming, self.coming = self.coming, []
        return coming

    def be(self, online: bool) -> None:
        self.link = Link(self.source, online, trouble=None if online else Trouble.GONE)
        self.coming.append(self.link)

    def close(self) -> None:
        self.link = Link(self.source, False)
