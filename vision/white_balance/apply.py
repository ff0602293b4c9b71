"""Frees a picture of the light's colour, with one table look-up a channel value."""

from __future__ import annotations

import cv2
import numpy as np

from vision.pictures import Picture
from vision.white_balance.light import decode, encode

_KNEE = 0.92
"""From this pixel value on a channel that is made darker bends back to full: what is burnt out stays white."""


def balanced(picture: Picture, gains: tuple[float, float, float]) -> Picture:
    """`picture` (height, width, 3, BGR) with its linear blue, green and red multiplied by `gains`; the old one stays.

    Values above the brightest become the brightest. A channel that is burnt out carries no colour: it stays burnt out
    also where its gain is below one, so that the reflection of a lamp on a die does not take a colour.
    """
    levels = np.arange(256) / 255
    table = np.empty((1, 256, 3), np.uint8)
    for channel, gain in enumerate(gains):
        curve = encode(decode(levels) * gain)
        if gain < 1:
            start = float(np.interp(_KNEE, levels, curve))
            bent = start + (levels - _KNEE) / (1 - _KNEE) * (1 - start)
            curve = np.where(levels > _KNEE, bent, curve)
        table[0, :, channel] = np.round(curve * 255)
    return np.asarray(cv2.LUT(picture, table), np.uint8)
