"""Players of the program at all sides of a match, for trying things out, for demos and as the fuzzer of the rules."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from companion.games.base import Fields, Game
from companion.games.registry import Player
from companion.journal.ledger import Ledger

MOST_EVENTS = 20_000
"""Far more than any match takes; a match that goes on so long does not end."""


class EndlessMatch(Exception):
    """A match that the random player could not end."""


def play(game: Game[Any, Any], random: Random, player: Player | None = None) -> Iterator[Fields]:
    """The header of a match, then its events in order until it is finished. Same random, same match.

    `player` sits at every side, the random legal one if none is given.
    """
    player = player or game.random_event
    header = game.random_header(random)
    yield header
    ledger = Ledger(game, header)
    for _ in range(MOST_EVENTS):
        if game.finished(ledger.state):
            return
        fields = player(ledger.state, random)
        ledger.commit(ledger.propose(fields))
        yield fields
    raise EndlessMatch(f"{game.id}: not finished after {MOST_EVENTS} events")
