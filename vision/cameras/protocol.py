"""What a source of frames is: the first stop on a roll's way, before anything is known of dice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from vision.roll import CameraTrouble

Picture = NDArray[np.uint8]
"""Height x width x 3, BGR, upright."""

Clock = Callable[[], float]
"""Seconds that never run backwards; `time.monotonic` outside tests."""


LEAST_LIGHT = 0.2
"""Of its usual light a camera lets in at least so much: what is burnt out then mirrors a lamp."""


class SourceError(Exception):
    """The source cannot be opened at all; the message is a sentence for the person who named it."""


class CameraLost(Exception):
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
    lets in (see `Camera.let_in`); `dimming`: it is just being changed, and the picture may be of any share.
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

    def let_in(self, share: float) -> bool:
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
