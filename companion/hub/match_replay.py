"""A journal as it is replayed line by line: the state now, the newest events, and the match as spectators see it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.games.base import AnyGame, Fields, Game, GameState, Message, Outcome, Refusal
from companion.games.registry import SPECS
from companion.games.spec import usual_ending
from companion.hub.models import JournalHead, Live, Roll
from companion.hub.schema import AMENDS, CORRECTED, STANDS, UNDONE
from companion.journal.codec import CORRECT, UNDO, LineUnreadable, decode, event_name, without_metadata
from companion.journal.ledger import NO_GAME, AnyLedger, Games, InvalidLine, check_undo, nothing_to_undo, replay
from companion.tournament.headers import Mark, mark_of

log = logging.getLogger(__name__)

KEPT = 8
"""Newest standing events of which the state is kept."""

LEAST = 3
"""So many of them must be there (or all there are): the newest roll is looked for among them."""

UNFORESEEN = Message("tournament.hub.unforeseen")


@dataclass(frozen=True, slots=True)
class Event:
    """An event that stands, what it came to and the state after it."""

    line: int
    fields: Fields
    outcome: Outcome
    after: GameState


@dataclass(frozen=True, slots=True)
class Refused:
    """The first line that cannot be played, with the rule and the sentence."""

    line: int
    rule: str
    message: Message


@dataclass(frozen=True, slots=True)
class MatchReplay:
    """A journal up to line `seq`. Without a game its header was refused, and nothing else is known.

    Of the header, which may hold whole catalogues, only the sides' names and the mark of the tournament are kept.
    """

    seq: int
    names: Mapping[str, str]
    mark: Mark | None
    game: AnyGame | None
    initial: GameState | None
    newest: tuple[Event, ...]
    standing: int
    refused: Refused | None = None

    @property
    def state(self) -> GameState:
        """The state now, as far as the lines can be played."""
        if self.newest:
            return self.newest[-1].after
        assert self.initial is not None, "a journal without a game has no state"
        return self.initial

    @property
    def over(self) -> bool:
        """Whether the match is over as far as the lines can be played."""
        return self.game is not None and self.game.finished(self.state)

    @property
    def roll(self) -> Event | None:
        """The newest of the last events that dice made."""
        if self.game is None:
            return None
        for event in reversed(self.newest[-LEAST:]):
            if self.game.dice(event.fields):
                return event
        return None


@dataclass(frozen=True, slots=True)
class LineUpdate:
    """What a line's row says now: the sentence of the story and the line's fate."""

    line: int
    message: Message | None
    fate: int


Before = Callable[[], Iterable[bytes]]
"""Gives all lines of the journal before the one that is played."""


def begin(raw: bytes, games: Games) -> MatchReplay:
    """A journal of its header alone."""
    try:
        played = replay([raw], games)
    except InvalidLine as refused:
        return MatchReplay(1, {}, None, None, None, (), 0, Refused(1, refused.rule, refused.message))
    except Exception:  # a line that came from elsewhere must not stop the other tables
        log.exception("a header could not be played")
        return MatchReplay(1, {}, None, None, None, (), 0, Refused(1, NO_GAME, UNFORESEEN))
    return _from_ledger(played.ledger, 1)


def play(now: MatchReplay, raw: bytes, games: Games, before: Before) -> tuple[MatchReplay, tuple[LineUpdate, ...]]:
    """One more line. Tells its own row first, then the earlier rows that it changes.

    A line that breaks a rule stops the playing, not the keeping: what comes after it is told of no more.
    """
    line = now.seq + 1
    untold = (LineUpdate(line, None, STANDS),)
    game = now.game
    if now.refused is not None or game is None:
        return replace(now, seq=line), untold
    try:
        return _played(now, game, raw, line, games, before)
    except Refusal as refusal:
        refused = Refused(line, refusal.rule, refusal.message)
    except LineUnreadable as fault:
        refused = Refused(line, game.journal_rules.unreadable, fault.message)
    except Exception:  # as above: the fault stays with this journal
        log.exception("line %s could not be played", line)
        refused = Refused(line, game.journal_rules.unreadable, UNFORESEEN)
    return replace(now, seq=line, refused=refused), untold


def resume(lines: Iterable[bytes], games: Games) -> MatchReplay:
    """A journal from all its lines, as playing them one by one would leave it."""
    kept = list(lines)
    now = begin(kept[0], games)
    if now.game is None:
        return replace(now, seq=len(kept))
    try:
        return _from_ledger(replay(kept, games).ledger, len(kept))
    except InvalidLine as refused:
        ledger = replay(kept[: refused.line - 1], games).ledger
        stopped = Refused(refused.line, refused.rule, refused.message)
        return replace(_from_ledger(ledger, len(kept)), refused=stopped)
    except Exception:  # as above
        log.exception("a journal could not be played anew")
        return _one_by_one(now, kept, games)


def _one_by_one(now: MatchReplay, kept: list[bytes], games: Games) -> MatchReplay:
    for at, raw in enumerate(kept[1:], 1):
        now, _ = play(now, raw, games, lambda at=at: kept[:at])  # type: ignore[misc]
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
    game.decide(now.state, event)
    after, outcome = game.apply(now.state, event)
    message = game.describe(after, fields, outcome)
    newest = (*now.newest[-KEPT + 1 :], Event(line, fields, outcome, after))
    return replace(now, seq=line, newest=newest, standing=now.standing + 1), (LineUpdate(line, message, STANDS),)


def _undone(
    now: MatchReplay, game: Game[Any, Any], fields: Fields, line: int, games: Games, before: Before
) -> tuple[MatchReplay, tuple[LineUpdate, ...]]:
    check_undo(game.journal_rules, fields)
    if not now.standing:
        raise nothing_to_undo(game.journal_rules)
    gone = now.newest[-1]
    message = game.describe(gone.after, gone.fields, gone.outcome)
    told = LineUpdate(line, None, AMENDS), LineUpdate(gone.line, message, UNDONE)
    left = now.newest[:-1]
    if len(left) >= min(now.standing - 1, LEAST):
        return replace(now, seq=line, newest=left, standing=now.standing - 1), told
    ledger = replay(before(), games).ledger
    ledger.commit(ledger.propose(fields, line))
    return _from_ledger(ledger, line), told


def _corrected(fields: Fields, line: int, games: Games, before: Before) -> tuple[MatchReplay, tuple[LineUpdate, ...]]:
    ledger = replay(before(), games).ledger
    proposal = ledger.propose(fields, line)
    ledger.commit(proposal)
    told = [LineUpdate(line, None, AMENDS)]
    fates = {record.line: record.status for record in ledger.all_events}
    for event in proposal.replayed:
        message = ledger.game.describe(event.state_after, event.fields, event.outcome)
        told.append(LineUpdate(event.line, message, CORRECTED if fates[event.line] == "corrected" else STANDS))
    return _from_ledger(ledger, line), tuple(told)


def _from_ledger(ledger: AnyLedger, seq: int) -> MatchReplay:
    standing = ledger.events
    newest = tuple(Event(each.line, each.fields, each.outcome, each.state_after) for each in standing[-KEPT:])
    names = {side: str(each["name"]) for side, each in ledger.header["sides"].items()}
    return MatchReplay(seq, names, mark_of(ledger.header), ledger.game, ledger.initial_state, newest, len(standing))


# A match as spectators see it, from its journal as it is played.


def live(journal: JournalHead, replay: MatchReplay | None) -> Live:
    """The match now. Of a journal that was deleted or cannot be read, what its head says."""
    if replay is None or replay.game is None:
        return Live(journal, {}, {}, "", journal.over, None, None, (), None, None, False)
    game, state = replay.game, replay.state
    view = game.view(state)
    over = replay.over
    awaits = None if over else game.awaits(state)
    newest = replay.newest[-1] if replay.newest else None
    scene = game.scene(state)
    return Live(
        journal=journal,
        names=dict(replay.names),
        score=_score(replay, view),
        phase=str(view.get("phase", "")),
        over=over,
        winner=_winner(game.id, view) if over else None,
        awaits=None if awaits is None else awaits.title,
        acting=() if awaits is None else awaits.sides,
        roll=_roll(replay),
        newest=None if newest is None else game.describe(newest.after, newest.fields, newest.outcome),
        review=False,
        figures=scene.figures,
        board=scene.board,
    )


def _score(replay: MatchReplay, view: dict[str, Any]) -> dict[str, int]:
    """In the order of the header's sides."""
    score = view.get("score", {})
    return {side: int(score[side]) for side in replay.names if side in score}


def _winner(game: str, view: dict[str, Any]) -> str | None:
    ending = SPECS[game].ending(view) if game in SPECS else usual_ending(view)
    return None if ending is None else ending.winner


def _roll(replay: MatchReplay) -> Roll | None:
    event, game = replay.roll, replay.game
    if event is None or game is None:
        return None
    at = event.fields.get("at")
    told = game.describe(event.after, event.fields, event.outcome)
    return Roll(event.line, game.dice(event.fields), told, at if isinstance(at, str) else None, ())
