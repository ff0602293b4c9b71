"""The camera interface: sources of frames, which know nothing of dice."""

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
"""Monotonic seconds; `time.monotonic` outside tests."""


LOST_STEP = 1 / 30
"""Seconds to wait when a source that does not block gives no frame."""

MIN_LIGHT_SHARE = 0.2
"""Minimum share of its usual light that a camera lets in. Pixels that still clip then are reflections of a lamp."""


class SourceError(VisionError):
    """The source cannot be opened. The message is a sentence for the user who named it."""


class CameraLost(VisionError):
    """No frame arrived in time. The source may come back: the caller may always ask for the next frame."""


class CameraStuck(CameraLost):
    """The source gave nothing for so long, or its driver is in such a state, that only a new process can help."""


class EndOfSource(Exception):
    """A recorded source has no more frames."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One image of a source.

    - `t`: seconds from the start of the source.
    - `sequence`: frame number from 0, which also counts dropped frames.
    - `small`: the camera's own small copy of the image, if it makes one.
    - `dimmed`: share of its usual light that the camera lets in (see `Camera.limit_light`).
    - `dimming`: the light is changing now, and the image may have any share.
    """

    picture: Picture
    t: float
    sequence: int
    small: Picture | None = None
    dimmed: float = 1.0
    dimming: bool = False


class Camera(Protocol):
    """A source of frames. It is opened, read frame by frame, and closed. A closed source may be opened again."""

    live: bool = False
    """True if frames arrive in real time. Other sources have their own time and are read when a frame is due."""

    @property
    def is_recorded(self) -> bool:
        """True if the frames come from files, where equal frames may follow each other."""
        return False

    @property
    def trouble(self) -> CameraTrouble | None:
        """The setting that a camera does not keep although it delivers frames."""
        return None

    def warm_up(self) -> None:
        """Do slow preparation that needs no device, such as loading a driver library. Raises nothing."""
        return

    def open(self) -> None:
        """Make the source ready. Raises: SourceError if this fails now; the caller may try again later."""

    def frame(self, timeout: float) -> Frame:
        """Return the next frame within `timeout` seconds.

        Raises: CameraLost if none arrived in that time, EndOfSource after the last frame of a recording.
        """
        ...

    def limit_light(self, share: float) -> bool:
        """Set and hold this share of the usual light, from the next frames on.

        Returns False and does nothing if the camera cannot do this, or for less than MIN_LIGHT_SHARE.
        """
        return False

    def close(self) -> None:
        """Release the device or file. May be called twice. Never waits for a hung driver."""

    def describe(self) -> str:
        """Return a short description of the source for the user: its type and origin."""
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


def rotate_clockwise(picture: Picture, degrees: int) -> Picture:
    """Return the image rotated clockwise by 0, 90, 180 or 270 degrees. Raises: KeyError for other angles."""
    rotation = _TURNS[degrees]
    return picture if rotation is None else np.asarray(cv2.rotate(picture, rotation), np.uint8)


class ForwardingCamera(Camera):
    """Wrapper around another camera, `source`. Forwards everything that a subclass does not override."""

    def __init__(self, source: Camera) -> None:
        self.source = source

    @property
    def is_recorded(self) -> bool:
        return self.source.is_recorded

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
    """Wrapper that plays a source with its own time (a recording, the simulated tray) in real time.

    A frame is returned when it is due. A late frame is returned at once, and later frames keep their distance to it.
    """

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
        """Return the next frame when it is due."""
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
