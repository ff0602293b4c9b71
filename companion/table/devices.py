"""The panel and the tray of a table, spoken to together: whatever is broken breaks itself only."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from hardware.ports import Device, DeviceNews, Link, Show

log = logging.getLogger(__name__)


class Devices:
    """For as long as the app is open; matches come and go. No call blocks or raises."""

    def __init__(self, devices: Sequence[Device] = ()) -> None:
        self._devices = tuple(devices)
        self._shown = Show()
        self._failed: set[str] = set()

    @property
    def links(self) -> tuple[Link, ...]:
        """How each device is."""
        return tuple(device.link for device in self._devices)

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
