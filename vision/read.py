"""Reads the face of each candidate from a small crop, seen several times over, a little turned and shifted each
time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.find import Candidate
from vision.models import open_net
from vision.pictures import Picture
from vision.roll import BALL_COLOURS

NOTHING = 0
"""Class of a crop on which no top face is centred; 1 to 6 are pips."""

UNKNOWN = 7
"""Class of a die with a face that is none of ours, or that cannot be made out."""

PLAIN = 8
"""Class of a plain coloured face."""

_CLASSES = 9
_CROP = 48
_GREY = (114, 114, 114)
_BATCH = 64

Vote = tuple[float, float, float, float]
"""Turn (radians), mirroring, scale and shift (edges) of one look at a candidate."""

_VOTES: tuple[Vote, ...] = (
    (0.0, 1.0, 1.0, 0.0),
    (0.0, -1.0, 0.94, 0.03),
    (0.2, 1.0, 1.06, -0.03),
    (-0.2, -1.0, 1.0, 0.0),
)

_WORTH = 0.15
"""Product of the finder's and the first glance's chances from which a candidate is looked at again."""


@dataclass(frozen=True, slots=True)
class Look:
    """What the net says of a candidate: `classes` mean chances (9) over the looks, `least` the smallest chance that any
    look gives to the best class, `colours` chances (6) if the face is plain, `lean` sine of the tilt as a direction."""

    classes: npt.NDArray[np.float32]
    least: float
    colours: npt.NDArray[np.float32]
    lean: tuple[float, float]

    @property
    def die(self) -> float:
        """The chance that a die's top face is here at all."""
        return 1.0 - float(self.classes[NOTHING])


class FaceReader:
    """The classifier net over crops of a picture."""

    def __init__(self, threads: int = 1) -> None:
        self._net = open_net("faces", threads)

    def look(self, picture: Picture, candidates: Sequence[Candidate]) -> list[Look]:
        """One look per candidate, in order. What a first glance finds to be nothing is not looked at again."""
        if not candidates:
            return []
        first = self._run(picture, candidates, _VOTES[:1])
        glances = _softmax(first[:, 0, :_CLASSES])
        worth = [i for i, one in enumerate(candidates) if one.score * (1 - glances[i, NOTHING]) > _WORTH]
        more = self._run(picture, [candidates[i] for i in worth], _VOTES[1:])
        looks = [_summed(raw) for raw in first]
        for index, raw in zip(worth, more, strict=True):
            looks[index] = _summed(np.concatenate([first[index], raw]))
        return looks

    def _run(self, picture: Picture, candidates: Sequence[Candidate], votes: Sequence[Vote]) -> npt.NDArray[np.float32]:
        """Outputs of the net (candidates, votes, channels)."""
        crops = [crop for one in candidates for crop in _crops(picture, one, votes)]
        parts = [
            self._net.run(None, {"crops": np.stack(crops[i : i + _BATCH])})[0] for i in range(0, len(crops), _BATCH)
        ]
        if not parts:
            return np.zeros((0, len(votes), 1), np.float32)
        return np.concatenate(parts).reshape(len(candidates), len(votes), -1).astype(np.float32)


def _summed(raw: npt.NDArray[np.float32]) -> Look:
    """The look behind the net's outputs (votes, channels)."""
    classes, colours = _softmax(raw[:, :_CLASSES]), _softmax(raw[:, _CLASSES : _CLASSES + len(BALL_COLOURS)])
    mean = classes.mean(0)
    lean = raw[0, _CLASSES + len(BALL_COLOURS) :]
    return Look(mean, float(classes[:, mean.argmax()].min()), colours.mean(0), (float(lean[0]), float(lean[1])))


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
    for turn, mirror, zoom, shift in votes:
        c, s = np.cos(turn) * scale * zoom, np.sin(turn) * scale * zoom
        matrix = np.array([[c * mirror, -s, 0.0], [s * mirror, c, 0.0]])
        matrix[:, 2] = _CROP / 2 - matrix[:, :2] @ np.array([x, y]) + shift * _CROP / 2
        crops.append(
            np.asarray(
                cv2.warpAffine(picture, matrix, (_CROP, _CROP), flags=cv2.INTER_LINEAR, borderValue=_GREY), np.uint8
            )
        )
    return crops
