"""What a source of frames is: the first stop on a roll's way, before anything is known of dice."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self

import cv2
import numpy as np

from vision.messages import VisionError
from vision.pictures import Picture
from vision.roll import CameraTrouble

Clock = Callable[[], float]
"""Seconds that never run backwards; `time.monotonic` outside tests."""


LOST_STEP = 1 / 30
"""Seconds to wait when a source that cannot be waited for gives no frame."""

LEAST_LIGHT = 0.2
"""Of its usual light a camera lets in at least so much: what is burnt out then mirrors a lamp."""


class SourceError(VisionError):
    """The source cannot be opened at all; the message is a sentence for the person who named it."""


class CameraLost(VisionError):
    """No frame came in time. The source may come back: asking for the next frame is always allowed."""


class CameraStuck(CameraLost):
    """Nothing came for so long, or the driver is in such a state, that only a new process can help."""


class EndOfSource(Exception):
    """A recorded source has shown its last frame."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of a moving source.

    `t` is in seconds from the start of the source, `sequence` counts from 0 and skips what was dropped; `small` is the
    camera's own small copy of the picture, where it makes one. `dimmed` is the share of its usual light that the camera
    lets in (see `Camera.limit_light`); `dimming`: it is just being changed, and the picture may be of any share.
    """

    picture: Picture
    t: float
    sequence: int
    small: Picture | None = None
    dimmed: float = 1.0
    dimming: bool = False


class Camera(Protocol):
    """A source of frames: opened, asked for one frame after the other, closed; a closed one may be opened again."""

    live: bool = False
    """Whether its frames come as they happen. Others have a time of their own, and are asked for when they are due."""

    @property
    def trouble(self) -> CameraTrouble | None:
        """What a camera that gives frames does not do as it was told."""
        return None

    def warm_up(self) -> None:
        """Do beforehand what takes time and needs no device, such as loading a driver's library. Raises nothing."""
        return

    def open(self) -> None:
        """Make the source ready. Raises SourceError if that does not work now; trying again later is allowed."""

    def frame(self, timeout: float) -> Frame:
        """The next frame, waiting `timeout` seconds at most.

        Raises CameraLost if none came in that time, EndOfSource after the last frame of a recording.
        """
        ...

    def limit_light(self, share: float) -> bool:
        """Let in this share of the usual light from the next frames on, and hold it. False, and nothing happens, for a
        camera that cannot, or for less than LEAST_LIGHT."""
        return False

    def close(self) -> None:
        """Let go of the device or file; closing twice is allowed. Never waits for a hung driver."""

    def describe(self) -> str:
        """The source in a few words for a person: what it is and where it comes from."""
        ...

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


_TURNS: Mapping[int, int | None] = {
    0: None,
    90: cv2.ROTATE_90_CLOCKWISE,
    180: cv2.ROTATE_180,
    270: cv2.ROTATE_90_COUNTERCLOCKWISE,
}


def turned(picture: Picture, degrees: int) -> Picture:
    """The picture turned with the clock by 0, 90, 180 or 270 degrees. Raises KeyError for others."""
    turn = _TURNS[degrees]
    return picture if turn is None else np.asarray(cv2.rotate(picture, turn), np.uint8)


class ForwardingCamera(Camera):
    """Stands before another camera, `source`; what it does not change it hands on."""

    def __init__(self, source: Camera) -> None:
        self.source = source

    @property
    def trouble(self) -> CameraTrouble | None:
        return self.source.trouble

    def warm_up(self) -> None:
        self.source.warm_up()

    def open(self) -> None:
        self.source.open()

    def limit_light(self, share: float) -> bool:
        return self.source.limit_light(share)

    def close(self) -> None:
        self.source.close()

    def describe(self) -> str:
        return self.source.describe()


class Paced(ForwardingCamera):
    """Shows a source that has its own time (a recording, the simulated tray) at the speed of the clock on the wall: a
    frame comes when it is due; one that is late is shown at once and the rest is not hurried."""

    def __init__(
        self, source: Camera, clock: Clock = time.monotonic, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        super().__init__(source)
        self._clock = clock
        self._sleep = sleep
        self._start: float | None = None

    def open(self) -> None:
        super().open()
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
