"""One photograph from the camera of the table, for the catalogue of cards."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import cv2

from vision import dice_sets
from vision.cameras.protocol import CameraLost, EndOfSource, SourceError
from vision.cameras.sources import camera_of
from vision.pictures import Picture

PATIENCE = 4.0
"""Seconds within which a camera must have given a picture."""
SETTLING = 6
"""Frames let pass while the camera finds its light."""
QUALITY = 90


def photographer(source: str, eyeless: frozenset[str]) -> Callable[[], bytes] | None:
    """What takes a picture from a source; None for those that are no camera (`eyeless`)."""
    if source in eyeless:
        return None
    return lambda: photograph(source)


def _settled(source: str) -> Picture:
    """The camera's picture once it has found its light; a shorter recording's last one."""
    with camera_of(source, dice_sets.load("pips")) as camera:
        picture = camera.frame(PATIENCE).picture
        with suppress(EndOfSource):
            for _ in range(SETTLING):
                picture = camera.frame(PATIENCE).picture
    return picture


def photograph(source: str) -> bytes:
    """A JPEG of what the camera sees now. Waits for it; raises OSError if it does not answer."""
    try:
        picture = _settled(source)
    except (CameraLost, EndOfSource, SourceError) as fault:
        raise OSError(str(fault) or source) from fault
    written, jpeg = cv2.imencode(".jpg", picture, (cv2.IMWRITE_JPEG_QUALITY, QUALITY))
    if not written:
        raise OSError(f"{source}: the picture could not be written")
    return bytes(jpeg.tobytes())
