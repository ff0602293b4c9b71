"""Matches that players no longer want: out of every list at once, off the disk after a while, back until then.

The row of a match stays for good: its epoch must never be given to another match.
"""

from __future__ import annotations

from datetime import timedelta

from companion.journal.database import transaction
from companion.journal.store import Store
from companion.journal.store_errors import UnknownMatch, translated

KEPT = timedelta(days=7)
"""How long a removed match can still be brought back."""


def remove(store: Store, match: str) -> None:
    """Takes a match out of the lists; nothing of it is lost yet. Raises StoreError (UnknownMatch)."""
    now = store.clock.now().isoformat(timespec="milliseconds")
    _mark(store, match, "UPDATE matches SET removed = coalesce(removed, ?) WHERE id = ?", now)


def restore(store: Store, match: str) -> None:
    """Puts a removed match back where it was. Raises StoreError (UnknownMatch)."""
    _mark(store, match, "UPDATE matches SET removed = ? WHERE id = ?", None)


def purge_removed(store: Store, kept: timedelta = KEPT) -> int:
    """Deletes the facts and pictures of matches that were removed longer ago than `kept`; returns how many matches."""
    limit = (store.clock.now() - kept).isoformat(timespec="milliseconds")
    connection = store._connection
    with translated(store.path):
        with transaction(connection):
            gone = [
                row[0]
                for row in connection.execute(
                    "SELECT id FROM matches WHERE julianday(removed) < julianday(?)"
                    " AND EXISTS (SELECT 1 FROM entries WHERE match = matches.id)",
                    (limit,),
                )
            ]
            for match in gone:
                connection.execute("DELETE FROM pictures WHERE match = ?", (match,))
                connection.execute("DELETE FROM entries WHERE match = ?", (match,))
        list(connection.execute("PRAGMA incremental_vacuum"))
    return len(gone)


def _mark(store: Store, match: str, statement: str, at: str | None) -> None:
    connection = store._connection
    with translated(store.path), transaction(connection):
        connection.execute(statement, (at, match))
        if not connection.changes():
            raise UnknownMatch("no_match", store.path, match=match)
