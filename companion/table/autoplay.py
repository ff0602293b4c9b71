"""Bot matches, for trials, demos and fuzzing the rules."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from companion.games.base import AnyGame, Fields, Refusal
from companion.games.spec import AutoPlayer
from companion.journal.ledger import AnyLedger, Ledger

UNDO_PROBABILITY, CORRECTION_PROBABILITY = 0.08, 0.04
"""Probabilities that a bot undoes or corrects an event."""
MAX_EVENTS = 20_000
"""Far more events than any match needs. A longer match counts as endless."""


class EndlessMatch(Exception):
    """A match that the random player could not finish."""


def play(
    game: AnyGame, random: Random, player: AutoPlayer | None = None, header: Fields | None = None
) -> Iterator[Fields]:
    """Yield the header of a match, then its events until it is finished. Deterministic for a given `random`.

    Args:
        player: plays every side. Default: a random legal player.
        header: default: a random header.
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
    """Return a next entry for the journal: a legal event, an `undo`, or a valid `correct`."""
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
