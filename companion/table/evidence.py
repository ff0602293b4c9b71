"""What is kept with a roll's event: the picture of the tray, of each die, and how each was read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from companion.journal.store import READING, Picture
from vision.roll import DieReading, SeenRoll

TRAY, CROP = "tray", "crop"
"""What a picture of the store shows, besides its READING."""


@dataclass(frozen=True, slots=True)
class Pictures:
    """The evidence of one event. `dice` are all that lay there, their boxes in a picture of `size` (width, height).

    `purged` says that there were pictures once.
    """

    tray: bytes | None = None
    crops: tuple[bytes, ...] = ()
    dice: tuple[DieReading, ...] = ()
    size: tuple[int, int] = (0, 0)
    purged: bool = False


@dataclass(frozen=True, slots=True)
class StoredReading:
    """The JSON text of a READING: how the dice lay, in a picture of `size`."""

    dice: tuple[DieReading, ...]
    size: tuple[int, int]


def evidence(seen: SeenRoll, lying: Sequence[DieReading]) -> tuple[Picture, ...]:
    """The pictures to store with the event that a roll made; `lying` are the dice as they count from now on."""
    kept = [Picture(READING, msgspec.json.encode(StoredReading(tuple(lying), seen.size)))]
    if seen.picture:
        kept.append(Picture(TRAY, seen.picture))
    kept.extend(Picture(CROP, crop, index) for index, crop in enumerate(seen.crops) if crop)
    return tuple(kept)


def essential(pictures: Sequence[Picture]) -> tuple[Picture, ...]:
    """What is kept even when the disk is full: how the dice lay, so that they do not count twice after a restart."""
    return tuple(picture for picture in pictures if picture.what == READING)


def pictures_of(stored: Sequence[Picture]) -> Pictures:
    """The evidence as it was stored; a picture that was purged has no bytes."""
    tray = next((picture.image for picture in stored if picture.what == TRAY), None)
    crops = sorted((p for p in stored if p.what == CROP), key=lambda picture: picture.die or 0)
    reading = next((picture.image for picture in stored if picture.what == READING), None)
    lay = msgspec.json.decode(reading, type=StoredReading) if reading else StoredReading((), (0, 0))
    purged = any(picture.image is None for picture in stored)
    return Pictures(tray, tuple(crop.image or b"" for crop in crops), lay.dice, lay.size, purged)
