"""A fake tray device with scripted news that records the displayed scenes."""

from __future__ import annotations

from collections.abc import Sequence

from hardware.ports import DeviceNews, Link, PressSource, Show, Trouble


class FakeDevice:
    """Replaces a tray; `be` connects and disconnects it."""

    def __init__(self, online: bool = True, source: PressSource = PressSource.TRAY) -> None:
        self.source = source
        self.link = Link(source, online)
        self.coming: list[DeviceNews] = []
        self.shows: list[Show] = []

    def start(self) -> None:
        self.coming.append(self.link)

    def show(self, show: Show) -> None:
        self.shows.append(show)

    def poll(self) -> Sequence[DeviceNews]:
        coming, self.coming = self.coming, []
        return coming

    def be(self, online: bool) -> None:
        self.link = Link(self.source, online, trouble=None if online else Trouble.GONE)
        self.coming.append(self.link)

    def close(self) -> None:
        self.link = Link(self.source, False)
