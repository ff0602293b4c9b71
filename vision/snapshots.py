"""Pictures for the table: a settled roll with its JPEG evidence, and the tray as it is."""

from __future__ import annotations

import cv2
import numpy as np

from vision.cameras.protocol import Picture
from vision.roll import Box, SeenRoll, TrayPicture
from vision.watch import Settled

CROP = 160
"""Longest side of a die's picture in pixels."""

TRAY = 640
"""Longest side of the tray's picture in pixels."""

ROLL = 1280
"""Longest side of a settled roll's picture: large enough to be read again when players say that it was misread."""

MARGIN = 0.3
"""What is shown around a die, as a share of its size on each side."""

QUALITY = 85


def jpeg(picture: Picture, longest: int) -> bytes:
    """The picture as JPEG, made smaller if its longer side exceeds `longest` pixels; nothing for an empty picture."""
    if not picture.size:
        return b""
    scale = longest / max(picture.shape[:2])
    if scale < 1:
        picture = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return data.tobytes()


def crop(picture: Picture, box: Box) -> Picture:
    """The part of the picture that shows the box with a margin, as far as it lies in the picture."""
    x, y, width, height = box
    margin = MARGIN * max(width, height)
    left, top = max(0, int(x - margin)), max(0, int(y - margin))
    return picture[top : max(0, int(y + height + margin) + 1), left : max(0, int(x + width + margin) + 1)]


def seen_roll(settled: Settled) -> SeenRoll:
    """A settled roll as the table gets it. Its boxes stay in pixels of the picture that was read, whatever the JPEG's
    size."""
    crops = tuple(jpeg(crop(settled.picture, die.box), CROP) for die in settled.roll.dice)
    height, width = settled.picture.shape[:2]
    return SeenRoll(settled.roll, jpeg(settled.picture, ROLL), crops, (width, height))


def tray_picture(picture: Picture) -> TrayPicture:
    """The tray for the screen."""
    return TrayPicture(jpeg(picture, TRAY))
