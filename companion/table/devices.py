"""The panel and the tray of a table, spoken to together: whatever is broken breaks itself only."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from companion.games.base import Message
from hardware.ports import Device, DeviceNews, Link, Show, Source

log = logging.getLogger(__name__)


class Devices:
    """For as long as the app is open; matches come and go. No call blocks or raises."""

    def __init__(self, devices: Sequence[Device] = ()) -> None:
        self._devices = tuple(devices)
        self._shown = Show()
        self._were: dict[Source, bool] = {}
        self._failed: set[str] = set()

    @property
    def links(self) -> tuple[Link, ...]:
        """How each device is."""
        return tuple(device.link for device in self._devices)

    @property
    def has_button(self) -> bool:
        """Whether there is a real button to press."""
        return any(link.online and not link.simulated for link in self.links)

    @property
    def missed(self) -> tuple[Link, ...]:
        """The devices that were there and are not."""
        return tuple(link for link in self.links if not link.online and link.source in self._were)

    def changed(self, link: Link) -> Message | None:
        """What players are told of a device that is otherwise now. One that never came is not missed."""
        before = self._were.get(link.source)
        if link.simulated or (before is None and not link.online):
            return None
        self._were[link.source] = link.online
        if before is None or before == link.online:
            return None
        return Message(f"button.{link.source}_{'back' if link.online else 'gone'}")

    def start(self) -> None:
        """Begins with every device."""
        for device in self._devices:
            self._guarded(device.start)

    def show(self, show: Show) -> None:
        """What is to be seen from now on; a value that stands already is not sent again, but for its moment."""
        if show.moment is None and show == self._shown:
            return
        self._shown = replace(show, moment=None)
        for device in self._devices:
            self._guarded(partial(device.show, show))

    @property
    def shown(self) -> Show:
        """What stands now, moments left out."""
        return self._shown

    def poll(self) -> list[DeviceNews]:
        """What happened since the last call, device by device."""
        news: list[DeviceNews] = []
        for device in self._devices:
            self._guarded(partial(_gather, device, news))
        return news

    def close(self) -> None:
        """Lights out."""
        for device in self._devices:
            self._guarded(device.close)

    def _guarded(self, act: Callable[[], object]) -> None:
        try:
            act()
        except Exception as fault:
            if str(fault) not in self._failed:  # told once: it may fail thirty times a second
                self._failed.add(str(fault))
                log.exception("a device failed")


def _gather(device: Device, news: list[DeviceNews]) -> None:
    news.extend(device.poll())
