"""A match in memory: its events, undo and correction by the game's rules, and replay of journal files."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Literal, TextIO

from companion.games.base import (
    AnyGame,
    Event,
    Fields,
    Game,
    GameState,
    JournalRules,
    JsonObject,
    Message,
    Outcome,
    Refusal,
    State,
)
from companion.journal.codec import (
    CORRECT,
    HEADER_LINE,
    METADATA_FIELDS,
    TRUNCATED_LINE,
    UNDO,
    VERSION,
    FileUnreadable,
    JournalLine,
    LineUnreadable,
    event_name,
    is_integer,
    read_file,
    read_lines,
    without_metadata,
)
from companion.language import Language


@dataclass(frozen=True, slots=True)
class Correction:
    """A well-formed `correct`: the line it amends and the replacement event."""

    line: int
    event: Fields


def check_undo(rules: JournalRules, fields: Fields) -> None:
    """Check the fields of an `undo`. Raises: Refusal if one is not allowed by this game."""
    _check_unlisted_fields(rules, fields, {"event"}, UNDO)


def read_correction(rules: JournalRules, fields: Fields) -> Correction:
    """Return the correction that the event asks for. Raises: Refusal if it is malformed."""
    line, event = fields.get("line"), fields.get("with")
    if not is_integer(line):
        raise Refusal(rules.malformed, Message("journal.refusal.correct_line"))
    if not isinstance(event, dict):
        raise Refusal(rules.malformed, Message("journal.refusal.correct_with"))
    name = event_name(event)
    if name is None:
        raise Refusal(rules.malformed, Message("journal.refusal.correct_event"))
    _check_unlisted_fields(rules, fields, {"event", "line", "with"}, CORRECT)
    if name in (UNDO, CORRECT):
        raise Refusal(rules.nested, Message("journal.refusal.correct_nested", {"event": name}))
    return Correction(line, event)


def nothing_to_undo(rules: JournalRules) -> Refusal:
    return Refusal(rules.nothing_standing, Message("journal.refusal.nothing_to_undo"))


def nothing_on_line(rules: JournalRules, line: int) -> Refusal:
    return Refusal(rules.nothing_standing, Message("journal.refusal.nothing_on_line", {"line": line}))


def later_event_violates(event: Message, violation: Refusal) -> Refusal:
    """Return the refusal of a correction that makes a later event break a rule; `event` is its sentence."""
    reason = {"event": event, "reason": violation.message}
    return Refusal(violation.rule, Message("journal.refusal.later_event", reason))


def _check_unlisted_fields(rules: JournalRules, fields: Fields, listed: Set[str], event: str) -> None:
    if not rules.refuses_unknown_fields:
        return
    for key in fields:
        if key not in listed and key not in METADATA_FIELDS:
            where = {"event": event, "field": key}
            raise Refusal(rules.malformed, Message("journal.refusal.unlisted", where))


EventStatus = Literal["stands", "corrected", "undone", "amends"]
_UNCHANGED: tuple[EventStatus, None] = ("stands", None)


@dataclass(frozen=True, slots=True)
class AppliedEvent(Generic[State, Event]):
    """An event that counts: the line it was first written on, its current fields and its outcome."""

    line: int
    fields: Fields
    event: Event
    outcome: Outcome
    state_after: State


@dataclass(frozen=True, slots=True)
class JournalEvent(Generic[State, Event]):
    """A line as it was written, with its current status.

    - `stands`: valid as written
    - `corrected` or `undone`: amended by the line `amended_by`
    - `amends`: the line is an `undo` or `correct` itself

    `applied` is the event that counts for this line now; None for an undone event and for an amendment.
    """

    line: int
    fields: Fields
    status: EventStatus
    amended_by: int | None
    applied: AppliedEvent[State, Event] | None


@dataclass(frozen=True, slots=True)
class LedgerChange(Generic[State, Event]):
    """A later event whose outcome changed because of a correction."""

    before: AppliedEvent[State, Event]
    after: AppliedEvent[State, Event]


@dataclass(frozen=True, slots=True)
class Proposal(Generic[State, Event]):
    """The effect of an event, computed without committing it.

    - `kept_count`: number of applied events that stay
    - `replayed`: the events that follow them
    - `outcome`: of the new or corrected event; None for an `undo`
    - `changes`: for a `correct`, the later events whose outcome changes
    - `amended_line`: the line that is undone or corrected
    """

    line: int
    fields: Fields
    state: State
    outcome: Outcome | None
    kept_count: int
    replayed: tuple[AppliedEvent[State, Event], ...]
    changes: tuple[LedgerChange[State, Event], ...]
    amended_line: int | None
    ledger: Ledger[State, Event]
    revision: int


class StaleProposal(Exception):
    """The proposal does not match the current state of the ledger."""


class Ledger(Generic[State, Event]):
    """One match in memory: every line, the applied events and the state after each of them."""

    def __init__(self, game: Game[State, Event], header: Fields, header_line: int = HEADER_LINE) -> None:
        """Start an empty match. Raises: Refusal for a header that the game rejects."""
        self.game = game
        self.header = header
        self.initial_state: State = game.initial_state(header)
        self._last_line = header_line
        self._events: list[AppliedEvent[State, Event]] = []
        self._lines: list[JournalLine] = []
        self._statuses: dict[int, tuple[EventStatus, int | None]] = {}
        self._revision = 0

    @property
    def state(self) -> State:
        return self._state_before(len(self._events))

    @property
    def events(self) -> tuple[AppliedEvent[State, Event], ...]:
        """The applied events, in file order."""
        return tuple(self._events)

    @property
    def newest(self) -> AppliedEvent[State, Event] | None:
        """The event that an `undo` would remove."""
        return self._events[-1] if self._events else None

    @property
    def next_line(self) -> int:
        return self._last_line + 1

    @property
    def all_events(self) -> tuple[JournalEvent[State, Event], ...]:
        """Every line that was written, in file order, with its current status."""
        applied = {event.line: event for event in self._events}
        records = []
        for line in self._lines:
            status, amended_by = self._statuses.get(line.line, _UNCHANGED)
            records.append(JournalEvent(line.line, line.fields, status, amended_by, applied.get(line.line)))
        return tuple(records)

    def propose(self, fields: Fields, line: int | None = None) -> Proposal[State, Event]:
        """Compute the effect of an event written on `line` (default: the next one). Changes nothing.

        Raises: Refusal for an event that breaks a rule; ValueError for a line that is not after the last one.
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
        new = self._apply(self.state, line, fields)
        return self._make_proposal(line, fields, kept_count=len(self._events), replayed=(new,))

    def commit(self, proposal: Proposal[State, Event]) -> None:
        """Apply a proposal. Raises: StaleProposal if the ledger has changed since, or is another one."""
        if proposal.ledger is not self or proposal.revision != self._revision:
            raise StaleProposal(f"line {proposal.line} was proposed for a list that has changed since")
        amended_line = proposal.amended_line
        if amended_line is not None:
            is_undo = event_name(proposal.fields) == UNDO
            self._statuses[amended_line] = ("undone" if is_undo else "corrected", proposal.line)
            self._statuses[proposal.line] = ("amends", None)
        self._events[proposal.kept_count :] = proposal.replayed
        self._lines.append(JournalLine(proposal.line, proposal.fields))
        self._last_line = proposal.line
        self._revision += 1

    def _propose_undo(self, fields: Fields, line: int) -> Proposal[State, Event]:
        check_undo(self.game.journal_rules, fields)
        if not self._events:
            raise nothing_to_undo(self.game.journal_rules)
        kept_count = len(self._events) - 1
        return self._make_proposal(line, fields, kept_count=kept_count, amended_line=self._events[kept_count].line)

    def _propose_correction(self, fields: Fields, line: int) -> Proposal[State, Event]:
        correction = read_correction(self.game.journal_rules, fields)
        index = bisect_left(self._events, correction.line, key=lambda event: event.line)
        if index == len(self._events) or self._events[index].line != correction.line:
            raise nothing_on_line(self.game.journal_rules, correction.line)
        corrected = self._apply(self._state_before(index), correction.line, correction.event)
        replayed, changes = [corrected], []
        for old in self._events[index + 1 :]:
            new = self._reapply(replayed[-1].state_after, old)
            replayed.append(new)
            if new.outcome != old.outcome:
                changes.append(LedgerChange(old, new))
        return self._make_proposal(
            line,
            fields,
            kept_count=index,
            replayed=tuple(replayed),
            changes=tuple(changes),
            amended_line=correction.line,
        )

    def _apply(self, state: State, line: int, fields: Fields) -> AppliedEvent[State, Event]:
        event = self.game.parse(without_metadata(fields))
        self.game.validate(state, event)
        after, outcome = self.game.apply(state, event)
        return AppliedEvent(line, fields, event, outcome, after)

    def _reapply(self, state: State, old: AppliedEvent[State, Event]) -> AppliedEvent[State, Event]:
        try:
            self.game.validate(state, old.event)
        except Refusal as broken:
            sentence = self.game.describe(old.state_after, old.fields, old.outcome)
            raise later_event_violates(sentence, broken) from None
        after, outcome = self.game.apply(state, old.event)
        return AppliedEvent(old.line, old.fields, old.event, outcome, after)

    def _state_before(self, index: int) -> State:
        return self._events[index - 1].state_after if index else self.initial_state

    def _make_proposal(
        self,
        line: int,
        fields: Fields,
        *,
        kept_count: int,
        replayed: tuple[AppliedEvent[State, Event], ...] = (),
        changes: tuple[LedgerChange[State, Event], ...] = (),
        amended_line: int | None = None,
    ) -> Proposal[State, Event]:
        state = replayed[-1].state_after if replayed else self._state_before(kept_count)
        outcome = replayed[0].outcome if replayed else None
        return Proposal(line, fields, state, outcome, kept_count, replayed, changes, amended_line, self, self._revision)


AnyAppliedEvent = AppliedEvent[GameState, object]
AnyLedger = Ledger[GameState, object]
AnyProposal = Proposal[GameState, object]


# Replay of a journal from a file, from lines or from the store, and the report of `companion replay`.


Games = Mapping[str, AnyGame]
"""The games by id."""

NO_GAME = "JOURNAL"
"""Used in place of a rule number when the game is unknown."""

DONE, REFUSED = 0, 2


class InvalidLine(Exception):
    """A line that breaks a rule. Replay stops before it. `line` counts every line of the file from 1."""

    def __init__(self, line: int, rule: str, message: Message) -> None:
        super().__init__(f"{line}: {rule}: {message}")
        self.line = line
        self.rule = rule
        self.message = message


@dataclass(frozen=True, slots=True)
class Replay:
    """A replayed journal: its header, and the ledger with every state."""

    header: Fields
    ledger: AnyLedger

    @property
    def game(self) -> AnyGame:
        return self.ledger.game


def replay(source: Path | Iterable[bytes], games: Games) -> Replay:
    """Replay a journal file or its lines.

    If the header names no known game, the rule number comes from the game in the file name (`<game>-….jsonl`).
    Raises: InvalidLine at the first bad line; FileUnreadable for a bad file.
    """
    if isinstance(source, Path):
        return _replay(read_file(source), games, _guess_game(source, games))
    return _replay(read_lines(source), games, None)


def replay_lines(header: Fields, lines: Iterable[JournalLine], games: Games) -> Replay:
    """Replay a journal that is already decoded, e.g. from the store. Raises: InvalidLine."""

    def all_lines() -> Iterator[JournalLine]:
        yield JournalLine(HEADER_LINE, header)
        yield from lines

    return _replay(all_lines(), games, None)


def replay_report(result: Replay) -> JsonObject:
    """Return the object that `companion replay` prints (docs/rules/README.md)."""
    ledger = result.ledger
    newest = ledger.newest
    return {
        "game": ledger.game.id,
        "sides": result.header["sides"],
        "state": {**ledger.game.view(ledger.state), "last": _log_event(newest) if newest else None},
        "log": [_log_event(event) for event in ledger.events],
    }


def run_replay(path: Path, games: Games, out: TextIO, err: TextIO, language: Language) -> int:
    """Run `companion replay PATH`: print the report to `out`, or one error line to `err`. Returns the exit status."""
    try:
        report = json.dumps(replay_report(replay(path, games)))
    except InvalidLine as refused:
        print(f"{path}:{refused.line}: {refused.rule}: {language.text(refused.message)}", file=err)
        return REFUSED
    except FileUnreadable as unreadable:
        print(f"{path}: {language.text(unreadable.message)}", file=err)
        return REFUSED
    print(report, file=out)
    return DONE


def _replay(lines: Iterator[JournalLine], games: Games, guessed_game: AnyGame | None) -> Replay:
    ledger = _start(lines, games, guessed_game)
    rules = ledger.game.journal_rules
    try:
        for line in lines:
            try:
                ledger.commit(ledger.propose(line.fields, line.line))
            except Refusal as refusal:
                raise InvalidLine(line.line, refusal.rule, refusal.message) from None
    except LineUnreadable as fault:
        raise InvalidLine(fault.line, rules.unreadable, fault.message) from None
    return Replay(ledger.header, ledger)


def _start(lines: Iterator[JournalLine], games: Games, guessed_game: AnyGame | None) -> AnyLedger:
    if guessed_game is None and len(games) == 1:
        guessed_game = next(iter(games.values()))
    try:
        first = next(lines, None)
    except LineUnreadable as fault:
        truncated = fault.message.id == TRUNCATED_LINE
        message = Message("journal.header.torn") if truncated else fault.message
        raise InvalidLine(fault.line, _header_rule(guessed_game), message) from None
    if first is None:
        raise InvalidLine(HEADER_LINE, _header_rule(guessed_game), Message("journal.header.empty"))
    header = first.fields
    id = header.get("game")
    game = games.get(id) if isinstance(id, str) else None
    version = header.get("journal")
    if not is_integer(version) or version != VERSION:
        newer = is_integer(version) and version > VERSION
        message = Message("journal.header.newer", {"version": version}) if newer else Message("journal.header.version")
        raise InvalidLine(first.line, _header_rule(game or guessed_game), message)
    if game is None:
        named = id if isinstance(id, str) else json.dumps(id)
        message = Message("journal.header.game", {"game": named, "known": ", ".join(games)})
        raise InvalidLine(first.line, _header_rule(guessed_game), message)
    try:
        return Ledger(game, header, first.line)
    except Refusal as refusal:
        raise InvalidLine(first.line, refusal.rule, refusal.message) from None


def _header_rule(game: AnyGame | None) -> str:
    """Return the game's rule number for a bad header.

    Asks the game: in three of the four it differs from that of a bad line.
    """
    if game is None:
        return NO_GAME
    try:
        game.initial_state({})
    except Refusal as refusal:
        return refusal.rule
    return game.journal_rules.unreadable


def _guess_game(path: Path, games: Games) -> AnyGame | None:
    return next((game for id, game in games.items() if path.name.startswith(id)), None)


def _log_event(event: AppliedEvent[GameState, object]) -> JsonObject:
    return {"line": event.line, "event": event.fields["event"], "outcome": event.outcome}
