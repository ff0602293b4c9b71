"""Tells a six from a nine by the line or dot below it, which the nets that read all faces see less well.

What finds a six or nine often takes the figure, not the face, for the middle; these nets then hardly see the line. This
one was taught nothing else, off the middle as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from vision.classes import SIX_OR_NINE, of_digit
from vision.crop import Surroundings, Vote
from vision.find import Candidate
from vision.models import CROPS, open_net
from vision.pictures import Picture
from vision.read import Look, softmax

FIGURES = (0, of_digit(6), of_digit(9), SIX_OR_NINE)
"""What the net tells apart, as classes; the first is anything else."""

FIGURE_CROP, FIGURE_SPAN = CROPS["six_or_nine"], 1.7
"""Edge of the net's input in pixels, and how many edges of the die it spans."""

_SEEN = list(FIGURES[1:])

_NAMED = 0.5
"""So likely a look must find a six or nine."""

_BEFORE = 0.3
"""The power in which what the other nets say of the two counts beside this one: they made two in a hundred of the
underlined dice with red bodies a wrong figure with certainty, all but one of which this net told rightly."""

_OTHER = 0.5
"""From this chance of anything else on the figure is left to the other nets."""

_CLEAR = 0.95
"""From this share of one of them on the looks of the other nets need not agree."""

_LEAST = 1e-3

_VOTES = tuple(Vote("six_or_nine", turn * np.pi / 4, shift=0.06 * (turn % 2)) for turn in range(8))
"""Looks from all sides, every other one a little aside."""


class SixOrNine:
    """The net, made once; not to be shared between threads."""

    def __init__(self, threads: int = 1) -> None:
        self._net = open_net("six_or_nine", threads)

    def told_apart(self, picture: Picture, seen: Sequence[tuple[Candidate, Look]]) -> list[tuple[Candidate, Look]]:
        """The finds, in order, each six or nine with what this net says of it."""
        return [
            (one, _told(look, self.chances(picture, one)) if look.classes[_SEEN].sum() > _NAMED else look)
            for one, look in seen
        ]

    def chances(self, picture: Picture, one: Candidate) -> npt.NDArray[np.float32]:
        """How likely (4,) each of FIGURES is: the geometric mean over looks turned all round."""
        view = Surroundings.of(picture, one, FIGURE_CROP, FIGURE_SPAN)
        crops = np.stack([view.crop(vote) for vote in _VOTES])
        return softmax(np.asarray(self._net.run(None, {"crops": crops})[0]).mean(0))


def _told(look: Look, chances: npt.NDArray[np.float32]) -> Look:
    """`chances` (4,) of FIGURES."""
    if chances[0] > _OTHER:
        return look
    classes = look.classes.copy()
    whole = float(classes[_SEEN].sum())
    share = (classes[_SEEN] / whole + _LEAST) ** _BEFORE * (chances[1:] + _LEAST)
    share /= share.sum()
    classes[_SEEN] = whole * share
    clear = float(share.max())
    return replace(look, classes=classes, least=max(look.least, whole * clear) if clear >= _CLEAR else look.least)
