"""The networks that classify a candidate's crops: its face, six or nine, and the colour of its top.

Each candidate is seen several times, rotated and shifted. Networks that were trained separately make different
mistakes, so agreement between them is strong evidence.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

import cv2
import numpy as np
import numpy.typing as npt

from vision.classification.classes import CLASSES, NOTHING, SIX_OR_NINE, STATES, of_digit
from vision.detection.finder import Candidate, reduced
from vision.dice_sets import BODIES
from vision.models import CROP_SIZES, open_net
from vision.pictures import PADDING, Picture

_CROP_REACH = 1.7
"""Maximum distance, in edges, of any view from a die's centre: half the diagonal of a crop, and its shift."""


@dataclass(frozen=True, slots=True)
class CropView:
    """One view of a candidate: network, rotation (radians), scale, and shift (halves of the crop)."""

    net: str
    rotation: float = 0.0
    zoom: float = 1.0
    shift: float = 0.0


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A candidate and its surroundings: its centre `x`, `y` in `picture`, and `scale` from there to a crop of `size`.

    A large die is first shrunk by area averaging, like the training images, once for all views of a network.
    """

    picture: Picture
    x: float
    y: float
    scale: float
    size: int

    @classmethod
    def of(cls, picture: Picture, one: Candidate, size: int, span: float = 2.0) -> Surroundings:
        """Create the surroundings. `span`: width of a crop in edges of the die (up to 2)."""
        scale = size / span / one.edge
        return cls(*reduced(picture, one, _CROP_REACH * one.edge, scale), size)

    def crop(self, vote: CropView) -> Picture:
        """Return the crop (size, size, 3) of one view, padded with grey outside the image."""
        half = self.size / 2
        c, s = np.cos(vote.rotation) * self.scale * vote.zoom, np.sin(vote.rotation) * self.scale * vote.zoom
        matrix = np.array([[c, -s, 0.0], [s, c, 0.0]])
        matrix[:, 2] = half - matrix[:, :2] @ np.array([self.x, self.y]) + vote.shift * half
        size = (self.size, self.size)
        cut = cv2.warpAffine(self.picture, matrix, size, flags=cv2.INTER_LINEAR, borderValue=PADDING)
        return np.asarray(cut, np.uint8)


Outputs = npt.NDArray[np.float32]
"""Network outputs (candidates, views, channels)."""

_BATCH = 64
_PARTS = tuple(int(v) for v in np.cumsum((CLASSES, len(BODIES), len(BODIES), len(STATES))))
"""Ends of classes, paints, inks and states in the network's outputs. The rest is the tilt."""

_QUARTER = np.pi / 2

_VOTES: tuple[tuple[CropView, ...], ...] = (
    (CropView("faces"),),
    (CropView("close", 0.2, 0.97, 0.03),),
    (
        CropView("close", _QUARTER),
        CropView("faces", -_QUARTER),
        CropView("faces", 2 * _QUARTER),
        CropView("close", -0.2, 1.03, -0.03),
    ),
)
"""Views of every candidate, of possible dice, and of dice that are still unsure.

Another network and quarter turns add most information. One network makes much the same mistakes at small rotations.
"""

_UPRIGHT = np.array([abs(vote.rotation) < _QUARTER / 2 for votes in _VOTES for vote in votes])
"""The upright views, which decide whether a die's top face is present, because up and down tell a top from a side."""

_BACK = np.array(
    [
        [[np.cos(v.rotation), np.sin(v.rotation)], [-np.sin(v.rotation), np.cos(v.rotation)]]
        for votes in _VOTES
        for v in votes
    ]
)
"""Rotation matrices from the crop of each view back to the image."""

MIN_PROMISE = 0.15
"""Product of finder score and first die probability from which a candidate gets more views."""

_NAMED = 0.5
"""Minimum probability of a class that a view names."""

_AGREED = 1.5
"""Exponent for the mean of several views of a mark's colour. Chosen on drawn dice that are not used for measurement."""

_TINY = 1e-6
_CLEAR = 0.97
"""Probability of a class above which more views would change nothing."""

_PIPS = range(1, 7)
_AT_ONCE, _FIRM, _SAME = 0.985, 0.65, 0.8
"""Thresholds at which the first view suffices: its probability, the finder score, the finder's probability.

The last one is for the same pips. Of 4,750 such finds in photographs and drawings, none was given another face by the
next view.
"""


@dataclass(frozen=True, slots=True)
class Classification:
    """The networks' output for a candidate, as probabilities.

    - `classes`: 24 values (classes.CLASSES), from all views together.
    - `min_view_chance`: the smallest probability that any view gives to the best class.
    - `paints`, `inks`: colours of the face's ground and of its mark, 13 values each (dice_sets.BODIES).
    - `states`: 4 values (classes.STATES).
    - `lean`: sine of the tilt, as a direction.
    """

    classes: npt.NDArray[np.float32]
    min_view_chance: float
    paints: npt.NDArray[np.float32]
    inks: npt.NDArray[np.float32]
    states: npt.NDArray[np.float32]
    lean: tuple[float, float]

    @property
    def die_chance(self) -> float:
        """The probability that a die's top face is here."""
        return 1.0 - float(self.classes[NOTHING])

    @property
    def best_chance(self) -> float:
        """The probability of the most likely class if it is a die."""
        return float(self.classes[NOTHING + 1 :].max())

    @property
    def body(self) -> str:
        """The most likely colour around the mark."""
        return BODIES[int(self.paints.argmax())]


def agreeing(classification: Classification, before: Classification) -> Classification:
    """Return `classification`, with `min_view_chance` set to 0 if the classification before named a different face."""
    named = int(before.classes[1:].argmax()) + 1
    differs = named != int(classification.classes[1:].argmax()) + 1 and before.classes[named] >= _NAMED
    return replace(classification, min_view_chance=0.0) if differs else classification


def near_crop(picture: Picture, one: Candidate) -> Picture:
    """Return the close network's crop of a candidate: two edges around its centre (96, 96, 3)."""
    return Surroundings.of(picture, one, CROP_SIZES["close"]).crop(CropView("close"))


class FaceClassifier:
    """The two face networks. A die's edge fills half of a crop.

    One network sees the die with its surroundings, the other (`close`) also sees the face in detail.
    """

    def __init__(self) -> None:
        self._nets = {name: open_net(name) for name in ("faces", "close")}

    def classify(
        self, picture: Picture, candidates: Sequence[Candidate], worth: float = MIN_PROMISE
    ) -> list[Classification]:
        """Classify each candidate, in order.

        The first view selects the candidates that need more views (from `worth` on). Clear ones need few.
        """
        raw = np.zeros((len(candidates), 0, _PARTS[-1] + 2), np.float32)
        wanted = list(range(len(candidates)))
        views = [cache(partial(Surroundings.of, picture, one)) for one in candidates]
        classifications: dict[int, Classification] = {}
        for votes in _VOTES:
            if not wanted:
                break
            raw = np.concatenate([raw, self._run([views[i] for i in wanted], votes)], axis=1)
            classifications.update(zip(wanted, _combine_views(raw), strict=True))
            kept = [
                place
                for place, i in enumerate(wanted)
                if candidates[i].score * classifications[i].die_chance > worth
                and not _is_decided(candidates[i], classifications[i], raw.shape[1])
            ]
            wanted, raw = [wanted[place] for place in kept], raw[kept]
        return [classifications[i] for i in range(len(candidates))]

    def _run(
        self, views: Sequence[Callable[[int], Surroundings]], votes: Sequence[CropView]
    ) -> npt.NDArray[np.float32]:
        """Run the networks. Returns (candidates, votes, channels).

        `views` return a candidate's surroundings by crop size.
        """
        out = np.zeros((len(views), len(votes), _PARTS[-1] + 2), np.float32)
        for name, net in self._nets.items():
            places = [place for place, vote in enumerate(votes) if vote.net == name]
            crops = [view(CROP_SIZES[name]).crop(votes[place]) for view in views for place in places]
            parts = [net.run(None, {"crops": np.stack(crops[i : i + _BATCH])})[0] for i in range(0, len(crops), _BATCH)]
            if parts:
                out[:, places] = np.concatenate(parts).reshape(len(views), len(places), -1)
        return out


def _is_decided(one: Candidate, classification: Classification, votes: int) -> bool:
    """Return True if more views than `votes` would change nothing, because two networks agree.

    The finder counts as one of them for faces that it knows (pips).
    """
    if votes > 1:
        return float(classification.classes.max()) >= _CLEAR
    seen = int(classification.classes.argmax())
    return (
        seen in _PIPS
        and float(classification.classes[seen]) >= _AT_ONCE
        and one.score >= _FIRM
        and float(one.faces[seen - 1]) >= _SAME
    )


def _combine_views(raw: npt.NDArray[np.float32]) -> list[Classification]:
    """Combine the network outputs (candidates, votes, channels) into looks.

    - Presence of a die: mean of the upright views, so that no single view can hide a die.
    - Face: geometric mean of all views. Each view can veto, and different mistakes cancel out better than in a sum.
    - Mark colour: sharper than each view where they agree (`_AGREED`).
    - Tilt: mean.
    """
    logits = np.split(raw, _PARTS, axis=2)
    classes, paints, inks, states = (softmax(part) for part in logits[:-1])
    votes = raw.shape[1]
    nothing = classes[:, _UPRIGHT[:votes], NOTHING].mean(1, keepdims=True)
    marks = classes[..., NOTHING + 1 :]
    marks = _geometric_mean(marks / np.maximum(marks.sum(2, keepdims=True), _TINY))
    together = np.concatenate([nothing, (1 - nothing) * marks], axis=1)
    least = np.take_along_axis(classes, together.argmax(1)[:, None, None], axis=2).min((1, 2))
    paints_inks_states = zip(_geometric_mean(paints), _geometric_mean(inks, _AGREED), states.mean(1), strict=True)
    leans = np.einsum("vij,nvj->nvi", _BACK[:votes], logits[-1]).mean(1)
    return [
        Classification(face, float(agreed), paint, ink, state, (float(right), float(down)))
        for face, agreed, (paint, ink, state), (right, down) in zip(
            together, least, paints_inks_states, leans, strict=True
        )
    ]


def _geometric_mean(chances: npt.NDArray[np.float32], surer: float = 1.0) -> npt.NDArray[np.float32]:
    """Return the geometric mean over views (candidates, looks, names), raised to a power and normalised to 1."""
    return softmax(surer * np.log(chances + _TINY).mean(1))


def softmax(values: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return softmax along the last axis. For a mean of logits it is the geometric mean of the views' probabilities."""
    powers = np.exp(values - values.max(-1, keepdims=True))
    return np.asarray(powers / powers.sum(-1, keepdims=True), np.float32)


FIGURES = (0, of_digit(6), of_digit(9), SIX_OR_NINE)
"""Classes that the six-or-nine network distinguishes. The first stands for anything else."""

FIGURE_CROP, FIGURE_SPAN = CROP_SIZES["six_or_nine"], 1.7
"""Edge of the network's input in pixels, and its span in edges of the die."""

_SEEN = list(FIGURES[1:])

"""Finds with a smaller sum of these probabilities are not passed to the network."""

_BEFORE = 0.3
"""Exponent of the other networks' answer, combined with this network's answer.

The others gave two in a hundred underlined red dice a wrong figure with certainty. This network read all but one of
these correctly.
"""

_OTHER = 0.5
"""Above this probability of "anything else" the figure is left to the other networks."""

_DECIDED = 0.95
"""Above this share of one figure the views of the other networks need not agree."""

_LEAST = 1e-3

_FIGURE_VOTES = tuple(CropView("six_or_nine", index * np.pi / 4, shift=0.06 * (index % 2)) for index in range(8))
"""Views from all directions, every other one slightly shifted."""


class SixOrNine:
    """The network that distinguishes six from nine by the line or dot below the figure. Not thread-safe.

    A find of a six or nine is often centred on the figure instead of the face, and the other networks then hardly see
    the line. This network was trained only for this, also with shifted crops.
    """

    def __init__(self) -> None:
        self._net = open_net("six_or_nine")

    def refined(
        self, picture: Picture, seen: Sequence[tuple[Candidate, Classification]]
    ) -> list[tuple[Candidate, Classification]]:
        """Return the finds in order, each six or nine updated with this network's answer."""
        return [
            (
                one,
                _with_figures(classification, self.chances(picture, one))
                if classification.classes[_SEEN].sum() > _NAMED
                else classification,
            )
            for one, classification in seen
        ]

    def chances(self, picture: Picture, one: Candidate) -> npt.NDArray[np.float32]:
        """Return the probabilities (4,) of FIGURES: geometric mean over views from all directions."""
        view = Surroundings.of(picture, one, FIGURE_CROP, FIGURE_SPAN)
        crops = np.stack([view.crop(vote) for vote in _FIGURE_VOTES])
        return softmax(np.asarray(self._net.run(None, {"crops": crops})[0]).mean(0))


def _with_figures(classification: Classification, chances: npt.NDArray[np.float32]) -> Classification:
    """Update a look with `chances` (4,) of FIGURES."""
    if chances[0] > _OTHER:
        return classification
    classes = classification.classes.copy()
    whole = float(classes[_SEEN].sum())
    share = (classes[_SEEN] / whole + _LEAST) ** _BEFORE * (chances[1:] + _LEAST)
    share /= share.sum()
    classes[_SEEN] = whole * share
    clear = float(share.max())
    return replace(
        classification,
        classes=classes,
        min_view_chance=max(classification.min_view_chance, whole * clear)
        if clear >= _DECIDED
        else classification.min_view_chance,
    )


COLOUR_CROP, COLOUR_SPAN = CROP_SIZES["top_colour"], 2.2
"""Edge of the network's input in pixels, and its span in edges of the die."""

_COLOUR_TURNS = tuple(np.pi * (0.5 * index + 0.1) for index in range(4))
"""Views from all directions (radians)."""


class TopColour:
    """The network that names the colour of a die's top face, given the whole image as context. Not thread-safe.

    Overexposed pixels lose their colour: a bright orange face looks yellow. Its sides, its ground and the brightness of
    the rest help, and the face networks see little of these.
    """

    def __init__(self) -> None:
        self._net = open_net("top_colour")

    def chances(self, picture: Picture, dice: Sequence[Candidate]) -> npt.NDArray[np.float32]:
        """Return probabilities (N, 13) of BODIES for the colour around the marks of each die."""
        if not dice:
            return np.zeros((0, len(BODIES)), np.float32)
        whole = whole_picture(picture)
        crops = np.concatenate([colour_crops(picture, whole, one, _COLOUR_TURNS) for one in dice])
        logits = np.asarray(self._net.run(None, {"crops": crops})[0])
        return softmax(logits.reshape(len(dice), len(_COLOUR_TURNS), -1).mean(1))


def whole_picture(picture: Picture) -> Picture:
    """Return the whole image scaled to the size of a crop, ignoring its aspect ratio."""
    return np.asarray(cv2.resize(picture, (COLOUR_CROP, COLOUR_CROP), interpolation=cv2.INTER_AREA), np.uint8)


def colour_crops(picture: Picture, whole: Picture, one: Candidate, turns: Sequence[float]) -> npt.NDArray[np.uint8]:
    """Return the network's input for a die: rotated crops, stacked with `whole`.

    Shape: (turns, COLOUR_CROP, COLOUR_CROP, 6).
    """
    view = Surroundings.of(picture, one, COLOUR_CROP, COLOUR_SPAN)
    return np.stack([np.dstack([view.crop(CropView("top_colour", rotation)), whole]) for rotation in turns])
