"""The dice of a match: dice in the tray, counted dice, pending questions, and the dice due next.

Turns reader rolls into throws to record, questions or notices. Uncertain dice are never guessed. The session passes in
each new situation and records the throws; `DiceDesk` does not depend on the session.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from typing import Any, Literal, cast

import msgspec

from companion.clock import Clock
from companion.games.base import AnyGame, Choice, Decision, Die, Event, Fields, GameState, Message, Refusal, State
from companion.journal.ledger import JournalEvent
from companion.journal.store import READING, Picture, Store
from companion.table import throws
from companion.table.ports import DiceMemory, DiceThrower, News, NewsKind, Outputs, ReaderNews, ReaderPort
from companion.table.throws import AskExtra, AskFace, AskWhose, possible_faces
from vision.calibration_messages import CalibrationStatus, TrayHealth
from vision.roll import (
    Box,
    CameraState,
    DieReading,
    Doubt,
    Face,
    Note,
    Roll,
    RollRequest,
    SeenRoll,
    TrayPicture,
)

log = logging.getLogger(__name__)

MAX_CALIBRATION_AGE_DAYS = 180
"""Days after which a calibration counts as old, since lamps, daylight and screws change."""


def health_message(health: TrayHealth, simulated: bool, today: date | None = None) -> Message | None:
    """Return a health message, None if there is nothing to report. A simulated table needs no setup."""
    if health.status is not CalibrationStatus.GOOD:
        return None if simulated else Message(f"calibration.fit.{health.status}")
    if health.drifted and health.worst_aspect is not None:
        return Message(f"calibration.drifted.{health.worst_aspect}")
    age = None if today is None else age_message(health.made, today)
    if health.worst_aspect is not None:
        return Message("calibration.health_mend", {"figure": health.score, "mend": fix_message(health)})
    return age or Message("calibration.health", {"figure": health.score})


def fix_message(health: TrayHealth) -> Message | None:
    """Return the one thing to fix, None if all is well."""
    return None if health.worst_aspect is None else Message(f"calibration.mend.{health.worst_aspect}")


def age_in_days(made: str, today: date) -> int | None:
    """Return the age of a calibration in days (`made` in ISO 8601); None if unknown."""
    try:
        return (today - date.fromisoformat(made[:10])).days
    except ValueError:
        return None


def age_message(made: str, today: date) -> Message | None:
    """Return a message that a calibration is old, None if it is not."""
    days = age_in_days(made, today)
    return Message("calibration.old", {"n": days}) if days is not None and days > MAX_CALIBRATION_AGE_DAYS else None


# Evidence stored with a roll's event: pictures of the tray and of each die, and their readings.


TRAY, CROP = "tray", "crop"
"""Kinds of stored pictures, besides READING."""


@dataclass(frozen=True, slots=True)
class Pictures:
    """The evidence of one event. `dice` are all dice in the tray, with boxes in a picture of `size` (width, height).

    `purged` is True if there were pictures that have been deleted.
    """

    tray: bytes | None = None
    crops: tuple[bytes, ...] = ()
    dice: tuple[DieReading, ...] = ()
    size: tuple[int, int] = (0, 0)
    purged: bool = False


@dataclass(frozen=True, slots=True)
class StoredReading:
    """The JSON content of a READING: positions and readings of the dice, in a picture of `size`."""

    dice: tuple[DieReading, ...]
    size: tuple[int, int]


def evidence(seen: SeenRoll, placed_dice: Sequence[DieReading]) -> tuple[Picture, ...]:
    """Return the pictures to store with a roll's event. `placed_dice` are the dice counted from now on."""
    pictures = [Picture(READING, msgspec.json.encode(StoredReading(tuple(placed_dice), seen.size)))]
    if seen.picture:
        pictures.append(Picture(TRAY, seen.picture))
    pictures.extend(Picture(CROP, crop, index) for index, crop in enumerate(seen.crops) if crop)
    return tuple(pictures)


def essential_pictures(pictures: Sequence[Picture]) -> tuple[Picture, ...]:
    """Return the pictures stored even on a full disk: the readings, so that no die is counted twice after a restart."""
    return tuple(picture for picture in pictures if picture.what == READING)


def pictures_of(stored: Sequence[Picture]) -> Pictures:
    """Return the evidence as stored. A purged picture has no bytes; a damaged reading counts as purged."""
    tray = next((picture.image for picture in stored if picture.what == TRAY), None)
    crops = sorted((p for p in stored if p.what == CROP), key=lambda picture: picture.die or 0)
    reading = next((picture.image for picture in stored if picture.what == READING), None)
    stored_reading, purged = StoredReading((), (0, 0)), any(picture.image is None for picture in stored)
    if reading:
        try:
            stored_reading = msgspec.json.decode(reading, type=StoredReading)
        except (msgspec.MsgspecError, ValueError, RecursionError) as fault:
            log.warning("a stored reading is damaged: %s", fault)
            purged = True
    return Pictures(tray, tuple(crop.image or b"" for crop in crops), stored_reading.dice, stored_reading.size, purged)


# A question about an uncertain die, shown to the players with its picture. It never mentions the consequences.

MAX_CANDIDATES = 2
"""Number of answers shown large (SCREENS 7)."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question to the players: the face of a die, which die does not count, whose die it is, or a skipped choice.

    - `dice`: all new dice of the roll
    - `index`: the die in doubt; -1 if the question is about all of them
    - `crop`, `picture`: JPEG bytes, empty if there is no picture
    - `may_be_no_die`: it may not be a die; then its index is the answer
    - `choice`: the choice that should have come before the dice (`consent`): was it made?
    """

    kind: Literal["face", "extra", "whose", "consent"]
    dice: tuple[DieReading, ...]
    index: int
    number: int = 1
    total: int = 1
    side: str | None = None
    picture: bytes = b""
    picture_size: tuple[int, int] = (0, 0)
    crop: bytes = b""
    candidates: tuple[Face, ...] = ()
    others: tuple[Face, ...] = ()
    may_be_no_die: bool = False
    choice: Choice | None = None

    @property
    def reading(self) -> DieReading | None:
        return self.dice[self.index] if self.index >= 0 else None


@dataclass(frozen=True, slots=True)
class PendingRoll:
    """New dice that make no event yet, with the answers so far.

    - `dice`, `crops`: the new dice only
    - `seen`: the whole roll (evidence)
    - `answered`: number of faces that players entered
    - `false_detections`: readings that a player marked as not a die
    """

    seen: SeenRoll
    dice: tuple[DieReading, ...]
    crops: tuple[bytes, ...]
    is_ordered: bool = False
    answered: int = 0
    sides: tuple[str | None, ...] = field(default=())
    false_detections: tuple[DieReading, ...] = ()

    @classmethod
    def of(cls, seen: SeenRoll, new_indices: Sequence[int], sides: Sequence[str | None]) -> PendingRoll:
        crops = [seen.crops[index] if index < len(seen.crops) else b"" for index in new_indices]
        return cls(seen, tuple(seen.roll.dice[index] for index in new_indices), tuple(crops), sides=tuple(sides))

    def question(self, verdict: AskFace | AskExtra | AskWhose, faces_of: Callable[[str], Sequence[Face]]) -> Question:
        """Return the question that a verdict raises. `faces_of` returns all faces of a kind of die."""
        if isinstance(verdict, AskFace):
            return self._face_question(verdict, faces_of(self.dice[verdict.index].kind))
        kind: Literal["extra", "whose"] = "extra" if isinstance(verdict, AskExtra) else "whose"
        return Question(kind, self.dice, -1, picture=self.seen.picture, picture_size=self.seen.size)

    def consent_question(self, choice: Choice) -> Question:
        """Return the question whether a choice was made that must come before these dice."""
        return Question(
            "consent",
            self.dice,
            -1,
            side=choice.side,
            picture=self.seen.picture,
            picture_size=self.seen.size,
            choice=choice,
        )

    def _face_question(self, verdict: AskFace, all_faces: Sequence[Face]) -> Question:
        index = verdict.index
        die = self.dice[index]
        faces = possible_faces(die, all_faces)
        candidates = faces[:MAX_CANDIDATES] if len(faces) < len(all_faces) or die.possible else ()
        doubtful = sum(not other.certain for other in self.dice)
        side = self.sides[index] if index < len(self.sides) else None
        return Question(
            "face",
            self.dice,
            index,
            number=self.answered + 1,
            total=self.answered + doubtful,
            side=side,
            picture=self.seen.picture,
            picture_size=self.seen.size,
            crop=self.crops[index],
            candidates=candidates,
            others=tuple(face for face in all_faces if face not in candidates),
            may_be_no_die=verdict.may_be_no_die,
        )

    def with_face(self, index: int, face: Face) -> PendingRoll:
        """Return the roll with a die's face as answered by a player."""
        answered_die = replace(self.dice[index], face=face, doubt=None, possible=((face, 1.0),))
        return replace(
            self, dice=(*self.dice[:index], answered_die, *self.dice[index + 1 :]), answered=self.answered + 1
        )

    def without(self, index: int, is_no_die: bool = False) -> PendingRoll:
        """Return the roll without a die that does not count. `is_no_die`: it is not a die at all."""
        kept_indices = [i for i in range(len(self.dice)) if i != index]
        dice, crops = tuple(self.dice[i] for i in kept_indices), tuple(self.crops[i] for i in kept_indices)
        false_detections = (*self.false_detections, self.dice[index]) if is_no_die else self.false_detections
        return replace(self, dice=dice, crops=crops, false_detections=false_detections)

    def subset(self, indices: Sequence[int]) -> PendingRoll:
        """Return some of the dice, with their order open again."""
        dice, crops = tuple(self.dice[i] for i in indices), tuple(self.crops[i] for i in indices)
        return replace(self, dice=dice, crops=crops, is_ordered=False)

    def with_first(self, index: int) -> PendingRoll:
        """Return the roll with the die that counts first in front. This settles the order."""
        order = [index, *(i for i in range(len(self.dice)) if i != index)]
        return replace(
            self, dice=tuple(self.dice[i] for i in order), crops=tuple(self.crops[i] for i in order), is_ordered=True
        )


NOTE_MANUAL_DICE = "dice entered by touch"
"""Note of an event whose dice a player entered. After a restart they may still be in the tray, never seen."""


@dataclass(frozen=True, slots=True)
class Slot:
    """Display slot of one awaited die. `is_first`: thrown first; `face`: already read, or entered by a player."""

    side: str | None
    kind: str
    is_first: bool
    purpose: Message | None = None
    face: Face | None = None


@dataclass(frozen=True, slots=True)
class PlacedDie:
    """A die in the tray. Counted dice do not count again until they move."""

    reading: DieReading
    is_counted: bool

    @property
    def box(self) -> Box:
        return self.reading.box


@dataclass(frozen=True, slots=True)
class Situation:
    """The situation of the match: the game, its state and the awaited decision."""

    game: AnyGame
    state: GameState
    decision: Decision


@dataclass(frozen=True, slots=True)
class Throw:
    """An event made by dice, to be recorded.

    - `pending`: the roll with its answers, made for `request`
    - `counted_dice`: dice in the tray that the event uses up
    - `rest`: dice that wait for the state after the event; all of them if the event is a choice that comes before
    - `by`: who made the event
    """

    fields: Fields
    is_doubtful: bool
    pending: PendingRoll
    request: RollRequest
    counted_dice: tuple[DieReading, ...]
    rest: PendingRoll
    by: Literal["camera", "touch"] = "camera"

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """The evidence stored with the event."""
        return () if self.rest is self.pending else tuple(evidence(self.pending.seen, self.counted_dice))


@dataclass(frozen=True, slots=True)
class DiceSource:
    """Source of the dice of a match.

    - `dice_set`: None for the game's own set
    - `memory`: faces of this table's dice that were confirmed; without it every reading is accepted
    """

    reader: ReaderPort | None = None
    dice_set: str | None = None
    memory: DiceMemory | None = None


class DiceDesk:
    """Handles the dice of one match."""

    def __init__(
        self,
        situation: Situation,
        outputs: Outputs,
        source: DiceSource,
        placed_dice: Sequence[DieReading] | None = (),
        clock: Clock | None = None,
    ) -> None:
        """Create the desk.

        `placed_dice`: positions of the dice counted last; None if no camera saw the counted dice.
        """
        self._situation = situation
        self._outputs = outputs
        self.reader = source.reader
        self._memory = source.memory
        self._clock = clock
        self._thrower: DiceThrower | None = self.reader if isinstance(self.reader, DiceThrower) else None
        self.dice_set = source.dice_set or situation.game.id
        self._request = RollRequest(self.dice_set)
        self._counted_dice = tuple(placed_dice or ())
        self._has_unseen_dice = placed_dice is None
        self._foreign_objects: list[DieReading] = []
        self._is_reader_restarted = True
        self._pending: PendingRoll | None = None
        self._pending_before_answer: PendingRoll | None = None
        self.armed: Choice | None = None
        """The choice that the next dice carry out, once a player has made it."""
        self.is_throw_refused = False
        """True while the pending dice make an event that the store refused."""
        self.placed_dice: tuple[PlacedDie, ...] = ()
        self.question: Question | None = None
        self.notice: Message | None = None
        self.camera: CameraState | None = None
        self.health: TrayHealth | None = None
        self.picture: bytes = b""
        self.picture_size: tuple[int, int] = (0, 0)
        self._update_request()

    def handle_news(self, news: ReaderNews) -> Throw | None:
        """Process a report of the reader. Returns the throw that it makes."""
        if isinstance(news, SeenRoll):
            return self.handle_roll(news)
        if isinstance(news, TrayPicture):
            self.picture = news.picture
            self._outputs.notify(News(NewsKind.TRAY))
        elif isinstance(news, CameraState):
            self._on_camera_changed(news)
        elif isinstance(news, TrayHealth):
            self.health = news
            message = health_message(news, self.is_simulated, self._clock.now().date() if self._clock else None)
            if message is not None:
                self.show_notice(message)
        return None

    def handle_roll(self, seen: SeenRoll) -> Throw | None:
        """Process a settled roll. It replaces the pending one. Returns the throw that it makes.

        The first roll after the reader starts or reconnects may show dice that were already counted, even unseen ones.
        """
        decision = self._decision_for_reading
        maybe_counted = self._is_reader_restarted and self._has_unseen_dice
        new_indices, counted_indices = self._split_new_dice(seen.roll, decision, maybe_counted)
        self._is_reader_restarted = self._has_unseen_dice = False
        self._remember_foreign_objects([seen.roll.dice[index] for index in new_indices])
        self.picture = seen.picture or self.picture
        self.picture_size = seen.size
        if new_indices:
            new_indices, counted_indices = _include_staying_dice(new_indices, counted_indices, seen.roll, decision)
        self._counted_dice = (
            tuple(seen.roll.dice[index] for index in counted_indices) if decision.dice else seen.roll.dice
        )
        self.placed_dice = tuple(PlacedDie(die, index in counted_indices) for index, die in enumerate(seen.roll.dice))
        self._outputs.notify(News(NewsKind.DICE))
        if new_indices:
            if Note.POOR_LIGHT in seen.roll.notes:
                self.show_notice(Message("camera.poor_light"))
            self._pending = PendingRoll.of(seen, new_indices, [slot.side for slot in empty_slots(decision)])
            self.question, self.is_throw_refused = None, False
            return self._judge_pending()
        if maybe_counted and decision.dice and seen.roll.dice:
            self.show_notice(Message("table.maybe_counted"))
        return None

    def _split_new_dice(
        self, roll: Roll, decision: Decision, maybe_counted: bool
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the indices of new dice and of already counted dice. Known foreign objects are in neither."""
        counted_dice = self._counted_dice if roll.again or self._is_reader_restarted else ()
        if maybe_counted:
            counted_dice = roll.dice
        new_indices, counted_indices = throws.split_new_dice(counted_dice, roll, throws.max_dice_at_once(decision.dice))
        return tuple(
            index for index in new_indices if not throws.is_known_object(roll.dice[index], self._foreign_objects)
        ), counted_indices

    def _remember_foreign_objects(self, new_dice: Sequence[DieReading]) -> None:
        """Remember the new objects if all are foreign, so that each is reported only once."""
        if all(die.doubt is Doubt.FOREIGN for die in new_dice):
            self._foreign_objects += new_dice

    def answer(self, answer: Face | int) -> Throw | None:
        """Apply a player's answer: a face, or the index of the die that does not count (`whose`: that counts first).

        All foreign objects are dropped together, to avoid ten questions about ten tokens. Returns the throw that it
        makes.
        """
        pending, question = self._pending, self.question
        if pending is None or question is None:
            return None
        self._pending_before_answer = pending
        if isinstance(answer, Face):
            self._pending = pending.with_face(question.index, answer)
            if self._memory is not None:
                self._memory.confirm(throws.as_die(pending.dice[question.index].kind, answer))
        elif question.kind in ("extra", "face"):
            foreign = [index for index, die in enumerate(question.dice) if die.doubt is Doubt.FOREIGN]
            for index in reversed(foreign if answer in foreign else [answer]):
                if not question.dice[index].certain:
                    self._foreign_objects.append(question.dice[index])
                pending = pending.without(index, is_no_die=question.kind == "face")
            self._pending = pending
        else:
            self._pending = pending.with_first(answer)
        return self._judge_pending()

    @property
    def decision(self) -> Decision:
        """What the players may do now. Dice that carry out a choice are awaited once that choice was made."""
        decision = self._decision_for_reading
        return replace(decision, dice=()) if self.is_choice_awaited else decision

    @property
    def is_camera_starting(self) -> bool:
        """True until the reader first reports its camera."""
        return self.reader is not None and self.camera is None

    @property
    def is_camera_used(self) -> bool:
        """True while the camera sees the tray, and until it is known whether it does."""
        return self.is_camera_starting or (self.camera is not None and self.camera.sees)

    @property
    def can_be_armed(self) -> bool:
        """True if a camera reads the dice, so that a choice can be carried out by throwing them."""
        return self.camera is not None and self.camera.sees

    @property
    def is_choice_awaited(self) -> bool:
        """True if dice could be thrown now, but only for a choice that nobody has made yet."""
        required = self._required_choice
        return required is not None and required.throw is not None

    @property
    def dice_to_pick_up(self) -> tuple[Die, ...]:
        """The dice on the table that the armed choice throws again."""
        return () if self.armed is None or self.armed.throw is None else self.armed.throw.thrown_again(self.armed.event)

    def arm(self, choice: Choice | None) -> None:
        """Await the throw of a choice that a player has made; None to await none. Dice thrown before do not count."""
        self._set_armed(choice)
        if self._pending is not None:
            self._counted_dice = self._pending.seen.roll.dice
        self.placed_dice = tuple(PlacedDie(die.reading, True) for die in self.placed_dice)
        self._pending, self.question, self.notice = None, None, None
        self._outputs.notify(News(NewsKind.DICE))

    def _set_armed(self, choice: Choice | None) -> None:
        self.armed = choice
        self._update_request()

    @property
    def _decision_for_reading(self) -> Decision:
        """The decision by which dice are judged: for an armed choice, its throw alone."""
        decision, armed = self._situation.decision, self.armed
        if armed is None or armed.throw is None:
            return decision
        return replace(
            decision,
            title=armed.label,
            detail=armed.detail,
            dice=armed.throw.dice(armed.event),
            choices=tuple(choice for choice in decision.choices if choice.menu),
            required_before_dice=None,
        )

    def confirm_choice(self) -> Throw | None:
        """Confirm the choice that a `consent` question asks about. Returns the throw that records it or its dice."""
        pending, question = self._pending, self.question
        if pending is None or question is None or question.choice is None:
            return None
        if question.choice.throw is not None:
            self.question = None
            self._set_armed(question.choice)
            self._outputs.notify(News(NewsKind.DICE))
            return self._judge_pending()
        return Throw(question.choice.event, False, pending, self._request, self._counted_dice, pending, by="touch")

    def dismiss(self, all_dice: bool = False) -> None:
        """Close the question: the uncertain die, or with `all_dice` every new die, is thrown again.

        Dice that move are read again with the others. Dice thrown before a required choice do not count as they lie.
        """
        choice = None if self.question is None else self.question.choice
        if choice is not None and self._pending is not None:
            self._counted_dice = self._pending.seen.roll.dice
            self.placed_dice = tuple(PlacedDie(die.reading, True) for die in self.placed_dice)
        self.question = None
        if all_dice:
            self._pending, self.is_throw_refused = None, False
        is_throw_declined = choice is not None and choice.throw is not None
        self.show_notice(Message("table.not_counted" if is_throw_declined else "table.throw_again"))

    def on_throw_refused(self, reason: Message) -> None:
        """Note that the store refused the throw of the pending dice, so that it can be recorded later.

        If a player's answer made the throw, the question stays open for the same answer.
        """
        if self.question is None:
            self.is_throw_refused = True
            self.show_notice(reason)
        else:
            self._pending = self._pending_before_answer

    def refused_throw(self) -> Throw | None:
        """Return the throw that the store refused, to be recorded now; None if there is none."""
        return self._judge_pending() if self.is_throw_refused else None

    def event_fields(self, dice: Sequence[Die]) -> Fields:
        """Return the event for manually entered dice, in the awaited order. Raises: Refusal.

        Recording it is refused while a choice must come first; the refusal says which.
        """
        situation = self._situation_for_dice()
        fields = situation.game.event_from_dice(situation.state, dice)
        if fields is None:
            raise Refusal("dice", Message("table.wrong_kind"))
        return fields

    def forget_positions(self) -> None:
        """Note that dice were counted without a camera, so their positions are unknown."""
        self._has_unseen_dice = not (self.camera and self.camera.sees)

    @property
    def is_simulated(self) -> bool:
        """True if the dice are thrown from the screen."""
        return self._thrower is not None

    def throw(self) -> None:
        """Throw the dice due now at a simulated table. Does nothing if dice are real or none is due.

        Where players choose among several throws, nothing is thrown before their choice.
        """
        if self._thrower is None:
            return
        placed_kinds = [die.kind for die in self._counted_dice]
        situation, picked_up = self._situation, self.dice_to_pick_up
        if picked_up:
            counts = Counter(die.kind for die in picked_up)
            due = [replace(one, count=counts[one.kind]) for one in self.decision.dice if counts[one.kind]]
            self._thrower.throw_due(due, True, picked_up)
            return
        if self.is_throw_open:
            self.show_notice(Message("table.choose_throw"))
            return
        dice = throws.dice_to_throw(situation.game, situation.state, self.decision, placed_kinds)
        if dice:
            beside = dice[0].order > 0 or (dice[0].independent and dice[0].kind not in placed_kinds)
            self._thrower.throw_due(dice, beside)

    @property
    def is_throw_open(self) -> bool:
        """True if players must first choose among several throws: a tap on a simulated tray throws nothing."""
        return self.armed is None and self._count_throws() > 1

    def _count_throws(self) -> int:
        """Return how many legal choices could be carried out by a throw now."""
        return sum(one.throw is not None and one.disabled_reason is None for one in self.decision.choices)

    def slots(self) -> tuple[Slot, ...]:
        """Return a slot for each awaited die, those thrown first in front, with the certain faces of a pending roll."""
        empty = empty_slots(self.decision)
        faces = [die.face if die.certain else None for die in self._pending.dice] if self._pending else []
        kinds = [die.kind for die in self._pending.dice] if self._pending else []
        filled = []
        for slot in empty:
            index = kinds.index(slot.kind) if slot.kind in kinds else None
            face = None
            if index is not None:
                face = faces.pop(index)
                kinds.pop(index)
            filled.append(Slot(slot.side, slot.kind, slot.is_first, slot.purpose, face))
        return tuple(filled)

    def on_state_changed(self, situation: Situation) -> None:
        """Update the situation after every entry.

        Discards the pending roll and the armed choice, which belong to the previous state.
        """
        self._situation = situation
        self.armed = None
        if self._pending is not None:
            self._counted_dice = self._pending.seen.roll.dice
        self.placed_dice = tuple(PlacedDie(die.reading, True) for die in self.placed_dice)
        self._pending = None
        self.question, self.is_throw_refused = None, False
        self.notice = None
        self._update_request()

    def close(self) -> None:
        if self.reader is not None:
            self.reader.close()

    def continue_with_rest(self, throw: Throw) -> Throw | None:
        """Continue with the remaining dice after a throw was recorded."""
        if not throw.rest.dice:
            return None
        self._counted_dice = throw.counted_dice
        self._pending = throw.rest
        return self._judge_pending()

    def _judge_pending(self) -> Throw | None:
        """Return the throw of the pending dice if it is unambiguous. Otherwise ask a question."""
        pending = self._pending
        if pending is None:
            return None
        required = self._required_choice
        situation = self._situation_for_dice()
        game, state = situation.game, situation.state
        decision = situation.decision if self.armed is None else self._decision_for_reading
        faces_of = partial(throws.faces_of, game, state)
        checked = replace(
            pending, dice=tuple(_check_confirmed(self._memory, die, faces_of(die.kind)) for die in pending.dice)
        )
        verdict = throws.judge(
            game, state, decision, checked.dice, ordered=pending.is_ordered, event_of=self._event_of_armed_choice
        )
        if self.is_choice_awaited and isinstance(verdict, throws.NoEvent | AskExtra):
            verdict = throws.NoEvent(Message("table.choose_first"))
        if required is not None and not isinstance(verdict, throws.NoEvent):
            self.question = checked.consent_question(required)
            self._outputs.notify(News(NewsKind.QUESTION))
            return None
        if isinstance(verdict, throws.Recordable):
            rest = pending.subset(verdict.rest)
            remaining_boxes = {die.box for die in rest.dice}
            counted_dice = tuple(die for die in pending.seen.roll.dice if die.box not in remaining_boxes)
            return Throw(verdict.fields, verdict.is_doubtful, pending, self._request, counted_dice, rest)
        if isinstance(verdict, throws.NoEvent):
            self.question = None
            self.show_notice(verdict.reason)
        else:
            self.question = checked.question(verdict, faces_of)
            self._outputs.notify(News(NewsKind.QUESTION))
        return None

    @property
    def _event_of_armed_choice(self) -> throws.EventOfDice | None:
        armed = self.armed
        return None if armed is None or armed.throw is None else partial(armed.throw.event, armed.event)

    def _situation_for_dice(self) -> Situation:
        """Return the situation in which the dice count: after the choice recorded before them, if one is required."""
        required = self._required_choice
        if required is None or required.throw is not None:
            return self._situation
        return _situation_after(self._situation, required.event)

    @property
    def _required_choice(self) -> Choice | None:
        """The choice that must still be made before the dice count."""
        return None if self.armed is not None else self._situation.decision.required_before_dice

    def _on_camera_changed(self, camera: CameraState) -> None:
        before, self.camera = self.camera, camera
        if before is None or before.sees is not camera.sees:
            self._is_reader_restarted = True
        notice = camera_notice(camera)
        if notice is not None:
            self.show_notice(notice)
        elif before is not None and self.notice == camera_notice(before):
            self.notice = None
        self._outputs.notify(News(NewsKind.CAMERA))

    def show_notice(self, notice: Message) -> None:
        """Show a notice to the players."""
        self.notice = notice
        self._outputs.notify(News(NewsKind.NOTICE, text=notice))

    def _update_request(self) -> None:
        """Tell the reader which dice are due. The counts are unknown if old dice are in the tray.

        Where dice that lie there stay for a reroll, their kinds are told too, or they would be read as dice due.
        """
        if self.reader is None:
            return
        dice = self._decision_for_reading.dice
        due = throws.due_counts(dice)
        kinds = [kind for kind, _ in due]
        if self.armed is not None or any(request.counts_unmoved for request in dice):
            kinds += [die.kind for die in self._counted_dice]
        counts = due if not self._counted_dice else [(kind, None) for kind in dict.fromkeys(kinds)]
        self._request = RollRequest(self.dice_set, tuple(counts))
        self.reader.show_tray(bool(due))
        self.reader.request(self._request)


class _WithDrawnDice:
    """A game whose events from dice also contain dice that are not on the table."""

    def __init__(self, game: AnyGame, drawn: Sequence[Die]) -> None:
        self._game, self._drawn = game, tuple(drawn)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def event_from_dice(self, state: GameState, dice: Sequence[Die]) -> Fields | None:
        return self._game.event_from_dice(state, (*dice, *self._drawn))


def with_drawn_dice(game: AnyGame, drawn: Sequence[Die]) -> AnyGame:
    """Return a game that adds these dice to the dice of the table, where several sides roll together."""
    found: Any = _WithDrawnDice(game, drawn)
    return cast("AnyGame", found)


def camera_notice(camera: CameraState) -> Message | None:
    """Return what is wrong with the camera and what to do, None if all is well."""
    if camera.trouble is not None:
        return Message(f"camera.{camera.trouble}")
    return None if camera.present else Message("table.camera_lost", {"name": camera.name})


def _situation_after(situation: Situation, fields: Fields) -> Situation:
    """Return the situation after a legal event that is not recorded yet."""
    game = situation.game
    state = game.apply(situation.state, game.parse(fields))[0]
    return Situation(game, state, game.decision(state))


def _include_staying_dice(
    new_indices: tuple[int, ...], counted_indices: tuple[int, ...], roll: Roll, decision: Decision
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the indices of new and counted dice. Counted dice of staying kinds belong to the new throw."""
    staying = {request.kind for request in decision.dice if request.counts_unmoved}
    kept_indices = tuple(index for index in counted_indices if roll.dice[index].kind in staying)
    return (*new_indices, *kept_indices), tuple(index for index in counted_indices if index not in kept_indices)


def new_dice(desk: DiceDesk) -> tuple[Die, ...]:
    """Return the dice in the tray that are read but not counted."""
    certain = (die.reading for die in desk.placed_dice if not die.is_counted and die.reading.certain)
    return tuple(throws.as_die(reading.kind, reading.face) for reading in certain)


def _check_confirmed(memory: DiceMemory | None, die: DieReading, all_faces: Sequence[Face]) -> DieReading:
    """Return a reading with doubt added if the match lacks its face or players have not confirmed it yet."""
    die = throws.doubt_impossible_face(die, all_faces)
    if memory is None or not die.certain or memory.is_confirmed(throws.as_die(die.kind, die.face)):
        return die
    return throws.doubt_unconfirmed_face(die, all_faces)


def empty_slots(decision: Decision) -> list[Slot]:
    """Return a slot for every awaited die, those thrown first in front."""
    first = min((request.order for request in decision.dice), default=0)
    ordered = sorted(decision.dice, key=lambda request: request.order)
    return [Slot(a.side, a.kind, a.order == first, a.purpose) for a in ordered for _ in range(a.count)]


def last_counted_dice(
    store: Store, match_id: str, events: Sequence[JournalEvent[State, Event]]
) -> tuple[DieReading, ...] | None:
    """Return the dice counted last, so that they do not count again when the match is resumed.

    None if they were entered by touch, because their positions are unknown. Includes undone rolls, which are still in
    the tray.
    """
    lines_with_pictures = store.lines_with_pictures(match_id)
    for event in reversed(events):
        if event.fields.get("note") == NOTE_MANUAL_DICE:
            return None
        if event.line in lines_with_pictures:
            return pictures_of(store.pictures(match_id, event.line)).dice
    return ()
