"""Dice reading from images and cameras, independent of any game. `vision.read` is the public entry point."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from vision.messages import VisionError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from vision.roll import Roll


class NetError(VisionError, RuntimeError):
    """A network that the reader needs is missing or damaged. The message names its file."""


def read(picture: str | Path | npt.NDArray[np.uint8], dice_set: str | Path = "pips", count: int | None = None) -> Roll:
    """Read the dice in one image.

    Args:
        picture: an image file (its EXIF rotation is applied), or a uint8 array (height, width, 3) in BGR order.
        dice_set: the name of a dice set in `vision/dice_sets`, or the path of a TOML file.
        count: the expected number of dice. Any other number sets the status to `ask`. None accepts any number.

    Returns:
        A `vision.roll.Roll`: a status, and for each die its face, doubt, and box in pixels of the upright image.

    Raises:
        `vision.pictures.UnreadablePicture`, `vision.dice_sets.DiceSetError`, `NetError`.

    Each call loads the networks. To read many images, create one `vision.decision.reader.Reader` and reuse it.
    """
    from vision import dice_sets
    from vision.commands import request_for_count
    from vision.decision.reader import Reader
    from vision.pictures import load_picture

    found = dice_sets.load(str(dice_set))
    pixels = load_picture(picture) if isinstance(picture, str | Path) else picture
    return Reader(found).read(pixels, request_for_count(found.name, count))
