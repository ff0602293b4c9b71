"""Shows a source that has its own time (a recording, the simulated tray) at the speed of the clock on the wall."""

from __future__ import annotations

import time
from collections.abc import Callable

from vision.cameras.protocol import Camera, CameraLost, Clock, Frame
from vision.roll import CameraTrouble

LOST_STEP = 1 / 30
"""Seconds to wait when a source that cannot be waited for gives no frame."""


class Paced(Camera):
    """A source whose frames come when they are due; one that is late is shown at once and the rest is not hurried."""

    def __init__(
        self, source: Camera, clock: Clock = time.monotonic, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self.source = source
        self._clock = clock
        self._sleep = sleep
        self._start: float | None = None

    @property
    def trouble(self) -> CameraTrouble | None:
        return self.source.trouble

    def warm_up(self) -> None:
        self.source.warm_up()

    def open(self) -> None:
        self.source.open()
        self._start = None

    def frame(self, timeout: float) -> Frame:
        """The next frame, at its time."""
        try:
            frame = self.source.frame(timeout)
        except CameraLost:
            self._sleep(LOST_STEP)
            raise
        now = self._clock()
        if self._start is None or now - self._start > frame.t:
            self._start = now - frame.t
        else:
            self._sleep(frame.t - (now - self._start))
        return frame

    def let_in(self, share: float) -> bool:
        return self.source.let_in(share)

    def close(self) -> None:
        self.source.close()

    def describe(self) -> str:
        return self.source.describe()
