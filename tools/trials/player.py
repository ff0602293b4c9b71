"""Two sides of the program at one simulated table of a tournament: they come when called, play, confirm and correct.

All that is known of the tournament is what the table's own link shows, as at a real table; all that is kept is in the
table's store. So one that is closed, killed or cut off goes on where it was.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from companion.games.base import Game
from companion.journal.store import Store
from companion.table.hub_port import HubPort, TableMatch
from companion.tournament.headers import MARK, Mark, mark_of
from tools.trials.match import SimulatedMatch, invented_header

CORRECTS = 0.1
"""How often a roll is set right in a match that was already confirmed."""


class SimulatedPlayers:
    """Plays the matches to which a table is called, one event a step."""

    def __init__(self, store: Store, port: HubPort, games: Mapping[str, Game[Any, Any]], random: Random) -> None:
        self._store, self._port, self._games, self._random = store, port, games, random
        self._match: SimulatedMatch | None = None
        self._of: Mark | None = None
        self._corrected: set[str] = set()
        self.recorded = 0
        left = next((row for row in store.matches() if row.ended is None and mark_of(row.header)), None)
        if left is not None:
            self._match = SimulatedMatch.resume(store, left.id, games, random)
            self._of = mark_of(left.header)

    def step(self) -> bool:
        """Does the next thing; False when there is none now (no match, or nothing but to wait for the hub)."""
        if self._match is not None and not self._match.finished:
            self._match.step()
            self.recorded += 1
            self._port.notify_appended()
            return True
        called = self._port.snapshot().match
        if called is None or called.review:
            return False
        if self._match is None or self._of != mark_of(called.header):
            self._sit_down(called)
            return True
        return self._confirm(called, self._match)

    def _sit_down(self, called: TableMatch) -> None:
        """Goes on with the match, or begins it once both sides are there."""
        self._of = mark_of(called.header)
        for side in ("home", "away"):
            if side not in called.present:
                self._port.check_in(called.match, "home" if side == "home" else "away", True)
        begun = self._begun(called)
        if begun is not None:
            self._match = SimulatedMatch.resume(self._store, begun, self._games, self._random)
            return
        header = invented_header(
            self._games[called.game], self._random, called.header["sides"], called.header.get("setup", {})
        )
        header[MARK] = called.header[MARK]
        self._match = SimulatedMatch.begin(self._store, self._games[called.game], header, self._random)
        self.recorded += 1
        self._port.notify_appended()

    def _begun(self, called: TableMatch) -> str | None:
        """The newest journal of that match in the store."""
        return next((row.id for row in self._store.matches() if mark_of(row.header) == mark_of(called.header)), None)

    def _confirm(self, called: TableMatch, match: SimulatedMatch) -> bool:
        missing = [signer for signer in called.required_signers if signer not in called.confirmed]
        if missing:
            self._port.confirm(called.match, match.id, match.ledger.next_line - 1, missing[0])
            return True
        if called.sent and match.id not in self._corrected:
            self._corrected.add(match.id)
            if self._random.random() < CORRECTS and match.correct_after_the_end():
                self.recorded += 1
                self._port.notify_appended()
                return True
        return False
