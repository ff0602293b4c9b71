"""The core of the hub, put together: one database, one writer, and the parts that work on it."""

from __future__ import annotations

from dataclasses import dataclass

from companion.clock import Clock
from companion.hub.database import Database, open_database
from companion.hub.inbox import Inbox
from companion.hub.registry import Keys, Tables
from companion.hub.results import SharedState
from companion.hub.retention import Retention
from companion.hub.tournament_service import TournamentService
from companion.hub.tournament_storage import Archive
from companion.hub.views import Views
from companion.journal.ledger import Games


@dataclass(frozen=True)
class Core:
    """Everything that broker, pages and commands use; `close` when done."""

    inbox: Inbox
    tournaments: TournamentService
    views: Views
    tables: Tables
    keys: Keys
    retention: Retention
    database: Database
    archive: Archive

    def close(self) -> None:
        """Lets the database go."""
        self.database.close()


def open_core(url: str, games: Games, clock: Clock) -> Core:
    """Opens (or makes, or brings to the newest form) the database of a URL.

    A file's begins with `sqlite:///`, a server's with `postgresql:` and has user and password. Raises HubError with a
    sentence: another hub writes to it, it is newer than this program, it cannot be reached.
    """
    database = open_database(url, clock)
    tables, archive = Tables(database), Archive(database)
    shared = SharedState(games, tables.known, tables.number_of)
    database.remembers(shared.forget)
    return Core(
        Inbox(database, shared),
        TournamentService(database, shared, archive.holds),
        Views(database, shared),
        tables,
        Keys(database),
        Retention(database, shared),
        database,
        archive,
    )
