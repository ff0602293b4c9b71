"""Incremental replay of a journal: the current state, the newest events, and the match as spectators see it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from companion.games.base import AnyGame, Fields, Game, GameState, Message, Outcome, Refusal
from companion.games.registry import SPECS
from companion.games.spec import default_ending, named_side
from companion.hub.models import JournalHead, LiveMatch, LiveRoll
from companion.hub.schema import AMENDS, CORRECTED, STANDS, UNDONE
from companion.journal.codec import CORRECT, UNDO, LineUnreadable, decode, event_name, without_metadata
from companion.journal.ledger import NO_GAME, AnyLedger, Games, InvalidLine, check_undo, nothing_to_undo, replay
from companion.tournament.headers import TournamentMark, parse_mark
from companion.tournament.match_choices import played_settings

log = logging.getLogger(__name__)

MAX_RECENT_EVENTS = 8
"""Number of newest standing events whose state is stored."""

MIN_RECENT_EVENTS = 3
"""Minimum number of stored events (unless there are fewer in total), searched for the newest roll."""

UNEXPECTED_FAULT = Message("tournament.hub.unforeseen")


@dataclass(frozen=True, slots=True)
class ReplayedEvent:
    """A standing event with its outcome and the state after it."""

    line: int
    fields: Fields
    outcome: Outcome
    after: GameState


@dataclass(frozen=True, slots=True)
class RefusedLine:
    """The first line that cannot be replayed, with the rule and the message."""

    line: int
    rule: str
    message: Message


@dataclass(frozen=True, slots=True)
class MatchReplay:
    """A journal replayed up to line `seq`. Without a game its header was refused, and nothing else is known.

    The header may contain whole catalogues; only the names of the sides, the tournament's mark and the settings that a
    tournament may fix are kept.
    """

    seq: int
    names: Mapping[str, str]
    mark: TournamentMark | None
    game: AnyGame | None
    initial: GameState | None
    newest: tuple[ReplayedEvent, ...]
    standing: int
    refused: RefusedLine | None = None
    settings: Fields = field(default_factory=dict)

    @property
    def state(self) -> GameState:
        """The current state, as far as the lines can be replayed."""
        if self.newest:
            return self.newest[-1].after
        assert self.initial is not None, "a journal without a game has no state"
        return self.initial

    @property
    def over(self) -> bool:
        """Whether the match is over, as far as the lines can be replayed."""
        return self.game is not None and self.game.finished(self.state)

    @property
    def roll(self) -> ReplayedEvent | None:
        """The newest event with dice among the last events."""
        if self.game is None:
            return None
        for event in reversed(self.newest[-MIN_RECENT_EVENTS:]):
            if self.game.dice_from_event(event.fields):
                return event
        return None


@dataclass(frozen=True, slots=True)
class LineUpdate:
    """New content of a line's row: its timeline text, its status and the side that acts."""

    line: int
    message: Message | None
    status: int
    side: str | None = None


Before = Callable[[], Iterable[bytes]]
"""Function that returns all lines of the journal before the current one."""


def start_replay(raw: bytes, games: Games) -> MatchReplay:
    """Start the replay of a journal from its header."""
    try:
        played = replay([raw], games)
    except InvalidLine as refused:
        return MatchReplay(1, {}, None, None, None, (), 0, RefusedLine(1, refused.rule, refused.message))
    except Exception:  # an unexpected fault in one journal must not stop the other tables
        log.exception("a header could not be played")
        return MatchReplay(1, {}, None, None, None, (), 0, RefusedLine(1, NO_GAME, UNEXPECTED_FAULT))
    return _from_ledger(played.ledger, 1)


def replay_line(
    now: MatchReplay, raw: bytes, games: Games, before: Before
) -> tuple[MatchReplay, tuple[LineUpdate, ...]]:
    """Replay one more line. Returns the update of its own row first, then those of changed earlier rows.

    A line that breaks a rule stops the replay, but storage continues: later lines get no text.
    """
    line = now.seq + 1
    untold = (LineUpdate(line, None, STANDS),)
    game = now.game
    if now.refused is not None or game is None:
        return replace(now, seq=line), untold
    try:
        return _played(now, game, raw, line, games, before)
    except Refusal as refusal:
        refused = RefusedLine(line, refusal.rule, refusal.message)
    except LineUnreadable as fault:
        refused = RefusedLine(line, game.journal_rules.unreadable, fault.message)
    except Exception:  # as above: the fault affects this journal only
        log.exception("line %s could not be played", line)
        refused = RefusedLine(line, game.journal_rules.unreadable, UNEXPECTED_FAULT)
    return replace(now, seq=line, refused=refused), untold


def resume(lines: Iterable[bytes], games: Games) -> MatchReplay:
    """Replay a journal from all its lines, with the same result as line by line."""
    kept = list(lines)
    now = start_replay(kept[0], games)
    if now.game is None:
        return replace(now, seq=len(kept))
    try:
        return _from_ledger(replay(kept, games).ledger, len(kept))
    except InvalidLine as refused:
        ledger = replay(kept[: refused.line - 1], games).ledger
        stopped = RefusedLine(refused.line, refused.rule, refused.message)
        return replace(_from_ledger(ledger, len(kept)), refused=stopped)
    except Exception:  # as above
        log.exception("a journal could not be played anew")
        return _one_by_one(now, kept, games)


def _one_by_one(now: MatchReplay, kept: list[bytes], games: Games) -> MatchReplay:
    for at, raw in enumerate(kept[1:], 1):
        now, _ = replay_line(now, raw, games, lambda at=at: kept[:at])  # type: ignore[misc]
    return now


def _played(
    now: MatchReplay, game: Game[Any, Any], raw: bytes, line: int, games: Games, before: Before
) -> tuple[MatchReplay, tuple[LineUpdate, ...]]:
    fields = decode(raw)
    name = event_name(fields)
    if name == CORRECT:
        return _corrected(fields, line, games, before)
    if name == UNDO:
        return _undone(now, game, fields, line, games, before)
    event = game.parse(without_metadata(fields))
    game.validate(now.state, event)
    after, outcome = game.apply(now.state, event)
    message = game.describe(after, fields, outcome)
    newest = (*now.newest[-MAX_RECENT_EVENTS + 1 :], ReplayedEvent(line, fields, outcome, after))
    side = _side_of_event(game, now.state, fields, outcome)
    return replace(now, seq=line, newest=newest, standing=now.standing + 1), (LineUpdate(line, message, STANDS, side),)


def _side_of_event(game: AnyGame, before: GameState, fields: Fields, outcome: Outcome) -> str | None:
    """Return the side that acts in an event. Other names in its fields are no sides: games ignore unknown fields."""
    side = SPECS[game.id].side_of_event(before, fields, outcome) if game.id in SPECS else named_side(fields, outcome)
    return side if side in game.sides else None


def _undone(
    now: MatchReplay, game: Game[Any, Any], fields: Fields, line: int, games: Games, before: Before
) -> tuple[MatchReplay, tuple[LineUpdate, ...]]:
    check_undo(game.journal_rules, fields)
    if not now.standing:
        raise nothing_to_undo(game.journal_rules)
    gone = now.newest[-1]
    message = game.describe(gone.after, gone.fields, gone.outcome)
    left = now.newest[:-1]
    before_event = left[-1].after if left else now.initial
    assert before_event is not None  # a replay with a game has a state
    side = _side_of_event(game, before_event, gone.fields, gone.outcome)
    updates = LineUpdate(line, None, AMENDS), LineUpdate(gone.line, message, UNDONE, side)
    if len(left) >= min(now.standing - 1, MIN_RECENT_EVENTS):
        return replace(now, seq=line, newest=left, standing=now.standing - 1), updates
    ledger = replay(before(), games).ledger
    ledger.commit(ledger.propose(fields, line))
    return _from_ledger(ledger, line), updates


def _corrected(fields: Fields, line: int, games: Games, before: Before) -> tuple[MatchReplay, tuple[LineUpdate, ...]]:
    ledger = replay(before(), games).ledger
    proposal = ledger.propose(fields, line)
    ledger.commit(proposal)
    updates = [LineUpdate(line, None, AMENDS)]
    statuses = {record.line: record.status for record in ledger.all_events}
    kept = ledger.events[: proposal.kept_count]
    before_event = kept[-1].state_after if kept else ledger.initial_state
    for event in proposal.replayed:
        message = ledger.game.describe(event.state_after, event.fields, event.outcome)
        side = _side_of_event(ledger.game, before_event, event.fields, event.outcome)
        before_event = event.state_after
        status = CORRECTED if statuses[event.line] == "corrected" else STANDS
        updates.append(LineUpdate(event.line, message, status, side))
    return _from_ledger(ledger, line), tuple(updates)


def _from_ledger(ledger: AnyLedger, seq: int) -> MatchReplay:
    standing = ledger.events
    newest = tuple(
        ReplayedEvent(each.line, each.fields, each.outcome, each.state_after) for each in standing[-MAX_RECENT_EVENTS:]
    )
    names = {side: str(each["name"]) for side, each in ledger.header["sides"].items()}
    mark, initial = parse_mark(ledger.header), ledger.initial_state
    setup = ledger.header.get("setup") or {}
    settings = played_settings(ledger.game.id, setup) if ledger.game.id in SPECS else {}
    return MatchReplay(seq, names, mark, ledger.game, initial, newest, len(standing), settings=settings)


# The match as spectators see it, from the replay of its journal.


def live_match(journal: JournalHead, replay: MatchReplay | None) -> LiveMatch:
    """Return the current match. For a deleted or unreadable journal, only the data of its head."""
    if replay is None or replay.game is None:
        return LiveMatch(journal, {}, {}, "", journal.over, None, None, (), None, None, False)
    game, state = replay.game, replay.state
    view = game.view(state)
    over = replay.over
    decision = None if over else game.decision(state)
    newest = replay.newest[-1] if replay.newest else None
    scene = game.scene(state)
    return LiveMatch(
        journal=journal,
        names=dict(replay.names),
        score=_score(replay, view),
        phase=str(view.get("phase", "")),
        over=over,
        winner=_winner(game.id, view) if over else None,
        decision=None if decision is None else decision.title,
        acting=() if decision is None else decision.sides,
        roll=_roll(replay),
        newest=None if newest is None else game.describe(newest.after, newest.fields, newest.outcome),
        review=False,
        figures=scene.figures,
        board=scene.board,
    )


def _score(replay: MatchReplay, view: dict[str, Any]) -> dict[str, int]:
    """Return the score in the order of the header's sides."""
    score = view.get("score", {})
    return {side: int(score[side]) for side in replay.names if side in score}


def _winner(game: str, view: dict[str, Any]) -> str | None:
    ending = SPECS[game].ending(view) if game in SPECS else default_ending(view)
    return None if ending is None else ending.winner


def _roll(replay: MatchReplay) -> LiveRoll | None:
    event, game = replay.roll, replay.game
    if event is None or game is None:
        return None
    at = event.fields.get("at")
    message = game.describe(event.after, event.fields, event.outcome)
    return LiveRoll(event.line, game.dice_from_event(event.fields), message, at if isinstance(at, str) else None, ())
