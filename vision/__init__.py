"""Reads dice in pictures and moving sources; knows no game. `vision.read` is the public entry point."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from vision.messages import VisionError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from vision.roll import Roll


class NetError(VisionError, RuntimeError):
    """A net that the reader needs is missing or damaged; the message names its file."""


def read(picture: str | Path | npt.NDArray[np.uint8], dice_set: str | Path = "pips", count: int | None = None) -> Roll:
    """Read the dice in one picture.

    `picture`: an image file (its EXIF rotation is applied), or an array (height, width, 3) uint8 in BGR order.
    `dice_set`: the name of a set of `vision/dice_sets`, or a TOML file.
    `count`: how many dice are expected; another number of dice makes the status `ask`.

    Returns a `vision.roll.Roll`: its `status`, and each die with face, box in pixels of the upright picture, and doubt.
    Each call loads the networks; for many pictures make one `vision.decision.reader.Reader`.

    Raises `vision.pictures.UnreadablePicture`, `vision.dice_sets.DiceSetError` and `NetError`.
    """
    from vision import dice_sets
    from vision.commands import awaiting
    from vision.decision.reader import Reader
    from vision.pictures import load_picture

    found = dice_sets.load(str(dice_set))
    pixels = load_picture(picture) if isinstance(picture, str | Path) else picture
    return Reader(found).read(pixels, awaiting(found.name, count))
