"""The effective list: which events stand, what each came to, the state after each. Undo and correction happen here."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal

from companion.games.base import Event, Fields, Game, Message, Outcome, Refusal, State
from companion.journal.amendments import (
    check_undo,
    later_event_breaks,
    nothing_on_line,
    nothing_to_undo,
    read_correction,
)
from companion.journal.envelope import CORRECT, HEADER_LINE, UNDO, Entry, event_name, without_free_fields

Fate = Literal["stands", "corrected", "undone", "amends"]
_AS_WRITTEN: tuple[Fate, None] = ("stands", None)


@dataclass(frozen=True, slots=True)
class Standing(Generic[State, Event]):
    """An event that counts: the line it was first written on, its fields as they stand, what it came to."""

    line: int
    fields: Fields
    event: Event
    outcome: Outcome
    state_after: State


@dataclass(frozen=True, slots=True)
class Record(Generic[State, Event]):
    """A line as it was written and what became of it.

    `stands` as written; `corrected` or `undone` by the line `by`; `amends` for an `undo` or `correct` itself.
    `standing` is the event that counts for this line now, None for an undone one and for an amendment.
    """

    line: int
    fields: Fields
    fate: Fate
    by: int | None
    standing: Standing[State, Event] | None


@dataclass(frozen=True, slots=True)
class Change(Generic[State, Event]):
    """An event after a corrected one that comes to something else now."""

    before: Standing[State, Event]
    after: Standing[State, Event]


@dataclass(frozen=True, slots=True)
class Proposal(Generic[State, Event]):
    """What an event would do, worked out without doing it.

    The first `keep` standing events stay; `tail` follows them. `outcome` is that of the new or corrected event, None
    for an `undo`; `changed` tells, for a `correct`, which later events come to something else. `amends` is the line
    taken back or corrected.
    """

    line: int
    fields: Fields
    state: State
    outcome: Outcome | None
    keep: int
    tail: tuple[Standing[State, Event], ...]
    changed: tuple[Change[State, Event], ...]
    amends: int | None
    ledger: Ledger[State, Event]
    revision: int


class StaleProposal(Exception):
    """The proposal was made from another list than the one it is to be committed to."""


class Ledger(Generic[State, Event]):
    """One match in memory: every line, the events that stand and the state after each of them."""

    def __init__(self, game: Game[State, Event], header: Fields, header_line: int = HEADER_LINE) -> None:
        """Raises Refusal for a header that the game does not take."""
        self.game = game
        self.header = header
        self.initial: State = game.begin(header)
        self._last_line = header_line
        self._standing: list[Standing[State, Event]] = []
        self._written: list[Entry] = []
        self._fates: dict[int, tuple[Fate, int | None]] = {}
        self._revision = 0

    @property
    def state(self) -> State:
        return self._state_before(len(self._standing))

    @property
    def standing(self) -> tuple[Standing[State, Event], ...]:
        """The events that count, in file order."""
        return tuple(self._standing)

    @property
    def newest(self) -> Standing[State, Event] | None:
        """The event that an `undo` would take back."""
        return self._standing[-1] if self._standing else None

    @property
    def next_line(self) -> int:
        return self._last_line + 1

    @property
    def entries(self) -> tuple[Record[State, Event], ...]:
        """Every line that was written, in file order, with what became of it."""
        standing = {event.line: event for event in self._standing}
        records = []
        for entry in self._written:
            fate, by = self._fates.get(entry.line, _AS_WRITTEN)
            records.append(Record(entry.line, entry.fields, fate, by, standing.get(entry.line)))
        return tuple(records)

    def propose(self, fields: Fields, line: int | None = None) -> Proposal[State, Event]:
        """What the event would do, written on `line` (the next one by default). Changes nothing.

        Raises Refusal for an event that breaks a rule, ValueError for a line that is not after the last one.
        """
        if line is None:
            line = self.next_line
        if line <= self._last_line:
            raise ValueError(f"line {line} does not follow line {self._last_line}")
        if not isinstance(fields, Mapping):
            raise Refusal(self.game.journal_rules.unreadable, Message("journal.line.not_object"))
        name = event_name(fields)
        if name == UNDO:
            return self._propose_undo(fields, line)
        if name == CORRECT:
            return self._propose_correction(fields, line)
        new = self._play(self.state, line, fields)
        return self._proposal(line, fields, keep=len(self._standing), tail=(new,))

    def commit(self, proposal: Proposal[State, Event]) -> None:
        """Does what was proposed. Raises StaleProposal when something was committed since, or to another ledger."""
        if proposal.ledger is not self or proposal.revision != self._revision:
            raise StaleProposal(f"line {proposal.line} was proposed for a list that has changed since")
        amended = proposal.amends
        if amended is not None:
            undone = event_name(proposal.fields) == UNDO
            self._fates[amended] = ("undone" if undone else "corrected", proposal.line)
            self._fates[proposal.line] = ("amends", None)
        self._standing[proposal.keep :] = proposal.tail
        self._written.append(Entry(proposal.line, proposal.fields))
        self._last_line = proposal.line
        self._revision += 1

    def _propose_undo(self, fields: Fields, line: int) -> Proposal[State, Event]:
        check_undo(self.game.journal_rules, fields)
        if not self._standing:
            raise nothing_to_undo(self.game.journal_rules)
        keep = len(self._standing) - 1
        return self._proposal(line, fields, keep=keep, amends=self._standing[keep].line)

    def _propose_correction(self, fields: Fields, line: int) -> Proposal[State, Event]:
        correction = read_correction(self.game.journal_rules, fields)
        index = bisect_left(self._standing, correction.line, key=lambda event: event.line)
        if index == len(self._standing) or self._standing[index].line != correction.line:
            raise nothing_on_line(self.game.journal_rules, correction.line)
        corrected = self._play(self._state_before(index), correction.line, correction.event)
        tail, changed = [corrected], []
        for old in self._standing[index + 1 :]:
            new = self._play_again(tail[-1].state_after, old)
            tail.append(new)
            if new.outcome != old.outcome:
                changed.append(Change(old, new))
        return self._proposal(
            line,
            fields,
            keep=index,
            tail=tuple(tail),
            changed=tuple(changed),
            amends=correction.line,
        )

    def _play(self, state: State, line: int, fields: Fields) -> Standing[State, Event]:
        event = self.game.parse(without_free_fields(fields))
        self.game.decide(state, event)
        after, outcome = self.game.apply(state, event)
        return Standing(line, fields, event, outcome, after)

    def _play_again(self, state: State, old: Standing[State, Event]) -> Standing[State, Event]:
        try:
            self.game.decide(state, old.event)
        except Refusal as broken:
            raise later_event_breaks(old.line, broken) from None
        after, outcome = self.game.apply(state, old.event)
        return Standing(old.line, old.fields, old.event, outcome, after)

    def _state_before(self, index: int) -> State:
        return self._standing[index - 1].state_after if index else self.initial

    def _proposal(
        self,
        line: int,
        fields: Fields,
        *,
        keep: int,
        tail: tuple[Standing[State, Event], ...] = (),
        changed: tuple[Change[State, Event], ...] = (),
        amends: int | None = None,
    ) -> Proposal[State, Event]:
        state = tail[-1].state_after if tail else self._state_before(keep)
        outcome = tail[0].outcome if tail else None
        return Proposal(line, fields, state, outcome, keep, tail, changed, amends, self, self._revision)


AnyLedger = Ledger[Any, Any]
