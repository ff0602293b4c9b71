"""From a picture to a roll: finds dice, reads them, and says which readings are certain and why others are not."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.colour import body_colour
from vision.dice_sets import READABLE_MARKS, DiceSet, Kind
from vision.find import Candidate, Finder
from vision.pictures import Picture
from vision.read import PLAIN, UNKNOWN, FaceReader, Look
from vision.roll import BALL_COLOURS, DieReading, Doubt, Face, Roll, RollRequest, Status
from vision.view import Overhead

_WITHIN = 0.75
"""Share of a candidate's box in that of a better one from which it is a part of that die."""


@dataclass(frozen=True, slots=True)
class Strictness:
    """Where certainty begins. All values are chances 0..1.

    `sure`: a face is certain from here on. `agreed`: every single look must give it this much. `ruled_out`: a face
    under this is not offered as possible. `die`: from here on a candidate is taken for a die; between `maybe` and it
    the evidence is enough to ask (`maybe_plain` in a set with plain dice, which show less of themselves). `found`:
    least score of the finder for a die that is certain.
    `cocked`: how far (sine of the tilt) a die's lean may be from that of a die lying flat, where the view is known.
    """

    sure: float = 0.80
    agreed: float = 0.5
    ruled_out: float = 0.01
    die: float = 0.7
    maybe: float = 0.6
    maybe_plain: float = 0.5
    found: float = 0.4
    cocked: float = 0.4


class Reader:
    """Reads pictures of dice of one set. Makes its nets once; not to be shared between threads."""

    def __init__(
        self,
        dice_set: DiceSet,
        *,
        threads: int = 1,
        strictness: Strictness | None = None,
        view: Overhead | None = None,
    ) -> None:
        """`view` tells where the camera stands; without it a cocked die is only noticed when its face is not clear."""
        self.dice_set = dice_set
        self._view = view
        self._strict = strictness or Strictness()
        self._finder = Finder(threads)
        self._faces = FaceReader(threads)

    def read(
        self, picture: Picture, request: RollRequest | None = None, *, now: Callable[[], float] = time.perf_counter
    ) -> Roll:
        """The dice in `picture` (height, width, 3, BGR), left to right in reading order.

        `request` says what is awaited: another number of dice, if there are any, makes the status `ask`.
        `now` gives seconds.
        """
        begun = now()
        candidates, looks = self.look(picture)
        roll = self._decide(picture, candidates, looks, request)
        return replace(roll, ms=(now() - begun) * 1000)

    def look(self, picture: Picture) -> tuple[list[Candidate], list[Look]]:
        """What the two nets make of `picture`, before anything is decided."""
        candidates = self._finder.find(picture)
        return candidates, self._faces.look(picture, candidates)

    def _decide(
        self, picture: Picture, candidates: Sequence[Candidate], looks: Sequence[Look], request: RollRequest | None
    ) -> Roll:
        real = self._real(candidates, looks)
        kinds = self._awaited(request)
        dice = [self._judge(picture, one, look, kinds, _hidden(one, real)) for one, look in real]
        dice.sort(key=lambda die: (round(die.box[1] / max(die.box[3], 1.0)), die.box[0]))
        return Roll(_status(dice, request, self.dice_set), tuple(dice))

    def _awaited(self, request: RollRequest | None) -> tuple[Kind, ...]:
        """The kinds that may lie there: those that the request names, or all of the set."""
        named = {name for name, _ in request.kinds} if request else set()
        return tuple(kind for kind in self.dice_set.kinds if kind.name in named) or self.dice_set.kinds

    def _real(self, candidates: Sequence[Candidate], looks: Sequence[Look]) -> list[tuple[Candidate, Look]]:
        """Those that are dice or may well be, one for each place."""
        ranked = sorted(zip(candidates, looks, strict=True), key=lambda pair: -pair[0].score * _best(pair[1]))
        plain = self.dice_set.with_marks("plain")
        least = self._strict.maybe_plain if plain else self._strict.maybe
        kept: list[tuple[Candidate, Look]] = []
        for one, look in ranked:
            if _evidence(one, look) < least or any(_overlap(one, other) for other, _ in kept):
                continue
            kept.append((one, look))
        return kept

    def _judge(self, picture: Picture, one: Candidate, look: Look, kinds: Sequence[Kind], hidden: bool) -> DieReading:
        left, top, right, bottom = one.box
        height, width = picture.shape[:2]
        left, top = max(0.0, left), max(0.0, top)
        box = (left, top, max(1.0, min(width, right) - left), max(1.0, min(height, bottom) - top))
        body = body_colour(picture, one.x, one.y, one.edge)
        chances = _chances(look, body, kinds)
        (kind, face), best = max(chances.items(), key=lambda item: item[1])
        doubt = self._doubt(picture, one, look, kind, best)
        if doubt is Doubt.FACE and hidden:
            doubt = Doubt.HIDDEN
        ranked = sorted(((f, p) for (_, f), p in chances.items()), key=lambda item: -item[1])
        likely = [(f, p) for f, p in ranked if p >= self._strict.ruled_out]
        possible = ranked[:1] if doubt is None else ranked[:2] if doubt is Doubt.FACE and len(likely) < 2 else likely
        if kind.marks not in READABLE_MARKS:
            face, best = Face(), 0.0
        shown = None if kind.marks == "plain" else body
        return DieReading(kind.name, face, box, round(best, 4), doubt, shown, tuple(possible))

    def _doubt(self, picture: Picture, one: Candidate, look: Look, kind: Kind, best: float) -> Doubt | None:
        strict = self._strict
        height, width = picture.shape[:2]
        reach = 0.35 * one.edge
        if not (reach <= one.x <= width - reach and reach <= one.y <= height - reach):
            return Doubt.CUT_OFF
        if self._view is not None:
            flat = self._view.lean(one.x, one.y, width, height)
            if np.hypot(look.lean[0] - flat[0], look.lean[1] - flat[1]) > strict.cocked:
                return Doubt.COCKED
        if kind.marks not in READABLE_MARKS:
            return Doubt.FACE
        if float(look.classes[UNKNOWN]) > 0.5 or _evidence(one, look) < strict.die:
            return Doubt.FOREIGN
        if best < strict.sure or look.least < strict.agreed or one.score < strict.found:
            return Doubt.FOREIGN if self._foreign(look, best) else Doubt.FACE
        return None

    def _foreign(self, look: Look, best: float) -> bool:
        """Whether the likeliest class is one that no kind of the set has."""
        return float(look.classes[1:].max()) > 2 * best


def _chances(look: Look, body: str | None, kinds: Sequence[Kind]) -> dict[tuple[Kind, Face], float]:
    """How likely each face of each kind of the set is."""
    chances: dict[tuple[Kind, Face], float] = {}
    for kind in kinds:
        if kind.marks == "pips":
            part = {face: float(look.classes[face.value or 0]) for face in kind.faces}
        elif kind.marks == "plain":
            paints = dict(zip(BALL_COLOURS, look.colours, strict=True))
            part = {face: _plain(look) * float(paints.get(face.colour or "", 0.0)) for face in kind.faces}
        else:
            same_body = 1.0 if not kind.bodies or body in kind.bodies else 0.2
            part = {face: float(look.classes[1:].sum()) * same_body / len(kind.faces) for face in kind.faces}
        chances.update({(kind, face): chance for face, chance in part.items()})
    return chances


def _plain(look: Look) -> float:
    """The chance that a die bears nothing but a colour.

    A coloured die without any mark was taught to the net as unknown, so where plain is clearly the likelier of the two
    they are one; whether a die is there at all is judged apart.
    """
    plain, unknown = float(look.classes[PLAIN]), float(look.classes[UNKNOWN])
    return (plain + unknown) / max(look.die, 1e-6) if plain > 2 * unknown else plain


def _best(look: Look) -> float:
    return float(look.classes[1:].max())


def _evidence(one: Candidate, look: Look) -> float:
    """How much speaks for a die here: the two nets' chances together."""
    return float(np.sqrt(one.score * look.die))


def _overlap(one: Candidate, better: Candidate) -> bool:
    """Whether `one` stands for the same die as `better`: near it, or (one of its sides, a pip) within it."""
    gap = float(np.hypot(one.x - better.x, one.y - better.y))
    small, large = sorted((one.edge, better.edge))
    if gap < (0.55 * large if large > 1.8 * small else 0.2 * (small + large)):
        return True
    return _shared(one, better) > _WITHIN * (one.box[2] - one.box[0]) * (one.box[3] - one.box[1])


def _hidden(one: Candidate, real: Sequence[tuple[Candidate, Look]]) -> bool:
    """Whether another die lies before this one: their boxes share a good part of it."""
    area = (one.box[2] - one.box[0]) * (one.box[3] - one.box[1])
    return any(other is not one and _shared(one, other) > 0.2 * area for other, _ in real)


def _shared(one: Candidate, other: Candidate) -> float:
    """Area that two boxes have in common."""
    left, top = max(one.box[0], other.box[0]), max(one.box[1], other.box[1])
    right, bottom = min(one.box[2], other.box[2]), min(one.box[3], other.box[3])
    return max(0.0, right - left) * max(0.0, bottom - top)


def _status(dice: Sequence[DieReading], request: RollRequest | None, dice_set: DiceSet) -> Status:
    """The status of the whole: another number of dice than awaited, in all or of a kind, must be asked about.

    No dice at all are empty, whatever is awaited: whoever waits sees from it that nothing was thrown yet.
    """
    if not dice:
        return Status.EMPTY
    if request and request.count is not None:
        known = {kind.name for kind in dice_set.kinds}
        counts = Counter(die.kind for die in dice)
        if request.count != len(dice) or any(counts[name] != due for name, due in request.kinds if name in known):
            return Status.ASK
    return Status.OK if all(die.certain for die in dice) else Status.ASK
