"""Names the colour of a die's top face, with the whole picture beside it.

What is burnt out has lost its colour: an orange face so bright looks yellow. Its sides, its ground and how bright all
the rest is tell more, and the nets that read faces see little of that.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.crop import Surroundings, Vote
from vision.dice_sets import BODIES
from vision.find import Candidate
from vision.models import CROPS, open_net
from vision.pictures import Picture
from vision.read import softmax

COLOUR_CROP, COLOUR_SPAN = CROPS["top_colour"], 2.2
"""Edge of the net's input in pixels, and how many edges of the die it spans."""

_TURNS = tuple(np.pi * (0.5 * turn + 0.1) for turn in range(4))
"""Looks from all sides (radians)."""


class TopColour:
    """The net, made once; not to be shared between threads."""

    def __init__(self, threads: int = 1) -> None:
        self._net = open_net("top_colour", threads)

    def chances(self, picture: Picture, dice: Sequence[Candidate]) -> npt.NDArray[np.float32]:
        """(N, 13): how likely each of BODIES is the colour round the marks of each of the N dice."""
        if not dice:
            return np.zeros((0, len(BODIES)), np.float32)
        whole = whole_picture(picture)
        crops = np.concatenate([colour_crops(picture, whole, one, _TURNS) for one in dice])
        told = np.asarray(self._net.run(None, {"crops": crops})[0])
        return softmax(told.reshape(len(dice), len(_TURNS), -1).mean(1))


def whole_picture(picture: Picture) -> Picture:
    """The picture as small as a crop, whatever its shape."""
    return np.asarray(cv2.resize(picture, (COLOUR_CROP, COLOUR_CROP), interpolation=cv2.INTER_AREA), np.uint8)


def colour_crops(picture: Picture, whole: Picture, one: Candidate, turns: Sequence[float]) -> npt.NDArray[np.uint8]:
    """What the net sees of a die (turns, COLOUR_CROP, COLOUR_CROP, 6): it and its ground, turned, and the `whole`."""
    view = Surroundings.of(picture, one, COLOUR_CROP, COLOUR_SPAN)
    return np.stack([np.dstack([view.crop(Vote("top_colour", turn)), whole]) for turn in turns])
