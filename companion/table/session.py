"""A match session: checks each input with the game, writes the journal, then notifies the outputs.

Outputs are notified only after the event is on disk. The session never blocks and has no clock of its own.
`companion.table.dice` handles its dice.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from companion.clock import Clock
from companion.games.base import AnyGame, Choice, Decision, Die, Fields, GameState, Message, Outcome, Refusal, Scene
from companion.games.registry import SPECS
from companion.games.spec import named_side
from companion.journal.codec import without_metadata
from companion.journal.database import DiskFull, StoreError
from companion.journal.ledger import AnyAppliedEvent, AnyLedger, AnyProposal
from companion.journal.store import Picture, Store
from companion.table.dice import (
    NOTE_MANUAL_DICE,
    DiceDesk,
    DiceSource,
    Pictures,
    Situation,
    Throw,
    essential_pictures,
    last_counted_dice,
    pictures_of,
    with_drawn_dice,
)
from companion.table.misreads import Misreads
from companion.table.panel import AnswerQuestion, ButtonPress, PlayChoice, ShowHint, UndoEvent, action_of
from companion.table.parts import PartCounter
from companion.table.ports import News, NewsKind, Outputs, ReaderNews
from vision.roll import Face, RollRequest


@dataclass(frozen=True, slots=True)
class TimelineRow:
    """One event. An undone one is inactive; a corrected one has its current fields.

    - `part`: the heading of the part of the match that it happened in, such as half and turn
    - `side`: the side that acts; None if it is both, nobody or unknown
    """

    line: int
    fields: Fields
    outcome: Outcome | None
    text: Message
    is_active: bool
    is_corrected: bool
    at: str | None
    by: str | None
    has_pictures: bool
    part: Message | None = None
    side: str | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """The effect of a correction on one event: its current text and its new text."""

    line: int
    before: Message
    after: Message


def timeline(game: AnyGame, ledger: AnyLedger, picture_lines: Collection[int]) -> tuple[TimelineRow, ...]:
    """Return every event in the order of writing. Undo and correct only show in the events they changed."""
    rows = []
    counter, before = PartCounter(game.id), ledger.initial_state
    for event in ledger.all_events:
        if event.status == "amends":
            continue
        applied = event.applied
        fields = applied.fields if applied else event.fields
        outcome = applied.outcome if applied else None
        if applied is None:
            side = named_side(fields, outcome)
        else:
            counter.enter(before)
            side = SPECS[game.id].side_of_event(before, fields, outcome)
            before = applied.state_after
        state = applied.state_after if applied else ledger.state
        rows.append(
            TimelineRow(
                line=event.line,
                fields=fields,
                outcome=outcome,
                text=game.describe(state, fields, outcome or {}),
                is_active=applied is not None,
                is_corrected=event.status == "corrected",
                at=event.fields.get("at"),
                by=event.fields.get("by"),
                has_pictures=event.line in picture_lines,
                part=counter.heading,
                side=side,
            )
        )
    return tuple(rows)


def differences(game: AnyGame, ledger: AnyLedger, proposal: AnyProposal) -> tuple[Difference, ...]:
    """Return the corrected event first, then every later event whose outcome changes."""
    replaced = ledger.events[proposal.kept_count :]
    changes = []
    for event_before, event_after in zip(replaced, proposal.replayed, strict=True):
        before = game.describe(event_before.state_after, event_before.fields, event_before.outcome)
        after = game.describe(event_after.state_after, event_after.fields, event_after.outcome)
        if before != after:
            changes.append(Difference(event_before.line, before, after))
    return tuple(changes)


# Preview of a correction, without committing it: changed events, score, and rule violations.


@dataclass(frozen=True, slots=True)
class Consequences:
    """The effects of a correction. `differences` starts with the corrected event, followed by later changed ones.

    - `violation`: why the correction is invalid
    - `is_own_violation`: True if the corrected event itself breaks a rule, False if a later one does
    - `score`: before and after; None if it is unchanged or unknown
    """

    differences: tuple[Difference, ...]
    later_count: int
    score: tuple[Mapping[str, int], Mapping[str, int]] | None = None
    violation: Refusal | None = None
    is_own_violation: bool = False


def consequences(game: AnyGame, ledger: AnyLedger, line: int, fields: Fields) -> Consequences:
    """Return the effects of replacing the event on a line. Raises: StopIteration if no valid event is on it."""
    events = ledger.events
    at = next(index for index, event in enumerate(events) if event.line == line)
    later_count = len(events) - at - 1
    try:
        own_differences = _own_differences(
            game, events[at - 1].state_after if at else ledger.initial_state, events[at], fields
        )
    except Refusal as refusal:
        return Consequences((), later_count, violation=refusal, is_own_violation=True)
    try:
        proposal = ledger.propose({"event": "correct", "line": line, "with": dict(fields)})
    except Refusal as refusal:
        return Consequences(own_differences, later_count, violation=refusal)
    before, after = (game.view(state).get("score") or {} for state in (ledger.state, proposal.state))
    score = (before, after) if before != after else None
    return Consequences(differences(game, ledger, proposal), later_count, score)


def _own_differences(game: AnyGame, state: GameState, event_before: Any, fields: Fields) -> tuple[Difference, ...]:
    """Return the change of the corrected event alone. Raises: Refusal if it breaks a rule."""
    event = game.parse(without_metadata(fields))
    game.validate(state, event)
    after, outcome = game.apply(state, event)
    texts = (
        game.describe(event_before.state_after, event_before.fields, event_before.outcome),
        game.describe(after, fields, outcome),
    )
    return (Difference(event_before.line, *texts),) if texts[0] != texts[1] else ()


log = logging.getLogger(__name__)

NO_READER = DiceSource()
"""No camera: all dice are entered by touch."""

DISK_FULL = "table.disk_full"
"""Message id of a change that found no room."""

BY_OPPONENT = "opponent"
"""`by` of an event of an opponent of the app."""
NOTE_DRAWN = "drawn by the app"
NOTE_TAKEN_OVER = "people play: "
"""The start of a note; the sides follow that people have taken over from opponents of the app."""
"""`note` of an event whose dice the app has drawn."""

RETRY_INTERVAL_S = 2.0
"""Seconds between two tries to record dice that the store refused."""


class StaleChoice(Exception):
    """The choice was shown for an earlier state and is dropped."""


class StorageError(Exception):
    """The event could not be written. Nothing changed. `message` tells what to do."""

    def __init__(self, message: Message) -> None:
        super().__init__(str(message))
        self.message = message


class Session:
    """A match in play. Every change goes through `_write`.

    A change that the store refuses changes nothing and can be repeated. Refused dice are recorded by `poll` as soon as
    the store accepts them.
    """

    def __init__(
        self,
        game: AnyGame,
        store: Store,
        match_id: str,
        ledger: AnyLedger,
        source: DiceSource = NO_READER,
        misreads: Misreads | None = None,
    ) -> None:
        self.game = game
        self.misreads = misreads
        self.match_id = match_id
        self.ledger = ledger
        self._store = store
        self.outputs = Outputs()
        self._cached_decision: tuple[Any, Decision] | None = None
        self._cached_scene: tuple[Any, Scene] | None = None
        self._retry_at = 0.0
        self.automatic_sides: Mapping[str, bool] = {}
        """The sides that an opponent of the app plays now, and whether people throw its dice."""
        self.taken_over: frozenset[str] = frozenset()
        """The sides of opponents that people play now."""
        self._drawn_dice: tuple[Die, ...] = ()
        self._drawn_sides: frozenset[str] = frozenset()
        placed_dice = last_counted_dice(store, match_id, ledger.all_events)
        self.dice = DiceDesk(self._situation(), self.outputs, source, placed_dice, store.clock)

    @property
    def header(self) -> Fields:
        return self.ledger.header

    @property
    def state(self) -> GameState:
        return self.ledger.state

    @property
    def clock(self) -> Clock:
        return self._store.clock

    @property
    def sequence(self) -> int:
        """Increases with every entry. A choice carries the sequence for which it was shown."""
        return self.ledger.next_line

    def decision(self) -> Decision:
        """Return what the players may do now; dice that carry out a choice are awaited once it was made."""
        return self.dice.decision

    def _game_decision(self) -> Decision:
        """Return what the game awaits in this state. Computed once per state."""
        state = self.state
        if self._cached_decision is None or self._cached_decision[0] is not state:
            decision = self.game.decision(state)
            due = tuple(request for request in decision.dice if request.side not in self._drawn_sides)
            self._cached_decision = (state, replace(decision, dice=due))
        return self._cached_decision[1]

    def people_decision(self) -> Decision:
        """Return what the game awaits of people now: without the choices and the drawn dice of opponents."""
        decision, automatic = self.decision(), self.automatic_sides
        if not automatic or self.is_race_by_hand:
            return decision
        table_results = SPECS[self.game.id].table_results

        def is_open(choice: Choice) -> bool:
            by_hand = automatic.get(choice.side or "")
            return by_hand is None or (by_hand and choice.event.get("event") in table_results)

        choices = tuple(choice for choice in decision.choices if is_open(choice))
        dice = tuple(request for request in decision.dice if automatic.get(request.side or "", True))
        return replace(decision, choices=choices, dice=dice)

    @property
    def is_race_by_hand(self) -> bool:
        """True in a race of people against an opponent without a reader: people throw for both and say how it ended.

        Nobody sees then when people throw, so the opponent could only race against a clock.
        """
        decision = self.decision()
        is_race = any(request.independent for request in decision.dice)
        return is_race and self.dice.reader is None and any(one not in self.automatic_sides for one in decision.sides)

    def draw_dice(self, dice: Sequence[Die], sides: Collection[str]) -> None:
        """Let the dice of these sides be drawn by the app in a roll of several sides: only the others are awaited."""
        self._drawn_dice, self._drawn_sides = tuple(dice), frozenset(sides)
        self._cached_decision = None
        self.dice.on_state_changed(self._situation())
        self.outputs.notify(News(NewsKind.DICE))

    def scene(self) -> Scene:
        """Return the current scene. Computed once per state."""
        state = self.state
        if self._cached_scene is None or self._cached_scene[0] is not state:
            self._cached_scene = (state, self.game.scene(state))
        return self._cached_scene[1]

    def record(
        self,
        fields: Fields,
        *,
        sequence: int | None = None,
        by: str = "touch",
        note: str | None = None,
        pictures: Sequence[Picture] = (),
    ) -> None:
        """Append an event. Raises: Refusal; StaleChoice if shown for an earlier state; StorageError."""
        if sequence is not None and sequence != self.sequence:
            raise StaleChoice(f"drawn for {sequence}, now {self.sequence}")
        event = {key: value for key, value in fields.items() if key not in ("at", "by", "note")}
        event["by"] = by
        event["at"] = _timestamp(self._store)
        if note is None and self.taken_over:
            note = NOTE_TAKEN_OVER + ", ".join(sorted(self.taken_over))
        if note is not None:
            event["note"] = note
        self._write(event, NewsKind.EVENT, pictures)

    def undo(self, by: str = "touch") -> Fields | None:
        """Undo the newest valid event that people made, with what an opponent did after it, and return it.

        An opponent would only do the same again. Raises: Refusal if there is none.
        """
        target = self.undo_target
        while target is not None and self.ledger.newest is not target:
            self._undo_newest(by)
        return self._undo_newest(by)

    @property
    def undo_target(self) -> AnyAppliedEvent | None:
        """The event to which an `undo` goes back: the newest one of people, or the first one of the match."""
        events = self.ledger.events
        made = (event for event in reversed(events) if event.fields.get("by") != BY_OPPONENT)
        return next(made, events[0] if events else None)

    def _undo_newest(self, by: str = "touch") -> Fields | None:
        newest = self.ledger.newest
        self._write({"event": "undo", "by": by, "at": _timestamp(self._store)}, NewsKind.UNDO)
        return newest.fields if newest else None

    def undo_to(self, line: int) -> int:
        """Undo every valid event after `line`. Returns the number of undone events. Raises: StorageError."""
        count = sum(standing.line > line for standing in self.ledger.events)
        for _ in range(count):
            self._undo_newest()
        return count

    def redo(self, sequence: int | None = None) -> None:
        """Record the event again, with its pictures, if the newest entry is an undo. Otherwise do nothing.

        Raises: StaleChoice, StorageError.
        """
        events = self.ledger.all_events
        for undone in reversed(events):
            if undone.status == "undone" and undone.amended_by == events[-1].line:
                by, note = undone.fields.get("by", "touch"), undone.fields.get("note")
                pictures = self._store.pictures(self.match_id, undone.line)
                self.record(undone.fields, sequence=sequence, by=by, note=note, pictures=pictures)
                return

    def correct(self, line: int, fields: Fields) -> None:
        """Replace the valid event of a line and recompute the following ones. Raises: Refusal; then nothing changed."""
        correction = {
            "event": "correct",
            "line": line,
            "with": dict(fields),
            "by": "touch",
            "at": _timestamp(self._store),
        }
        self._write(correction, NewsKind.CORRECT)
        if self.misreads is not None:
            _save_misread(self, self.misreads, correction)

    def timeline(self) -> tuple[TimelineRow, ...]:
        """Return every event of the match, oldest first, including undone ones."""
        return timeline(self.game, self.ledger, self._store.lines_with_pictures(self.match_id))

    def pictures(self, line: int) -> Pictures:
        """Return the evidence stored with the event of a line."""
        return pictures_of(self._store.pictures(self.match_id, line))

    def handle_press(self, pressed: ButtonPress) -> None:
        """Handle a button press. A late press is dropped; a refusal becomes a notice. Raises: StorageError."""
        try:
            self.apply_press(pressed)
        except StaleChoice:
            log.info("a late press was dropped: %s", pressed)
        except Refusal as refusal:
            self.dice.show_notice(refusal.message)

    def apply_press(self, pressed: ButtonPress) -> None:
        """Apply a button press where no screen asks for more. Raises: Refusal, StaleChoice, StorageError."""
        if self.is_stale(pressed):
            raise StaleChoice(f"pressed for {pressed.sequence}, now {self.sequence}")
        action = action_of(pressed.press, pressed.visible)
        if isinstance(action, PlayChoice) and action.choice.prompts:
            self.dice.show_notice(Message("button.need.asks", {"choice": action.choice.label}))
        elif isinstance(action, PlayChoice):
            self.record(action.choice.event, sequence=pressed.sequence, by="button")
        elif isinstance(action, AnswerQuestion):
            self.answer(action.face)
        elif isinstance(action, UndoEvent):
            self.undo(by="button")
        elif isinstance(action, ShowHint):
            self.dice.show_notice(action.message)

    def is_stale(self, pressed: ButtonPress) -> bool:
        """Return True if the press was made for an earlier state or another question."""
        return pressed.sequence != self.sequence or pressed.visible.question is not self.dice.question

    def poll(self) -> None:
        """Process the reader's reports since the last call, and retry refused dice. Never blocks.

        Raises: StorageError if a throw cannot be recorded, after all reports. A failed retry raises nothing.
        """
        trouble: StorageError | None = None
        for news in self.dice.reader.poll() if self.dice.reader else ():
            try:
                self.handle_news(news)
            except StorageError as refused:
                trouble = refused
        if trouble is not None:
            raise trouble
        if self.has_refused_dice and self._store.clock.monotonic() >= self._retry_at:
            with suppress(StorageError):
                self.retry_dice()

    def handle_news(self, news: ReaderNews) -> None:
        """Process a report of the reader. An unambiguous throw is recorded. Raises: StorageError."""
        self._record_throws(self.dice.handle_news(news))

    @property
    def has_refused_dice(self) -> bool:
        """True if the dice in the tray make an event that could not be written yet."""
        return self.dice.is_throw_refused

    def retry_dice(self) -> None:
        """Record the dice that could not be written. Does nothing if there are none. Raises: StorageError."""
        self._record_throws(self.dice.refused_throw())

    def answer(self, answer: Face | int) -> None:
        """Apply a player's answer about an uncertain die (`DiceDesk.answer`). Raises: Refusal, StorageError."""
        self._record_throws(self.dice.answer(answer))

    def confirm_choice(self) -> None:
        """Record the choice that a `consent` question asks about, then its dice. Raises: Refusal, StorageError."""
        self._record_throws(self.dice.confirm_choice())

    def enter_dice(self, dice: Sequence[Die], sequence: int | None = None) -> None:
        """Record manually entered dice, in the awaited order. Raises: Refusal, StaleChoice, StorageError."""
        self.record(self.dice.event_fields(dice), sequence=sequence, note=NOTE_MANUAL_DICE)
        self.dice.forget_positions()

    def close(self) -> None:
        self.dice.close()

    def _situation(self) -> Situation:
        game = with_drawn_dice(self.game, self._drawn_dice) if self._drawn_dice else self.game
        return Situation(game, self.state, self._game_decision())

    def _record_throws(self, throw: Throw | None) -> None:
        """Record a throw, and the throws made of the dice that it leaves. Raises: StorageError."""
        while throw is not None:
            note = "a doubtful die made no difference" if throw.is_doubtful else None
            try:
                self.record(throw.fields, by=throw.by, note=note, pictures=throw.pictures)
            except StorageError as trouble:
                self._retry_at = self._store.clock.monotonic() + RETRY_INTERVAL_S
                if trouble.message.id == DISK_FULL and self.dice.question is None:
                    trouble = StorageError(Message("table.dice_not_recorded"))
                self.dice.on_throw_refused(trouble.message)
                raise trouble from None
            event = self.ledger.newest
            if self.misreads is not None and event is not None:
                name, at = f"{self.match_id}-{event.line}", str(event.fields.get("at", ""))
                self.misreads.add_answered(name, throw.pending, throw.request, at)
            throw = self.dice.continue_with_rest(throw)

    def _write(self, fields: Fields, kind: NewsKind, pictures: Sequence[Picture] = ()) -> None:
        """Check, write, apply and notify, in this order. Raises: Refusal from `propose`; StorageError."""
        proposal = self.ledger.propose(fields)
        try:
            _append_event(self._store, self.match_id, proposal, self.game.finished(proposal.state), pictures)
        except DiskFull as trouble:
            raise StorageError(Message(DISK_FULL)) from trouble
        except StoreError as trouble:
            raise StorageError(trouble.message) from trouble
        self.ledger.commit(proposal)
        if self._drawn_dice:
            self._drawn_dice, self._drawn_sides, self._cached_decision = (), frozenset(), None
        self.dice.on_state_changed(self._situation())
        newest = self.ledger.newest
        outcome = newest.outcome if kind is NewsKind.EVENT and newest else None
        self.outputs.notify(News(kind, line=proposal.line, fields=fields, outcome=outcome))
        if self.game.finished(self.state):
            self.outputs.notify(News(NewsKind.FINISHED))


def _save_misread(session: Session, misreads: Misreads, correction: Fields) -> None:
    """Save the picture of a corrected throw. If it is unreadable, the match continues without it."""
    line = correction["line"]
    original = next(entry.fields for entry in session.ledger.all_events if entry.line == line)
    dice = (session.game.dice_from_event(original), session.game.dice_from_event(correction["with"]))
    try:
        pictures = session.pictures(line)
    except StoreError as trouble:
        log.warning("a misreading was not kept: %s", trouble)
        return
    request = RollRequest(session.dice.dice_set)
    misreads.add_corrected(f"{session.match_id}-{line}", pictures, dice, request, correction["at"])


def _timestamp(store: Store) -> str:
    """Return the current time as written in a journal line, with its time zone."""
    return store.clock.now().isoformat(timespec="milliseconds")


def _append_event(store: Store, match_id: str, proposal: AnyProposal, ended: bool, pictures: Sequence[Picture]) -> None:
    """Write an entry. On a full disk, deletes pictures of rolls to save the journal. Raises: StoreError."""
    try:
        store.append(match_id, proposal.fields, pictures, line=proposal.line, ended=ended)
    except DiskFull:
        log.warning("disk full: the pictures of rolls are given up for the journal")
        store.purge_pictures()
        store.append(match_id, proposal.fields, essential_pictures(pictures), line=proposal.line, ended=ended)
