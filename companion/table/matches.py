"""The matches of this table: started, resumed, listed. Stands between the store and the screens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.base import Fields, Game, Message, Refusal
from companion.journal.ledger import Ledger
from companion.journal.store import Store
from companion.table.ports import ReaderPort
from companion.table.session import Session


class UnknownGame(Exception):
    """A match of a game that this program does not know."""


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """A match as a list shows it. `trouble` says why it cannot be resumed whole; then `good_until` is its last good line."""

    match_id: str
    game_id: str
    names: Mapping[str, str]
    score: Mapping[str, int]
    last: Message | None
    at: str
    finished: bool
    trouble: Message | None = None
    good_until: int | None = None


class Matches:
    """Opens sessions on the matches of one store. One store has one writer, so one session is played at a time."""

    def __init__(self, store: Store, games: Mapping[str, Game[Any, Any]]) -> None:
        self.store = store
        self.games = games
        self._summaries: dict[tuple[str, int], MatchSummary] = {}

    def start(self, game_id: str, header: Fields, reader: ReaderPort | None = None) -> Session:
        """A new match. Raises Refusal for a header that the game refuses; then nothing is stored."""
        game = self._game(game_id)
        ledger = Ledger(game, header)
        return Session(game, self.store, self.store.create(header), ledger, reader)

    def resume(self, match_id: str, reader: ReaderPort | None = None) -> Session:
        """The match where it was. Raises Refusal when its journal breaks a rule (see `MatchSummary.trouble`)."""
        header = self.store.header(match_id)
        game = self._game(header["game"])
        ledger = Ledger(game, header)
        for entry in self.store.entries(match_id):
            ledger.commit(ledger.propose(entry.fields, entry.line))
        return Session(game, self.store, match_id, ledger, reader)

    def list(self, limit: int = 50) -> tuple[MatchSummary, ...]:
        """The newest matches first."""
        return tuple(self._summary(stored) for stored in self.store.matches()[:limit])

    def _game(self, game_id: str) -> Game[Any, Any]:
        if game_id not in self.games:
            raise UnknownGame(game_id)
        return self.games[game_id]
