"""The nets that look at crops of a candidate: its face, a six or a nine, the colour of its top.

Each candidate is seen several times over, turned and shifted. Nets that were trained apart make other mistakes: where
both see the same, it is there.
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
from vision.models import CROPS, open_net
from vision.pictures import PADDING, Picture

_CROP_REACH = 1.7
"""Edges of a die that any look reaches from its middle: half the diagonal of a crop, and what it is shifted."""


@dataclass(frozen=True, slots=True)
class CropView:
    """One look at a candidate: by which net, turned (radians), scaled and shifted (halves of the crop)."""

    net: str
    turn: float = 0.0
    zoom: float = 1.0
    shift: float = 0.0


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A candidate and what lies about it: its middle `x`, `y` in `picture`, and `scale` from there to a crop of `size`.

    A large die is shrunk by areas first, as the training pictures were, and once for all looks of a net at it.
    """

    picture: Picture
    x: float
    y: float
    scale: float
    size: int

    @classmethod
    def of(cls, picture: Picture, one: Candidate, size: int, span: float = 2.0) -> Surroundings:
        """`span`: edges of the die (up to 2) that a crop is wide."""
        scale = size / span / one.edge
        return cls(*reduced(picture, one, _CROP_REACH * one.edge, scale), size)

    def crop(self, vote: CropView) -> Picture:
        """One look (size, size, 3); grey beyond the picture's rim."""
        half = self.size / 2
        c, s = np.cos(vote.turn) * self.scale * vote.zoom, np.sin(vote.turn) * self.scale * vote.zoom
        matrix = np.array([[c, -s, 0.0], [s, c, 0.0]])
        matrix[:, 2] = half - matrix[:, :2] @ np.array([self.x, self.y]) + vote.shift * half
        size = (self.size, self.size)
        cut = cv2.warpAffine(self.picture, matrix, size, flags=cv2.INTER_LINEAR, borderValue=PADDING)
        return np.asarray(cut, np.uint8)


Outputs = npt.NDArray[np.float32]
"""(candidates, views, channels) of a net."""

_BATCH = 64
_PARTS = tuple(int(v) for v in np.cumsum((CLASSES, len(BODIES), len(BODIES), len(STATES))))
"""Where classes, paints, inks and states end among the net's outputs; the lean is what is left."""

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
"""The looks taken of every candidate, of what may be a die, and of a die that is still unsure then. Another net and
quarter turns show most that is new: of small turns one net makes much the same mistakes."""

_UPRIGHT = np.array([abs(vote.turn) < _QUARTER / 2 for votes in _VOTES for vote in votes])
"""The looks that say whether a die's top face is there: askew, up and down tell a top from a side."""

_BACK = np.array(
    [[[np.cos(v.turn), np.sin(v.turn)], [-np.sin(v.turn), np.cos(v.turn)]] for votes in _VOTES for v in votes]
)
"""What takes a direction in the crop of each look back into the picture."""

WORTH = 0.15
"""Product of the finder's and the first glance's chances from which a candidate is looked at again."""

_NAMED = 0.5
"""Chance of a class from which a look names it."""

_AGREED = 1.5
"""The power of the mean of several looks at a mark's colour: chosen on drawn dice of seeds that measure nothing."""

_TINY = 1e-6
_CLEAR = 0.97
"""Chance of a class from which further looks would change nothing."""

_PIPS = range(1, 7)
_AT_ONCE, _FIRM, _SAME = 0.985, 0.65, 0.8
"""From this chance at the first look, this score of the finder and this chance that it gives to the same pips none is
needed: of 4,750 such finds in photographs and drawings the next look named another face of none."""


@dataclass(frozen=True, slots=True)
class Look:
    """What the net says of a candidate, as chances: `classes` (24, classes.CLASSES) of all looks together, `least` the
    smallest that any look gives to the best class; `paints` and `inks` (13 each, dice_sets.BODIES) of the face's
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
    def best(self) -> float:
        """The chance of what it shows most likely, if it is a die."""
        return float(self.classes[NOTHING + 1 :].max())

    @property
    def body(self) -> str:
        """The likeliest name of the colour round the mark."""
        return BODIES[int(self.paints.argmax())]


def agreeing(look: Look, before: Look) -> Look:
    """`look`, with nothing agreed on (`least` 0) where the one before it rather named another face."""
    named = int(before.classes[1:].argmax()) + 1
    differs = named != int(look.classes[1:].argmax()) + 1 and before.classes[named] >= _NAMED
    return replace(look, least=0.0) if differs else look


def near_crop(picture: Picture, one: Candidate) -> Picture:
    """What the net that looks closely sees of a candidate: two edges about its middle (96, 96, 3)."""
    return Surroundings.of(picture, one, CROPS["close"]).crop(CropView("close"))


class FaceReader:
    """The two face nets over crops of a picture, half of which a die's edge takes: the one sees a die and what lies
    about it, the other one (`close`) its face from near as well."""

    def __init__(self) -> None:
        self._nets = {name: open_net(name) for name in ("faces", "close")}

    def look(self, picture: Picture, candidates: Sequence[Candidate], worth: float = WORTH) -> list[Look]:
        """One look per candidate, in order: a first glance shows which need more (from `worth` on), and the clear
        ones need few."""
        raw = np.zeros((len(candidates), 0, _PARTS[-1] + 2), np.float32)
        wanted = list(range(len(candidates)))
        views = [cache(partial(Surroundings.of, picture, one)) for one in candidates]
        looks: dict[int, Look] = {}
        for votes in _VOTES:
            if not wanted:
                break
            raw = np.concatenate([raw, self._run([views[i] for i in wanted], votes)], axis=1)
            looks.update(zip(wanted, _summed(raw), strict=True))
            kept = [
                place
                for place, i in enumerate(wanted)
                if candidates[i].score * looks[i].die > worth and not _is_settled(candidates[i], looks[i], raw.shape[1])
            ]
            wanted, raw = [wanted[place] for place in kept], raw[kept]
        return [looks[i] for i in range(len(candidates))]

    def _run(
        self, views: Sequence[Callable[[int], Surroundings]], votes: Sequence[CropView]
    ) -> npt.NDArray[np.float32]:
        """Outputs of the nets (candidates, votes, channels); `views` give a candidate's view by the size of a crop."""
        out = np.zeros((len(views), len(votes), _PARTS[-1] + 2), np.float32)
        for name, net in self._nets.items():
            places = [place for place, vote in enumerate(votes) if vote.net == name]
            crops = [view(CROPS[name]).crop(votes[place]) for view in views for place in places]
            parts = [net.run(None, {"crops": np.stack(crops[i : i + _BATCH])})[0] for i in range(0, len(crops), _BATCH)]
            if parts:
                out[:, places] = np.concatenate(parts).reshape(len(views), len(places), -1)
        return out


def _is_settled(one: Candidate, look: Look, votes: int) -> bool:
    """Whether further looks than these `votes` would change nothing: two nets see the same, the finder being one of
    them where it knows the face (pips)."""
    if votes > 1:
        return float(look.classes.max()) >= _CLEAR
    seen = int(look.classes.argmax())
    return (
        seen in _PIPS
        and float(look.classes[seen]) >= _AT_ONCE
        and one.score >= _FIRM
        and float(one.faces[seen - 1]) >= _SAME
    )


def _summed(raw: npt.NDArray[np.float32]) -> list[Look]:
    """The looks behind the nets' outputs (candidates, votes, channels).

    Whether a die is there at all is the mean of the upright looks, so that no single one hides a die. What it shows is
    the geometric mean of all: each may veto, and the looks' mistakes, which differ, cancel out better than in a sum.
    Where they agree on a mark's colour, it is surer than each of them says (`_AGREED`). The lean is their mean.
    """
    logits = np.split(raw, _PARTS, axis=2)
    classes, paints, inks, states = (softmax(part) for part in logits[:-1])
    votes = raw.shape[1]
    nothing = classes[:, _UPRIGHT[:votes], NOTHING].mean(1, keepdims=True)
    shown = classes[..., NOTHING + 1 :]
    shown = _pooled(shown / np.maximum(shown.sum(2, keepdims=True), _TINY))
    together = np.concatenate([nothing, (1 - nothing) * shown], axis=1)
    least = np.take_along_axis(classes, together.argmax(1)[:, None, None], axis=2).min((1, 2))
    told = zip(_pooled(paints), _pooled(inks, _AGREED), states.mean(1), strict=True)
    leans = np.einsum("vij,nvj->nvi", _BACK[:votes], logits[-1]).mean(1)
    return [
        Look(face, float(agreed), paint, ink, state, (float(right), float(down)))
        for face, agreed, (paint, ink, state), (right, down) in zip(together, least, told, leans, strict=True)
    ]


def _pooled(chances: npt.NDArray[np.float32], surer: float = 1.0) -> npt.NDArray[np.float32]:
    """The geometric mean of several looks' chances (candidates, looks, names), in a power, of the sum 1."""
    return softmax(surer * np.log(chances + _TINY).mean(1))


def softmax(values: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Chances of the sum 1 along the last axis; of a mean of logits, the geometric mean of the looks' chances."""
    powers = np.exp(values - values.max(-1, keepdims=True))
    return np.asarray(powers / powers.sum(-1, keepdims=True), np.float32)


FIGURES = (0, of_digit(6), of_digit(9), SIX_OR_NINE)
"""What the net tells apart, as classes; the first is anything else."""

FIGURE_CROP, FIGURE_SPAN = CROPS["six_or_nine"], 1.7
"""Edge of the net's input in pixels, and how many edges of the die it spans."""

_SEEN = list(FIGURES[1:])

"""So likely a look must find a six or nine."""

_BEFORE = 0.3
"""The power in which what the other nets say of the two counts beside this one: they made two in a hundred of the
underlined dice with red bodies a wrong figure with certainty, all but one of which this net told rightly."""

_OTHER = 0.5
"""From this chance of anything else on the figure is left to the other nets."""

_DECIDED = 0.95
"""From this share of one of them on the looks of the other nets need not agree."""

_LEAST = 1e-3

_FIGURE_VOTES = tuple(CropView("six_or_nine", turn * np.pi / 4, shift=0.06 * (turn % 2)) for turn in range(8))
"""Looks from all sides, every other one a little aside."""


class SixOrNine:
    """The net that tells a six from a nine by the line or dot below it; not to be shared between threads.

    What finds a six or nine often takes the figure, not the face, for the middle; the other nets then hardly see the
    line. This one was taught nothing else, off the middle as well.
    """

    def __init__(self) -> None:
        self._net = open_net("six_or_nine")

    def refined(self, picture: Picture, seen: Sequence[tuple[Candidate, Look]]) -> list[tuple[Candidate, Look]]:
        """The finds, in order, each six or nine with what this net says of it."""
        return [
            (one, _with_figures(look, self.chances(picture, one)) if look.classes[_SEEN].sum() > _NAMED else look)
            for one, look in seen
        ]

    def chances(self, picture: Picture, one: Candidate) -> npt.NDArray[np.float32]:
        """How likely (4,) each of FIGURES is: the geometric mean over looks turned all round."""
        view = Surroundings.of(picture, one, FIGURE_CROP, FIGURE_SPAN)
        crops = np.stack([view.crop(vote) for vote in _FIGURE_VOTES])
        return softmax(np.asarray(self._net.run(None, {"crops": crops})[0]).mean(0))


def _with_figures(look: Look, chances: npt.NDArray[np.float32]) -> Look:
    """`chances` (4,) of FIGURES."""
    if chances[0] > _OTHER:
        return look
    classes = look.classes.copy()
    whole = float(classes[_SEEN].sum())
    share = (classes[_SEEN] / whole + _LEAST) ** _BEFORE * (chances[1:] + _LEAST)
    share /= share.sum()
    classes[_SEEN] = whole * share
    clear = float(share.max())
    return replace(look, classes=classes, least=max(look.least, whole * clear) if clear >= _DECIDED else look.least)


COLOUR_CROP, COLOUR_SPAN = CROPS["top_colour"], 2.2
"""Edge of the net's input in pixels, and how many edges of the die it spans."""

_COLOUR_TURNS = tuple(np.pi * (0.5 * turn + 0.1) for turn in range(4))
"""Looks from all sides (radians)."""


class TopColour:
    """The net that names the colour of a die's top face, the whole picture beside it; not to be shared between threads.

    What is burnt out has lost its colour: an orange face so bright looks yellow. Its sides, its ground and how bright
    all the rest is tell more, and the nets that read faces see little of that.
    """

    def __init__(self) -> None:
        self._net = open_net("top_colour")

    def chances(self, picture: Picture, dice: Sequence[Candidate]) -> npt.NDArray[np.float32]:
        """(N, 13): how likely each of BODIES is the colour round the marks of each of the N dice."""
        if not dice:
            return np.zeros((0, len(BODIES)), np.float32)
        whole = whole_picture(picture)
        crops = np.concatenate([colour_crops(picture, whole, one, _COLOUR_TURNS) for one in dice])
        told = np.asarray(self._net.run(None, {"crops": crops})[0])
        return softmax(told.reshape(len(dice), len(_COLOUR_TURNS), -1).mean(1))


def whole_picture(picture: Picture) -> Picture:
    """The picture as small as a crop, whatever its shape."""
    return np.asarray(cv2.resize(picture, (COLOUR_CROP, COLOUR_CROP), interpolation=cv2.INTER_AREA), np.uint8)


def colour_crops(picture: Picture, whole: Picture, one: Candidate, turns: Sequence[float]) -> npt.NDArray[np.uint8]:
    """What the net sees of a die (turns, COLOUR_CROP, COLOUR_CROP, 6): it and its ground, turned, and the `whole`."""
    view = Surroundings.of(picture, one, COLOUR_CROP, COLOUR_SPAN)
    return np.stack([np.dstack([view.crop(CropView("top_colour", turn)), whole]) for turn in turns])
