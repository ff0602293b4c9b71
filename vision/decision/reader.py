"""From a picture to a roll: finds dice, reads them, and says which readings are certain and why others are not."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.classification.classes import NOTHING, PLAIN, STATES, UNKNOWN
from vision.classification.colours import TrayLight, Weighed, is_washed_out, palette_of, weigh_colours, with_inks
from vision.classification.face_nets import Look, SixOrNine, TopColour, agreeing
from vision.classification.face_probabilities import (
    PartChances,
    as_due,
    body_chance,
    class_of,
    face_chances,
    has_turned,
    kind_fits,
    kinds_in_lights,
    known_classes,
    part_chances,
)
from vision.decision.cocked import CockedDice
from vision.decision.detector import Detector
from vision.decision.thresholds import Thresholds, evidence
from vision.decision.trust import Trust, TrustModel, subject_of
from vision.detection.exposure import clips, normalised
from vision.detection.finder import Candidate, is_cut, is_hidden, is_pattern, overlap
from vision.detection.fixed_camera import FixedCamera
from vision.detection.table_plane import (
    OF_A_SIDE,
    SAME_LEAN,
    Lean,
    Overhead,
    Rows,
    fit_table,
    is_upside_down,
    top_of_side,
)
from vision.dice_sets import BODIES, DiceSet, Kind
from vision.pictures import PADDING, Picture
from vision.roll import Box, DieReading, Doubt, Face, Note, Roll, RollRequest, Status

_FAINTEST = 0.1
"""Score from which a place is a candidate where a die that is awaited is missing."""

_SURE, _SURELY_NOTHING = 0.85, 0.97
"""Chance of a face, and of none, from which a further look would hardly change anything."""

_WORTH_TURNING = 0.35
"""Score of the finder from which a find is looked at again, turned."""

_TELLING = 3
"""Dice that must lie on one table before it tells where another one's top is."""


_STATE_DOUBTS = {"blurred": Doubt.BLURRED, "hidden": Doubt.HIDDEN}

Find = tuple[Candidate, Look]


@dataclass(frozen=True, slots=True)
class _Evidence:
    """A find and what is known of it beside its look.

    `hidden`: another die lies before it; `cocked`: it leans as none does that lies flat; `counted`: of the one kind
    that is given, whatever the colour of its body; `trust`: how far a die there and its reading can be trusted.
    """

    one: Candidate
    look: Look
    trust: Trust
    hidden: bool = False
    cocked: bool = False
    counted: bool = False


class Reader:
    """Reads pictures of dice of one set. Makes its nets once; not to be shared between threads."""

    def __init__(
        self,
        dice_set: DiceSet,
        *,
        thresholds: Thresholds | None = None,
        view: Overhead | None = None,
        one_tray: bool = False,
    ) -> None:
        """`view` tells where the camera stands; else a cocked die is noticed by how the others lie.

        `one_tray`: all pictures are of the same place, so what the last dice showed of its light, and of where the
        camera stands, is remembered.
        """
        self.dice_set = dice_set
        self._known = known_classes(dice_set.kinds)
        self.view = view
        self._limits = thresholds or Thresholds()
        self._detector = Detector(self._limits)
        self._trust = TrustModel()
        lined = any(kind.underlined and has_turned(kind, face) for kind in dice_set.kinds for face in kind.faces)
        self._figures = SixOrNine() if lined else None
        self._top_colour = TopColour() if any(palette_of([kind]) for kind in dice_set.kinds) else None
        self._tray = TrayLight() if one_tray else None
        self._cocked_dice = CockedDice(FixedCamera() if one_tray else None)

    @property
    def camera(self) -> FixedCamera | None:
        """What the dice of a tray have told of its camera; None where pictures are of any place."""
        return self._cocked_dice.camera

    @camera.setter
    def camera(self, camera: FixedCamera | None) -> None:
        self._cocked_dice.camera = camera

    def read(
        self, picture: Picture, request: RollRequest | None = None, *, now: Callable[[], float] = time.perf_counter
    ) -> Roll:
        """The dice in `picture` (height, width, 3, BGR), left to right in reading order.

        `request` says what is awaited: another number of dice, if there are any, makes the status `ask`; a faint trace
        beside all the dice awaited, each of them certain, is passed over; where as many dice lie there as are awaited,
        a pale one is rather one of them than nothing, and the number of each kind tells alike bodies apart. Each is
        said in the roll's notes. A watched tray without dice is empty, whatever is awaited: nothing was thrown yet. A
        picture by itself that shows none of the dice awaited is asked about. `now` gives seconds.
        """
        begun = now()
        shown, candidates, looks, poor = self.seen(picture, request)
        roll = self._decide(shown, candidates, looks, request)
        roll = self._doubting(roll, request) if poor else roll
        return replace(roll, ms=(now() - begun) * 1000)

    def seen(
        self, picture: Picture, request: RollRequest | None = None
    ) -> tuple[Picture, list[Candidate], list[Look], bool]:
        """The picture as it is read (brighter if it is very dark or flat), what the nets make of it, and whether dice
        may lie there that it does not show."""
        shown = normalised(picture)
        picture, spread = shown.picture, shown.spread
        candidates, looks = self.look(picture, request)
        if spread is not None:
            others, again = self.look(spread, request)
            dice = _dice_among(others, again, self._limits)
            more = len(dice) - len(_dice_among(candidates, looks, self._limits))
            if dice and (more > 0 or (more == 0 and not any(clips(spread, one.x, one.y, one.edge) for one in dice))):
                picture, candidates, looks = spread, others, again
        if self._tray is None and not _dice_among(candidates, looks, self._limits):
            others, again = self._look_padded(picture, request)
            if _strongest(others, again) > _strongest(candidates, looks):
                candidates, looks = others, again
        return picture, candidates, looks, shown.poor

    def _look_padded(self, picture: Picture, request: RollRequest | None) -> tuple[list[Candidate], list[Look]]:
        """Look at the picture inside a grey margin that doubles its size, where no die is seen clearly.

        The finder then sees each die half as large: of a die that fills much of a picture it sees the pips alone.
        """
        above, left = picture.shape[0] // 2, picture.shape[1] // 2
        margins = (above, above, left, left)
        padded = cv2.copyMakeBorder(picture, *margins, cv2.BORDER_CONSTANT, value=PADDING)
        candidates, looks = self.look(np.asarray(padded, np.uint8), request)
        return [one.moved(-left, -above) for one in candidates], looks

    def look(self, picture: Picture, request: RollRequest | None = None) -> tuple[list[Candidate], list[Look]]:
        """What the nets make of `picture` as it is, before anything is decided.

        Where something is found, but fewer dice than `request` awaits, they are searched for at more sizes, and what
        the finder hardly sees is looked at too. A find that was a die's side stands at its top.
        """
        candidates, looks = self._detector.see(picture)
        if request is not None and len(_dice_among(candidates, looks, self._limits)) < (request.count or 0):
            real = self._real(candidates, looks)
            edges = [one.edge for one, look in real if evidence(one, look) >= self._limits.die]
            edges = edges or [one.edge for one, _ in real]
            if edges:
                candidates, looks = self._detector.see(picture, _FAINTEST, edge=float(np.median(edges)))
        self._see_upright(picture, candidates, looks)
        return candidates, looks

    def _doubting(self, roll: Roll, request: RollRequest | None) -> Roll:
        """The reading of a picture that dice may lie in unseen: asked about, unless just those awaited are there.

        A tray that is watched and shows nothing stays empty: it was looked at before, and will be again.
        """
        if self._complete(roll.dice, request) or (self._tray is not None and not roll.dice):
            return roll
        return replace(roll, status=Status.ASK, notes=(*roll.notes, Note.POOR_LIGHT))

    def _see_upright(self, picture: Picture, candidates: list[Candidate], looks: list[Look]) -> None:
        """Looks again where the table tells more, and keeps what leans as a die that lies flat on it.

        Where a die leans otherwise, one of its sides may have been taken for its top, which is looked for where it must
        be. What is unclear and seen from above is looked at with its foot downwards.
        """
        height, width = picture.shape[:2]
        real = self._real(candidates, looks)
        firm = [pair for pair in real if _firmness(*pair) >= self._limits.die]
        table = self.view or fit_table(*_lying(firm), width, height, least=_TELLING)
        if table is None:
            return
        leans = table.leans(_lying(list(zip(candidates, looks, strict=True)))[0], width, height)
        for i, (one, look) in enumerate(zip(candidates, looks, strict=True)):
            flat = float(leans[i, 0]), float(leans[i, 1])
            again = self._seen_upright(picture, (one, look), flat, real) if one.score >= _WORTH_TURNING else None
            if again is None:
                continue
            top, seen = again
            shown = int(seen.classes.argmax()) not in (NOTHING, UNKNOWN)
            enough = evidence(top, seen) >= max(self._limits.die, self._limits.least_evidence(seen, self._known))
            if shown and enough and _apart(seen, flat) < SAME_LEAN:
                candidates[i], looks[i] = top, seen

    def _seen_upright(self, picture: Picture, find: Find, flat: Lean, real: Sequence[Find]) -> Find | None:
        """Another look at a find, None where it needs none or shows less: where the top of the die must be if this is
        one of its sides (`flat` says how a die that lies there leans), with its foot downwards if it is unclear."""
        one, look = find
        if _apart(look, flat) > OF_A_SIDE and evidence(one, look) >= self._limits.trace:
            beside = top_of_side(one, look.lean, flat)
            top, seen = self._detector.see_upright(picture, beside, (one.x - beside.x, one.y - beside.y))
            return None if any(other is not one and overlap(top, other) for other, _ in real) else (top, seen)
        if not is_upside_down(flat) or not _is_open(look):
            return None
        top, seen = self._detector.see_upright(picture, one, flat)
        if evidence(top, seen) < evidence(one, look) or seen.best < look.best:
            return None
        return top, agreeing(seen, look)

    def _decide(
        self, picture: Picture, candidates: Sequence[Candidate], looks: Sequence[Look], request: RollRequest | None
    ) -> Roll:
        kinds = self._awaited(request)
        real = self._real(candidates, looks)
        real = real if self._figures is None else self._figures.refined(picture, real)
        real = [(one, with_inks(picture, one, look, kinds)) for one, look in real]
        colours = weigh_colours(picture, real, kinds, self._top_colour, self._tray)
        finds = self._judgeable(picture, list(zip([one for one, _ in real], colours.looks, strict=True)))
        dice = [self._judge(picture, find, kinds) for find in finds]
        by_count = self._certain_by_count(picture, finds, dice, colours, request)
        dice = [by_count.get(i, die) for i, die in enumerate(dice)]
        notes = [Note.TOLD_BY_COUNT] if by_count else []
        kept = self._worth_asking([find.trust for find in finds], dice, request)
        if len(kept) < len(dice):
            dice, notes = kept, [*notes, Note.TRACE_PASSED_OVER]
        return self._roll_of(sorted(dice, key=_reading_order), request, notes)

    def _worth_asking(
        self, trusts: Sequence[Trust], dice: Sequence[DieReading], request: RollRequest | None
    ) -> list[DieReading]:
        """The dice without the finds that are hardly dice: ten tokens raise one question, not ten.

        Where a number is awaited, no more are asked about than are missing; if none is, one that is rather a die than
        not. Else all of these, and one if there are none.
        """
        doubted = sorted((i for i, die in enumerate(dice) if not die.certain), key=lambda i: -trusts[i].die)
        likely = sum(trusts[i].die >= self._limits.passed_over for i in doubted)
        certain = [die for die in dice if die.certain]
        awaited = None if request is None else request.count
        if awaited is None or len(certain) > awaited:
            most = max(likely, 1)
        elif len(certain) < awaited:
            most = awaited - len(certain)
        else:
            most = min(likely, 1) if self._counts_agree(certain, request) else len(doubted)
        left_out = set(doubted[most:])
        return [die for i, die in enumerate(dice) if i not in left_out]

    def _judgeable(self, picture: Picture, real: Sequence[Find]) -> list[_Evidence]:
        """All that is known of each find beside its look."""
        cocked = self._cocked(picture, real)
        candidates = [one for one, _ in real]
        trusts = self._trust.chances([subject_of(*find) for find in real])
        return [
            _Evidence(
                *find,
                trusts[i],
                hidden=is_hidden(find[0], candidates),
                cocked=cocked[i],
            )
            for i, find in enumerate(real)
        ]

    def _certain_by_count(
        self,
        picture: Picture,
        finds: Sequence[_Evidence],
        dice: Sequence[DieReading],
        colours: Weighed,
        request: RollRequest | None,
    ) -> dict[int, DieReading]:
        """By index the dice that are certain only because as many lie there as are awaited.

        What is seen clearly stands: if another one was due, that is asked about.
        """
        if all(die.certain for die in dice):
            return {}
        found = {}
        told = self._by_count(colours, request)
        looks = [told[i][0] if i in told else find.look for i, find in enumerate(finds)]
        trusts = self._trust.chances([subject_of(find.one, look) for find, look in zip(finds, looks, strict=True)])
        for i, (look, kind) in told.items():
            if dice[i].certain:
                continue
            due = replace(finds[i], look=look, trust=trusts[i], counted=kind is not None)
            die = self._judge(picture, due, (kind,) if kind else self._awaited(request))
            if die.certain:
                found[i] = die
        return found

    def _roll_of(self, dice: Sequence[DieReading], request: RollRequest | None, notes: Sequence[Note]) -> Roll:
        if not dice:
            if self._tray is None and request is not None and request.count:
                return Roll(Status.ASK, notes=(*notes, Note.ANOTHER_COUNT))
            return Roll(Status.EMPTY, notes=tuple(notes))
        certain = all(die.certain for die in dice)
        if self._counts_agree(dice, request):
            return Roll(Status.OK if certain else Status.ASK, tuple(dice), notes=tuple(notes))
        return Roll(Status.ASK, tuple(dice), notes=(*notes, Note.ANOTHER_COUNT) if certain else tuple(notes))

    def _by_count(self, colours: Weighed, request: RollRequest | None) -> dict[int, tuple[Look, Kind | None]]:
        """Where exactly as many dice lie as are awaited, traces left out: by index each look in the light of that, and
        the kind that the number awaited of each tells."""
        dice = [i for i, look in enumerate(colours.looks) if look.die >= self._limits.die]
        if request is None or not dice or len(dice) != request.count:
            return {}
        kinds = self._kinds_by_count(colours, dice, request)
        return {i: (as_due(colours.looks[i]), kinds.get(i)) for i in dice}

    def _kinds_by_count(self, colours: Weighed, dice: Sequence[int], request: RollRequest) -> dict[int, Kind | None]:
        """By index the kind of each of `dice` that the number awaited of each kind tells; empty where none can."""
        kinds = self.dice_set.kinds
        due = Counter(name for name, number in request.kinds for _ in range(number or 0))
        if not all(kind.bodies for kind in kinds) or not set(due) <= {kind.name for kind in kinds}:
            return {}
        lights = ((chance, [kind_fits(looks[i], kinds) for i in dice]) for chance, looks in colours.in_each_light())
        likely = zip(dice, kinds_in_lights(lights, due), strict=True)
        return {i: self._counted_kind(colours.looks[i], chances) for i, chances in likely}

    def _counted_kind(self, look: Look, likely: Mapping[str, float]) -> Kind | None:
        """The kind that is `likely` enough by the number awaited and that the body's colour does not speak against."""
        name, chance = max(likely.items(), key=lambda item: item[1])
        kind = self.dice_set.kind(name)
        enough = chance >= self._limits.counted and body_chance(look, kind, self.dice_set.kinds) >= self._limits.faint
        return kind if enough else None

    def _complete(self, dice: Sequence[DieReading], request: RollRequest | None) -> bool:
        """Whether `dice`, all of them certain, are exactly those awaited."""
        awaited = request is not None and request.count is not None
        return awaited and all(die.certain for die in dice) and self._counts_agree(dice, request)

    def _counts_agree(self, dice: Sequence[DieReading], request: RollRequest | None) -> bool:
        """False if another number of dice is awaited, in all or of a kind."""
        if request is None or request.count is None:
            return True
        known = {kind.name for kind in self.dice_set.kinds}
        counts = Counter(die.kind for die in dice)
        due = [(name, number) for name, number in request.kinds if name in known]
        return request.count == len(dice) and all(counts[name] == number for name, number in due)

    def _awaited(self, request: RollRequest | None) -> tuple[Kind, ...]:
        """The kinds that may lie there: those that the request names, or all of the set."""
        named = {name for name, _ in request.kinds} if request else set()
        return tuple(kind for kind in self.dice_set.kinds if kind.name in named) or self.dice_set.kinds

    def _real(self, candidates: Sequence[Candidate], looks: Sequence[Look]) -> list[Find]:
        """Those that are dice or may well be, one for each place."""
        kept = distinct_finds(
            candidates, looks, lambda one, look: evidence(one, look) >= self._limits.least_evidence(look, self._known)
        )
        if not kept and self._tray is None:
            kept = distinct_finds(candidates, looks, lambda one, look: evidence(one, look) >= self._limits.alone)[:1]
        return kept

    def _cocked(self, picture: Picture, real: Sequence[Find]) -> list[bool]:
        """Whether each leans as none does that lies flat."""
        firm = [_firmness(*pair) >= self._limits.die for pair in real]
        return self._cocked_dice.among(picture, [one for one, _ in real], firm, self.view)

    def _judge(self, picture: Picture, find: _Evidence, kinds: Sequence[Kind]) -> DieReading:
        """The reading of one find among dice of `kinds`: its likeliest face, and the doubt about it, if any."""
        look = find.look
        chances = face_chances(look, kinds, body=not find.counted)
        (kind, face), _ = max(chances.items(), key=lambda item: item[1])
        parts = part_chances(look, kinds, kind, face, body=not find.counted)
        needed = self._limits.needed(kinds, turned=has_turned(kind, face))
        doubt = self._doubt(picture, find, kinds, parts.mark, needed)
        doubt = doubt or self._doubt_of_face(picture, find, (kind, face), parts)
        if doubt is Doubt.FACE and find.hidden:
            doubt = Doubt.HIDDEN
        body = None if kind.marks == "plain" else _body(look, kind)
        box, possible = _clipped(find.one.box, picture), self._possible(chances, doubt)
        if class_of(kind, face) is None:
            return DieReading(kind.name, Face(), box, 0.0, doubt, body, possible)
        return DieReading(kind.name, face, box, round(parts.whole, 4), doubt, body, possible)

    def _possible(
        self, chances: Mapping[tuple[Kind, Face], float], doubt: Doubt | None
    ) -> tuple[tuple[Face, float], ...]:
        """The faces that cannot be ruled out, likeliest first (`DieReading.possible`)."""
        ranked = sorted(((face, chance) for (_, face), chance in chances.items()), key=lambda item: -item[1])
        if doubt is None:
            return tuple(ranked[:1])
        likely = [(face, chance) for face, chance in ranked if chance >= self._limits.ruled_out]
        return tuple(ranked[:2] if doubt is Doubt.FACE and len(likely) < 2 else likely)

    def _doubt(
        self, picture: Picture, find: _Evidence, kinds: Sequence[Kind], best: float, needed: float
    ) -> Doubt | None:
        """`needed`: what the mark's chance `best` must come to."""
        if pose := self._doubt_of_pose(picture, find):
            return pose
        look = find.look
        if float(look.classes[UNKNOWN]) > 0.5:
            return Doubt.FOREIGN
        if best >= needed:
            return None
        foreign = int(look.classes[1:].argmax()) + 1 not in known_classes(kinds)
        return Doubt.FOREIGN if foreign and look.best > 2 * best else Doubt.FACE

    def _doubt_of_pose(self, picture: Picture, find: _Evidence) -> Doubt | None:
        if _is_at_rim(find.one, picture):
            return Doubt.CUT_OFF
        if find.cocked:
            return Doubt.COCKED
        states = find.look.states
        return _STATE_DOUBTS.get(STATES[int(states.argmax())]) if states.max() > self._limits.state else None

    def _doubt_of_face(
        self, picture: Picture, find: _Evidence, read: tuple[Kind, Face], parts: PartChances
    ) -> Doubt | None:
        """What is doubtful of a mark that is certain: kind, colour, or that it is on a die at all."""
        kind, face = read
        if parts.body < self._limits.body or parts.colour < self._limits.coloured:
            return Doubt.FACE
        if kind.marks == "plain" and is_washed_out(picture, find.one, face):
            return Doubt.FACE
        patterned = class_of(kind, face) == PLAIN and is_pattern(picture, find.one)
        if find.trust.read >= self._limits.trusted and not patterned:
            return None
        return Doubt.CUT_OFF if is_cut(find.one, picture.shape[1], picture.shape[0]) else Doubt.FOREIGN


def distinct_finds(
    candidates: Sequence[Candidate], looks: Sequence[Look], enough: Callable[[Candidate, Look], bool]
) -> list[Find]:
    """The finds that show `enough`, the best one for each place, best first."""
    kept: list[Find] = []
    for one, look in sorted(zip(candidates, looks, strict=True), key=lambda pair: -pair[0].score * pair[1].best):
        if enough(one, look) and not any(overlap(one, other) for other, _ in kept):
            kept.append((one, look))
    return kept


def _reading_order(die: DieReading) -> tuple[int, float]:
    return round(die.box[1] / max(die.box[3], 1.0)), die.box[0]


def _clipped(box: Box, picture: Picture) -> Box:
    """A candidate's box (left, top, right, bottom) as far as it lies in the picture, as x, y, width, height."""
    height, width = picture.shape[:2]
    left, top = max(0.0, box[0]), max(0.0, box[1])
    return left, top, max(1.0, min(width, box[2]) - left), max(1.0, min(height, box[3]) - top)


def _is_at_rim(one: Candidate, picture: Picture) -> bool:
    """Whether the picture's rim cuts a part of the top face off."""
    height, width = picture.shape[:2]
    reach = 0.35 * one.edge
    return not (reach <= one.x <= width - reach and reach <= one.y <= height - reach)


def _body(look: Look, kind: Kind) -> str:
    """The body's colour: among those that the kind has, if it has any."""
    return max(kind.bodies or BODIES, key=lambda name: float(look.paints[BODIES.index(name)]))


def _dice_among(candidates: Sequence[Candidate], looks: Sequence[Look], limits: Thresholds) -> list[Candidate]:
    """Those that are surely dice."""
    return [one for one, look in zip(candidates, looks, strict=True) if evidence(one, look) >= limits.die]


def _strongest(candidates: Sequence[Candidate], looks: Sequence[Look]) -> float:
    return max((evidence(one, look) for one, look in zip(candidates, looks, strict=True)), default=0.0)


def _lying(real: Sequence[Find]) -> tuple[Rows, Rows]:
    """Places and leans, (n, 2) each."""
    places = np.array([(one.x, one.y) for one, _ in real], float).reshape(-1, 2)
    return places, np.array([look.lean for _, look in real], float).reshape(-1, 2)


def _is_open(look: Look) -> bool:
    return look.best < _SURE and float(look.classes[NOTHING]) < _SURELY_NOTHING


def _firmness(one: Candidate, look: Look) -> float:
    return min(evidence(one, look), look.die)


def _apart(look: Look, flat: Lean | Rows) -> float:
    return float(np.hypot(look.lean[0] - flat[0], look.lean[1] - flat[1]))
