"""Picture faults: a camera that delivers pictures in which no die can be seen, because they are black, white, noisy or
always the same one.

A reading of such a picture would be a guess. `PictureFaults` says of every frame whether it may be read, and reports a
fault that lasts.
"""

from __future__ import annotations

from enum import StrEnum
from math import sqrt

import cv2
import numpy as np

from vision.cameras.protocol import Frame
from vision.detection.exposure import noise_level
from vision.pictures import Picture
from vision.roll import CameraTrouble
from vision.watching.motion import BLACK_MEAN, BLACK_SPREAD, HEIGHT, WIDTH

FAULT_AFTER_S = 1.5
"""Seconds after which a fault is reported: longer than a hand passes the lens, and reported within three seconds."""

SEEN_AGAIN_AFTER_S = 0.5
"""Seconds of good pictures after which a fault is over."""

MAX_NOISE = 20.0
"""Noise (standard deviation in grey levels) above which a picture is not read, at a size of 320 x 240.

It corresponds to 40 levels in a picture of 640 x 480. Faces with symbols become doubtful there.
"""

_CLIPPED = 250
"""Level of a clipped channel, of 255."""

_CLIPPED_SHARE = 0.95
"""Minimum share of pixels with a clipped channel in a white picture: hardly a colour is left."""

_FLAT = 16.0
"""Maximum spread (standard deviation in grey levels) of a white picture.

Shutters that are open 64 times too long lead to it, and dice begin to vanish. A lit tray with dice has over 20.
"""


class FrameUse(StrEnum):
    """What a frame is good for."""

    READ = "read"
    """It shows the tray."""

    REPEATED = "repeated"
    """It is the previous frame again, and says nothing about the tray now."""

    UNSEEN = "unseen"
    """It shows nothing: dice may be moved, added or taken meanwhile."""


class PictureFaults:
    """Judge of one camera's frames. `reported` is the fault that lasts, None if the tray can be seen."""

    def __init__(self, may_repeat: bool = False) -> None:
        """Create a judge. `may_repeat`: equal frames are no fault, as in a recording."""
        self.reported: CameraTrouble | None = None
        self._may_repeat = may_repeat
        self._last: Picture | None = None
        self._fault: CameraTrouble | None = None
        self._changed_at = 0.0
        self._bad_since: float | None = None
        self._good_since: float | None = None
        self._same_fault_since = 0.0

    def on_frame(self, frame: Frame) -> FrameUse:
        """Judge the next frame and update `reported`. Frames during a light change of the camera are not judged."""
        if frame.dimming:
            self._last = None
            return FrameUse.READ
        small = _small(frame)
        last, self._last = self._last, small
        repeated = last is not None and not self._may_repeat and np.array_equal(small, last)
        if not repeated:
            self._changed_at = frame.t
        fault = self._fault if repeated else fault_of(small, last)
        if repeated and fault is None and frame.t - self._changed_at >= FAULT_AFTER_S:
            fault = CameraTrouble.FROZEN
        self._follow(fault, frame.t)
        if fault is not None:
            return FrameUse.UNSEEN
        return FrameUse.REPEATED if repeated else FrameUse.READ

    def _follow(self, fault: CameraTrouble | None, t: float) -> None:
        """Update the reported fault with that of the frame at second `t`."""
        if fault is not self._fault:
            self._same_fault_since = t
        self._fault = fault
        if fault is None:
            self._good_since = t if self._good_since is None else self._good_since
            if t - self._good_since >= SEEN_AGAIN_AFTER_S:
                self.reported = self._bad_since = None
            return
        self._good_since = None
        self._bad_since = t if self._bad_since is None else self._bad_since
        if self.reported is None:
            lasts = t - self._bad_since >= FAULT_AFTER_S
        else:
            lasts = t - self._same_fault_since >= FAULT_AFTER_S
        if lasts or fault is CameraTrouble.FROZEN:
            self.reported = fault


def fault_of(small: Picture, last: Picture | None = None) -> CameraTrouble | None:
    """Return the fault of a small picture (HEIGHT x WIDTH x 3), None if the tray can be seen.

    `last` is the picture before, without which noise is not known.
    """
    mean, spread = (float(levels.mean()) for levels in cv2.meanStdDev(cv2.blur(small, (3, 3))))
    if mean < BLACK_MEAN and spread < BLACK_SPREAD:
        return CameraTrouble.BLACK
    if spread < _FLAT and _clipped_share(small) >= _CLIPPED_SHARE:
        return CameraTrouble.WHITE
    if last is not None and temporal_noise(small, last) > MAX_NOISE:
        return CameraTrouble.NOISY
    return None


def temporal_noise(now: Picture, before: Picture) -> float:
    """Return the noise (standard deviation in grey levels) of two pictures of one size.

    Only differences from pixel to pixel count, so that light, hands and dice that move add little.
    """
    green, earlier = cv2.extractChannel(now, 1), cv2.extractChannel(before, 1)
    return noise_level(np.asarray(cv2.subtract(green, earlier, dtype=cv2.CV_32F), np.float32)) / sqrt(2.0)


def _clipped_share(small: Picture) -> float:
    """Return the share of pixels with a clipped channel."""
    return float((small.max(2) >= _CLIPPED).mean())


def _small(frame: Frame) -> Picture:
    source = frame.picture if frame.small is None else frame.small
    return np.asarray(cv2.resize(source, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA), np.uint8)
