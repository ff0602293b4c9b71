"""From a picture to a roll: finds dice, reads them, and says which readings are certain and why others are not."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from vision.classification.classes import NOTHING, PLAIN, STATES, UNKNOWN
from vision.classification.colours import OneTray, Weighed, is_washed_out, palette_of, weighed, with_inks
from vision.classification.face_nets import Look, SixOrNine, TopColour, agreeing
from vision.classification.face_probabilities import (
    as_due,
    class_of,
    fits,
    has_turned,
    kinds_in_lights,
    known_classes,
    of_body,
    of_faces,
    told,
)
from vision.decision.detector import Sight
from vision.decision.thresholds import Thresholds, evidence, least_evidence, needed
from vision.detection.exposure import cuts_off, exposed
from vision.detection.finder import Candidate, is_hidden, is_pattern, overlap
from vision.detection.table_plane import AGREE, Lean, Overhead, Rows, apart_of_two, is_upside_down, table_of, top_beside
from vision.dice_sets import BODIES, DiceSet, Kind
from vision.pictures import Picture
from vision.roll import DieReading, Doubt, Face, Note, Roll, RollRequest, Status
from vision.white_balance import Patches, balanced

_FAINTEST = 0.1
"""Score from which a place is a candidate where a die that is awaited is missing."""

_SURE, _SURELY_NOTHING = 0.85, 0.97
"""Chance of a face, and of none, from which a further look would hardly change anything."""

_TELLING = 3
"""Dice that must lie on one table before it tells where another one's top is."""

_EITHER = 1.5
"""How much more two dice must lean apart than one among many, before both are asked about."""


class Reader:
    """Reads pictures of dice of one set. Makes its nets once; not to be shared between threads."""

    def __init__(
        self,
        dice_set: DiceSet,
        *,
        threads: int = 1,
        thresholds: Thresholds | None = None,
        view: Overhead | None = None,
        one_tray: bool = False,
        patches: Patches | None = None,
    ) -> None:
        """`view` tells where the camera stands; else a cocked die is noticed by how the others lie, or by its face.

        `one_tray`: all pictures are of the same place, so what the last dice showed of its light is remembered.
        `patches`: known colours in the picture, by which it is freed of the light's colour first.
        """
        self.dice_set = dice_set
        self._known = known_classes(dice_set.kinds)
        self.view = view
        self._limits = thresholds or Thresholds()
        self._sight = Sight(threads, self._limits)
        lined = any(kind.underlined and has_turned(kind, face) for kind in dice_set.kinds for face in kind.faces)
        self._figures = SixOrNine(threads) if lined else None
        self._top_colour = TopColour(threads) if any(palette_of([kind]) for kind in dice_set.kinds) else None
        self._tray = OneTray() if one_tray else None
        self._patches = patches

    def read(
        self, picture: Picture, request: RollRequest | None = None, *, now: Callable[[], float] = time.perf_counter
    ) -> Roll:
        """The dice in `picture` (height, width, 3, BGR), left to right in reading order.

        `request` says what is awaited: another number of dice, if there are any, makes the status `ask`; a faint trace
        beside all the dice awaited, each of them certain, is passed over; where as many dice lie there as are awaited,
        a pale one is rather one of them than nothing, and the number of each kind tells alike bodies apart. Each is
        said in the roll's notes. No dice at all are empty, whatever is awaited: whoever waits sees from it that nothing
        was thrown yet. `now` gives seconds.
        """
        begun = now()
        shown, candidates, looks, poor = self.seen(picture, request)
        roll = self._decide(shown, candidates, looks, request)
        roll = self._doubting(roll, request) if poor else roll
        return replace(roll, ms=(now() - begun) * 1000)

    def seen(
        self, picture: Picture, request: RollRequest | None = None
    ) -> tuple[Picture, list[Candidate], list[Look], bool]:
        """The picture as it is read (brighter if it is very dark or flat, and free of the light's colour), what the
        nets make of it, and whether dice may lie there that it does not show."""
        shown = exposed(picture)
        balance = self._patches.balance(shown.picture) if self._patches is not None else None
        gains = balance.gains if balance is not None and balance.known else None
        picture = shown.picture if gains is None else balanced(shown.picture, gains)
        candidates, looks = self.look(picture, request)
        if shown.spread is not None:
            spread = shown.spread if gains is None else balanced(shown.spread, gains)
            others, again = self.look(spread, request)
            dice = _dice_among(others, again, self._limits)
            more = len(dice) - len(_dice_among(candidates, looks, self._limits))
            if dice and (more > 0 or (more == 0 and not any(cuts_off(spread, one.x, one.y, one.edge) for one in dice))):
                picture, candidates, looks = spread, others, again
        return picture, candidates, looks, shown.poor

    def look(self, picture: Picture, request: RollRequest | None = None) -> tuple[list[Candidate], list[Look]]:
        """What the nets make of `picture` as it is, before anything is decided.

        Where something is found, but fewer dice than `request` awaits, they are searched for at more sizes, and what
        the finder hardly sees is looked at too. A find that was a die's side stands at its top.
        """
        candidates, looks = self._sight.see(picture)
        if request is not None and len(_dice_among(candidates, looks, self._limits)) < (request.count or 0):
            real = self._real(candidates, looks)
            edges = [one.edge for one, look in real if evidence(one, look) >= self._limits.die]
            edges = edges or [one.edge for one, _ in real]
            if edges:
                candidates, looks = self._sight.see(picture, _FAINTEST, edge=float(np.median(edges)))
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
        table = self.view or table_of(*_lying(firm), width, height, least=_TELLING)
        if table is None:
            return
        leans = table.leans(_lying(list(zip(candidates, looks, strict=True)))[0], width, height)
        for i, (one, look) in enumerate(zip(candidates, looks, strict=True)):
            if one.score < self._limits.found:
                continue
            flat = float(leans[i, 0]), float(leans[i, 1])
            if _apart(look, flat) > self._limits.cocked and evidence(one, look) >= self._limits.trace:
                beside = top_beside(one, look.lean, flat)
                top, seen = self._sight.see_upright(picture, beside, (one.x - beside.x, one.y - beside.y))
                if any(other is not one and overlap(top, other) for other, _ in real):
                    continue
            elif is_upside_down(flat) and _is_open(look):
                top, seen = self._sight.see_upright(picture, one, flat)
                if evidence(top, seen) < evidence(one, look) or seen.best < look.best:
                    continue
                seen = agreeing(seen, look)
            else:
                continue
            shown = int(seen.classes.argmax()) not in (NOTHING, UNKNOWN)
            enough = evidence(top, seen) >= max(self._limits.die, least_evidence(seen, self._known, self._limits))
            if shown and enough and _apart(seen, flat) < AGREE:
                candidates[i], looks[i] = top, seen

    def _decide(
        self, picture: Picture, candidates: Sequence[Candidate], looks: Sequence[Look], request: RollRequest | None
    ) -> Roll:
        kinds = self._awaited(request)
        real = self._real(candidates, looks)
        real = real if self._figures is None else self._figures.told_apart(picture, real)
        real = [(one, with_inks(picture, one, look, kinds)) for one, look in real]
        colours = weighed(picture, real, kinds, self._top_colour, self._tray)
        real = list(zip([one for one, _ in real], colours.looks, strict=True))
        cocked = self._cocked(picture, real)
        finds = [one for one, _ in real]
        telling = max((one.score for one, _ in real), default=1.0)
        lonely = telling < self._limits.telling
        spots = [False] * len(real)
        if telling < self._limits.telling_pips and self.dice_set.with_marks("pips"):
            spots = self._sight.mere_spots(picture, real, self._limits.steady)
        judged = [
            (
                self._judge(picture, one, look, kinds, is_hidden(one, finds), cocked[i], lonely=lonely, spots=spots[i]),
                look,
            )
            for i, (one, look) in enumerate(real)
        ]
        notes = []
        unclear = not all(die.certain for die, _ in judged)
        for i, (look, one_kind) in self._by_count(colours, request).items() if unclear else ():
            if judged[i][0].certain:
                continue  # what is seen clearly stands: if another one was due, that is asked about
            one = real[i][0]
            among = (one_kind,) if one_kind else kinds
            hidden = is_hidden(one, finds)
            die = self._judge(
                picture, one, look, among, hidden, cocked[i], spots=spots[i], due=True, counted=one_kind is not None
            )
            if die.certain:
                judged[i] = (die, look)
                notes = [Note.TOLD_BY_COUNT]
        certain = [die for die, _ in judged if die.certain]
        besides = [look for die, look in judged if not die.certain]
        passed_over = bool(besides) and self._complete(certain, request)
        passed_over = passed_over and all(look.die < self._limits.die for look in besides)
        dice = certain if passed_over else [die for die, _ in judged]
        dice.sort(key=lambda die: (round(die.box[1] / max(die.box[3], 1.0)), die.box[0]))
        notes += [Note.TRACE_PASSED_OVER] if passed_over else []
        status = Status.EMPTY if not dice else Status.OK if all(die.certain for die in dice) else Status.ASK
        if dice and not self._counts_agree(dice, request):
            notes += [Note.ANOTHER_COUNT] if status is Status.OK else []
            status = Status.ASK
        return Roll(status, tuple(dice), notes=tuple(notes))

    def _by_count(self, colours: Weighed, request: RollRequest | None) -> dict[int, tuple[Look, Kind | None]]:
        """Where exactly as many dice lie as are awaited, traces left out: by index each look in the light of that, and
        the kind that the number awaited of each tells."""
        dice = [i for i, look in enumerate(colours.looks) if look.die >= self._limits.die]
        if request is None or not dice or len(dice) != request.count:
            return {}
        kinds = self.dice_set.kinds
        due = Counter(name for name, number in request.kinds for _ in range(number or 0))
        by_kind: Sequence[Mapping[str, float]] = [{}] * len(dice)
        if all(kind.bodies for kind in kinds) and set(due) <= {kind.name for kind in kinds}:
            lights = ((chance, [fits(looks[i], kinds) for i in dice]) for chance, looks in colours.in_each_light())
            by_kind = kinds_in_lights(lights, due)
        found: dict[int, tuple[Look, Kind | None]] = {}
        for i, likely in zip(dice, by_kind, strict=True):
            look = colours.looks[i]
            found[i] = (as_due(look), self._told(look, likely) if likely else None)
        return found

    def _told(self, look: Look, likely: Mapping[str, float]) -> Kind | None:
        """The kind that is `likely` enough by the number awaited and that the body's colour does not speak against."""
        name, chance = max(likely.items(), key=lambda item: item[1])
        kind = self.dice_set.kind(name)
        enough = chance >= self._limits.counted and of_body(look, kind, self.dice_set.kinds) >= self._limits.faint
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

    def _real(self, candidates: Sequence[Candidate], looks: Sequence[Look]) -> list[tuple[Candidate, Look]]:
        """Those that are dice or may well be, one for each place."""
        ranked = sorted(zip(candidates, looks, strict=True), key=lambda pair: -pair[0].score * pair[1].best)
        kept: list[tuple[Candidate, Look]] = []
        for one, look in ranked:
            enough = evidence(one, look) >= least_evidence(look, self._known, self._limits)
            if enough and not any(overlap(one, other) for other, _ in kept):
                kept.append((one, look))
        if not kept and self._tray is None:
            kept = [pair for pair in ranked if evidence(*pair) >= self._limits.alone][:1]
        return kept

    def _cocked(self, picture: Picture, real: Sequence[tuple[Candidate, Look]]) -> list[bool]:
        """Whether each leans as none does that lies flat: by the camera's place if it is known, else by the others."""
        height, width = picture.shape[:2]
        firm = [_firmness(*pair) >= self._limits.die for pair in real]
        places, leans = _lying([pair for pair, is_firm in zip(real, firm, strict=True) if is_firm])
        table = self.view or table_of(places, leans, width, height)
        if table is not None:
            flat = table.leans(_lying(real)[0], width, height)
            return [_apart(look, lean) > self._limits.cocked for (_, look), lean in zip(real, flat, strict=True)]
        if len(places) == 2 and apart_of_two(places, leans, width, height) > _EITHER * self._limits.cocked:
            return firm
        return [False] * len(real)

    def _judge(
        self,
        picture: Picture,
        one: Candidate,
        look: Look,
        kinds: Sequence[Kind],
        hidden: bool,
        cocked: bool,
        *,
        lonely: bool = False,
        spots: bool = False,
        due: bool = False,
        counted: bool = False,
    ) -> DieReading:
        """`lonely`: nothing but its face says that it is a die; `spots`: its pips may be those of a button or a domino;
        `due`: one of exactly as many dice as are awaited; `counted`: of the one kind that is given, whatever the colour
        of its body."""
        left, top, right, bottom = one.box
        height, width = picture.shape[:2]
        left, top = max(0.0, left), max(0.0, top)
        box = (left, top, max(1.0, min(width, right) - left), max(1.0, min(height, bottom) - top))
        chances = of_faces(look, kinds, body=not counted)
        (kind, face), _ = max(chances.items(), key=lambda item: item[1])
        parts = told(look, kinds, kind, face, body=not counted)
        best = parts.whole
        turned = has_turned(kind, face)
        sure = needed(one.score, look, kinds, self._limits, turned=turned, lonely=lonely, due=due)
        doubt = self._doubt(picture, one, look, kinds, parts.mark, sure, due=due, cocked=cocked, lonely=lonely)
        if doubt is None and (parts.body < self._limits.body or parts.colour < self._limits.coloured):
            doubt = Doubt.FACE
        if doubt is None and kind.marks == "plain" and is_washed_out(picture, one, face):
            doubt = Doubt.FACE
        if doubt is None and spots and kind.marks == "pips":
            doubt = Doubt.FOREIGN
        if doubt is None and class_of(kind, face) == PLAIN and is_pattern(picture, one):
            doubt = Doubt.FOREIGN
        if doubt is Doubt.FACE and hidden:
            doubt = Doubt.HIDDEN
        ranked = sorted(((f, p) for (_, f), p in chances.items()), key=lambda item: -item[1])
        likely = [(f, p) for f, p in ranked if p >= self._limits.ruled_out]
        possible = ranked[:1] if doubt is None else ranked[:2] if doubt is Doubt.FACE and len(likely) < 2 else likely
        if class_of(kind, face) is None:
            face, best = Face(), 0.0
        shown = None if kind.marks == "plain" else _body(look, kind)
        return DieReading(kind.name, face, box, round(best, 4), doubt, shown, tuple(possible))

    def _doubt(
        self,
        picture: Picture,
        one: Candidate,
        look: Look,
        kinds: Sequence[Kind],
        best: float,
        sure: tuple[float, float],
        *,
        due: bool,
        cocked: bool,
        lonely: bool,
    ) -> Doubt | None:
        """`sure`: what the mark's chance `best` and each look must come to."""
        limits = self._limits
        height, width = picture.shape[:2]
        reach = 0.35 * one.edge
        if not (reach <= one.x <= width - reach and reach <= one.y <= height - reach):
            return Doubt.CUT_OFF
        if cocked:
            return Doubt.COCKED
        named = _STATE_DOUBTS.get(STATES[int(look.states.argmax())])
        if named is not None and look.states.max() > limits.state:
            return named
        clear = due and look.least >= limits.clear
        there = evidence(one, look) >= limits.die or clear or (not lonely and look.least >= limits.distinct)
        if float(look.classes[UNKNOWN]) > 0.5 or not there:
            return Doubt.FOREIGN
        if best < sure[0] or look.least < sure[1] or (one.score < limits.found and not clear):
            foreign = int(look.classes[1:].argmax()) + 1 not in known_classes(kinds)
            return Doubt.FOREIGN if foreign and look.best > 2 * best else Doubt.FACE
        return None


_STATE_DOUBTS = {"cocked": Doubt.COCKED, "blurred": Doubt.BLURRED, "hidden": Doubt.HIDDEN}


def _body(look: Look, kind: Kind) -> str:
    """The body's colour: among those that the kind has, if it has any."""
    return max(kind.bodies or BODIES, key=lambda name: float(look.paints[BODIES.index(name)]))


def _dice_among(candidates: Sequence[Candidate], looks: Sequence[Look], limits: Thresholds) -> list[Candidate]:
    """Those that are surely dice."""
    return [one for one, look in zip(candidates, looks, strict=True) if evidence(one, look) >= limits.die]


def _lying(real: Sequence[tuple[Candidate, Look]]) -> tuple[Rows, Rows]:
    """Places and leans, (n, 2) each."""
    places = np.array([(one.x, one.y) for one, _ in real], float).reshape(-1, 2)
    return places, np.array([look.lean for _, look in real], float).reshape(-1, 2)


def _is_open(look: Look) -> bool:
    return look.best < _SURE and float(look.classes[NOTHING]) < _SURELY_NOTHING


def _firmness(one: Candidate, look: Look) -> float:
    return min(evidence(one, look), look.die)


def _apart(look: Look, flat: Lean | Rows) -> float:
    return float(np.hypot(look.lean[0] - flat[0], look.lean[1] - flat[1]))
