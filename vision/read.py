"""Reads the face of each candidate from a small crop, seen several times over, a little turned and shifted each time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.find import Candidate
from vision.models import open_net
from vision.pictures import Picture

NOTHING = 0
"""Class of a crop on which no top face is centred; 1 to 6 are pips."""

UNKNOWN = 7
"""Class of a die with a face that is none of ours, or that cannot be made out."""

PLAIN = 8
"""Class of a plain coloured face."""

COLOURS = ("red", "orange", "yellow", "green", "blue", "violet")
"""The colours that the net tells apart on plain faces, in its order."""

_CLASSES = 9
_CROP = 48
_GREY = (114, 114, 114)
_BATCH = 64

_VOTES = ((0.0, 1.0, 1.0, 0.0), (0.0, -1.0, 0.94, 0.03), (0.2, 1.0, 1.06, -0.03), (-0.2, -1.0, 1.0, 0.0))
"""Turn (radians), mirroring, scale and shift (edges) of each look at a candidate."""


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
        """One look per candidate, in order."""
        if not candidates:
            return []
        crops = np.stack([crop for one in candidates for crop in _crops(picture, one)])
        parts = [self._net.run(None, {"crops": crops[i : i + _BATCH]})[0] for i in range(0, len(crops), _BATCH)]
        out = np.concatenate(parts).reshape(len(candidates), len(_VOTES), -1)
        classes, colours = _softmax(out[..., :_CLASSES]), _softmax(out[..., _CLASSES : _CLASSES + len(COLOURS)])
        looks = []
        for one, paint, raw in zip(classes, colours, out, strict=True):
            mean = one.mean(0)
            lean = raw[0, _CLASSES + len(COLOURS) :]
            looks.append(Look(mean, float(one[:, mean.argmax()].min()), paint.mean(0), (float(lean[0]), float(lean[1]))))
        return looks


def _softmax(values: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    powers = np.exp(values - values.max(-1, keepdims=True))
    return np.asarray(powers / powers.sum(-1, keepdims=True), np.float32)


def _crops(picture: Picture, one: Candidate) -> list[Picture]:
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
    for turn, mirror, zoom, shift in _VOTES:
        c, s = np.cos(turn) * scale * zoom, np.sin(turn) * scale * zoom
        matrix = np.array([[c * mirror, -s, 0.0], [s * mirror, c, 0.0]])
        matrix[:, 2] = _CROP / 2 - matrix[:, :2] @ np.array([x, y]) + shift * _CROP / 2
        crops.append(
            np.asarray(cv2.warpAffine(picture, matrix, (_CROP, _CROP), flags=cv2.INTER_LINEAR, borderValue=_GREY), np.uint8)
        )
    return crops
