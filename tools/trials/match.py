"""A match at a simulated table: random legal events, some undone or corrected, each written to disk."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from companion.games.base import Fields, Game, Refusal
from companion.journal.codec import HEADER_LINE
from companion.journal.ledger import Ledger, Proposal
from companion.journal.store import Store
from companion.table.autoplay import random_journal_event

TRIES = 100


class SimulatedMatch:
    """A match of random players. Events recorded by `step` survive a kill; `resume` continues from there."""

    def __init__(self, store: Store, id: str, ledger: Ledger[Any, Any], random: Random) -> None:
        self._store, self._random = store, random
        self.id, self.ledger = id, ledger

    @classmethod
    def start(cls, store: Store, game: Game[Any, Any], header: Fields, random: Random) -> SimulatedMatch:
        """Start a match. Raises StoreError, and Refusal for a header that the game rejects."""
        ledger = Ledger(game, header)
        return cls(store, store.create(header), ledger, random)

    @classmethod
    def resume(cls, store: Store, id: str, games: Mapping[str, Game[Any, Any]], random: Random) -> SimulatedMatch:
        """Resume a match. Raises StoreError, InvalidLine."""
        return cls(store, id, store.resume(id, games).ledger, random)

    @property
    def finished(self) -> bool:
        """True if the game is over in its current state."""
        return self.ledger.game.finished(self.ledger.state)

    def step(self) -> bool:
        """Record one event unless the match is over. Return whether it is over now. Raises StoreError."""
        if not self.finished:
            self._record(self.ledger.propose(random_journal_event(self.ledger, self._random)))
        return self.finished

    def correct_finished(self) -> bool:
        """Correct one of the last events of a finished match that stays finished. Return whether this was possible."""
        for _ in range(TRIES):
            index = self._random.randrange(max(0, len(self.ledger.events) - 10), len(self.ledger.events))
            before = self.ledger.events[index - 1].state_after if index else self.ledger.initial_state
            event = self.ledger.game.random_event(before, self._random)
            line = self.ledger.events[index].line
            try:
                proposal = self.ledger.propose({"event": "correct", "line": line, "with": event, "by": "touch"})
            except Refusal:
                continue
            if self.ledger.game.finished(proposal.state):
                self._record(proposal)
                return True
        return False

    def _record(self, proposal: Proposal[Any, Any]) -> None:
        over = self.ledger.game.finished(proposal.state)
        self._store.append(self.id, proposal.fields, line=proposal.line, ended=over)
        self.ledger.commit(proposal)

    @property
    def lines(self) -> int:
        """Return the number of lines in the journal, including the header."""
        return self.ledger.next_line - HEADER_LINE


def random_tournament_header(
    game: Game[Any, Any], random: Random, names: Mapping[str, Mapping[str, str]], setup: Fields
) -> dict[str, Any]:
    """Return a header for a match of a tournament: random squads and cards, `names` and `setup` from the hub."""
    for _ in range(TRIES):
        header = game.random_header(random)
        if len(header["sides"]) != len(names):
            continue
        header = _renamed(header, dict(zip(header["sides"], names, strict=True)))
        made = {**header, "sides": {**header["sides"], **names}, "setup": {**header.get("setup", {}), **setup}}
        try:
            game.initial_state(made)
        except Refusal:
            continue
        return made
    raise ValueError(f"no header of {game.id} goes with {dict(setup)}")


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    """Return the value with the given names of the sides: a game without fixed names invents its own."""
    if isinstance(value, dict):
        return {names.get(key, key): _renamed(each, names) for key, each in value.items()}
    if isinstance(value, list):
        return [_renamed(each, names) for each in value]
    return names.get(value, value) if isinstance(value, str) else value
