"""An endless match: legal events with pictures, some undone or corrected, recorded like real ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from companion.games.base import Fields, Game
from companion.games.registry import GAMES as REAL_GAMES
from companion.journal.codec import HEADER_LINE
from companion.journal.store import Picture, Store
from companion.table.autoplay import random_journal_event
from tests.journal.counting_game import GAMES as COUNTING

GAMES: dict[str, Game[Any, Any]] = {**COUNTING, **REAL_GAMES}


@dataclass(frozen=True)
class Acknowledged:
    """A record that the store has acknowledged: an event of a match by its line, or a new match by its header line."""

    match: str
    line: int
    fields: Fields


def pictures_of(match: str, line: int) -> tuple[Picture, ...]:
    """Return the pictures of a line; a torn or swapped picture is detectable."""
    random = Random(f"{match} {line}")
    sizes = [random.choice((0, 300, 5_000, 40_000)) for _ in range(random.randint(0, 3))]
    return tuple(Picture("die", random.randbytes(size), die) for die, size in enumerate(sizes))


def play_on(store: Store, game: Game[Any, Any], random: Random) -> Iterator[Acknowledged]:
    """Resume the newest match, or start one, and play on; every yielded item is recorded."""
    while True:
        newest = next((match for match in store.matches() if match.ended is None), None)
        if newest is None:
            header = game.random_header(random)
            match = store.create(header)
            yield Acknowledged(match, HEADER_LINE, header)
        else:
            match = newest.id
        ledger = store.resume(match, GAMES).ledger
        while not game.finished(ledger.state):
            fields = random_journal_event(ledger, random)
            proposal = ledger.propose(fields)
            ended = game.finished(proposal.state)
            line = store.append(match, fields, pictures_of(match, proposal.line), line=proposal.line, ended=ended)
            ledger.commit(proposal)
            yield Acknowledged(match, line, fields)
