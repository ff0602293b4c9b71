"""Tells a die's plain top face from ground, sides and clutter: faint ones on a pattern or on their own colour.

The finder sees these least of all dice. This net was taught nothing else, and looks at what the finder hardly saw.
"""

from __future__ import annotations

import numpy as np

from vision.crop import Surroundings, Vote
from vision.find import Candidate
from vision.models import CROPS, open_net
from vision.pictures import Picture

PLAIN_CROP, PLAIN_SPAN = CROPS["plain"], 2.4
"""Edge of the net's input in pixels, and how many edges of the die it spans."""

_VOTES = (
    Vote("plain"),
    Vote("plain", np.pi / 2, 1.06, 0.03),
    Vote("plain", np.pi, 0.95, -0.03),
    Vote("plain", -np.pi / 2),
)
"""Looks from all sides, a little nearer, further off and aside."""


class PlainFace:
    """The net, made once; not to be shared between threads."""

    def __init__(self, threads: int = 1) -> None:
        self._net = open_net("plain", threads)

    def chance(self, picture: Picture, one: Candidate) -> float:
        """How likely (0..1) a die's plain top face is here: the geometric mean over looks turned all round."""
        view = Surroundings.of(picture, one, PLAIN_CROP, PLAIN_SPAN)
        crops = np.stack([view.crop(vote) for vote in _VOTES])
        logits = np.asarray(self._net.run(None, {"crops": crops})[0], np.float64)
        odds = float((logits[:, 1] - logits[:, 0]).mean())
        return float(1 / (1 + np.exp(-odds)))
