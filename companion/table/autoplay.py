"""Players of the program at all sides of a match, for trying things out, for demos and as the fuzzer of the rules."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from companion.games.base import AnyGame, Fields, Refusal
from companion.games.spec import Player
from companion.journal.ledger import AnyLedger, Ledger

UNDO_PROBABILITY, CORRECTION_PROBABILITY = 0.08, 0.04
"""How often those who are not so sure take something back, or set it right."""
MAX_EVENTS = 20_000
"""Far more than any match takes; a match that goes on so long does not end."""


class EndlessMatch(Exception):
    """A match that the random player could not end."""


def play(game: AnyGame, random: Random, player: Player | None = None, header: Fields | None = None) -> Iterator[Fields]:
    """The header of a match, then its events in order until it is finished. Same random, same match.

    `player` sits at every side, the random legal one if none is given. A header that is not given is invented.
    """
    player = player or game.random_event
    header = header or game.random_header(random)
    yield header
    ledger = Ledger(game, header)
    for _ in range(MAX_EVENTS):
        if game.finished(ledger.state):
            return
        fields = player(ledger.state, random)
        ledger.commit(ledger.propose(fields))
        yield fields
    raise EndlessMatch(f"{game.id}: not finished after {MAX_EVENTS} events")


def random_journal_event(ledger: AnyLedger, random: Random) -> Fields:
    """What could be recorded next: an event that is legal now, an `undo`, or a `correct` that holds."""
    chance = random.random()
    if ledger.events and chance < UNDO_PROBABILITY:
        return {"event": "undo", "by": "touch"}
    if ledger.events and chance < UNDO_PROBABILITY + CORRECTION_PROBABILITY:
        line = random.choice(ledger.events[-5:]).line
        correction = {"event": "correct", "line": line, "with": ledger.game.random_event(ledger.state, random)}
        try:
            ledger.propose(correction)
        except Refusal:
            return ledger.game.random_event(ledger.state, random)
        return correction
    return ledger.game.random_event(ledger.state, random)
