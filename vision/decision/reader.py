"""The reader: turns an image into a roll, and marks each die as certain or gives the reason for doubt."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.classification.classes import NOTHING, PLAIN, STATES, UNKNOWN
from vision.classification.colours import (
    TrayLight,
    WeighedColours,
    is_washed_out,
    palette_of,
    weigh_colours,
    with_measured_inks,
)
from vision.classification.face_nets import Classification, SixOrNine, TopColour, agreeing
from vision.classification.face_probabilities import (
    PartChances,
    body_chance,
    class_of_face,
    face_chances,
    given_exact_count,
    has_upside_down_twin,
    kind_fits,
    kinds_given_count,
    known_classes,
    part_chances,
)
from vision.decision.cocked import CockedDiceDetector
from vision.decision.detector import Detector
from vision.decision.thresholds import Thresholds, evidence
from vision.decision.trust import Trust, TrustModel, subject_of
from vision.detection.exposure import is_clipped, normalise_levels
from vision.detection.finder import Candidate, is_cut, is_duplicate, is_hidden, is_pattern
from vision.detection.fixed_camera import FixedCamera
from vision.detection.table_plane import (
    SAME_LEAN,
    SIDE_LEAN,
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
"""Minimum finder score of a candidate while requested dice are missing."""

_SURE, _SURELY_NOTHING = 0.85, 0.97
"""Probabilities of a face and of no face above which another look would hardly change the result."""

_WORTH_TURNING = 0.35
"""Minimum finder score for a second look at a rotated crop."""

_TELLING = 3
"""Minimum number of dice needed to fit the table plane, which then predicts the top of another die."""


_STATE_DOUBTS = {"blurred": Doubt.BLURRED, "hidden": Doubt.HIDDEN}

Detection = tuple[Candidate, Classification]


@dataclass(frozen=True, slots=True)
class _JudgedDetection:
    """A find with the information that its look does not contain.

    - `trust`: how reliable the find and its reading are.
    - `hidden`: another die occludes it.
    - `cocked`: its tilt does not fit a die that lies flat.
    - `kind_from_count`: its kind is given by the request, whatever its body colour.
    """

    one: Candidate
    classification: Classification
    trust: Trust
    hidden: bool = False
    cocked: bool = False
    kind_from_count: bool = False


class Reader:
    """Reader for dice of one set. Loads its networks once. Not thread-safe."""

    def __init__(
        self,
        dice_set: DiceSet,
        *,
        thresholds: Thresholds | None = None,
        view: Overhead | None = None,
        one_tray: bool = False,
    ) -> None:
        """Create a reader.

        - `view`: the camera position. Without it, cocked dice are detected by comparison with the other dice; a lone
          die is never called cocked.
        - `one_tray`: all images show the same place, so the reader remembers the light and the camera position that
          earlier dice revealed.
        """
        self.dice_set = dice_set
        self._known = known_classes(dice_set.kinds)
        self.view = view
        self._thresholds = thresholds or Thresholds()
        self._detector = Detector(self._thresholds)
        self._trust = TrustModel()
        lined = any(
            kind.underlined and has_upside_down_twin(kind, face) for kind in dice_set.kinds for face in kind.faces
        )
        self._figures = SixOrNine() if lined else None
        self._top_colour = TopColour() if any(palette_of([kind]) for kind in dice_set.kinds) else None
        self._tray = TrayLight() if one_tray else None
        self._cocked_dice = CockedDiceDetector(FixedCamera() if one_tray else None)

    @property
    def camera(self) -> FixedCamera | None:
        """The camera model learnt from the dice of one tray; None if images may show any place."""
        return self._cocked_dice.camera

    @camera.setter
    def camera(self, camera: FixedCamera | None) -> None:
        self._cocked_dice.camera = camera

    def read(
        self, picture: Picture, request: RollRequest | None = None, *, now: Callable[[], float] = time.perf_counter
    ) -> Roll:
        """Read the dice in `picture` (height, width, 3, BGR), in reading order from left to right.

        `request` gives the expected dice:
        - A different number of dice sets the status to `ask`.
        - If all requested dice are present and certain, a faint trace beside them is ignored.
        - If as many dice are present as requested, a pale one is more likely a die than nothing, and the number of each
          kind distinguishes kinds with similar bodies.

        Each of these is reported in the roll's notes. A watched tray without dice is `empty` whatever the request,
        because nothing was thrown yet. A single image without any of the requested dice is `ask`. `now` returns
        seconds.
        """
        begun = now()
        normalised, candidates, classifications, poor = self.detect_normalised(picture, request)
        roll = self._decide(normalised, candidates, classifications, request)
        roll = self._with_light_doubt(roll, request) if poor else roll
        return replace(roll, ms=(now() - begun) * 1000)

    def detect_normalised(
        self, picture: Picture, request: RollRequest | None = None
    ) -> tuple[Picture, list[Candidate], list[Classification], bool]:
        """Return the image that is read, the candidates, their classifications, and whether poor light may hide dice.

        The image is brightened if it is very dark or has low contrast.
        """
        normalised_picture = normalise_levels(picture)
        picture, spread = normalised_picture.picture, normalised_picture.spread
        candidates, classifications = self.detect(picture, request)
        if spread is not None:
            others, again = self.detect(spread, request)
            dice = _dice_among(others, again, self._thresholds)
            more = len(dice) - len(_dice_among(candidates, classifications, self._thresholds))
            if dice and (
                more > 0 or (more == 0 and not any(is_clipped(spread, one.x, one.y, one.edge) for one in dice))
            ):
                picture, candidates, classifications = spread, others, again
        if self._tray is None and not _dice_among(candidates, classifications, self._thresholds):
            others, again = self._detect_padded(picture, request)
            if _strongest(others, again) > _strongest(candidates, classifications):
                candidates, classifications = others, again
        return picture, candidates, classifications, normalised_picture.is_poor

    def _detect_padded(
        self, picture: Picture, request: RollRequest | None
    ) -> tuple[list[Candidate], list[Classification]]:
        """Run the networks on the image inside a grey margin that doubles its size. Used if no die is clearly visible.

        The finder then sees each die at half its size. If a die fills most of the image, the finder detects only its
        pips.
        """
        above, left = picture.shape[0] // 2, picture.shape[1] // 2
        margins = (above, above, left, left)
        padded = cv2.copyMakeBorder(picture, *margins, cv2.BORDER_CONSTANT, value=PADDING)
        candidates, classifications = self.detect(np.asarray(padded, np.uint8), request)
        return [one.moved(-left, -above) for one in candidates], classifications

    def detect(
        self, picture: Picture, request: RollRequest | None = None
    ) -> tuple[list[Candidate], list[Classification]]:
        """Run the networks on the unchanged `picture`, without deciding anything.

        If there are finds but fewer dice than `request` expects, search at more sizes and include faint candidates. A
        find on a die's side is moved to the die's top.
        """
        candidates, classifications = self._detector.detect(picture)
        if request is not None and len(_dice_among(candidates, classifications, self._thresholds)) < (
            request.count or 0
        ):
            real = self._likely_dice(candidates, classifications)
            edges = [
                one.edge
                for one, classification in real
                if evidence(one, classification) >= self._thresholds.min_evidence
            ]
            edges = edges or [one.edge for one, _ in real]
            if edges:
                candidates, classifications = self._detector.detect(picture, _FAINTEST, edge=float(np.median(edges)))
        self._retry_upright(picture, candidates, classifications)
        return candidates, classifications

    def _with_light_doubt(self, roll: Roll, request: RollRequest | None) -> Roll:
        """Mark a reading as `ask` if poor light may hide dice, unless exactly the requested dice are present.

        A watched tray without dice stays `empty`: it was read before and will be read again.
        """
        if self._complete(roll.dice, request) or (self._tray is not None and not roll.dice):
            return roll
        return replace(roll, status=Status.ASK, notes=(*roll.notes, Note.POOR_LIGHT))

    def _retry_upright(
        self, picture: Picture, candidates: list[Candidate], classifications: list[Classification]
    ) -> None:
        """Look again where the table plane helps, and keep what fits a die that lies flat.

        If the tilt does not fit, the find may be a side of a die; the top is searched for at its predicted position. An
        unclear find seen from above is viewed again with its foot pointing down.
        """
        height, width = picture.shape[:2]
        real = self._likely_dice(candidates, classifications)
        firm = [pair for pair in real if _firmness(*pair) >= self._thresholds.min_evidence]
        table = self.view or fit_table(*_places_and_leans(firm), width, height, least=_TELLING)
        if table is None:
            return
        leans = table.leans(_places_and_leans(list(zip(candidates, classifications, strict=True)))[0], width, height)
        for i, (one, classification) in enumerate(zip(candidates, classifications, strict=True)):
            flat = float(leans[i, 0]), float(leans[i, 1])
            again = (
                self._upright_detection(picture, (one, classification), flat, real)
                if one.score >= _WORTH_TURNING
                else None
            )
            if again is None:
                continue
            top, seen = again
            has_mark = int(seen.classes.argmax()) not in (NOTHING, UNKNOWN)
            enough = evidence(top, seen) >= max(
                self._thresholds.min_evidence, self._thresholds.min_evidence_for(seen, self._known)
            )
            if has_mark and enough and _lean_difference(seen, flat) < SAME_LEAN:
                candidates[i], classifications[i] = top, seen

    def _upright_detection(
        self, picture: Picture, find: Detection, flat: Lean, real: Sequence[Detection]
    ) -> Detection | None:
        """Return another look at a find, None if it needs none or the new look shows less.

        A find whose tilt differs from `flat` (the expected tilt of a flat die there) may be a side: look at the
        predicted top. Otherwise an unclear find is viewed with its foot pointing down.
        """
        one, classification = find
        if (
            _lean_difference(classification, flat) > SIDE_LEAN
            and evidence(one, classification) >= self._thresholds.min_evidence_agreed
        ):
            beside = top_of_side(one, classification.lean, flat)
            top, seen = self._detector.classify_upright(picture, beside, (one.x - beside.x, one.y - beside.y))
            return None if any(other is not one and is_duplicate(top, other) for other, _ in real) else (top, seen)
        if not is_upside_down(flat) or not _is_undecided(classification):
            return None
        top, seen = self._detector.classify_upright(picture, one, flat)
        if evidence(top, seen) < evidence(one, classification) or seen.best_chance < classification.best_chance:
            return None
        return top, agreeing(seen, classification)

    def _decide(
        self,
        picture: Picture,
        candidates: Sequence[Candidate],
        classifications: Sequence[Classification],
        request: RollRequest | None,
    ) -> Roll:
        kinds = self._awaited_kinds(request)
        real = self._likely_dice(candidates, classifications)
        real = real if self._figures is None else self._figures.refined(picture, real)
        real = [(one, with_measured_inks(picture, one, classification, kinds)) for one, classification in real]
        colours = weigh_colours(picture, real, kinds, self._top_colour, self._tray)
        finds = self._with_evidence(picture, list(zip([one for one, _ in real], colours.classifications, strict=True)))
        dice = [self._read_die(picture, find, kinds) for find in finds]
        by_count = self._inferred_from_count(picture, finds, dice, colours, request)
        dice = [by_count.get(i, die) for i, die in enumerate(dice)]
        notes = [Note.INFERRED_FROM_COUNT] if by_count else []
        kept = self._without_unlikely([find.trust for find in finds], dice, request)
        if len(kept) < len(dice):
            dice, notes = kept, [*notes, Note.FAINT_CANDIDATE_IGNORED]
        return self._roll_of(sorted(dice, key=_reading_order), request, notes)

    def _without_unlikely(
        self, trusts: Sequence[Trust], dice: Sequence[DieReading], request: RollRequest | None
    ) -> list[DieReading]:
        """Return the dice without finds that are hardly dice. Ten tokens cause one question, not ten.

        - Fewer dice certain than requested: ask about at most as many finds as are missing.
        - Exactly the requested dice are certain: ask about at most one find, if it is more likely a die than not.
        - The requested number is certain, but of other kinds: ask about every doubtful find.
        - No number requested, or more certain than requested: ask about all likely dice, or about one find if none is
          likely.
        """
        doubted = sorted((i for i, die in enumerate(dice) if not die.certain), key=lambda i: -trusts[i].die)
        likely = sum(trusts[i].die >= self._thresholds.min_die_trust for i in doubted)
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

    def _with_evidence(self, picture: Picture, real: Sequence[Detection]) -> list[_JudgedDetection]:
        """Collect the evidence for each find."""
        cocked = self._cocked(picture, real)
        candidates = [one for one, _ in real]
        trusts = self._trust.chances([subject_of(*find) for find in real])
        return [
            _JudgedDetection(
                *find,
                trusts[i],
                hidden=is_hidden(find[0], candidates),
                cocked=cocked[i],
            )
            for i, find in enumerate(real)
        ]

    def _inferred_from_count(
        self,
        picture: Picture,
        finds: Sequence[_JudgedDetection],
        dice: Sequence[DieReading],
        colours: WeighedColours,
        request: RollRequest | None,
    ) -> dict[int, DieReading]:
        """Return, by index, the dice that are certain only because their number matches the request.

        A clear reading is kept: if it differs from the request, the players are asked.
        """
        if all(die.certain for die in dice):
            return {}
        found = {}
        by_count = self._by_count(colours, request)
        classifications = [by_count[i][0] if i in by_count else find.classification for i, find in enumerate(finds)]
        trusts = self._trust.chances(
            [subject_of(find.one, classification) for find, classification in zip(finds, classifications, strict=True)]
        )
        for i, (classification, kind) in by_count.items():
            if dice[i].certain:
                continue
            due = replace(finds[i], classification=classification, trust=trusts[i], kind_from_count=kind is not None)
            die = self._read_die(picture, due, (kind,) if kind else self._awaited_kinds(request))
            if die.certain:
                found[i] = die
        return found

    def _roll_of(self, dice: Sequence[DieReading], request: RollRequest | None, notes: Sequence[Note]) -> Roll:
        if not dice:
            if self._tray is None and request is not None and request.count:
                return Roll(Status.ASK, notes=(*notes, Note.COUNT_MISMATCH))
            return Roll(Status.EMPTY, notes=tuple(notes))
        certain = all(die.certain for die in dice)
        if self._counts_agree(dice, request):
            return Roll(Status.OK if certain else Status.ASK, tuple(dice), notes=tuple(notes))
        return Roll(Status.ASK, tuple(dice), notes=(*notes, Note.COUNT_MISMATCH) if certain else tuple(notes))

    def _by_count(
        self, colours: WeighedColours, request: RollRequest | None
    ) -> dict[int, tuple[Classification, Kind | None]]:
        """Return the looks re-weighted by the request, by index, with the kind where the counts determine it.

        Applies only if exactly as many dice are present as requested, not counting faint traces.
        """
        dice = [
            i
            for i, classification in enumerate(colours.classifications)
            if classification.die_chance >= self._thresholds.min_evidence
        ]
        if request is None or not dice or len(dice) != request.count:
            return {}
        kinds = self._kinds_by_count(colours, dice, request)
        return {i: (given_exact_count(colours.classifications[i]), kinds.get(i)) for i in dice}

    def _kinds_by_count(
        self, colours: WeighedColours, dice: Sequence[int], request: RollRequest
    ) -> dict[int, Kind | None]:
        """Return, by index, the kinds of `dice` that follow from the requested number of each kind.

        Empty if the numbers determine none.
        """
        kinds = self.dice_set.kinds
        due = Counter(name for name, number in request.kinds for _ in range(number or 0))
        if not all(kind.bodies for kind in kinds) or not set(due) <= {kind.name for kind in kinds}:
            return {}
        lights = (
            (chance, [kind_fits(classifications[i], kinds) for i in dice])
            for chance, classifications in colours.by_light()
        )
        likely = zip(dice, kinds_given_count(lights, due), strict=True)
        return {i: self._kind_from_count(colours.classifications[i], chances) for i, chances in likely}

    def _kind_from_count(self, classification: Classification, likely: Mapping[str, float]) -> Kind | None:
        """Return the most likely kind by count if it is likely enough and the body colour does not contradict it."""
        name, chance = max(likely.items(), key=lambda item: item[1])
        kind = self.dice_set.kind(name)
        enough = (
            chance >= self._thresholds.count_prior
            and body_chance(classification, kind, self.dice_set.kinds) >= self._thresholds.min_body_chance
        )
        return kind if enough else None

    def _complete(self, dice: Sequence[DieReading], request: RollRequest | None) -> bool:
        """Return True if all `dice` are certain and are exactly the requested ones."""
        awaited = request is not None and request.count is not None
        return awaited and all(die.certain for die in dice) and self._counts_agree(dice, request)

    def _counts_agree(self, dice: Sequence[DieReading], request: RollRequest | None) -> bool:
        """Return False if the request expects a different number of dice, in total or of a kind."""
        if request is None or request.count is None:
            return True
        known = {kind.name for kind in self.dice_set.kinds}
        counts = Counter(die.kind for die in dice)
        due = [(name, number) for name, number in request.kinds if name in known]
        return request.count == len(dice) and all(counts[name] == number for name, number in due)

    def _awaited_kinds(self, request: RollRequest | None) -> tuple[Kind, ...]:
        """Return the possible kinds: those named in the request, or all of the set."""
        named = {name for name, _ in request.kinds} if request else set()
        return tuple(kind for kind in self.dice_set.kinds if kind.name in named) or self.dice_set.kinds

    def _likely_dice(
        self, candidates: Sequence[Candidate], classifications: Sequence[Classification]
    ) -> list[Detection]:
        """Return the finds that are or may be dice, at most one per place."""
        kept = distinct_finds(
            candidates,
            classifications,
            lambda one, classification: (
                evidence(one, classification) >= self._thresholds.min_evidence_for(classification, self._known)
            ),
        )
        if not kept and self._tray is None:
            kept = distinct_finds(
                candidates,
                classifications,
                lambda one, classification: evidence(one, classification) >= self._thresholds.min_evidence_alone,
            )[:1]
        return kept

    def _cocked(self, picture: Picture, real: Sequence[Detection]) -> list[bool]:
        """Return for each find whether its tilt does not fit a flat die."""
        firm = [_firmness(*pair) >= self._thresholds.min_evidence for pair in real]
        return self._cocked_dice.detect(picture, [one for one, _ in real], firm, self.view)

    def _read_die(self, picture: Picture, find: _JudgedDetection, kinds: Sequence[Kind]) -> DieReading:
        """Read one find as a die of `kinds`: its most likely face and its doubt, if any."""
        classification = find.classification
        chances = face_chances(classification, kinds, body=not find.kind_from_count)
        (kind, face), _ = max(chances.items(), key=lambda item: item[1])
        parts = part_chances(classification, kinds, kind, face, body=not find.kind_from_count)
        needed = self._thresholds.min_mark_for(kinds, turned=has_upside_down_twin(kind, face))
        doubt = self._doubt(picture, find, kinds, parts.mark, needed)
        doubt = doubt or self._doubt_of_face(picture, find, (kind, face), parts)
        if doubt is Doubt.FACE and find.hidden:
            doubt = Doubt.HIDDEN
        body = None if kind.marks == "plain" else _body_name(classification, kind)
        box, possible = _clipped(find.one.box, picture), self._possible(chances, doubt)
        if class_of_face(kind, face) is None:
            return DieReading(kind.name, Face(), box, 0.0, doubt, body, possible)
        return DieReading(kind.name, face, box, round(parts.whole, 4), doubt, body, possible)

    def _possible(
        self, chances: Mapping[tuple[Kind, Face], float], doubt: Doubt | None
    ) -> tuple[tuple[Face, float], ...]:
        """Return the faces that cannot be ruled out, most likely first (`DieReading.possible`)."""
        ranked = sorted(((face, chance) for (_, face), chance in chances.items()), key=lambda item: -item[1])
        if doubt is None:
            return tuple(ranked[:1])
        likely = [(face, chance) for face, chance in ranked if chance >= self._thresholds.min_face_chance]
        return tuple(ranked[:2] if doubt is Doubt.FACE and len(likely) < 2 else likely)

    def _doubt(
        self, picture: Picture, find: _JudgedDetection, kinds: Sequence[Kind], best: float, needed: float
    ) -> Doubt | None:
        """Return the doubt about a die. `needed` is the threshold for the probability `best` of its mark."""
        if pose := self._doubt_of_pose(picture, find):
            return pose
        classification = find.classification
        if float(classification.classes[UNKNOWN]) > 0.5:
            return Doubt.FOREIGN
        if best >= needed:
            return None
        foreign = int(classification.classes[1:].argmax()) + 1 not in known_classes(kinds)
        return Doubt.FOREIGN if foreign and classification.best_chance > 2 * best else Doubt.FACE

    def _doubt_of_pose(self, picture: Picture, find: _JudgedDetection) -> Doubt | None:
        if _is_at_rim(find.one, picture):
            return Doubt.CUT_OFF
        if find.cocked:
            return Doubt.COCKED
        states = find.classification.states
        return _STATE_DOUBTS.get(STATES[int(states.argmax())]) if states.max() > self._thresholds.state else None

    def _doubt_of_face(
        self, picture: Picture, find: _JudgedDetection, read: tuple[Kind, Face], parts: PartChances
    ) -> Doubt | None:
        """Return the doubt about a die whose mark is certain: its kind, its colour, or whether it is a die at all."""
        kind, face = read
        if parts.body < self._thresholds.body or parts.colour < self._thresholds.coloured:
            return Doubt.FACE
        if kind.marks == "plain" and is_washed_out(picture, find.one, face):
            return Doubt.FACE
        patterned = class_of_face(kind, face) == PLAIN and is_pattern(picture, find.one)
        if find.trust.read >= self._thresholds.trusted and not patterned:
            return None
        return Doubt.CUT_OFF if is_cut(find.one, picture.shape[1], picture.shape[0]) else Doubt.FOREIGN


def distinct_finds(
    candidates: Sequence[Candidate],
    classifications: Sequence[Classification],
    enough: Callable[[Candidate, Classification], bool],
) -> list[Detection]:
    """Return the finds that pass `enough`: the best one per place, best first."""
    kept: list[Detection] = []
    for one, classification in sorted(
        zip(candidates, classifications, strict=True), key=lambda pair: -pair[0].score * pair[1].best_chance
    ):
        if enough(one, classification) and not any(is_duplicate(one, other) for other, _ in kept):
            kept.append((one, classification))
    return kept


def _reading_order(die: DieReading) -> tuple[int, float]:
    return round(die.box[1] / max(die.box[3], 1.0)), die.box[0]


def _clipped(box: Box, picture: Picture) -> Box:
    """Clip a candidate's box (left, top, right, bottom) to the image. Return x, y, width, height."""
    height, width = picture.shape[:2]
    left, top = max(0.0, box[0]), max(0.0, box[1])
    return left, top, max(1.0, min(width, box[2]) - left), max(1.0, min(height, box[3]) - top)


def _is_at_rim(one: Candidate, picture: Picture) -> bool:
    """Return True if the image border cuts off part of the top face."""
    height, width = picture.shape[:2]
    reach = 0.35 * one.edge
    return not (reach <= one.x <= width - reach and reach <= one.y <= height - reach)


def _body_name(classification: Classification, kind: Kind) -> str:
    """Return the most likely body colour, among those of the kind if it lists any."""
    return max(kind.bodies or BODIES, key=lambda name: float(classification.paints[BODIES.index(name)]))


def _dice_among(
    candidates: Sequence[Candidate], classifications: Sequence[Classification], limits: Thresholds
) -> list[Candidate]:
    """Return the candidates that are certainly dice."""
    return [
        one
        for one, classification in zip(candidates, classifications, strict=True)
        if evidence(one, classification) >= limits.min_evidence
    ]


def _strongest(candidates: Sequence[Candidate], classifications: Sequence[Classification]) -> float:
    return max(
        (evidence(one, classification) for one, classification in zip(candidates, classifications, strict=True)),
        default=0.0,
    )


def _places_and_leans(real: Sequence[Detection]) -> tuple[Rows, Rows]:
    """Return positions and tilts, (n, 2) each."""
    places = np.array([(one.x, one.y) for one, _ in real], float).reshape(-1, 2)
    return places, np.array([classification.lean for _, classification in real], float).reshape(-1, 2)


def _is_undecided(classification: Classification) -> bool:
    return classification.best_chance < _SURE and float(classification.classes[NOTHING]) < _SURELY_NOTHING


def _firmness(one: Candidate, classification: Classification) -> float:
    return min(evidence(one, classification), classification.die_chance)


def _lean_difference(classification: Classification, flat: Lean | Rows) -> float:
    return float(np.hypot(classification.lean[0] - flat[0], classification.lean[1] - flat[1]))
