"""Reads the face of each candidate from small crops, seen several times over by two nets, turned and shifted each time.

Nets that were trained apart make other mistakes: where both see the same, it is there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np
import numpy.typing as npt

from vision.classes import CLASSES, NOTHING, STATES
from vision.crop import Surroundings, Vote
from vision.dice_sets import BODIES
from vision.find import Candidate
from vision.models import CROPS, open_net
from vision.pictures import Picture

_BATCH = 64
_PARTS = tuple(int(v) for v in np.cumsum((CLASSES, len(BODIES), len(BODIES), len(STATES))))
"""Where classes, paints, inks and states end among the net's outputs; the lean is what is left."""

_QUARTER = np.pi / 2

_VOTES: tuple[tuple[Vote, ...], ...] = (
    (Vote("faces"),),
    (Vote("close", 0.2, 0.97, 0.03),),
    (
        Vote("close", _QUARTER),
        Vote("faces", -_QUARTER),
        Vote("faces", 2 * _QUARTER),
        Vote("close", -0.2, 1.03, -0.03),
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
    """What the net says of a candidate, as chances: `classes` (24, vision.classes) of all looks together, `least` the
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
    return Surroundings.of(picture, one, CROPS["close"]).crop(Vote("close"))


class FaceReader:
    """The two face nets over crops of a picture, half of which a die's edge takes: the one sees a die and what lies
    about it, the other one (`close`) its face from near as well."""

    def __init__(self, threads: int = 1) -> None:
        self._nets = {name: open_net(name, threads) for name in ("faces", "close")}

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

    def _run(self, views: Sequence[Callable[[int], Surroundings]], votes: Sequence[Vote]) -> npt.NDArray[np.float32]:
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
