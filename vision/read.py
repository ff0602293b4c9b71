"""Reads the face of each candidate from a small crop, seen several times over, a little turned and shifted each
time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.classes import CLASSES, NOTHING, STATES
from vision.dice_sets import BODIES
from vision.find import Candidate
from vision.models import open_net
from vision.pictures import Picture

_CROP = 48
_GREY = (114, 114, 114)
_BATCH = 64
_PARTS = tuple(int(v) for v in np.cumsum((CLASSES, len(BODIES), len(BODIES), len(STATES))))
"""Where classes, paints, inks and states end among the net's outputs; the lean is what is left."""

Vote = tuple[float, float, float]
"""Turn (radians), scale and shift (edges) of one look at a candidate."""

_VOTES: tuple[tuple[Vote, ...], ...] = (
    ((0.0, 1.0, 0.0),),
    ((0.2, 0.97, 0.03),),
    ((-0.2, 1.03, -0.03), (0.1, 0.92, 0.05), (-0.1, 1.07, -0.05), (0.3, 1.0, 0.02)),
)
"""The looks taken of every candidate, of what may be a die, and of a die that is still unsure then."""

_WORTH = 0.15
"""Product of the finder's and the first glance's chances from which a candidate is looked at again."""

_CLEAR = 0.97
"""Mean chance of a class from which further looks would change nothing."""


@dataclass(frozen=True, slots=True)
class Look:
    """What the net says of a candidate, as chances: `classes` (24, vision.classes) their mean over the looks, `least`
    the smallest that any look gives to the best class; `paints` and `inks` (13 each, dice_sets.BODIES) of the face's
    ground and of its mark; `states` (4, classes.STATES). `lean` is the sine of the tilt as a direction."""

    classes: npt.NDArray[np.float32]
    least: float
    paints: npt.NDArray[np.float32]
    inks: npt.NDArray[np.float32]
    states: npt.NDArray[np.float32]
    lean: tuple[float, float]

    @property
    def die(self) -> float:
        """The chance that a die's top face is here at all."""
        return 1.0 - float(self.classes[NOTHING])

    @property
    def body(self) -> str:
        """The likeliest name of the colour round the mark."""
        return BODIES[int(self.paints.argmax())]


class FaceReader:
    """The face net over crops of a picture."""

    def __init__(self, threads: int = 1) -> None:
        self._net = open_net("faces", threads)

    def look(self, picture: Picture, candidates: Sequence[Candidate]) -> list[Look]:
        """One look per candidate, in order: a first glance shows which need more, and the clear ones need few."""
        raw = [np.zeros((0, _PARTS[-1] + 2), np.float32)] * len(candidates)
        wanted = list(range(len(candidates)))
        looks: list[Look] = []
        for votes in _VOTES:
            seen = self._run(picture, [candidates[i] for i in wanted], votes)
            for index, more in zip(wanted, seen, strict=True):
                raw[index] = np.concatenate([raw[index], more])
            looks = [_summed(one) for one in raw]
            wanted = [
                i
                for i in wanted
                if candidates[i].score * looks[i].die > _WORTH and (len(raw[i]) < 2 or looks[i].classes.max() < _CLEAR)
            ]
        return looks

    def _run(self, picture: Picture, candidates: Sequence[Candidate], votes: Sequence[Vote]) -> npt.NDArray[np.float32]:
        """Outputs of the net (candidates, votes, channels)."""
        crops = [crop for one in candidates for crop in _crops(picture, one, votes)]
        parts = [
            self._net.run(None, {"crops": np.stack(crops[i : i + _BATCH])})[0] for i in range(0, len(crops), _BATCH)
        ]
        if not parts:
            return np.zeros((0, len(votes), _PARTS[-1] + 2), np.float32)
        return np.concatenate(parts).reshape(len(candidates), len(votes), -1).astype(np.float32)


def _summed(raw: npt.NDArray[np.float32]) -> Look:
    """The look behind the net's outputs (votes, channels)."""
    logits = np.split(raw, _PARTS, axis=1)
    classes, paints, inks, states = (_softmax(part) for part in logits[:-1])
    mean = classes.mean(0)
    least = float(classes[:, mean.argmax()].min())
    lean = logits[-1][0]
    return Look(mean, least, paints.mean(0), inks.mean(0), states.mean(0), (float(lean[0]), float(lean[1])))


def _softmax(values: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    powers = np.exp(values - values.max(-1, keepdims=True))
    return np.asarray(powers / powers.sum(-1, keepdims=True), np.float32)


def _crops(picture: Picture, one: Candidate, votes: Sequence[Vote]) -> list[Picture]:
    """The looks at one candidate; a large die is first shrunk by areas, as the training pictures were."""
    scale = _CROP / 2 / one.edge
    x, y = one.x, one.y
    if scale < 0.75:
        reach = 2.2 * one.edge
        height, width = picture.shape[:2]
        x0, y0 = int(max(0, x - reach)), int(max(0, y - reach))
        part = picture[y0 : max(0, int(min(height, y + reach + 1))), x0 : max(0, int(min(width, x + reach + 1)))]
        if part.size:
            wide, tall = max(1, round(part.shape[1] * scale)), max(1, round(part.shape[0] * scale))
            picture = np.asarray(cv2.resize(part, (wide, tall), interpolation=cv2.INTER_AREA), np.uint8)
            x, y, scale = (x - x0) * wide / part.shape[1], (y - y0) * tall / part.shape[0], 1.0
    crops = []
    for turn, zoom, shift in votes:
        c, s = np.cos(turn) * scale * zoom, np.sin(turn) * scale * zoom
        matrix = np.array([[c, -s, 0.0], [s, c, 0.0]])
        matrix[:, 2] = _CROP / 2 - matrix[:, :2] @ np.array([x, y]) + shift * _CROP / 2
        cut = cv2.warpAffine(picture, matrix, (_CROP, _CROP), flags=cv2.INTER_LINEAR, borderValue=_GREY)
        crops.append(np.asarray(cut, np.uint8))
    return crops
