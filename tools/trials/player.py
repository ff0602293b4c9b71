"""Simulated players at one table of a tournament: they answer calls, play, confirm and correct.

Their knowledge of the tournament comes from the table's own link, as at a real table, and all state is in the table's
store. So a table that is closed, killed or cut off resumes where it stopped.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from companion.games.base import Game
from companion.journal.store import Store
from companion.table.hub_port import HubPort, TableMatch
from companion.tournament.headers import MARK, TournamentMark, parse_mark
from tools.trials.match import SimulatedMatch, random_tournament_header

CORRECTS = 0.1
"""Probability of correcting a roll in a match that was already confirmed."""


class SimulatedPlayers:
    """Players for the matches called to a table, one event for each step."""

    def __init__(self, store: Store, port: HubPort, games: Mapping[str, Game[Any, Any]], random: Random) -> None:
        self._store, self._port, self._games, self._random = store, port, games, random
        self._match: SimulatedMatch | None = None
        self._of: TournamentMark | None = None
        self._corrected: set[str] = set()
        self.recorded = 0
        left = next((row for row in store.matches() if row.ended is None and parse_mark(row.header)), None)
        if left is not None:
            self._match = SimulatedMatch.resume(store, left.id, games, random)
            self._of = parse_mark(left.header)

    def step(self) -> bool:
        """Perform the next action. Return False if there is none (no match, or waiting for the hub)."""
        if self._match is not None and not self._match.finished:
            self._match.step()
            self.recorded += 1
            self._port.notify_appended()
            return True
        called = self._port.snapshot().match
        if called is None or called.review:
            return False
        if self._match is None or self._of != parse_mark(called.header):
            self._join_match(called)
            return True
        return self._confirm(called, self._match)

    def _join_match(self, called: TableMatch) -> None:
        """Resume the match, or start it once both sides have checked in."""
        self._of = parse_mark(called.header)
        for side in ("home", "away"):
            if side not in called.present:
                self._port.check_in(called.match, "home" if side == "home" else "away", True)
        begun = self._begun(called)
        if begun is not None:
            self._match = SimulatedMatch.resume(self._store, begun, self._games, self._random)
            return
        header = random_tournament_header(
            self._games[called.game], self._random, called.header["sides"], called.header.get("setup", {})
        )
        header[MARK] = called.header[MARK]
        self._match = SimulatedMatch.start(self._store, self._games[called.game], header, self._random)
        self.recorded += 1
        self._port.notify_appended()

    def _begun(self, called: TableMatch) -> str | None:
        """Return the newest journal of the match in the store."""
        return next(
            (row.id for row in self._store.matches() if parse_mark(row.header) == parse_mark(called.header)), None
        )

    def _confirm(self, called: TableMatch, match: SimulatedMatch) -> bool:
        missing = [signer for signer in called.required_signers if signer not in called.confirmed]
        if missing:
            self._port.confirm(called.match, match.id, match.ledger.next_line - 1, missing[0])
            return True
        if called.sent and match.id not in self._corrected:
            self._corrected.add(match.id)
            if self._random.random() < CORRECTS and match.correct_finished():
                self.recorded += 1
                self._port.notify_appended()
                return True
        return False
