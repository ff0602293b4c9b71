"""The parts of the hub, assembled around one database with a single writer."""

from __future__ import annotations

from dataclasses import dataclass

from companion.clock import Clock
from companion.hub.database import Database, open_database
from companion.hub.inbox import Inbox
from companion.hub.plan_templates import PlanTemplates
from companion.hub.registry import KeyRegistry, TableRegistry
from companion.hub.results import SharedState
from companion.hub.retention import Retention
from companion.hub.tournament_service import TournamentService
from companion.hub.tournament_storage import Archive
from companion.hub.views import Views
from companion.journal.ledger import Games


@dataclass(frozen=True)
class Core:
    """Services used by the broker, the web pages and the commands. Call `close` when done."""

    inbox: Inbox
    tournaments: TournamentService
    views: Views
    tables: TableRegistry
    keys: KeyRegistry
    retention: Retention
    database: Database
    archive: Archive
    plan_templates: PlanTemplates

    def close(self) -> None:
        """Close the database."""
        self.database.close()


def open_core(url: str, games: Games, clock: Clock) -> Core:
    """Open the database of a URL; create or migrate it if necessary.

    The URL of a file begins with `sqlite:///`, that of a server with `postgresql:` and contains user and
    password.

    Raises: DatabaseError, with a message: another hub writes to the database, it is newer than this program, or it
    cannot be reached.
    """
    database = open_database(url, clock)
    tables, archive = TableRegistry(database), Archive(database)
    shared = SharedState(games, tables.known, tables.number_of)
    database.on_invalidate(shared.clear)
    return Core(
        Inbox(database, shared),
        TournamentService(database, shared, archive.is_archived),
        Views(database, shared),
        tables,
        KeyRegistry(database),
        Retention(database, shared),
        database,
        archive,
        PlanTemplates(database),
    )
